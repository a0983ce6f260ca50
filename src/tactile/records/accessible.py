"""What an accessibility platform reports, before any judgement."""

from __future__ import annotations

from dataclasses import dataclass

from tactile.records.geometry import Extents
from tactile.records.vocabulary import Action, Coordinates, NameSource, Role, State


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class NativeRef:
    """The platform's own name of one object; equal names mean the same object while it lives."""

    application: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One action a platform object says it can do itself.

    `primitive` names the mechanism ("atspi.action:click"); only the adapter reads it.
    """

    action: Action
    primitive: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueRange:
    """A number with its bounds; a bound that the platform did not say is None."""

    current: float
    minimum: float | None = None
    maximum: float | None = None
    step: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Accessible:
    """One object the platform reports.

    Attributes:
        parent: None for a toplevel.
        toplevel: The window-like ancestor (or itself) it belongs to.
        extents: As reported, in `coordinates`, logical px; None when the platform did not say.
        text: Content of a text object, cut at the read limit; None if it has none or is secure.
        text_length: Characters in the whole text; None when there is no text.
        child_count: As reported, also when the children were not read.
        is_secure: A password field; its content is never read.
        name_from: What the platform itself says or a label; see `Candidate` for what stands in for a name.
        placeholder: What an empty field shows as a hint.
        level: Depth of a tree row, or of a heading.
        row: Of a table cell; headers that are no row of the data may count, as the toolkit counts them.
        column: Of a table cell.
        row_header: Name of the header of its row.
        column_header: Name of the header of its column.
        url: Where a link leads, as the application says it; hostile text that nothing here follows.
        unread: Names of fields the platform failed to give.

    Units:
        Levels, rows and columns count from 1.
    """

    ref: NativeRef
    parent: NativeRef | None
    toplevel: NativeRef
    role: Role
    native_role: str
    name: str = ""
    description: str = ""
    states: frozenset[State] = frozenset()
    extents: Extents | None = None
    coordinates: Coordinates = Coordinates.SCREEN
    offers: tuple[Offer, ...] = ()
    value: ValueRange | None = None
    text: str | None = None
    text_length: int | None = None
    child_count: int | None = None
    is_secure: bool = False
    name_from: NameSource = NameSource.OWN
    placeholder: str = ""
    level: int | None = None
    row: int | None = None
    column: int | None = None
    row_header: str = ""
    column_header: str = ""
    url: str = ""
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A place where reading or listing stopped early.

    Attributes:
        size: Rows and columns, where it is a table.
    """

    ref: NativeRef
    what: str
    total: int
    shown: int
    size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLimits:
    """Bounds of one read of one application.

    Units:
        `deadline_s` seconds from the call; counts are objects; `text_max` characters.
    """

    deadline_s: float = 2.0
    accessibles_max: int = 5000
    children_max: int = 500
    depth_max: int = 60
    text_max: int = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """One application on the accessibility bus.

    Attributes:
        is_responding: False when it did not answer within its deadline.
    """

    root: NativeRef
    name: str
    pid: int
    toolkit: str = ""
    toolkit_version: str = ""
    is_responding: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessibleTree:
    """What one read brought.

    Attributes:
        accessibles: Depth-first, parents before children; the application root itself is not among them.
        toplevels: All toplevels of the application, in its order, also those that were not asked for.
        are_states_exact: False when the toolkit's SHOWING says nothing (GTK4): visibility then follows geometry.
        are_events_complete: Everything that changes comes with an event of its own, so that no event means no change.
        is_hit_test_exact: What the toolkit names at a pixel is what a click there hits, also where things overlap.
        is_complete: False when the deadline or a limit ended the read.
        gaps: What ended it, in words: "the deadline of 2 s", "5000 objects".
        calls: Platform calls made, for the record.
    """

    application: Application
    accessibles: tuple[Accessible, ...]
    toplevels: tuple[NativeRef, ...] = ()
    are_states_exact: bool = True
    are_events_complete: bool = False
    is_hit_test_exact: bool = False
    is_complete: bool = True
    gaps: tuple[str, ...] = ()
    cuts: tuple[Cut, ...] = ()
    calls: int = 0
    elapsed_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One event of the platform: something changed at `source`.

    Units:
        `at_s` on the clock of the ClockPort.
    """

    kind: str
    source: NativeRef
    detail: str = ""
    at_s: float = 0.0
