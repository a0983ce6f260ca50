"""All that was seen at one moment (the papers' frame)."""

from __future__ import annotations

from dataclasses import dataclass

from tactile.records.accessible import AccessibleTree, Application
from tactile.records.geometry import Extents


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """One top-level window as the window system knows it.

    Attributes:
        native_id: The window system's number.
        extents: The client area (without the window manager's decorations).
        outer: What people see of it: the client area with decorations around it and without a shadow inside it.
        stacking: 0 is the lowest.
        is_above: Kept above ordinary windows: docks, and what asked for it.
        is_popup: Override-redirect: menus, tooltips, combo lists; not managed by the window manager.
        transient_for: Native id of the window it belongs to, if any.
    """

    native_id: int
    pid: int | None
    title: str
    app_class: str = ""
    extents: Extents
    outer: Extents
    stacking: int
    is_active: bool = False
    is_minimised: bool = False
    is_modal: bool = False
    is_above: bool = False
    is_popup: bool = False
    transient_for: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitor:
    """One rectangle of the virtual desktop that people see, in physical px.

    Attributes:
        is_primary: Panels and new windows go there.
    """

    name: str
    extents: Extents
    is_primary: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """Size of the virtual desktop in physical px.

    Attributes:
        monitors: Left to right; there may be gaps between them. Empty when the window system does not say.
    """

    width: int
    height: int
    scale: float = 1.0
    monitors: tuple[Monitor, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """Everything seen of one application at one moment; each part may be partial and says so.

    Attributes:
        windows: All windows of the desktop, lowest first, so that occlusion can be judged.
        tree: None when the application is not on the accessibility bus.
        input_name: Prefix of the pointer and key primitives of this desktop.
        notes: What is partial or degraded, in words for the reader.
    """

    observation_id: str
    taken_at_s: float
    app_name: str
    pid: int | None
    windows: tuple[Window, ...]
    screen: Screen
    tree: AccessibleTree | None
    input_name: str = "x11"
    notes: tuple[str, ...] = ()
    timings_s: tuple[tuple[str, float], ...] = ()

    @property
    def application(self) -> Application | None:
        """Return the accessible application, if there is one."""
        return self.tree.application if self.tree else None
