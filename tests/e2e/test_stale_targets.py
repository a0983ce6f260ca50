"""What was seen may be gone: an act reaches the thing that was meant, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.desk import Desk, Form, desk

LIST = ("--layout", "list", "--keep")


@pytest.fixture
def form(shared_desk: Desk, varied_toolkit: str) -> Iterator[Form]:
    """A window with Alpha, Bravo, Charlie and Delta."""
    with shared_desk.opened(varied_toolkit, *LIST) as opened:
        yield opened


@pytest.fixture
def form_of_each(shared_desk: Desk, toolkit: str) -> Iterator[Form]:
    """The same window in every toolkit."""
    with shared_desk.opened(toolkit, *LIST) as opened:
        yield opened


@pytest.mark.timeout(900)
def test_the_neighbour_of_a_removed_button_is_clicked_and_nothing_else_ever(
    shared_desk: Desk, form_of_each: Form, runs: int
) -> None:
    """Issue 2, must hold (peers.md, experiment A): a position-based target would click the wrong one."""
    form = form_of_each
    for run in range(runs):
        refs = shared_desk.refs(form)
        assert set(refs) == {"Alpha", "Bravo", "Charlie", "Delta"}
        form.ask("remove", name="Alpha")
        bravo = shared_desk.call("click", target=refs["Bravo"])
        assert not bravo.is_error, bravo.text
        assert form.clicks() == ["Bravo"], f"run {run}"
        alpha = shared_desk.call("click", target=refs["Alpha"])
        assert (alpha.data["status"], alpha.failure) == ("rejected", "stale_detached"), alpha.text
        assert alpha.is_error
        assert any("Bravo" in name for name in alpha.data["near_misses"]), alpha.text
        assert alpha.data["next"]
        assert form.new_events() == [], f"run {run}"
        form.ask("insert", name="Alpha", index=0)


@pytest.mark.parametrize("how", [{}, {"count": 2}], ids=["press", "pointer"])
def test_a_button_inserted_above_is_never_hit(shared_desk: Desk, form: Form, how: dict[str, int]) -> None:
    """Our choice: everything moves down by one, so an old place now belongs to "Delete all"."""
    refs = shared_desk.refs(form)
    form.ask("insert", name="Delete all", index=0)
    form.settle()
    answer = shared_desk.call("click", target=refs["Alpha"], **how)
    assert not answer.is_error, answer.text
    assert set(form.clicks()) == {"Alpha"}


def test_a_renamed_button_is_refused_and_its_new_name_told(shared_desk: Desk, form: Form) -> None:
    """Our choice: what a button is called is what it does."""
    refs = shared_desk.refs(form)
    form.ask("rename", name="Bravo", to="Delete all")
    answer = shared_desk.call("click", target=refs["Bravo"])
    assert answer.failure == "stale_renamed", answer.text
    assert any("Delete all" in name for name in answer.data["near_misses"])
    assert form.new_events() == []
    assert not shared_desk.call("click", target=shared_desk.refs(form)["Delete all"]).is_error
    assert form.clicks() == ["Delete all"]


def test_a_button_disabled_meanwhile_is_refused_until_enabled_again(shared_desk: Desk, form: Form) -> None:
    """Our choice: the same ref works again once the thing does."""
    refs = shared_desk.refs(form)
    form.ask("enable", name="Bravo", on=False)
    assert shared_desk.call("click", target=refs["Bravo"]).failure == "disabled"
    assert form.new_events() == []
    form.ask("enable", name="Bravo", on=True)
    assert not shared_desk.call("click", target=refs["Bravo"]).is_error
    assert form.clicks() == ["Bravo"]


def test_a_button_hidden_meanwhile_is_refused(shared_desk: Desk, form: Form) -> None:
    """Our choice: a toolkit may report a hidden widget as hidden or leave it out of its tree."""
    refs = shared_desk.refs(form)
    form.ask("show", name="Bravo", on=False)
    form.settle()
    answer = shared_desk.call("click", target=refs["Bravo"])
    assert answer.failure in {"stale_hidden", "stale_detached"}, answer.text
    assert form.new_events() == []
    form.ask("show", name="Bravo", on=True)
    form.settle()
    assert not shared_desk.call("click", target=shared_desk.refs(form)["Bravo"]).is_error
    assert form.clicks() == ["Bravo"]


def test_a_button_of_a_minimised_window_is_refused_until_it_is_back(shared_desk: Desk, form: Form) -> None:
    """Our choice: what cannot be seen is not clicked; the window's own ref brings it back."""
    refs = shared_desk.refs(form)
    window = shared_desk.observe(form).data["window"].split()[0]
    form.ask("minimise")
    answer = shared_desk.call("click", target=refs["Bravo"])
    assert answer.failure == "stale_hidden", answer.text
    assert form.new_events() == []
    back = shared_desk.call("perform_secondary_action", target=window, action="focus")
    assert not back.is_error, back.text
    assert not shared_desk.call("click", target=refs["Bravo"]).is_error
    assert form.clicks() == ["Bravo"]


def test_a_button_of_a_closed_window_is_refused(shared_desk: Desk, form: Form) -> None:
    """Issue 2, must hold: the window closed meanwhile; the process lives on."""
    refs = shared_desk.refs(form)
    assert not shared_desk.call("click", target=refs["Bravo"]).is_error
    form.ask("close")
    form.new_events()
    answer = shared_desk.call("click", target=refs["Bravo"])
    assert answer.failure in {"stale_window", "app_gone"}, answer.text
    assert answer.data["next"]
    assert [event for event in form.new_events() if event["event"] != "closed"] == []


def test_a_ref_of_an_earlier_server_is_refused_as_such(tmp_path: Path) -> None:
    """interface.md: refs from another server run are refused as such."""
    with desk(tmp_path) as first, first.opened("gtk3", *LIST) as form:
        old = first.refs(form)
        assert not first.call("click", target=old["Bravo"]).is_error
    with desk(tmp_path) as second, second.opened("gtk3", *LIST) as form:
        for ref in old.values():
            assert second.call("click", target=ref).failure == "stale_session"
        assert not set(old.values()) & set(second.refs(form).values())
        assert form.new_events() == []
        assert not second.call("click", target=second.refs(form)["Bravo"]).is_error
        assert form.clicks() == ["Bravo"]
