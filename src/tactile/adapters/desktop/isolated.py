"""Start one private desktop, in a sandbox where the machine allows it."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import socket
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tactile.adapters.desktop import content, display, folder, programs, sandbox
from tactile.adapters.desktop.channel import LINE_MAX, Channel
from tactile.adapters.desktop.handle import Desktop, Held, clear_abandoned
from tactile.adapters.desktop.options import DesktopOptions
from tactile.errors import SetupError

SUPERVISOR = (
    f"import sys; sys.path.insert(0, sys.argv[1]); from {content.PACKAGE}.supervisor import main; sys.exit(main())"
)
DEADLINE_SHARE = 0.9  # of the caller's deadline, for the parts, so that the one that is late can still be named
NO_SANDBOX_HINT = "sudo apt-get install bubblewrap, and let ordinary users make user namespaces (see: tactile doctor)"


class SandboxRefusedError(Exception):
    """Bubblewrap ended before anything ran inside."""


async def start(options: DesktopOptions | None = None) -> Desktop:
    """Start a desktop and return it when programs can be run and observed in it.

    Call it from the thread that lives as long as the desktop shall: the kernel ends the sandbox with that thread.

    Raises:
        SetupError: A program is missing, a part did not start (named, with its last lines), or isolation is required
            and not to be had.
    """
    began = time.monotonic()
    options = options or DesktopOptions()
    found = programs.find(options.server, options.search_path)
    refusal = "isolation was switched off by the caller"
    try:
        async with asyncio.timeout(options.deadline_s):
            if options.isolation != "none":
                try:
                    return await _launch(options, found, _bubblewrap(options), "", began)
                except SandboxRefusedError as error:
                    refusal = str(error)
            if options.isolation == "required":
                raise SetupError(f"no isolated desktop: {refusal}", code="isolation_unavailable", hint=NO_SANDBOX_HINT)
            return await _launch(options, found, None, refusal, began)
    except TimeoutError as error:
        raise SetupError(
            f"the desktop was not ready within {options.deadline_s:g} s", code="desktop_timeout", hint="try again"
        ) from error


def _bubblewrap(options: DesktopOptions) -> str:
    path = shutil.which("bwrap", path=options.search_path)
    if path is None:
        raise SandboxRefusedError("bubblewrap (bwrap) is not installed")
    return path


async def _launch(
    options: DesktopOptions, found: programs.Programs, bwrap: str | None, reason: str, began: float
) -> Desktop:
    base, prefix = folder.base_folder(os.environ.get("XDG_RUNTIME_DIR", ""), os.getuid())
    display.ensure_sockets_folder()
    clear_abandoned(base, prefix)
    held = Held(folder.Folder.make(base, prefix), sandboxed=bwrap is not None)
    try:
        if bwrap:
            number = display.claim_by_link(options.numbers, held.folder.root)
        else:
            number, held.claim = display.claim_by_name(options.numbers)
        _prepare(options, found, held, number, began)
        await _spawn(options, held, sandbox.environment(held.folder.root, number), bwrap)
        ready = await _ready(held)
        return _desktop(held, found, ready, reason, time.monotonic() - began)
    except BaseException:
        await asyncio.shield(held.release())
        raise


def _prepare(options: DesktopOptions, found: programs.Programs, held: Held, number: int, began: float) -> None:
    root = held.folder.root
    cookie = secrets.token_bytes(display.COOKIE_SIZE)
    content.write(root)
    content.write_private(root / "xauth", display.authority(socket.gethostname(), number, cookie))
    config = {
        "root": str(root),
        "environment": sandbox.environment(root, number),
        "server": content.server_command(found, root, number, (options.width, options.height)),
        "bus": [found.dbus_daemon, f"--config-file={root}/bus.conf", "--nofork", "--nopidfile"],
        "window_manager": [found.openbox, "--config-file", f"{root}/ob.xml", "--sm-disable"],
        "cookie": cookie.hex(),
        "deadline": began + options.deadline_s * DEADLINE_SHARE,
        "reduced": not held.sandboxed,
    }
    content.write_private(root / folder.CONFIG, json.dumps(config).encode())


def _command(options: DesktopOptions, root: Path, bwrap: str | None, info: int) -> list[str]:
    python, shown = programs.interpreter()
    command = [python, "-I", "-S", "-c", SUPERVISOR, f"{root}/lib", f"{root}/{folder.CONFIG}"]
    if bwrap is None:
        return command
    read_only = (*options.read_only, *([Path(shown)] if shown else []))
    walls = sandbox.arguments(root, network=options.network, read_only=read_only, read_write=options.read_write)
    return [bwrap, *walls, "--info-fd", str(info), "--", *command]


async def _start_process(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], info: int
) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *command,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        env=environment,
        cwd=folder,
        start_new_session=True,
        pass_fds=(info,),
        limit=LINE_MAX,
    )


async def _spawn(options: DesktopOptions, held: Held, environment: Mapping[str, str], bwrap: str | None) -> None:
    held.info, writer = os.pipe()
    command = _command(options, held.folder.root, bwrap, writer)
    starting = asyncio.create_task(_start_process(command, held.folder.root / "home", environment, writer))
    try:
        held.channel = Channel(await asyncio.shield(starting))
    except asyncio.CancelledError:
        held.channel = Channel(await starting)  # so that it can be ended
        raise
    except OSError as error:
        reason = f"{command[0]} cannot be started: {error.strerror}"
        raise (SandboxRefusedError(reason) if bwrap else SetupError(reason, hint="run: tactile doctor")) from error
    finally:
        os.close(writer)
    if not await held.started(held.channel) and bwrap:
        raise SandboxRefusedError(f"bwrap failed: {await held.channel.last_errors()}")


async def _ready(held: Held) -> Mapping[str, Any]:
    assert held.channel is not None
    outcome = await asyncio.shield(held.channel.outcome)
    if "ready" in outcome:
        ready: Mapping[str, Any] = outcome["ready"]
        return ready
    if "failed" in outcome:
        what = f"{outcome['failed']} {outcome['reason']}; its last lines: {outcome['log'] or '(none)'}"
    else:
        what = f"supervisor ended; its last lines: {await held.channel.last_errors() or '(none)'}"
    raise SetupError(f"the desktop's {what}", code="desktop_part_failed", hint="run: tactile doctor")


def _desktop(held: Held, found: programs.Programs, ready: Mapping[str, Any], reason: str, total: float) -> Desktop:
    root = held.folder.root
    return Desktop(
        display=str(ready["display"]),
        xauthority=root / "xauth",
        session_bus=f"unix:path={root}/rt/bus",
        accessibility_bus=str(ready["accessibility"]),
        root=root,
        home=root / "home",
        isolation="full" if held.sandboxed else "reduced",
        isolation_reason=reason,
        server=found.server,
        timings={**ready["timings"], "total": total},
        _held=held,
    )
