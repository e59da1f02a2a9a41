"""One measured run of one command."""

import contextlib
import functools
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import machine, peers

LAUNCHER = Path(__file__).with_name("launch.py")


@dataclass(frozen=True)
class Sample:
    """What one run cost. Times in seconds, memory in bytes; `problem` says why it does not count."""

    wall: float = 0
    user: float = 0
    system: float = 0
    peak_rss: int = 0
    status: int | None = None
    problem: str | None = None
    round: int = 0
    #: What the job counted besides, by name.
    figures: dict[str, float] = field(default_factory=dict)

    @property
    def cpu(self) -> float:
        return self.user + self.system

    def but(self, **changes) -> "Sample":
        return replace(self, **changes)


class Stopwatch:
    """Runs commands one at a time in a quiet, fixed environment."""

    def __init__(self, directory: Path, time_limit: float):
        self.log, self.time_limit = directory / "said.log", time_limit
        home = directory / "home"
        home.mkdir()
        self.environment = peers.environment(home)
        #: No peak below this can be seen: it is what the launcher itself takes.
        self.peak_floor = self.run(["/bin/true"]).peak_rss

    def run(self, command: list[str], patience: float | None = None, within: tuple[str, ...] = ()) -> Sample:
        """One run to its end. `within` is the command that takes the launcher elsewhere, such as `ip netns exec`."""
        limit = patience or self.time_limit
        with Launch(command, within, self.log, self.environment) as launch:
            try:
                launch.launcher.wait(limit)
            except subprocess.TimeoutExpired:
                return Sample(problem=f"stopped after {limit:g} s")
            values = launch.cost()
        if not values:
            return Sample(problem=f"did not start: {self.last_words()}")
        wall, user, system, peak, status = values
        sample = Sample(int(wall) / 1e9, float(user), float(system), int(peak), int(status))
        return sample if sample.status == 0 else sample.but(problem=f"status {sample.status}: {self.last_words()}")

    def kill_after_writing(self, command: list[str], count: int, patience: float | None = None) -> Sample:
        """Ends a run by SIGKILL as soon as it has written `count` bytes; a problem when it ended before that."""
        deadline = time.monotonic() + (patience or self.time_limit)
        with Launch(command, (), self.log, self.environment) as launch:
            while launch.launcher.poll() is None:
                if launch.bytes_written() >= count:
                    return Sample()
                if time.monotonic() > deadline:
                    return Sample(problem="stopped before it had written enough to be killed")
                time.sleep(0.002)
        return Sample(problem=f"ended before it was killed: {self.last_words()}")

    def last_words(self) -> str:
        """The last line a failed command printed."""
        said = self.log.read_text(errors="replace").replace("\r", "\n").split("\n")
        return next((line.strip() for line in reversed(said) if line.strip()), "it said nothing")


class Launch:
    """One command under a launcher of its own. Used with `with`, which kills whatever still runs at its end."""

    def __init__(self, command: list[str], within: tuple[str, ...], log: Path, environment: dict[str, str]):
        # -I and -S keep the launcher small. In a session of its own it does not hear Ctrl-C and can
        # reap what the benchmark ends.
        reading, writing = os.pipe()
        try:
            with open(log, "wb") as said:
                self.launcher = subprocess.Popen(
                    [*within, sys.executable, "-I", "-S", str(LAUNCHER), str(writing), *command],
                    stdin=subprocess.DEVNULL, stdout=said, stderr=said, pass_fds=[writing], env=environment,
                    start_new_session=True,
                )  # fmt: skip
        except BaseException:
            os.close(reading)
            raise
        finally:
            os.close(writing)
        self.result = os.fdopen(reading, "rb")

    def __enter__(self) -> "Launch":
        return self

    def __exit__(self, *_) -> None:
        if self.launcher.poll() is None:
            if (group := self.group) is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(group, signal.SIGKILL)
            self.launcher.wait()
        self.result.close()

    @functools.cached_property
    def group(self) -> int | None:
        """The command's process group; None when it has not started. Waits until the launcher knows."""
        line = self.result.readline()
        return int(line) if line.strip() else None

    def cost(self) -> list[bytes]:
        """What the launcher measured; waits for its end."""
        return self.result.read().split() if self.group is not None else []

    def bytes_written(self) -> int:
        """What the command has passed to write(2) and its like so far."""
        for line in machine.lines(f"/proc/{self.group}/io"):
            if line.startswith("wchar:"):
                return int(line.split()[1])
        return 0
