"""Real servers on loopback, each with a configuration of its own, each stopped by its process id."""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from . import machine

ADDRESS = "127.0.0.1"


class ServerFailed(Exception):
    """A server is missing or did not start."""


ANSWER = "$request_method $status $body_bytes_sent $sent_http_content_length $sent_http_content_range"
"""What nginx logs of an answer."""


@dataclass(frozen=True)
class Answer:
    """One answer of nginx: what was asked of it and what it sent."""

    status: int
    #: Bytes of the body that nginx has given to its kernel. Some of them may never have been read.
    sent: int
    #: Bytes of the body that the request was answered with; 0 when that is no part of the file.
    asked: int

    @classmethod
    def parse(cls, line: str) -> "Answer":
        """From a line of the log. A field that there is nothing to say in is a dash."""
        method, status, sent, length, content_range = (*line.split(" ", 4), "-")[:5]
        asked = 0
        if method == "GET" and status == "206" and (match := re.match(r"bytes (\d+)-(\d+)/", content_range)):
            asked = int(match[2]) - int(match[1]) + 1
        elif method == "GET" and status == "200" and length.isdigit():
            asked = int(length)
        return cls(int(status), int(sent), asked)

    @property
    def of_file(self) -> bool:
        return self.status in (200, 206)


def tally(answers: list[Answer], size: int) -> dict[str, float]:
    """What a download of `size` bytes made the server do, by name."""
    return {
        "requests": len(answers),
        "503s": sum(answer.status == 503 for answer in answers),
        "asked again": sum(answer.asked for answer in answers) - size,
        "sent again": sum(answer.sent for answer in answers if answer.of_file) - size,
    }


class Certificate:
    """A self-signed certificate for loopback; clients get it as their only authority."""

    def __init__(self, directory: Path):
        self.path, self.key = directory / "loopback.pem", directory / "loopback.key"
        if not (openssl := shutil.which("openssl")):
            raise ServerFailed("openssl is missing: apt-get install openssl")
        subprocess.run(
            [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", "/CN=localhost", "-addext", f"subjectAltName=IP:{ADDRESS},DNS:localhost",
             "-keyout", str(self.key), "-out", str(self.path)],
            check=True, capture_output=True,
        )  # fmt: skip


class Place(Protocol):
    """Where a server runs when it is not simply on this machine."""

    address: str

    @property
    def enter(self) -> tuple[str, ...]:
        """The command that runs another there."""


@dataclass(frozen=True)
class Restraint:
    """What a server does to its clients."""

    #: Caps each answer, in nginx's own words ("4m"); empty means no cap.
    rate: str = ""
    #: Requests of one client answered at a time; 503 to any more. 0 means no limit.
    requests: int = 0
    #: Keeps a log of the answers, in memory: a line for each.
    logs: bool = True


class Nginx:
    """nginx serving `content` over HTTP, and over HTTPS when it has a certificate. Used with `with`.

    The content is a directory, or the address of another server that nginx asks once for each request it gets.
    """

    def __init__(
        self, directory: Path, content: Path | str, certificate: Certificate | None, workers: int,
        restraint: Restraint = Restraint(), place: Place | None = None,
    ):  # fmt: skip
        self.directory, self.content, self.certificate = directory, content, certificate
        self.workers, self.restraint, self.place = workers, restraint, place
        self.address = place.address if place else ADDRESS
        self.ports: dict[str, int] = {}
        self.process: subprocess.Popen | None = None
        self.executable = find_nginx()

    def url(self, scheme: str, name: str) -> str:
        return f"{scheme}://{self.address}:{self.ports[scheme]}/{name}"

    def __enter__(self) -> "Nginx":
        # Between finding a free port and nginx binding it, another process may take it.
        for _ in range(5):
            self.ports = dict(zip(("http", "https") if self.certificate else ("http",), free_ports(2)))
            (self.directory / "nginx.conf").write_text(self.configuration())
            try:
                self.start()
                return self
            except BaseException as failure:
                self.stop()
                if not (isinstance(failure, ServerFailed) and "Address already in use" in str(failure)):
                    raise
        raise ServerFailed("nginx found no free port in five attempts")

    def __exit__(self, *_) -> None:
        self.stop()

    def start(self) -> None:
        log = self.directory / "error.log"
        log.unlink(missing_ok=True)
        # A session of its own, so that Ctrl-C reaches the benchmark alone, which then stops it in order.
        self.process = subprocess.Popen(
            [*(self.place.enter if self.place else ()), self.executable,
             "-p", str(self.directory), "-c", "nginx.conf", "-e", str(log)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        deadline = time.monotonic() + 10
        while not all(self.accepts(port) for port in self.ports.values()):
            if self.process.poll() is not None or time.monotonic() > deadline:
                said = log.read_text(errors="replace").strip() if log.exists() else ""
                raise ServerFailed(f"nginx did not start: {said or 'it said nothing'}")
            time.sleep(0.02)

    def accepts(self, port: int) -> bool:
        """Whether it has begun to listen, seen without a connection where that would have to enter its namespace."""
        return listens(self.process.pid, port) if self.place else accepts(port)

    def answers(self) -> list[Answer]:
        """The answers since the log was last emptied."""
        if not self.restraint.logs:
            return []
        # An answer is logged after its last byte is sent, or when nginx notices that nobody reads it any more: both may
        # be after its client has ended. Where a line is in between, whoever asks has waited for that to become quiet.
        log, before = self.directory / "access.log", -1
        while (length := log.stat().st_size) != before:
            before = length
            time.sleep(0.1)
        return [Answer.parse(line) for line in machine.lines(log)]

    def forget_answers(self) -> None:
        # nginx appends, so the next line goes to the new start.
        (self.directory / "access.log").write_bytes(b"")

    def stop(self) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            # The master and its workers, which are alone in the session that was made for them.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def configuration(self) -> str:
        # Without `user`, the workers of a root-owned master become nobody and cannot read the file.
        user = "user root root;" if os.geteuid() == 0 else ""
        listen, zone, limits = [f"listen {self.address}:{self.ports['http']};"], "", []
        if self.certificate:
            listen += [
                f"listen {self.address}:{self.ports['https']} ssl;",
                f"ssl_certificate {self.certificate.path};",
                f"ssl_certificate_key {self.certificate.key};",
                "ssl_protocols TLSv1.2 TLSv1.3;",
            ]
        if self.restraint.rate:
            limits += [f"limit_rate {self.restraint.rate};"]
        if self.restraint.requests:
            zone = "limit_conn_zone $binary_remote_addr zone=requests:1m;"
            limits += [f"limit_conn requests {self.restraint.requests};", "limit_conn_status 503;"]
        # Unbuffered: what it has not yet sent must not pile up, or the other server's pace is lost.
        source = f"root {self.content};"
        if isinstance(self.content, str):
            source = f"location / {{ proxy_pass {self.content}; proxy_buffering off; }}"
        log = "access.log answers" if self.restraint.logs else "off"
        inside = "\n        ".join([*listen, *limits, source])
        return f"""\
{user}
worker_processes {self.workers};
daemon off;
pid nginx.pid;
events {{ worker_connections 1024; }}
http {{
    log_format answers '{ANSWER}';
    access_log {log};
    {zone}
    sendfile on;
    tcp_nopush on;
    keepalive_timeout 65s;
    default_type application/octet-stream;
    client_body_temp_path temp-body;
    proxy_temp_path temp-proxy;
    fastcgi_temp_path temp-fastcgi;
    uwsgi_temp_path temp-uwsgi;
    scgi_temp_path temp-scgi;
    server {{
        {inside}
    }}
}}
"""

    def version(self) -> str:
        answer = subprocess.run([self.executable, "-v"], capture_output=True, text=True)
        return answer.stderr.strip().removeprefix("nginx version: ")

    def description(self) -> dict:
        return {
            "server": self.version(),
            "workers": self.workers,
            "limit_rate": self.restraint.rate or None,
            "limit_requests": self.restraint.requests or None,
            "configuration": self.configuration(),
        }


def find_nginx() -> str:
    # Debian keeps it in sbin, which is not on everyone's PATH.
    places = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
    if not (found := shutil.which("nginx", path=places)):
        raise ServerFailed("nginx is missing: apt-get install nginx-light")
    return found


def default_workers() -> int:
    """Half of the cores: the client under test needs the other half."""
    return max(1, machine.cores() // 2)


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server((ADDRESS, 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def listens(pid: int, port: int) -> bool:
    """Whether anyone in the network namespace of process `pid` listens on `port`."""
    # /proc/PID/net/tcp: slot local remote state …, the local address as HEX:PORT, state 0A for listening
    sockets = (line.split() for line in machine.lines(f"/proc/{pid}/net/tcp")[1:])
    return any(each[1].endswith(f":{port:04X}") and each[3] == "0A" for each in sockets)


def accepts(port: int) -> bool:
    try:
        socket.create_connection((ADDRESS, port), timeout=1).close()
        return True
    except OSError:
        return False
