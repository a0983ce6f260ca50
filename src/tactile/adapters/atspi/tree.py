"""Native objects to `Accessible` records: one read of one application, in the way its toolkit is read best."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from tactile.adapters.atspi import bus, gtk4, matches, walk
from tactile.adapters.atspi.node import Node, record
from tactile.adapters.atspi.reading import Job, Reading
from tactile.adapters.atspi.roles import Toolkit
from tactile.adapters.atspi.tables import settle
from tactile.records.accessible import AccessibleTree, NativeRef

# How each toolkit is read; what is not named is walked, which is safe with everything.
READERS: Mapping[Toolkit, Callable[[Job], Awaitable[Reading]]] = {
    Toolkit.GTK4: gtk4.read,
    Toolkit.CHROMIUM: matches.read,
    Toolkit.GECKO: matches.read,
}


async def read_tree(job: Job) -> AccessibleTree:
    """Read one application.

    Args:
        job: Whose tree, what of it, and within which bounds.

    Raises:
        AppUnresponsiveError: Nothing came.
        AppGoneError: The application left the bus.
    """
    loop = asyncio.get_running_loop()
    started = loop.time()
    reading = await READERS.get(job.toolkit, walk.read)(job)
    who = f'read "{job.application.name or job.owner}"'
    if reading.lost:
        raise bus.error_of(reading.lost, who)
    settle(reading.tops, job.toolkit)
    _frame(reading.tops)
    accessibles = tuple(record(node, job.owner, job.toolkit) for node in reading.nodes())
    if not accessibles and not reading.is_complete:
        raise bus.error_of("", f"{who} within {job.limits.deadline_s:g} s")
    return AccessibleTree(
        application=job.application,
        toplevels=tuple(NativeRef(application=job.owner, path=path) for path in reading.toplevels),
        accessibles=accessibles,
        are_states_exact=job.toolkit is not Toolkit.GTK4,
        # Over a cover, GTK 3 and Qt name the covered thing and Firefox now one, now nothing (measured).
        is_hit_test_exact=job.toolkit is Toolkit.CHROMIUM,
        is_complete=reading.is_complete,
        gaps=tuple(sorted(reading.gaps)),
        cuts=tuple(reading.cuts),
        calls=reading.calls,
        elapsed_s=loop.time() - started,
    )


def _frame(tops: Sequence[Node]) -> None:
    """Give a window without a place that of the one thing it holds.

    Source:
        Java's bridge gives windows no place; the root pane in them is the client area (measured, bridge 0.40).
    """
    for top in tops:
        inner = [child for child in top.children if not child.is_gone and child.extents is not None]
        if top.extents is None and len(inner) == 1:
            top.extents = inner[0].extents
