"""Starts one command, waits for it, and writes its process group and then its cost to a file descriptor.

Run as a small process of its own (`python3 -I -S launch.py DESCRIPTOR COMMAND…`): Linux counts the memory of
the process that calls exec into the peak of the one that comes out of it, so a peak measured from the benchmark
itself would never be below the benchmark's own.
"""

import os
import sys
import time

result, command = int(sys.argv[1]), sys.argv[2:]
os.set_inheritable(result, False)
started = time.monotonic_ns()
try:
    pid = os.posix_spawn(command[0], command, os.environ, setpgroup=0)
except OSError as error:
    sys.exit(f"{command[0]}: {error.strerror}")
os.write(result, f"{pid} {started}\n".encode())
_, status, usage = os.wait4(pid, 0)
ended = time.monotonic_ns()
# ru_maxrss is in kibibytes on Linux and in bytes on macOS.
peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
values = (ended - started, usage.ru_utime, usage.ru_stime, peak, os.waitstatus_to_exitcode(status))
os.write(result, " ".join(map(str, values)).encode())
