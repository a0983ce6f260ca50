"""Which places of GTK 4 are asked for, and which follow from others."""

from __future__ import annotations

from tactile.adapters.atspi.gtk4_items import linked
from tactile.adapters.atspi.gtk4_places import (
    below,
    face_of,
    in_view,
    is_page,
    lend_places,
    may_be_popover,
    move_back,
    overlapping,
    wants_place,
)
from tactile.adapters.atspi.node import Node
from tactile.records.geometry import Extents
from tactile.records.vocabulary import State

WINDOW, BOX, SCROLLER, LIST, ROW, LABEL, BUTTON, COMBO = 23, 39, 49, 31, 32, 29, 43, 11


def node(number: int, parent: Node | None = None, *place: int, name: str = "", lacks: str = "") -> Node:
    """Make a node below another."""
    depth = parent.depth + 1 if parent is not None else 1
    made = Node(path=f"/{number}/{depth}", parent=parent, depth=depth, role_number=number, is_seen=True, name=name)
    made.interfaces = frozenset({"Component", "Action"} - {lacks})
    if place:
        made.extents = Extents(x=place[0], y=place[1], width=place[2], height=place[3])
    if parent is not None:
        parent.children.append(made)
    return made


def test_the_label_of_a_button_has_the_buttons_place_unasked() -> None:
    """Our choice: one call less for each, and the button is what is acted on."""
    button = node(BUTTON, node(BOX, node(WINDOW)), 5, 6, 70, 20)
    label = node(LABEL, node(BOX, button))

    lend_places([button])

    assert (face_of(label), wants_place(label)) == (button, False)
    assert label.extents == button.extents


def test_labels_of_a_row_with_a_name_an_expander_and_a_drop_down_are_asked() -> None:
    """They may say more than the row, lie elsewhere, or be the choice that is not shown."""
    window = node(WINDOW)
    row = node(ROW, node(LIST, window), name="Wifi")
    expander = node(BUTTON, window)
    expander.states |= {State.EXPANDABLE}
    labels = [node(LABEL, row, name="off"), node(LABEL, expander), node(LABEL, node(BUTTON, node(COMBO, window)))]

    assert [wants_place(label) for label in labels] == [True, True, True]
    assert not wants_place(node(LABEL, row, name="Wifi"))


def test_a_box_behind_others_with_one_box_in_it_may_be_a_popover() -> None:
    """Measured: popovers come last, and hold one box; boxes that come first cost no call."""
    box = node(BOX, node(WINDOW))
    first, behind, crowded = node(BOX, box), node(BOX, box), node(BOX, box)
    node(BUTTON, node(BOX, first))
    node(BUTTON, node(BOX, behind))
    node(BUTTON, crowded)
    node(BUTTON, crowded)

    assert [may_be_popover(one) for one in (first, behind, crowded)] == [False, True, False]


def test_what_lies_on_a_page_is_moved_back_by_the_pages_own_distance() -> None:
    """GTK 4.18 counts it twice: measured 7 px, against the fixture's own geometry."""
    page = node(BOX, node(BOX, node(WINDOW)), 450, 353, 222, 34, lacks="Action")
    inner = node(BOX, page, 457, 360, 222, 34)
    button = node(BUTTON, inner, 457, 360, 51, 34)

    move_back(page, 7, 7)

    assert is_page(page)
    assert not is_page(inner)
    assert inner.extents == page.extents == Extents(x=450, y=353, width=222, height=34)
    assert button.extents == Extents(x=450, y=353, width=51, height=34)


def test_rows_out_of_their_scroller_are_not_in_view_and_popovers_are_not_cut_by_it() -> None:
    """A popover is drawn in a window of its own, wherever it hangs in the tree."""
    scroller = node(SCROLLER, node(WINDOW, None, 0, 0, 300, 300), 0, 0, 100, 100)
    rows = [node(ROW, scroller, 0, top, 100, 20) for top in (0, 90, 120)]
    popover = node(BOX, scroller, 0, 150, 80, 40)
    item = node(BUTTON, popover, 0, 150, 80, 20)

    assert [area and area.height for area in (in_view(row, set()) for row in rows)] == [20, 10, None]
    assert (in_view(item, set()), in_view(item, {popover})) == (None, item.extents)


def test_only_unrelated_things_cover_each_other() -> None:
    """A list is not covered by its rows; a page is by another page."""
    window = node(WINDOW)
    box, row = node(LIST, window, 0, 0, 100, 100), None
    row = node(ROW, box, 0, 0, 100, 20)
    page, other, apart = (node(BUTTON, window, 200, top, 50, 50) for top in (0, 10, 70))
    areas = {one: one.extents for one in (box, row, page, other, apart) if one.extents is not None}

    assert overlapping(areas) == {page, other}


def test_items_that_left_a_hidden_page_are_not_its_children() -> None:
    """GTK 4.18 keeps them in its cache; the page says that it has none."""

    def item(path: str, parent: str, index: int, count: int) -> tuple[object, ...]:
        return ("", path), ("", "/root"), ("", parent), index, count, (), path, 39, "", (0, 0)

    known = linked([item("/page", "/stack", 0, 0), item("/old", "/page", 0, 0), item("/stack", "/root", 0, 1)])

    assert known["/page"].is_closed
    assert (known["/page"].child_count, known["/stack"].children) == (0, ["/page"])
    assert list(below([])) == []
