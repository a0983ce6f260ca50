"""What a session remembers between calls, and the one way to look at an application."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace

from tactile.compile import compile_observation
from tactile.compile.form import WINDOW_ROLES
from tactile.errors import Diagnosis, ResolveError
from tactile.records import Candidate, CandidateSet, Failure, NativeRef, Observation, ReadLimits, Window
from tactile.runtime.applications import AppEntry
from tactile.runtime.desktop import Desktop
from tactile.runtime.ledger import Ledger
from tactile.runtime.observe import take
from tactile.runtime.refs import Numbers, Refs
from tactile.runtime.trace import NoTrace, TraceSink

HISTORY_MAX = 64  # observations whose points can still be clicked
APPS_MAX = 8  # applications whose last candidates are kept, to tell what moves by itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """One observation and its candidates."""

    observation: Observation
    candidates: CandidateSet


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

    async def look(self, entry: AppEntry, *, only: NativeRef | None = None, query: str | None = None) -> Sight:
        """Observe one application and compile its candidates, with the refs they already have.

        Raises:
            PlatformError: As `observe.take`.
        """
        observation_id = f"o{self.numbers.next()}"
        observation = await take(self.desktop, entry, observation_id, self.limits, only)
        candidates = compile_observation(observation, query=query)
        candidates = replace(candidates, candidates=self.refs.known(candidates.candidates))
        self._remember(observation, candidates)
        return Sight(observation=observation, candidates=candidates)

    def _remember(self, observation: Observation, candidates: CandidateSet) -> None:
        self._history[observation.observation_id] = observation.windows
        self._last[observation.pid] = candidates
        self._last.move_to_end(observation.pid)
        while len(self._history) > HISTORY_MAX:
            self._history.popitem(last=False)
        while len(self._last) > APPS_MAX:
            self._last.popitem(last=False)

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
