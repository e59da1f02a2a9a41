"""The file that is fetched: seeded pseudo-random bytes, different in every block."""

import hashlib
import random
from pathlib import Path

from . import sizes


class Entity:
    """A file of `size` bytes in `directory`, and its SHA-256. The same seed gives the same bytes."""

    def __init__(self, directory: Path, size: int, seed: int = 20260101):
        self.directory, self.size, self.name = directory, size, "entity.bin"
        source, digest = random.Random(seed), hashlib.sha256()
        with open(directory / self.name, "wb", buffering=0) as file:
            for start in range(0, size, sizes.MIB):
                block = source.randbytes(min(sizes.MIB, size - start))
                digest.update(block)
                file.write(block)
        self.sha256 = digest.hexdigest()

    def problem(self, path: Path) -> str | None:
        """What is wrong with the copy at `path`; None when it holds the same bytes."""
        try:
            length = path.stat().st_size
        except FileNotFoundError:
            return "no output file"
        if length != self.size:
            return f"{length} bytes instead of {self.size}"
        if sha256(path) != self.sha256:
            return "wrong SHA-256"
        return None

    def remove(self) -> None:
        (self.directory / self.name).unlink(missing_ok=True)


def sha256(path: Path) -> str:
    digest, buffer = hashlib.sha256(), memoryview(bytearray(sizes.MIB))
    with open(path, "rb", buffering=0) as file:
        while count := file.readinto(buffer):
            digest.update(buffer[:count])
    return digest.hexdigest()
