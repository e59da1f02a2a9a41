import tempfile
import unittest
from pathlib import Path

from harness.arrival import OutputWatch, allocated, time_after


class TimeOfTheLastBytes(unittest.TestCase):
    def test_lies_between_two_looks_by_proportion(self):
        points = [(0.0, 0), (1.0, 90), (2.0, 100)]
        self.assertAlmostEqual(time_after(points, 95, 100, 3.0), 1.5)

    def test_is_unknown_without_a_look_or_when_the_first_came_too_late(self):
        self.assertIsNone(time_after([], 95, 100, 1.0))
        self.assertIsNone(time_after([(0.1, 96)], 95, 100, 1.0))

    def test_counts_what_came_after_the_last_look(self):
        self.assertAlmostEqual(time_after([(0.0, 0), (1.0, 90)], 95, 100, 2.0), 0.5)

    def test_is_never_negative(self):
        self.assertEqual(time_after([(0.0, 0), (1.2, 100)], 95, 100, 1.0), 0.0)


class TheOutput(unittest.TestCase):
    def test_of_a_tool_that_fills_its_file_beforehand_says_nothing(self):
        watch = OutputWatch(Path("/nowhere"))
        watch.written = 200
        self.assertIsNone(watch.tail([(0.0, 0), (1.0, 100)], 100, 1.0))

    def test_of_a_tool_that_writes_through_another_process_says_nothing(self):
        watch = OutputWatch(Path("/nowhere"))
        watch.written = 3
        self.assertIsNone(watch.tail([(0.0, 0), (1.0, 100)], 100, 1.0))

    def test_is_known_where_the_system_does_not_say_what_was_written(self):
        self.assertAlmostEqual(OutputWatch(Path("/nowhere")).tail([(0.0, 0), (1.0, 100)], 100, 1.0), 0.05)

    def test_counts_blocks_and_not_holes(self):
        with tempfile.TemporaryDirectory() as directory:
            with open(Path(directory, "sparse"), "wb") as file:
                file.truncate(1 << 20)
            self.assertLess(allocated(Path(directory)), 1 << 16)
        self.assertEqual(allocated(Path(directory)), 0)
