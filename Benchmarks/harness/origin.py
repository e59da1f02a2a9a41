"""The project's own origin, `sheaf-origin`, which misbehaves by name."""

import select
import shutil
import subprocess
from pathlib import Path

from .entity import Content
from .options import REPOSITORY
from .servers import ServerFailed


class Origin:
    """One configuration of `sheaf-origin`; started and stopped as often as wanted, or used with `with`."""

    #: What it calls its file.
    NAME = "file.bin"

    def __init__(self, executable: Path, size: int, *flags: str):
        self.command = [str(executable), "--size", str(size), *flags]
        self.size = size
        self.process: subprocess.Popen | None = None
        self.address = ""

    def __enter__(self) -> "Origin":
        self.start()
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def start(self) -> str:
        """The URL of its file. Nothing connects meanwhile, since the origin counts connections."""
        self.stop()
        # A session of its own, so that Ctrl-C reaches the benchmark alone, which then stops it in order.
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
        )  # fmt: skip
        said = self.line(10)
        if not said.startswith("listening on "):
            self.stop()
            raise ServerFailed(f"sheaf-origin did not start: {said or 'it said nothing'}")
        url = said.removeprefix("listening on ")
        self.address = url.removesuffix(f"/{self.NAME}")
        return url

    def content(self) -> Content:
        """What a right copy of its file holds."""
        self.command.append("--print-sha256")
        try:
            self.start()
            said = self.line(120)
        finally:
            self.command.pop()
            self.stop()
        if not said.startswith("sha-256 "):
            raise ServerFailed("sheaf-origin did not say its file's digest")
        return Content(self.size, said.removeprefix("sha-256 "))

    def line(self, seconds: float) -> str:
        # Each of its lines is one write, and no other is expected: what select sees is a whole line.
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        return self.process.stdout.readline().strip() if ready else ""

    def stop(self) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()

    def description(self) -> dict:
        return {"server": "sheaf-origin", "arguments": self.command[1:]}


def obstacle(given: Path | None) -> str | None:
    try:
        find_origin(given)
    except ServerFailed as reason:
        return str(reason)
    return None


def find_origin(given: Path | None) -> Path:
    found = shutil.which(given.resolve() if given else REPOSITORY / ".build/release/sheaf-origin")
    if not found:
        raise ServerFailed(f"{given or 'sheaf-origin'} is missing: swift build -c release --product sheaf-origin")
    return Path(found)
