"""Recognise a window whose content an application keeps from the accessibility bus, and say what helps."""

from __future__ import annotations

from tactile.policy.untrusted import quote
from tactile.records import Accessible, Observation, Role

# Toolkits that hold back what is inside their windows until somebody asks by a flag (measured, Chromium 156).
HOLDING_BACK = frozenset({"chromium"})
# Toolkits that take a page from the tree, or what says that it shows, while its window is minimised.
HIDING_MINIMISED = frozenset({"chromium", "gecko"})
SHELL_ROLES = frozenset({Role.FRAME, Role.WINDOW, Role.PANEL, Role.GROUPING, Role.UNKNOWN, Role.DOCUMENT})
TITLE_MAX = 60  # characters of a window's title in a note
WITHHELD = (
    "web content not exposed: this application shows the accessibility bus only empty windows; "
    "start it with --force-renderer-accessibility, or use points of the picture"
)


def exposure_notes(observation: Observation) -> tuple[str, ...]:
    """Say which windows of the application cannot be read, and what to do.

    Args:
        observation: Of one application; its windows are looked at, too.

    Returns:
        Notes for the reader; none where nothing is held back, or where that cannot be told.

    Source:
        Chromium without the flag has 3 to 5 accessibles, whatever is on the page: frames, panels and documents of no
        size. A script's alert box takes the page away, too, but has a name and a button.
    """
    tree = observation.tree
    if tree is None or not tree.is_complete:
        return ()
    toolkit = tree.application.toolkit.casefold()
    own = [window for window in observation.windows if window.pid == tree.application.pid and not window.is_popup]
    minimised = [window for window in own if window.is_minimised]
    notes: tuple[str, ...] = ()
    if toolkit in HIDING_MINIMISED:
        notes = tuple(
            f"{quote(window.title, TITLE_MAX)} is minimised: its page is not exposed until it is restored"
            for window in minimised
        )
    is_open = len(minimised) < len(own) or not own
    if toolkit in HOLDING_BACK and is_open and tree.accessibles and all(map(_is_shell, tree.accessibles)):
        notes += (WITHHELD,)
    return notes


def _is_shell(item: Accessible) -> bool:
    """Tell whether it says nothing of what a window holds."""
    if item.role not in SHELL_ROLES:
        return False
    if item.parent is None:
        return True
    is_empty_document = item.extents is None or item.extents.is_empty
    return not item.name and (item.role is not Role.DOCUMENT or is_empty_document)
