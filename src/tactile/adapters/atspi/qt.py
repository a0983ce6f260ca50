"""What only Qt does to tables: titles among the children, placed as if nothing were ever scrolled."""

from __future__ import annotations

from dataclasses import replace

from tactile.adapters.atspi.node import Node, area_of
from tactile.records.vocabulary import State

COLUMN_TITLES = frozenset({10, 57})  # AT-SPI's numbers
ROW_TITLES = frozenset({47, 58})


def arrange(table: Node) -> None:
    """Set the numbers of the cells of a table, and the places of its titles.

    Source:
        The children of a Qt table are a row of column titles, if it has any, and then the rows, each behind its own
        title, if there are any. A title's place leaves the scrolling out (measured, Qt 5.15 and 6.4).
    """
    titles = [child for child in table.children if child.role_number in COLUMN_TITLES]
    row_titles = [child for child in table.children if child.role_number in ROW_TITLES]
    if len(table.children) == table.child_count:
        _number(table, len(titles), has_row_titles=bool(row_titles))
    cells = [child for child in table.children if child.role_number not in COLUMN_TITLES | ROW_TITLES]
    by_column = {child.column: child for child in cells if child.extents is not None and not child.extents.is_empty}
    by_row = {child.row: child for child in cells if child.extents is not None and not child.extents.is_empty}
    area = area_of(table)
    for title in titles:
        like = by_column.get(title.column) if title.column is not None else None
        if title.extents is not None and like is not None and like.extents is not None:
            title.extents = replace(title.extents, x=like.extents.x)
    for title in row_titles:
        like = by_row.get(title.row) if title.row is not None else None
        if title.extents is not None and like is not None and like.extents is not None:
            title.extents = replace(title.extents, y=like.extents.y)
    for title in (*titles, *row_titles):
        if area is not None and title.extents is not None and title.extents.intersect(area).is_empty:
            title.states -= {State.SHOWING}


def _number(table: Node, columns: int, *, has_row_titles: bool) -> None:
    """Count rows and columns of a table whose every child was read."""
    width = (columns or table.columns or 0) + has_row_titles
    if width == 0 or len(table.children) % width:
        return
    for index, child in enumerate(table.children):
        row, column = index // width - (columns > 0), index % width - has_row_titles
        child.row, child.column = (row if row >= 0 else None), (column if column >= 0 else None)
