"""Two plots as SVG files, drawn here: no plotting library for a few lines."""

from collections.abc import Sequence
from html import escape

from evidencegate.evaluate._calibration import Calibration, Point

_SIZE, _EDGE = 320, 44


def _at(x: float, y: float) -> tuple[float, float]:
    span = _SIZE - 2 * _EDGE
    return round(_EDGE + x * span, 1), round(_SIZE - _EDGE - y * span, 1)


def _frame(title: str, across: str, up: str, inside: str) -> str:
    low, high = _EDGE, _SIZE - _EDGE
    ticks = "".join(
        f'<text x="{_at(v, 0)[0]}" y="{high + 14}" text-anchor="middle">{v:g}</text>'
        f'<text x="{low - 6}" y="{_at(0, v)[1] + 3}" text-anchor="end">{v:g}</text>'
        for v in (0.0, 0.25, 0.5, 0.75, 1.0)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SIZE}" height="{_SIZE}" role="img" '
        f'aria-label="{escape(title)}" font-family="sans-serif" font-size="10">'
        f'<rect width="{_SIZE}" height="{_SIZE}" fill="white"/>'
        f'<text x="{_SIZE / 2}" y="18" text-anchor="middle" font-size="12">{escape(title)}</text>'
        f'<rect x="{low}" y="{low}" width="{high - low}" height="{high - low}" fill="none" stroke="#888"/>'
        f"{ticks}{inside}"
        f'<text x="{_SIZE / 2}" y="{_SIZE - 8}" text-anchor="middle">{escape(across)}</text>'
        f'<text x="12" y="{_SIZE / 2}" text-anchor="middle" transform="rotate(-90 12 {_SIZE / 2})">{escape(up)}</text>'
        "</svg>\n"
    )


def reliability_svg(title: str, calibration: Calibration) -> str:
    """Accuracy against confidence; the diagonal is perfect calibration, a dot's area grows with its bin."""
    most = max((b.n for b in calibration.bins), default=1)
    (x0, y0), (x1, y1) = _at(0, 0), _at(1, 1)
    inside = f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" stroke="#bbb" stroke-dasharray="4 3"/>'
    for b in calibration.bins:
        x, y = _at(b.confidence, b.accuracy)
        radius = 2 + 7 * (b.n / most) ** 0.5
        inside += f'<circle cx="{x}" cy="{y}" r="{radius:.1f}" fill="#2b6cb0" fill-opacity="0.7"/>'
    return _frame(f"{title}: ECE {calibration.ece:.3f}", "confidence", "accuracy", inside)


def curves_svg(title: str, curves: Sequence[tuple[str, str, Sequence[Point]]]) -> str:
    """Precision against the share covered, one line a label; `curves` holds (label, colour, points)."""
    inside = ""
    for index, (label, colour, points) in enumerate(curves):
        line = " ".join(f"{x},{y}" for x, y in (_at(p.recall, p.precision) for p in points if p.calls >= 5))
        inside += f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
        inside += f'<text x="{_EDGE + 6}" y="{_SIZE - _EDGE - 8 - 12 * index}" fill="{colour}">{escape(label)}</text>'
    return _frame(title, "share of true cases covered", "precision", inside)
