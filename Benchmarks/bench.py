#!/usr/bin/env python3
"""Compares sheaf with its peers on this machine. README.md says how and why."""

import sys

from harness import options, report
from harness.interruption import Interrupted, interruptible
from harness.record import Record
from harness.session import Session, Unavailable
from scenarios import SCENARIOS


def main() -> int:
    chosen = options.parse(SCENARIOS)
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


if __name__ == "__main__":
    sys.exit(main())
