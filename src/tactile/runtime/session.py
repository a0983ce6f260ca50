"""A session: the verbs that the library, the command line and the MCP server share."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tactile.compile.complete import Listing, Selection, completed, listing, with_refs
from tactile.errors import Diagnosis, RequestError, ResolveError, TactileError
from tactile.records import (
    Action,
    ActionRequest,
    CandidateSet,
    ChangeLine,
    Failure,
    ListCut,
    NativeRef,
    Receipt,
    Window,
)
from tactile.render.outline import BUDGET_TOKENS, Heading, outline
from tactile.runtime.applications import AppEntry, Running, find, running
from tactile.runtime.changes import difference_lines
from tactile.runtime.execute import execute, refusal
from tactile.runtime.opening import Progress, open_app, open_intent, opening_receipt, untold
from tactile.runtime.scene import Scene, Sight
from tactile.verify.differ import differences
from tactile.verify.payload import check_text

LISTED_MAX = 200  # candidates considered for one answer; no budget of the interface holds more lines
RECORDS_MAX = 400  # candidates with full records in one answer
KEPT_STATES = 8  # answers whose candidates are kept for `since`
ROUTING = "ax only: text reading and visual regions are not part of this release"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is asked of `Session.observe`.

    Attributes:
        with_records: Give every candidate a ref, not only the listed ones.
    """

    app: str | None = None
    query: str | None = None
    expand: str | None = None
    limit: int | None = None
    since: str | None = None
    with_records: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AppState:
    """A compact state and what it was made from.

    Attributes:
        text: The compact text, within its budget.
        candidates: With completeness; the listed ones carry refs.
        listed: Refs in the text, in order.
    """

    text: str
    entry: AppEntry
    sight: Sight
    candidates: CandidateSet
    listed: tuple[str, ...]
    window_ref: str
    window_title: str
    changes: tuple[ChangeLine, ...] | None = None
    routing: str = ROUTING


class Session:
    """One desktop, one memory of refs, one ledger; acts happen one at a time.

    Args:
        scene: Ports and memory, from `tactile.connect`.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._acting = asyncio.Lock()
        self._answers: OrderedDict[str, CandidateSet] = OrderedDict()

    async def apps(self) -> Running:
        """List running applications and their windows.

        Raises:
            PlatformError: The window system does not answer.
        """
        return await running(self.scene.desktop)

    def window_refs(self, windows: Sequence[Window]) -> dict[int, str]:
        """Return the refs of the managed windows by native id."""
        return self.scene.refs.windows((item.native_id, item.title) for item in windows if not item.is_popup)

    async def observe(self, view: View, nonce: str, budget_tokens: int = BUDGET_TOKENS) -> AppState:
        """Observe an application and render its compact state.

        Args:
            view: Which application and which part of it.
            nonce: Fresh; marks what comes from the screen.
            budget_tokens: Upper bound of the rendered answer.

        Raises:
            RequestError, ResolveError, PlatformError: With code, hint and diagnosis.
        """
        now = await self.apps()
        self.window_refs(now.windows)
        expand = None if view.expand is None else self.scene.refs.seen(view.expand).candidate.native
        entry, window = self._entry(view, now)
        sight = await self.scene.look(entry, query=view.query)
        if now.notes and not entry.roots:
            noted = replace(sight.candidates, notes=(*sight.candidates.notes, *now.notes))
            sight = replace(sight, candidates=noted)
        if window is not None:
            sight = _in_window(sight, window)
        state = self._state(view, entry, sight, expand, nonce, budget_tokens)
        self.scene.trace.observation(sight.observation, state.listed)
        return state

    def _entry(self, view: View, now: Running) -> tuple[AppEntry, Window | None]:
        if view.app is None and view.expand is not None:
            pid = self.scene.refs.seen(view.expand).pid
            entry = next((item for item in now.entries if item.pid == pid), None)
            if entry is not None:
                return entry, None
        return find(view.app, now, self.scene.refs)

    def _state(
        self, view: View, entry: AppEntry, sight: Sight, expand: NativeRef | None, nonce: str, budget_tokens: int
    ) -> AppState:
        refs, tree = self.scene.refs, sight.observation.tree
        selection = Selection(query=view.query, expand=expand, limit=view.limit)
        chosen = listing(sight.candidates, selection, tree.cuts if tree else ())
        changes = self._changes(view.since, sight.candidates, entry.pid)
        shown = refs.give(chosen.shown[:LISTED_MAX], entry.pid) if changes is None else ()
        window_refs = refs.windows(sight.candidates.windows)
        heading = _heading(sight, entry, chosen, changes, window_refs, nonce)
        cuts = self._cuts(chosen, sight.candidates, entry.pid)
        drawn = outline(heading, shown, cuts, window_refs, budget_tokens)
        refs.show(drawn.listed, entry.pid)
        if view.with_records:
            refs.give(sight.candidates.candidates[:RECORDS_MAX], entry.pid)
        candidates = replace(sight.candidates, candidates=refs.known(sight.candidates.candidates))
        candidates = completed(candidates, replace(chosen, shown=drawn.listed), drawn.cuts)
        self._keep(candidates)
        front = next(iter(sight.candidates.windows), (0, ""))
        return AppState(
            text=drawn.text,
            entry=entry,
            sight=sight,
            candidates=candidates,
            listed=tuple(item.ref for item in drawn.listed),
            window_ref=window_refs.get(front[0], ""),
            window_title=front[1],
            changes=changes,
        )

    def _cuts(self, chosen: Listing, candidates: CandidateSet, pid: int | None) -> tuple[ListCut, ...]:
        containers = [found for group in chosen.groups if (found := candidates.by_native(group.container))]
        given = self.scene.refs.give(containers, pid)
        self.scene.refs.show(given, pid)
        return with_refs(chosen.groups, {item.native: item.ref for item in given})

    def _changes(self, since: str | None, candidates: CandidateSet, pid: int | None) -> tuple[ChangeLine, ...] | None:
        """Return what changed since an earlier answer.

        Raises:
            ResolveError: `stale_session`: that answer is not one of the latest, or was of another application.
        """
        if since is None:
            return None
        earlier = self._answers.get(since)
        if earlier is None or earlier.pid != pid:
            raise ResolveError(
                f"Observation {since} is not one of the last {KEPT_STATES} of this application.",
                code=Failure.STALE_SESSION.value,
                hint="Leave since out to get the whole state.",
                diagnosis=Diagnosis(sought=since, near_misses=tuple(self._answers)),
            )
        return difference_lines(self.scene, differences(earlier, candidates), pid)

    def _keep(self, candidates: CandidateSet) -> None:
        self._answers[candidates.observation_id] = candidates
        while len(self._answers) > KEPT_STATES:
            self._answers.popitem(last=False)

    async def act(self, request: ActionRequest) -> Receipt:
        """Do one act and return its receipt; refusals are receipts too.

        Args:
            request: Parsed; its payload is checked here.
        """
        try:
            if request.action in {Action.TYPE, Action.SET_VALUE, Action.PRESS_KEY}:
                check_text(request.payload, "text", may_be_empty=request.action is Action.SET_VALUE)
        except RequestError as error:
            return refusal(request, error)
        async with self._acting:
            return await execute(self.scene, request)

    async def open_app(self, name: str, arguments: Sequence[str] = (), tell: Progress = untold) -> Receipt:
        """Start an application visibly and wait until it can be used.

        Args:
            name: Program, or the name people know it by.
            arguments: Passed as they are.
            tell: Is told of each step.
        """
        request = ActionRequest(action=Action.OPEN_APP, target=None, payload=name)
        start_s = self.scene.desktop.clock.now_s()
        try:
            for text in (name, *arguments):
                check_text(text, "name or argument", may_be_empty=text is not name)
            async with self._acting:
                receipt = await self._open(request, [name, *arguments], tell)
        except TactileError as error:
            receipt = refusal(request, error)
        total_s = self.scene.desktop.clock.now_s() - start_s
        receipt = replace(receipt, timings_s=(("total", total_s),))
        self.scene.trace.receipt(request, receipt, is_secret=False)
        return receipt

    async def _open(self, request: ActionRequest, argv: Sequence[str], tell: Progress) -> Receipt:
        scene = self.scene
        effect = f"f{scene.numbers.next()}"
        scene.ledger.intend(open_intent(effect, argv, time.time()))
        try:
            opened = await open_app(scene, argv, tell)
        except TactileError as error:
            status = "rejected" if error.effect == "none" else "outcome_unknown"
            scene.ledger.close(effect, status, "unverifiable", time.time())
            raise
        receipt = opening_receipt(effect, request.payload, opened)
        scene.ledger.close(effect, receipt.status.value, receipt.verdict.value, time.time())
        if opened.entry is not None:
            self.window_refs(opened.entry.windows)
        return receipt


def _in_window(sight: Sight, window: Window) -> Sight:
    """Return the sight with only one window's candidates, and whatever modal dialog blocks it."""
    kept = tuple(
        item
        for item in sight.candidates.candidates
        if item.window == window.native_id or (sight.candidates.modal and item.window_title == sight.candidates.modal)
    )
    return replace(sight, candidates=replace(sight.candidates, candidates=kept))


def _heading(
    sight: Sight,
    entry: AppEntry,
    chosen: Listing,
    changes: tuple[ChangeLine, ...] | None,
    window_refs: dict[int, str],
    nonce: str,
) -> Heading:
    by_id = {window.native_id: window for window in sight.observation.windows}
    notes = sight.candidates.notes
    behind = sum(item.is_showing and item.blocked_by is not None for item in sight.candidates.candidates)
    if behind:
        notes = (*notes, f"{behind} things behind a modal dialog are not listed; it has to be answered first")
    if not chosen.is_match:
        notes = (*notes, "nothing matches the query; this is the list without it")
    if changes is not None:
        notes = (*notes, "only changes are listed; refs given before still hold")
    return Heading(
        observation_id=sight.observation.observation_id,
        nonce=nonce,
        app_name=entry.name,
        pid=entry.pid,
        sources="ax" if sight.observation.tree is not None else "windows only",
        windows=[
            (window_refs[native], title, _window_flags(by_id[native])) for native, title in sight.candidates.windows
        ],
        showing=chosen.showing,
        in_tree=sight.candidates.completeness.in_tree,
        is_complete=sight.candidates.is_complete,
        notes=notes,
        changes=changes,
    )


def _window_flags(window: Window) -> str:
    flags = [("active", window.is_active), ("modal", window.is_modal), ("minimised", window.is_minimised)]
    return " ".join(word for word, is_set in flags if is_set)
