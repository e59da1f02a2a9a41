"""The lab: two network namespaces with a wire between them, over which the kernel's own TCP runs.

The wire, `lab/wire.c`, is a process of ours, so a delay, a rate, a queue and a loss need no kernel module. Nothing of
this machine's own network is touched: all settings are made inside the two namespaces and go with them.
"""

import contextlib
import itertools
import mmap
import os
import re
import shutil
import struct
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from .arrival import LAST, Points, time_after
from .entity import Entity
from .jobs import FetchCounted
from .measure import Sample, Stopwatch
from .options import BENCHMARKS
from .servers import Nginx, ServerFailed

DEVICE = "wire0"
MTU = 1500
#: What TCP can put into a packet: IPv4 takes 20 bytes, TCP 20, its timestamps 12.
SEGMENT = MTU - 52
SMALLEST_QUEUE = 256_000
NAMESPACES = Path("/var/run/netns")


@dataclass(frozen=True)
class Cell:
    """One kind of line."""

    round_trip: int
    """Milliseconds."""
    rate: int
    """Mbit/s."""
    loss: float
    """Per cent of the packets, in each direction."""
    congestion: str = "cubic"

    @classmethod
    def parse(cls, text: str, congestion: str) -> "Cell":
        """From ms/Mbit/s/loss, with the server's congestion control behind it where it is not `congestion`."""
        round_trip, _, rest = text.replace("ms", "").partition("/")
        rate, _, rest = rest.partition("/")
        loss, _, named = rest.partition("/")
        try:
            cell = cls(int(round_trip), int(rate), float(loss), named or congestion)
        except ValueError:
            cell = None
        if not cell or cell.round_trip < 0 or cell.rate < 1 or not 0 <= cell.loss <= 100 or "/" in named:
            form = "80/400/0.02 or 80/400/0.02/bbr: ms, Mbit/s, per cent of loss"
            raise ServerFailed(f"not a cell: {text} (write {form})")
        return cell

    def __str__(self) -> str:
        return f"{self.round_trip} ms, {self.rate} Mbit/s, {self.loss:g} % loss, {self.congestion.upper()}"

    @property
    def queue(self) -> int:
        """One product of bandwidth and delay, in bytes."""
        return max(SMALLEST_QUEUE, self.rate * 1_000_000 // 8 * self.round_trip // 1000)

    def ideal(self, size: int) -> float:
        """Seconds that the payload alone needs: all of the file's packets with their headers, back to back."""
        return size * MTU / SEGMENT * 8 / (self.rate * 1e6)


class Namespace:
    """A network namespace of our own, where servers and clients can be run."""

    counter = itertools.count()

    def __init__(self, role: str, address: str):
        # The process id says whose it is, for whoever finds one that a killed benchmark has left.
        self.name = f"sheaf-bench-{os.getpid()}-{next(self.counter)}-{role}"
        self.address = address

    @property
    def enter(self) -> tuple[str, ...]:
        return ("ip", "netns", "exec", self.name)

    def make(self, peer: "Namespace", congestion: str) -> None:
        ip("netns", "add", self.name)
        ip("-n", self.name, "link", "set", "lo", "up")
        # What TCP learnt from one run must not help the next. TUN devices know nothing of IPv6 here.
        run([*self.enter, "sh", "-c", "echo 1 >/proc/sys/net/ipv4/tcp_no_metrics_save"])
        ip("-n", self.name, "tuntap", "add", "dev", DEVICE, "mode", "tun")
        ip("-n", self.name, "addr", "add", self.address, "peer", peer.address, "dev", DEVICE)
        # The device's own queue holds what a kernel sends at once; the one that counts is the wire's.
        ip("-n", self.name, "link", "set", DEVICE, "up", "mtu", str(MTU), "txqueuelen", "10000")
        ip("-n", self.name, "route", "replace", peer.address, "dev", DEVICE, "congctl", congestion)

    def remove(self) -> None:
        if (NAMESPACES / self.name).exists():
            ip("netns", "del", self.name)


@dataclass(frozen=True)
class Counts:
    """What one direction of the wire has carried."""

    delivered: int
    dropped: int
    lost: int
    bytes: int
    payload: int
    """Bytes of TCP's payload among those."""

    LAYOUT = struct.Struct("=5Q")


class Wire:
    """The process that carries packets between two namespaces. It is also the watch on what arrives over it."""

    def __init__(self, command: list[str], counts: Path):
        # It ends with its standard input, so even a benchmark that is killed leaves none behind.
        self.process = subprocess.Popen(
            [*command, str(counts)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, start_new_session=True,
        )  # fmt: skip
        self.map: mmap.mmap | None = None
        if (said := self.process.stdout.readline().strip()) != "ready":
            self.stop()
            raise ServerFailed(f"the wire did not start: {said or 'it said nothing'}")
        with open(counts, "rb") as file:
            self.map = mmap.mmap(file.fileno(), 2 * Counts.LAYOUT.size, prot=mmap.PROT_READ)

    def forth(self) -> Counts:
        """From the server to the client."""
        return Counts(*Counts.LAYOUT.unpack_from(self.map, 0))

    def back(self) -> Counts:
        return Counts(*Counts.LAYOUT.unpack_from(self.map, Counts.LAYOUT.size))

    def look(self, pid: int) -> int:
        return self.forth().payload

    def tail(self, points: Points, size: int, ended: float) -> float | None:
        # Counted back from the end, because some bytes come more than once.
        total = self.forth().payload
        return time_after(points, total - size * LAST, total, ended)

    def settle(self, quiet: float, patience: float = 10) -> None:
        """Waits until nothing has moved for that long: what a run that was stopped still has on the line."""
        deadline, before, since = time.monotonic() + patience, None, time.monotonic()
        while time.monotonic() - since < quiet and time.monotonic() < deadline:
            now = (self.forth(), self.back())
            if now != before:
                before, since = now, time.monotonic()
            time.sleep(0.01)

    def stop(self) -> None:
        try:
            self.process.communicate("", timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()


class Lab:
    """One cell, built. Used with `with`, which takes it down again."""

    def __init__(self, cell: Cell, wire: Path, seed: int = 1):
        self.cell, self.executable, self.seed = cell, wire, seed
        self.server, self.client = Namespace("server", "10.77.0.1"), Namespace("client", "10.77.0.2")
        self.wire: Wire | None = None

    def __enter__(self) -> "Lab":
        try:
            self.server.make(self.client, self.cell.congestion)
            self.client.make(self.server, "cubic")
            cell = self.cell
            numbers = [cell.round_trip * 500, cell.rate * 1_000_000, cell.queue, round(cell.loss * 10_000), self.seed]
            devices = [self.server.name, DEVICE, self.client.name, DEVICE]
            counts = self.executable.with_name(f"{self.server.name}.counts")
            self.wire = Wire([str(self.executable), *devices, *map(str, numbers)], counts)
            return self
        except BaseException:
            self.remove()
            raise

    def __exit__(self, *_) -> None:
        self.remove()

    def remove(self) -> None:
        """Takes everything down, each part whatever has become of the others."""
        with contextlib.ExitStack() as each:
            each.callback(self.client.remove)
            each.callback(self.server.remove)
            if self.wire:
                each.callback(self.wire.stop)

    def carried(self) -> str:
        """A sentence about what the wire has carried so far."""
        forth = self.wire.forth()
        share = 100 / max(1, forth.delivered + forth.dropped + forth.lost)
        return (
            f"from the server to the client, over all runs: {forth.delivered} packets, "
            f"{forth.lost * share:.3f} % lost, {forth.dropped * share:.3f} % dropped by the full queue of {self.cell.queue / 1000:.0f} kB"
        )

    def description(self, nginx: Nginx) -> dict:
        cell = self.cell
        return {
            **nginx.description(),
            "round_trip_ms": cell.round_trip,
            "rate_mbit": cell.rate,
            "loss_percent": cell.loss,
            "queue_bytes": cell.queue,
            "congestion_control": cell.congestion,
            "seed": self.seed,
        }


class FetchOverWire(FetchCounted):
    """Fetching one file inside the client's namespace from a server in the other."""

    def __init__(self, entity: Entity, nginx: Nginx, lab: Lab, directory: Path):
        super().__init__(entity, nginx, entity.name, directory)
        self.lab = lab
        self.before = 0

    def prepare(self) -> None:
        super().prepare()
        self.before = self.lab.wire.forth().payload

    def measure(self, command: list[str], stopwatch: Stopwatch, patience: float | None) -> Sample:
        # The launcher enters, so that what it waits for and accounts is the tool alone.
        return stopwatch.run(
            command, patience=patience, within=self.lab.client.enter, watch=self.lab.wire, size=self.size
        )

    def figures(self) -> dict[str, float]:
        # The server hears a round trip late that nobody reads any more, and what is on the line must not meet the next.
        self.lab.wire.settle(0.2 + 2 * self.lab.cell.round_trip / 1000)
        return {**super().figures(), "over the wire": self.lab.wire.forth().payload - self.before}


def obstacle() -> str | None:
    """Why there can be no lab here; None when there can."""
    if sys.platform != "linux":
        return "network namespaces are Linux's"
    if os.geteuid() != 0:
        return "network namespaces need root"
    if not Path("/dev/net/tun").exists():
        return "there is no /dev/net/tun"
    for tool, package in (("ip", "iproute2"), ("cc", "gcc libc6-dev")):
        if not shutil.which(tool):
            return f"{tool} is missing: apt-get install {package}"
    return None


def build_wire(directory: Path) -> Path:
    wire = directory / "wire"
    run(["cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-o", str(wire), str(BENCHMARKS / "lab/wire.c")])
    return wire


def knows_congestion_control(name: str) -> bool:
    """Whether the kernel has it, loading it if it is a module: tried on a route in a namespace made for that."""
    namespace = Namespace("probe", "10.77.0.1")
    try:
        namespace.make(Namespace("none", "10.77.0.2"), name)
        return True
    except ServerFailed:
        return False
    finally:
        namespace.remove()


def remove_abandoned() -> None:
    """Removes what a benchmark that was killed by SIGKILL has left: servers in its namespaces, and those."""
    for each in sorted(NAMESPACES.glob("sheaf-bench-*")):
        owner = re.match(r"sheaf-bench-(\d+)-", each.name)
        if not owner or Path(f"/proc/{owner[1]}").exists():
            continue
        for pid in ip("netns", "pids", each.name).split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), 9)
        ip("netns", "del", each.name)


def ip(*words: str) -> str:
    return run(["ip", *words])


def run(command: list[str]) -> str:
    answer = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if answer.returncode != 0:
        raise ServerFailed(f"{' '.join(command)}: {answer.stderr.strip() or answer.stdout.strip()}")
    return answer.stdout
