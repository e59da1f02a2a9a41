"""A server that gives each connection 4 MiB/s: who finds out that more connections help?"""

from harness import columns, peers, sizes
from harness.columns import Column
from harness.contest import Contest, Entry, wall
from harness.jobs import Fetch
from harness.patience import spare
from harness.servers import Restraint

SUMMARY = "nginx with limit_rate 4m: sheaf without flags, aria2c with its defaults and tuned"
ROUNDS = 5
BASELINES = ["aria2c -x16", "aria2c defaults", "curl"]
CAP = 4 * sizes.MIB
CONNECTIONS = 16


def contests(session):
    outputs = session.outputs()[:1]
    entity = session.entity(session.size(256 * sizes.MIB), outputs)
    with session.nginx(entity, Restraint(rate="4m")) as nginx:
        contest = Contest(
            title=f"HTTP, {sizes.words(entity.size)} to {outputs[0].filesystem}, 4 MiB/s for each connection",
            job=Fetch(entity, nginx.url("http", entity.name), outputs[0].directory),
            entries=[
                Entry(peers.sheaf()),
                Entry(peers.aria2_tuned()),
                Entry(peers.aria2_defaults()),
                Entry(peers.curl()),
                Entry(peers.axel()),
            ],
            baselines=BASELINES,
            columns=columns.fetching(*BASELINES, extra=[Column("of 16 × cap", share)]),
            notes=[
                "nginx counts limit_rate by request and lets the first second's worth through at once, "
                "so short requests can exceed the cap"
            ],
            server=nginx.description(),
        )
        spare(contest, session.options.patience, CAP)
        yield contest
    entity.remove()


def share(contest: Contest, entry: Entry) -> str:
    """The rate as a share of what 16 capped connections give."""
    median = entry.median(wall)
    return columns.number(contest.job.size / median / (CONNECTIONS * CAP) if median else None)
