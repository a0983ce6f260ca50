"""What is sent for one primitive, told by a scripted connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest

from tactile.adapters.atspi.act import Target, perform
from tactile.adapters.atspi.calls import Call, Line
from tactile.adapters.atspi.roles import Toolkit
from tactile.errors import (
    AppGoneError,
    AppUnresponsiveError,
    ObjectGoneError,
    PlatformError,
    RequestError,
    UnsupportedError,
)
from tactile.records.accessible import NativeRef

SHOWING = [1 << 25, 0]
SHOWING_AND_FOCUSED = [1 << 25 | 1 << 12, 0]
GONE = "org.freedesktop.DBus.Error.UnknownObject"
EFFECTS = {"DoAction", "Set", "SetTextContents", "InsertText", "SelectChild", "GrabFocus", "ScrollTo"}
Answer = Sequence[Any] | str
"""A body, or an error name; "" is silence until the deadline."""


class Script:
    """A connection that answers by member, or by property name."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self.answers = {
            "GetState": [SHOWING],
            "GetInterfaces": [["org.a11y.atspi.EditableText", "org.a11y.atspi.Value"]],
            **answers,
        }
        self.sent: list[Call] = []

    async def call(self, call: Call, _until: float) -> tuple[Sequence[Any] | None, str]:
        """Answer as written."""
        self.sent.append(call)
        answer = self.answers[str(call.body[1]) if call.member == "Get" else call.member]
        return (None, answer) if isinstance(answer, str) else (answer, "")

    @property
    def effects(self) -> list[tuple[Any, ...]]:
        """The calls that change something."""
        return [(call.member, *call.body) for call in self.sent if call.member in EFFECTS]

    def target(self, toolkit: Toolkit = Toolkit.GTK3) -> Target:
        """The object the script speaks of."""
        return Target(cast("Line", self), NativeRef(application=":1.5", path="/7"), 1.0, toolkit)


@pytest.fixture
def anyio_backend() -> str:
    """The adapter is made for asyncio."""
    return "asyncio"


def number(value: float) -> list[float]:
    """Return the body of a property."""
    return [value]


async def test_the_index_of_an_action_is_looked_up_by_name_when_it_is_done() -> None:
    """Case C43: an index kept from an earlier look may mean something else by now."""
    script = Script({"NActions": [1], "GetName": ["click"], "DoAction": [True]})

    assert await perform(script.target(), "atspi.action:click", "") is True

    assert script.effects == [("DoAction", 0)]


async def test_an_action_that_is_no_longer_there_is_not_replaced_by_another() -> None:
    """Never the first action instead."""
    script = Script({"NActions": [1], "GetName": ["window.close"]})

    with pytest.raises(UnsupportedError, match=r"window\.close"):
        await perform(script.target(), "atspi.action:click", "")

    assert script.effects == []


@pytest.mark.parametrize(
    ("answer", "error", "effect"),
    [
        ("", AppUnresponsiveError, "possible"),
        ("org.freedesktop.DBus.Error.NoReply", AppGoneError, "possible"),
        ("org.freedesktop.DBus.Error.ServiceUnknown", AppGoneError, "none"),
        ("tactile.ConnectionLost", PlatformError, "possible"),
        (GONE, ObjectGoneError, "none"),
        ("org.freedesktop.DBus.Error.NotSupported", UnsupportedError, "none"),
    ],
)
async def test_silence_after_the_act_means_that_an_effect_is_possible(
    answer: str, error: type[PlatformError], effect: str
) -> None:
    """The port's contract."""
    script = Script({"GrabFocus": answer})

    with pytest.raises(error) as caught:
        await perform(script.target(), "atspi.focus", "")

    assert caught.value.effect == effect
    assert len(script.effects) == 1


async def test_silence_before_the_act_means_that_there_was_none() -> None:
    """Nothing with an effect had been sent."""
    script = Script({"GetState": ""})

    with pytest.raises(AppUnresponsiveError) as caught:
        await perform(script.target(), "atspi.focus", "")

    assert caught.value.effect == "none"
    assert script.effects == []


async def test_an_object_taken_out_of_its_window_is_gone() -> None:
    """Measured: GTK 3 and Qt run the handler of a removed button."""
    script = Script({"GetState": [[0, 0]], "GetIndexInParent": [-1]})

    with pytest.raises(ObjectGoneError):
        await perform(script.target(), "atspi.focus", "")

    assert script.effects == []


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "x\udfff"])
async def test_text_that_no_message_can_carry_is_refused(text: str) -> None:
    """D-Bus strings are UTF-8 without NUL."""
    script = Script({})

    with pytest.raises(RequestError):
        await perform(script.target(), "atspi.editable_text.set", text)

    assert script.sent == []


@pytest.mark.parametrize(
    ("toolkit", "length"), [(Toolkit.GTK3, 11), (Toolkit.GTK4, 11), (Toolkit.QT, 8), (Toolkit.OTHER, 7)]
)
async def test_insert_text_counts_as_the_toolkit_does(toolkit: Toolkit, length: int) -> None:
    """Measured: bytes on GTK, UTF-16 units on Qt; a wrong count cuts the text or adds NULs."""
    answers: dict[str, Answer] = {"CaretOffset": [3], "InsertText": [True], "SetCaretOffset": [True]}
    script = Script({**answers, "GetState": [SHOWING_AND_FOCUSED]})

    await perform(script.target(toolkit), "atspi.editable_text.insert", "héllo😀 ")

    assert script.effects == [("InsertText", 3, "héllo😀 ", length)]


async def test_text_is_appended_to_a_field_without_the_focus() -> None:
    """Our choice: a caret that nobody put there (0 after a text was set, on GTK) says nothing about where to type."""
    answers: dict[str, Answer] = {"CaretOffset": [0], "CharacterCount": [5]}
    script = Script({**answers, "InsertText": [True]})

    await perform(script.target(Toolkit.GTK3), "atspi.editable_text.insert", "!")

    assert script.effects == [("InsertText", 5, "!", 1)]


@pytest.mark.parametrize(
    ("current", "step", "up", "wanted"),
    [(10, 5, True, 15), (98, 5, True, 100), (2, 5, False, 0), (10, 0, True, 11)],
)
async def test_a_step_stays_within_the_range(current: float, step: float, up: bool, wanted: float) -> None:
    """A step the toolkit does not name is 1 in a wide range."""
    values = {"CurrentValue": current, "MinimumValue": 0, "MaximumValue": 100, "MinimumIncrement": step}
    script = Script({**{name: number(value) for name, value in values.items()}, "Set": []})

    await perform(script.target(), f"atspi.value.step:{'up' if up else 'down'}", "")

    ((_, _, _, value),) = script.effects
    assert value.value == wanted


async def test_a_value_out_of_range_is_refused_not_clamped() -> None:
    """The caller asked for something that cannot be."""
    script = Script({"MinimumValue": number(0), "MaximumValue": number(100)})

    for text in ("101", "-1", "nan", "inf", "ten", ""):
        with pytest.raises(RequestError):
            await perform(script.target(), "atspi.value.set", text)

    assert script.effects == []


async def test_a_child_is_selected_by_its_place_of_now() -> None:
    """The index comes from the object itself, at the moment of the act."""
    script = Script(
        {"Parent": [[":1.5", "/3"]], "GetIndexInParent": [4], "SelectChild": [True]},
    )

    assert await perform(script.target(), "atspi.selection.select", "") is True

    assert script.effects == [("SelectChild", 4)]
    assert script.sent[-1].path == "/3"
