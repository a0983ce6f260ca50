"""Native objects to `Accessible` records: one read of one application."""

from __future__ import annotations

import asyncio

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Batch, Line
from tactile.adapters.atspi.details import Details
from tactile.adapters.atspi.gtk4 import uncount_twice
from tactile.adapters.atspi.node import record
from tactile.adapters.atspi.roles import Toolkit, toolkit_of
from tactile.adapters.atspi.walk import Walk
from tactile.records.accessible import AccessibleTree, Application, ReadLimits


async def read_tree(line: Line, application: Application, limits: ReadLimits, until: float) -> AccessibleTree:
    """Read one application.

    Args:
        line: An open connection.
        application: Whose; its toolkit decides how.
        limits: Bounds of the read.
        until: Loop time of the deadline.

    Raises:
        AppUnresponsiveError: Nothing came.
        AppGoneError: The application left the bus.
    """
    loop = asyncio.get_running_loop()
    started = loop.time()
    toolkit = toolkit_of(application.toolkit)
    owner = application.root.application
    batch = Batch(line)
    walk = Walk(line, application, limits, toolkit, batch, Details(batch, owner, toolkit, text_max=limits.text_max))
    await walk.run(until)
    if walk.details.lost:
        raise bus.error_of(walk.details.lost, f'read "{application.name or owner}"')
    if toolkit is Toolkit.GTK4:
        uncount_twice(walk.tops)
    accessibles = tuple(record(node, owner, toolkit) for node in walk.nodes())
    if not accessibles and not walk.is_complete:
        raise bus.error_of("", f'read "{application.name or owner}" within {limits.deadline_s:g} s')
    return AccessibleTree(
        application=application,
        accessibles=accessibles,
        are_states_exact=toolkit is not Toolkit.GTK4,
        is_complete=walk.is_complete,
        cuts=tuple(walk.cuts),
        calls=batch.calls,
        elapsed_s=loop.time() - started,
    )
