"""Records survive JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tactile.codec import from_json, to_json
from tactile.records import (
    Action,
    ActionRequest,
    CandidateSet,
    Change,
    Expectation,
    Locator,
    Observation,
    Point,
    PointTarget,
    Receipt,
    RefTarget,
    Role,
    State,
    ValueRange,
)
from tactile.verify.target import parse_target
from tests.unit.building import accessible, entry, through_json


@pytest.mark.parametrize("kind", [Observation, CandidateSet, Receipt, ActionRequest, Change])
@given(data=st.data())
def test_a_record_comes_back_from_json_as_it_went(kind: type, data: st.DataObject) -> None:
    """House style: codec round-trips; lone surrogates and every vocabulary word included."""
    record: Any = data.draw(st.from_type(kind))
    assume("NaN" not in json.dumps(to_json(record)))  # equal to nothing, itself included

    assert through_json(kind, record) == record


@pytest.mark.parametrize("text", ["e12", 'button "Save" in "Save As"', "o7@612,80"])
def test_each_kind_of_target_comes_back_as_its_own_kind(text: str) -> None:
    """The three targets share no set of fields, so none is taken for another."""
    request = ActionRequest(
        action=Action.CLICK,
        target=parse_target(text),
        destination=PointTarget(observation_id="o1", point=Point(x=-1, y=2)),
        expectation=(
            Expectation(subject="target", kind="state", target=RefTarget(ref="e5"), argument="checked"),
            Expectation(subject="target", kind="gone", target=Locator(role=Role.BUTTON, name="OK")),
        ),
    )

    assert through_json(ActionRequest, request) == request


@pytest.mark.parametrize(
    ("kind", "data", "error"),
    [
        (Observation, ["not", "an", "object"], TypeError),
        (ValueRange, {}, TypeError),
        (frozenset[State], "checked", TypeError),
        (Role, "gizmo", ValueError),
    ],
)
def test_data_of_another_shape_is_refused(kind: Any, data: Any, error: type[Exception]) -> None:
    """The docstring of from_json names both errors."""
    with pytest.raises(error):
        from_json(kind, data)


@pytest.mark.parametrize("made", [entry("Name", "x"), accessible("/e", Role.ENTRY, "Name")])
def test_a_record_written_before_a_field_was_added_is_still_read(made: object) -> None:
    """Traces outlive releases: what only some records have may be absent."""
    added = {"name_from", "placeholder", "level", "row", "column", "row_header", "column_header", "url"}
    old = {name: value for name, value in to_json(made).items() if name not in added}

    assert len(old) == len(to_json(made)) - len(added)
    assert from_json(type(made), old) == made
