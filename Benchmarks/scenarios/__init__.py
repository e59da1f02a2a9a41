"""What is measured. A scenario is a module with SUMMARY, ROUNDS and `contests(session)`, which yields contests.

One that cannot run everywhere also has `obstacle(session)`, which says why not.
"""

from . import capped, lab, loopback, publish, resume, simulation, small_files, startup, straggler, throttled, verify

SCENARIOS = {
    "loopback": loopback,
    "lab": lab,
    "capped": capped,
    "straggler": straggler,
    "throttled": throttled,
    "small-files": small_files,
    "resume": resume,
    "verify": verify,
    "publish": publish,
    "startup": startup,
    "simulation": simulation,
}
