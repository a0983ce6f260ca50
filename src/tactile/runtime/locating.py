"""Find the one candidate that a locator denotes, in whichever application it is."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from tactile.compile.resolve import absent, ambiguous, fitting
from tactile.errors import PlatformError
from tactile.policy.untrusted import quote
from tactile.records import Candidate, CandidateSet, Locator
from tactile.runtime.applications import AppEntry, Running
from tactile.runtime.scene import Scene, Sight

APPS_MAX = 12  # applications looked through for a locator; more windows than that are no desktop to search blindly


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The candidate, where it is, and what was known of its application before this look."""

    entry: AppEntry
    last: CandidateSet | None
    sight: Sight
    candidate: Candidate


async def locate(scene: Scene, locator: Locator, now: Running) -> Found:
    """Look through every application with a window; an application that does not answer cannot be searched.

    Raises:
        ResolveError: `target_absent` or `target_ambiguous`; the second names each with its application.
    """
    entries = [entry for entry in now.entries if entry.windows and entry.roots and entry.accessible != "none"]
    found = [one for one in await asyncio.gather(*(_look(scene, entry) for entry in entries[:APPS_MAX])) if one]
    fits = [(entry, last, sight, item) for entry, last, sight in found for item in fitting(locator, sight.candidates)]
    showing = [one for one in fits if one[3].is_showing] or fits
    if len(showing) == 1:
        entry, last, sight, item = showing[0]
        return Found(entry=entry, last=last, sight=sight, candidate=item)
    if not showing:
        raise absent(locator, [item for _, _, sight in found for item in sight.candidates.candidates])
    places = [f"in {quote(item.window_title, 40)} of pid {entry.pid}" for entry, _, _, item in showing]
    raise ambiguous(locator, [_given(scene, entry, item) for entry, _, _, item in showing], places)


def _given(scene: Scene, entry: AppEntry, item: Candidate) -> Candidate:
    """Give a ref to what a refusal names, so that it can be used."""
    return scene.refs.give((item,), entry.pid)[0]


async def _look(scene: Scene, entry: AppEntry) -> tuple[AppEntry, CandidateSet | None, Sight] | None:
    last = scene.last(entry.pid)
    try:
        return entry, last, await scene.look(entry)
    except PlatformError:
        return None
