#!/usr/bin/python3
"""Fixture application in GTK 4 whose parts hide each other: pages, revealers, filtered rows, a list.

`--layout list` makes the list a long one; --log has only "ready" and clicks; --control is needed.
Commands: `turn what to` (see `turn`), `names` (of all parts), `drawn` (of those that GTK has mapped and that their
scroller does not cut off), `add name`, `quit`. The truth is GTK's own account: `get_mapped` and bounds.
"""

from __future__ import annotations

from typing import Any

import gi

gi.require_version("Gtk", "4.0")
from fixture_control import ControlServer, EventLog, Request, parse_options
from gi.repository import GLib, GObject, Gtk

FRUITS = ("apple", "bean", "cherry", "date")
LINES = {"form": 60, "list": 3000}  # rows of the list, by layout: listing the long one stops GTK 4.8 for seconds
KEYS = 7  # real buttons around one thing that only looks like one


class Lookalike(Gtk.Widget):
    """A widget that says it is a button and has a label, but no action."""

    __gtype_name__ = "Lookalike"

    def __init__(self, text: str) -> None:
        super().__init__(accessible_role=Gtk.AccessibleRole.BUTTON, focusable=True)
        self.set_layout_manager(Gtk.BinLayout())
        Gtk.Label(label=text).set_parent(self)
        self.update_property([Gtk.AccessibleProperty.LABEL], [text])


class Pages:
    """One window, its parts by name, and what turns them."""

    def __init__(self) -> None:
        self.options = parse_options("Pages4")
        self.log = EventLog(self.options.log)
        self.loop = GLib.MainLoop()
        self.watches: dict[int, int] = {}
        self.parts: dict[str, Any] = {}
        self.wanted = ""
        self.window = Gtk.Window(title=self.options.title, default_width=760, default_height=560)
        self.build()
        self.server = ControlServer(self.options.control, self.answer, self.watch, self.unwatch)
        self.window.connect("map", lambda _w: self.log.write("ready", self.options.title))
        self.window.present()

    # ---- building

    def build(self) -> None:
        row = Gtk.Box(spacing=12)
        self.left, middle, right = (Gtk.Box(orientation=Gtk.Orientation.VERTICAL) for _ in range(3))
        for column in (self.left, middle, right):
            row.append(column)
        for part in (self.search_bar(), self.notebook(), self.plain_stack(), *self.switched_stack()):
            self.left.append(part)
        for part in (*self.revealers(), self.expander(), self.fruits(), self.keys()):
            middle.append(part)
        right.append(self.long_list())
        self.window.set_child(row)

    def page(self, tag: str) -> Any:
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        box.append(self.button(f"{tag} button"))
        box.append(self.label(f"{tag} label"))
        return box

    def button(self, name: str) -> Any:
        button = Gtk.Button(label=name)
        button.connect("clicked", lambda _b: self.log.write("click", name))
        self.parts[name] = button
        return button

    def label(self, name: str) -> Any:
        self.parts[name] = Gtk.Label(label=name)
        return self.parts[name]

    def search_bar(self) -> Any:
        self.search = Gtk.SearchBar(child=self.page("Search"), search_mode_enabled=True)
        return self.search

    def notebook(self) -> Any:
        self.book = Gtk.Notebook()
        for tag in ("N1", "N2"):
            self.book.append_page(self.page(tag), Gtk.Label(label=tag))
        return self.book

    def plain_stack(self) -> Any:
        self.stack = Gtk.Stack()
        for tag in ("S1", "S2"):
            self.stack.add_named(self.page(tag), tag)
        bare = Gtk.Button(icon_name="window-close-symbolic")
        bare.update_property([Gtk.AccessibleProperty.LABEL], ["S3 bare"])
        self.parts["S3 bare"] = bare
        self.stack.add_named(bare, "S3")
        return self.stack

    def switched_stack(self) -> tuple[Any, Any]:
        self.switched = Gtk.Stack()
        for tag in ("W1", "W2"):
            self.switched.add_titled(self.page(tag), tag, tag)
        return Gtk.StackSwitcher(stack=self.switched), self.switched

    def revealers(self) -> tuple[Any, Any]:
        kinds = Gtk.RevealerTransitionType
        self.slide, self.fade = (
            Gtk.Revealer(child=self.page(tag), reveal_child=True, transition_type=kind, transition_duration=1)
            for tag, kind in (("Slide", kinds.SLIDE_DOWN), ("Fade", kinds.CROSSFADE))
        )
        return self.slide, self.fade

    def expander(self) -> Any:
        self.more = Gtk.Expander(label="More", child=self.page("Within"), expanded=True)
        return self.more

    def fruits(self) -> Any:
        self.fruit = Gtk.ListBox()
        for name in FRUITS:
            self.fruit.append(self.label(name))
        self.fruit.set_filter_func(lambda row: self.wanted in row.get_child().get_label())
        return self.fruit

    def keys(self) -> Any:
        box = Gtk.Box()
        for number in range(KEYS):
            box.append(self.button(f"K{number}"))
            if number == KEYS // 2:
                self.parts["Lookalike"] = Lookalike("Lookalike")
                box.append(self.parts["Lookalike"])
        return box

    def long_list(self) -> Any:
        rows = Gtk.ListBox()
        for number in range(LINES[self.options.layout]):
            rows.append(self.label(f"Line {number}"))
        self.scroller = Gtk.ScrolledWindow(child=rows, vexpand=True, width_request=160, overlay_scrolling=False)
        return self.scroller

    # ---- commands

    def answer(self, request: Request) -> Request:
        what = request["do"]
        if what == "turn":
            self.turn(request["what"], request["to"])
        elif what == "drawn":
            return {"names": sorted(name for name, part in self.parts.items() if self.is_drawn(part))}
        elif what == "names":
            return {"names": sorted(self.parts)}
        elif what == "add":
            box = Gtk.Box()
            box.append(self.button(request["name"]))
            self.left.append(box)
        elif what == "quit":
            GLib.idle_add(self.loop.quit)
        return {}

    def turn(self, what: str, to: Any) -> None:
        """Change what is shown; `to` is a page, a text to filter by, a share of the way down, or whether to show."""
        turns = {
            "notebook": lambda: self.book.set_current_page(to),
            "stack": lambda: self.stack.set_visible_child_name(to),
            "switched": lambda: self.switched.set_visible_child_name(to),
            "slide": lambda: self.slide.set_reveal_child(to),
            "fade": lambda: self.fade.set_reveal_child(to),
            "expander": lambda: self.more.set_expanded(to),
            "search": lambda: self.search.set_search_mode(to),
            "fruit": lambda: self.filter(to),
            "scroll": lambda: self.scroll(to),
        }
        turns[what]()

    def filter(self, text: str) -> None:
        self.wanted = text
        self.fruit.invalidate_filter()

    def scroll(self, share: float) -> None:
        way = self.scroller.get_vadjustment()
        way.set_value(share * (way.get_upper() - way.get_page_size()))

    def is_drawn(self, part: Any) -> bool:
        if not part.get_mapped():
            return False
        scroller = part.get_ancestor(GObject.type_from_name("GtkScrolledWindow"))
        if scroller is None:
            return True
        _, bounds = part.compute_bounds(scroller)
        return bounds.get_y() + bounds.get_height() > 0 and bounds.get_y() < scroller.get_height()

    # ---- main loop

    def watch(self, number: int, ready: Any) -> None:
        def readable(*_args: Any) -> bool:
            ready()
            return True

        wanted = GLib.IOCondition.IN | GLib.IOCondition.HUP
        self.watches[number] = GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, number, wanted, readable)

    def unwatch(self, number: int) -> None:
        GLib.source_remove(self.watches.pop(number))


if __name__ == "__main__":
    GLib.set_prgname("gtk4_pages.py")  # else the accessibility bus knows it as "Unnamed"
    Gtk.init()
    pages = Pages()
    pages.loop.run()
    pages.server.close()
