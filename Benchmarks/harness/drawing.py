"""From saved results to the charts in `docs/charts`."""

import re
import statistics
from dataclasses import replace
from pathlib import Path

from . import charts, results, simulated
from .charts import Bar, Block, Panel, Series
from .options import REPOSITORY
from .results import Measured

CHARTS = REPOSITORY / "docs/charts"


def draw(measured: Measured, words: str, directory: Path = CHARTS) -> list[Path]:
    """Writes the charts of one scenario; `words` tell two of the same apart."""
    name = slug(f"{measured.scenario['name']} {words}")
    texts = {}
    if measured.scenario["name"] == "simulation":
        return write(directory, {f"{name}-{end}": text for end, text in simulated.charts(measured.scenario).items()})
    if blocks := lab_blocks(measured.contests):
        texts[f"{name}-grid"] = charts.grid(
            "sheaf's time ÷ the fastest peer's", blocks, "below 1.00 sheaf is faster; medians; beneath, the peer"
        )
    if measured.scenario.get("axis"):
        texts[name] = charts.lines(
            measured.scenario["name"], measured.scenario["axis"], "median seconds", curves(measured.contests),
            words="whiskers from the fastest to the slowest run",
        )  # fmt: skip
    else:
        unit, scale = ("ms", 1000) if measured.scenario["name"] == "startup" else ("s", 1)
        panels = [panel for contest in measured.contests for panel in panels_of(contest, unit, scale)]
        texts[name] = charts.bars(
            measured.scenario["name"], panels,
            "median time, with whiskers from the fastest to the slowest run",
        )  # fmt: skip
    return write(directory, texts)


def write(directory: Path, texts: dict[str, str]) -> list[Path]:
    directory.mkdir(parents=True, exist_ok=True)
    paths = [directory / f"{each}.svg" for each in texts]
    for path, text in zip(paths, texts.values()):
        path.write_text(text)
    return paths


def panels_of(contest: dict, unit: str = "s", scale: float = 1) -> list[Panel]:
    """One for all contenders, or one for each thing that the server did to them."""
    groups = results.groups(contest)
    if len(groups) == 1:
        return [Panel(contest["title"], rows(contest["contenders"], scale), unit)]
    return [
        Panel(
            f"{contest['title']}: {group}",
            [replace(bar, label=bar.label.removesuffix(f", {group}")) for bar in rows(contenders, scale)], unit,
        )
        for group, contenders in groups.items()
    ]  # fmt: skip


def rows(contenders: list[dict], scale: float = 1) -> list[Bar]:
    """The contenders in the order of the table; those without a run that counts say so."""
    found = []
    for contender in contenders:
        walls, own = results.walls(contender), results.tool(contender) == "sheaf"
        if walls:
            low, middle, high = (scale * value for value in (min(walls), statistics.median(walls), max(walls)))
            found.append(Bar(contender["label"], low, middle, high, own))
        elif contender["samples"]:
            problem = contender["samples"][0]["problem"]
            found.append(Bar(contender["label"], own=own, words=failure(problem)))
    return found


def failure(problem: str) -> str:
    """The problem of a run in a few words."""
    words = re.sub(r"(\.\d)\d+ s$", r"\1 s", problem.split(":")[0])
    return re.sub(r"^status", "failed with status", words)


def curves(contests: list[dict]) -> list[Series]:
    """One for each contender over those contests that say where they stand."""
    placed = sorted((each for each in contests if each.get("at") is not None), key=lambda each: each["at"])
    labels = dict.fromkeys(contender["label"] for contest in placed for contender in contest["contenders"])
    found = {label: [] for label in labels}
    for contest in placed:
        for contender in contest["contenders"]:
            if walls := results.walls(contender):
                point = (contest["at"], min(walls), statistics.median(walls), max(walls))
                found[contender["label"]].append(point)
    return [Series(label, points) for label, points in found.items()]


def lab_blocks(contests: list[dict]) -> list[Block]:
    """A block for each rate and congestion control, with rows of loss and columns of round trips."""
    cells = {}
    for contest in contests:
        server, mine, best = contest["server"] or {}, results.own(contest), results.best_peer(contest)
        if "round_trip_ms" not in server or not mine or not best or not results.median(mine):
            continue
        block = (server["congestion_control"], server["rate_mbit"])
        place = (server["loss_percent"], server["round_trip_ms"])
        cells.setdefault(block, {})[place] = (results.median(mine) / best[1], best[0].split()[0])
    losses = sorted({loss for block in cells.values() for loss, _ in block})
    trips = sorted({trip for block in cells.values() for _, trip in block})
    return [
        Block(
            f"{rate} Mbit/s, {congestion.upper()}",
            [f"{loss:g} % loss" for loss in losses],
            [f"{trip} ms" for trip in trips],
            {(losses.index(loss), trips.index(trip)): value for (loss, trip), value in block.items()},
        )
        for (congestion, rate), block in sorted(cells.items(), key=lambda item: (item[0][0] != "cubic", item[0][1]))
    ]  # fmt: skip


def slug(words: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
