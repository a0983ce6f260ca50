"""Which application a name, pid or window means."""

from __future__ import annotations

import pytest

from tactile.errors import RequestError, ResolveError
from tactile.records import Application, Window
from tactile.runtime.applications import AppEntry, Running, find
from tactile.runtime.refs import Numbers, Refs
from tests.unit.building import native, window


def app(name: str, pid: int, *windows: Window) -> AppEntry:
    """Make one running application."""
    root = Application(root=native(f"/{pid}"), name=name, pid=pid)
    return AppEntry(name=name, pid=pid, windows=windows, accessible="full", roots=(root,))


NOTES = app("notes", 10, window(1, "Draft", pid=10, app_class="Notes"))
MAIL = app("mail", 11, window(2, "Inbox", pid=11, app_class="Mail", is_active=True))
OTHER_MAIL = app("mail", 12, window(3, "Inbox", pid=12, app_class="Mail"))


def refs() -> Refs:
    """Make a memory of refs without any."""
    return Refs(Numbers(lambda count: 100))


def now(*entries: AppEntry) -> Running:
    """Make the applications that run."""
    return Running(entries=entries, windows=tuple(one for entry in entries for one in entry.windows))


@pytest.mark.parametrize("word", ["notes", " NOTES ", "10", "Draft"])
def test_an_application_is_found_by_name_pid_or_title_whatever_the_case(word: str) -> None:
    """The public interface: name, pid or window id."""
    assert find(word, now(NOTES, MAIL), refs()) == (NOTES, None)


def test_an_application_is_found_by_the_ref_of_its_window() -> None:
    """The window is answered too, so that only it is looked at."""
    memory = refs()
    given = memory.windows([(1, "Draft")])

    assert find(given[1], now(NOTES, MAIL), memory) == (NOTES, NOTES.windows[0])


def test_without_a_name_the_active_windows_application_is_meant() -> None:
    """The public interface's default."""
    assert find(None, now(NOTES, MAIL), refs()) == (MAIL, None)
    with pytest.raises(RequestError, match="No window is active"):
        find(None, now(NOTES), refs())


def test_two_of_one_name_are_refused_and_told_apart_by_pid() -> None:
    """Must hold: two of the same name is a typed refusal, nothing touched."""
    with pytest.raises(ResolveError) as caught:
        find("mail", now(MAIL, OTHER_MAIL), refs())

    assert caught.value.code == "target_ambiguous"
    assert [("pid 11" in text, "pid 12" in text) for text in caught.value.diagnosis.near_misses] == [
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize("word", ["gimp", "99", "w55", "\ud800\x00"])
def test_an_unknown_application_is_refused_with_those_that_run(word: str) -> None:
    """Bad input: what to do next is in the hint."""
    with pytest.raises(RequestError) as caught:
        find(word, now(NOTES), refs())

    assert "list_apps" in caught.value.hint
    assert caught.value.diagnosis.near_misses == ('"notes" pid 10 "Draft"',)
