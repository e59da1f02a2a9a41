import json
import tempfile
import unittest
from pathlib import Path

from harness import drawing, publication, results


def contender(label: str, walls: list[float], tool: str | None = None) -> dict:
    samples = [
        {
            "wall_seconds": wall, "user_seconds": 0.1, "system_seconds": 0.1, "peak_rss_bytes": 1 << 20, "status": 0,
            "problem": None, "round": number, "figures": {},
        }
        for number, wall in enumerate(walls, 1)
    ]  # fmt: skip
    return {"label": label, "tool": tool or label, "command": f"{label} URL", "samples": samples}


def contest(title: str, *contenders: dict, **more) -> dict:
    return {
        "title": title, "bytes": 1 << 30, "baselines": [], "server": None, "contenders": list(contenders),
        "absent": [{"label": "axel", "reason": "not installed"}], "notes": [], **more,
    }  # fmt: skip


def saved(directory: Path, name: str, scenario: str, started: str, *contests: dict, axis: str | None = None) -> None:
    content = {
        "revision": "abc", "arguments": [scenario, "--save"], "tools": {"sheaf": "sheaf 1"},
        "machine": {"cpu": "a CPU", "cores": 2, "kernel": "Linux"},
        "scenarios": [{
            "name": scenario, "started": started, "rounds": 2, "load_average": {"before": 0, "after": 0},
            "axis": axis, "contests": list(contests),
        }],
    }  # fmt: skip
    (directory / name).write_text(json.dumps(content))


class ThePage(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.page = self.place / "page.md"

    def write(self, text: str) -> tuple[list[str], str]:
        self.page.write_text(text)
        missing = publication.write(self.page, self.place, self.place / "charts")
        return missing, self.page.read_text()

    def test_shows_the_newest_and_keeps_what_has_none(self):
        saved(self.place, "a.json", "loopback", "2026-01-01", contest("old", contender("sheaf", [9])))
        saved(self.place, "b.json", "loopback", "2026-02-01", contest("new", contender("sheaf", [1, 3, 2])))
        missing, text = self.write(
            "before\n<!-- results: loopback -->\nstale\n<!-- end -->\n<!-- results: lab -->\nkept\n<!-- end -->\nafter\n"
        )
        self.assertEqual(missing, ["lab"])
        self.assertNotIn("stale", text)
        for words in ("before", "after", "kept", "**new**", "2.000", "1.000–3.000", "charts/loopback.svg", "axel: not run"):
            self.assertIn(words, text)
        self.assertTrue((self.place / "charts/loopback.svg").exists())

    def test_is_the_same_when_written_again(self):
        saved(self.place, "a.json", "loopback", "2026-01-01", contest("new", contender("sheaf", [1]), contender("curl", [2])))
        _, first = self.write("<!-- results: loopback -->\n<!-- end -->\n<!-- losses -->\n<!-- end -->\n")
        _, second = self.write(first)
        self.assertEqual(first, second)

    def test_shows_the_contests_whose_titles_have_the_words(self):
        both = [contest("HTTP, 4 GiB", contender("sheaf", [1])), contest("HTTP, 1 GiB", contender("sheaf", [1]))]
        saved(self.place, "a.json", "loopback", "2026-01-01", *both)
        _, text = self.write("<!-- results: loopback 4 GiB -->\n<!-- end -->\n")
        self.assertIn("**HTTP, 4 GiB**", text)
        self.assertNotIn("**HTTP, 1 GiB**", text)

    def test_lists_where_a_peer_was_ahead(self):
        slow = contest("a line", contender("sheaf", [3]), contender("curl", [2]), contender("sha256sum", [1]))
        saved(self.place, "a.json", "loopback", "2026-01-01", slow)
        _, text = self.write("<!-- results: loopback -->\n<!-- end -->\n<!-- losses -->\n<!-- end -->\n")
        row = next(line for line in text.splitlines() if "a line" in line and "wall" in line)
        self.assertEqual([cell.strip() for cell in row.split("|")[4:8]], ["3.000", "curl", "2.000", "1.50"])

    def test_compares_only_rows_to_which_the_server_did_the_same(self):
        mixed = contest(
            "a server", contender("sheaf, even", [1], "sheaf"), contender("axel, even", [2], "axel"),
            contender("sheaf, slow", [3], "sheaf"), contender("axel, slow", [9], "axel"),
        )  # fmt: skip
        self.assertEqual([each for each in publication.lost(mixed) if each.what == "wall s"], [])


class ADrawing(unittest.TestCase):
    def test_of_the_lab_has_a_block_for_each_rate_and_congestion_control(self):
        line = {"round_trip_ms": 80, "rate_mbit": 400, "loss_percent": 0.02, "congestion_control": "bbr"}
        cell = contest("a cell", contender("sheaf", [1]), contender("axel -n16", [2], "axel"), server=line)
        (block,) = drawing.lab_blocks([cell])
        self.assertEqual((block.title, block.rows, block.columns), ("400 Mbit/s, BBR", ["0.02 % loss"], ["80 ms"]))
        self.assertEqual(block.cells, {(0, 0): (0.5, "axel")})

    def test_of_contests_that_say_where_they_stand_is_a_curve(self):
        placed = [contest("b", contender("sheaf", [2, 4]), at=10), contest("a", contender("sheaf", [1]), at=1)]
        (curve,) = drawing.curves(placed)
        self.assertEqual(curve.points, [(1, 1, 1, 1), (10, 2, 3, 4)])

    def test_names_why_a_run_did_not_count(self):
        self.assertEqual(drawing.failure("stopped after 11.123 s"), "stopped after 11.1 s")
        self.assertEqual(drawing.failure("status 1: no"), "failed with status 1")

    def test_of_the_first_saved_results_still_has_its_table(self):
        first = contest("old", contender("sheaf", [1, 2]), contender("curl", [3]))
        headings, rows = results.table(first)
        self.assertIn("median s", headings)
        self.assertEqual([row[0] for row in rows], ["sheaf", "curl"])
