"""When the bytes of a file arrived: sampled while a tool runs, for the time that the last 5 % took.

Two ways of looking, the same for every tool within one contest:

* `OutputWatch` looks at the disk: the blocks allocated in the output directory, but never more than the tool has
  passed to write(2) and its like. The first alone would believe a tool that reserves its space beforehand, the second
  alone one that writes bytes twice. It sees when bytes are written, so a tool that keeps them in memory first looks
  later than it was.
* `lab.Wire` counts what has come over the line, whatever the tool then does with it.
"""

import os
from pathlib import Path
from typing import Protocol

from . import machine

INTERVAL = 0.02
"""Seconds between two looks, which is also how exact the time can be."""
LAST = 0.05
"""The share of the file whose time is asked."""

#: Seconds on the monotonic clock, and the bytes that had arrived by then.
Points = list[tuple[float, int]]


class Watch(Protocol):
    def look(self, pid: int) -> int:
        """How many bytes have arrived by now."""

    def tail(self, points: Points, size: int, ended: float) -> float | None:
        """Seconds that the last 5 % of `size` bytes took until the run ended; None when it cannot be known."""


class OutputWatch:
    """Looks at the files in one directory and at what one process has written."""

    def __init__(self, directory: Path):
        self.directory = directory
        self.written: int | None = None

    def look(self, pid: int) -> int:
        on_disk = allocated(self.directory)
        written = bytes_written(pid)
        # Its entry in /proc is gone, or closed, as soon as it ends: then what was seen before still holds.
        if written is not None:
            self.written = written
        return on_disk if self.written is None else min(on_disk, self.written)

    def tail(self, points: Points, size: int, ended: float) -> float | None:
        written, self.written = self.written, None
        # Much more written than the file holds: it was filled with zeros beforehand, say. Much less: another process
        # wrote, or it was written through memory. Either way the points say nothing.
        if written is not None and not size * 0.5 <= written <= size * 1.5:
            return None
        return time_after(points, size * (1 - LAST), size, ended)


def time_after(points: Points, threshold: float, total: float, ended: float) -> float | None:
    """Seconds from the moment `threshold` bytes were there, between two looks by proportion, to the end.

    At the end all `total` bytes are there.
    """
    if not points:
        return None
    before = points[0]
    if before[1] >= threshold:
        return None
    for point in [*points[1:], (ended, total)]:
        if point[1] >= threshold:
            share = (threshold - before[1]) / (point[1] - before[1])
            # The last look may have been after the end.
            return max(0.0, ended - (before[0] + share * (point[0] - before[0])))
        before = point
    return None


def allocated(directory: Path) -> int:
    """Bytes of all blocks of the files in `directory`."""
    total = 0
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                # Files are renamed and removed meanwhile.
                try:
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                except FileNotFoundError:
                    continue
    except FileNotFoundError:
        return 0
    return total


def bytes_written(pid: int) -> int | None:
    """What a process has passed to write(2) and its like so far; None where the system does not say."""
    for line in machine.lines(f"/proc/{pid}/io"):
        if line.startswith("wchar:"):
            return int(line.split()[1])
    return None
