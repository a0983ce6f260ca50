"""Form candidates: one per control a person would name, label children folded into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from tactile.compile.naming import content_of, is_bullet, named
from tactile.compile.place import Placement, ancestors
from tactile.policy.untrusted import is_suspicious
from tactile.records import Accessible, Action, Candidate, NameSource, NativeRef, Observation, Role, State

CONTROL_ROLES = frozenset(
    {Role.BUTTON, Role.CHECK_BOX, Role.CHECK_MENU_ITEM, Role.COLUMN_HEADER, Role.COMBO_BOX, Role.ENTRY, Role.LINK}
    | {Role.LIST_ITEM, Role.MENU, Role.MENU_ITEM, Role.PAGE_TAB, Role.PASSWORD_TEXT, Role.RADIO_BUTTON}
    | {Role.RADIO_MENU_ITEM, Role.SLIDER, Role.SPIN_BUTTON, Role.SWITCH, Role.TABLE_CELL, Role.TABLE_ROW}
    | {Role.TOGGLE_BUTTON, Role.TREE_ITEM, Role.ROW_HEADER, Role.TERMINAL, Role.ICON}
)
CONTAINER_ROLES = frozenset({Role.LIST, Role.TABLE, Role.TREE, Role.TREE_TABLE, Role.DOCUMENT, Role.SCROLL_PANE})
WINDOW_ROLES = frozenset({Role.FRAME, Role.DIALOG, Role.ALERT, Role.FILE_CHOOSER, Role.WINDOW})
READABLE_ROLES = frozenset(
    {Role.LABEL, Role.TEXT, Role.HEADING, Role.PARAGRAPH, Role.STATUS_BAR, Role.PROGRESS_BAR, Role.LEVEL_BAR}
    | {Role.NOTIFICATION, Role.INFO_BAR, Role.IMAGE}
)
# Text-like roles whose content is folded into the control around them.
FOLDED_ROLES = frozenset({Role.LABEL, Role.IMAGE, Role.ICON, Role.PARAGRAPH, Role.SEPARATOR})
TEXT_ROLES = frozenset({Role.LABEL, Role.HEADING, Role.PARAGRAPH})
EDIT_ROLES = frozenset({Role.ENTRY, Role.TEXT, Role.PASSWORD_TEXT, Role.SPIN_BUTTON, Role.TERMINAL, Role.COMBO_BOX})
BAR_ROLES = frozenset({Role.SCROLL_BAR, Role.SPLIT_PANE})  # nameless ones stand beside what they move
BUTTON_ROLES = frozenset({Role.BUTTON, Role.TOGGLE_BUTTON})
ANCESTORS_MAX = 6  # ancestors kept for identity and `in "..."`
OPTION_ROLES = frozenset({Role.MENU, Role.MENU_ITEM, Role.LIST, Role.LIST_ITEM})
CHOICE_STATES = frozenset({State.FOCUSABLE, State.SELECTABLE})


def form(observation: Observation, placed: Mapping[NativeRef, Placement]) -> tuple[Candidate, ...]:
    """Make one candidate of every accessible that a person could act on or read.

    Args:
        observation: With its tree; windows and screen are used for visibility.
        placed: From `place`, for the same observation.

    Returns:
        In tree order; those that are not showing are included and marked.
    """
    tree = observation.tree
    if tree is None:
        return ()
    by_ref = {item.ref: item for item in tree.accessibles}
    children: dict[NativeRef, list[Accessible]] = {}
    for item in tree.accessibles:
        if item.parent is not None:
            children.setdefault(item.parent, []).append(item)
    has_secrets = any(item.is_secure for item in tree.accessibles)
    return tuple(
        _candidate(order, item, placed[item.ref], observation, by_ref, children)
        for order, item in enumerate(tree.accessibles)
        if is_candidate(item, by_ref, children) and not (has_secrets and _shows_secret(item, by_ref))
    )


def _shows_secret(item: Accessible, by_ref: Mapping[NativeRef, Accessible]) -> bool:
    """Tell whether it is part of a password field, which shows its content; only buttons inside are for acting."""
    return item.role not in BUTTON_ROLES and any(ancestor.is_secure for ancestor in ancestors(item, by_ref))


def is_candidate(
    item: Accessible,
    by_ref: Mapping[NativeRef, Accessible],
    children: Mapping[NativeRef, Sequence[Accessible]],
) -> bool:
    """Tell whether an accessible stands for itself in the list."""
    if State.DEFUNCT in item.states or is_folded(item, by_ref):
        return False
    if item.role in BUTTON_ROLES and not item.offers and _holds_button(item, children):
        return False
    if item.role in {Role.TABLE_ROW, Role.LIST_ITEM, Role.TABLE_CELL} and _only_holds(item, children):
        return False
    if item.role in CONTROL_ROLES or item.role in WINDOW_ROLES:
        return True
    if item.role in CONTAINER_ROLES:
        return item.role is not Role.SCROLL_PANE or bool(item.name) or acts(item)
    is_blank = not (item.name or item.text or "").strip() and item.value is None
    if item.role in READABLE_ROLES and (not is_blank or State.EDITABLE in item.states):
        return True
    return bool(item.offers) and (bool(item.name.strip()) or (acts(item) and item.role not in BAR_ROLES))


def acts(item: Accessible) -> bool:
    """Tell whether it offers more than to take the focus or to come into view."""
    return any(offer.action not in {Action.FOCUS, Action.SCROLL_INTO_VIEW} for offer in item.offers)


def is_folded(item: Accessible, by_ref: Mapping[NativeRef, Accessible]) -> bool:
    """Tell whether the accessible is only the face of a control around it."""
    if item.role in FOLDED_ROLES and not acts(item):
        if _is_part_of_text(item, by_ref):
            return True
        if State.EDITABLE not in item.states:
            return _control_above(item, by_ref) is not None
    # GTK4 drop-downs carry an inner button, entries and spin buttons an inner text: the outer one is the control.
    parent = by_ref.get(item.parent) if item.parent else None
    if parent is None:
        return False
    if item.role in OPTION_ROLES and _is_put_away(item, by_ref):
        return True
    if item.role in BUTTON_ROLES:
        return parent.role is Role.COMBO_BOX
    if item.is_secure and not parent.is_secure:
        return False  # a secret stays marked as one
    return parent.role in {Role.ENTRY, Role.PASSWORD_TEXT, Role.SPIN_BUTTON} and item.role in EDIT_ROLES


def _is_part_of_text(item: Accessible, by_ref: Mapping[NativeRef, Accessible]) -> bool:
    """Tell whether it is a run of the text that stands for itself around it, as browsers list them (measured)."""
    around = by_ref.get(item.parent) if item.parent else None
    if around is None or item.role is not Role.LABEL or around.is_secure:
        return False
    if State.EDITABLE in item.states:
        return around.role in {Role.ENTRY, Role.TEXT} and State.EDITABLE in around.states
    own = (item.name or item.text or "").strip()
    return around.role in TEXT_ROLES and bool(own) and own in (around.name or around.text or "")


def _holds_button(item: Accessible, children: Mapping[NativeRef, Sequence[Accessible]]) -> bool:
    """Tell whether a shell without actions has the real button inside: GTK4 menu buttons (measured)."""
    waiting = list(children.get(item.ref, ()))
    while waiting:
        child = waiting.pop()
        if child.role in BUTTON_ROLES and child.offers:
            return True
        waiting.extend(children.get(child.ref, ()))
    return False


def _only_holds(item: Accessible, children: Mapping[NativeRef, Sequence[Accessible]]) -> bool:
    """Tell whether a row that nobody can choose adds nothing to the controls and cells in it, as on web pages."""
    if item.states & CHOICE_STATES or acts(item):
        return False
    if item.role is Role.TABLE_ROW:
        return bool(children.get(item.ref))
    inner = [child for child in children.get(item.ref, ()) if child.role in CONTROL_ROLES]
    if not inner:
        return False
    content = item.name or content_of(item, children) or ""
    return content.strip() in {"", *(child.name for child in inner)}


def _is_put_away(item: Accessible, by_ref: Mapping[NativeRef, Accessible]) -> bool:
    """Tell whether it is an option of a combo box that is closed; Firefox says that the chosen one shows."""
    combo = next((one for one in ancestors(item, by_ref) if one.role not in OPTION_ROLES), None)
    return (
        combo is not None
        and combo.role is Role.COMBO_BOX
        and State.EXPANDABLE in combo.states
        and State.EXPANDED not in combo.states
    )


def _control_above(item: Accessible, by_ref: Mapping[NativeRef, Accessible]) -> Accessible | None:
    for ancestor in ancestors(item, by_ref):
        if ancestor.role in CONTAINER_ROLES or ancestor.role in WINDOW_ROLES:
            return None
        if ancestor.role in CONTROL_ROLES:
            return ancestor if not ancestor.name or _same_text(item, ancestor) else None
    return None


def _same_text(item: Accessible, control: Accessible) -> bool:
    own = item.name or item.text or ""
    return not own or own in control.name or is_bullet(own) or item.role in {Role.IMAGE, Role.ICON, Role.SEPARATOR}


def _candidate(
    order: int,
    item: Accessible,
    placement: Placement,
    observation: Observation,
    by_ref: Mapping[NativeRef, Accessible],
    children: Mapping[NativeRef, Sequence[Accessible]],
) -> Candidate:
    tree = observation.tree
    assert tree is not None
    toplevel = by_ref.get(item.toplevel, item)
    value = value_of(item, children)
    name, name_from = named(item, by_ref, children, CONTROL_ROLES)
    if name_from is NameSource.CONTENT and value == name:
        value = None  # said once
    return Candidate(
        native=item.ref,
        toplevel=item.toplevel,
        parent=item.parent,
        role=item.role,
        native_role=item.native_role,
        name=name,
        name_from=name_from,
        description=item.description,
        placeholder=item.placeholder,
        level=item.level,
        row=item.row,
        column=item.column,
        row_header=item.row_header,
        column_header=item.column_header,
        url=item.url,
        value=value,
        number=None if item.is_secure else item.value,
        text_length=_length(item, value),
        states=item.states,
        extents=placement.visible,
        full_extents=placement.full,
        geometry=placement.geometry,
        is_showing=is_showing(item, placement, tree.are_states_exact),
        is_enabled=bool({State.ENABLED, State.SENSITIVE} & item.states),
        is_secure=item.is_secure,
        window=placement.window.native_id if placement.window else None,
        window_title=toplevel.name,
        ancestors=tuple(_ancestor_names(item, by_ref)),
        containers=tuple(ancestor.ref for ancestor in ancestors(item, by_ref)),
        order=order,
        is_suspicious=any(map(is_suspicious, _shown_texts(item, name))),
        toolkit=tree.application.toolkit,
    )


def _length(item: Accessible, value: str | None) -> int | None:
    """Return the length of what it holds; where names were filled into a text, of that text."""
    if item.is_secure or item.text_length is None or value == item.text or value is None:
        return None if item.is_secure else item.text_length
    return max(len(value), item.text_length)


def _shown_texts(item: Accessible, name: str) -> tuple[str, ...]:
    """Return what its line may show of the screen beside the value, which is whatever a person typed."""
    return name, item.placeholder, item.url, item.row_header, item.column_header


def is_showing(item: Accessible, placement: Placement, are_states_exact: bool) -> bool:
    """Tell whether a person could see some of it now.

    Source:
        GTK4 sets SHOWING on the frame only (4.8) or on everything (4.18): there visibility is geometry alone;
        GTK3 sets it on cells scrolled away: there both must hold (measured).
    """
    if are_states_exact and State.SHOWING not in item.states:
        return False
    if item.extents is None:
        return "extents" in item.unread  # asked and not told: shown as far as anyone knows; told INT_MIN: not drawn
    if placement.visible is None:
        return not item.extents.is_empty  # its window was not found: where it is cannot be said, that it is can
    return not placement.visible.is_empty


def value_of(item: Accessible, children: Mapping[NativeRef, Sequence[Accessible]]) -> str | None:
    """Return what the control holds, as text for people; None for nothing and for secrets."""
    if item.is_secure:
        return None
    if item.role is Role.COMBO_BOX:
        return _chosen(item, children)
    if item.value is not None and item.role not in {Role.SCROLL_BAR, Role.CHECK_BOX, Role.SWITCH, Role.TOGGLE_BUTTON}:
        return f"{item.value.current:g}"
    if item.role in EDIT_ROLES or State.EDITABLE in item.states:
        return item.text
    text = content_of(item, children)
    return text if text and text != item.name else None


def _chosen(item: Accessible, children: Mapping[NativeRef, Sequence[Accessible]]) -> str | None:
    """Return a combo box's present choice: its own text, its editable child's, the selected option's or its face."""
    if item.text:
        return item.text
    waiting = list(children.get(item.ref, ()))
    face: str | None = None
    while waiting:
        child = waiting.pop(0)
        if child.is_secure:
            return None
        if child.role is Role.ENTRY:
            return child.text
        if State.SELECTED in child.states and child.name:
            return child.name
        if child.role in {Role.LABEL, Role.BUTTON, Role.TOGGLE_BUTTON} and child.name and face is None:
            face = child.name
        waiting.extend(children.get(child.ref, ()))
    return face


def _ancestor_names(item: Accessible, by_ref: Mapping[NativeRef, Accessible]) -> list[str]:
    above = islice(ancestors(item, by_ref), ANCESTORS_MAX)
    return [(not one.is_secure and one.name) or one.role.value for one in above]
