"""How sure a receipt is: nothing is confirmed that was not seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactile.records import (
    Action,
    ActionRequest,
    Candidate,
    Failure,
    RefTarget,
    Role,
    State,
    ValueRange,
    Verdict,
    Window,
)
from tactile.verify.differ import Unrest, differences, restless, unrest
from tactile.verify.expect import Picture, parse_expectation
from tactile.verify.judge import Case, judge
from tactile.verify.judgement import Judgement
from tests.unit.building import PID, SHOWN, box, button, candidate, candidate_set, entry, native, window

CHECKED, EXPANDED, FOCUSED = (SHOWN | {state} for state in (State.CHECKED, State.EXPANDED, State.FOCUSED))
# Acts that ask for a state rather than a change: being in it is their effect, also when it was so before.
STATE_ACTS = {Action.SET_VALUE, Action.FOCUS, Action.EXPAND, Action.COLLAPSE, Action.SCROLL_INTO_VIEW}
OTHER_APP = PID + 1


def picture(*candidates: Candidate, windows: tuple[Window, ...] = (window(),), **rest: Any) -> Picture:
    """Make a moment."""
    return Picture(candidates=candidate_set(*candidates, **rest), windows=windows)


def judged(
    action: Action, before: Picture, after: Picture, *, target: Candidate | None = None, expect: str = "", **rest: Any
) -> Judgement:
    """Judge an act on the first candidate of the before picture."""
    assert before.candidates is not None
    on = target or next(iter(before.candidates.candidates), None)
    request_fields = {
        key: rest.pop(key) for key in ("payload", "submits", "direction", "button", "count") if key in rest
    }
    request = ActionRequest(
        action=action,
        target=RefTarget(ref="e1"),
        expectation=parse_expectation(expect) if expect else (),
        **request_fields,
    )
    natives = {"e1": on.native} if on else {}
    return judge(Case(request=request, target=on, before=before, after=after, natives=natives, **rest))


some = st.lists(
    st.builds(
        candidate,
        st.sampled_from([role for role in Role if role is not Role.APPLICATION]),
        st.sampled_from(["", "OK"]),
        states=st.frozensets(st.sampled_from(State)),
        value=st.sampled_from([None, "", "x"]),
        number=st.sampled_from([None, ValueRange(current=1.0)]),
        is_showing=st.booleans(),
        is_secure=st.booleans(),
    ),
    min_size=1,
    max_size=4,
).map(lambda items: tuple(replace(item, native=native(f"/{number}")) for number, item in enumerate(items)))


@given(some, st.sampled_from(Action), st.sampled_from(["x", "1", "true", "ab"]), st.booleans(), st.integers(1, 2))
def test_nothing_that_stayed_as_it_was_is_a_confirmed_change(
    items: tuple[Candidate, ...], action: Action, payload: str, submits: bool, count: int
) -> None:
    """No false success: before and after alike confirm only acts that ask for a state, and a click that focuses."""
    same = picture(*items)

    verdict = judged(action, same, same, payload=payload, submits=submits, count=count).verdict

    if verdict is Verdict.CONFIRMED and action not in STATE_ACTS:
        assert action in {Action.CLICK, Action.PRESS, Action.TOGGLE, Action.SELECT}
        assert {State.FOCUSED, State.ACTIVE} & items[0].states


@given(some, st.sampled_from(sorted(STATE_ACTS)), st.sampled_from(["x", "1", "true"]))
def test_an_act_that_asks_for_a_state_is_confirmed_only_in_that_state(
    items: tuple[Candidate, ...], action: Action, payload: str
) -> None:
    """Being in it is the effect; saying nothing about it is not being in it."""
    same, target = picture(*items), items[0]
    asked = {
        Action.FOCUS: bool({State.FOCUSED, State.ACTIVE} & target.states),
        Action.EXPAND: State.EXPANDED in target.states,
        Action.COLLAPSE: bool({State.EXPANDABLE, State.COLLAPSED} & target.states),
        Action.SCROLL_INTO_VIEW: target.is_showing,
        Action.SET_VALUE: payload in {target.value, "1", "true"} and not target.is_secure,
    }

    assert judged(action, same, same, payload=payload).verdict is not Verdict.CONFIRMED or asked[action]


@given(some, some, st.sampled_from(["e1 gone", 'text "OK"', 'button "OK" gone', "e1 is checked", "e1 is gone"]))
def test_an_expectation_is_confirmed_only_if_it_holds_after_and_did_not_before(
    items: tuple[Candidate, ...], others: tuple[Candidate, ...], expect: str
) -> None:
    """For an act that asks for no state, what held already proves nothing."""
    before, after = picture(*items), picture(*others)
    there, back = (
        judged(Action.PRESS, *two, target=items[0], expect=expect) for two in ((before, after), (after, before))
    )

    assert Verdict.CONFIRMED not in {there.verdict} & {back.verdict}
    assert judged(Action.PRESS, after, after, target=items[0], expect=expect).verdict is not Verdict.CONFIRMED


def test_a_button_whose_handler_does_nothing_is_not_confirmed() -> None:
    """Must hold: no false success."""
    same = picture(button("OK"))

    found = judged(Action.PRESS, same, same)

    assert (found.verdict, found.failure) == (Verdict.UNVERIFIABLE, Failure.NO_EFFECT)


@pytest.mark.parametrize(
    "opened",
    [
        window(9, "", is_popup=True),  # a tooltip under the pointer
        window(9, "Saved!", is_popup=True),
        window(9, "Mail", pid=OTHER_APP),
    ],
)
def test_a_tooltip_or_another_applications_window_is_weak_evidence_at_most(opened: Window) -> None:
    """Found in review: any window that came up confirmed any click."""
    found = judged(Action.PRESS, picture(button("OK")), picture(button("OK"), windows=(window(), opened)))

    assert (found.verdict, len(found.evidence)) == (Verdict.WEAK, 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [((window(),), (window(), window(2, "Save As"))), ((window(), window(2, "Save As")), (window(),))],
)
def test_a_dialog_that_opens_or_closes_confirms(before: tuple[Window, ...], after: tuple[Window, ...]) -> None:
    """The cue of most buttons."""
    found = judged(Action.PRESS, picture(button("Save"), windows=before), picture(button("Save"), windows=after))

    assert found.verdict is Verdict.CONFIRMED
    assert "Save As" in found.evidence[0].cue


def test_a_menu_that_closes_after_one_of_its_items_is_no_proof_of_the_items_effect() -> None:
    """Found in review: the other items went, as they do whatever the handler does."""
    items = [candidate(Role.MENU_ITEM, name, parent=native("/menu"), window=9) for name in ("Copy", "Paste")]
    menu = candidate(Role.MENU, "Edit", path="/menu", window=9)
    opened = (window(), window(9, "", is_popup=True))

    found = judged(Action.PRESS, picture(*items, menu, windows=opened), picture(windows=(window(),)))

    assert found.verdict is Verdict.WEAK


def test_a_control_that_appears_confirms_and_a_label_that_changes_is_weak() -> None:
    """A change elsewhere is only weak evidence unless controls came or went."""
    ok, label = button("Add"), candidate(Role.LABEL, "", value="0", path="/l")

    came = judged(Action.PRESS, picture(ok), picture(ok, button("Remove")))
    changed = judged(Action.PRESS, picture(ok, label), picture(ok, replace(label, value="1")))

    assert (came.verdict, changed.verdict) == (Verdict.CONFIRMED, Verdict.WEAK)


def test_what_is_not_in_a_tree_that_was_not_read_to_its_end_has_not_gone() -> None:
    """Found in review: reading that stops at its deadline looks like controls that went."""
    ok, other = button("OK"), button("Other")

    found = judged(Action.PRESS, picture(ok, other), picture(ok, is_complete=False))
    gone = judged(Action.PRESS, picture(ok, other), picture(ok, is_complete=False), expect='button "Other" gone')

    assert found.verdict is Verdict.WEAK
    assert (gone.verdict, gone.evidence[0].after) == (Verdict.REFUTED, "not seen, and reading stopped early")


def test_a_clock_that_moves_by_itself_is_no_evidence() -> None:
    """What changed between two looks with no act between is restless."""
    ok, clock = button("OK"), candidate(Role.LABEL, "", value="12:01", path="/clock")
    moving = restless(candidate_set(ok, replace(clock, value="12:00")), candidate_set(ok, clock))

    found = judged(Action.PRESS, picture(ok, clock), picture(ok, replace(clock, value="12:02")), restless=moving)

    assert moving == {native("/clock")}
    assert found.verdict is Verdict.UNVERIFIABLE


def test_a_calculators_key_is_confirmed_by_its_echo_in_the_display() -> None:
    """A text elsewhere that grows by the target's own name."""
    key, display = button("7"), candidate(Role.LABEL, "", value="4", path="/d")

    assert judged(Action.PRESS, picture(key, display), picture(key, replace(display, value="47"))).verdict is (
        Verdict.CONFIRMED
    )


@pytest.mark.parametrize(
    ("role", "before", "after", "verdict"),
    [
        (Role.CHECK_BOX, SHOWN, CHECKED, Verdict.CONFIRMED),
        (Role.CHECK_BOX, CHECKED, CHECKED, Verdict.REFUTED),
        (Role.CHECK_BOX, SHOWN | {State.INDETERMINATE}, SHOWN, Verdict.CONFIRMED),
        (Role.TOGGLE_BUTTON, SHOWN, SHOWN, Verdict.UNVERIFIABLE),
        (Role.RADIO_BUTTON, SHOWN, CHECKED, Verdict.CONFIRMED),
        (Role.RADIO_BUTTON, SHOWN, SHOWN, Verdict.REFUTED),
        (Role.RADIO_BUTTON, CHECKED, CHECKED, Verdict.WEAK),
        (Role.LIST_ITEM, SHOWN, SHOWN | {State.SELECTED}, Verdict.CONFIRMED),
        (Role.ENTRY, SHOWN, FOCUSED, Verdict.CONFIRMED),
        (Role.ENTRY, SHOWN, SHOWN, Verdict.REFUTED),
    ],
)
def test_a_click_is_judged_by_the_cue_of_its_kind_of_control(
    role: Role, before: frozenset[State], after: frozenset[State], verdict: Verdict
) -> None:
    """A checkbox toggles, a row becomes selected, a field takes the focus."""
    was, now = (candidate(role, "x", states=states) for states in (before, after))

    assert judged(Action.CLICK, picture(was), picture(now)).verdict is verdict


@pytest.mark.parametrize(
    ("action", "before", "after", "verdict"),
    [
        (Action.EXPAND, SHOWN | {State.EXPANDABLE}, EXPANDED, Verdict.CONFIRMED),
        (Action.EXPAND, SHOWN | {State.EXPANDABLE}, SHOWN | {State.EXPANDABLE}, Verdict.REFUTED),
        (Action.COLLAPSE, EXPANDED, SHOWN | {State.EXPANDABLE}, Verdict.CONFIRMED),
        (Action.COLLAPSE, SHOWN, SHOWN, Verdict.UNVERIFIABLE),
        (Action.EXPAND, SHOWN, SHOWN, Verdict.UNVERIFIABLE),
    ],
)
def test_opening_and_closing_are_judged_where_the_thing_says_that_it_can(
    action: Action, before: frozenset[State], after: frozenset[State], verdict: Verdict
) -> None:
    """Found in review: collapsing what never expands was confirmed."""
    was, now = (candidate(Role.TREE_ITEM, "src", states=states) for states in (before, after))

    assert judged(action, picture(was), picture(now)).verdict is verdict


@pytest.mark.parametrize(
    ("payload", "after", "text_after", "verdict"),
    [
        ("draft", {"value": "draft"}, None, Verdict.CONFIRMED),
        ("draft", {"value": "draf"}, None, Verdict.REFUTED),
        ("draft", {"value": "draft", "text_length": 4000}, None, Verdict.UNVERIFIABLE),
        ("draft", {"value": "dra", "text_length": 5}, "draft", Verdict.CONFIRMED),
        ("", {"value": None, "text_length": None}, None, Verdict.UNVERIFIABLE),
        ("", {"value": None, "text_length": 0}, None, Verdict.CONFIRMED),
        ("x", {"value": None, "is_secure": True}, None, Verdict.UNVERIFIABLE),
        ("5", {"number": ValueRange(current=5.0), "value": "5"}, None, Verdict.CONFIRMED),
        ("5", {"number": ValueRange(current=4.0), "value": "4"}, None, Verdict.REFUTED),
        ("false", {"states": SHOWN | {State.INDETERMINATE}, "value": None, "text_length": None}, None, Verdict.REFUTED),
    ],
)
def test_a_value_is_confirmed_when_the_whole_of_it_can_be_read_back(
    payload: str, after: dict[str, Any], text_after: str | None, verdict: Verdict
) -> None:
    """Found in review: clearing a field that cannot be read was confirmed, and a cut value was refuted."""
    was = candidate(Role.ENTRY, "Name", value="old", text_length=3)
    now = replace(was, **{"text_length": len(after.get("value") or ""), **after})

    assert (
        judged(Action.SET_VALUE, picture(was), picture(now), payload=payload, text_after=text_after).verdict is verdict
    )


@pytest.mark.parametrize(
    ("before", "payload", "after", "rest", "verdict"),
    [
        ("", "abc", "abc", {}, Verdict.CONFIRMED),
        ("xy", "abc", "xabcy", {}, Verdict.CONFIRMED),
        ("aaaa", "aa", "aaaaaa", {}, Verdict.CONFIRMED),
        ("", "abc", "ab", {}, Verdict.REFUTED),
        ("", "abc", "Abc", {}, Verdict.REFUTED),
        ("xy", "abc", "abc", {}, Verdict.REFUTED),
        ("", "abc", "", {"submits": True}, Verdict.UNVERIFIABLE),
        ("", "abc", "ab", {"submits": True}, Verdict.REFUTED),
    ],
)
def test_typed_text_is_confirmed_when_exactly_it_came_in_at_one_place(
    before: str, payload: str, after: str, rest: dict[str, Any], verdict: Verdict
) -> None:
    """A field that empties itself on submit (found in review) is no partial input."""
    was, now = picture(entry("Chat", before)), picture(entry("Chat", after))

    assert judged(Action.TYPE, was, now, payload=payload, **rest).verdict is verdict


def test_text_of_which_only_a_part_arrived_is_partial_input() -> None:
    """What came in is there now, so that typing it again would double it."""
    found = judged(Action.TYPE, picture(entry("Chat")), picture(entry("Chat", "ab")), payload="abc")

    assert (found.verdict, found.failure) == (Verdict.REFUTED, Failure.PARTIAL_INPUT)


def test_an_expectation_that_held_before_does_not_vouch_for_a_value_that_was_not_set() -> None:
    """Found in review: set_value with any true sentence as its expectation was confirmed."""
    same, done = picture(entry("Name", "old")), picture(entry("Name", "new"))
    expect = 'window "Notes"'

    assert judged(Action.SET_VALUE, same, same, payload="new", expect=expect).verdict is Verdict.WEAK
    assert judged(Action.SET_VALUE, same, done, payload="new", expect=expect).verdict is Verdict.CONFIRMED


def test_an_expectation_not_met_tells_no_effect_from_a_wrong_one() -> None:
    """The failure says whether anything happened at all."""
    ok = button("OK")

    nothing = judged(Action.PRESS, picture(ok), picture(ok), expect='text "Saved"')
    wrong = judged(Action.PRESS, picture(ok), picture(ok, button("Retry")), expect='text "Saved"')

    assert (nothing.verdict, nothing.failure) == (Verdict.REFUTED, Failure.NO_EFFECT)
    assert (wrong.verdict, wrong.failure) == (Verdict.REFUTED, Failure.WRONG_EFFECT)


@pytest.mark.parametrize(
    ("why", "failure"),
    [("the application is gone", Failure.APP_GONE), ("it does not answer", Failure.APP_UNRESPONSIVE)],
)
@pytest.mark.parametrize("expect", ["", 'text "Saved"'])
def test_an_application_that_cannot_be_read_after_the_act_leaves_it_open(
    why: str, failure: Failure, expect: str
) -> None:
    """Not seen is not refuted; its window still stands."""
    after = Picture(candidates=None, windows=(window(),), failure=why)

    found = judged(Action.PRESS, picture(button("OK")), after, expect=expect)

    assert (found.verdict, found.failure) == (Verdict.UNVERIFIABLE, failure)


@pytest.mark.parametrize(
    ("direction", "dy", "verdict"),
    [
        ("down", -60, Verdict.CONFIRMED),
        ("down", 60, Verdict.REFUTED),
        ("up", 60, Verdict.CONFIRMED),
        ("down", 0, Verdict.REFUTED),
    ],
)
def test_scrolling_is_confirmed_when_content_moved_the_right_way(direction: str, dy: int, verdict: Verdict) -> None:
    """Found in review: a movement in any direction was confirmed."""
    pane = candidate(Role.LIST, "Files", path="/list")
    rows = [candidate(Role.LIST_ITEM, f"r{i}", parent=native("/list"), full_extents=box(0, 30 * i)) for i in range(5)]
    moved = [replace(item, full_extents=item.full_extents.shifted(0, dy)) for item in rows if item.full_extents]

    found = judged(Action.SCROLL, picture(pane, *rows), picture(pane, *moved), direction=direction)

    assert found.verdict is verdict
    assert verdict is not Verdict.CONFIRMED or "list" in found.evidence[0].cue


@given(some, some)
def test_differences_mirror_when_before_and_after_are_exchanged(
    items: tuple[Candidate, ...], others: tuple[Candidate, ...]
) -> None:
    """What came one way went the other way; nothing differs from itself."""
    one, other = candidate_set(*items), candidate_set(*others)
    there, back = differences(one, other), differences(other, one)

    assert differences(one, one) == ()
    swapped = {"+": "-", "-": "+", "~": "~"}
    assert sorted((swapped[item.sign], item.candidate.native) for item in back) == sorted(
        (item.sign, item.candidate.native) for item in there
    )


def test_a_secret_value_is_in_no_difference() -> None:
    """Traces and replies never hold what is typed into a password field."""
    pin = candidate(Role.PASSWORD_TEXT, "Pin", is_secure=True, value="1234")

    assert differences(candidate_set(pin), candidate_set(replace(pin, value="12345"))) == ()


@pytest.mark.parametrize(
    ("value", "verdict", "failure"),
    [
        ("Globex", Verdict.CONFIRMED, None),
        ("Initech", Verdict.REFUTED, Failure.WRONG_EFFECT),
        ("Acme", Verdict.REFUTED, Failure.NO_EFFECT),
    ],
)
@pytest.mark.parametrize("role", [Role.LIST_ITEM, Role.MENU_ITEM])
def test_an_option_is_judged_by_what_its_combo_box_then_holds(
    role: Role, value: str, verdict: Verdict, failure: Failure | None
) -> None:
    """Found in attack: a selected row of an open list was taken for a choice."""
    combo = candidate(Role.COMBO_BOX, "Company", value="Acme")
    option = candidate(role, "Globex", containers=(native("/list"), combo.native))
    selected = replace(option, states=SHOWN | {State.SELECTED})
    after = picture(replace(combo, value=value), selected)

    found = judged(Action.CLICK, picture(combo, option), after, target=option)

    assert (found.verdict, found.failure) == (verdict, failure)
    assert [one.cue for one in found.evidence] == ['combo_box "Company" holds the option']


def test_an_option_of_a_combo_box_that_does_not_say_what_it_holds_is_judged_like_any_row() -> None:
    """No verdict comes from a value that cannot be read."""
    combo = candidate(Role.COMBO_BOX, "Company")
    option = candidate(Role.LIST_ITEM, "Globex", containers=(combo.native,))
    after = picture(combo, replace(option, states=SHOWN | {State.SELECTED}))

    assert judged(Action.CLICK, picture(combo, option), after, target=option).verdict is Verdict.CONFIRMED


def test_restless_windows_and_controls_make_window_changes_and_new_controls_weak() -> None:
    """Found in an attack: toasts and feeds confirmed dead buttons."""
    ok, toast, new = button("OK"), window(2, "Toast"), button("New")
    before, after = picture(ok), picture(ok, windows=(window(), toast))
    fed = picture(ok, new)
    in_toast = picture(ok, replace(new, window=2), windows=(window(), toast))

    assert judged(Action.CLICK, before, after).verdict is Verdict.CONFIRMED
    assert judged(Action.CLICK, before, after, are_windows_restless=True).verdict is Verdict.WEAK
    assert judged(Action.CLICK, before, in_toast, are_windows_restless=True).verdict is Verdict.WEAK
    assert judged(Action.CLICK, before, fed, are_windows_restless=True).verdict is Verdict.CONFIRMED
    assert judged(Action.CLICK, before, fed, are_controls_restless=True).verdict is Verdict.WEAK


def test_the_targets_own_change_stays_proof_beside_restless_things() -> None:
    """Play becomes Pause."""
    play = button("Play")
    pause = replace(play, name="Pause")

    found = judged(Action.CLICK, picture(play), picture(pause), are_windows_restless=True, are_controls_restless=True)

    assert found.verdict is Verdict.CONFIRMED


def test_unrest_tells_things_windows_and_controls_apart() -> None:
    """What came is not held against its later changes; popups and windows of others do not count."""
    ok, tick, new = button("OK"), candidate(Role.LABEL, "12:00"), button("New")
    ticked, here = replace(tick, name="12:01"), (window(),)
    last = candidate_set(ok, tick)

    assert unrest(last, last, here, here) == Unrest()
    assert unrest(last, candidate_set(ok, ticked), here, here) == Unrest(things=frozenset({tick.native}))
    assert unrest(last, candidate_set(ok, tick, new), here, here) == Unrest(are_controls_restless=True)
    assert unrest(last, candidate_set(ok, tick, new, is_complete=False), here, here) == Unrest()
    assert unrest(last, last, here, (*here, window(2))) == Unrest(are_windows_restless=True)
    assert unrest(last, last, here, (*here, window(2, is_popup=True))) == Unrest()
    assert unrest(last, last, here, (*here, window(2, pid=OTHER_APP))) == Unrest()


@pytest.mark.parametrize(
    ("code", "verdict"), [(0, Verdict.CONFIRMED), (1, Verdict.CONFIRMED), (-9, Verdict.UNVERIFIABLE)]
)
@pytest.mark.parametrize("expect", ["", 'text "Saved" gone', "e1 gone", 'window "Notes" gone'])
def test_an_application_that_ended_is_judged_by_how_it_ended(code: int, verdict: Verdict, expect: str) -> None:
    """Found in an attack: a crash closes the window, too."""
    saved = replace(button("OK"), name="Saved")
    after = Picture(candidates=None, windows=(), failure="it has ended", exit_code=code)

    found = judged(Action.PRESS, picture(saved), after, expect=expect)

    assert found.verdict is verdict
    assert found.failure is (None if code >= 0 else Failure.APP_GONE)
    assert any("process ends" in item.cue and str(abs(code)) in item.after for item in found.evidence)


def test_a_text_of_an_application_that_only_left_the_bus_is_not_gone() -> None:
    """Not seen is not gone."""
    after = Picture(candidates=None, windows=(window(),), failure="the application is gone")

    assert judged(Action.PRESS, picture(button("OK")), after, expect='text "OK" gone').verdict is Verdict.UNVERIFIABLE
