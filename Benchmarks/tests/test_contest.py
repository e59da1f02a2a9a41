import unittest

from harness import columns
from harness.contest import Contest, Entry
from harness.jobs import Job
from harness.measure import Sample
from harness.peers import Contender


class FakeClock:
    """Stands in for the module `time`: each run moves it by its own length."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


class Rehearsal(Contest):
    """A contest whose runs take no time but the clock's."""

    def run_once(self, entry, stopwatch, toolbox):
        self.clock.now += entry.seconds
        return Sample(wall=entry.seconds)


def rehearse(allowance, *seconds, limits=None):
    from harness import contest as module

    entries = []
    for number, each in enumerate(seconds):
        entry = Entry(Contender(f"tool {number}", f"tool {number}", lambda _: []), limit=(limits or {}).get(number))
        entry.seconds = each
        entries.append(entry)
    rehearsal = Rehearsal("a title", Job(), entries, [], [])
    rehearsal.clock, real = FakeClock(), module.time
    module.time = rehearsal.clock
    try:
        rehearsal.run(5, None, None, allowance)
    finally:
        module.time = real
    return rehearsal


class TheRounds(unittest.TestCase):
    def test_are_all_run_without_an_allowance(self):
        self.assertEqual([len(entry.samples) for entry in rehearse(None, 10, 10).entries], [5, 5])

    def test_end_before_the_allowance_is_used_up(self):
        rehearsal = rehearse(50, 10, 10)
        self.assertEqual([len(entry.samples) for entry in rehearsal.entries], [2, 2])
        self.assertIn("2 of 5 rounds", rehearsal.notes[0])

    def test_are_one_at_least(self):
        self.assertEqual([len(entry.samples) for entry in rehearse(1, 10, 10).entries], [1, 1])

    def test_do_not_reckon_with_those_who_have_had_theirs(self):
        self.assertEqual([len(entry.samples) for entry in rehearse(50, 10, 30, limits={1: 1}).entries], [2, 1])


class TheColumns(unittest.TestCase):
    def test_show_medians_and_their_spread(self):
        entry = Entry(Contender("a", "a", lambda _: []), samples=[Sample(wall=each) for each in (3, 1, 2)])
        contest = Contest("", Job(), [entry], [], [])
        cells = [column.cell(contest, entry) for column in columns.times("s", 1, 1)]
        self.assertEqual(cells, ["2.0", "1.0–3.0", "1.50"])

    def test_say_whether_files_were_right(self):
        samples = [Sample(), Sample(problem="wrong SHA-256"), Sample(problem="status 8: no")]
        entry = Entry(Contender("a", "a", lambda _: []), samples=samples)
        self.assertEqual(columns.verdict(Contest("", Job(), [entry], [], []), entry), "1 right, 1 wrong, 1 failed")
