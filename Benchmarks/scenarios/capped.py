"""A server that gives each connection 4 MiB/s: who finds out that more connections help?"""

from harness import columns, origin, peers, sizes
from harness.columns import Column
from harness.contest import Contest, Entry, wall
from harness.jobs import FetchCounted, FetchFromOrigin
from harness.origin import Origin, find_origin
from harness.patience import spare
from harness.servers import Restraint

SUMMARY = "4 MiB/s for each connection, by nginx and by sheaf-origin: everyone tuned and with no flags"
ROUNDS = 5
BASELINES = ["aria2c -x16", "aria2-next"]
CAP = 4 * sizes.MIB
CONNECTIONS = 16


def count(session) -> int:
    return 1 if origin.obstacle(session.options.sheaf_origin) else 2


def contests(session):
    output, size = session.outputs()[0], session.size(256 * sizes.MIB)
    if obstacle := origin.obstacle(session.options.sheaf_origin):
        session.result.notes.append(f"The cap by connection was not run: {obstacle}")
    else:
        # Its behaviour is `correct`, and it paces each connection evenly from its first byte.
        server = Origin(find_origin(session.options.sheaf_origin), size, "--rate", str(CAP))
        contest = Contest(
            title=f"HTTP, {sizes.words(size)} to {output.filesystem}, 4 MiB/s for each connection, evenly",
            job=FetchFromOrigin(server.content(), server, output.directory),
            entries=entries(),
            baselines=BASELINES,
            columns=columns.fetching(*BASELINES, extra=[Column("% of 16 × cap", share)], again=False),
            notes=["by sheaf-origin, which has no log from which bytes asked twice could be told"],
            server=server.description(),
        )
        spare(contest, session.options.patience, CAP)
        yield contest

    entity = session.entity(size, [output])
    with session.nginx(entity, Restraint(rate="4m")) as nginx:
        contest = Contest(
            title=f"HTTP, {sizes.words(entity.size)} to {output.filesystem}, 4 MiB/s for each request (nginx)",
            job=FetchCounted(entity, nginx, entity.name, output.directory),
            entries=entries(),
            baselines=BASELINES,
            columns=columns.fetching(*BASELINES, extra=[Column("% of 16 × cap", share)]),
            notes=[
                "nginx counts limit_rate by request and lets the first second's worth through at once, "
                "so short requests can exceed the cap"
            ],
            server=nginx.description(),
        )
        spare(contest, session.options.patience, CAP)
        yield contest
    entity.remove()


def entries() -> list[Entry]:
    return [
        Entry(peers.sheaf()),
        Entry(peers.aria2_tuned()),
        Entry(peers.aria2_next(), may_fail=True),
        Entry(peers.axel()),
        Entry(peers.lftp(), may_fail=True),
        Entry(peers.wget2(), may_fail=True),
        Entry(peers.hf_transfer(), may_fail=True),
        # What nobody's flags do is known after one round.
        Entry(peers.lftp_defaults(), limit=1, may_fail=True),
        Entry(peers.axel_defaults(), limit=1),
        Entry(peers.aria2_defaults(), limit=1),
        Entry(peers.wget2_defaults(), limit=1, may_fail=True),
        Entry(peers.curl(), limit=1),
    ]


def share(contest: Contest, entry: Entry) -> str:
    """The rate in per cent of what 16 capped connections give."""
    median = entry.median(wall)
    return columns.number(contest.job.size / median / (CONNECTIONS * CAP) if median else None, 1, 100)
