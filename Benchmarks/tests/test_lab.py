import unittest
from argparse import Namespace

from harness.lab import Cell
from harness.servers import ServerFailed
from scenarios import lab


def asked(**given) -> list[str]:
    options = Namespace(**{"cell": [], "grid": False, "congestion": None, **given})
    return [f"{cell.round_trip}/{cell.rate}/{cell.loss:g}/{cell.congestion}" for cell in lab.asked(options)]


class ACell(unittest.TestCase):
    def test_is_read_with_and_without_a_congestion_control(self):
        self.assertEqual(Cell.parse("80/400/0.02", "cubic"), Cell(80, 400, 0.02, "cubic"))
        self.assertEqual(Cell.parse("80ms/400/0.02/bbr", "cubic"), Cell(80, 400, 0.02, "bbr"))

    def test_is_refused_when_it_makes_no_sense(self):
        for text in ("", "80", "80/400", "80/0/0", "-1/100/0", "80/400/101", "80/400/0/bbr/x", "a/b/c"):
            with self.subTest(text), self.assertRaises(ServerFailed):
                Cell.parse(text, "cubic")

    def test_needs_for_its_payload_the_packets_with_their_headers(self):
        self.assertAlmostEqual(Cell(80, 400, 0).ideal(100 << 20), 2.1725, places=3)


class TheCellsAskedFor(unittest.TestCase):
    def test_are_a_few_unless_named(self):
        self.assertEqual(len(asked()), len(lab.DEFAULT))
        self.assertEqual(asked(cell=["20/100/0", "80/100/0/bbr,20/100/0"]), ["20/100/0/cubic", "80/100/0/bbr"])

    def test_are_36_in_the_grid(self):
        self.assertEqual(len(asked(grid=True)), 36)
        self.assertEqual(len(asked(grid=True, congestion=["bbr"])), 18)

    def test_follow_the_congestion_control(self):
        self.assertEqual(asked(cell=["20/100/0"], congestion=["cubic", "bbr"]), ["20/100/0/cubic", "20/100/0/bbr"])
        self.assertTrue(all(text.endswith("/bbr") for text in asked(congestion=["bbr"])))
