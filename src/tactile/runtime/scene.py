"""What a session remembers between calls, and the one way to look at an application."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from tactile.compile import compile_observation
from tactile.compile.form import WINDOW_ROLES
from tactile.errors import Diagnosis, ResolveError
from tactile.records import Candidate, CandidateSet, Failure, Observation, ReadLimits, Window
from tactile.runtime.applications import AppEntry
from tactile.runtime.desktop import Desktop
from tactile.runtime.ledger import Ledger
from tactile.runtime.mirror import Mirror
from tactile.runtime.observe import take
from tactile.runtime.refs import Numbers, Refs
from tactile.runtime.secrets_seen import SecretsSeen
from tactile.runtime.trace import NoTrace, TraceSink
from tactile.verify.differ import Unrest, unrest

HISTORY_MAX = 64  # observations whose points can still be clicked
APPS_MAX = 8  # applications whose last candidates are kept, to tell what moves by itself
UNREST_S = 10.0  # what moved by itself is held to go on for this long
UNREST_MAX = 64  # sightings of movement kept for all applications together


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """One observation and its candidates."""

    observation: Observation
    candidates: CandidateSet


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """A look that the next one is compared with, and the number of acts begun before it."""

    candidates: CandidateSet
    windows: tuple[Window, ...]
    acts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    """What the last look was compiled to, before refs; compiling costs more than looking when nothing changed."""

    observation: Observation
    query: str | None
    candidates: CandidateSet


def _is_alike(one: Observation, other: Observation) -> bool:
    """Tell whether two observations compile to the same; trees count as equal only if they are the same records."""
    if one.tree is None or other.tree is None or one.tree.accessibles is not other.tree.accessibles:
        return False
    return _with_tree_only(one) == _with_tree_only(other)


def _with_tree_only(observation: Observation) -> Observation:
    """Leave out what differs from look to look, and the accessibles."""
    assert observation.tree is not None
    tree = replace(observation.tree, accessibles=(), calls=0, elapsed_s=0.0)
    return replace(observation, observation_id="", taken_at_s=0.0, timings_s=(), tree=tree)


@dataclass(slots=True, kw_only=True)
class Scene:
    """The desktop and the memory of one session."""

    desktop: Desktop
    numbers: Numbers
    refs: Refs
    ledger: Ledger
    trace: TraceSink = field(default_factory=NoTrace)
    limits: ReadLimits = field(default_factory=ReadLimits)
    _history: OrderedDict[str, tuple[Window, ...]] = field(default_factory=OrderedDict)
    _last: OrderedDict[int | None, CandidateSet] = field(default_factory=OrderedDict)
    _secrets: SecretsSeen = field(default_factory=SecretsSeen)
    _made: OrderedDict[int | None, _Made] = field(default_factory=OrderedDict)
    _seen: OrderedDict[int | None, _Seen] = field(default_factory=OrderedDict)
    _unrest: deque[tuple[float, int | None, Unrest]] = field(default_factory=lambda: deque(maxlen=UNREST_MAX))
    _acts: int = 0
    _is_acting: bool = False
    _mirror: Mirror = field(init=False)

    def __post_init__(self) -> None:
        """Keep trees of this desktop."""
        self._mirror = Mirror(self.desktop)

    async def look(self, entry: AppEntry, *, query: str | None = None) -> Sight:
        """Observe one application and compile its candidates, with the refs they already have.

        Raises:
            PlatformError: As `observe.take`.
        """
        observation_id = f"o{self.numbers.next()}"
        taken = await take(self.desktop, self._mirror, entry, observation_id, self.limits, self._acts)
        observation = self._secrets.mask(taken)
        candidates = self._compile(observation, query)
        candidates = replace(candidates, candidates=self.refs.known(candidates.candidates))
        self._remember(observation, candidates)
        if observation.tree is not None:
            self._compare(observation, candidates)
        return Sight(observation=observation, candidates=candidates)

    def _compile(self, observation: Observation, query: str | None) -> CandidateSet:
        """Compile what was seen, unless it is what the last look at this application saw."""
        made = self._made.get(observation.pid)
        if made is not None and made.query == query and _is_alike(made.observation, observation):
            candidates = replace(made.candidates, observation_id=observation.observation_id)
        else:
            candidates = compile_observation(observation, query=query)
        self._made[observation.pid] = _Made(observation=observation, query=query, candidates=candidates)
        self._made.move_to_end(observation.pid)
        while len(self._made) > APPS_MAX:
            self._made.popitem(last=False)
        return candidates

    def _remember(self, observation: Observation, candidates: CandidateSet) -> None:
        self._history[observation.observation_id] = observation.windows
        self._last[observation.pid] = candidates
        self._last.move_to_end(observation.pid)
        while len(self._history) > HISTORY_MAX:
            self._history.popitem(last=False)
        while len(self._last) > APPS_MAX:
            self._last.popitem(last=False)

    def _compare(self, observation: Observation, candidates: CandidateSet) -> None:
        """Note what differs from the last look, if nothing was done since."""
        pid, windows = observation.pid, observation.windows
        seen = self._seen.get(pid)
        if seen is not None and seen.acts == self._acts and not self._is_acting:
            found = unrest(seen.candidates, candidates, seen.windows, windows)
            if found != Unrest():
                self._unrest.append((observation.taken_at_s, pid, found))
        self._seen[pid] = _Seen(candidates=candidates, windows=windows, acts=self._acts)
        self._seen.move_to_end(pid)
        while len(self._seen) > APPS_MAX:
            self._seen.popitem(last=False)

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Compare no looks within: what changes between them is the doing of an act, of whichever application."""
        self.has_acted()
        self._is_acting = True
        try:
            yield
        finally:
            self._is_acting = False

    def has_acted(self) -> None:
        """Note that looks from here on show the effect of an act, and earlier ones do not."""
        self._acts += 1

    def unrest(self, pid: int | None, at_s: float) -> Unrest:
        """Return what an application did by itself shortly before a moment.

        Args:
            pid: The application.
            at_s: The moment, such as that of a before picture.
        """
        found = [item for seen_s, owner, item in self._unrest if owner == pid and seen_s >= at_s - UNREST_S]
        return Unrest(
            things=frozenset().union(*(item.things for item in found)),
            are_windows_restless=any(item.are_windows_restless for item in found),
            are_controls_restless=any(item.are_controls_restless for item in found),
        )

    def last(self, pid: int | None) -> CandidateSet | None:
        """Return the candidates of the last look at an application."""
        return self._last.get(pid)

    def windows_at(self, observation_id: str) -> tuple[Window, ...]:
        """Return the windows as they were in one observation.

        Raises:
            ResolveError: `stale_session`: the observation is not one of this run's latest.
        """
        windows = self._history.get(observation_id)
        if windows is None:
            raise ResolveError(
                f"Observation {observation_id} is not one of the last {HISTORY_MAX} of this run.",
                code=Failure.STALE_SESSION.value,
                hint="Observe again with get_app_state and give the point with that observation's id.",
                diagnosis=Diagnosis(sought=observation_id),
            )
        return windows

    def frame_of(self, window: Window, candidates: CandidateSet) -> Candidate | None:
        """Return the candidate that is a whole window."""
        return next(
            (
                item
                for item in candidates.candidates
                if item.role in WINDOW_ROLES and item.window == window.native_id and item.native == item.toplevel
            ),
            None,
        )
