"""Refs and observation ids: the same thing keeps its ref, no ref is ever given twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactile.errors import ResolveError, SetupError
from tactile.runtime.refs import BLOCK, Numbers, Refs
from tactile.runtime.state import reserve_numbers, state_folder
from tests.unit.building import button, window


class Counter:
    """Reserves blocks one after another, as the state folder does."""

    def __init__(self) -> None:
        self.end = 1

    def __call__(self, count: int) -> int:
        """Return the first number of the next block."""
        first, self.end = self.end, self.end + count
        return first


@given(
    st.lists(st.tuples(st.integers(0, 2), st.lists(st.sampled_from("abcdefgh"), max_size=5, unique=True)), max_size=40)
)
def test_a_ref_means_one_thing_for_ever_also_across_sessions(steps: list[tuple[int, list[str]]]) -> None:
    """The public interface: refs live as long as the thing, a ref is never reused."""
    reserve = Counter()
    sessions = [Refs(Numbers(reserve)) for _ in range(3)]
    meaning: dict[str, tuple[int, str]] = {}

    for session, names in steps:
        shown = sessions[session].give((button(name) for name in names), 1)
        sessions[session].show(shown, 1)
        for item in shown:
            assert meaning.setdefault(item.ref, (session, item.name)) == (session, item.name)

    assert len(set(meaning.values())) == len(meaning)


def test_known_things_have_their_refs_and_new_ones_get_none_unasked() -> None:
    """What is looked at but not shown costs no ref."""
    refs = Refs(Numbers(Counter()))
    (first,) = refs.give([button("a")], 1)

    assert [item.ref for item in refs.known([button("b"), button("a")])] == ["", first.ref]


def test_a_ref_that_left_the_session_in_any_way_can_be_used() -> None:
    """A near miss or a full record names a ref that no compact list has shown."""
    refs = Refs(Numbers(Counter()))
    (given_,) = refs.give([button("a")], 7)

    assert refs.seen(given_.ref).candidate == given_
    assert refs.seen(given_.ref).pid == 7


def test_a_ref_that_was_never_shown_here_is_of_another_session() -> None:
    """The public interface: a ref from another server run is refused as such."""
    with pytest.raises(ResolveError) as caught:
        Refs(Numbers(Counter())).seen("e12")

    assert caught.value.code == "stale_session"


def test_a_window_keeps_its_ref_and_is_found_by_it_while_it_is_there() -> None:
    """Windows have refs of their own, in the same numbers."""
    refs = Refs(Numbers(Counter()))
    given_ = refs.windows([(7, "Notes"), (9, "Save As")])

    assert refs.windows([(9, "Saved"), (7, "Notes")]) == {9: given_[9], 7: given_[7]}
    assert refs.window_named(given_[7], [window(7)]) == window(7)
    assert refs.window_named(given_[9], [window(7)]) is None


def test_numbers_are_reserved_in_blocks_on_disk_and_never_come_twice(tmp_path: Path) -> None:
    """Two runs of the server with one state folder share no number."""
    runs = [Numbers(lambda count: reserve_numbers(tmp_path, count)) for _ in range(3)]

    numbers = [run.next() for _ in range(BLOCK + 5) for run in runs]

    assert len(set(numbers)) == len(numbers)


def test_the_state_folder_is_its_owners_only(tmp_path: Path) -> None:
    """It holds what was typed into which application."""
    folder = state_folder({"XDG_STATE_HOME": str(tmp_path)})

    assert folder == tmp_path / "tactile"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_state_folder_that_cannot_be_made_is_named_with_the_way_out(tmp_path: Path) -> None:
    """Works as root too: a file stands where the folder should be."""
    (tmp_path / "file").touch()

    with pytest.raises(SetupError) as caught:
        state_folder({"XDG_STATE_HOME": str(tmp_path / "file")})
    assert "XDG_STATE_HOME" in caught.value.hint
    with pytest.raises(SetupError):
        reserve_numbers(tmp_path / "file", 1)
