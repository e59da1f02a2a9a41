"""A download killed at half: what does the next call fetch again?"""

from pathlib import Path

from harness import columns, origin, peers, sizes
from harness.columns import Column
from harness.contest import Contest, Entry
from harness.jobs import FetchAfterKill
from harness.origin import Origin, find_origin
from harness.servers import Restraint

SUMMARY = "kill -9 when half is written, then the same command again: bytes sent twice, time to finish"
ROUNDS = 3
BASELINES = ["aria2c -x16 -c"]
CAP = 4 * sizes.MIB
CAP_OF_ONE = 64 * sizes.MIB
DEADLINE = 30


def obstacle(session) -> str | None:
    if not Path("/proc/self/io").exists():
        return "there is no /proc/PID/io, which tells when half is written"
    return origin.obstacle(session.options.sheaf_origin)


def contests(session):
    output, size = session.outputs()[0], session.size(256 * sizes.MIB)
    executable = find_origin(session.options.sheaf_origin)
    # The cap keeps the sockets' buffers empty: what the server has sent, the client has had.
    server = Origin(executable, size, "--rate", str(CAP))
    fast = Origin(executable, size, "--rate", str(CAP_OF_ONE))
    content = server.content()
    with (
        server,
        fast,
        session.front(server.address, Restraint()) as nginx,
        session.front(fast.address, Restraint()) as fast_nginx,
    ):
        for_one = FetchAfterKill(content, fast_nginx, fast.NAME, output.directory)
        yield Contest(
            title=f"HTTP, {sizes.words(size)} to {output.filesystem}, 4 MiB/s for each request",
            job=FetchAfterKill(content, nginx, server.NAME, output.directory),
            entries=[
                Entry(peers.sheaf()),
                Entry(peers.aria2_tuned("aria2c -x16 -c", "-c", "--auto-save-interval=1"), may_fail=True),
                Entry(peers.aria2_next("aria2-next -c", "-c"), may_fail=True),
                Entry(peers.axel(), may_fail=True),
                Entry(peers.lftp_continuing(), patience=DEADLINE, may_fail=True),
                Entry(peers.wget2("wget2 chunked -c", "-c"), patience=DEADLINE, may_fail=True, job=for_one, apart=True),
                Entry(peers.hf_transfer(), patience=DEADLINE, may_fail=True),
                Entry(peers.curl_continuing(), may_fail=True, job=for_one, apart=True),
            ],
            baselines=BASELINES,
            columns=columns.fetching(
                *BASELINES,
                extra=[Column("in the end", columns.verdict), columns.SENT_AGAIN],
                tail=False,
                again=False,
            ),
            notes=[
                "times, CPU and memory are those of the second call",
                "MiB/s is the whole file's size by the second call's time, and so no speed",
                "sent again: all that nginx sent in both calls, less the file's size",
                f"curl and wget2 have their one connection at {sizes.words(CAP_OF_ONE)}/s, "
                "so their times are nothing to compare with",
                "hf_transfer cannot continue: it begins again",
            ],
            server={**nginx.description(), "behind": server.description()},
        )
