"""Columns of the report: a heading, and how a contender's cell is filled."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass

from . import sizes
from .contest import Contest, Entry, wall

ABSENT = "–"


@dataclass(frozen=True)
class Column:
    heading: str
    cell: Callable[[Contest, Entry], str]
    #: The contender that the column compares with; without it there is nothing to show.
    baseline: str | None = None


def number(value: float | None, digits: int = 2, scale: float = 1) -> str:
    return ABSENT if value is None else f"{value * scale:.{digits}f}"


def runs(contest: Contest, entry: Entry) -> str:
    good, all_of_them = len(entry.good), len(entry.samples)
    return str(good) if good == all_of_them else f"{good} of {all_of_them}"


def times(unit: str, scale: float, digits: int) -> list[Column]:
    def spread(_, entry: Entry) -> str:
        walls = [wall(sample) for sample in entry.good]
        return f"{number(min(walls), digits, scale)}–{number(max(walls), digits, scale)}" if walls else ABSENT

    return [
        Column(f"median {unit}", lambda _, entry: number(entry.median(wall), digits, scale)),
        Column("min–max", spread),
        Column("max ÷ median", slowest),
    ]


def rate(contest: Contest, entry: Entry) -> str:
    median = entry.median(wall)
    return number(contest.job.size / sizes.MIB / median if median else None, 0)


def cpu_per_gib(contest: Contest, entry: Entry) -> str:
    median = entry.median(lambda sample: sample.cpu)
    return number(None if median is None else median * sizes.GIB / contest.job.size)


def cpu_milliseconds(contest: Contest, entry: Entry) -> str:
    return number(entry.median(lambda sample: sample.cpu), 1, 1000)


def peak(contest: Contest, entry: Entry) -> str:
    return number(max((sample.peak_rss for sample in entry.good), default=None), 1, 1 / sizes.MIB)


def ratios(*baselines: str) -> list[Column]:
    """Two columns for each baseline: ratio of the medians, and median of the ratios within each round."""

    def both(baseline: str) -> list[Column]:
        return [
            Column(f"÷ {baseline}", lambda contest, entry: number(contest.ratio_of_medians(entry, baseline)), baseline),
            Column("by round", lambda contest, entry: number(contest.median_of_ratios(entry, baseline)), baseline),
        ]

    return [column for baseline in baselines for column in both(baseline)]


def slowest(contest: Contest, entry: Entry) -> str:
    """The slowest run beside the median: how much luck it takes."""
    median = entry.median(wall)
    return number(max(map(wall, entry.good)) / median if median else None)


def figure(heading: str, name: str, digits: int = 0, scale: float = 1, failed: bool = True) -> Column:
    """The median of what the job counted under that name; in runs that failed too, unless it means nothing there."""

    def cell(contest: Contest, entry: Entry) -> str:
        samples = entry.samples if failed else entry.good
        values = [sample.figures[name] for sample in samples if name in sample.figures]
        return number(statistics.median(values) if values else None, digits, scale)

    return Column(heading, cell)


def beside_peers(contest: Contest, entry: Entry) -> str:
    """The ratio to the fastest of the others, by medians."""
    own, best = entry.median(wall), contest.best_peer(entry)
    return number(own / best if own and best else None)


def verdict(contest: Contest, entry: Entry) -> str:
    """Whether the files were right in the end."""
    good, problems = len(entry.good), [sample.problem for sample in entry.samples if sample.problem]
    if not problems:
        return "right" if good else ABSENT
    wrong = sum("SHA-256" in problem or "instead of" in problem for problem in problems)
    words = [(good, "right"), (wrong, "wrong"), (len(problems) - wrong, "failed")]
    return ", ".join(f"{count} {word}" for count, word in words if count)


LAST = figure("last 5 %, s", "last", digits=3, failed=False)
ASKED_AGAIN = figure("MiB asked again", "asked again", digits=1, scale=1 / sizes.MIB, failed=False)
SENT_AGAIN = figure("MiB sent again", "sent again", digits=1, scale=1 / sizes.MIB, failed=False)


def fetching(
    *baselines: str, extra: list[Column] | None = None, tail: bool = True, again: bool = True
) -> list[Column]:
    """The columns of a table about fetching: `tail` and `again` where it can be known how the bytes came."""
    return [
        Column("runs", runs),
        *times("s", 1, 3),
        Column("MiB/s", rate),
        *(extra or []),
        Column("CPU s/GiB", cpu_per_gib),
        Column("peak MiB", peak),
        *([LAST] if tail else []),
        *([ASKED_AGAIN, SENT_AGAIN] if again else []),
        *ratios(*baselines),
    ]


def starting(*baselines: str) -> list[Column]:
    """The columns of a table about starting a program."""
    return [
        Column("runs", runs),
        *times("ms", 1000, 1),
        Column("CPU ms", cpu_milliseconds),
        Column("peak MiB", peak),
        *ratios(*baselines),
    ]
