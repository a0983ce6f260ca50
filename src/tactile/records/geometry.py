"""Points and extents in physical pixels on the virtual desktop."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One physical pixel of the virtual desktop."""

    x: int
    y: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Extents:
    """A rectangle; `width` and `height` may be 0 for things that are not drawn.

    Units:
        Physical px on the virtual desktop, unless the field that holds it says otherwise.
    """

    x: int
    y: int
    width: int
    height: int

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing of it can be hit."""
        return self.width <= 0 or self.height <= 0

    @property
    def center(self) -> Point:
        """Return the pixel in the middle, always inside a non-empty rectangle."""
        return Point(x=self.x + max(self.width - 1, 0) // 2, y=self.y + max(self.height - 1, 0) // 2)

    def contains(self, point: Point) -> bool:
        """Tell whether the pixel lies inside."""
        return self.x <= point.x < self.x + self.width and self.y <= point.y < self.y + self.height

    def intersect(self, other: Extents) -> Extents:
        """Return the common part; empty (0x0) when there is none."""
        left, top = max(self.x, other.x), max(self.y, other.y)
        right = min(self.x + self.width, other.x + other.width)
        bottom = min(self.y + self.height, other.y + other.height)
        if right <= left or bottom <= top:
            return Extents(x=left, y=top, width=0, height=0)
        return Extents(x=left, y=top, width=right - left, height=bottom - top)

    def shifted(self, dx: int, dy: int) -> Extents:
        """Return the same rectangle moved by (dx, dy)."""
        return Extents(x=self.x + dx, y=self.y + dy, width=self.width, height=self.height)

    def scaled(self, factor: float) -> Extents:
        """Return the rectangle with every number multiplied and rounded."""
        return Extents(
            x=round(self.x * factor),
            y=round(self.y * factor),
            width=round(self.width * factor),
            height=round(self.height * factor),
        )
