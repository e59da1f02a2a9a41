"""What is measured. A scenario is a module with SUMMARY, ROUNDS and `contests(session)`, which yields contests."""

from . import capped, loopback, publish, startup

SCENARIOS = {"loopback": loopback, "capped": capped, "publish": publish, "startup": startup}
