"""A candidate: one thing that can be acted on, with identity, geometry, affordances and cue."""

from __future__ import annotations

from dataclasses import dataclass

from tactile.records.accessible import NativeRef, ValueRange
from tactile.records.geometry import Extents
from tactile.records.vocabulary import Action, CueKind, Geometry, NameSource, Role, Source, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Affordance:
    """One thing that can be done to a candidate, and the mechanism that does it."""

    action: Action
    primitive: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One thing that can be acted on (the papers' target hypothesis).

    Attributes:
        ref: Short id given by the session; "" until then.
        native: The platform object behind it.
        name_from: Where the name comes from.
        value: What it holds, as text for people; None for none, and for secure fields.
        placeholder: Hint that an empty field shows.
        level: Depth of a tree row or heading.
        row: Of a cell in its table.
        column: Of a cell in its table.
        row_header: Name of the header of its row.
        column_header: Name of the header of its column.
        url: Where a link leads, as the application says it.
        extents: Visible part in physical px, None when not known.
        full_extents: The whole thing in physical px, before clipping by its ancestors.
        window: Native id of its window; None when not known.
        window_title: Title of the toplevel it lies in.
        ancestors: Names or roles of its ancestors, nearest first, for identity and `in "..."`.
        containers: Platform objects of all its ancestors, nearest first.
        affordances: Strongest mechanism first, per action.
        cue: What will show that its main action worked.
        order: Position in the tree, the tie-break of ranking.
        blocked_by: Title of the modal dialog in the way, if any.
        covered_by: Title of the window that lies over all of it and would stay there, if any.

    Units:
        Levels, rows and columns count from 1.
    """

    ref: str = ""
    native: NativeRef
    toplevel: NativeRef
    parent: NativeRef | None = None
    role: Role
    native_role: str = ""
    name: str = ""
    name_from: NameSource = NameSource.OWN
    description: str = ""
    placeholder: str = ""
    level: int | None = None
    row: int | None = None
    column: int | None = None
    row_header: str = ""
    column_header: str = ""
    url: str = ""
    value: str | None = None
    number: ValueRange | None = None
    text_length: int | None = None
    states: frozenset[State] = frozenset()
    sources: tuple[Source, ...] = (Source.AX,)
    extents: Extents | None = None
    full_extents: Extents | None = None
    geometry: Geometry = Geometry.UNKNOWN
    is_showing: bool = True
    is_enabled: bool = True
    is_secure: bool = False
    window: int | None = None
    window_title: str = ""
    ancestors: tuple[str, ...] = ()
    containers: tuple[NativeRef, ...] = ()
    affordances: tuple[Affordance, ...] = ()
    cue: CueKind = CueKind.RESPONDS
    order: int = 0
    score: float = 0.0
    blocked_by: str | None = None
    covered_by: str | None = None
    is_suspicious: bool = False
    toolkit: str = ""

    def affordances_for(self, action: Action) -> tuple[Affordance, ...]:
        """Return the mechanisms for one action, strongest first."""
        return tuple(item for item in self.affordances if item.action is action)

    @property
    def label(self) -> str:
        """Return role and name as a person would call it."""
        return f'{self.role.value} "{self.name}"'


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCut:
    """A group of which only a part is listed."""

    ref: str
    what: str
    total: int
    shown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Completeness:
    """How much of what there is can be found in the list.

    Attributes:
        showing: Candidates that are visible now.
        shown: Candidates in the list.
        in_tree: Accessibles read.
    """

    showing: int
    shown: int
    in_tree: int
    cuts: tuple[ListCut, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateSet:
    """The candidates of one observation, best first.

    Attributes:
        candidates: All that were formed, also the ones that are not showing.
        windows: (native id, title) of the application's windows, front first.
        modal: Title of the modal dialog in front, if any.
    """

    observation_id: str
    app_name: str
    pid: int | None
    candidates: tuple[Candidate, ...]
    completeness: Completeness
    windows: tuple[tuple[int, str], ...] = ()
    active_window: int | None = None
    modal: str | None = None
    is_complete: bool = True
    notes: tuple[str, ...] = ()

    def by_ref(self, ref: str) -> Candidate | None:
        """Return the candidate with this ref, or None."""
        return next((item for item in self.candidates if item.ref == ref), None)

    def by_native(self, native: NativeRef) -> Candidate | None:
        """Return the candidate made from this platform object, or None."""
        return next((item for item in self.candidates if item.native == native), None)
