"""One measured run of one command."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from . import peers

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

    def run(self, command: list[str]) -> Sample:
        reading, writing = os.pipe()
        with os.fdopen(reading, "rb") as result, open(self.log, "wb") as log:
            try:
                # -I and -S keep the launcher small. In a session of its own it does not hear Ctrl-C and can
                # reap what the benchmark ends.
                launcher = subprocess.Popen(
                    [sys.executable, "-I", "-S", str(LAUNCHER), str(writing), *command],
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[writing], env=self.environment,
                    start_new_session=True,
                )  # fmt: skip
            finally:
                os.close(writing)
            try:
                launcher.wait(self.time_limit)
            except subprocess.TimeoutExpired:
                return Sample(problem=f"stopped after {self.time_limit:g} s")
            finally:
                if launcher.poll() is None:
                    end(result.readline())
                    launcher.wait()
            values = result.read().split()[1:]
        if not values:
            return Sample(problem=f"did not start: {self.last_words()}")
        wall, user, system, peak, status = values
        sample = Sample(int(wall) / 1e9, float(user), float(system), int(peak), int(status))
        return sample if sample.status == 0 else sample.but(problem=f"status {sample.status}: {self.last_words()}")

    def last_words(self) -> str:
        """The last line a failed command printed."""
        said = self.log.read_text(errors="replace").replace("\r", "\n").split("\n")
        return next((line.strip() for line in reversed(said) if line.strip()), "it said nothing")


def end(process_group: bytes) -> None:
    """Ends a run and all that it started; nothing to do when it has not started."""
    if process_group.strip():
        try:
            os.killpg(int(process_group), signal.SIGKILL)
        except ProcessLookupError:
            pass
