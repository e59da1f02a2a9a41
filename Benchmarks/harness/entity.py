"""The file that is fetched: seeded pseudo-random bytes, different in every block."""

import hashlib
import random
from pathlib import Path

from . import sizes

SEED = 20260101


class Content:
    """What a copy must hold: so many bytes with this SHA-256."""

    def __init__(self, size: int, sha256: str):
        self.size, self.sha256 = size, sha256

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


class Entity(Content):
    """A file of `size` bytes in `directory`. The same seed gives the same bytes."""

    def __init__(self, directory: Path, size: int, name: str = "entity.bin", seed: int = SEED):
        self.directory, self.name = directory, name
        source, digest = random.Random(seed), hashlib.sha256()
        with open(self.path, "wb", buffering=0) as file:
            for start in range(0, size, sizes.MIB):
                block = source.randbytes(min(sizes.MIB, size - start))
                digest.update(block)
                file.write(block)
        super().__init__(size, digest.hexdigest())

    @property
    def path(self) -> Path:
        return self.directory / self.name

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)


def sha256(path: Path) -> str:
    digest, buffer = hashlib.sha256(), memoryview(bytearray(sizes.MIB))
    with open(path, "rb", buffering=0) as file:
        while count := file.readinto(buffer):
            digest.update(buffer[:count])
    return digest.hexdigest()
