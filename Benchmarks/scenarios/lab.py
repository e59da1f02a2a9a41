"""Far, thin and lossy lines: real TCP over a wire of our own, a cell of the grid at a time."""

import sys

from harness import columns, lab, peers, sizes
from harness.columns import Column
from harness.contest import Contest, Entry, wall
from harness.lab import Cell, FetchOverWire, Lab

SUMMARY = "two network namespaces and a wire with delay, rate, queue and loss (root): --cells, --congestion"
ROUNDS = 3
BASELINES = ["aria2c -x16", "axel -n16", "aria2-next"]
CELLS = {
    "default": ["80/400/0.02", "20/100/0", "200/400/0.5", "80/400/0"],
    "all": [
        f"{round_trip}/{rate}/{loss}" for rate in (100, 400) for round_trip in (20, 80, 200) for loss in (0, 0.02, 0.5)
    ],
}


def obstacle(session) -> str | None:
    return lab.obstacle()


def contests(session):
    lab.remove_abandoned()
    output = session.outputs()[0]
    wire = lab.build_wire(session.workspace.directory(session.workspace.memory))
    entities = {}
    for cell in cells(session.options):
        size = session.size(payload(cell))
        if size not in entities:
            entities[size] = session.entity(size, [output])
        entity = entities[size]
        with Lab(cell, wire) as built, session.nginx(entity, place=built.server) as nginx:
            contest = Contest(
                title=f"{cell}: {sizes.words(size)} to {output.filesystem}; "
                f"the line alone needs {cell.ideal(size):.2f} s",
                job=FetchOverWire(entity, nginx, built, output.directory),
                entries=entries(cell, session.options.patience),
                baselines=BASELINES,
                columns=columns.fetching(
                    extra=[
                        Column("max ÷ median", columns.slowest),
                        Column("÷ line alone", lambda contest, entry, cell=cell: beside_line(cell, contest, entry)),
                        Column("÷ fastest peer", columns.beside_peers),
                    ]
                ),
                server=built.description(nginx),
            )
            yield contest
            contest.notes.append(built.carried())
    for entity in entities.values():
        entity.remove()


def cells(options) -> list[Cell]:
    texts = CELLS.get(options.cells) or options.cells.split(",")
    chosen = []
    for congestion in options.congestion or ["cubic"]:
        if lab.knows_congestion_control(congestion):
            chosen += [Cell.parse(text, congestion) for text in texts]
        else:
            print(f"bench: lab: this kernel has no {congestion.upper()}; its cells are left out", file=sys.stderr)
    return chosen


def payload(cell: Cell) -> int:
    """Less where a peer with one connection would take minutes."""
    return (20 if cell.round_trip >= 200 and cell.loss >= 0.5 else 100) * sizes.MIB


def entries(cell: Cell, patience: float) -> list[Entry]:
    return [
        Entry(peers.sheaf()),
        Entry(peers.aria2_tuned()),
        Entry(peers.axel()),
        Entry(peers.aria2_next()),
        # One connection: how it fares on a lossy line is known after one run, or after none that ends in time.
        Entry(peers.curl(), limit=1, patience=patience, may_fail=True),
    ]


def beside_line(cell: Cell, contest: Contest, entry: Entry) -> str:
    median = entry.median(wall)
    return columns.number(median / cell.ideal(contest.job.size) if median else None)
