"""Many files in one call: what does each of them cost?"""

from harness import columns, peers, sizes
from harness.columns import Column
from harness.contest import Contest, Entry, wall
from harness.jobs import FetchMany
from harness.servers import Restraint

SUMMARY = "2,000 files of 10 KiB and 50 of 10 MiB from nginx over loopback, in one call"
ROUNDS = 5
BASELINES = ["curl -Z", "aria2c -j16"]
BATCHES = [(2000, 10 * sizes.KIB), (50, 10 * sizes.MIB)]


def count(session) -> int:
    return len(BATCHES) * len(session.outputs())


def contests(session):
    outputs = session.outputs()
    for count, size in BATCHES:
        entities = session.entities(count, size, outputs)
        with session.nginx(entities[0], Restraint(logs=False)) as nginx:
            for output in outputs:
                yield Contest(
                    title=f"HTTP, {count} × {sizes.words(size)} to {output.filesystem}",
                    job=FetchMany(entities, nginx, output.directory),
                    entries=[
                        Entry(peers.sheaf_many()),
                        Entry(peers.sheaf_many("sheaf -j16, no sync", "--fsync-policy=off", sync="off")),
                        Entry(peers.curl_many()),
                        Entry(peers.aria2_many()),
                        Entry(peers.wget2_many(), may_fail=True),
                    ],
                    baselines=BASELINES,
                    columns=columns.fetching(
                        *BASELINES,
                        extra=[Column("µs a file", lambda contest, entry, count=count: each(count, entry))],
                        tail=False,
                        again=False,
                    ),
                    server=nginx.description(),
                )
        for entity in entities:
            entity.remove()


def each(count: int, entry: Entry) -> str:
    median = entry.median(wall)
    return columns.number(median / count if median else None, 0, 1e6)
