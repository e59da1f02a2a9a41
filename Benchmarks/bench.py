#!/usr/bin/env python3
"""Compares sheaf with its peers on this machine. README.md says how and why."""

import sys

from harness import drawing, options, publication, report, results
from harness.interruption import Interrupted, interruptible
from harness.record import Record
from harness.session import Session, Unavailable
from scenarios import SCENARIOS


def main() -> int:
    chosen = options.parse(SCENARIOS)
    if chosen.scenarios == ["charts"]:
        return show_charts()
    if chosen.scenarios == ["report"]:
        return write_page()
    record = Record()
    try:
        with interruptible(), Session(chosen) as session:
            report.announce(session)
            for name in chosen.scenarios:
                scenario = SCENARIOS[name]
                if obstacle := session.obstacle(scenario):
                    if not chosen.everything:
                        raise Unavailable(f"{name}: {obstacle}")
                    print(f"\n## {name}: not run, {obstacle}")
                    continue
                result = session.run(name, scenario)
                report.show(result)
                record.add(result)
            report.show_tools(session)
            record.describe(session)
    except Interrupted as interruption:
        print(f"bench: {interruption}: servers stopped, files removed, nothing saved", file=sys.stderr)
        return 130
    except Unavailable as reason:
        print(f"bench: {reason}", file=sys.stderr)
        return 2
    record.write(chosen)
    return 1 if record.problems else 0


def show_charts() -> int:
    shown = publication.marked()
    for name, words in [*shown, *((name, "") for name in results.names() if name not in dict(shown))]:
        if measured := results.newest(name, words):
            print(*drawing.draw(measured, words), sep="\n")
    return 0


def write_page() -> int:
    for name in publication.write():
        print(f"bench: {name}: nothing saved, left as it is; run it with --save", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
