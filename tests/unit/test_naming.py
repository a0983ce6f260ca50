"""What a control is called where nobody named it, and what a text with things in it says."""

from __future__ import annotations

from typing import Any

import pytest

from tactile.compile import compile_observation
from tactile.records import Accessible, Candidate, NameSource, Role, State
from tests.unit.building import CLICK, SHOWN, accessible, frame, observation

FIELD = SHOWN | {State.EDITABLE, State.FOCUSABLE}


def formed(*accessibles: Accessible) -> dict[str, Candidate]:
    """Compile one observation; candidates by path."""
    return {item.native.path: item for item in compile_observation(observation(*accessibles)).candidates}


@pytest.mark.parametrize(
    ("fields", "name", "source"),
    [
        ({"name": "Own", "placeholder": "hint", "description": "tip"}, "Own", NameSource.OWN),
        ({"name": "Beside", "name_from": NameSource.LABEL}, "Beside", NameSource.LABEL),
        ({"placeholder": "hint", "description": "tip"}, "hint", NameSource.PLACEHOLDER),
        ({"description": "tip"}, "tip", NameSource.DESCRIPTION),
        ({"description": " \n"}, "", NameSource.NONE),
        ({"text": "what was typed"}, "", NameSource.NONE),
    ],
)
def test_a_field_is_called_by_the_best_that_there_is(fields: dict[str, Any], name: str, source: NameSource) -> None:
    """Issue: label-for, placeholder, description; what was typed into it is no name."""
    found = formed(accessible("/e", Role.ENTRY, fields.pop("name", ""), states=FIELD, **fields))["/e"]

    assert (found.name, found.name_from) == (name, source)


def test_a_tool_button_is_called_by_the_tip_of_the_box_around_it() -> None:
    """GTK 3 puts the tip on the tool item, which is a nameless panel (measured)."""
    found = formed(
        accessible("/bar", Role.TOOL_BAR),
        accessible("/item", Role.PANEL, description="Save the document", parent="/bar"),
        accessible("/save", Role.BUTTON, parent="/item", offers=(CLICK,)),
        accessible("/two", Role.PANEL, description="Both", parent="/bar"),
        accessible("/a", Role.BUTTON, parent="/two", offers=(CLICK,)),
        accessible("/b", Role.BUTTON, parent="/two", offers=(CLICK,)),
    )

    assert (found["/save"].name, found["/save"].name_from) == ("Save the document", NameSource.DESCRIPTION)
    assert (found["/a"].name, found["/b"].name) == ("", "")


def test_the_field_in_a_combo_box_is_called_as_the_combo_box() -> None:
    """GTK 3 and Qt list both; they are one control to a person."""
    found = formed(
        accessible("/c", Role.COMBO_BOX, "Size"),
        accessible("/e", Role.ENTRY, parent="/c", states=FIELD, text="Medium"),
    )

    assert (found["/e"].name, found["/c"].value) == ("Size", "Medium")


def test_a_combo_box_never_holds_its_own_name() -> None:
    """Found on a page: a closed select without a readable option said that its label was its value."""
    assert formed(accessible("/c", Role.COMBO_BOX, "Size"))["/c"].value is None


def test_a_text_with_a_link_in_it_reads_as_a_person_reads_it() -> None:
    """Browsers write U+FFFC for it; runs of text that are listed, too, say nothing new (measured on Chromium)."""
    found = formed(
        accessible("/p", Role.PARAGRAPH, text="See \ufffc, and \ufffc.", text_length=12),
        accessible("/t1", Role.LABEL, "See ", parent="/p", native_role="static"),
        accessible("/a", Role.LINK, "the site", parent="/p", offers=(CLICK,)),
        accessible("/t2", Role.LABEL, ", and ", parent="/p", native_role="static"),
        accessible("/f", Role.ENTRY, "Amount", parent="/p", states=FIELD),
        accessible("/t3", Role.LABEL, ".", parent="/p", native_role="static"),
    )

    assert found["/p"].value == "See the site, and ."
    assert set(found) == {"/frame", "/p", "/a", "/f"}


def test_marks_in_front_of_list_items_are_no_text() -> None:
    """Chromium lists them as texts of their own (measured)."""
    found = formed(
        accessible("/l", Role.LIST, "List"),
        accessible("/i", Role.LIST_ITEM, parent="/l", text="• Plain", text_length=7),
        accessible("/m", Role.LABEL, "• ", parent="/i", native_role="static"),
        accessible("/t", Role.LABEL, "Plain", parent="/i", native_role="static"),
    )

    assert (found["/i"].name, found["/i"].value) == ("Plain", None)
    assert set(found) == {"/frame", "/l", "/i"}


@pytest.mark.parametrize("name", ["", "One"])
def test_a_list_item_that_only_holds_a_link_is_the_link(name: str) -> None:
    """Issue: one candidate a control; Firefox names the item after its link, Chromium does not."""
    found = formed(
        accessible("/l", Role.LIST, "List"),
        accessible("/i", Role.LIST_ITEM, name, parent="/l", text="• \ufffc"),
        accessible("/a", Role.LINK, "One", parent="/i", offers=(CLICK,)),
    )

    assert set(found) == {"/frame", "/l", "/a"}


def test_a_list_item_that_can_be_chosen_stays_beside_what_it_holds() -> None:
    """Nothing that can be acted on is lost."""
    found = formed(
        accessible("/l", Role.LIST, "List"),
        accessible("/i", Role.LIST_ITEM, "One", parent="/l", states=SHOWN | {State.SELECTABLE}),
        accessible("/a", Role.BUTTON, "One", parent="/i", offers=(CLICK,)),
    )

    assert {"/i", "/a"} <= set(found)


def test_a_row_that_can_be_chosen_is_called_by_its_cells_and_others_are_not_listed() -> None:
    """GTK 4.8 rows have no name; rows of a page only hold cells."""
    cells = [
        accessible(f"/{row}{text}", Role.TABLE_CELL, text, parent=f"/{row}") for row in "xy" for text in ("A", "3")
    ]
    found = formed(
        accessible("/t", Role.TABLE, "Prices"),
        accessible("/x", Role.TABLE_ROW, parent="/t", states=SHOWN | {State.FOCUSABLE}),
        accessible("/y", Role.TABLE_ROW, parent="/t"),
        *cells,
    )

    assert (found["/x"].name, found["/x"].name_from) == ("A 3", NameSource.CONTENT)
    assert "/y" not in found


def test_options_of_a_closed_combo_box_are_not_listed() -> None:
    """Firefox says that the chosen one shows (measured)."""
    for more, listed in ((frozenset({State.EXPANDABLE}), False), (frozenset({State.EXPANDABLE, State.EXPANDED}), True)):
        found = formed(
            accessible("/c", Role.COMBO_BOX, "Size", states=SHOWN | more, offers=(CLICK,)),
            accessible("/m", Role.MENU, parent="/c", offers=(CLICK,)),
            accessible("/o", Role.MENU_ITEM, "Medium", parent="/m", states=SHOWN | {State.SELECTED}, offers=(CLICK,)),
        )
        assert ("/o" in found) is listed
        assert found["/c"].value == "Medium"


def test_no_content_of_a_password_field_becomes_a_name() -> None:
    """A field is named by its hint, never by what it holds."""
    secret = accessible(
        "/s", Role.PASSWORD_TEXT, states=FIELD, is_secure=True, text="canary", text_length=6, placeholder="Password"
    )
    label = accessible("/l", Role.LABEL, parent="/s", is_secure=True, text="canary")
    found = formed(frame(), secret, label)

    assert found["/s"].name == "Password"
    assert "canary" not in str(found)
