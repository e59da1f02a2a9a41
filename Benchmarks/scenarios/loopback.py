"""No network at all: what each tool itself costs."""

from harness import columns, peers, sizes
from harness.contest import Contest, Entry
from harness.jobs import Fetch

SUMMARY = "one large file from nginx over loopback: HTTP and HTTPS, to memory and to disk"
ROUNDS = 5
BASELINES = ["curl", "aria2c -x16"]


def contests(session):
    outputs = session.outputs()
    entity = session.entity(session.size(sizes.GIB), outputs)
    with session.nginx(entity) as nginx:
        for scheme in session.schemes("http", "https"):
            for output in outputs:
                certificate = nginx.certificate.path if scheme == "https" else None
                yield Contest(
                    title=f"{scheme.upper()}, {sizes.words(entity.size)} to {output.filesystem}",
                    job=Fetch(entity, nginx.url(scheme, entity.name), output.directory, certificate),
                    entries=[
                        Entry(peers.sheaf()),
                        Entry(peers.sheaf("sheaf, no sync", "--fsync-policy=off", sync="off")),
                        Entry(peers.curl()),
                        Entry(peers.aria2_tuned()),
                        Entry(peers.axel()),
                    ],
                    baselines=BASELINES,
                    columns=columns.fetching(*BASELINES),
                    server=nginx.description(),
                )
    entity.remove()
