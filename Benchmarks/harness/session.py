"""One call of the benchmark: its directories, its tools, its stopwatch, and running a scenario with them."""

import contextlib
import datetime
import os
import sys
import time
from argparse import Namespace
from dataclasses import dataclass, field
from pathlib import Path

from . import machine, pypi, servers
from .contest import Contest
from .entity import SEED, Entity
from .measure import Stopwatch
from .options import BENCHMARKS
from .peers import Toolbox
from .workspace import NoRoom, Workspace, require_room


class Unavailable(Exception):
    """The benchmark cannot run here; the message says what to do."""


@dataclass(frozen=True)
class Output:
    """A directory to write to and the type of its filesystem."""

    directory: Path
    filesystem: str


@dataclass
class Result:
    """What a scenario measured."""

    scenario: str
    rounds: int
    started: str
    load_before: float
    load_after: float = 0
    contests: list[Contest] = field(default_factory=list)
    #: What its x axis says when its contests make a curve.
    axis: str | None = None
    notes: list[str] = field(default_factory=list)


class Session:
    """Everything that scenarios share. Used with `with`, which removes what it made."""

    def __init__(self, options: Namespace):
        self.options = options
        self.workers = options.workers or servers.default_workers()
        self.toolbox = Toolbox(options.sheaf, options.aria2_next, options.skip)
        self.result: Result | None = None
        self.made: list[Output] = []

    def __enter__(self) -> "Session":
        self.workspace = Workspace()
        try:
            self.stopwatch = Stopwatch(self.workspace.directory(self.workspace.memory), self.options.time_limit)
            if self.options.pypi:
                self.toolbox.environment = pypi.install(self.workspace.directory(self.workspace.memory))
        except BaseException:
            self.workspace.remove()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.workspace.remove()

    def run(self, name: str, scenario) -> Result:
        rounds = self.options.rounds or scenario.ROUNDS
        now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
        result = self.result = Result(name, rounds, now, os.getloadavg()[0], axis=getattr(scenario, "AXIS", None))
        if result.load_before > machine.cores() / 2:
            print(f"bench: others are using this machine (load {result.load_before:.1f})", file=sys.stderr)
        ended = time.monotonic() + self.options.budget
        try:
            # Closing the generator is what stops its server when a run fails or is interrupted.
            with contextlib.closing(scenario.contests(self)) as contests:
                for contest in contests:
                    contest.leave_out_absent(self.toolbox)
                    contest.run(rounds, self.stopwatch, self.toolbox, self.allowance(scenario, ended))
                    result.contests.append(contest)
        except (servers.ServerFailed, NoRoom) as error:
            raise Unavailable(str(error)) from error
        result.load_after = os.getloadavg()[0]
        return result

    def allowance(self, scenario, ended: float) -> float | None:
        """Seconds for the next contest: its part of what is left. None when the caller has said how many rounds."""
        if self.options.rounds:
            return None
        expected = scenario.count(self) if hasattr(scenario, "count") else 1
        return max(0.0, ended - time.monotonic()) / max(1, expected - len(self.result.contests))

    def obstacle(self, scenario) -> str | None:
        """Why a scenario cannot run here at all; None when it can."""
        return scenario.obstacle(self) if hasattr(scenario, "obstacle") else None

    def size(self, default: int) -> int:
        return self.options.size or default

    def schemes(self, *offered: str) -> list[str]:
        return [each for each in offered if self.options.scheme in (None, each)]

    def outputs(self) -> list[Output]:
        """Where files are written: the given directories, else memory and then a disk."""
        if not self.made:
            given = self.options.output_dir or [self.workspace.memory, BENCHMARKS / ".work"]
            directories = [self.workspace.directory(each) for each in given]
            self.made = [Output(each, machine.filesystem(each)) for each in directories]
        return self.made

    def entity(self, size: int, outputs: list[Output]) -> Entity:
        """The file to serve, in memory, so that the server's disk is not what is measured."""
        for output in outputs:
            require_room((self.workspace.memory, size), (output.directory, size))
        return Entity(self.workspace.directory(self.workspace.memory), size)

    def entities(self, count: int, size: int, outputs: list[Output]) -> list[Entity]:
        """Many files to serve, each different, in one directory in memory."""
        for output in outputs:
            require_room((self.workspace.memory, count * size), (output.directory, count * size))
        directory = self.workspace.directory(self.workspace.memory)
        return [Entity(directory, size, f"{number:05}.bin", SEED + number) for number in range(count)]

    def front(self, address: str, restraint: servers.Restraint) -> servers.Nginx:
        """nginx before another server, for what that one does not do or tell."""
        directory = self.workspace.directory(self.workspace.memory)
        return servers.Nginx(directory, address, None, self.workers, restraint)

    def nginx(
        self, entity: Entity, restraint: servers.Restraint = servers.Restraint(), place: servers.Place | None = None
    ) -> servers.Nginx:
        """Serves the directory of `entity`; over HTTPS too where the certificate's address holds."""
        directory = self.workspace.directory(self.workspace.memory)
        certificate = None if place else servers.Certificate(directory)
        return servers.Nginx(directory, entity.directory, certificate, self.workers, restraint, place)
