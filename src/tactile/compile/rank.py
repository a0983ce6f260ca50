"""Order candidates by how likely they are to be the next thing acted on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tactile.compile.afford import TOGGLE_ROLES
from tactile.compile.form import CONTAINER_ROLES, CONTROL_ROLES, EDIT_ROLES, WINDOW_ROLES
from tactile.policy.untrusted import clean
from tactile.records import Candidate, Role, State, Window

# Weights only order things; each step outweighs all below it.
QUERY_MATCH, SHOWING, FRONT_WINDOW, ENABLED, CONTROL, NAMED, FOCUSED = 64.0, 32.0, 16.0, 4.0, 4.0, 2.0, 1.0
QUIET_ROLES = frozenset({Role.COLUMN_HEADER, Role.TABLE_CELL, Role.LIST_ITEM, Role.TREE_ITEM})


def rank(candidates: Sequence[Candidate], windows: Sequence[Window], query: str | None) -> tuple[Candidate, ...]:
    """Score and sort, best first; equal scores keep the order of the tree.

    Args:
        candidates: With affordances.
        windows: Of the application, lowest first.
        query: Words that a wanted candidate's role, name or value contains; case is ignored.

    Returns:
        All candidates, none dropped.
    """
    front = next((window.native_id for window in reversed(windows) if not window.is_minimised), None)
    words = tuple((query or "").casefold().split())
    scored = [replace(item, score=_score(item, front, words)) for item in candidates]
    return tuple(sorted(scored, key=lambda item: (-item.score, item.order)))


def matches(item: Candidate, words: Sequence[str]) -> bool:
    """Tell whether every word occurs in the candidate's role, name, description, value, hint, headers or link."""
    parts = (item.role.value, item.name, item.description, item.value or "", item.placeholder, item.url)
    text = clean(" ".join((*parts, item.row_header, item.column_header)), 4000).text.casefold()
    return bool(words) and all(word in text for word in words)


def _score(item: Candidate, front: int | None, words: Sequence[str]) -> float:
    score = 0.0
    if words and matches(item, words):
        score += QUERY_MATCH
    if item.is_showing:
        score += SHOWING
    if item.window is not None and item.window == front and item.blocked_by is None:
        score += FRONT_WINDOW
    if item.is_enabled:
        score += ENABLED
    score += CONTROL * _weight(item)
    if item.name:
        score += NAMED
    if State.FOCUSED in item.states:
        score += FOCUSED
    return score


def _weight(item: Candidate) -> float:
    if item.role in WINDOW_ROLES or item.role in CONTAINER_ROLES:
        return 0.25
    if item.role in QUIET_ROLES:
        return 0.75
    if item.role in CONTROL_ROLES or item.role in TOGGLE_ROLES or item.role in EDIT_ROLES:
        return 1.0
    return 0.5 if item.name or item.value else 0.0
