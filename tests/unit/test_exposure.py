"""What an application holds back is said with the remedy, and nothing is said where it holds nothing back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tactile.compile import compile_observation
from tactile.compile.exposure import WITHHELD, exposure_notes
from tactile.records import Accessible, Observation, Role, Window
from tests.unit.building import accessible, box, frame, observation, tree, window

SHELL = (
    frame("Shop - Chromium"),
    accessible("/a", Role.PANEL),
    frame("", "/second"),
    accessible("/b", Role.DOCUMENT, parent="/second", toplevel="/second", extents=box(0, 0, 0, 0)),
)


def seen_of(*accessibles: Accessible, windows: tuple[Window, ...] = (window(),), **rest: Any) -> Observation:
    """Make an observation of a browser."""
    read = tree(*accessibles, **{"toolkit": "Chromium", **rest})
    return replace(observation(windows=windows), tree=read)


def test_a_browser_of_empty_windows_is_said_to_hold_its_page_back() -> None:
    """Report: a Chromium or Electron window with four accessibles is no empty page."""
    seen = seen_of(*SHELL, windows=(window(title="Shop - Chromium"),))

    assert exposure_notes(seen) == (WITHHELD,)
    assert compile_observation(seen).notes == (WITHHELD,)
    assert "--force-renderer-accessibility" in WITHHELD


@pytest.mark.parametrize(
    "more",
    [
        accessible("/page", Role.DOCUMENT, "", extents=box(0, 0, 300, 200)),
        accessible("/ok", Role.BUTTON, "OK"),
        accessible("/box", Role.DIALOG, "A page says"),
        accessible("/named", Role.PANEL, "Toolbar"),
    ],
    ids=["page", "button", "dialog", "name"],
)
def test_a_window_that_holds_anything_is_not_complained_about(more: Accessible) -> None:
    """Our choice: an empty page has a document of its own size, an alert box its button; both are exposed."""
    seen = seen_of(*SHELL, more)

    assert exposure_notes(seen) == ()


def test_other_toolkits_and_partial_trees_are_not_judged() -> None:
    """An empty GTK window is just empty, and what was not read in time says nothing."""
    empty = seen_of(*SHELL, toolkit="gtk")
    partial = seen_of(*SHELL, is_complete=False)

    assert exposure_notes(empty) == exposure_notes(partial) == ()


def test_a_minimised_browser_is_said_to_be_minimised_and_not_to_hold_back() -> None:
    """Measured: Chromium takes SHOWING from a minimised window, Firefox from all that is in it."""
    seen = seen_of(*SHELL, windows=(window(title="Shop - Chromium", is_minimised=True),))

    (note,) = exposure_notes(seen)

    assert "Shop - Chromium" in note
    assert "minimised" in note
