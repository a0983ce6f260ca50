"""Choose the mechanism for one act: the strongest that fits, with a reason for each one passed over."""

from __future__ import annotations

from tactile.compile.afford import CELL_ROLES, CHOICE_ROLES, TOGGLE_ROLES
from tactile.compile.form import EDIT_ROLES
from tactile.compile.resolve import describe
from tactile.errors import Diagnosis, ResolveError
from tactile.records import Action, ActionRequest, Affordance, Candidate, Failure, Role, Rung

# A row's own selection fires none of the application's handlers, adds to what an extended selection holds already and
# leaves a combo box as it was; a real click does what a person's does.
ROW_ROLES = CELL_ROLES | {Role.LIST_ITEM, Role.TREE_ITEM}
SEMANTIC_TEXT_ROLES = EDIT_ROLES - {Role.TERMINAL}


def climb(
    request: ActionRequest, candidate: Candidate, passed: tuple[Rung, ...] = ()
) -> tuple[Affordance, tuple[Rung, ...]]:
    """Return the mechanism to use and the stronger ones passed over.

    Args:
        request: The act; a click that is not a plain left one can only be real.
        candidate: Live, with its affordances.
        passed: Mechanisms that were tried and could not do it, nothing having been done.

    Raises:
        ResolveError: `unsupported`; names what the candidate can do instead.
    """
    rungs = list(passed)
    tried = {rung.primitive for rung in passed}
    for affordance in _wanted(request, candidate):
        if affordance.primitive in tried:
            continue
        reason = _unfit(request, affordance)
        if reason is None:
            return affordance, tuple(rungs)
        rungs.append(Rung(primitive=affordance.primitive, reason=reason))
    actions = sorted({item.action.value for item in candidate.affordances})
    raise ResolveError(
        f"{describe(candidate)} has no way to {request.action.value}.",
        code=Failure.UNSUPPORTED.value,
        hint="It can: " + (", ".join(actions) or "nothing") + ".",
        diagnosis=Diagnosis(sought=request.action.value, near_misses=tuple(actions)),
    )


def main_action(candidate: Candidate) -> Action:
    """Return what a plain left click on this kind of thing means."""
    if candidate.role in TOGGLE_ROLES:
        return Action.TOGGLE
    if candidate.role in CHOICE_ROLES | CELL_ROLES:
        return Action.SELECT
    return Action.CLICK if candidate.role in EDIT_ROLES - {Role.COMBO_BOX} else Action.PRESS


def _wanted(request: ActionRequest, candidate: Candidate) -> tuple[Affordance, ...]:
    if request.action is not Action.CLICK:
        return candidate.affordances_for(request.action)
    main = candidate.affordances_for(main_action(candidate))
    press = candidate.affordances_for(Action.PRESS) if main_action(candidate) is not Action.CLICK else ()
    real = candidate.affordances_for(Action.CLICK)
    first = real if candidate.role in ROW_ROLES else ()
    return tuple(dict.fromkeys([*first, *main, *press, *real]))


def _unfit(request: ActionRequest, affordance: Affordance) -> str | None:
    is_pointer = affordance.primitive.endswith(".pointer")
    if request.action is Action.CLICK and not is_pointer:
        if request.button != "left":
            return f"only the pointer has a {request.button} button"
        if request.count != 1:
            return "only the pointer clicks more than once"
        if request.modifiers:
            return "only the pointer carries modifier keys"
    return None
