"""A file that a power cut cannot take back: sheaf's full sync beside curl and sync."""

from harness import columns, machine, peers, servers, sizes
from harness.contest import Contest, Entry
from harness.jobs import FetchCounted

SUMMARY = "durable publish on a disk: sheaf with everything synced, `curl -o f && sync f`"
ROUNDS = 5
BASELINES = ["curl && sync"]


def contests(session):
    outputs = [each for each in session.outputs() if each.filesystem != "tmpfs"]
    if not outputs:
        raise servers.ServerFailed("publish needs an --output-dir on a disk: nothing is durable on tmpfs")
    entity = session.entity(session.size(sizes.GIB), outputs)
    with session.nginx(entity) as nginx:
        for output in outputs:
            yield Contest(
                title=f"HTTP, {sizes.words(entity.size)} to {output.filesystem}, synced",
                job=FetchCounted(entity, nginx, entity.name, output.directory),
                entries=[Entry(peers.sheaf()), Entry(peers.curl_and_sync()), Entry(peers.aria2_and_sync())],
                baselines=BASELINES,
                columns=columns.fetching(*BASELINES),
                server=nginx.description(),
            )
    entity.remove()
