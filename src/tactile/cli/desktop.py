"""`tactile desktop run`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path

import click

from tactile.cli.options import options
from tactile.connect import Options, open_desktop

POLL_S = 3600.0  # one wait for the end of the command; repeated until it ends


def run_command(
    command: Sequence[str], *, size: str, network: bool, show: tuple[Path, ...], share: tuple[Path, ...]
) -> int:
    """Run a command on a fresh isolated desktop; return its exit code.

    Raises:
        SetupError: The machine lacks something.
        RequestError: There is no such program.
    """
    chosen = options(desktop="isolated", size=size, network=network, show=show, share=share)
    with contextlib.suppress(KeyboardInterrupt):
        return asyncio.run(_run(command, chosen))
    return 130


async def _run(command: Sequence[str], chosen: Options) -> int:
    async with open_desktop(chosen) as place:
        reach = " ".join(f"{name}={value}" for name, value in place.environment.items())
        click.echo(f"desktop {place.display} is up in {place.timings['total']:.2f} s ({place.server})", err=True)
        if place.isolation == "reduced":
            click.echo(f"isolation is reduced: {place.isolation_reason}", err=True)
        click.echo(f"reach it from outside with: {reach}", err=True)
        pid = await place.run(list(command))
        while (code := await place.exit_of(pid, POLL_S)) is None:
            pass
        output = await place.output_of(pid, lines=200)
        if output:
            click.echo(output)
        return code if code >= 0 else 128 - code
