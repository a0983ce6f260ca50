"""Desktops of the end-to-end tests: one a module, because a start takes a second."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.e2e.desk import READABLE, VARIED, Desk, desk


@pytest.fixture(scope="module")
def shared_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A server with the newest protocol that client and server share."""
    with desk(tmp_path_factory.mktemp("desk")) as opened:
        yield opened


@pytest.fixture(params=READABLE)
def toolkit(request: pytest.FixtureRequest) -> str:
    """Each toolkit whose applications can be read."""
    return str(request.param)


@pytest.fixture(params=VARIED)
def varied_toolkit(request: pytest.FixtureRequest) -> str:
    """One toolkit of each kind, for the many variations; Qt 6 differs from Qt 5 in none of their ways."""
    return str(request.param)


@pytest.fixture(scope="session")
def runs() -> int:
    """How often repeated experiments run; TACTILE_RUNS=100 is the full form."""
    return int(os.environ.get("TACTILE_RUNS", "6"))
