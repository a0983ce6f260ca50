"""The ports of one desktop, together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tactile.ports import AccessibilityPort, ClockPort, FilesPort, InputPort, LauncherPort, ScreenPort


@dataclass(frozen=True, slots=True, kw_only=True)
class Desktop:
    """What a session works on.

    Attributes:
        accessibility: None when there is no accessibility bus; windows and pixels remain.
        check_keys: Raises RequestError for a chord with an unknown key, before anything is touched.
        ended: Returns why the desktop is gone, None while it is there or cannot end.
        name: How people call it, such as "isolated :93".
        notes: What is reduced or missing, in words; shown with every observation.
    """

    accessibility: AccessibilityPort | None
    input: InputPort
    screen: ScreenPort
    launcher: LauncherPort
    files: FilesPort
    clock: ClockPort
    check_keys: Callable[[str], object]
    ended: Callable[[], str | None] = lambda: None
    name: str = ""
    notes: tuple[str, ...] = ()
