"""What earlier calls have saved in `Results/`, found again."""

import json
import statistics
from dataclasses import dataclass
from pathlib import Path

from . import columns, report
from .contest import Contest, Entry
from .jobs import Job
from .measure import Sample
from .options import BENCHMARKS
from .peers import Contender

RESULTS = BENCHMARKS / "Results"


@dataclass(frozen=True)
class Measured:
    """The contests of one scenario that one call measured, with what is to be known about that call."""

    path: Path
    file: dict
    scenario: dict
    contests: list[dict]


def newest(scenario: str, words: str = "", directory: Path = RESULTS) -> Measured | None:
    """The newest saved result of a scenario, with those of its contests whose title has the words."""
    found = []
    for path in directory.glob("*.json"):
        file = json.loads(path.read_text())
        for each in file["scenarios"]:
            contests = [contest for contest in each["contests"] if words in contest["title"]]
            if each["name"] == scenario and contests:
                found.append((each["started"], path.name, Measured(path, file, each, contests)))
    return max(found, default=(None, None, None), key=lambda item: item[:2])[2]


def names(directory: Path = RESULTS) -> list[str]:
    """The scenarios that have been saved."""
    files = [json.loads(path.read_text()) for path in directory.glob("*.json")]
    return list(dict.fromkeys(each["name"] for file in files for each in file["scenarios"]))


def walls(contender: dict) -> list[float]:
    """The seconds of the runs that count."""
    return [sample["wall_seconds"] for sample in contender["samples"] if not sample["problem"]]


def median(contender: dict) -> float | None:
    values = walls(contender)
    return statistics.median(values) if values else None


def tool(contender: dict) -> str:
    # The first results did not name it.
    return contender.get("tool") or contender["command"].split()[0]


def own(contest: dict) -> dict | None:
    """The row that stands for sheaf: as a user types it."""
    return next((each for each in contest["contenders"] if tool(each) == "sheaf"), None)


def rival(contender: dict) -> bool:
    """Whether it does what sheaf does, from the same server."""
    return tool(contender) not in ("sheaf", "true", "sha256sum") and not contender.get("apart")


def best_peer(contest: dict) -> tuple[str, float] | None:
    """The label and the median of the fastest of the others that does the same work."""
    times = [(median(each), each["label"]) for each in contest["contenders"] if rival(each)]
    best = min(((time, label) for time, label in times if time), default=None)
    return (best[1], best[0]) if best else None


def groups(contest: dict) -> dict[str, list[dict]]:
    """Contenders by what the server did to them, where that is part of the label."""
    behaviours = dict.fromkeys(each["label"].rpartition(", ")[2] for each in contest["contenders"])
    apart = len(behaviours) > 1 and all(
        sum(each["label"].endswith(f", {behaviour}") for each in contest["contenders"]) > 1 for behaviour in behaviours
    )
    if not apart:
        return {"": contest["contenders"]}
    return {
        behaviour: [each for each in contest["contenders"] if each["label"].endswith(f", {behaviour}")]
        for behaviour in behaviours
    }


def table(contest: dict) -> tuple[list[str], list[list[str]]]:
    """The table as it was printed, or made again from the raw values where it was not kept."""
    if "table" in contest:
        return contest["table"]["headings"], contest["table"]["rows"]
    job = Job()
    job.size = contest["bytes"]
    entries = [
        Entry(Contender(each["label"], tool(each), lambda _: []), samples=[sample(kept) for kept in each["samples"]])
        for each in contest["contenders"]
    ]
    again = Contest(contest["title"], job, entries, contest["baselines"], [])
    again.columns = columns.fetching(*contest["baselines"], tail=False, again=False)
    return report.cells(again)


def sample(kept: dict) -> Sample:
    return Sample(
        wall=kept["wall_seconds"], user=kept["user_seconds"], system=kept["system_seconds"],
        peak_rss=kept["peak_rss_bytes"], status=kept["status"], problem=kept["problem"], round=kept["round"],
        figures=kept["figures"],
    )  # fmt: skip
