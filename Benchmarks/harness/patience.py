"""Keeps a capped server from making the benchmark wait for what is known beforehand."""

from .contest import Contest


def spare(contest: Contest, patience: float, cap: int) -> None:
    """Leaves out whom `cap` bytes/s a connection would keep busy for longer than `patience` seconds."""
    for entry in list(contest.entries):
        connections = entry.contender.connections
        seconds = contest.job.size / (cap * connections)
        if entry.job or seconds <= patience:
            continue
        contest.entries.remove(entry)
        their = "1 connection" if connections == 1 else f"{connections} connections"
        contest.absent.append(
            (entry.contender.label, f"its {their} would need {seconds:.0f} s (--patience {patience:g})")
        )
