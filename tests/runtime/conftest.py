"""The scripted desktop that the runtime's tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tactile.testing import FakeDesktop
from tests.fake_form import FakeForm, start_form, start_list
from tests.runtime.desk import Desk, desk_on


@pytest.fixture
def anyio_backend() -> str:
    """The runtime is made for asyncio."""
    return "asyncio"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A session on an empty desktop."""
    with desk_on(FakeDesktop(), tmp_path) as opened:
        yield opened


@pytest.fixture
def form(desk: Desk) -> FakeForm:
    """The form, running on the desk."""
    return start_form(desk.desktop)


@pytest.fixture
def buttons(desk: Desk) -> FakeForm:
    """Alpha, Bravo, Charlie and Delta, running on the desk."""
    return start_list(desk.desktop)
