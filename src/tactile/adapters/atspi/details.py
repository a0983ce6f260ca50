"""The calls that fill in one accessible, and nothing that nobody needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import LOST, Batch, Call
from tactile.adapters.atspi.meaning import Meaning
from tactile.adapters.atspi.node import Node, area_of, extents_of, name_of
from tactile.adapters.atspi.offers import MEASURED, has_actions
from tactile.adapters.atspi.roles import Toolkit, states_of
from tactile.records.vocabulary import Role, State

PREFIX = "org.a11y.atspi."
ACTIONS_MAX = 12  # actions of one accessible asked for; the most seen on an allowed role is 4
TEXT_ROLES = frozenset({Role.ENTRY, Role.TEXT, Role.TERMINAL, Role.SPIN_BUTTON, Role.PARAGRAPH, Role.DOCUMENT})
TEXT_IF_NAMELESS = frozenset({Role.LABEL, Role.HEADING, Role.TABLE_CELL, Role.LIST_ITEM, Role.STATUS_BAR})
LABELLED_ROLES = frozenset(
    {Role.ENTRY, Role.TEXT, Role.PASSWORD_TEXT, Role.COMBO_BOX, Role.SPIN_BUTTON, Role.SLIDER, Role.SWITCH}
    | {Role.LIST, Role.TREE, Role.TABLE, Role.TREE_TABLE, Role.PROGRESS_BAR, Role.LEVEL_BAR, Role.CHECK_BOX}
)
LABELLED_IF_BARE = frozenset({Role.BUTTON, Role.TOGGLE_BUTTON})  # with neither a name nor a tool tip
NUMBERS = ("CurrentValue", "MinimumValue", "MaximumValue", "MinimumIncrement")
LABELLED_BY = 2  # AtspiRelationType
GONE = {"org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod"}  # the latter: GTK 4
NOBODY = bus.NOT_DELIVERED | {"org.freedesktop.DBus.Error.NoReply", LOST}
VITAL = frozenset({"states", "role", "interfaces", "name"})
CORNER = 6  # px from the corner of a text to its first line, past a margin
SCREEN, WINDOW = 0, 1  # Component's coordinate types


class Details:
    """Asks for the fields of accessibles of one application."""

    def __init__(self, batch: Batch, application: str, toolkit: Toolkit, *, text_max: int) -> None:
        self._batch = batch
        self._application = application
        self._toolkit = toolkit
        self._text_max = text_max
        self._meaning = Meaning(self, application, toolkit)
        self.lost = ""  # the error that says that nobody is there any more
        self._has_get_all = toolkit in {Toolkit.GTK3, Toolkit.GTK4}  # never on Qt: one call ends kcalc (facts 5.4)

    def states(self, node: Node, then: Callable[[], None]) -> None:
        """Ask for the states."""

        def take(value: Any) -> None:
            node.states = states_of(value)

        self.ask(node, "states", self._call(node, bus.ACCESSIBLE, "GetState"), take, then)

    def basics(self, node: Node, then: Callable[[], None]) -> None:
        """Ask for role, interfaces, name, description and the number of children."""
        self.role(node, then)
        self.faces(node, then)
        if self._has_get_all:
            call = self._call(node, bus.PROPERTIES, "GetAll", "s", (bus.ACCESSIBLE,))
            self.ask(node, "name", call, lambda value: _take_properties(node, value), then)
            return
        self.property(node, "name", "Name", str, then)
        self.property(node, "description", "Description", str, then)
        self.property(node, "child_count", "ChildCount", int, then)

    def faces(self, node: Node, then: Callable[[], None]) -> None:
        """Ask for the interfaces."""

        def take(value: Any) -> None:
            node.interfaces = frozenset(name.removeprefix(PREFIX) for name in value)

        self.ask(node, "interfaces", self._call(node, bus.ACCESSIBLE, "GetInterfaces"), take, then)

    def role(self, node: Node, then: Callable[[], None]) -> None:
        """Ask for the role number."""
        call = self._call(node, bus.ACCESSIBLE, "GetRole")
        self.ask(node, "role", call, lambda value: setattr(node, "role_number", int(value)), then)

    def property(self, node: Node, field: str, native: str, kind: type, then: Callable[[], None]) -> None:
        """Ask for one property of the Accessible interface."""
        call = bus.get(self._application, node.path, bus.ACCESSIBLE, native)
        self.ask(node, field, call, lambda value: setattr(node, field, kind(value)), then)

    def specifics(self, node: Node, then: Callable[[], None]) -> None:
        """Ask for extents, actions, value and text, where interfaces and role say that they matter."""
        role = node.role(self._toolkit)
        if "Component" in node.interfaces and node.extents is None:
            self.extents(node, then)
        if "Action" in node.interfaces and has_actions(role) and not node.actions:
            self._actions(node, then)
        if "Value" in node.interfaces and role in MEASURED:
            self._numbers(node, then)
        if "Text" in node.interfaces and self._wants_text(node, role):
            self._length(node, then)
        if role is Role.COMBO_BOX and State.EDITABLE not in node.states:
            self._choice_of(node, then)
        # Qt names a combo box after its present choice, which is its value.
        is_bare = not node.name and (role in LABELLED_ROLES or (role in LABELLED_IF_BARE and not node.description))
        if is_bare or (role is Role.COMBO_BOX and self._toolkit is Toolkit.QT):
            self._label(node, then)
        self._meaning.specifics(node, role, then)

    def children(self, node: Node, then: Callable[[list[str]], None]) -> None:
        """Ask for the paths of the children of the same application."""

        def take(value: Any) -> None:
            then([path for owner, path in value if owner == self._application and path != bus.NULL_PATH])

        self.ask(node, "children", self._call(node, bus.ACCESSIBLE, "GetChildren"), take, _nothing)

    def first_child_name(self, node: Node) -> None:
        """Ask for the name of the first child, and take it as the node's."""

        def take(value: Any) -> None:
            owner, path = value
            if owner == self._application and path != bus.NULL_PATH:
                call = bus.get(self._application, path, bus.ACCESSIBLE, "Name")
                self.ask(node, "", call, lambda name: setattr(node, "name", str(name)), _nothing)

        self.ask(node, "", self._call(node, bus.ACCESSIBLE, "GetChildAtIndex", "i", (0,)), take, _nothing)

    def extents(self, node: Node, then: Callable[[], None]) -> None:
        """Ask for the place."""
        kind = WINDOW if self._toolkit is Toolkit.GTK4 else SCREEN
        call = self._call(node, bus.COMPONENT, "GetExtents", "u", (kind,))
        self.ask(node, "extents", call, lambda value: setattr(node, "extents", extents_of(tuple(value))), then)

    def first_action(self, node: Node, then: Callable[[], None]) -> None:
        """Ask for the machine name of the first action only."""
        self._action_name(node, 0, then)

    def _actions(self, node: Node, then: Callable[[], None]) -> None:
        def take(value: Any) -> None:
            for index in range(1, min(int(value), ACTIONS_MAX)):
                self._action_name(node, index, then)

        self.ask(node, "actions", bus.get(self._application, node.path, bus.ACTION, "NActions"), take, then)
        self._action_name(node, 0, then)  # most have exactly one: saves a round trip

    def _action_name(self, node: Node, index: int, then: Callable[[], None]) -> None:
        call = self._call(node, bus.ACTION, "GetName", "i", (index,))

        def take(value: Any) -> None:
            if value:
                node.actions[index] = str(value)

        # Index 0 is asked before it is known to exist: a refusal says nothing.
        self.ask(node, "actions" if index else "", call, take, then)

    def _numbers(self, node: Node, then: Callable[[], None]) -> None:
        if self._toolkit is Toolkit.GTK4:
            call = self._call(node, bus.PROPERTIES, "GetAll", "s", (bus.VALUE,))
            self.ask(node, "value", call, lambda value: _take_numbers(node, value), then)
            return
        for name in NUMBERS:
            call = bus.get(self._application, node.path, bus.VALUE, name)
            self.ask(node, "value", call, _into(node.numbers, name), then)

    def _wants_text(self, node: Node, role: Role) -> bool:
        if node.is_secure:
            return False
        is_text = role in TEXT_ROLES or State.EDITABLE in node.states
        return is_text or (role in TEXT_IF_NAMELESS and not node.name)

    def _length(self, node: Node, then: Callable[[], None]) -> None:
        def take(value: Any) -> None:
            node.text_length = max(int(value), 0)
            if node.text_length <= self._text_max:
                self._text(node, 0, node.text_length, then)
            elif node.role(self._toolkit) is Role.TERMINAL:
                self._text(node, node.text_length - self._text_max, node.text_length, then)
            else:
                self._visible_text(node, node.text_length, then)

        self.ask(node, "text", bus.get(self._application, node.path, bus.TEXT, "CharacterCount"), take, then)

    def _text(self, node: Node, start: int, end: int, then: Callable[[], None]) -> None:
        """Ask for a part of the text: an end of -1 gives "" on GTK 4, one beyond the length gives "" on Firefox."""
        if start >= end:
            node.text = ""
            return
        call = self._call(node, bus.TEXT, "GetText", "ii", (start, end))
        is_whole = end - start == node.text_length
        self.ask(node, "text", call, lambda text: _take_text(node, str(text), is_whole=is_whole), then)

    def _visible_text(self, node: Node, length: int, then: Callable[[], None]) -> None:
        """Ask for what can be seen of a long text, or for its beginning where the toolkit does not say."""
        area = area_of(node)
        most = self._text_max
        if area is None or self._toolkit is Toolkit.GTK4:  # GTK 4 knows no places on the screen
            self._text(node, 0, most, then)
            return

        def take(value: Any) -> None:
            start = int(value) if 0 <= int(value) < length else 0
            self._text(node, start, min(start + most, length), then)

        # The left edge, where every toolkit answers the start of a line; GTK takes a margin for the line next to it.
        down = 1 if self._toolkit is Toolkit.GTK3 else CORNER
        call = self._call(node, bus.TEXT, "GetOffsetAtPoint", "iiu", (area.x + 1, area.y + down, SCREEN))
        self.ask(node, "text", call, take, then)

    def _choice_of(self, node: Node, then: Callable[[], None]) -> None:
        """Ask for the present choice where nothing that shows says it: of GTK 3 and of Chromium's closed menu."""
        if self._toolkit is Toolkit.GTK3 and "Selection" in node.interfaces:
            self._choice(node, node.path, then)
        elif self._toolkit is Toolkit.CHROMIUM:

            def take(value: Any) -> None:
                owner, path = value
                if owner == self._application and path != bus.NULL_PATH:
                    self._choice(node, path, then)

            self.ask(node, "", self._call(node, bus.ACCESSIBLE, "GetChildAtIndex", "i", (0,)), take, then)

    def _choice(self, node: Node, holder: str, then: Callable[[], None]) -> None:
        """Ask for the name of the option that is selected in `holder`."""

        def take(value: Any) -> None:
            owner, path = value
            if owner == self._application and path != bus.NULL_PATH:
                call = bus.get(self._application, path, bus.ACCESSIBLE, "Name")
                self.ask(node, "text", call, lambda name: setattr(node, "text", str(name)), then)

        call = Call(self._application, holder, bus.SELECTION, "GetSelectedChild", "i", (0,))
        self.ask(node, "", call, take, then)

    def _label(self, node: Node, then: Callable[[], None]) -> None:
        """Ask which label stands beside a field, and take its text as the name."""

        def take(value: Any) -> None:
            for kind, targets in value:
                if kind == LABELLED_BY and targets and targets[0][0] == self._application:
                    call = bus.get(self._application, targets[0][1], bus.ACCESSIBLE, "Name")
                    self.ask(node, "", call, lambda name: _take_label(node, name_of(str(name), self._toolkit)), then)
                    return

        self.ask(node, "", self._call(node, bus.ACCESSIBLE, "GetRelationSet"), take, then)

    def _call(self, node: Node, interface: str, member: str, signature: str = "", body: tuple[Any, ...] = ()) -> Call:
        return Call(self._application, node.path, interface, member, signature, body)

    def ask(
        self,
        node: Node,
        field: str,
        call: Call,
        take: Callable[[Any], None],
        then: Callable[[], None],
        *,
        is_whole: bool = False,
    ) -> None:
        """Ask; on an answer take its first value (or all of it), on an error note the field; then, when all is in.

        Args:
            node: What is asked about.
            field: Noted as unread on an error; "" where a refusal says nothing.
            call: The call.
            take: Receives the value; an unexpected shape is as an error.
            then: Called when nothing more is waited for.
            is_whole: Hand over all values of the answer.
        """

        def reply(body: Sequence[Any] | None, error: str) -> None:
            node.waiting -= 1
            if body:
                _guarded(node, field, take, body if is_whole else body[0])
            elif error in GONE and field in VITAL:  # Qt says the same of interfaces it lacks
                node.is_gone = True
            elif field:
                node.unread.add(field)
            if error in NOBODY:
                self.lost = error
            if node.waiting == 0:
                then()

        node.waiting += 1
        self._batch.ask(call, reply)


def _guarded(node: Node, field: str, take: Callable[[Any], None], value: Any) -> None:
    """Take a value; one of an unexpected shape makes the field unread and harms nothing else."""
    try:
        take(value)
    except (TypeError, ValueError, AttributeError, KeyError, IndexError):
        if field:
            node.unread.add(field)


def _take_properties(node: Node, value: dict[str, Any]) -> None:
    node.name = str(value["Name"])
    node.description = str(value["Description"])
    node.child_count = int(value["ChildCount"])


def _take_text(node: Node, text: str, *, is_whole: bool) -> None:
    node.text = text
    if is_whole:  # Qt counts UTF-16 units, so an emoji as two
        node.text_length = len(text)


def _take_label(node: Node, label: str) -> None:
    """Take a label's text as the name, without the colon that people put behind it."""
    node.label = label.strip().removesuffix(":").rstrip()


def _take_numbers(node: Node, value: dict[str, Any]) -> None:
    node.numbers |= {name: float(value[name]) for name in NUMBERS if name in value}


def _into(numbers: dict[str, float], name: str) -> Callable[[Any], None]:
    def take(value: Any) -> None:
        numbers[name] = float(value)

    return take


def _nothing() -> None:
    return
