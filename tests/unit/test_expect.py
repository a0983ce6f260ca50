"""Whether a postcondition holds in a picture."""

from __future__ import annotations

from typing import Any

import pytest

from tactile.records import Candidate, Role, State
from tactile.verify.expect import Picture, holds, parse_expectation
from tests.unit.building import SHOWN, button, candidate, candidate_set, entry, native, window

CONTENT = (
    entry("Name", "draft", path="/5"),
    candidate(Role.CHECK_BOX, "Wrap", path="/6", states=SHOWN | {State.CHECKED}),
    button("OK", path="/7", is_enabled=False),
    button("Same", path="/8"),
    button("Same", path="/9"),
    candidate(Role.PASSWORD_TEXT, "Pin", path="/10", is_secure=True),
    candidate(Role.LABEL, "Saved  \n today", path="/11"),
    button("Hidden", path="/12", is_showing=False),
)
NATIVES = {f"e{number}": native(f"/{number}") for number in range(5, 13)}


def seen(*candidates: Candidate, **rest: Any) -> Picture:
    """Make the picture of one moment."""
    windows = (window(1, "Notes"), window(2, "Save\u200b As"))
    return Picture(candidates=candidate_set(*candidates), windows=windows, **rest)


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ('e5 = "draft"', True),
        ('e5 = "draf"', False),
        ('e5 contains "raf"', True),
        ('entry "Name" = "draft"', True),
        ("e6 is checked", True),
        ("e6 is unchecked", False),
        ("e7 is disabled", True),
        ("e7 is not disabled", False),
        ("e7 gone", False),
        ("e7 is gone", False),
        ("e12 gone", True),
        ("e12 is gone", True),
        ("e12 is enabled", False),
        ("e99 gone", False),
        ('button "Nowhere" gone', True),
        ('button "Nowhere" is enabled', False),
        ('button "Same" gone', False),
        ('button "Same" is enabled', False),
        ('e10 = ""', False),
        ('e10 = "Pin"', False),
        ('text "Saved today"', True),
        ('text "Hidden"', False),
        ('text "Hidden" gone', True),
        ('window "Save As"', True),
        ('window "Save As" gone', False),
        ('window "Print"', False),
        ('app "Gedit"', True),
        ('app "gimp" gone', True),
        ("file /tmp/a", True),
        ('file /tmp/a contains "x"', True),
        ('file /tmp/a contains "y"', False),
        ("file /tmp/a gone", False),
        ("file /tmp/b gone", True),
        ("file /tmp/b", False),
        ("file /tmp/unasked gone", False),
    ],
)
def test_each_kind_of_postcondition_is_decided_by_what_is_in_the_picture(text: str, is_so: bool) -> None:
    """The public interface's list; several of one name hold nothing, a secret holds
    nothing that can be said (found in review), and what was not looked at is not gone.
    """
    picture = seen(*CONTENT, app_names=frozenset({"gedit"}), files={"/tmp/a": b"xz", "/tmp/b": None})
    (clause,) = parse_expectation(text)

    found = holds(clause, picture, NATIVES)

    assert found.holds is is_so
    assert found.seen


@pytest.mark.parametrize("text", ["e5 gone", 'text "Saved" gone', 'button "OK" gone', 'app "gedit" gone'])
def test_nothing_is_gone_from_an_application_that_was_not_read(text: str) -> None:
    """Not seen is not gone."""
    (clause,) = parse_expectation(text)

    assert not holds(clause, Picture(candidates=None, failure="it does not answer"), NATIVES).holds
