#!/usr/bin/python3
"""Fixture application in GTK 3: something big before a Save button; it says itself which of its rows can be seen."""

from __future__ import annotations

import argparse
import os
from typing import Any

import gi

gi.require_version("Gtk", "3.0")
from fixture_control import ControlServer, EventLog, Request, parse_options
from gi.repository import GLib, Gtk

ROWS = {"table": 20_000, "tree": 2_000, "list": 2_000, "text": 10_000}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--view", choices=tuple(ROWS), default="table")
    parser.add_argument("--columns", type=int, default=2)
    parser.add_argument("--no-headers", action="store_true")


class Table:
    """A tree view of many rows; each tenth row of a tree has three rows below it. A tree store is slow with many."""

    def __init__(self, options: argparse.Namespace) -> None:
        is_tree = options.view == "tree"
        self.rows = (Gtk.TreeStore if is_tree else Gtk.ListStore)(*([str] * options.columns))
        for number in range(ROWS[options.view]):
            cells = self.cells(f"{number}", options.columns)
            row = self.rows.append(None, cells) if is_tree else self.rows.append(cells)
            if is_tree and number % 10 == 0:
                for inner in range(3):
                    self.rows.append(row, self.cells(f"{number}.{inner}", options.columns))
        self.view = Gtk.TreeView(model=self.rows, headers_visible=not options.no_headers)
        for column in range(options.columns):
            shown = Gtk.TreeViewColumn(f"Column {column}", Gtk.CellRendererText(), text=column)
            shown.set_min_width(120)
            self.view.append_column(shown)

    @staticmethod
    def cells(row: str, columns: int) -> list[str]:
        return [f"{chr(65 + column)}{row}" for column in range(columns)]

    def visible(self) -> list[str]:
        """Return the texts of the cells of which anything can be seen."""
        area = self.view.get_visible_range()
        if area is None:
            return []
        path, end = area
        texts = []
        seen = self.view.get_visible_rect()
        columns = [column for column in range(self.rows.get_n_columns()) if self.is_in_view(path, column, seen)]
        while True:
            if self.is_row_in_view(path, seen):  # the range may begin with a row that ends where the view begins
                texts += [self.rows[path][column] for column in columns]
            if path == end:
                return texts
            path = self.next_row(path)

    def is_row_in_view(self, path: Gtk.TreePath, seen: Any) -> bool:
        place = self.view.get_background_area(path, self.view.get_column(0))
        return place.y < seen.height and place.y + place.height > 0

    def is_in_view(self, path: Gtk.TreePath, column: int, seen: Any) -> bool:
        place = self.view.get_cell_area(path, self.view.get_column(column))
        return place.x < seen.x + seen.width and place.x + place.width > seen.x

    def next_row(self, path: Gtk.TreePath) -> Gtk.TreePath:
        below = Gtk.TreePath.new_from_indices([*path.get_indices(), 0])
        if self.view.row_expanded(path):
            return below
        following = path.copy()
        following.next()
        while following.get_depth() > 1 and not self.has(following):
            following.up()
            following.next()
        return following

    def has(self, path: Gtk.TreePath) -> bool:
        try:
            self.rows.get_iter(path)
        except ValueError:
            return False
        return True

    def scroll(self, row: int, column: int = 0) -> None:
        self.view.scroll_to_cell(Gtk.TreePath(row), self.view.get_column(column), True, 0.0, 0.0)

    def select(self, row: int) -> None:
        self.view.get_selection().select_path(Gtk.TreePath(row))

    def expand(self, row: int) -> None:
        self.view.expand_row(Gtk.TreePath(row), True)

    def total(self) -> int:
        return len(self.rows)


class List:
    """A list box of many rows; one row in fifty is hidden."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.view = Gtk.ListBox()
        for number in range(ROWS["list"]):
            label = Gtk.Label(label=f"Row {number}", visible=True, xalign=0)
            row = Gtk.ListBoxRow(child=label, no_show_all=True)
            row.set_visible(number % 50 != 7)
            self.view.add(row)
        del options

    def visible(self) -> list[str]:
        """Return the texts of the rows of which anything can be seen."""
        adjustment = self.view.get_parent().get_parent().get_vadjustment()
        top, bottom = adjustment.get_value(), adjustment.get_value() + adjustment.get_page_size()
        places = [(row, row.get_allocation()) for row in self.view.get_children() if row.get_mapped()]
        return [
            row.get_child().get_text() for row, place in places if place.y < bottom and place.y + place.height > top
        ]

    def scroll(self, row: int, column: int = 0) -> None:
        place = self.view.get_row_at_index(row).get_allocation()
        self.view.get_parent().get_parent().get_vadjustment().set_value(place.y - column)

    def select(self, row: int) -> None:
        self.view.select_row(self.view.get_row_at_index(row))

    def total(self) -> int:
        return ROWS["list"]


class Text:
    """A text of many lines."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.view = Gtk.TextView(monospace=True)
        self.view.get_buffer().set_text("\n".join(f"line {number}" for number in range(ROWS["text"])))
        del options

    def visible(self) -> list[str]:
        """Return the lines of which anything can be seen."""
        seen = self.view.get_visible_rect()
        _, top = self.view.get_iter_at_location(seen.x, seen.y)
        _, bottom = self.view.get_iter_at_location(seen.x, seen.y + seen.height - 1)
        return [f"line {number}" for number in range(top.get_line(), bottom.get_line() + 1)]

    def scroll(self, row: int, column: int = 0) -> None:
        buffer = self.view.get_buffer()
        buffer.place_cursor(buffer.get_iter_at_line_offset(row, column))
        self.view.scroll_to_mark(buffer.get_insert(), 0.0, True, 0.0, 0.0)

    def select(self, row: int) -> None:
        self.scroll(row)

    def total(self) -> int:
        return self.view.get_buffer().get_char_count()


class Big:
    """One window: the big thing, then Save."""

    def __init__(self) -> None:
        self.options = parse_options("Big3", add_options)
        self.log = EventLog(self.options.log)
        self.watches: dict[int, int] = {}
        kinds = {"table": Table, "tree": Table, "list": List, "text": Text}
        self.big = kinds[self.options.view](self.options)
        pane = Gtk.ScrolledWindow()
        pane.add(self.big.view)
        save = Gtk.Button(label="Save")
        save.connect("clicked", lambda _button: self.log.write("click", "Save"))
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        box.pack_start(pane, True, True, 0)
        box.pack_start(save, False, False, 0)
        self.window = Gtk.Window(title=self.options.title)
        self.window.connect("destroy", Gtk.main_quit)
        self.window.connect("map-event", lambda *_: self.log.write("ready", self.options.title, os.getpid()))
        self.window.add(box)
        self.window.set_default_size(500, 400)
        self.server = ControlServer(self.options.control, self.answer, self.watch, self.unwatch)
        self.window.show_all()

    def answer(self, request: Request) -> Request:
        arguments = {key: value for key, value in request.items() if key != "do"}
        if request["do"] == "visible":
            return {"visible": self.big.visible(), "total": self.big.total()}
        if request["do"] == "quit":
            self.window.destroy()
            return {}
        getattr(self.big, request["do"])(**arguments)
        return {}

    def watch(self, number: int, ready: Any) -> None:
        def readable(*_args: Any) -> bool:
            ready()
            return True

        wanted = GLib.IOCondition.IN | GLib.IOCondition.HUP
        self.watches[number] = GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, number, wanted, readable)

    def unwatch(self, number: int) -> None:
        GLib.source_remove(self.watches.pop(number))


if __name__ == "__main__":
    fixture = Big()
    Gtk.main()
    fixture.server.close()
