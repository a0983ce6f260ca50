"""Find the one candidate that a target denotes, or refuse with near misses; never the first of several."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from tactile.errors import Diagnosis, ResolveError
from tactile.policy.untrusted import clean, quote
from tactile.records import Candidate, CandidateSet, Failure, Locator, Role

NEAR_MAX = 6  # near misses named in a refusal
NEAR_RATIO = 0.5  # likeness below which a name is no near miss
# Words people and models use for a role, beside its own.
ROLE_ALIASES = {
    "push_button": Role.BUTTON,
    "checkbox": Role.CHECK_BOX,
    "radio": Role.RADIO_BUTTON,
    "textbox": Role.ENTRY,
    "text_box": Role.ENTRY,
    "field": Role.ENTRY,
    "password": Role.PASSWORD_TEXT,
    "combobox": Role.COMBO_BOX,
    "dropdown": Role.COMBO_BOX,
    "tab": Role.PAGE_TAB,
    "menuitem": Role.MENU_ITEM,
    "item": Role.LIST_ITEM,
    "cell": Role.TABLE_CELL,
    "spinner": Role.SPIN_BUTTON,
    "toggle": Role.TOGGLE_BUTTON,
}


def role_named(word: str) -> Role | None:
    """Return the role a word names, or None."""
    folded = word.strip().casefold().replace(" ", "_").replace("-", "_")
    if folded in ROLE_ALIASES:
        return ROLE_ALIASES[folded]
    try:
        return Role(folded)
    except ValueError:
        return None


def describe(item: Candidate) -> str:
    """Name a candidate in a diagnosis: role, name and ref if it has one."""
    ref = f" [{item.ref}]" if item.ref else ""
    return f"{item.role.value} {quote(item.name or item.value or '')}{ref}"


def fitting(locator: Locator, candidates: CandidateSet) -> list[Candidate]:
    """Return the showing candidates that fit, else the hidden ones that do."""
    found = [item for item in candidates.candidates if _fits(item, locator)]
    return [item for item in found if item.is_showing] or found


def resolve_locator(locator: Locator, candidates: CandidateSet) -> Candidate:
    """Return the single showing candidate that fits, else the single hidden one.

    Raises:
        ResolveError: None fits (`target_absent`) or several do (`target_ambiguous`); both name near misses.
    """
    found = fitting(locator, candidates)
    if len(found) == 1:
        return found[0]
    raise ambiguous(locator, found) if found else absent(locator, candidates.candidates)


def absent(locator: Locator, candidates: Sequence[Candidate]) -> ResolveError:
    """Return the refusal of a locator that nothing fits."""
    return ResolveError(
        f"No candidate fits {locator}.",
        code=Failure.TARGET_ABSENT.value,
        hint="Observe again with get_app_state, perhaps with a query, and use a ref from it.",
        diagnosis=Diagnosis(sought=str(locator), near_misses=near_misses(locator, candidates)),
    )


def ambiguous(locator: Locator, found: Sequence[Candidate], places: Sequence[str] = ()) -> ResolveError:
    """Return the refusal of a locator that several fit, each named with where it is."""
    where = places or [""] * len(found)
    named = [f"{describe(item)} {place}".rstrip() for item, place in zip(found, where, strict=True)]
    return ResolveError(
        f"{len(found)} candidates fit {locator}.",
        code=Failure.TARGET_AMBIGUOUS.value,
        hint='Use one of the refs, or narrow it with: in "name of a container or window".',
        diagnosis=Diagnosis(sought=str(locator), near_misses=tuple(named[:NEAR_MAX])),
    )


def _fits(item: Candidate, locator: Locator) -> bool:
    if item.role is not locator.role or _plain(item.name) != _plain(locator.name):
        return False
    if locator.within is None:
        return True
    return _plain(locator.within) in {_plain(name) for name in (*item.ancestors, item.window_title)}


def _plain(text: str) -> str:
    return clean(text, 500).text.rstrip("…")


def near_misses(locator: Locator, candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Return showing candidates whose name is like the one sought, best first."""
    sought = _plain(locator.name).casefold()[:80]
    scored: list[tuple[float, int, Candidate]] = []
    for item in candidates:
        if item.is_showing and item.name:
            name = _plain(item.name).casefold()[:80]
            likeness = SequenceMatcher(None, sought, name).ratio() + (0.2 if item.role is locator.role else 0.0)
            if likeness >= NEAR_RATIO:
                scored.append((-likeness, item.order, item))
    return tuple(describe(item) for _, _, item in sorted(scored, key=lambda entry: entry[:2])[:NEAR_MAX])


def neighbours(gone: Candidate, candidates: CandidateSet) -> tuple[str, ...]:
    """Name what is now where a vanished candidate was: at its place, then among its siblings."""
    place = gone.extents
    here = [
        item
        for item in candidates.candidates
        if item.is_showing and item.extents and place and item.extents.contains(place.center)
    ]
    siblings = [item for item in candidates.candidates if item.is_showing and item.parent == gone.parent and item.name]
    controls = [item for item in here if item.role is gone.role] + siblings
    return tuple(describe(item) for item in dict.fromkeys(controls))[:NEAR_MAX]
