"""Keeps a capped server from making the benchmark wait for what is known beforehand."""

from .contest import Contest


def spare(contest: Contest, patience: float, cap: int) -> None:
    """Runs aria2c's defaults once, and others not at all, where `cap` bytes/s a connection would take too long."""
    for entry in list(contest.entries):
        seconds = contest.job.size / (cap * entry.contender.connections)
        if seconds <= patience:
            continue
        reason = f"its {entry.contender.connections} connection would need {seconds:.0f} s (--patience {patience:g})"
        if entry.contender.label == "aria2c defaults":
            entry.limit = 1
            contest.notes.append(f"{entry.contender.label}: run in the first round only, {reason}")
        else:
            contest.entries.remove(entry)
            contest.absent.append((entry.contender.label, reason))
