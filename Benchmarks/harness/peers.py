"""The tools that are compared, and how each of them is told to fetch one file."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .options import REPOSITORY


@dataclass(frozen=True)
class Target:
    """One file to fetch: from where, to where, trusting which certificate."""

    url: str
    directory: str
    name: str = "entity.bin"
    certificate: str | None = None

    @property
    def path(self) -> str:
        return f"{self.directory}/{self.name}"


@dataclass(frozen=True)
class Tool:
    """A program found on this machine."""

    name: str
    path: str
    version: str


@dataclass(frozen=True)
class Contender:
    """A tool with one set of arguments."""

    label: str
    tool: str
    arguments: Callable[[Target], list[str]]
    #: What it syncs before it ends.
    sync: str = "nothing"
    #: How many connections it opens to one server, to foretell how long a capped server keeps it busy.
    connections: int = 1
    #: Other tools that the arguments call.
    calls: tuple[str, ...] = ()

    def template(self, target: Target) -> str:
        """The exact arguments with the parts that differ from run to run named."""
        general = Target("URL", "DIR", "NAME", "CERTIFICATE" if target.certificate else None)
        return shlex.join([self.tool, *self.arguments(general)])


def sheaf(label: str = "sheaf", *flags: str, sync: str = "full, the default: file and directory") -> Contender:
    def arguments(target: Target) -> list[str]:
        trust = [f"--ca-certificate={target.certificate}"] if target.certificate else []
        return [*flags, *trust, "-d", target.directory, "-o", target.name, target.url]

    return Contender(label, "sheaf", arguments, sync, connections=16)


def curl() -> Contender:
    return Contender("curl", "curl", curl_arguments)


def curl_and_sync() -> Contender:
    def arguments(target: Target) -> list[str]:
        fetch = shlex.join(["curl", *curl_arguments(target)])
        return ["-c", f"{fetch} && sync {shlex.quote(target.path)}"]

    return Contender("curl && sync", "sh", arguments, "the file, not its directory", calls=("curl",))


def curl_arguments(target: Target) -> list[str]:
    trust = ["--cacert", target.certificate] if target.certificate else []
    return ["-sS", *trust, "-o", target.path, target.url]


def aria2_tuned() -> Contender:
    return aria2("aria2c -x16", "-x16", "-s16", "-k1M", "--file-allocation=none", connections=16)


def aria2_defaults() -> Contender:
    return aria2("aria2c defaults", connections=1)


def aria2(label: str, *flags: str, connections: int) -> Contender:
    def arguments(target: Target) -> list[str]:
        trust = [f"--ca-certificate={target.certificate}"] if target.certificate else []
        return ["-q", *flags, *trust, "-d", target.directory, "-o", target.name, target.url]

    return Contender(label, "aria2c", arguments, connections=connections)


def axel() -> Contender:
    def arguments(target: Target) -> list[str]:
        # It has no way to be given an authority, so it is the only one that checks no certificate.
        trust = ["-k"] if target.certificate else []
        return ["-q", "-n16", *trust, "-o", target.path, target.url]

    return Contender("axel -n16", "axel", arguments, connections=16)


class Toolbox:
    """Finds tools, each once, and remembers which are absent and why."""

    PACKAGES = {"aria2c": "aria2"}

    def __init__(self, sheaf: Path | None, skipped: list[str]):
        self.sheaf, self.skipped = sheaf, skipped
        self.found: dict[str, Tool | None] = {}

    def find(self, name: str) -> Tool | None:
        if name not in self.found:
            self.found[name] = self.look(name)
        return self.found[name]

    def absence(self, contender: Contender) -> str | None:
        """Why a contender cannot run; None when it can."""
        if contender.tool in self.skipped or contender.label in self.skipped:
            return "left out by --skip"
        missing = [tool for tool in (contender.tool, *contender.calls) if not self.find(tool)]
        if not missing:
            return None
        if missing[0] == "sheaf":
            return f"{self.sheaf} does not run" if self.sheaf else "not built: swift build -c release --product sheaf"
        return f"not installed: apt-get install {self.PACKAGES.get(missing[0], missing[0])}"

    def look(self, name: str) -> Tool | None:
        path = self.place(name)
        if path is None:
            return None
        try:
            answer = subprocess.run(
                [path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                timeout=20, env=environment(None),
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return None
        said = answer.stdout.splitlines() or [""]
        # dash has no --version; any other tool that cannot say it cannot be measured either.
        if answer.returncode != 0 and name != "sh":
            return None
        return Tool(name, path, said[0].strip() or "says none")

    def place(self, name: str) -> str | None:
        if name != "sheaf":
            return shutil.which(name)
        if self.sheaf:
            return shutil.which(self.sheaf.resolve())
        built = REPOSITORY / ".build/release/sheaf"
        return shutil.which(built) or shutil.which("sheaf")


def environment(home: Path | None) -> dict[str, str]:
    """The caller's environment without what changes a tool's behaviour: proxies and configuration files."""
    home_text = str(home) if home else "/nonexistent"
    kept = {
        name: value for name, value in os.environ.items()
        if not name.lower().endswith("_proxy") and name not in ("CURL_HOME", "AXELRC", "SSL_CERT_FILE", "SSL_CERT_DIR")
        and not name.startswith("XDG_")
    }  # fmt: skip
    return {**kept, "HOME": home_text, "LC_ALL": "C"}
