"""Sizes as aria2 writes them (64K, 1M, 4G: powers of 1024), and back into words."""

import re

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
UNITS = {"": 1, "K": KIB, "M": MIB, "G": GIB, "T": 1 << 40}


def parse(text: str) -> int:
    match = re.fullmatch(r"(\d+)([KMGT]?)", text.strip().upper())
    if not match or int(match[1]) == 0:
        raise ValueError(f"not a size: {text} (write 64M, 1G, …)")
    return int(match[1]) * UNITS[match[2]]


def words(size: int) -> str:
    for unit, value in (("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
        if size >= value:
            return f"{size / value:g} {unit}" if size % value == 0 else f"{size / value:.1f} {unit}"
    return f"{size} B"
