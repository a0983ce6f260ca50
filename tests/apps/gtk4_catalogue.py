#!/usr/bin/python3
"""Fixture application in GTK 4: one of each kind of control that says what it means in a way of its own."""

from __future__ import annotations

from typing import Any

import gi

gi.require_version("Gtk", "4.0")
from fixture_control import CANARY, CATALOGUE, LINK_TARGET, PRICES, TREE
from gi.repository import Gio, GLib, Gtk
from gtk4_form import Gtk4Fixture


class Gtk4Catalogue(Gtk4Fixture):
    """One GTK 4 window of many controls."""

    def build_form(self) -> None:
        left, right = (Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4) for _ in range(2))
        columns = Gtk.Box(spacing=12)
        columns.append(left)
        columns.append(right)
        self.fill_fields_of(left)
        self.fill_toggles(left)
        self.fill_ranges(left)
        self.fill_links(left)
        self.fill_rows(right)
        self.tabs = Gtk.Notebook()
        for name in ("First", "Second"):
            self.tabs.append_page(Gtk.Label(label=f"Page {name}"), self.register(name, Gtk.Label(label=name)))
        self.tabs.set_current_page(1)
        right.append(self.tabs)
        self.window.set_child(columns)

    def add(self, box: Any, name: str, widget: Any) -> Any:
        box.append(self.register(name, widget))
        return widget

    def fill_fields_of(self, box: Any) -> None:
        self.add(box, "Hinted", Gtk.Entry(placeholder_text=CATALOGUE["Hinted"]))
        self.add(box, "Tipped", Gtk.Entry(tooltip_text=CATALOGUE["Tipped"]))
        street = Gtk.Entry(text="Main Road 1", placeholder_text="Street and number")
        box.append(Gtk.Label(label="_Street:", use_underline=True, mnemonic_widget=street, xalign=0))
        self.add(box, "Street", street)
        self.add(box, "Locked", Gtk.Entry(text="cannot change", editable=False, tooltip_text="Locked"))
        self.add(box, "Secret", Gtk.PasswordEntry(placeholder_text="Secret")).set_text(CANARY)
        wrong = self.add(box, "Wrong", Gtk.Entry(text="x@", placeholder_text="Mail"))
        wrong.update_state([Gtk.AccessibleState.INVALID], [Gtk.AccessibleInvalidState.TRUE])
        wrong.update_property([Gtk.AccessibleProperty.REQUIRED], [True])
        self.add(box, "Size", Gtk.DropDown.new_from_strings(["Small", "Medium", "Large"])).set_selected(1)

    def fill_toggles(self, box: Any) -> None:
        bar = Gtk.Box(spacing=4)
        save = Gtk.Button(icon_name="document-save", tooltip_text=CATALOGUE["Save"])
        save.connect("clicked", lambda _w: self.log.write("click", "Save"))
        bold = Gtk.ToggleButton(icon_name="format-text-bold", tooltip_text=CATALOGUE["Bold"], active=True)
        for name, item in (("Save", save), ("Bold", bold)):
            bar.append(self.register(name, item))
        box.append(bar)
        self.add(box, "Part", Gtk.CheckButton(label="Part", inconsistent=True))
        self.add(box, "Wrap", Gtk.ToggleButton(label="Wrap", active=True))
        self.add(box, "Light", Gtk.Switch(active=True, halign=Gtk.Align.START, tooltip_text=CATALOGUE["Light"]))
        details = Gtk.Expander(label="Details", expanded=True)
        details.set_child(Gtk.Label(label="inner words"))
        self.add(box, "Details", details)
        self.add(box, "Options", Gtk.MenuButton(label="Options", menu_model=Gio.Menu()))

    def fill_ranges(self, box: Any) -> None:
        self.add(box, "Done", Gtk.ProgressBar(fraction=0.25))
        self.add(box, "Level", Gtk.LevelBar(min_value=0, max_value=5, value=3))
        self.add(box, "Day", Gtk.Calendar(year=2024, month=1, day=29))

    def fill_links(self, box: Any) -> None:
        self.add(box, "Docs", Gtk.LinkButton(uri=LINK_TARGET, label="Docs"))
        self.add(box, "Site", Gtk.Label(label=f'See <a href="{LINK_TARGET}">the site</a>.', use_markup=True))

    def fill_rows(self, box: Any) -> None:
        store = Gtk.TreeStore.new([str])
        for name, children in TREE:
            parent = store.append(None, [name])
            for child, grand in children:
                below = store.append(parent, [child])
                for one in grand:
                    store.append(below, [one])
        tree = Gtk.TreeView(model=store, headers_visible=False)
        tree.append_column(Gtk.TreeViewColumn("Files", Gtk.CellRendererText(), text=0))
        tree.expand_row(Gtk.TreePath.new_first(), False)
        self.add(box, "Files", tree)
        self.add(box, "Prices", self.column_view())

    def column_view(self) -> Any:
        model = Gtk.StringList.new([row[0] for row in PRICES["rows"]])
        selection = Gtk.SingleSelection(model=model)
        selection.set_selected(1)
        view = Gtk.ColumnView(model=selection, height_request=110)
        rows = {row[0]: row for row in PRICES["rows"]}
        for index, title in enumerate(PRICES["columns"]):
            factory = Gtk.SignalListItemFactory()
            factory.connect("setup", lambda _f, item: item.set_child(Gtk.Label(xalign=0)))
            factory.connect(
                "bind",
                lambda _f, item, index=index: item.get_child().set_label(
                    str(rows[item.get_item().get_string()][index])
                ),
            )
            view.append_column(Gtk.ColumnViewColumn(title=title, factory=factory))
        return view

    def part_rects(self) -> dict[str, Any]:
        return {}

    def do_word(self, text: str) -> dict[str, str]:
        return {"word": GLib.dgettext("gtk40", text)}

    def value_of(self, widget: Any) -> object:
        if isinstance(widget, Gtk.ProgressBar):
            return widget.get_fraction()
        if isinstance(widget, Gtk.LevelBar):
            return widget.get_value()
        if isinstance(widget, Gtk.Expander):
            return widget.get_expanded()
        if isinstance(widget, Gtk.ToggleButton):
            return widget.get_active()
        if isinstance(widget, Gtk.LinkButton):
            return widget.get_uri()
        return super().value_of(widget)


if __name__ == "__main__":
    GLib.set_prgname("gtk4_catalogue.py")  # else the accessibility bus knows it as "Unnamed"
    Gtk.init()
    fixture = Gtk4Catalogue()
    fixture.loop.run()
    if fixture.options.control:
        fixture.server.close()
