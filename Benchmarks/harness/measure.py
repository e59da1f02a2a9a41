"""One measured run of one command."""

import contextlib
import functools
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import peers
from .arrival import INTERVAL, Points, Watch, bytes_written

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
        self.home = directory / "home"
        self.environment = peers.environment(self.home)
        self.renew_home()
        #: No peak below this can be seen: it is what the launcher itself takes.
        self.peak_floor = self.run(["/bin/true"]).peak_rss

    def renew_home(self) -> None:
        """Empties the home: some tools keep there what they know of earlier downloads."""
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir()

    def run(
        self, command: list[str], patience: float | None = None, within: tuple[str, ...] = (),
        watch: Watch | None = None, size: int | None = None,
    ) -> Sample:  # fmt: skip
        """One run to its end. `within` is the command that takes the launcher elsewhere, such as `ip netns exec`;
        `watch` looks meanwhile at how much of the `size` bytes has arrived."""
        limit = patience or self.time_limit
        with Launch(command, within, self.log, self.environment) as launch:
            points = launch.wait(limit, watch)
            if points is None:
                return Sample(problem=f"stopped after {limit:g} s")
            values = launch.cost()
        if not values:
            return Sample(problem=f"did not start: {self.last_words()}")
        wall, user, system, peak, status = values
        sample = Sample(int(wall) / 1e9, float(user), float(system), int(peak), int(status))
        if sample.status != 0:
            return sample.but(problem=f"status {sample.status}: {self.last_words()}")
        tail = watch.tail(points, size, launch.started + sample.wall) if watch and size else None
        return sample if tail is None else sample.but(figures={"last": tail})

    def kill_after_writing(self, command: list[str], count: int, patience: float | None = None) -> Sample:
        """Ends a run by SIGKILL as soon as it has written `count` bytes; a problem when it ended before that."""
        deadline = time.monotonic() + (patience or self.time_limit)
        with Launch(command, (), self.log, self.environment) as launch:
            while launch.launcher.poll() is None:
                if (launch.group is not None) and (bytes_written(launch.group) or 0) >= count:
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
        # Unbuffered: `wait` must see what has not been read yet.
        self.result = os.fdopen(reading, "rb", buffering=0)

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
    def first_line(self) -> list[bytes]:
        """The command's process group and its start in nanoseconds. Waits until the launcher knows."""
        return self.result.readline().split()

    @property
    def group(self) -> int | None:
        """The command's process group; None when it has not started."""
        return int(self.first_line[0]) if self.first_line else None

    @property
    def started(self) -> float:
        """Seconds on the monotonic clock."""
        return int(self.first_line[1]) / 1e9

    def wait(self, limit: float, watch: Watch | None) -> Points | None:
        """What was seen until the launcher said what it measured, or ended; None when that takes too long."""
        deadline = time.monotonic() + limit
        pid, points = self.group, []
        if pid is None:
            return points
        while True:
            remaining = deadline - time.monotonic()
            interval = min(INTERVAL, remaining) if watch else remaining
            if select.select([self.result], [], [], max(0, interval))[0]:
                return points
            if remaining <= 0:
                return None
            if watch:
                arrived = watch.look(pid)
                points.append((time.monotonic(), arrived))

    def cost(self) -> list[bytes]:
        """What the launcher measured; waits for its end."""
        return self.result.read().split() if self.group is not None else []
