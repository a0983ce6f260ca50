"""Find how many device px one toolkit px has, from toplevels and the windows that draw them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tactile.records import Accessible, Coordinates, Extents, NativeRef, Window

WHOLE = (1.0, 2.0, 3.0, 4.0)  # GTK on X11 knows no others
SIMPLE = (1.0, 2.0, 1.5, 1.25, 1.75, 3.0, 2.5, 2.25, 4.0)  # what settings dialogs offer, likeliest first
# Sixteenths (KDE) and twentieths (Chromium's and GNOME's percentages), looked at when no simple one fits.
# Neighbours are 1/80 apart: small windows may fit both, and then either puts what is in them to the same px, nearly.
FINE = tuple(sorted({*(n / 16 for n in range(16, 65)), *(n / 20 for n in range(20, 81))} - set(SIMPLE)))
FACTORS = (*SIMPLE, *FINE)
SHADOW_MAX = 80  # toolkit px of client-side shadow on both sides together; GTK 4's default theme has 52


@dataclass(frozen=True, slots=True, kw_only=True)
class Scales:
    """Device px per toolkit px.

    Attributes:
        by_toplevel: Of each toplevel whose window agrees with some factor.
        shared: What holds for the rest of the process, such as popups; None when its windows differ or none agrees.
    """

    by_toplevel: Mapping[NativeRef, float]
    shared: float | None


def scales(pairs: Sequence[tuple[Accessible, Window | None]]) -> Scales:
    """Find the factor of each toplevel that has a window.

    All windows of a process are usually drawn with one factor, so of several that fit a window the one that fits most
    windows is taken; a factor that a window contradicts is never taken for it.

    Args:
        pairs: Toplevels and their windows.

    Returns:
        Nothing for a toplevel whose reported place and size fit its window with no factor: it was moved while it was
        read, or the toolkit does not say the truth.
    """
    fitting = {
        item.ref: found
        for item, window in pairs
        if window is not None and item.extents is not None and (found := factors(item, window))
    }
    votes = Counter(factor for found in fitting.values() for factor in found)
    order = sorted(votes, key=lambda factor: (-votes[factor], FACTORS.index(factor)))
    chosen = {ref: min(found, key=order.index) for ref, found in fitting.items()}
    used = set(chosen.values())
    return Scales(by_toplevel=chosen, shared=used.pop() if len(used) == 1 else None)


def factors(item: Accessible, window: Window) -> tuple[float, ...]:
    """Return the factors with which a toplevel's extents fit its window, likeliest first.

    Source:
        GDK_SCALE, QT_SCALE_FACTOR, QT_SCREEN_SCALE_FACTORS and Chromium's --force-device-scale-factor make the toolkit
        report its own px (measured at 1.25, 1.5 and 2); QT_FONT_DPI changes fonts only.
    """
    frame = item.extents
    if frame is None or frame.is_empty or window.is_minimised:
        return ()
    if item.coordinates is not Coordinates.SCREEN:
        return _by_size(frame, window)
    return (
        tuple(factor for factor in SIMPLE if is_at(frame, factor, window))
        or tuple(factor for factor in FINE if is_at(frame, factor, window))
        or tuple(factor for factor in SIMPLE if _is_within(frame, factor, window.extents))
    )


def is_at(frame: Extents, factor: float, window: Window) -> bool:
    """Tell whether scaled extents are the window's client area or its whole, up to the rounding of the toolkit."""
    return any(_is_same(frame, factor, real) for real in (window.extents, window.outer))


def _is_same(frame: Extents, factor: float, real: Extents) -> bool:
    slack = factor + 1 if factor != 1.0 else 1.0  # px: the toolkit rounded place and size to its own px
    told, true = (frame.x, frame.y, frame.width, frame.height), (real.x, real.y, real.width, real.height)
    return all(abs(factor * a - b) <= slack for a, b in zip(told, true, strict=True))


def _is_within(frame: Extents, factor: float, client: Extents) -> bool:
    """Tell whether the toplevel lies in the window with the same margin on both sides.

    Source:
        Firefox leaves out its border of 5 px (measured).
    """
    slack = factor + 1
    left, top = factor * frame.x - client.x, factor * frame.y - client.y
    right = client.width - factor * frame.width - left
    bottom = client.height - factor * frame.height - top
    is_inside = all(-slack <= margin <= factor * SHADOW_MAX / 2 for margin in (left, top, right, bottom))
    return is_inside and abs(left - right) <= slack


def _by_size(frame: Extents, window: Window) -> tuple[float, ...]:
    """Return the whole factors that leave no more than shadows around the frame, which says nothing of its place.

    The ratio of the sizes would take the shadows of a small window for a scale: 208 px within 260 is no 1.25.
    """
    exact = tuple(factor for factor in WHOLE if _has_size(frame, factor, window.outer))
    client = window.extents
    exact = exact or tuple(factor for factor in WHOLE if _has_size(frame, factor, client))
    missing = {factor: (client.width - factor * frame.width, client.height - factor * frame.height) for factor in WHOLE}
    return exact or tuple(
        factor for factor, pixels in missing.items() if all(0 <= one <= factor * SHADOW_MAX for one in pixels)
    )


def _has_size(frame: Extents, factor: float, real: Extents) -> bool:
    return (factor * frame.width, factor * frame.height) == (real.width, real.height)


def scaled(extents: Extents, factor: float) -> Extents:
    """Return the rectangle with its edges multiplied and rounded, so that neighbours still touch."""
    if factor == 1.0:
        return extents
    left, top = round(extents.x * factor), round(extents.y * factor)
    right, bottom = round((extents.x + extents.width) * factor), round((extents.y + extents.height) * factor)
    return Extents(x=left, y=top, width=right - left, height=bottom - top)
