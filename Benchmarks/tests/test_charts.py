import unittest
import xml.etree.ElementTree as xml

from harness import charts, simulated
from harness.charts import Bar, Block, Panel, Series


class AChart(unittest.TestCase):
    def test_is_well_formed_whatever_the_labels_are(self):
        panel = Panel("A < B & \"C\"", [Bar("<own>", 1, 2, 3, own=True), Bar("none", words="failed & gone")])
        block = Block("100 Mbit/s", ["0 %"], ["20 ms", "80 ms"], {(0, 0): (0.5, "a<b")})
        curve = Series("x & y", [(1, 0.1, 0.2, 0.3), (1024, 10, 20, 30)])
        for text in (
            charts.bars("<bars>", [panel]),
            charts.bars("none", [Panel("", [])]),
            charts.grid("\"grid\"", [block, block, block]),
            charts.lines("lines", "x", "y", [curve, Series("empty")]),
            charts.lines("lines", "x", "y", [curve], log_x=False, log_y=True),
            charts.lines("one", "x", "y", [Series("a", [(1, 1, 1, 1)])]),
            charts.lines("nothing", "x", "y", []),
        ):
            self.assertTrue(xml.fromstring(text).tag.endswith("svg"))

    def test_draws_a_longer_bar_for_a_longer_time(self):
        text = charts.bars("", [Panel("", [Bar("a", 1, 1, 1), Bar("b", 2, 2, 2)])])
        widths = [float(each.get("width")) for each in xml.fromstring(text).iter() if each.get("class") == "peer"]
        self.assertAlmostEqual(widths[1] / widths[0], 2, places=1)

    def test_cuts_off_what_would_hide_our_own(self):
        panel = Panel("", [Bar("sheaf", 1, 1, 1, own=True), Bar("b", 2, 2, 2), Bar("c", 90, 90, 90)])
        self.assertEqual(charts.length(panel), 6)
        self.assertEqual(charts.bars("", [panel]).count("<polygon"), 1)
        self.assertEqual(charts.length(Panel("", panel.bars[1:])), 90)

    def test_has_colours_for_light_and_dark(self):
        self.assertEqual(charts.style().count("prefers-color-scheme: dark"), 1)
        self.assertEqual(charts.colours(charts.LIGHT).count("{"), charts.colours(charts.DARK).count("{"))

    def test_has_ticks_that_are_round(self):
        self.assertEqual(charts.ticks(9.6), [0, 2, 4, 6, 8])
        self.assertEqual(charts.ticks(0.66), [0, 0.2, 0.4, 0.6])
        self.assertEqual(charts.ticks(10), [0, 2, 4, 6, 8, 10])
        self.assertEqual(charts.log_ticks(3, 40), [1, 2, 5, 10, 20, 50, 100])

    def test_says_numbers_in_three_figures(self):
        table = {0: "0", 0.24: "0.24", 1.2345: "1.23", 12.345: "12.3", 1024: "1024", 65536: "65.5k", 2e6: "2M"}
        self.assertEqual({value: charts.short(value) for value in table}, table)
        self.assertEqual(charts.figures(0.24), "0.240")

    def test_colours_ratios_by_steps(self):
        self.assertEqual([charts.heat(ratio) for ratio in (0.5, 0.7, 0.9, 1, 1.1, 1.4, 3)], list(range(7)))

    def test_draws_how_costs_grow_with_the_file(self):
        rows = [
            {
                "bytes": 2**20 << step, "connections": connections, "requests": step + 1, "decisions": 6,
                "cpu_microseconds_per_decision": 1.5, "manifest_bytes": 4096 * step,
            }
            for connections in (1, 16) for step in (0, 4, 8)
        ]  # fmt: skip
        survey = {"distributions": {"ratio": {"quantiles": [1, 1.01, 1.3]}}}
        contests = [
            {"contenders": [{"samples": [{"figures": {"said": said}}, {"figures": {}}]}]} for said in (survey, rows)
        ]
        drawn = simulated.charts({"contests": contests})
        self.assertEqual(
            sorted(drawn), ["cpu-microseconds-per-decision", "manifest-bytes", "ratio", "requests"]
        )  # fmt: skip
        for text in drawn.values():
            self.assertTrue(xml.fromstring(text).tag.endswith("svg"))
        self.assertIn("16 connections", drawn["requests"])
