"""Prints what was measured as Markdown tables, with the exact arguments and versions under each."""

from . import machine, sizes
from .contest import Contest
from .session import Result, Session


def announce(session: Session) -> None:
    here = machine.describe()
    print(
        f"{here['cpu']}, {here['cores']} cores, {sizes.words(here['memory_bytes'])} memory, "
        f"{here['kernel']}, {here['system']}"
    )
    print(f"A peak of about {session.stopwatch.peak_floor / sizes.MIB:.1f} MiB means: that much or less.")


def show(result: Result) -> None:
    rounds = "1 round" if result.rounds == 1 else f"{result.rounds} rounds"
    print(f"\n## {result.scenario}: {rounds}, {result.started}")
    print(f"\nLoad average {result.load_before:.1f} before, {result.load_after:.1f} after.")
    for note in result.notes:
        print(f"\n{note}")
    for contest in result.contests:
        show_contest(contest)


def show_contest(contest: Contest) -> None:
    print(f"\n### {contest.title}\n")
    if contest.entries:
        print(table(*cells(contest)))
        print()
    commands = [
        (entry.contender.template(contest.job.target), entry.contender.sync if contest.job.size else "")
        for entry in contest.entries
    ]
    # Rows that differ in what the server does, not in the command, share one.
    for command, sync in dict.fromkeys(commands):
        print(f"- `{command}`{f' (sync: {sync})' if sync else ''}")
    for entry in contest.entries:
        for sample in entry.samples:
            if sample.problem:
                print(f"- {entry.contender.label}: round {sample.round} does not count: {sample.problem}")
    for label, reason in contest.absent:
        print(f"- {label}: not run, {reason}")
    for note in contest.notes:
        print(f"- {note}")


def cells(contest: Contest) -> tuple[list[str], list[list[str]]]:
    """The headings and the rows of a contest's table."""
    columns = [column for column in contest.columns if not column.baseline or contest.entry(column.baseline)]
    headings = ["", *(column.heading for column in columns)]
    rows = [[entry.contender.label, *(column.cell(contest, entry) for column in columns)] for entry in contest.entries]
    return headings, rows


def show_tools(session: Session) -> None:
    print("\n## Versions\n")
    for tool in session.toolbox.found.values():
        if tool and tool.name != "sh":
            print(f"- {tool.name}: {tool.version}")


def table(headings: list[str], rows: list[list[str]]) -> str:
    """A Markdown table that also reads well as plain text: first column to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(headings, *rows)]

    def line(cells: list[str]) -> str:
        padded = [cells[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(cells[1:], widths[1:]))]
        return f"| {' | '.join(padded)} |"

    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([line(headings), line(rule), *map(line, rows)])
