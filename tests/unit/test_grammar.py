"""Targets and postconditions are read, or refused with the place and an example."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactile.errors import RequestError
from tactile.records import Expectation, Locator, Point, PointTarget, RefTarget, Role, Target
from tactile.verify.expect import CLAUSES_MAX, parse_expectation
from tactile.verify.grammar import TEXT_MAX
from tactile.verify.target import parse_target

WORDS = [
    "e5",
    "w2",
    "o7@1,-2",
    "button",
    "text",
    "window",
    "app",
    "file",
    '"a"',
    '"',
    "=",
    "is",
    "not",
    "and",
    "gone",
    "in",
]
pieces = st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=5)), max_size=8).map(" ".join)


@given(st.one_of(st.text(max_size=80), pieces))
def test_any_text_is_read_or_refused_and_nothing_else_happens(text: str) -> None:
    """Bad input is a typed refusal, whatever it is: NUL, lone surrogates, unclosed quotes."""
    for parse in (parse_target, parse_expectation):
        with contextlib.suppress(RequestError):
            parse(text)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("e12", RefTarget(ref="e12")),
        (" w3 ", RefTarget(ref="w3")),
        ('button "Save"', Locator(role=Role.BUTTON, name="Save")),
        ('push button "Save" in "Save As"', Locator(role=Role.BUTTON, name="Save", within="Save As")),
        (r'checkbox "a \"b\" \\"', Locator(role=Role.CHECK_BOX, name='a "b" \\')),
        ("o7@612,80", PointTarget(observation_id="o7", point=Point(x=612, y=80))),
        ("o7@-5,0", PointTarget(observation_id="o7", point=Point(x=-5, y=0))),
    ],
)
def test_a_target_is_a_ref_a_locator_or_a_point_of_an_observation(text: str, target: Target) -> None:
    """The public interface's grammar."""
    assert parse_target(text) == target


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("612,80", "the observation of the point"),
        ('gizmo "Save"', "a role such as"),
        ('button "Save', "closing quote"),
        ("button", "a quoted text after the role"),
        ("e12 e13", "the end of the target"),
        ("", "a ref, a role or a point"),
        ("x" * (TEXT_MAX + 1), f"at most {TEXT_MAX}"),
    ],
)
def test_a_bad_target_is_refused_with_what_was_expected(text: str, says: str) -> None:
    """The public interface: a string that does not parse is refused with the place and an example."""
    with pytest.raises(RequestError, match=says):
        parse_target(text)


@pytest.mark.parametrize(
    "text",
    [
        "e5 is checked",
        'e5 = "draft"',
        "e5 gone",
        'text "Saved"',
        'window "Save As"',
        'window "Save As" gone',
        'app "gedit" gone',
        "file ~/a.txt",
        'file ~/a.txt contains "x"',
        'button "OK" in "Save" is not enabled',
        'text "Total" contains "4"',
    ],
)
def test_every_postcondition_of_the_public_interface_parses_and_keeps_its_words(text: str) -> None:
    """The public interface's examples; the source is what the receipt's evidence shows."""
    (clause,) = parse_expectation(text)

    assert clause.source == text


def test_clauses_are_joined_by_and_up_to_a_limit() -> None:
    """Our choice: what is judged at once is bounded."""
    assert len(parse_expectation(" and ".join(["e5 gone"] * CLAUSES_MAX))) == CLAUSES_MAX
    with pytest.raises(RequestError, match="at most"):
        parse_expectation(" and ".join(["e5 gone"] * (CLAUSES_MAX + 1)))


@pytest.mark.parametrize(
    ("words", "argument"),
    [
        ("is unchecked", "not checked"),
        ("is not hidden", "showing"),
        ("is gone", "not showing"),
        ("is not gone", "showing"),
    ],
)
def test_opposite_words_mean_the_negated_state(words: str, argument: str) -> None:
    """Found in review: "is gone" used to be read as a state that no candidate has, and judging it failed."""
    (clause,) = parse_expectation(f"e5 {words}")

    assert (clause.kind, clause.argument) == ("state", argument)


def test_an_unknown_state_is_refused() -> None:
    """A state nobody knows would never hold, or always by mistake."""
    with pytest.raises(RequestError, match="a state such as"):
        parse_expectation("e5 is happy")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_a_quoted_text_comes_back_as_it_was(text: str) -> None:
    """Escaping with a backslash loses nothing."""
    quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    assert parse_expectation(f"text {quoted}")[0] == Expectation(
        subject="text", kind="present", name=text, source=f'text "{text}"'
    )
