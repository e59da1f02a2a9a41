"""A download killed at half: what does the next call fetch again?"""

from harness import columns, peers, sizes
from harness.contest import Contest, Entry
from harness.jobs import FetchAfterKill
from harness.patience import spare
from harness.servers import Restraint

SUMMARY = "kill -9 when half is written, then the same command again: bytes sent twice, time to finish"
ROUNDS = 3
BASELINES = ["aria2c -x16"]
CAP = 4 * sizes.MIB


def contests(session):
    outputs = session.outputs()[:1]
    entity = session.entity(session.size(512 * sizes.MIB), outputs)
    # The cap keeps the sockets' buffers empty: what the server has sent, the client has had.
    with session.nginx(entity, Restraint(rate="4m", logs=True)) as nginx:
        contest = Contest(
            title=f"HTTP, {sizes.words(entity.size)} to {outputs[0].filesystem}, 4 MiB/s for each connection",
            job=FetchAfterKill(entity, nginx, outputs[0].directory),
            entries=[
                Entry(peers.sheaf()),
                Entry(peers.aria2_tuned(), may_fail=True),
                Entry(peers.aria2_next(), may_fail=True),
                Entry(peers.axel(), may_fail=True),
                Entry(peers.curl_continuing(), may_fail=True),
            ],
            baselines=BASELINES,
            columns=columns.fetching(
                *BASELINES, extra=[columns.figure("MiB sent again", "again", digits=2, scale=1 / sizes.MIB)]
            ),
            notes=[
                "times, CPU and memory are those of the second call",
                "sent again: all that nginx sent in both calls, less the file's size",
            ],
            server=nginx.description(),
        )
        spare(contest, session.options.patience, CAP)
        yield contest
    entity.remove()
