"""How many px of the screen one toolkit px has: from windows, never from a guess."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactile.compile.place import place
from tactile.compile.scale import FACTORS, SIMPLE, scaled, scales
from tactile.compile.toplevels import match_windows
from tactile.records import Coordinates, Extents, Geometry, Monitor, Role, Screen
from tests.unit.building import accessible, box, frame, native, observation, window


@given(
    st.sampled_from(FACTORS),
    st.builds(
        Extents,
        x=st.integers(-300, 2000),
        y=st.integers(0, 1500),
        width=st.integers(220, 1900),
        height=st.integers(90, 999),
    ),
)
def test_the_factor_by_which_a_window_was_drawn_is_found_or_one_as_good(factor: float, told: Extents) -> None:
    """Whatever the toolkit rounds: any factor that desktops offer, any window that a person would use."""
    drawn = window(title="Notes", extents=scaled(told, factor))

    found = scales([(frame(extents=told), drawn)])

    assert found.shared is not None
    again, slack = scaled(told, found.shared), factor + 2
    assert all(
        abs(getattr(again, side) - getattr(drawn.extents, side)) <= slack for side in ("x", "y", "width", "height")
    )
    assert found.shared == factor or factor not in SIMPLE


@pytest.mark.parametrize(
    ("told", "drawn", "factor"),
    [
        (box(147, 80, 677, 492), box(221, 120, 1016, 738), 1.5),  # Qt 5.15, QT_SCALE_FACTOR=1.5
        (box(267, 158, 961, 721), box(334, 198, 1201, 901), 1.25),  # Qt 6, the same of 1.25
        (box(150, 90, 900, 700), box(225, 135, 1350, 1050), 1.5),  # Chromium
        (box(750, 450, 900, 700), box(745, 445, 910, 710), 1.0),  # Firefox leaves out its border
        (box(150, 50, 900, 700), box(290, 90, 1820, 1420), 2.0),  # Firefox, GDK_SCALE=2
    ],
)
def test_measured_windows_have_the_factor_they_were_started_with(told: Extents, drawn: Extents, factor: float) -> None:
    """Measured on Debian 12."""
    assert scales([(frame(extents=told), window(extents=drawn))]).shared == factor


@pytest.mark.parametrize("drawn", [box(140, 100, 400, 300), box(100, 100, 400, 600), box(100, 100, 640, 300)])
def test_a_window_that_no_factor_explains_has_no_place(drawn: Extents) -> None:
    """It was moved or resized while it was read: half of what was told may be from before."""
    seen = observation(accessible("/ok", Role.BUTTON, "OK"), windows=(window(extents=drawn),))

    placed = place(seen)[native("/ok")]

    assert (placed.full, placed.geometry) == (None, Geometry.UNKNOWN)


def test_a_popup_shares_the_scale_of_its_application_and_finds_its_window_by_it() -> None:
    """Found by measuring: a GTK 3 combo list at GDK_SCALE=2 was placed at half of its place and called exact."""
    tops = [
        frame(extents=box(110, 60, 688, 553)),
        accessible("/list", Role.WINDOW, parent=None, extents=box(321, 451, 210, 95)),
    ]
    option = accessible(
        "/list/1", Role.MENU_ITEM, "Acme", parent="/list", toplevel="/list", extents=box(321, 455, 210, 29)
    )
    popup = window(2, "", is_popup=True, extents=box(642, 902, 420, 190))
    form = window(1, extents=box(221, 140, 1374, 1080), outer=box(220, 120, 1376, 1105))
    seen = observation(*tops, option, windows=(form, popup), screen=Screen(width=2400, height=1600))

    placed = place(seen)[native("/list/1")]

    assert (placed.full, placed.geometry, placed.window) == (box(642, 910, 420, 58), Geometry.DERIVED, popup)


def test_two_windows_of_one_title_and_scale_two_are_told_apart_by_where_they_are() -> None:
    """As at scale 1."""
    tops = [frame("Same", "/a", extents=box(50, 50, 200, 150)), frame("Same", "/b", extents=box(300, 50, 200, 150))]
    windows = (window(1, "Same", extents=box(600, 100, 400, 300)), window(2, "Same", extents=box(100, 100, 400, 300)))

    assert [found.native_id if found else None for _, found in match_windows(tops, windows)] == [2, 1]


def test_two_gtk4_windows_of_one_title_are_told_apart_by_size() -> None:
    """Their places are not told, but only one has each size."""
    inside = {"coordinates": Coordinates.WINDOW}
    tops = [
        frame("Same", "/a", extents=box(0, 0, 420, 310), **inside),
        frame("Same", "/b", extents=box(0, 0, 400, 300), **inside),
    ]
    windows = (window(1, "Same", extents=box(9, 9, 400, 300)), window(2, "Same", extents=box(9, 9, 420, 310)))

    assert [found.native_id if found else None for _, found in match_windows(tops, windows)] == [2, 1]


def test_a_document_of_chromium_counts_px_of_the_screen_in_a_window_that_does_not() -> None:
    """Measured at 1.5: the page's button was placed 145 px off; the browser's own buttons are in its own px."""
    items = (
        frame(extents=box(150, 90, 900, 700)),
        accessible("/back", Role.BUTTON, "Back", extents=box(170, 140, 30, 30)),
        accessible("/page", Role.DOCUMENT, "Marks", extents=box(231, 349, 1338, 830)),
        accessible("/page/go", Role.BUTTON, "Go", parent="/page", extents=box(291, 439, 180, 60)),
    )
    screen = Screen(width=2400, height=1600)
    seen = observation(*items, windows=(window(extents=box(225, 135, 1350, 1050)),), screen=screen)
    assert seen.tree is not None
    seen = replace(seen, tree=replace(seen.tree, application=replace(seen.tree.application, toolkit="Chromium")))

    placed = place(seen)

    assert placed[native("/page/go")].full == box(291, 439, 180, 60)
    assert placed[native("/back")].full == box(255, 210, 45, 45)


def test_a_frame_for_which_no_window_is_left_is_not_drawn() -> None:
    """Chromium lists two more frames than it has windows (measured)."""
    ghost = frame("", "/ghost", extents=box(200, 300, 300, 90))
    inner = accessible(
        "/ghost/ok", Role.BUTTON, "OK", parent="/ghost", toplevel="/ghost", extents=box(210, 310, 90, 30)
    )

    placed = place(observation(frame(), ghost, inner))[native("/ghost/ok")]

    assert placed.visible is not None
    assert placed.visible.is_empty


def test_nothing_of_a_minimised_window_is_visible() -> None:
    """Public report C48; toolkits keep SHOWING and old places."""
    seen = observation(accessible("/ok", Role.BUTTON, "OK"), windows=(window(is_minimised=True),))

    placed = place(seen)[native("/ok")]

    assert placed.visible is not None
    assert placed.visible.is_empty


@pytest.mark.parametrize(
    ("told", "visible"),
    [
        (box(700, 10, 80, 30), box(700, 10, 80, 30)),  # across both: nothing between them
        (box(1100, 10, 80, 30), box(0, 0, 0, 0)),  # beside the lower right one's top
        (box(1100, 190, 80, 30), box(1100, 200, 80, 20)),  # half
        (box(-20, 300, 80, 30), box(0, 300, 60, 30)),  # off the left
    ],
)
def test_only_what_a_monitor_shows_is_visible(told: Extents, visible: Extents) -> None:
    """Public report C19: monitors of different sizes leave gaps on the virtual desktop."""
    monitors = (
        Monitor(name="left", extents=box(0, 0, 1000, 800), is_primary=True),
        Monitor(name="right", extents=box(1000, 200, 1000, 600)),
    )
    screen = Screen(width=2000, height=800, monitors=monitors)
    wide = box(-50, 0, 1900, 700)
    seen = observation(
        frame(extents=wide),
        accessible("/ok", Role.BUTTON, "OK", extents=told),
        windows=(window(extents=wide),),
        screen=screen,
    )

    placed = place(seen)[native("/ok")]

    assert placed.full == told
    assert placed.visible is not None
    assert placed.visible == visible or (placed.visible.is_empty and visible.is_empty)
