"""Describes the machine, so that a saved figure can be judged later."""

import os
import platform
import subprocess
from pathlib import Path


def describe() -> dict:
    return {
        "cpu": cpu_model(),
        "cores": cores(),
        "memory_bytes": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "system": os_release(),
        "python": platform.python_version(),
    }


def cores() -> int:
    """Cores this process may run on, which containers and cpusets make fewer than those installed."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cpu_model() -> str:
    for line in lines("/proc/cpuinfo"):
        name, _, value = line.partition(":")
        if name.strip() in ("model name", "Model", "cpu model"):
            return value.strip()
    return platform.processor() or "unknown"


def os_release() -> str:
    for line in lines("/etc/os-release"):
        if line.startswith("PRETTY_NAME="):
            return line.partition("=")[2].strip('"')
    return platform.platform()


def available_memory() -> int | None:
    """Bytes that can still be used without swapping; None where the system does not say."""
    for line in lines("/proc/meminfo"):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def filesystem(directory: Path) -> str:
    """The type of the filesystem that holds `directory`, as mount(8) names it."""
    device = os.stat(directory).st_dev
    number = f"{os.major(device)}:{os.minor(device)}"
    # mountinfo: id parent major:minor root mount-point options … - type source super-options
    for line in lines("/proc/self/mountinfo"):
        fields, _, rest = line.partition(" - ")
        if fields.split()[2] == number:
            return rest.split()[0]
    return "unknown"


def revision(repository: Path) -> str | None:
    """The commit under test, with a mark when the tree differs from it."""
    git = ["git", "-C", str(repository), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        answer = subprocess.run(git, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip() or None


def lines(path: str | Path) -> list[str]:
    try:
        return Path(path).read_text(errors="replace").splitlines()
    except OSError:
        return []
