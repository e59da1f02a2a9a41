"""Directories that vanish when the benchmark ends, however it ends."""

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

from . import machine, sizes

MEMORY = Path("/dev/shm")
LOCK = "in-use"
SPARE = 256 * sizes.MIB


class NoRoom(Exception):
    """A directory cannot hold what a scenario needs."""


class Workspace:
    """Owns every temporary directory of one benchmark."""

    def __init__(self):
        self.owned: list[Path] = []
        parent = MEMORY if MEMORY.is_dir() else Path(tempfile.gettempdir())
        remove_abandoned(parent)
        self.memory = self.directory(parent)
        # Held until this process ends, however it ends: so the next one knows whether anybody still needs all this.
        self.lock = open(self.memory / LOCK, "w")
        fcntl.flock(self.lock, fcntl.LOCK_EX)

    def directory(self, parent: Path) -> Path:
        """A new directory in `parent`, which is made, and later removed again, when it is missing."""
        missing = [each for each in (parent, *parent.parents) if not each.exists()]
        parent.mkdir(parents=True, exist_ok=True)
        self.owned[:0] = reversed(missing)
        made = Path(tempfile.mkdtemp(prefix="sheaf-bench-", dir=parent))
        self.owned.append(made)
        return made

    def remove(self) -> None:
        for each in reversed(self.owned):
            if each.name.startswith("sheaf-bench-"):
                shutil.rmtree(each, ignore_errors=True)
            elif not any(each.iterdir()):
                each.rmdir()
        self.owned.clear()
        self.lock.close()


def remove_abandoned(parent: Path) -> None:
    """Removes what a benchmark that was killed by SIGKILL has left in memory."""
    for lock in parent.glob(f"sheaf-bench-*/{LOCK}"):
        try:
            with open(lock) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.parent, ignore_errors=True)
        except OSError:
            continue


def require_room(*needs: tuple[Path, int]) -> None:
    """Refuses a run that would fill a filesystem, or memory through a tmpfs, halfway."""
    by_device: dict[int, tuple[Path, int]] = {}
    for directory, size in needs:
        device = os.stat(directory).st_dev
        by_device[device] = (directory, by_device.get(device, (directory, 0))[1] + size)
    for directory, size in by_device.values():
        free = shutil.disk_usage(directory).free
        if machine.filesystem(directory) == "tmpfs":
            free = min(free, machine.available_memory() or free)
        if free < size + SPARE:
            raise NoRoom(f"{directory} has {sizes.words(free)} free and {sizes.words(size + SPARE)} are needed")
