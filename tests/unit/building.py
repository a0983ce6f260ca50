"""Small makers of records, so that a test shows its whole set-up on one screen."""

from __future__ import annotations

import json
from typing import Any

from tactile.codec import from_json, to_json
from tactile.compile.afford import afford
from tactile.records import (
    Accessible,
    AccessibleTree,
    Action,
    Affordance,
    Application,
    Candidate,
    CandidateSet,
    Completeness,
    Extents,
    Geometry,
    NativeRef,
    Observation,
    Offer,
    Role,
    Screen,
    State,
    Window,
)

PID = 4711
SHOWN = frozenset({State.SHOWING, State.VISIBLE, State.ENABLED, State.SENSITIVE})
CLICK = Offer(action=Action.PRESS, primitive="atspi.action:click")
SCREEN = Screen(width=1280, height=800)


def native(path: str) -> NativeRef:
    """Name an object of the one application of these tests."""
    return NativeRef(application=":1.7", path=path)


def box(x: int = 110, y: int = 120, width: int = 80, height: int = 30) -> Extents:
    """Make extents; unasked, a button's inside `window()`."""
    return Extents(x=x, y=y, width=width, height=height)


def accessible(path: str, role: Role, name: str = "", *, parent: str | None = "/frame", **rest: Any) -> Accessible:
    """Make an accessible that shows and is enabled; its toplevel is /frame unless it is one itself."""
    toplevel = rest.pop("toplevel", "/frame" if parent is not None else path)
    fields: dict[str, Any] = {"states": SHOWN, "extents": box(), "native_role": role.value, **rest}
    return Accessible(
        ref=native(path),
        parent=native(parent) if parent is not None else None,
        toplevel=native(toplevel),
        role=role,
        name=name,
        **fields,
    )


def frame(title: str = "Notes", path: str = "/frame", **rest: Any) -> Accessible:
    """Make a toplevel that fits `window()`."""
    return accessible(
        path, rest.pop("role", Role.FRAME), title, parent=None, **{"extents": box(100, 100, 400, 300), **rest}
    )


def tree(*accessibles: Accessible, **rest: Any) -> AccessibleTree:
    """Make what one read of the application brought."""
    application = Application(root=native("/root"), name="notes", pid=PID, toolkit=rest.pop("toolkit", "gtk"))
    return AccessibleTree(application=application, accessibles=accessibles, **rest)


def window(native_id: int = 1, title: str = "Notes", **rest: Any) -> Window:
    """Make a window of the application, at (100, 100), 400 by 300."""
    extents = rest.pop("extents", box(100, 100, 400, 300))
    fields: dict[str, Any] = {"pid": PID, "outer": extents, "stacking": native_id, **rest}
    return Window(native_id=native_id, title=title, extents=extents, **fields)


def observation(*accessibles: Accessible, windows: tuple[Window, ...] | None = None, **rest: Any) -> Observation:
    """Make an observation of a frame and what is given, in one active window."""
    tops = () if any(item.parent is None for item in accessibles) else (frame(),)
    tree_fields = {key: rest.pop(key) for key in ("are_states_exact", "is_complete", "cuts") if key in rest}
    return Observation(
        observation_id="o7",
        taken_at_s=1.5,
        app_name="notes",
        pid=PID,
        windows=(window(is_active=True),) if windows is None else windows,
        screen=rest.pop("screen", SCREEN),
        tree=tree(*tops, *accessibles, **tree_fields),
        **rest,
    )


def candidate(role: Role, name: str = "", *, ref: str = "", **rest: Any) -> Candidate:
    """Make a showing, enabled candidate in window 1; the platform object is named after ref or name."""
    made = Candidate(
        ref=ref,
        native=native(rest.pop("path", f"/{ref or name or role.value}")),
        role=role,
        name=name,
        **{
            "toplevel": native("/frame"),
            "parent": native("/frame"),
            "containers": (rest.get("parent") or native("/frame"),),
            "states": SHOWN,
            "extents": box(),
            "full_extents": rest.get("extents", box()),
            "geometry": Geometry.EXACT,
            "window": 1,
            "window_title": "Notes",
            **rest,
        },
    )
    offers = accessible(made.native.path, role, offers=(CLICK,) if role is Role.BUTTON else ())
    given = afford((made,), {made.native: offers}, "x11")[0]
    return made if "affordances" in rest else given


def button(name: str, *, ref: str = "", **rest: Any) -> Candidate:
    """Make a button that can be pressed."""
    return candidate(Role.BUTTON, name, ref=ref, **rest)


def entry(name: str, value: str = "", *, ref: str = "", **rest: Any) -> Candidate:
    """Make a field that can be written to."""
    states = SHOWN | {State.EDITABLE, State.FOCUSABLE} | rest.pop("more", frozenset())
    return candidate(Role.ENTRY, name, ref=ref, **{"value": value, "text_length": len(value), "states": states, **rest})


def candidate_set(*candidates: Candidate, **rest: Any) -> CandidateSet:
    """Make the set of one observation; order follows the arguments."""
    return CandidateSet(
        observation_id="o7",
        app_name="notes",
        pid=PID,
        candidates=candidates,
        completeness=Completeness(showing=len(candidates), shown=0, in_tree=len(candidates)),
        **{"windows": ((1, "Notes"),), **rest},
    )


def pointer(action: Action = Action.CLICK) -> Affordance:
    """Make the mechanism of a real click."""
    return Affordance(action=action, primitive="x11.pointer")


def through_json(kind: Any, value: object) -> Any:
    """Send a record through text and back."""
    return from_json(kind, json.loads(json.dumps(to_json(value))))
