"""Pure parts of the X11 adapter: stacking, authority files, clicks, and the thread that makes the calls."""

from __future__ import annotations

import asyncio
import struct
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactile.adapters.x11.authority import cookie_for, display_number
from tactile.adapters.x11.pointer import DOUBLE_CLICK_S, LastClick, check_modifiers, path
from tactile.adapters.x11.windows import stacking_order
from tactile.adapters.x11.worker import QUEUE_MAX, Worker
from tactile.errors import PlatformError, RequestError
from tactile.records.geometry import Point


@pytest.fixture
def anyio_backend() -> str:
    """The adapter is made for asyncio."""
    return "asyncio"


# ---------------------------------------------------------------- stacking


def test_popups_and_managed_windows_come_in_one_order() -> None:
    """Frames are children of the root; the window manager lists what is in them."""
    order = stacking_order([90, 11, 50, 12, 51], {11: 1, 12: 2}, frozenset({50, 51}), [1, 2])

    assert order == (1, 50, 2, 51)


def test_a_window_without_frame_keeps_its_place_in_the_list() -> None:
    """It is just being reparented."""
    assert stacking_order([11, 13], {11: 1, 13: 3}, frozenset(), [1, 2, 3]) == (1, 2, 3)
    assert stacking_order([11], {11: 1}, frozenset(), [0, 1]) == (0, 1)


@given(st.permutations(range(10)), st.permutations(range(5)))
def test_each_window_is_listed_once_and_frames_decide(children: list[int], clients: list[int]) -> None:
    """Whatever the window manager's list says, the server's order of frames is what is on the screen."""
    frames = {child: child for child in range(5)}
    popups = frozenset(range(5, 10))

    order = stacking_order(children, frames, popups, clients)

    assert list(order) == children


# ---------------------------------------------------------------- authority


def record(family: int, number: bytes, data: bytes, name: bytes = b"MIT-MAGIC-COOKIE-1") -> bytes:
    """Return one record as libXau writes it."""
    return struct.pack(">H", family) + b"".join(
        struct.pack(">H", len(part)) + part for part in (b"host", number, name, data)
    )


def test_the_cookie_of_the_display_is_found() -> None:
    """Facts isolated-desktop 4: FamilyLocal and FamilyWild records, display number as text."""
    content = record(256, b"4", b"four") + record(0xFFFF, b"", b"any") + record(256, b"5", b"five")

    assert cookie_for(content, ":5") == b"five"
    assert cookie_for(content, ":5.0") == b"five"
    assert cookie_for(content, ":9") == b"any"
    assert cookie_for(record(256, b"5", b"x", b"OTHER"), ":5") is None


@given(st.binary(max_size=200))
def test_a_broken_authority_file_gives_no_exception(content: bytes) -> None:
    """It is a file anybody may have cut."""
    cookie_for(content, ":5")


@pytest.mark.parametrize(
    ("display", "number"), [(":5", "5"), (":5.0", "5"), ("host:12", "12"), ("", None), ("5", None), (":x", None)]
)
def test_a_display_name_has_a_number(display: str, number: str | None) -> None:
    """X(7), display names."""
    assert display_number(display) == number


# ---------------------------------------------------------------- pointer


def test_only_a_click_near_and_soon_after_the_last_waits() -> None:
    """Facts x11 4."""
    last = LastClick(point=Point(x=100, y=100), button=1, at_s=10.0)

    assert last.wait_s(Point(x=103, y=98), 1, 10.1) == pytest.approx(DOUBLE_CLICK_S - 0.1)
    assert last.wait_s(Point(x=100, y=100), 1, 11.0) == 0.0
    assert last.wait_s(Point(x=100, y=100), 3, 10.1) == 0.0
    assert last.wait_s(Point(x=140, y=100), 1, 10.1) == 0.0
    assert LastClick().wait_s(Point(x=0, y=0), 1, 0.0) == 0.0


def test_modifiers_are_named_or_refused() -> None:
    """Issue 2, bad input."""
    assert check_modifiers(["Ctrl", "control", "shift"]) == ("ctrl", "shift")
    with pytest.raises(RequestError, match="hyper"):
        check_modifiers(["hyper"])


@given(st.integers(0, 3000), st.integers(0, 3000), st.integers(0, 3000), st.integers(0, 3000))
def test_a_drag_path_ends_at_the_destination_and_never_leaves_the_box(x1: int, y1: int, x2: int, y2: int) -> None:
    """Our choice: both ends are on the screen, so all of it is."""
    way = path(Point(x=x1, y=y1), Point(x=x2, y=y2))

    assert way[-1] == Point(x=x2, y=y2)
    assert all(min(x1, x2) <= point.x <= max(x1, x2) and min(y1, y2) <= point.y <= max(y1, y2) for point in way)


# ---------------------------------------------------------------- the thread


async def test_work_that_hangs_gives_an_error_at_its_deadline_and_is_told_to_stop() -> None:
    """Brief: a stopped X server must give an error, never a hang."""
    worker = Worker("test")
    told = threading.Event()

    def hang(abandoned: threading.Event) -> None:
        abandoned.wait(10)
        told.set()

    started = time.monotonic()
    with pytest.raises(PlatformError, match="hanging: the X server did not answer") as caught:
        await worker.run(hang, deadline_s=0.05, what="hanging", effect="possible")

    assert time.monotonic() - started < 5
    assert caught.value.effect == "possible"
    assert await asyncio.to_thread(told.wait, 5)
    worker.stop()


async def test_work_that_never_started_has_no_effect_and_is_not_done_later() -> None:
    """Our choice: a click that came too late must not come after all."""
    worker = Worker("test")
    release, done = threading.Event(), threading.Event()
    first = asyncio.create_task(worker.run(lambda _: release.wait(10), deadline_s=10, what="first"))
    await asyncio.sleep(0)

    with pytest.raises(PlatformError) as caught:
        await worker.run(lambda _: done.set(), deadline_s=0.05, what="second", effect="possible")
    release.set()
    await first
    await worker.run(lambda _: None, deadline_s=5, what="third")

    assert caught.value.effect == "none"
    assert not done.is_set()
    worker.stop()


async def test_answers_and_exceptions_come_back_to_the_caller() -> None:
    """The thread is invisible to whoever calls."""
    worker = Worker("test")

    assert await worker.run(lambda _: 42, deadline_s=5, what="adding") == 42
    with pytest.raises(RequestError, match="no"):
        await worker.run(refuse, deadline_s=5, what="refusing")
    worker.stop()


def refuse(abandoned: threading.Event) -> None:
    """Raise as work may."""
    raise RequestError("no")


async def test_the_queue_is_bounded() -> None:
    """House rule: no unbounded queue."""
    worker = Worker("test")
    release = threading.Event()
    waiting = [
        asyncio.create_task(worker.run(lambda _: release.wait(10), deadline_s=10, what="waiting"))
        for _ in range(QUEUE_MAX + 2)
    ]
    done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)

    assert all(isinstance(task.exception(), PlatformError) for task in done)
    release.set()
    await asyncio.wait(waiting)
    assert sum(task.exception() is not None for task in waiting) <= 2
    worker.stop()
