"""The planner alone, against simulated networks."""

import json
import shutil

from harness.columns import Column, figure, runs
from harness.contest import Contest, Entry
from harness.jobs import Job
from harness.options import REPOSITORY
from harness.peers import Contender, Target

SUMMARY = "the planner against 2,000 simulated networks, and how its cost grows (needs sheaf-simulate)"
ROUNDS = 1
TOOL = "sheaf-simulate"
#: Seconds. It is the planner that takes them, most of all with hundreds of connections.
PATIENCE = 1800


def obstacle(session) -> str | None:
    built = shutil.which(REPOSITORY / ".build/release" / TOOL)
    return None if built else f"{TOOL} is missing: swift build -c release --product {TOOL}"


def contests(session):
    yield contest(
        "2,000 networks", Survey(), ["--cases", "2000", "--json"],
        [
            figure("median ÷ ideal", "median", 4), figure("90 %", "p90", 2), figure("99 %", "p99", 2),
            figure("worst", "worst", 1), figure("counted", "counted"), figure("not counted", "excluded"),
            figure("above 1.35", "misses"), figure("rules broken", "complaints"),
        ],
    )  # fmt: skip
    yield contest(
        "from 1 MiB to 10 TiB, 1 to 256 connections", Growth(), ["--growth", "--json"],
        [
            figure("most µs for a decision", "most_microseconds", 1), figure("most requests", "most_requests"),
            figure("largest manifest, KiB", "largest_manifest", 0, 1 / 1024),
        ],
    )  # fmt: skip


def contest(title: str, job: Job, arguments: list[str], columns: list[Column]) -> Contest:
    contender = Contender("planner", TOOL, lambda _: arguments, fetches=False)
    return Contest(
        title=title, job=job, entries=[Entry(contender)], baselines=[], columns=[Column("runs", runs), *columns]
    )


class Simulated(Job):
    """A run whose output is one JSON value."""

    target = Target("", "")

    def measure(self, command, stopwatch, patience):
        sample = stopwatch.run(command, patience or PATIENCE)
        try:
            self.said = json.loads(stopwatch.log.read_text())
        except ValueError:
            self.said = None
        # Broken rules are counted; they are no reason not to.
        return sample.but(problem=None) if self.said is not None and sample.status == 1 else sample

    def figures(self):
        return {} if self.said is None else {**self.summary(self.said), "said": self.said}

    def summary(self, said) -> dict[str, float]:
        raise NotImplementedError


class Survey(Simulated):
    def summary(self, said):
        ratio = said["distributions"]["ratio"]
        return {
            **{name: ratio[name] for name in ("median", "p90", "p99", "worst")},
            "counted": said["counted"], "excluded": sum(said["excluded"].values()),
            "misses": len(said["misses"]), "complaints": len(said["complaints"]),
        }  # fmt: skip


class Growth(Simulated):
    def summary(self, said):
        return {
            "most_microseconds": max(row["cpu_microseconds_per_decision"] for row in said),
            "most_requests": max(row["requests"] for row in said),
            "largest_manifest": max(row["manifest_bytes"] for row in said),
        }
