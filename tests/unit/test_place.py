"""Where things are: raw toolkit extents to physical px, each with its trust."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactile.compile.place import Placement, place
from tactile.compile.toplevels import match_windows
from tactile.records import Coordinates, Extents, Geometry, Point, Role, State, Window
from tests.unit.building import SHOWN, accessible, box, frame, native, observation, window

extents = st.builds(
    Extents, x=st.integers(-500, 2000), y=st.integers(-500, 2000), width=st.integers(0, 900), height=st.integers(0, 900)
)
HIDDEN = frozenset({State.VISIBLE})


@given(extents)
def test_the_centre_of_a_rectangle_that_has_pixels_is_one_of_them(one: Extents) -> None:
    """A click goes to the centre; it must lie inside, also in a 1 px wide thing."""
    assert one.is_empty or one.contains(one.center)


@given(extents, extents)
def test_a_common_part_lies_in_both_and_does_not_depend_on_the_order(one: Extents, other: Extents) -> None:
    """Visible parts are made by clipping again and again."""
    common = one.intersect(other)

    assert common.is_empty or (one.contains(common.center) and other.contains(common.center))
    assert other.intersect(one) == common
    assert common.is_empty or common.intersect(one) == common


def test_a_gtk3_button_is_where_the_toolkit_says() -> None:
    """Measured with real clicks: GTK 3's SCREEN extents are physical at scale 1."""
    seen = observation(accessible("/ok", Role.BUTTON, "OK", extents=box(150, 200, 90, 34)))

    placed = place(seen)[native("/ok")]

    assert (placed.full, placed.geometry) == (box(150, 200, 90, 34), Geometry.EXACT)
    assert placed.window is not None
    assert placed.window.native_id == 1


def test_scale_two_doubles_what_the_toolkit_says() -> None:
    """Measured: GDK_SCALE=2 and QT_SCALE_FACTOR=2 report half of the X size."""
    seen = observation(
        frame(extents=box(50, 50, 400, 300)),
        accessible("/ok", Role.BUTTON, "OK", extents=box(75, 100, 90, 34)),
        windows=(window(extents=box(100, 100, 800, 600)),),
    )

    placed = place(seen)[native("/ok")]

    assert (placed.full, placed.geometry) == (box(150, 200, 180, 68), Geometry.DERIVED)


@pytest.mark.parametrize(
    ("reported", "client", "expected"),
    [
        (box(0, 0, 400, 300), box(100, 100, 400, 300), box(110, 120, 80, 30)),  # decorated by the window manager
        (box(0, 0, 400, 300), box(100, 100, 452, 352), box(136, 146, 80, 30)),  # own shadow of 26 px all around
        (box(-26, -26, 400, 300), box(100, 100, 452, 352), box(110, 120, 80, 30)),  # 4.18: (0, 0) is the client origin
        (box(0, 0, 208, 200), box(100, 100, 260, 252), box(136, 146, 80, 30)),  # 260 of 208 is a shadow, no scale 1.25
        (box(0, 0, 400, 300), box(100, 100, 800, 600), box(120, 140, 160, 60)),  # GDK_SCALE=2
        (box(0, 0, 400, 300), box(100, 100, 904, 704), box(172, 192, 160, 60)),  # both
    ],
)
def test_gtk4_extents_are_counted_from_the_frame_inside_its_shadow(
    reported: Extents, client: Extents, expected: Extents
) -> None:
    """Measured on GTK 4.8 and 4.18 with real clicks; the shadows of small windows found in review."""
    seen = observation(
        frame(extents=reported, coordinates=Coordinates.WINDOW),
        accessible("/ok", Role.BUTTON, "OK", extents=box(10, 20, 80, 30), coordinates=Coordinates.WINDOW),
        windows=(window(extents=client),),
    )

    placed = place(seen)[native("/ok")]

    assert (placed.full, placed.geometry) == (expected, Geometry.DERIVED)


def test_two_gtk4_windows_of_one_title_and_size_have_no_place_that_is_known() -> None:
    """No place is better than a guess that puts the click into the other window."""
    tops = [
        frame("Untitled", path, coordinates=Coordinates.WINDOW, extents=box(0, 0, 400, 300)) for path in ("/a", "/b")
    ]
    inner = accessible("/a/ok", Role.BUTTON, "OK", parent="/a", toplevel="/a", coordinates=Coordinates.WINDOW)
    seen = observation(*tops, inner, windows=(window(1, "Untitled"), window(2, "Untitled")))

    placed = place(seen)[native("/a/ok")]

    assert (placed.full, placed.geometry, placed.window) == (None, Geometry.UNKNOWN, None)


def test_two_windows_of_one_title_are_told_apart_by_where_they_are() -> None:
    """GTK 3 and Qt give screen places, which the window system knows too."""
    tops = [
        frame("Untitled", "/a", extents=box(100, 100, 400, 300)),
        frame("Untitled", "/b", extents=box(600, 100, 400, 300)),
    ]
    windows = (window(1, "Untitled", extents=box(600, 100, 400, 300)), window(2, "Untitled"))

    pairs = match_windows(tops, windows)

    assert [found.native_id if found else None for _, found in pairs] == [2, 1]


def test_a_window_is_not_given_to_a_hidden_toplevel_of_the_same_title() -> None:
    """Found in review: toolkits keep closed dialogs in the tree, and the first of the name got the window."""
    hidden = frame("Preferences", "/a", states=HIDDEN, coordinates=Coordinates.WINDOW, extents=box(0, 0, 400, 300))
    shown = frame("Preferences", "/b", coordinates=Coordinates.WINDOW, extents=box(0, 0, 400, 300))

    pairs = match_windows([hidden, shown], (window(1, "Preferences"),))

    assert [found.native_id if found else None for _, found in pairs] == [None, 1]


def test_two_showing_toplevels_that_fit_one_window_leave_it_to_neither() -> None:
    """The other way round of two windows for one toplevel: a guess would act in the wrong one."""
    tops = [frame("Notes", path, coordinates=Coordinates.WINDOW, extents=box(0, 0, 400, 300)) for path in ("/a", "/b")]

    assert [found for _, found in match_windows(tops, (window(1, "Notes"),))] == [None, None]


@given(
    st.lists(st.tuples(st.sampled_from("AB"), st.integers(1, 3)), max_size=4),
    st.lists(st.tuples(st.sampled_from("AB"), st.integers(1, 3)), max_size=4),
)
def test_no_window_is_ever_given_to_two_toplevels(tops: list[tuple[str, int]], given_: list[tuple[str, int]]) -> None:
    """Whatever the titles and sizes."""
    toplevels = [frame(name, f"/{i}", extents=box(0, 0, 100 * size, 90)) for i, (name, size) in enumerate(tops)]
    windows = [window(i, name, extents=box(i, i, 100 * size, 90)) for i, (name, size) in enumerate(given_)]

    found = [one.native_id for _, one in match_windows(toplevels, windows) if one is not None]

    assert len(found) == len(set(found))


def test_an_item_of_an_open_menu_belongs_to_the_popup_that_draws_it() -> None:
    """An open menu is an override-redirect window of its own (measured); cover is judged by it."""
    seen = observation(
        accessible("/menu", Role.MENU, "File", extents=box(100, 100, 40, 20)),
        accessible("/menu/open", Role.MENU_ITEM, "Open", parent="/menu", extents=box(105, 130, 90, 20)),
        windows=(window(1), window(9, "", is_popup=True, extents=box(100, 120, 120, 200))),
    )

    placed = place(seen)[native("/menu/open")]

    assert placed.window is not None
    assert placed.window.native_id == 9


def test_what_is_scrolled_out_of_its_list_has_no_visible_part() -> None:
    """GTK 3 keeps SHOWING on cells scrolled away (measured), so their place decides."""
    seen = observation(
        accessible("/list", Role.LIST, "Files", extents=box(110, 110, 200, 100)),
        accessible("/list/9", Role.LIST_ITEM, "nine", parent="/list", extents=box(110, 400, 200, 20)),
    )

    placed = place(seen)[native("/list/9")]

    assert placed.visible is not None
    assert placed.visible.is_empty
    assert placed.full == box(110, 400, 200, 20)


def test_ancestors_that_name_each_other_do_not_hang_the_compiler() -> None:
    """A broken application may say anything; found in review."""
    seen = observation(
        frame(),
        accessible("/a", Role.PANEL, "a", parent="/b"),
        accessible("/b", Role.PANEL, "b", parent="/a", states=SHOWN),
    )

    assert place(seen)[native("/a")].full is not None


def test_a_point_on_the_right_edge_is_outside() -> None:
    """Extents are half-open: x + width is the first pixel of the neighbour."""
    assert box(10, 10, 5, 5).contains(Point(x=14, y=14))
    assert not box(10, 10, 5, 5).contains(Point(x=15, y=14))


POPUP = window(9, "", is_popup=True, extents=box(309, 484, 216, 126))


def dropped_down(popover: Extents, item: Extents, *, windows: tuple[Window, ...] = (POPUP,)) -> Placement:
    """Place an item of an open GTK 4 drop-down at (211, 372) in a toplevel at (100, 80)."""
    inside: dict[str, Coordinates] = {"coordinates": Coordinates.WINDOW}
    seen = observation(
        frame(extents=box(0, 0, 687, 523), **inside),
        accessible("/box", Role.COMBO_BOX, "Company", extents=box(211, 372, 210, 34), **inside),
        accessible("/pop", Role.PANEL, parent="/box", extents=popover, **inside),
        accessible("/item", Role.LIST_ITEM, "Globex", parent="/pop", extents=item, **inside),
        windows=(window(extents=box(100, 80, 687, 523)), *windows),
        are_states_exact=False,
    )
    return place(seen)[native("/item")]


@pytest.mark.parametrize(
    ("popover", "item", "expected"),
    [
        (box(211, 378, 216, 120), box(223, 429, 192, 16), box(321, 541, 192, 16)),  # 4.8 counts from the drop-down
        (box(209, 404, 216, 120), box(220, 446, 192, 32), box(320, 532, 192, 32)),  # 4.18 from the toplevel
    ],
)
def test_an_item_of_a_gtk4_popover_is_placed_from_its_popup_window(
    popover: Extents, item: Extents, expected: Extents
) -> None:
    """Found in attack: a click on "Initech" chose "Globex", one row higher. Measured on 4.8.3 and 4.18.6."""
    placed = dropped_down(popover, item)

    assert (placed.full, placed.visible, placed.geometry) == (expected, expected, Geometry.DERIVED)
    assert placed.window == POPUP


@pytest.mark.parametrize(
    "windows",
    [
        (),  # closed
        (window(9, "", is_popup=True, extents=box(309, 484, 90, 126)),),  # another popover's
        (POPUP, window(10, "", is_popup=True, extents=box(700, 100, 216, 126))),  # either could be the one
    ],
)
def test_an_item_of_a_gtk4_popover_without_a_sure_window_has_no_place(windows: tuple[Window, ...]) -> None:
    """No place is better than the row above."""
    placed = dropped_down(box(211, 378, 216, 120), box(223, 429, 192, 16), windows=windows)

    assert (placed.full, placed.geometry) == (None, Geometry.UNKNOWN)


@pytest.mark.parametrize(
    ("around", "visible"),
    [
        (box(40, 300, 200, 80), box(50, 360, 100, 20)),  # a box that scrolls: two thirds stick out
        (box(40, 100, 200, 80), box(50, 360, 100, 60)),  # wholly outside its box: placed there on purpose
        (box(40, 300, 0, 0), box(50, 360, 100, 60)),  # a box without a size holds nothing back
    ],
)
def test_what_sticks_out_of_its_box_on_a_page_is_aimed_at_inside_the_box(around: Extents, visible: Extents) -> None:
    """Measured in both browsers: a button in a scrolling box reports its whole height; its middle was below the box."""
    seen = observation(
        frame(extents=box(0, 0, 900, 700)),
        accessible("/page", Role.DOCUMENT, "Marks", extents=box(0, 60, 900, 640)),
        accessible("/page/box", Role.PANEL, parent="/page", extents=around),
        accessible("/page/box/go", Role.BUTTON, "Go", parent="/page/box", extents=box(50, 360, 100, 60)),
        windows=(window(extents=box(0, 0, 900, 700)),),
    )

    assert place(seen)[native("/page/box/go")].visible == visible


def test_a_line_of_text_holds_nothing_back_that_is_higher_than_it() -> None:
    """Measured: Firefox gives a label the box of its line, 18 px, and the text area that stands in it 38 px."""
    seen = observation(
        frame(extents=box(0, 0, 900, 700)),
        accessible("/page", Role.DOCUMENT, "Form", extents=box(0, 60, 900, 640)),
        accessible("/page/label", Role.PANEL, parent="/page", extents=box(40, 376, 300, 18), native_role="label"),
        accessible("/page/label/notes", Role.TEXT, "Notes", parent="/page/label", extents=box(140, 356, 153, 38)),
        windows=(window(extents=box(0, 0, 900, 700)),),
    )

    assert place(seen)[native("/page/label/notes")].visible == box(140, 356, 153, 38)
