"""The X11 adapter on a server that is stopped, killed, closed to us, or without a window manager."""

from __future__ import annotations

import signal
import struct
import time
from pathlib import Path

import pytest

from tactile.adapters.x11 import connect
from tactile.errors import PlatformError, SetupError
from tests.integration.x11_desktop import by_id, end_server, focused, keys_of, start_server


@pytest.fixture
def anyio_backend() -> str:
    """The adapter is made for asyncio."""
    return "asyncio"


async def test_a_stopped_server_gives_an_error_within_the_deadline_and_comes_back(tmp_path: Path) -> None:
    """Brief: never a hang."""
    server = start_server(tmp_path, "Xvfb", wm=False)
    try:
        adapter = await connect(server.display, None, 5.0, call_deadline_s=0.5)
        app = server.app()
        await focused(adapter, app)
        server.process.send_signal(signal.SIGSTOP)
        started = time.monotonic()
        with pytest.raises(PlatformError) as caught:
            await adapter.press("a")
        with pytest.raises(PlatformError):
            await adapter.windows()
        with pytest.raises(PlatformError):
            await adapter.type_text("abc", deadline_s=0.3)
        with pytest.raises(SetupError):
            await connect(server.display, None, 0.3)
        assert time.monotonic() - started < 3.0
        assert caught.value.effect == "possible"
        server.process.send_signal(signal.SIGCONT)
        assert (await adapter.screen()).width == 1280
        assert keys_of(app) == [], "what the caller has given up does not come after all"
        server.process.send_signal(signal.SIGSTOP)
        await adapter.close(0.3)
    finally:
        end_server(server)


async def test_a_killed_server_gives_an_error_at_once(tmp_path: Path) -> None:
    """Our choice: the connection is lost, and says so each time."""
    server = start_server(tmp_path, "Xvfb", wm=False)
    adapter = await connect(server.display, None, 5.0)
    end_server(server)

    for _ in range(2):
        with pytest.raises(PlatformError):
            await adapter.windows()
    await adapter.close()
    with pytest.raises(SetupError, match="cannot be opened"):
        await connect(server.display, None, 5.0)


async def test_without_a_window_manager_focus_is_set_and_seen(tmp_path: Path) -> None:
    """Case C40: bare Xvfb."""
    server = start_server(tmp_path, "Xvfb", wm=False)
    try:
        adapter = await connect(server.display, None, 5.0)
        one, two = server.app("One", 100, 80), server.app("Two", 300, 200)
        first, second = int(one.ask()["xid"]), int(two.ask()["xid"])
        assert not await adapter.has_window_manager()
        for front, back, app, text in ((first, second, one, "to one"), (second, first, two, "to two")):
            assert await adapter.activate(front, 5.0)
            windows = await adapter.windows()
            assert by_id(windows, front).stacking > by_id(windows, back).stacking
            assert [window.native_id for window in windows if window.is_active] == [front]
            assert by_id(windows, front).title in {"One", "Two"}
            await adapter.type_text(text, deadline_s=5.0)
            assert app.text_is(text) == text
        assert not await adapter.activate(0x7FFFFF, 1.0)
        await adapter.close()
    finally:
        end_server(server)


async def test_the_authority_file_opens_the_display_whatever_bytes_the_cookie_has(tmp_path: Path) -> None:
    """Found here: xcffib splits name and cookie at every colon, and cookies are random bytes."""
    cookie = b"\x00\xff:\n::cookie16b"
    record = struct.pack(">H", 0xFFFF) + b"".join(
        struct.pack(">H", len(part)) + part for part in (b"", b"", b"MIT-MAGIC-COOKIE-1", cookie)
    )
    authority, wrong = tmp_path / "right", tmp_path / "wrong"
    authority.write_bytes(record)
    wrong.write_bytes(record.replace(b"cookie16b", b"cookieXXX"))
    server = start_server(tmp_path, "Xvfb", "-auth", str(authority), wm=False)
    try:
        await (await connect(server.display, str(authority), 5.0)).close()
        with pytest.raises(SetupError, match="cannot be opened"):
            await connect(server.display, str(wrong), 5.0)
        with pytest.raises(SetupError, match="cannot be read"):
            await connect(server.display, str(tmp_path / "none"), 5.0)
        with pytest.raises(SetupError, match="not an X display"):
            await connect("nonsense", None, 5.0)
    finally:
        end_server(server)
