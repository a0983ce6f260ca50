"""Read an application with Tactile: everything, what shows, and what shows once more; list what runs.

Runs in a process of its own like the tools beside it, on the desktop of its environment.
"""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from benchmarks.bulk import full_read
from benchmarks.walkers.answering import answer_async
from tactile.adapters.atspi import bus
from tactile.adapters.atspi.adapter import AtspiAdapter
from tactile.connect import Options, open_session
from tactile.records import Application, NativeRef, ReadLimits, State
from tactile.runtime.applications import AppEntry
from tactile.runtime.session import Session

CONNECT_S = 5.0
LIST_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Tactile's adapter for reads by themselves, and a session for whole observations."""

    session: Session
    link: bus.Link
    adapter: AtspiAdapter

    async def roots(self) -> list[dict[str, Any]]:
        """List applications with their bus names and toolkits."""
        return [
            {
                "owner": one.root.application,
                "path": one.root.path,
                "name": one.name,
                "pid": one.pid,
                "toolkit": one.toolkit,
                "toolkit_version": one.toolkit_version,
                "is_responding": one.is_responding,
            }
            for one in await self.adapter.applications(LIST_S)
        ]

    async def applications(self) -> list[str]:
        """List what runs as `list_apps` does, windows and accessibility together."""
        return [entry.name for entry in (await self.session.apps()).entries]

    async def full(self, owner: str, path: str) -> dict[str, int]:
        """Read every object with all its fields, over the connection that reads go over."""
        root = NativeRef(application=owner, path=path)
        wire = await self.link.reads(root, asyncio.get_running_loop().time() + CONNECT_S)
        cost = await full_read(wire, Application(root=root, name="", pid=0))
        return {"objects": len(cost.objects), "calls": cost.calls}

    async def showing(self, owner: str, path: str) -> dict[str, Any]:
        """Read what shows."""
        tree = await self.adapter.read_tree(NativeRef(application=owner, path=path), ReadLimits())
        return {
            "objects": len(tree.accessibles),
            "calls": tree.calls,
            "is_complete": tree.is_complete,
            "gaps": list(tree.gaps),
        }

    async def look(self, pid: int) -> dict[str, Any]:
        """Observe and compile as a session does; an unchanged window costs one call."""
        entry = await self._entry(pid)
        start_s = time.perf_counter()
        sight = await self.session.scene.look(entry)
        took_s = time.perf_counter() - start_s
        tree = sight.observation.tree
        assert tree is not None
        return {
            "look_s": took_s,
            "observe_s": dict(sight.observation.timings_s)["observe"],
            "calls": tree.calls,
            "objects": len(tree.accessibles),
            "is_complete": tree.is_complete,
            "gaps": list(tree.gaps),
        }

    async def objects(self, pid: int) -> dict[str, Any]:
        """Return what one observation brought: accessibles, and candidates with their extents in physical px."""
        sight = await self.session.scene.look(await self._entry(pid))
        tree = sight.observation.tree
        assert tree is not None
        return {
            "accessibles": [
                [
                    one.ref.path,
                    one.name,
                    _box(one.extents),
                    State.SHOWING in one.states or not tree.are_states_exact,
                ]
                for one in tree.accessibles
            ],
            "candidates": [
                {
                    "path": one.native.path,
                    "role": one.role.value,
                    "name": one.name,
                    "value": one.value,
                    "extents": _box(one.extents),
                    "geometry": one.geometry.value,
                    "is_showing": one.is_showing,
                }
                for one in sight.candidates.candidates
            ],
            "windows": [
                {"title": one.title, "extents": _box(one.extents), "pid": one.pid, "is_popup": one.is_popup}
                for one in sight.observation.windows
            ],
            "is_complete": tree.is_complete,
            "gaps": list(tree.gaps),
        }

    async def _entry(self, pid: int) -> AppEntry:
        now = await self.session.apps()
        return next(entry for entry in now.entries if entry.pid == pid)


def _box(extents: Any) -> list[int] | None:
    return None if extents is None else [extents.x, extents.y, extents.width, extents.height]


async def release() -> str:
    """Return the version."""
    return version("tactile-mcp")


async def main() -> None:
    """Answer questions."""
    address = os.environ["DBUS_SESSION_BUS_ADDRESS"]
    async with open_session(Options(desktop="current")) as session:
        link = bus.Link(address)
        adapter = AtspiAdapter(link)
        await adapter.prepare(asyncio.get_running_loop().time() + CONNECT_S)
        reader = Reader(session=session, link=link, adapter=adapter)
        await answer_async(
            {
                "roots": reader.roots,
                "applications": reader.applications,
                "full": reader.full,
                "showing": reader.showing,
                "look": reader.look,
                "objects": reader.objects,
                "version": release,
            }
        )
        await adapter.close()


if __name__ == "__main__":
    asyncio.run(main())
