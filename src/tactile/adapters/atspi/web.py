"""What is particular to pages: boxes that can be clicked, text between links, labels that repeat a control; no I/O."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tactile.adapters.atspi.node import Node
from tactile.adapters.atspi.offers import has_actions
from tactile.adapters.atspi.roles import Toolkit
from tactile.records.vocabulary import Role, State

DOCUMENT_WEB = 95
LEAF = 116  # "static"; Firefox gives this role to a span that can be clicked and has no leaves at all
LABEL = 29
PARAGRAPH = 73
# Boxes that say nothing but where they are: panels, sections, forms, frames, landmarks, quotes, and clickable spans.
BOXES = frozenset({17, 20, 28, 39, 67, 71, 72, 84, 85, 87, 99, 105, 109, 110, LEAF})
CLOSED_LISTS = frozenset({33, 41})  # menu, popup menu: Chromium says of a closed list's chosen option that it shows
# Chromium and Firefox name these after what they hold.
NAMED_BY_CONTENT = frozenset({7, 8, 10, 35, 37, 43, 44, 45, 47, 56, 57, 58, 62, 83, 88, 91})
# Check boxes, combo boxes, date editors, links, tabs, passwords, buttons, sliders, spin buttons, fields, switches ...
CONTROL_NUMBERS = (7, 11, 12, 37, 40, 43, 44, 51, 52, 61, 62, 79, 88, 91, 129, 130)
CONTROLS = frozenset({*CONTROL_NUMBERS, 8, 32, 35, 45})
# Of these the interfaces are known: all have a place and actions, links an address (Chromium 156, Firefox 153).
PLAIN = frozenset({7, 35, 37, 43, 44, 62, 88, 8, 45, 91, 83, 129, 130})
LINK = 88
# A text that matched shows, and nothing else that its states could say matters to anybody.
STATES_OF_LEAF = frozenset({State.SHOWING, State.VISIBLE, State.ENABLED, State.SENSITIVE})
OBJECT = "\N{OBJECT REPLACEMENT CHARACTER}"
FIRST_ACTION_OF_CLICKABLE = "click"  # others say "clickAncestor", Chromium's "doDefault"


def is_closed_list(role_number: int) -> bool:
    """Tell whether something of this role that does not show hides all that it holds."""
    return role_number in CLOSED_LISTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Wants:
    """What is asked of one thing beside its states and its name.

    Attributes:
        interfaces: Known without asking.
    """

    interfaces: frozenset[str] = frozenset()
    faces: bool = False
    description: bool = False
    action: bool = False


class Page:
    """The matches below some toplevels, linked, and what they mean together."""

    def __init__(self, tops: Sequence[Node], toolkit: Toolkit) -> None:
        self._toolkit = toolkit
        self.nodes: list[Node] = [node for top in tops for child in top.children for node in below(child)]
        self.documents: list[Node] = []
        self._inside: set[int] = set()
        for node in self.nodes:
            if node.parent is not None and id(node.parent) in self._inside:
                self._inside.add(id(node))
            elif node.role_number == DOCUMENT_WEB:
                self.documents.append(node)
                self._inside.add(id(node))

    def is_inside(self, node: Node) -> bool:
        """Tell whether it belongs to a page, not to the browser around it."""
        return id(node) in self._inside

    def wants(self, node: Node) -> Wants:
        """Tell what is worth asking of it.

        Source:
            The first action is what a press does, in both browsers; behind it come "showContextMenu" and what ranges
            do by their values, too (measured).
        """
        if node.role_number in BOXES:
            has_faces = self._toolkit is Toolkit.GECKO and self.is_inside(node)
            return Wants(faces=has_faces, action=self.is_inside(node))
        is_control = node.role_number in CONTROLS
        if node.role_number in PLAIN:
            more = {"Hyperlink"} if node.role_number == LINK else set()
            known = frozenset({"Component", "Action"} | more)
            return Wants(interfaces=known, description=is_control, action=is_control)
        return Wants(faces=True, description=is_control, action=has_actions(node.role(self._toolkit)))

    def settle(self, node: Node) -> None:
        """Decide what to ask for, now that states, name and first action are known.

        Source:
            Chromium says Action, Component and Text of nearly everything, Firefox EditableText (both measured), so
            interfaces say nothing there: they are cut down to what is worth a call.
        """
        if node.role_number in BOXES:
            self._settle_box(node)
        elif node.role_number == DOCUMENT_WEB or self._is_told_by_leaves(node):
            node.interfaces -= {"Text"}

    def _settle_box(self, node: Node) -> None:
        is_editable = State.EDITABLE in node.states
        has_text = "Text" in node.interfaces or self._toolkit is Toolkit.CHROMIUM
        worth = {"Component"} if node.name or State.FOCUSABLE in node.states or _is_clickable(node) else set()
        if is_editable and has_text:
            worth |= {"Component", "Text"}
            if State.FOCUSABLE in node.states:
                node.kind = Role.TEXT
        elif self._toolkit is Toolkit.GECKO and has_text and self.is_inside(node) and not node.name:
            worth |= {"Component", "Text"}  # Firefox has no leaves: what a box says stands in its own text
            node.kind = Role.PARAGRAPH
        node.interfaces = node.interfaces & worth | ({"Component"} & worth)

    def _is_told_by_leaves(self, node: Node) -> bool:
        is_text = node.role_number == PARAGRAPH or State.EDITABLE in node.states or node.role_number in CONTROLS
        return self._toolkit is Toolkit.CHROMIUM and not is_text

    def untold_leaves(self) -> Iterator[Node]:
        """Yield the leaves whose text nothing above them has in its own name or text."""
        for node in self.nodes:
            if self._is_leaf(node) and not _is_told(node):
                yield node

    def placeless(self) -> Iterator[Node]:
        """Yield what shows and was told to have no place: Firefox says -1, -1, -1, -1 of some for a moment."""
        for node in self.nodes:
            if node.is_seen and node.extents is None and "Component" in node.interfaces:
                yield node

    def _is_leaf(self, node: Node) -> bool:
        return node.role_number == LEAF and self._toolkit is Toolkit.CHROMIUM

    def finish(self) -> None:
        """Put texts together, make buttons of clickable boxes, and drop what repeats a control."""
        for node in reversed(self.nodes):
            if node.is_gone or not node.is_seen:
                continue
            self._finish_text(node)
            if node.kind is Role.TEXT:
                _close(node)
            elif node.role_number == LABEL:
                self._finish_label(node)
            elif node.role_number in BOXES and not self._is_leaf(node):
                self._finish_box(node)

    def _finish_text(self, node: Node) -> None:
        if node.text is None or OBJECT not in node.text:
            return
        is_field = node.kind is Role.TEXT
        said = node.text.replace(OBJECT, "").strip()
        node.text = _woven(node, "\n" if is_field else "") if said or is_field else None
        node.text_length = len(node.text) if node.text is not None else None

    def _finish_box(self, node: Node) -> None:
        said = (node.text or "").strip()
        if node.kind is Role.PARAGRAPH and not said:
            node.kind, node.text = None, None
        if _is_clickable(node) and self.is_inside(node) and not _holds_control(node):
            node.kind = Role.BUTTON
            node.name = node.name or said

    def _finish_label(self, node: Node) -> None:
        """Silence a label around its control: the control has its name."""
        held = [one for one in below(node) if one.role_number in CONTROLS]
        if not held:
            return
        node.kind, node.name, node.text = Role.PANEL, "", None
        for leaf in below(node):
            leaf.is_gone = leaf.is_gone or (self._is_leaf(leaf) and any(leaf.name.strip() in one.name for one in held))


def below(node: Node) -> Iterator[Node]:
    """Yield a node and everything below it, depth-first."""
    stack = [node]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(reversed(one.children))


def _is_clickable(node: Node) -> bool:
    return node.actions.get(0) == FIRST_ACTION_OF_CLICKABLE


def _holds_control(node: Node) -> bool:
    inner = (one for child in node.children for one in below(child))
    return any(one.role_number in CONTROLS or one.kind in {Role.BUTTON, Role.TEXT} for one in inner)


def _is_told(leaf: Node) -> bool:
    parent = leaf.parent
    if parent is not None and parent.role_number == PARAGRAPH and (parent.text or "").replace(OBJECT, "").strip():
        return True
    while parent is not None and parent.role_number != DOCUMENT_WEB:
        if parent.kind is Role.TEXT or (parent.role_number in NAMED_BY_CONTENT and parent.name):
            return True
        parent = parent.parent
    return False


def _woven(node: Node, behind: str) -> str:
    """Return the text with each object in it replaced by what it is called, where all of them are known."""
    inner = [child for child in node.children if child.role_number != LEAF or child.is_seen]
    parts = (node.text or "").split(OBJECT)
    if len(inner) != len(parts) - 1:
        return " ".join("".join(parts).split()) if not behind else behind.join(part for part in parts if part)
    names = [(child.name or child.text or "") + behind for child in inner]
    woven = "".join(part + name for part, name in zip(parts, [*names, ""], strict=True))
    return woven.removesuffix(behind) if behind else woven


def _close(field: Node) -> None:
    """Leave in an editable box only the controls: its paragraphs are its text."""
    kept = []
    for child in field.children:
        for one in below(child):
            if one.role_number in CONTROLS:
                one.parent = field
                kept.append(one)
    field.children = kept
