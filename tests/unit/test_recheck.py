"""Just before an act the live thing must still be the one that was seen, and must be ready for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tactile.errors import RequestError, ResolveError
from tactile.records import (
    Action,
    ActionRequest,
    Candidate,
    CandidateSet,
    Geometry,
    Point,
    RefTarget,
    Role,
    State,
    ValueRange,
    Window,
)
from tactile.verify.already import already_so
from tactile.verify.payload import TEXT_MAX, check_payload, check_text
from tactile.verify.recheck import check_actionable, check_editable, check_point, identify
from tests.unit.building import SHOWN, box, button, candidate, candidate_set, entry, native, window

FRAME = candidate(Role.FRAME, "Notes", path="/frame", parent=None)
CENTER = Point(x=150, y=135)


def refused(seen: Candidate, fresh: CandidateSet) -> ResolveError:
    """Return the refusal of a stale target."""
    with pytest.raises(ResolveError) as caught:
        identify(seen, fresh)
    return caught.value


def blocked(live: Candidate, action: Action = Action.PRESS, *windows: Window) -> str:
    """Return the code with which an act is refused, or "" when it may go on."""
    return code_of(lambda: check_actionable(live, action, windows or (window(),)))


def code_of(check: Callable[[], None]) -> str:
    """Return the code with which a check refuses, or ""."""
    try:
        check()
    except ResolveError as error:
        return error.code if error.hint and error.effect == "none" else "no way out named"
    return ""


def test_the_ref_of_a_removed_button_is_detached_and_what_is_there_now_is_named() -> None:
    """Stale-target conformance: Alpha is removed, Bravo moves up into its place."""
    alpha, bravo = button("Alpha", ref="e1"), button("Bravo", ref="e2")

    error = refused(alpha, candidate_set(FRAME, bravo))

    assert error.code == "stale_detached"
    assert error.diagnosis.near_misses == ('button "Bravo" [e2]',)


def test_the_ref_of_a_button_that_moved_is_still_that_button() -> None:
    """Stale-target conformance: a click on Bravo's ref clicks Bravo, wherever it is now."""
    seen = button("Bravo", ref="e2", extents=box(110, 160))
    live = button("Bravo", ref="e2", extents=box(110, 120))

    assert identify(seen, candidate_set(FRAME, live)) == live


def test_a_thing_that_went_with_its_window_is_said_to() -> None:
    """stale_window, not stale_detached: what to look for is the window."""
    seen = button("Save", ref="e1", toplevel=native("/dialog"), window=2, window_title="Save As")

    error = refused(seen, candidate_set(FRAME))

    assert error.code == "stale_window"
    assert "Save As" in error.message


@pytest.mark.parametrize(
    ("seen", "live"),
    [
        (button("Pause", path="/1"), button("Delete", path="/1")),
        (button("OK", path="/1"), candidate(Role.LINK, "OK", path="/1")),
        (candidate(Role.LIST_ITEM, "Alpha", path="/1"), candidate(Role.LIST_ITEM, "Bravo", path="/1")),
        (
            candidate(Role.TABLE_CELL, "", value="Alpha", path="/1"),
            candidate(Role.TABLE_CELL, "", value="Bravo", path="/1"),
        ),
    ],
)
def test_a_thing_that_is_something_else_now_is_refused(seen: Candidate, live: Candidate) -> None:
    """Toolkits reuse objects for other rows; a row known only by its text was found in review."""
    assert refused(seen, candidate_set(FRAME, live)).code == "stale_renamed"


def test_a_field_that_is_named_by_what_it_holds_is_the_same_field() -> None:
    """Combo boxes of Qt and GTK 3 are named after their current text (measured)."""
    seen, live = candidate(Role.COMBO_BOX, "red", path="/1"), candidate(Role.COMBO_BOX, "blue", path="/1")

    assert identify(seen, candidate_set(FRAME, live)) == live


@pytest.mark.parametrize(
    ("rest", "code"),
    [
        ({}, ""),
        ({"is_enabled": False}, "disabled"),
        ({"blocked_by": "Save As"}, "blocked_by_modal"),
        ({"is_showing": False, "extents": None, "full_extents": None}, "stale_hidden"),
        ({"is_showing": False, "extents": box(0, 0, 0, 0)}, "off_screen"),
        ({"is_showing": False}, "stale_hidden"),  # a hidden widget of GTK 3 or Qt may keep its place
    ],
)
def test_what_cannot_be_acted_on_is_refused_with_its_reason(rest: dict[str, Any], code: str) -> None:
    """The public interface's failure list; hidden told from scrolled away found in review."""
    full = rest.pop("full_extents", box())

    assert blocked(button("OK", **{"full_extents": full, **rest})) == code


def test_a_minimised_window_hides_its_controls_and_can_itself_be_brought_back() -> None:
    """Found in review: the advice to focus the window was refused, for a minimised window does not show."""
    minimised = window(is_minimised=True)
    frame = candidate(Role.FRAME, "Notes", is_showing=False, is_enabled=False)

    assert blocked(button("OK"), Action.PRESS, minimised) == "stale_hidden"
    assert blocked(frame, Action.FOCUS, minimised) == ""
    assert blocked(frame, Action.PRESS, minimised) == "stale_hidden"


def test_scrolling_into_view_is_for_what_does_not_show() -> None:
    """It would be of no use otherwise."""
    assert blocked(button("OK", is_showing=False, extents=box(0, 0, 0, 0)), Action.SCROLL_INTO_VIEW) == ""


@pytest.mark.parametrize(
    ("live", "windows", "code"),
    [
        (button("OK"), [window(1)], ""),
        (button("OK"), [window(1), window(2, "Other")], "occluded"),
        (button("OK"), [window(1), window(2, "Other", is_minimised=True)], ""),
        (button("OK"), [window(1), window(2, "Other", extents=box(300, 300, 50, 50))], ""),
        (button("OK"), [], "occluded"),
        (button("OK", geometry=Geometry.UNKNOWN, extents=None), [window(1)], "geometry_unknown"),
        (button("OK", extents=box(0, 0, 0, 0)), [window(1)], "off_screen"),
        (button("OK", window=None), [window(1)], "geometry_unknown"),
    ],
)
def test_a_pixel_is_clicked_only_in_the_things_own_uncovered_window(
    live: Candidate, windows: list[Window], code: str
) -> None:
    """A click into a covering window acts on something else; an unknown window found in review."""
    assert code_of(lambda: check_point(live, CENTER, windows)) == code


def test_what_is_read_only_or_no_field_is_not_written_to() -> None:
    """No false success: a read-only field."""
    check_editable(entry("Name"))
    for live in (button("OK"), candidate(Role.ENTRY, "Id", states=SHOWN | {State.READ_ONLY})):
        with pytest.raises(ResolveError) as caught:
            check_editable(live)
        assert caught.value.code == "unsupported"


@pytest.mark.parametrize(
    ("payload", "live"),
    [
        ("maybe", candidate(Role.CHECK_BOX, "Wrap")),
        ("two\nlines", entry("Name")),
        ("x", candidate(Role.SPIN_BUTTON, "Age", number=ValueRange(current=1.0))),
        ("nan", candidate(Role.SPIN_BUTTON, "Age", number=ValueRange(current=1.0))),
        ("inf", candidate(Role.SPIN_BUTTON, "Age", number=ValueRange(current=1.0))),
        ("11", candidate(Role.SLIDER, "Volume", number=ValueRange(current=1.0, minimum=0.0, maximum=10.0))),
    ],
)
def test_a_value_that_the_control_cannot_hold_is_refused_before_anything_happens(payload: str, live: Candidate) -> None:
    """Infinity found in review: it is in any range without an end."""
    request = ActionRequest(action=Action.SET_VALUE, target=RefTarget(ref="e1"), payload=payload)

    with pytest.raises(RequestError):
        check_payload(request, live)


@pytest.mark.parametrize("text", ["", "a\x00b", "a\x1bb", "\ud800", "x" * (TEXT_MAX + 1), "a" * 100_000])
def test_text_that_no_field_can_hold_is_refused(text: str) -> None:
    """Must hold: empty text, a 100,000-character text, NUL and lone surrogates."""
    with pytest.raises(RequestError):
        check_text(text, "text", may_be_empty=False)


def test_text_with_tabs_and_line_breaks_in_any_script_is_taken() -> None:
    """The two control characters that editors hold."""
    check_text("a\tb\nçé 漢字 👩\u200d💻", "text", may_be_empty=False)
    check_text("", "value", may_be_empty=True)


@pytest.mark.parametrize(
    ("action", "payload", "live", "is_so"),
    [
        (Action.SET_VALUE, "draft", entry("Name", "draft"), True),
        (Action.SET_VALUE, "other", entry("Name", "draft"), False),
        (Action.SET_VALUE, "draft", entry("Name", "draft", text_length=9000), False),
        (Action.SET_VALUE, "true", candidate(Role.CHECK_BOX, "Wrap", states=SHOWN | {State.CHECKED}), True),
        (Action.SET_VALUE, "false", candidate(Role.CHECK_BOX, "Wrap", states=SHOWN | {State.CHECKED}), False),
        (Action.SET_VALUE, "false", candidate(Role.CHECK_BOX, "Wrap", states=SHOWN | {State.INDETERMINATE}), False),
        (Action.SET_VALUE, "", candidate(Role.PASSWORD_TEXT, "Pin", is_secure=True), False),
        (Action.EXPAND, "", candidate(Role.TREE_ITEM, "src", states=SHOWN | {State.EXPANDED}), True),
        (Action.COLLAPSE, "", candidate(Role.TREE_ITEM, "src", states=SHOWN | {State.EXPANDABLE}), True),
        (Action.COLLAPSE, "", candidate(Role.TREE_ITEM, "src"), False),
        (Action.PRESS, "", button("OK"), False),
    ],
)
def test_only_what_is_surely_so_already_needs_no_act(
    action: Action, payload: str, live: Candidate, is_so: bool
) -> None:
    """set_value is idempotent; a box that is partly checked (found in review) is neither on nor off."""
    receipt = already_so(ActionRequest(action=action, target=RefTarget(ref="e1"), payload=payload), live)

    assert (receipt is not None) is is_so
    assert receipt is None or (receipt.primitive, receipt.effect) == ("none", "")
