"""Where cells lie in their table and how deep rows lie in their tree, from what was read; pure."""

from __future__ import annotations

from collections.abc import Sequence

from tactile.adapters.atspi.node import Node, first_label
from tactile.adapters.atspi.roles import Toolkit
from tactile.records.vocabulary import Role

CELLS = frozenset({Role.TABLE_CELL, Role.TREE_ITEM})
HOLDERS = frozenset({Role.TABLE, Role.TREE, Role.TREE_TABLE})
LEVEL_MAX = 100  # a chain of rows that is longer goes in a circle


def settle(tops: Sequence[Node], toolkit: Toolkit) -> None:
    """Fill in rows, columns, headers and levels that no single answer said."""
    stack = list(tops)
    while stack:
        node = stack.pop()
        stack.extend(node.children)
        if node.children and node.role(toolkit) in HOLDERS:
            if toolkit is Toolkit.GTK4:
                _by_rows(node, toolkit)
            else:
                _by_order(node, toolkit)
            for child in node.children:
                if child.level is None and child.path in node.above:
                    child.level = _level(child.path, node)


def _by_order(table: Node, toolkit: Toolkit) -> None:
    """Place the cells of a table that lists headers, then cells row by row, and does not say where they are.

    Source:
        Qt 5.15 and 6.4, LibreOffice Writer. Of a table of which only a part was read, the order says nothing.
    """
    if len(table.children) != table.child_count:
        return
    roles = [child.role(toolkit) for child in table.children]
    heads = [child for child, role in zip(table.children, roles, strict=True) if role is Role.COLUMN_HEADER]
    columns = len(heads) or table.columns or 0
    cells = [child for child, role in zip(table.children, roles, strict=True) if role in CELLS]
    if columns <= 0 or len(cells) % columns:
        return
    if any(not head.is_pruned for head in heads):  # headers of a tree without headers are numbers
        for column, head in enumerate(heads):
            table.titles.setdefault(column, head.name)
    sides = [child for child, role in zip(table.children, roles, strict=True) if role is Role.ROW_HEADER]
    if len(sides) * columns == len(cells):
        for row, side in enumerate(sides):
            side.row = row
            table.row_titles.setdefault(row, side.name)
    for index, cell in enumerate(cells):
        if cell.row is None:
            cell.row, cell.column = divmod(index, columns)


def _by_rows(table: Node, toolkit: Toolkit) -> None:
    """Count the columns of GTK 4's rows; it reuses rows and does not say which row of all one is.

    The row of titles is the table's own child; the others lie in a list.
    """
    for child in table.children:
        if child.role(toolkit) is Role.TABLE_ROW:
            table.titles = {column: first_label(title, toolkit) for column, title in enumerate(child.children)}
        for row in child.children:
            if row.role(toolkit) is Role.TABLE_ROW:
                for column, cell in enumerate(row.children):
                    cell.column = column
                    cell.grid = table


def _level(path: str, table: Node) -> int | None:
    """Count the rows from one up to the tree itself; None when the way up is not known."""
    for level in range(1, LEVEL_MAX):
        path = table.above.get(path, "")
        if path == table.path:
            return level
        if not path:
            return None
    return None
