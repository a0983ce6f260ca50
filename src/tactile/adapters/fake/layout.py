"""Where the widgets of a window are: a column, unless a widget names its own place."""

from __future__ import annotations

from tactile.adapters.fake.model import FakeWindow, Widget
from tactile.records.geometry import Extents, Point
from tactile.records.vocabulary import State

LINE, GAP, WIDTH, MARGIN = 24, 6, 200, 10  # px


def layout(window: FakeWindow) -> dict[Widget, Extents]:
    """Return the whole extents of every widget, in screen px; scrolled-away rows are included."""
    places: dict[Widget, Extents] = {window: window.client}
    y = window.client.y + MARGIN
    for child in window.children:
        y = _lay(child, window.client.x + MARGIN, y, window, places)
    return places


def _lay(widget: Widget, x: int, y: int, window: FakeWindow, places: dict[Widget, Extents]) -> int:
    """Place a widget and what is in it; return where the next one goes."""
    fixed = widget.place.shifted(window.client.x, window.client.y) if widget.place else None
    left, top = (fixed.x, fixed.y) if fixed else (x, y)
    places[widget] = fixed or Extents(x=left, y=top, width=WIDTH, height=LINE)  # before its children: parents first
    below = top - widget.offset
    for child in widget.children:
        below = _lay(child, left, below, window, places)
    if fixed is None and widget.children:
        height = widget.height if widget.height is not None else below - top
        places[widget] = Extents(x=left, y=top, width=WIDTH, height=height)
    return y if fixed else y + places[widget].height + GAP


def widget_at(window: FakeWindow, point: Point) -> Widget:
    """Return the innermost widget that shows at a pixel of the window."""
    places = layout(window)
    found: Widget = window
    while True:
        inner = [child for child in found.children if State.SHOWING in child.states and places[child].contains(point)]
        if not inner:
            return found
        found = inner[-1]
