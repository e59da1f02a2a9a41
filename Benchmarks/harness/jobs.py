"""What contenders are asked to do: each job prepares, is measured, is checked and is cleared away, run after run."""

import shutil
import subprocess
from pathlib import Path

from . import machine
from .arrival import OutputWatch
from .entity import Content, Entity
from .measure import Sample, Stopwatch
from .origin import Origin
from .peers import BatchTarget, Target
from .servers import Nginx, tally


class Job:
    """A job that needs nothing and leaves nothing."""

    target: Target | BatchTarget = Target("", "")
    #: Bytes that the job brings; None when it brings none.
    size: int | None = None

    def prepare(self) -> None: ...

    def measure(self, command: list[str], stopwatch: Stopwatch, patience: float | None) -> Sample:
        return stopwatch.run(command, patience=patience)

    def problem(self) -> str | None:
        return None

    def figures(self) -> dict[str, float]:
        """What else is to be known about the run that has just ended, by name."""
        return {}

    def clear(self) -> None: ...


class Start(Job):
    """Starting, saying a version and ending."""


class Output(Job):
    """A job that writes into a directory of its own, which is made before and removed after each run."""

    def __init__(self, directory: Path):
        self.directory = directory / "run"
        self.on_disk = machine.filesystem(directory) != "tmpfs"

    def prepare(self) -> None:
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir()

    def clear(self) -> None:
        shutil.rmtree(self.directory, ignore_errors=True)
        if self.on_disk:
            # What one run left in the journal and the write-back queue must not slow down the next.
            subprocess.run(["sync", "-f", str(self.directory.parent)], check=False)


class Fetch(Output):
    """Fetching one file."""

    def __init__(
        self, content: Content, url: str, directory: Path, certificate: Path | None = None, source: Path | None = None
    ):
        super().__init__(directory)
        self.content, self.size = content, content.size
        self.target = Target(
            url, str(self.directory), "fetched.bin", str(certificate) if certificate else None,
            str(source) if source else None,
        )  # fmt: skip

    def measure(self, command: list[str], stopwatch: Stopwatch, patience: float | None) -> Sample:
        return stopwatch.run(command, patience=patience, watch=OutputWatch(self.directory), size=self.size)

    def problem(self) -> str | None:
        return self.content.problem(Path(self.target.path))


class FetchCounted(Fetch):
    """Fetching one file from an nginx that keeps a log, with the answers counted."""

    def __init__(
        self, content: Content, nginx: Nginx, name: str, directory: Path, scheme: str = "http",
        source: Path | None = None,
    ):  # fmt: skip
        certificate = nginx.certificate.path if nginx.certificate and scheme == "https" else None
        super().__init__(content, nginx.url(scheme, name), directory, certificate, source)
        self.nginx = nginx

    def prepare(self) -> None:
        super().prepare()
        self.nginx.forget_answers()

    def figures(self) -> dict[str, float]:
        return tally(self.nginx.answers(), self.size)


class FetchAfterKill(FetchCounted):
    """Continuing a download that was ended by SIGKILL when half of the file had been written."""

    def measure(self, command: list[str], stopwatch: Stopwatch, patience: float | None) -> Sample:
        first = stopwatch.kill_after_writing(command, self.size // 2, patience)
        return first if first.problem else stopwatch.run(command, patience=patience)


class FetchFromOrigin(Fetch):
    """Fetching the file of the project's own origin, a new one for each run: its behaviours count connections."""

    def __init__(self, content: Content, origin: Origin, directory: Path):
        super().__init__(content, "", directory)
        self.origin = origin

    def prepare(self) -> None:
        super().prepare()
        self.target = Target(self.origin.start(), str(self.directory), "fetched.bin")

    def clear(self) -> None:
        self.origin.stop()
        super().clear()


class FetchMany(Output):
    """Fetching many files from one server in one call."""

    def __init__(self, entities: list[Entity], nginx: Nginx, directory: Path):
        super().__init__(directory)
        self.entities, self.size = entities, sum(each.size for each in entities)
        urls = tuple(nginx.url("http", each.name) for each in entities)
        url_list, curl_list = directory / "urls.txt", directory / "curl.conf"
        self.target = BatchTarget(urls, str(self.directory), str(url_list), str(curl_list))
        url_list.write_text("".join(f"{url}\n" for url in urls))
        curl_list.write_text(
            "".join(f'url = "{url}"\noutput = "{self.directory / each.name}"\n' for url, each in zip(urls, entities))
        )

    def problem(self) -> str | None:
        problems = [(each.name, each.problem(self.directory / each.name)) for each in self.entities]
        wrong = [f"{name}: {problem}" for name, problem in problems if problem]
        return f"{len(wrong)} of {len(problems)} files, first {wrong[0]}" if wrong else None
