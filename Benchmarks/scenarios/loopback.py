"""No network at all: what each tool itself costs."""

from harness import columns, peers, sizes
from harness.contest import Contest, Entry
from harness.jobs import FetchCounted

SUMMARY = "one large file from nginx over loopback: HTTP and HTTPS, to memory and to disk"
ROUNDS = 5
BASELINES = ["curl", "aria2c -x16"]


def count(session) -> int:
    return len(pairs(session))


def contests(session):
    chosen = pairs(session)
    entity = session.entity(session.size(512 * sizes.MIB), [output for _, output in chosen])
    with session.nginx(entity) as nginx:
        for scheme, output in chosen:
            yield Contest(
                title=f"{scheme.upper()}, {sizes.words(entity.size)} to {output.filesystem}",
                job=FetchCounted(entity, nginx, entity.name, output.directory, scheme),
                entries=[
                    Entry(peers.sheaf()),
                    Entry(peers.sheaf("sheaf, no sync", "--fsync-policy=off", sync="off")),
                    Entry(peers.curl()),
                    Entry(peers.aria2_tuned()),
                    Entry(peers.aria2_next(), may_fail=True),
                    Entry(peers.axel()),
                    Entry(peers.wget2(), may_fail=True),
                    Entry(peers.lftp(), may_fail=True),
                    Entry(peers.hf_transfer(), may_fail=True),
                ],
                baselines=BASELINES,
                columns=columns.fetching(*BASELINES),
                server=nginx.description(),
            )
    entity.remove()


def pairs(session):
    """Protocols with places: to a disk over HTTPS says nothing that the others do not, unless it is asked for."""
    options = session.options
    every = [(scheme, output) for scheme in session.schemes("http", "https") for output in session.outputs()]
    if options.scheme or options.output_dir:
        return every
    return [(scheme, output) for scheme, output in every if scheme == "http" or output.filesystem == "tmpfs"]
