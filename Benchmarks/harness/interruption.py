"""Turns the signals that end a benchmark into one exception, so that everything is cleaned up."""

import signal
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(BaseException):
    """The person or the system wants the benchmark to end."""


@contextmanager
def interruptible():
    def interrupt(number, frame):
        # A second Ctrl-C must not cut the cleaning up short.
        for each in SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        raise Interrupted(signal.Signals(number).name)

    before = {each: signal.signal(each, interrupt) for each in SIGNALS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
