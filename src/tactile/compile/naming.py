"""What a person would call a control, and where that name comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tactile.compile.place import ancestors
from tactile.records import Accessible, NameSource, NativeRef, Role, State

Children = Mapping[NativeRef, Sequence[Accessible]]

INNER_TEXT_MAX = 300  # characters of a name made from inner labels
EMBEDDED = "\ufffc"  # stands in a text for an object within it
_BULLETS = "•◦▪■▸▾"
FIELD_ROLES = frozenset({Role.ENTRY, Role.TEXT, Role.PASSWORD_TEXT, Role.SPIN_BUTTON, Role.TERMINAL, Role.COMBO_BOX})
_TEXT_ROLES = frozenset({Role.LABEL, Role.TEXT, Role.PARAGRAPH, Role.IMAGE, Role.ICON})
_SPOKEN_ROLES = frozenset({Role.LINK, Role.IMAGE, Role.LABEL})  # read aloud within a text; fields are not
_ROW_ROLES = frozenset({Role.LIST_ITEM, Role.TREE_ITEM})
_WRAPPED_ROLES = frozenset({Role.BUTTON, Role.TOGGLE_BUTTON})


def named(
    item: Accessible, by_ref: Mapping[NativeRef, Accessible], children: Children, controls: frozenset[Role]
) -> tuple[str, NameSource]:
    """Return the name of a control and its source: its own, its content's, its hint, its description.

    Args:
        item: Whose name.
        by_ref: All accessibles.
        children: Of each accessible.
        controls: Roles of things that stand for themselves, whose texts are not another's name.

    Source:
        GTK 3 puts the tip of a tool item on the nameless box around its button. Qt and GTK keep tips in the
        description; Qt keeps placeholders there, too (measured).
    """
    if item.name:
        return item.name, item.name_from if item.name_from is not NameSource.NONE else NameSource.OWN
    if item.role is Role.LABEL and not item.is_secure:
        content = content_of(item, children) or ""
        return content, NameSource.CONTENT if content else NameSource.NONE
    around = by_ref.get(item.parent) if item.parent else None
    if item.role is Role.ENTRY and around is not None and around.role is Role.COMBO_BOX and around.name:
        return around.name, NameSource.LABEL
    if item.role not in controls and State.EDITABLE not in item.states:
        return "", NameSource.NONE
    for name, source in (
        (inner_text(item, children, controls), NameSource.CONTENT),
        (item.placeholder, NameSource.PLACEHOLDER),
        (item.description, NameSource.DESCRIPTION),
        (_tip_around(item, by_ref, children), NameSource.DESCRIPTION),
    ):
        if name.strip():
            return name, source
    return "", NameSource.NONE


def inner_text(item: Accessible, children: Children, controls: frozenset[Role]) -> str:
    """Return the text of the labels inside a control; of a row that can be chosen also that of its cells."""
    if item.role not in controls or item.is_secure or item.role in FIELD_ROLES:
        return ""
    opaque = controls - {Role.TABLE_CELL} if item.role is Role.TABLE_ROW else controls
    parts: list[str] = []
    waiting = list(children.get(item.ref, ()))
    while waiting and sum(map(len, parts)) < INNER_TEXT_MAX:
        child = waiting.pop(0)
        own = text_of(child)
        if child.is_secure:
            continue
        if child.role in _TEXT_ROLES or (child.role not in opaque and child.role is Role.TABLE_CELL and own):
            parts.append(own)
        elif child.role not in opaque:
            waiting[:0] = children.get(child.ref, ())
    return " ".join(part for part in parts if part and not is_bullet(part))[:INNER_TEXT_MAX]


def text_of(item: Accessible) -> str:
    """Return the name of a text, else what it holds."""
    return item.name or item.text or ""


def is_bullet(text: str) -> bool:
    """Tell whether a text is only the mark in front of a list item."""
    return text.strip() in _BULLETS and bool(text.strip())


def content_of(item: Accessible, children: Children) -> str | None:
    """Return the text that an accessible holds, with the names of the objects in it in their places.

    Source:
        Browsers and LibreOffice write U+FFFC for each object within a text; Chromium's runs of text are children that
        have no place of their own (measured).
    """
    text = item.text
    if text is None or EMBEDDED not in text:
        return text.lstrip(f"{_BULLETS} ") if text and item.role in _ROW_ROLES and text[0] in _BULLETS else text
    if item.role in {Role.DOCUMENT, Role.GROUPING}:
        return None  # its parts stand for themselves
    inner = [child for child in children.get(item.ref, ()) if child.native_role != "static" and not child.is_secure]
    names = (
        [text_of(child) if child.role in _SPOKEN_ROLES else "" for child in inner]
        if len(inner) == text.count(EMBEDDED)
        else []
    )
    first, *rest = text.split(EMBEDDED)
    filled = first + "".join(name + part for name, part in zip([*names, *([""] * len(rest))], rest, strict=False))
    bare = filled.lstrip(f"{_BULLETS} ") if item.role in _ROW_ROLES else filled
    return bare if any(sign.isalnum() for sign in bare) else None


def _tip_around(item: Accessible, by_ref: Mapping[NativeRef, Accessible], children: Children) -> str:
    if item.role not in _WRAPPED_ROLES:
        return ""
    around = next(iter(ancestors(item, by_ref)), None)
    if around is None or around.role is not Role.PANEL or around.name or len(children.get(around.ref, ())) != 1:
        return ""
    return around.description
