"""The calls that say what a thing means beside its name: hints, depth, place in a table, where a link leads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Call
from tactile.adapters.atspi.node import Node
from tactile.adapters.atspi.roles import Toolkit
from tactile.records.vocabulary import NameSource, Role, State

HYPERLINK = "org.a11y.atspi.Hyperlink"
TABLE_CELL = "org.a11y.atspi.TableCell"
CHILD_OF = 7  # AtspiRelationType NODE_CHILD_OF
FIELD_ROLES = frozenset({Role.ENTRY, Role.PASSWORD_TEXT})
TREE_ROLES = frozenset({Role.TREE, Role.TREE_TABLE})
TABLE_ROLES = TREE_ROLES | {Role.TABLE}
CELL_ROLES = frozenset({Role.TABLE_CELL, Role.TREE_ITEM, Role.ROW_HEADER})
TITLES_MAX = 64  # column headers asked for in one table
LEVEL_MAX = 100  # deeper is no tree that anybody sees
DEPTH_MAX = 20  # rows above a row that are looked up although they do not show
HINT_MAX = 2000  # characters kept of a hint, a header or a link

_NAME_FROM = {  # Chromium alone says it
    "placeholder": NameSource.PLACEHOLDER,
    "tooltip": NameSource.DESCRIPTION,
    "related-element": NameSource.LABEL,
    "contents": NameSource.CONTENT,
}

Then = Callable[[], None]


class Asker(Protocol):
    """Sends one call about a node; see `Details.ask`."""

    def ask(
        self, node: Node, field: str, call: Call, take: Callable[[Any], None], then: Then, *, is_whole: bool = False
    ) -> None:
        """Ask, and hand the answer to `take`."""


class Meaning:
    """Asks for what only some roles have; nothing that fails here loses anything else."""

    def __init__(self, asker: Asker, application: str, toolkit: Toolkit) -> None:
        self._asker = asker
        self._application = application
        self._toolkit = toolkit
        self._titles: set[tuple[str, int]] = set()

    def specifics(self, node: Node, role: Role, then: Then) -> None:
        """Ask for all that role and interfaces promise."""
        if self._has_attributes(node, role):
            self._attributes(node, then)
        if role is Role.LINK and "Hyperlink" in node.interfaces:
            self._link(node, then)
        if role in TABLE_ROLES and "Table" in node.interfaces:
            self._get(node, bus.TABLE, "NColumns", lambda value: setattr(node, "columns", int(value)), then)
        if role in CELL_ROLES:
            self._cell(node, role, then)

    def _has_attributes(self, node: Node, role: Role) -> bool:
        """Tell whether attributes of this role say something.

        Source:
            GTK 3, GTK 4 and browsers keep placeholders there, browsers and LibreOffice levels, browsers what a spin
            button without a number shows; Qt 5.15 and 6.4 have none (measured).
        """
        if self._toolkit is Toolkit.QT:
            return False
        if role in FIELD_ROLES or (role is Role.TEXT and State.EDITABLE in node.states):
            return True
        is_gtk = self._toolkit in {Toolkit.GTK3, Toolkit.GTK4}
        return role is Role.HEADING or (role in {Role.TREE_ITEM, Role.SPIN_BUTTON} and not is_gtk)

    def _attributes(self, node: Node, then: Then) -> None:
        def take(value: Any) -> None:
            node.placeholder = str(value.get("placeholder-text") or value.get("placeholder") or "")[:HINT_MAX]
            node.name_from = _NAME_FROM.get(value.get("name-from", ""))
            if node.name_from is NameSource.PLACEHOLDER:
                node.placeholder = node.name
            node.spoken = str(value.get("valuetext", ""))[:HINT_MAX]
            level = str(value.get("level", ""))
            node.level = int(level) if level.isascii() and level.isdigit() and 0 < int(level[:9]) <= LEVEL_MAX else None

        self._asker.ask(node, "attributes", self._call(node, bus.ACCESSIBLE, "GetAttributes"), take, then)

    def _link(self, node: Node, then: Then) -> None:
        call = self._call(node, HYPERLINK, "GetURI", "i", (0,))
        self._asker.ask(node, "url", call, lambda value: setattr(node, "url", str(value)[:HINT_MAX]), then)
        if self._toolkit is Toolkit.GTK3 and not node.name and node.parent is not None:
            for index in ("StartIndex", "EndIndex"):  # a link in a label is named by the part of the text it covers
                self._get(node, HYPERLINK, index, lambda value: node.spans.append(int(value)), then)

    def _cell(self, node: Node, role: Role, then: Then) -> None:
        table = node.table
        if node.column is not None:  # where it lies is known already: a visible part of a huge table
            self._title(table, node.column)
        elif "TableCell" in node.interfaces:
            self._position(node, role, then)
        is_row = table is not None and table is node.parent and table.role(self._toolkit) in TREE_ROLES
        if is_row and self._toolkit is Toolkit.GTK3:
            self._above(node, node.path, DEPTH_MAX, then)

    def _position(self, node: Node, role: Role, then: Then) -> None:
        def take(body: Any) -> None:
            row, column = int(body[0]), int(body[1])
            if min(row, column) < 0:
                return
            node.row, node.column = row, column
            if node.table is not None and role is Role.ROW_HEADER:
                node.table.row_titles.setdefault(row, node.name)
            self._title(node.table, column)

        # The property Position fails for the first cell on GTK 3 (measured, 3.24.38).
        call = self._call(node, TABLE_CELL, "GetRowColumnSpan")
        self._asker.ask(node, "position", call, take, then, is_whole=True)

    def _title(self, table: Node | None, column: int) -> None:
        """Ask for the header of a column, once a table."""
        if table is None or column in table.titles or (table.path, column) in self._titles or column >= TITLES_MAX:
            return
        self._titles.add((table.path, column))

        def take(value: Any) -> None:
            owner, path = value
            if owner == self._application and path != bus.NULL_PATH:
                call = bus.get(owner, path, bus.ACCESSIBLE, "Name")
                self._asker.ask(table, "", call, keep, _nothing)

        def keep(name: Any) -> None:
            table.titles[column] = str(name)[:HINT_MAX]

        self._asker.ask(table, "", self._call(table, bus.TABLE, "GetColumnHeader", "i", (column,)), take, _nothing)

    def _above(self, node: Node, path: str, depth: int, then: Then) -> None:
        """Ask which row a row of a tree lies below, and so on up: rows above that do not show have no node."""
        table = node.parent
        if table is None or path in table.above:
            return
        table.above[path] = ""

        def take(value: Any) -> None:
            for kind, targets in value:
                if kind == CHILD_OF and targets and targets[0][0] == self._application:
                    table.above[path] = targets[0][1]
                    if depth and targets[0][1] != table.path:
                        self._above(node, targets[0][1], depth - 1, then)
                    return

        call = Call(self._application, path, bus.ACCESSIBLE, "GetRelationSet")
        self._asker.ask(node, "level", call, take, then)

    def _get(self, node: Node, interface: str, name: str, take: Callable[[Any], None], then: Then) -> None:
        self._asker.ask(node, "", bus.get(self._application, node.path, interface, name), take, then)

    def _call(self, node: Node, interface: str, member: str, signature: str = "", body: tuple[Any, ...] = ()) -> Call:
        return Call(self._application, node.path, interface, member, signature, body)


def _nothing() -> None:
    return
