#!/usr/bin/env python3
"""Runs every test beside it and closes with one line that counts them."""

import sys
import unittest
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent


def main() -> int:
    sys.path.insert(0, str(BENCHMARKS))
    sys.dont_write_bytecode = True
    suite = unittest.defaultTestLoader.discover(str(BENCHMARKS / "tests"), top_level_dir=str(BENCHMARKS))
    result = unittest.TextTestRunner(verbosity=0).run(suite)
    failed = len(result.failures) + len(result.errors)
    skipped = f", {len(result.skipped)} skipped" if result.skipped else ""
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed{skipped}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
