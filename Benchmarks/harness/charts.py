"""Charts as SVG, for light and dark pages: bars with whiskers, a grid of ratios, and curves.

Each of them is a text that stands alone. What it looks like is in one style sheet, in which a viewer that prefers dark
finds other colours; a viewer that knows no such thing sees the light ones on their own ground.
"""

import math
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

WIDTH = 760
MARGIN = 16
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
#: The width of a character against the size of its type, on average and rather too wide.
CHARACTER = 0.58

LIGHT = {
    "ground": "#ffffff", "text": "#1f2328", "faint": "#59636e", "rule": "#d8dee4",
    "own": "#0969da", "peer": "#a3adb8",
    "series": ["#0969da", "#bc4c00", "#1a7f37", "#8250df", "#9a6700", "#57606a"],
    "heat": ["#4a97e8", "#8fc1f5", "#cbe3fb", "#eaeef2", "#ffe0c2", "#ffb778", "#f08a35"],
}  # fmt: skip
DARK = {
    "ground": "#0d1117", "text": "#e6edf3", "faint": "#9198a1", "rule": "#30363d",
    "own": "#4493f8", "peer": "#5c6570",
    "series": ["#58a6ff", "#f0883e", "#3fb950", "#bc8cff", "#d29922", "#8b949e"],
    "heat": ["#1f6feb", "#1a4f9c", "#16345f", "#2a3038", "#5a3310", "#8a4a12", "#b85f14"],
}  # fmt: skip
#: Ratios at which the grid's colour changes.
STEPS = [0.6, 0.8, 0.95, 1.05, 1.25, 1.67]


@dataclass(frozen=True)
class Bar:
    """One row; without a median it says why in `words`."""

    label: str
    low: float = 0
    median: float | None = None
    high: float = 0
    own: bool = False
    words: str = ""


@dataclass(frozen=True)
class Panel:
    """Bars on a scale of their own."""

    title: str
    bars: list[Bar]
    unit: str = "s"


@dataclass(frozen=True)
class Block:
    """A part of the grid: `cells` by row and column, each a ratio and what stands below it."""

    title: str
    rows: list[str]
    columns: list[str]
    cells: dict[tuple[int, int], tuple[float, str]]


@dataclass(frozen=True)
class Series:
    """One curve: x, low, median, high for each point, by rising x."""

    name: str
    points: list[tuple[float, float, float, float]] = field(default_factory=list)


class Canvas:
    """Collects elements; coordinates are pixels from the top left."""

    def __init__(self, title: str, words: str = ""):
        self.title, self.elements, self.height = title, [], 0.0
        self.text(MARGIN, 28, title, "title")
        self.height = 38
        if words:
            self.text(MARGIN, 46, words, "small faint")
            self.height = 56

    def add(self, element: str) -> None:
        self.elements.append(element)

    def text(self, x: float, y: float, words: str, look: str = "", anchor: str = "start") -> None:
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" class="{look}" text-anchor="{anchor}">{escape(words)}</text>')

    def line(self, x1: float, y1: float, x2: float, y2: float, look: str) -> None:
        self.add(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{look}"/>')

    def box(self, x: float, y: float, width: float, height: float, look: str) -> None:
        size = f'width="{max(width, 0.5):.1f}" height="{height:.1f}"'
        self.add(f'<rect x="{x:.1f}" y="{y:.1f}" {size} rx="2" class="{look}"/>')

    def svg(self) -> str:
        height = math.ceil(self.height + MARGIN)
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            f'role="img" aria-label="{escape(self.title, {chr(34): "&quot;"})}">',
            f"<title>{escape(self.title)}</title>",
            f"<style>\n{style()}</style>",
            f'<rect width="{WIDTH}" height="{height}" rx="6" class="ground"/>',
            *self.elements,
            "</svg>\n",
        ])  # fmt: skip


def style(dark: bool | None = None) -> str:
    """The style sheet: both looks, the viewer to choose; or just one of them."""
    fixed = (
        f"text {{ font: 13px {FONT}; }}\n.title {{ font-size: 16px; font-weight: 600; }}\n"
        ".head { font-weight: 600; }\n.small { font-size: 11.5px; }\n.big { font-size: 15px; font-weight: 600; }\n"
        ".rule { stroke-width: 1; }\n.whisker { stroke-width: 1.5; }\n.curve { fill: none; stroke-width: 2; }\n"
    )
    if dark is not None:
        return fixed + colours(DARK if dark else LIGHT)
    return f"{fixed}{colours(LIGHT)}@media (prefers-color-scheme: dark) {{\n{colours(DARK)}}}\n"


def colours(palette: dict) -> str:
    rules = [
        f".ground {{ fill: {palette['ground']}; }}", f"text {{ fill: {palette['text']}; }}",
        f".faint {{ fill: {palette['faint']}; }}", f".rule {{ stroke: {palette['rule']}; }}",
        f".own {{ fill: {palette['own']}; }}", f".peer {{ fill: {palette['peer']}; }}",
        f".whisker {{ stroke: {palette['text']}; }}",
    ]  # fmt: skip
    for number, colour in enumerate(palette["series"]):
        rules.append(f".s{number} {{ stroke: {colour}; }}\n.f{number} {{ fill: {colour}; }}")
    rules += [f".h{number} {{ fill: {colour}; }}" for number, colour in enumerate(palette["heat"])]
    return "".join(f"{rule}\n" for rule in rules)


def bars(title: str, panels: list[Panel], words: str = "") -> str:
    """Medians as bars, smallest and largest as whiskers, a panel below the other."""
    if any(bar.median and bar.median > length(panel) for panel in panels for bar in panel.bars):
        words += "; a bar with a gap is longer than there is room for"
    canvas = Canvas(title, words)
    labels = [bar.label for panel in panels for bar in panel.bars]
    left = MARGIN + max((len(label) for label in labels), default=0) * 13 * CHARACTER + 10
    right = WIDTH - MARGIN - 150
    for panel in panels:
        canvas.height += 12
        if panel.title:
            canvas.text(MARGIN, canvas.height + 12, panel.title, "head")
            canvas.height += 22
        top = canvas.height
        longest = length(panel)
        scale = (right - left) / longest
        bottom = top + 24 * len(panel.bars)
        for tick in ticks(longest)[1:]:
            canvas.line(left + tick * scale, top, left + tick * scale, bottom, "rule")
            canvas.text(left + tick * scale, bottom + 14, short(tick), "small faint", "middle")
        for bar in panel.bars:
            y = canvas.height
            canvas.text(left - 8, y + 16, bar.label, "head" if bar.own else "", "end")
            if bar.median is None:
                canvas.text(left + 4, y + 16, bar.words or "no run that counts", "faint")
            else:
                canvas.box(left, y + 4, min(bar.median, longest) * scale, 16, "own" if bar.own else "peer")
                if bar.median > longest:
                    gap = [(-18, 22), (-10, 2), (-5, 2), (-13, 22)]
                    points = " ".join(f"{right + x:.1f},{y + down:.1f}" for x, down in gap)
                    canvas.add(f'<polygon points="{points}" class="ground"/>')
                elif bar.high > bar.low:
                    low, high = left + bar.low * scale, left + min(bar.high, longest) * scale
                    canvas.line(low, y + 12, high, y + 12, "whisker")
                    for end in (low, high):
                        canvas.line(end, y + 8, end, y + 16, "whisker")
                spread = f"  ({figures(bar.low)}–{figures(bar.high)})" if bar.high > bar.low else ""
                end = left + min(bar.high, longest) * scale
                canvas.text(end + 8, y + 16, f"{figures(bar.median)} {panel.unit}{spread}")
            canvas.height += 24
        canvas.line(left, top, left, bottom, "rule")
        canvas.height = bottom + 22
    return canvas.svg()


def length(panel: Panel) -> float:
    """What the scale ends with: the longest time, but so that our own can still be seen beside it."""
    times = [bar.high for bar in panel.bars if bar.median is not None]
    own = [bar.high for bar in panel.bars if bar.median is not None and bar.own]
    return min(max(times), 6 * max(own)) if own else max(times, default=0) or 1


def grid(title: str, blocks: list[Block], words: str = "") -> str:
    """Ratios in cells: blue where they are below one, orange above; blocks two to a row."""
    canvas = Canvas(title, words)
    wide = max((len(row) for block in blocks for row in block.rows), default=0) * 13 * CHARACTER + 12
    part = (WIDTH - 2 * MARGIN - 24) / 2
    top = canvas.height
    for number, block in enumerate(blocks):
        x = MARGIN + (number % 2) * (part + 24)
        if number % 2 == 0:
            top = canvas.height + 14
        canvas.text(x, top + 12, block.title, "head")
        cell = (part - wide) / max(1, len(block.columns))
        for column, heading in enumerate(block.columns):
            canvas.text(x + wide + (column + 0.5) * cell, top + 34, heading, "small faint", "middle")
        for row, heading in enumerate(block.rows):
            y = top + 42 + row * 46
            canvas.text(x + wide - 8, y + 26, heading, "small faint", "end")
            for column in range(len(block.columns)):
                at = x + wide + column * cell
                if (row, column) not in block.cells:
                    canvas.text(at + cell / 2, y + 26, "–", "faint", "middle")
                    continue
                ratio, below = block.cells[row, column]
                canvas.box(at + 1, y + 1, cell - 2, 44, f"h{heat(ratio)}")
                canvas.text(at + cell / 2, y + 21, f"{ratio:.2f}", "big", "middle")
                canvas.text(at + cell / 2, y + 37, below, "small", "middle")
        canvas.height = max(canvas.height, top + 42 + len(block.rows) * 46)
    y, x = canvas.height + 20, float(MARGIN)
    for step, colour in enumerate(["below 0.6", "0.6–0.8", "0.8–0.95", "even", "1.05–1.25", "1.25–1.67", "above"]):
        canvas.box(x, y, 14, 14, f"h{step}")
        canvas.text(x + 20, y + 11.5, colour, "small faint")
        x += 102
    canvas.height = y + 16
    return canvas.svg()


def heat(ratio: float) -> int:
    return sum(ratio >= step for step in STEPS)


def lines(
    title: str, x_label: str, y_label: str, series: list[Series], log_x: bool = True, log_y: bool = False,
    words: str = "",
) -> str:  # fmt: skip
    """Curves of medians with whiskers from the smallest to the largest, each named at its end."""
    canvas = Canvas(title, words)
    series = [each for each in series if each.points]
    xs = sorted({point[0] for each in series for point in each.points})
    highs = [point[3] for each in series for point in each.points]
    lows = [point[1] for each in series for point in each.points]
    if not xs:
        return canvas.svg()
    longest = max(len(each.name) for each in series)
    left, right = MARGIN + 62, WIDTH - MARGIN - max(60, longest * 13 * CHARACTER + 14)
    top, bottom = canvas.height + 30, canvas.height + 330
    across = scale_of(xs[0], xs[-1], left + 12, right - 12, log_x)
    y_ticks = log_ticks(min(lows), max(highs)) if log_y else ticks(max(highs))
    up = scale_of(y_ticks[0], max(y_ticks[-1], max(highs)), bottom, top, log_y)
    canvas.text(MARGIN, top - 12, y_label, "small faint")
    for tick in y_ticks:
        canvas.line(left, up(tick), right, up(tick), "rule")
        canvas.text(left - 8, up(tick) + 4, short(tick), "small faint", "end")
    x_ticks = xs if len(xs) <= 12 else log_ticks(xs[0], xs[-1]) if log_x else ticks(xs[-1])
    taken = -math.inf
    for tick in x_ticks:
        if across(tick) - taken < len(short(tick)) * 12 * CHARACTER + 8:
            continue
        taken = across(tick)
        canvas.line(taken, bottom, taken, bottom + 4, "rule")
        canvas.text(taken, bottom + 18, short(tick), "small faint", "middle")
    canvas.text((left + right) / 2, bottom + 38, x_label, "small faint", "middle")

    ends = []
    for number, each in enumerate(series):
        look = number % len(LIGHT["series"])
        places = [(across(x), up(low), up(middle), up(high)) for x, low, middle, high in each.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, _, y, _ in places)
        canvas.add(f'<polyline points="{path}" class="curve s{look}"/>')
        for x, low, y, high in places:
            if abs(low - high) > 1:
                canvas.line(x, low, x, high, f"whisker s{look}")
            canvas.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" class="f{look}"/>')
        ends.append((places[-1][2], places[-1][0], look, each.name))
    beneath = -math.inf
    for y, x, look, name in sorted(ends):
        beneath = max(y + 4, beneath + 16)
        canvas.text(right + 4, beneath, name, f"f{look}")
        if beneath - y > 8 or right - x > 20:
            canvas.line(x + 6, y, right, beneath - 4, "rule")
    canvas.height = max(bottom + 44, beneath + 4)
    return canvas.svg()


def scale_of(first: float, last: float, start: float, end: float, logarithmic: bool):
    """A function from values to pixels."""
    place = math.log if logarithmic else float
    low, high = place(first), place(last)
    span = high - low or 1.0
    return lambda value: start + (place(value) - low) / span * (end - start)


def ticks(longest: float, about: int = 5) -> list[float]:
    """Round numbers from 0 up to `longest` at most."""
    rough = longest / about
    power = 10 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
    return [round(number * step, 12) for number in range(math.floor(longest / step * 1.0001) + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten around both, with 2 and 5 between them where they are few."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    factors = (1, 2, 5) if last - first <= 3 else (1,)
    return [factor * 10.0**power for power in range(first, last) for factor in factors] + [10.0**last]


def figures(value: float) -> str:
    """Three figures that count, zeros among them."""
    digits = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:.{min(max(digits, 0), 6)}f}"


def short(value: float) -> str:
    """Three figures that count, no exponent; thousands and more in words of one letter."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e4)):
        if abs(value) >= size:
            return f"{value / (1e3 if unit == 'k' else size):.3g}{unit}"
    if value == round(value):
        return f"{value:.0f}"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:.{min(digits, 6)}f}".rstrip("0").rstrip(".")
