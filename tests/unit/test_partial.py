"""A partial tree says that it is partial, and why."""

from __future__ import annotations

from dataclasses import replace

from tactile.compile import compile_observation
from tactile.records import Role
from tests.unit.building import accessible, frame, observation


def test_the_reason_is_among_the_notes() -> None:
    """A reader who misses a control must know whether it can be missing for a reason."""
    seen = observation(frame(), accessible("/save", Role.BUTTON, "Save"))
    assert seen.tree is not None
    cut = replace(seen.tree, is_complete=False, gaps=("5000 objects", "the deadline of 2 s"))

    (note,) = compile_observation(replace(seen, tree=cut)).notes

    assert note.startswith("partial: reading stopped at 5000 objects and the deadline of 2 s")


def test_a_complete_tree_has_no_such_note() -> None:
    """The positive control."""
    assert compile_observation(observation(frame(), accessible("/save", Role.BUTTON, "Save"))).notes == ()
