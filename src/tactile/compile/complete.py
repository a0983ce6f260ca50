"""Choose what is listed and say what was left out and how to get it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tactile.compile.form import CONTAINER_ROLES, CONTROL_ROLES
from tactile.compile.rank import matches
from tactile.policy.untrusted import quote
from tactile.records import Candidate, CandidateSet, Completeness, Cut, ListCut, NativeRef, Role

GROUP_MAX = 12  # members of one list that are shown unasked: enough to see what kind of list it is
CUT_NAME_MAX = 40  # characters of a container's name beside what is cut in it
GROUPED_ROLES = frozenset(
    {Role.LIST_ITEM, Role.TREE_ITEM, Role.TABLE_CELL, Role.TABLE_ROW, Role.ROW_HEADER, Role.LABEL, Role.LINK}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What is asked of a list.

    Attributes:
        expand: Show every member of this container.
        limit: Most candidates to list; None leaves it to the renderer's budget.
    """

    query: str | None = None
    expand: NativeRef | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Candidates to show, best first, and the groups of which members are left out.

    Attributes:
        is_match: False when a query was given and nothing matches it.
    """

    shown: tuple[Candidate, ...]
    groups: tuple[GroupCut, ...]
    showing: int
    is_match: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCut:
    """One container of which only a part is shown."""

    container: NativeRef
    what: str
    total: int
    shown: int


def listing(candidates: CandidateSet, selection: Selection, cuts: Sequence[Cut]) -> Listing:
    """Pick the candidates to show.

    Args:
        candidates: Ranked.
        selection: Query, expansion and limit.
        cuts: Places where reading stopped, from the tree.

    Returns:
        Only what matches the query, also off screen or beyond a group's limit; the usual list when nothing does.
    """
    words = tuple((selection.query or "").casefold().split())
    showing = [item for item in candidates.candidates if item.is_showing]
    matching = [item for item in candidates.candidates if matches(item, words)]
    # What is behind a modal dialog can wait: it is counted in the header and found by a query.
    pool = matching or [item for item in showing if item.blocked_by is None]
    if selection.expand is not None:
        pool = _below(candidates.candidates, selection.expand)
    shown, dropped = _fold(pool, words, is_open=selection.expand is not None)
    if selection.limit is not None:
        shown = shown[: selection.limit]
    groups = _group_cuts(candidates.candidates, shown, dropped, cuts)
    return Listing(shown=tuple(shown), groups=groups, showing=len(showing), is_match=bool(matching) or not words)


def _below(candidates: Sequence[Candidate], container: NativeRef) -> list[Candidate]:
    """Return the container and everything formed below it in the order of the tree, off-screen members too."""
    found = [item for item in candidates if item.native == container or container in item.containers]
    return sorted(found, key=lambda item: item.order)


def _fold(
    pool: Sequence[Candidate], words: Sequence[str], *, is_open: bool
) -> tuple[list[Candidate], dict[NativeRef, int]]:
    shown: list[Candidate] = []
    counts: dict[NativeRef, int] = {}
    dropped: dict[NativeRef, int] = {}
    for item in pool:
        if item.role in GROUPED_ROLES and item.parent is not None and not is_open and not matches(item, words):
            counts[item.parent] = counts.get(item.parent, 0) + 1
            if counts[item.parent] > GROUP_MAX:
                dropped[item.parent] = dropped.get(item.parent, 0) + 1
                continue
        shown.append(item)
    return shown, dropped


def _group_cuts(
    candidates: Sequence[Candidate],
    shown: Sequence[Candidate],
    dropped: dict[NativeRef, int],
    cuts: Sequence[Cut],
) -> tuple[GroupCut, ...]:
    names = {item.native: item for item in candidates}
    unread = {cut.ref: cut for cut in cuts}
    out_of_view = [item.parent for item in candidates if item.role in GROUPED_ROLES and not item.is_showing]
    scrolled = [one for one in out_of_view if one in names and _is_open_list(names[one])]
    containers = dict.fromkeys([*dropped, *unread, *scrolled])
    found: list[GroupCut] = []
    for container in containers:
        item = names.get(container)
        is_page = item is not None and item.role is Role.DOCUMENT
        listed = _members(shown, container, is_page=is_page)
        formed = _members(candidates, container, is_page=is_page)
        total = max(unread[container].total if container in unread else 0, formed)
        if total > listed:
            what = _what(item) if item else (unread[container].what if container in unread else "group")
            found.append(GroupCut(container=container, what=what, total=total, shown=listed))
    return tuple(found)


def _members(candidates: Sequence[Candidate], container: NativeRef, *, is_page: bool) -> int:
    """Count what is directly in a container; of a page all its controls, however deep they lie."""
    if is_page:
        return sum(container in item.containers and item.role in CONTROL_ROLES for item in candidates)
    return sum(item.parent == container for item in candidates)


def _is_open_list(item: Candidate) -> bool:
    return item.is_showing and item.role in CONTAINER_ROLES


def _what(item: Candidate) -> str:
    return f"{item.role.value} {quote(item.name, CUT_NAME_MAX)}"


def with_refs(groups: Sequence[GroupCut], refs: dict[NativeRef, str]) -> tuple[ListCut, ...]:
    """Return the cuts as the public interface names them; containers without a ref keep an empty one."""
    return tuple(
        ListCut(ref=refs.get(group.container, ""), what=group.what, total=group.total, shown=group.shown)
        for group in groups
    )


def completed(candidates: CandidateSet, listed: Listing, cuts: tuple[ListCut, ...]) -> CandidateSet:
    """Return the set with its completeness filled in."""
    completeness: Completeness = replace(
        candidates.completeness, showing=listed.showing, shown=len(listed.shown), cuts=cuts
    )
    return replace(candidates, completeness=completeness)
