"""Keeps the raw values with a description of the machine, as JSON."""

import datetime
import json
import sys
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from . import machine, report
from .contest import Contest, Entry
from .options import BENCHMARKS, REPOSITORY
from .session import Result, Session


class Record:
    """What one call of the benchmark measured, ready to be written."""

    FORMAT = 2

    def __init__(self):
        self.date = datetime.datetime.now(datetime.timezone.utc)
        self.results: list[Result] = []
        self.session: dict = {}

    def add(self, result: Result) -> None:
        self.results.append(result)

    @property
    def problems(self) -> bool:
        contests = [contest for result in self.results for contest in result.contests]
        entries = [entry for contest in contests for entry in contest.entries if not entry.may_fail]
        return any(sample.problem for entry in entries for sample in entry.samples)

    def describe(self, session: Session) -> None:
        """Takes what must be asked before the session ends."""
        tools = {tool.name: tool.version for tool in session.toolbox.found.values() if tool}
        self.session = {"machine": machine.describe(), "tools": tools, "peak_floor_bytes": session.stopwatch.peak_floor}

    def write(self, options: Namespace) -> None:
        paths = [options.json] if options.json else []
        if options.save:
            stamp = self.date.strftime("%Y-%m-%d-%H%M%S")
            paths.append(BENCHMARKS / "Results" / f"{stamp}-{'+'.join(options.scenarios)}.json")
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(self.content(), indent=1, ensure_ascii=False) + "\n")
            print(f"bench: wrote {path}", file=sys.stderr)

    def content(self) -> dict:
        return {
            "format": self.FORMAT,
            "date": self.date.isoformat(timespec="seconds"),
            "revision": machine.revision(REPOSITORY),
            "arguments": sys.argv[1:],
            **self.session,
            "scenarios": [scenario(result, self.session["tools"]) for result in self.results],
        }


def scenario(result: Result, versions: dict[str, str]) -> dict:
    return {
        "name": result.scenario,
        "started": result.started,
        "rounds": result.rounds,
        "load_average": {"before": result.load_before, "after": result.load_after},
        "axis": result.axis,
        "notes": result.notes,
        "contests": [contest_content(contest, versions) for contest in result.contests],
    }


def contest_content(contest: Contest, versions: dict[str, str]) -> dict:
    headings, rows = report.cells(contest)
    return {
        "title": contest.title,
        "bytes": contest.job.size,
        "baselines": contest.baselines,
        "at": contest.at,
        "server": contest.server,
        "contenders": [entry_content(contest, entry, versions) for entry in contest.entries],
        "table": {"headings": headings, "rows": rows},
        "absent": [{"label": label, "reason": reason} for label, reason in contest.absent],
        "notes": contest.notes,
    }


def entry_content(contest: Contest, entry: Entry, versions: dict[str, str]) -> dict:
    return {
        "label": entry.contender.label,
        "tool": entry.contender.tool,
        "versions": {tool: versions.get(tool) for tool in (entry.contender.tool, *entry.contender.calls)},
        "command": entry.contender.template(contest.job.target),
        "synced": entry.contender.sync,
        "apart": entry.apart,
        "samples": [sample_content(sample) for sample in entry.samples],
    }


def sample_content(sample) -> dict:
    names = {"wall": "wall_seconds", "user": "user_seconds", "system": "system_seconds", "peak_rss": "peak_rss_bytes"}
    return {names.get(name, name): value for name, value in asdict(sample).items()}
