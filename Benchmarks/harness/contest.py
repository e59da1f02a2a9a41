"""Contenders that do the same job in interleaved rounds, and what came of it."""

import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from . import machine
from .entity import Entity
from .measure import Sample, Stopwatch
from .peers import Contender, Target, Toolbox


class Fetch:
    """The job of fetching an entity into a directory, checked and removed after each run."""

    def __init__(self, entity: Entity, url: str, directory: Path, certificate: Path | None = None):
        self.entity, self.directory = entity, directory / "run"
        self.target = Target(url, str(self.directory), "fetched.bin", str(certificate) if certificate else None)
        self.size = entity.size
        self.on_disk = machine.filesystem(directory) != "tmpfs"

    def prepare(self) -> None:
        self.clear()
        self.directory.mkdir()

    def problem(self) -> str | None:
        return self.entity.problem(Path(self.target.path))

    def clear(self) -> None:
        shutil.rmtree(self.directory, ignore_errors=True)
        if self.on_disk:
            # What one run left in the journal and the write-back queue must not slow down the next.
            subprocess.run(["sync", "-f", str(self.directory.parent)], check=False)


class Start:
    """The job of starting, saying a version and ending."""

    target = Target("", "")
    size = None

    def prepare(self) -> None: ...

    def problem(self) -> str | None:
        return None

    def clear(self) -> None: ...


@dataclass
class Entry:
    """One contender's part in a contest."""

    contender: Contender
    #: Runs in this many rounds at most; None for all of them.
    limit: int | None = None
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
    job: Fetch | Start
    entries: list[Entry]
    #: Labels of the contenders that the ratio columns refer to.
    baselines: list[str]
    columns: list
    #: Contenders left out, with the reason.
    absent: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    server: dict | None = None

    def leave_out_absent(self, toolbox: Toolbox) -> None:
        reasons = [(entry, toolbox.absence(entry.contender)) for entry in self.entries]
        self.entries = [entry for entry, reason in reasons if not reason]
        self.absent += [(entry.contender.label, reason) for entry, reason in reasons if reason]

    def run(self, rounds: int, stopwatch: Stopwatch, toolbox: Toolbox) -> None:
        """Rounds A B C D, A B C D, …, so that a slow minute of the machine falls on everyone."""
        for number in range(1, rounds + 1):
            for entry in self.entries:
                if entry.limit is not None and number > entry.limit:
                    continue
                progress(f"{self.title}: round {number} of {rounds}: {entry.contender.label}")
                entry.samples.append(self.run_once(entry.contender, stopwatch, toolbox).but(round=number))
        progress("")

    def run_once(self, contender: Contender, stopwatch: Stopwatch, toolbox: Toolbox) -> Sample:
        command = [toolbox.find(contender.tool).path, *contender.arguments(self.job.target)]
        self.job.prepare()
        try:
            sample = stopwatch.run(command)
            return sample if sample.problem else sample.but(problem=self.job.problem())
        finally:
            self.job.clear()

    def entry(self, label: str) -> Entry | None:
        return next((entry for entry in self.entries if entry.contender.label == label), None)

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
