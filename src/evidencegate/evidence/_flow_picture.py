"""The flow diagram as SVG: boxes of text and arrows, readable without style sheets, scripts or fonts of ours."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from evidencegate.evidence._flow import Flow

_WIDTH, _BOX, _GAP, _LINE, _PAD = 760, 340, 40, 18, 12
_CHARACTERS = 46  # of a line that fits into a box at 13 px


def picture(flow: "Flow") -> str:
    """`flow` as one SVG document. Every text in it is escaped; nothing is loaded from elsewhere."""
    identified = [f"Records identified: {sum(flow.identified.values())}"]
    identified += [f"{source}: {count}" for source, count in flow.identified.items()]
    identified += [f"From curated packs: {flow.other}"] if flow.other else []
    identified += [f"Searches without an answer: {len(flow.unanswered)}"] if flow.unanswered else []
    left = [identified, [f"Records screened: {flow.screened}"], [f"Included in the answer: {flow.included}"]]
    excluded = [f"Excluded: {sum(flow.excluded.values())}"]
    excluded += [f"{reason}: {count}" for reason, count in flow.excluded.items()]
    excluded += [f"Relevant, not cited: {flow.not_cited}"]
    right = [[f"Duplicates removed: {flow.duplicates}"], excluded, []]
    shapes: list[str] = []
    top = _GAP
    for n, (main, side) in enumerate(zip(left, right, strict=True)):
        boxes = [_wrapped(main), _wrapped(side)]
        height = max(map(_height, boxes))
        shapes.append(_box(20, top, boxes[0], height))
        if side:
            shapes.append(_box(_WIDTH - _BOX - 20, top, boxes[1], height))
            shapes.append(_arrow(20 + _BOX, top + height / 2, _WIDTH - _BOX - 20, top + height / 2))
        if n < len(left) - 1:
            shapes.append(_arrow(20 + _BOX / 2, top + height, 20 + _BOX / 2, top + height + _GAP))
        top += height + _GAP
    told = f"{identified[0]}; {right[0][0].lower()}; {left[1][0].lower()}; {excluded[0].lower()}; {left[2][0].lower()}."
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {top}" width="{_WIDTH}" height="{top}" '
        'role="img" aria-labelledby="flow-title flow-text" font-family="sans-serif" font-size="13">'
        f'<title id="flow-title">Flow of records</title><desc id="flow-text">{escape(told)}</desc>'
        '<defs><marker id="flow-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" '
        'orient="auto"><path d="M0 0 8 4 0 8z" fill="#333"/></marker></defs>'
        f'<rect width="{_WIDTH}" height="{top}" fill="#fff"/>{"".join(shapes)}</svg>'
    )


def _wrapped(lines: Sequence[str]) -> list[str]:
    return [part for line in lines for part in textwrap.wrap(line, _CHARACTERS, subsequent_indent="  ")]


def _height(lines: Sequence[str]) -> int:
    return len(lines) * _LINE + 2 * _PAD


def _box(x: float, y: float, lines: Sequence[str], height: float) -> str:
    text = "".join(
        f'<text x="{x + _PAD}" y="{y + _PAD + (n + 0.75) * _LINE}" fill="#111"'
        f'{" font-weight=" + chr(34) + "bold" + chr(34) if n == 0 else ""} xml:space="preserve">{escape(line)}</text>'
        for n, line in enumerate(lines)
    )
    frame = f'<rect x="{x}" y="{y}" width="{_BOX}" height="{height}" rx="4" fill="#f7f7f7" stroke="#333"/>'
    return frame + text


def _arrow(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#333" marker-end="url(#flow-arrow)"/>'
