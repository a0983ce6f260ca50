"""Command-line words to options."""

from __future__ import annotations

import re
from pathlib import Path

import click

from tactile.connect import Options


def options(
    *,
    desktop: str,
    size: str,
    network: bool,
    trace: Path | None = None,
    show: tuple[Path, ...] = (),
    share: tuple[Path, ...] = (),
) -> Options:
    """Return the options of a session.

    Raises:
        click.BadParameter: The size is not WIDTHxHEIGHT.
    """
    found = re.fullmatch(r"(\d{2,5})x(\d{2,5})", size)
    if found is None:
        raise click.BadParameter(f"{size!r} is not a size such as 1280x800", param_hint="--size")
    return Options(
        desktop="current" if desktop == "current" else "isolated",
        width=int(found[1]),
        height=int(found[2]),
        has_network=network,
        trace=trace,
        read_only=tuple(path.resolve() for path in show),
        read_write=tuple(path.resolve() for path in share),
    )
