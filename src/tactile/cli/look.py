"""`tactile apps` and `tactile state`."""

from __future__ import annotations

import asyncio
import json

import click

from tactile.codec import to_json
from tactile.connect import Options, open_session
from tactile.mcp.results import new_nonce
from tactile.policy.untrusted import quote
from tactile.render.outline import extents_text
from tactile.runtime.session import AppState, View

CURRENT = Options(desktop="current")


def print_apps(*, as_json: bool) -> None:
    """Print the applications of the current desktop.

    Raises:
        SetupError, PlatformError: There is no desktop, or it does not answer.
    """
    asyncio.run(_apps(as_json=as_json))


async def _apps(*, as_json: bool) -> None:
    async with open_session(CURRENT) as session:
        now = await session.apps()
    if as_json:
        click.echo(json.dumps([to_json(entry) for entry in now.entries]))
        return
    for note in now.notes:
        click.echo(note, err=True)
    for entry in now.entries:
        why = f" ({entry.why})" if entry.why else ""
        click.echo(f"{quote(entry.name, 60)} pid {entry.pid} accessible: {entry.accessible}{why}")
        for window in entry.windows:
            active = " active" if window.is_active else ""
            click.echo(f"  {quote(window.title)}{active} {extents_text(window.extents)}")


def print_state(app: str | None, query: str | None, *, as_json: bool) -> None:
    """Print the compact state of an application, or its full records.

    Raises:
        TactileError: As `Session.observe`.
    """
    state = asyncio.run(_state(View(app=app, query=query)))
    if as_json:
        observation = to_json(state.sight.observation)
        click.echo(json.dumps({"observation": observation, "candidates": to_json(state.candidates)}))
    else:
        click.echo(state.text)


async def _state(view: View) -> AppState:
    async with open_session(CURRENT) as session:
        return await session.observe(view, new_nonce())
