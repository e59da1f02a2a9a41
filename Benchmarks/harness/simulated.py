"""What a saved run of `sheaf-simulate` has to draw."""

from .charts import Series, lines


def series(scenario: dict) -> dict[str, list[tuple[float, float]]]:
    """What a record of this scenario has to draw, by name: points of time ÷ ideal over the share of cases that are no
    slower, and for each quantity and number of connections its growth over the file's bytes."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for said in (sample["figures"]["said"] for each in scenario["contests"] for sample in last_samples(each)):
        if isinstance(said, dict):
            for name, values in said["distributions"].items():
                lines[name] = [(share / 100, value) for share, value in enumerate(values["quantiles"])]
            continue
        for row in said:
            for name, value in row.items():
                if name not in ("bytes", "connections"):
                    lines.setdefault(f"{name}, {row['connections']} connections", []).append((row["bytes"], value))
    return lines


def last_samples(contest: dict) -> list[dict]:
    """The last good sample of each contender: rounds differ in nothing but CPU time."""
    good = [[sample for sample in each["samples"] if "said" in sample["figures"]] for each in contest["contenders"]]
    return [samples[-1] for samples in good if samples]


#: What grows: the name of the value, the chart's title, the axis' label, its scale, and whether the axis is logarithmic.
GROWTH = [
    ("cpu_microseconds_per_decision", "What a decision of the planner costs", "µs of CPU time", 1, False),
    ("manifest_bytes", "The manifest", "KiB", 1 / 1024, False),
    ("requests", "Requests for a file", "requests", 1, True),
]


def charts(scenario: dict) -> dict[str, str]:
    """Charts by the ends of their names: the distribution of time ÷ ideal, and how costs grow with the file."""
    found = series(scenario)
    drawn = {}
    if ratio := found.get("ratio"):
        curve = [Series("all cases", [(100 * share, value, value, value) for share, value in ratio])]
        drawn["ratio"] = lines(
            "Simulated time ÷ ideal time", "% of the cases that are no slower", "times the ideal", curve, log_x=False,
            log_y=True,
        )  # fmt: skip
    for name, title, unit, scale, is_log in GROWTH:
        curves = [
            Series(label.partition(", ")[2], [(size / 2**20, *[scale * value] * 3) for size, value in points])
            for label, points in found.items()
            if label.startswith(f"{name}, ")
        ]
        if name == "manifest_bytes":
            # The number of connections has no part in it, and small files have none.
            curves = [Series("", [point for point in curves[0].points if point[1] > 0])] if curves else []
        if curves:
            drawn[name.replace("_", "-")] = lines(title, "MiB of the file", unit, curves, log_y=is_log)
    return drawn
