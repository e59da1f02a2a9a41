"""Writes the newest saved results into `docs/benchmarks.md`, so that no number is ever copied by hand.

Between `<!-- results: SCENARIO WORDS -->` and `<!-- end -->` go the charts and the tables of the newest saved result of
that scenario, or those of its contests whose titles have the words. Between `<!-- losses -->` and `<!-- end -->` goes
every contest in which someone was ahead. What has no saved result stays as it is.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from . import columns, drawing, report, results, sizes
from .options import REPOSITORY
from .results import Measured

PAGE = REPOSITORY / "docs/benchmarks.md"
MARKED = re.compile(r"(<!-- (results|losses):? ?([a-z-]*) ?(.*?) ?-->\n)(.*?)(<!-- end -->)", re.DOTALL)
#: Columns that only the console shows.
HIDDEN = {"by round"}


def write(page: Path = PAGE, directory: Path = results.RESULTS, charts: Path = drawing.CHARTS) -> list[str]:
    """Renews the page and its charts; the names of the scenarios for which there was nothing."""
    missing: list[str] = []
    shown: list[Measured] = []

    def fill(match: re.Match) -> str:
        start, kind, scenario, words, old, end = match.groups()
        if kind == "losses":
            return match[0]
        measured = results.newest(scenario, words, directory)
        if not measured:
            missing.append(f"{scenario} {words}".strip())
            return match[0]
        shown.append(measured)
        paths = drawing.draw(measured, words, charts)
        return f"{start}\n{section(measured, [f'charts/{path.name}' for path in paths])}\n{end}"

    text = MARKED.sub(fill, page.read_text())
    if shown:
        listed = losses(shown)
        text = MARKED.sub(lambda match: f"{match[1]}\n{listed}\n{match[6]}" if match[2] == "losses" else match[0], text)
    page.write_text(text)
    return missing


def marked(page: Path = PAGE) -> list[tuple[str, str]]:
    """The scenarios, with words, that the page shows."""
    return [(match[3], match[4]) for match in MARKED.finditer(page.read_text()) if match[2] == "results"]


def section(measured: Measured, pictures: list[str]) -> str:
    """How and when it was measured, the pictures, and a table for each contest."""
    file, scenario = measured.file, measured.scenario
    machine = file["machine"]
    command = f"`bench.py {' '.join(file['arguments'])}`, " if file.get("arguments") else ""
    load = scenario["load_average"]
    parts = [
        f"{scenario['started'][:10]}, {command}up to {scenario['rounds']} rounds, commit {file['revision']}, "
        f"{machine['cpu']} with {machine['cores']} cores, {machine['kernel']}, load {load['before']:.1f} before. "
        f"Raw values: `Benchmarks/Results/{measured.path.name}`."
    ]
    parts += [f"![{scenario['name']}]({picture})" for picture in pictures]
    parts += scenario.get("notes", [])
    for contest in measured.contests:
        headings, rows = results.table(contest)
        kept = [number for number, heading in enumerate(headings) if heading not in HIDDEN]
        table = report.table([headings[number] for number in kept], [[row[number] for number in kept] for row in rows])
        parts.append(f"**{contest['title']}**\n\n{table}")
        remarks = [
            f"{contender['label']}, round {sample['round']}: {sample['problem']}"
            for contender in contest["contenders"] for sample in contender["samples"] if sample["problem"]
        ]  # fmt: skip
        remarks += [f"{each['label']}: not run, {each['reason']}" for each in contest["absent"]] + contest["notes"]
        if remarks:
            parts.append("\n".join(f"- {remark}" for remark in remarks))
    commands = dict.fromkeys(
        contender["command"] for contest in measured.contests for contender in contest["contenders"]
    )
    versions = [f"{name}: {version}" for name, version in file["tools"].items()]
    listed = "\n".join([*(f"- `{command}`" for command in commands), *(f"- {version}" for version in versions)])
    parts.append(f"<details><summary>Exact arguments and versions</summary>\n\n{listed}\n\n</details>")
    return "\n\n".join(parts) + "\n"


def losses(shown: list[Measured]) -> str:
    """A table of every contest in which a peer was faster; of CPU time and memory the worst in each scenario."""
    rows = []
    for measured in shown:
        every = [loss for contest in measured.contests for loss in lost(contest)]
        worst = {loss.what: loss for loss in sorted(every, key=lambda loss: loss.ratio)}
        listed = [loss for loss in every if loss.what == "wall s" or loss is worst[loss.what]]
        rows += [[measured.scenario["name"], *loss.cells] for loss in listed]
    if not rows:
        return "Nothing in the results above.\n"
    return report.table(["scenario", "contest", "what", "sheaf", "best peer", "its", "sheaf ÷ it"], rows) + "\n"


@dataclass(frozen=True)
class Loss:
    """One measure of one contest in which a peer was ahead."""

    title: str
    what: str
    own: str
    peer: str
    its: str
    ratio: float

    @property
    def cells(self) -> list[str]:
        return [self.title, self.what, self.own, self.peer, self.its, f"{self.ratio:.2f}"]


def lost(contest: dict) -> list[Loss]:
    """Where others were ahead of sheaf by more than two per cent, by medians; for each measure the best of them."""
    measures = [
        ("wall s", lambda sample: sample["wall_seconds"], 3, 1.0),
        ("CPU s", lambda sample: sample["user_seconds"] + sample["system_seconds"], 3, 1.0),
        ("peak MiB", lambda sample: sample["peak_rss_bytes"], 1, 1 / sizes.MIB),
    ]
    rows = []
    for group, contenders in results.groups(contest).items():
        mine = [each for each in contenders if results.tool(each) == "sheaf"]
        others = [each for each in contenders if results.rival(each)]
        for what, value, digits, scale in measures:
            own = min(filter(None, (middle(each, value) for each in mine)), default=None)
            best = min(((at, each["label"]) for each in others if (at := middle(each, value))), default=None)
            if own and best and best[0] < own / 1.02:
                title = f"{contest['title']}{f', {group}' if group else ''}"
                own_words, its_words = (columns.number(value, digits, scale) for value in (own, best[0]))
                rows.append(Loss(title, what, own_words, best[1], its_words, own / best[0]))
    return rows


def middle(contender: dict, value) -> float | None:
    values = sorted(value(sample) for sample in contender["samples"] if not sample["problem"])
    return (values[len(values) // 2] + values[(len(values) - 1) // 2]) / 2 if values else None
