"""Contenders that do the same job in interleaved rounds, and what came of it."""

import statistics
import sys
import time
from dataclasses import dataclass, field

from .jobs import Job
from .measure import Sample, Stopwatch
from .peers import Contender, Toolbox


@dataclass
class Entry:
    """One contender's part in a contest."""

    contender: Contender
    #: Runs in this many rounds at most; None for all of them.
    limit: int | None = None
    #: Stopped after this many seconds; None for the limit of all runs.
    patience: float | None = None
    #: A run that does not succeed is a result here, not a fault of the benchmark.
    may_fail: bool = False
    #: The job when it is not the contest's, which must be of the same size.
    job: Job | None = None
    #: Its server is another, so its times are nothing to compare with.
    apart: bool = False
    samples: list[Sample] = field(default_factory=list)

    @property
    def good(self) -> list[Sample]:
        return [sample for sample in self.samples if not sample.problem]

    def median(self, value) -> float | None:
        values = [value(sample) for sample in self.good]
        return statistics.median(values) if values else None


@dataclass
class Contest:
    """One table: a job, those who do it, and those whom their times are compared with."""

    title: str
    job: Job
    entries: list[Entry]
    #: Labels of the contenders that the ratio columns refer to.
    baselines: list[str]
    columns: list
    #: Contenders left out, with the reason.
    absent: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    server: dict | None = None
    #: Where it stands on the x axis when contests of one scenario make a curve.
    at: float | None = None

    def leave_out_absent(self, toolbox: Toolbox) -> None:
        reasons = [(entry, toolbox.absence(entry.contender) or self.distrust(entry)) for entry in self.entries]
        self.entries = [entry for entry, reason in reasons if not reason]
        self.absent += [(entry.contender.label, reason) for entry, reason in reasons if reason]

    def distrust(self, entry: Entry) -> str | None:
        certificate = getattr(self.job.target, "certificate", None)
        if certificate and not entry.contender.trusts:
            return "it cannot be told to trust the server's certificate"
        return None

    def run(self, rounds: int, stopwatch: Stopwatch, toolbox: Toolbox, allowance: float | None = None) -> None:
        """Rounds A B C D, A B C D, …, so that a slow minute of the machine falls on everyone.

        No further round is begun that would, if everyone took as long as before, end after `allowance` seconds.
        """
        started, took = time.monotonic(), [0.0] * len(self.entries)
        for number in range(1, rounds + 1):
            going = [index for index, entry in enumerate(self.entries) if entry.limit is None or number <= entry.limit]
            expected = time.monotonic() - started + sum(took[index] for index in going)
            if allowance is not None and number > 1 and expected > allowance:
                self.notes.append(f"{number - 1} of {rounds} rounds: the time was up (--budget, --rounds)")
                break
            for index in going:
                entry, began = self.entries[index], time.monotonic()
                progress(f"{self.title}: round {number} of {rounds}: {entry.contender.label}")
                entry.samples.append(self.run_once(entry, stopwatch, toolbox).but(round=number))
                took[index] = time.monotonic() - began
        progress("")

    def run_once(self, entry: Entry, stopwatch: Stopwatch, toolbox: Toolbox) -> Sample:
        job, contender = entry.job or self.job, entry.contender
        try:
            stopwatch.renew_home()
            job.prepare()
            # Not before it is prepared: a job may learn its URL only then.
            command = [*toolbox.find(contender.tool).command, *contender.arguments(job.target)]
            sample = job.measure(command, stopwatch, entry.patience)
            if not sample.problem and contender.fetches:
                sample = sample.but(problem=job.problem())
            figures = {**sample.figures, **job.figures()}
            if contender.calls:
                # What is watched is the shell, which has not written what the others did under it.
                figures.pop("last", None)
            return sample.but(figures=figures)
        finally:
            job.clear()

    def entry(self, label: str) -> Entry | None:
        return next((entry for entry in self.entries if entry.contender.label == label), None)

    def best_peer(self, but: Entry | None = None) -> float | None:
        """The best median of the tools that are not sheaf, leaving one out."""
        peers = [each for each in self.entries if each.contender.tool != "sheaf" and each is not but and not each.apart]
        return min(filter(None, (each.median(wall) for each in peers)), default=None)

    def ratio_of_medians(self, entry: Entry, baseline: str) -> float | None:
        other = self.entry(baseline)
        own, its = entry.median(wall), other.median(wall) if other else None
        return own / its if own and its else None

    def median_of_ratios(self, entry: Entry, baseline: str) -> float | None:
        """The median over the rounds of the ratio within a round, which slow drift of the machine cannot bend."""
        other = self.entry(baseline)
        walls = {sample.round: sample.wall for sample in other.good} if other else {}
        ratios = [sample.wall / walls[sample.round] for sample in entry.good if sample.round in walls]
        return statistics.median(ratios) if ratios else None


def wall(sample: Sample) -> float:
    return sample.wall


def progress(message: str) -> None:
    """Says what is going on, on one line of a terminal; scripts see nothing."""
    if sys.stderr.isatty():
        print(f"\r\033[K{message}", end="", file=sys.stderr, flush=True)
