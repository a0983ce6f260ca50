"""What is made of the matches on a page before and after their details are asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactile.adapters.atspi.matches import nearest, rule
from tactile.adapters.atspi.node import Node
from tactile.adapters.atspi.roles import Toolkit
from tactile.adapters.atspi.web import LEAF, OBJECT, PARAGRAPH, STATES_OF_LEAF, Page
from tactile.records.vocabulary import Role, State

FRAME, DOCUMENT, SECTION, BUTTON, LINK, ENTRY, LABEL = 23, 95, 85, 43, 88, 79, 29
SHOWN = STATES_OF_LEAF


def node(path: str, role: int, *children: Node, name: str = "", **rest: object) -> Node:
    """Make a node that shows, with its children below it."""
    made = Node(path=path, parent=None, depth=1, role_number=role, name=name, states=SHOWN, is_seen=True)
    for field, value in rest.items():
        setattr(made, field, value)
    for child in children:
        child.parent = made
        made.children.append(child)
    return made


def page_of(*children: Node, toolkit: Toolkit = Toolkit.CHROMIUM) -> Page:
    """Make the page of one window with a document that holds the nodes."""
    return Page([node("/frame", FRAME, node("/page", DOCUMENT, *children, name="Shop"))], toolkit)


def test_a_rule_names_states_and_roles_by_bits() -> None:
    """Measured: numbers instead of bits find nothing, and an empty part must ask for all of it."""
    states, how_states, _, _, roles, how_roles, *_ = rule((25,), (43, 88, 127))

    assert (states, how_states) == ([1 << 25, 0], 1)
    assert (roles, how_roles) == ([0, 1 << 11, 1 << 24, -(1 << 31), 0], 2)
    assert rule()[4:6] == ([], 1)


@given(st.lists(st.booleans(), max_size=40), st.integers(0, 50))
def test_what_is_nearest_to_the_view_is_taken_in_order_and_nothing_that_shows(shows: list[bool], most: int) -> None:
    """What a scroll would bring first is the most useful part of the rest."""
    paths = [f"/{index}" for index in range(len(shows))]
    shown = {path: node(path, BUTTON) for path, is_shown in zip(paths, shows, strict=True) if is_shown}

    found = nearest(paths, shown, most)

    assert found == [path for path in paths if path in set(found)]
    assert not set(found) & set(shown)
    assert len(found) == min(most, shows.count(False))


def test_nearest_goes_both_ways_from_what_shows() -> None:
    """In a long page scrolled to its middle both neighbours count."""
    paths = [f"/{index}" for index in range(100)]

    assert nearest(paths, {"/50": node("/50", BUTTON)}, 4) == ["/48", "/49", "/51", "/52"]


def test_a_leaf_is_asked_for_only_where_nothing_around_it_says_the_same() -> None:
    """Chromium gives every text a leaf of its own, also within named buttons and links."""
    leaves = {path: node(path, LEAF) for path in ("/in-button", "/in-link", "/alone", "/in-text")}
    page = page_of(
        node("/b", BUTTON, node("/box", SECTION, leaves["/in-button"]), name="Save all"),
        node("/l", LINK, leaves["/in-link"], name=""),
        node("/s", SECTION, leaves["/alone"], name="Region"),
        node("/p", PARAGRAPH, leaves["/in-text"], text="Some text"),
    )

    assert [leaf.path for leaf in page.untold_leaves()] == ["/in-link", "/alone"]


def test_links_stand_in_the_text_of_their_paragraph() -> None:
    """Both browsers put an object replacement character where a child stands."""
    paragraph = node("/p", PARAGRAPH, node("/l", LINK, name="the rules"), text=f"Read {OBJECT} first.")
    page_of(paragraph).finish()

    assert paragraph.text == "Read the rules first."


@pytest.mark.parametrize("text", [OBJECT, f" {OBJECT} {OBJECT}\n"])
def test_a_paragraph_of_controls_only_has_no_text(text: str) -> None:
    """The controls stand for themselves."""
    paragraph = node("/p", PARAGRAPH, node("/b", BUTTON, name="Save"), text=text)
    page_of(paragraph).finish()

    assert paragraph.text is None


def test_a_box_that_can_be_clicked_is_a_button_unless_it_holds_controls() -> None:
    """Our choice: handlers around whole lists of controls are no control of their own."""
    plain = node("/plain", SECTION, actions={0: "clickAncestor"})
    alone = node("/alone", SECTION, node("/t", LEAF, name="Buy"), actions={0: "click"})
    around = node("/around", SECTION, node("/b", BUTTON, name="Buy"), actions={0: "click"})
    page_of(plain, alone, around).finish()

    assert [one.role(Toolkit.CHROMIUM) for one in (plain, alone, around)] == [Role.PANEL, Role.BUTTON, Role.PANEL]


def test_an_editable_box_is_one_field_with_its_paragraphs_as_text() -> None:
    """A contenteditable element; what can be pressed within it stays."""
    field = node(
        "/f",
        SECTION,
        node("/p1", PARAGRAPH, text="One"),
        node("/p2", PARAGRAPH, node("/l", LINK, name="two"), text=OBJECT),
        states=SHOWN | {State.EDITABLE, State.FOCUSABLE},
        text=f"{OBJECT}{OBJECT}",
        interfaces=frozenset({"Component", "Text"}),
    )
    page = page_of(field)
    page.settle(field)
    field.children[1].text = "Two"
    page.finish()

    assert (field.role(Toolkit.CHROMIUM), field.text) == (Role.TEXT, "One\nTwo")
    assert [(one.path, one.parent) for one in field.children] == [("/l", field)]


def test_a_label_around_its_control_is_silent() -> None:
    """The control is named after it, so each is told once."""
    leaf = node("/t", LEAF, name="Name ")
    label = node("/label", LABEL, leaf, node("/e", ENTRY, name="Name"), name="Name Ada")
    page_of(label, toolkit=Toolkit.CHROMIUM).finish()

    assert (label.role(Toolkit.CHROMIUM), label.name, leaf.is_gone) == (Role.PANEL, "", True)
