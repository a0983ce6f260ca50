#!/usr/bin/python3
"""Fixture application in GTK 3: one of each kind of control that says what it means in a way of its own."""

from __future__ import annotations

from typing import Any

import gi

gi.require_version("Gtk", "3.0")
from fixture_control import CANARY, CATALOGUE, LINK_TARGET, PRICES, TREE, Fixture
from gi.repository import GLib, Gtk
from gtk3_form import Gtk3Fixture


class Gtk3Catalogue(Gtk3Fixture):
    """One GTK 3 window of many controls."""

    def build_form(self) -> None:
        self.tabs = Gtk.Notebook()
        left, right = (Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4, margin=6) for _ in range(2))
        columns = Gtk.Box(spacing=12)
        columns.pack_start(left, False, False, 0)
        columns.pack_start(right, True, True, 0)
        page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        page.pack_start(self.menu_bar(), False, False, 0)
        page.pack_start(columns, True, True, 0)
        self.fill_fields_of(left)
        self.fill_toggles(left)
        self.fill_ranges(left)
        self.fill_links(left)
        self.fill_rows(right)
        for name in ("First", "Second"):
            self.tabs.append_page(Gtk.Label(label=f"Page {name}"), self.register(name, Gtk.Label(label=name)))
        right.pack_start(self.tabs, False, False, 0)
        self.window.add(page)
        page.show_all()
        self.tabs.set_current_page(1)  # a page has to be shown before

    def add(self, box: Any, name: str, widget: Any) -> Any:
        box.pack_start(self.register(name, widget), False, False, 0)
        return widget

    def fill_fields_of(self, box: Any) -> None:
        self.add(box, "Hinted", Gtk.Entry(placeholder_text=CATALOGUE["Hinted"]))
        self.add(box, "Tipped", Gtk.Entry(tooltip_text=CATALOGUE["Tipped"]))
        street = Gtk.Entry(text="Main Road 1", placeholder_text="Street and number")
        label = Gtk.Label(label="_Street:", use_underline=True, mnemonic_widget=street, xalign=0)
        box.pack_start(label, False, False, 0)
        self.add(box, "Street", street)
        self.add(box, "Locked", Gtk.Entry(text="cannot change", editable=False, tooltip_text="Locked"))
        self.add(box, "Secret", Gtk.Entry(text=CANARY, visibility=False, input_purpose=Gtk.InputPurpose.PASSWORD))
        choice = Gtk.ComboBoxText.new_with_entry()
        for item in ("Small", "Medium", "Large"):
            choice.append_text(item)
        choice.get_child().set_text("Medium")
        self.add(box, "Size", choice)

    def fill_toggles(self, box: Any) -> None:
        bar = Gtk.Toolbar()
        save = Gtk.ToolButton(icon_name="document-save", tooltip_text=CATALOGUE["Save"])
        save.connect("clicked", lambda _w: self.log.write("click", "Save"))
        bold = Gtk.ToggleToolButton(icon_name="format-text-bold", tooltip_text=CATALOGUE["Bold"], active=True)
        for name, item in (("Save", save), ("Bold", bold)):
            bar.insert(self.register(name, item), -1)
        box.pack_start(bar, False, False, 0)
        self.add(box, "Part", Gtk.CheckButton(label="Part", inconsistent=True))
        self.add(box, "Wrap", Gtk.ToggleButton(label="Wrap", active=True))
        self.add(box, "Light", Gtk.Switch(active=True, halign=Gtk.Align.START, tooltip_text=CATALOGUE["Light"]))
        details = Gtk.Expander(label="Details", expanded=True)
        details.add(Gtk.Label(label="inner words"))
        self.add(box, "Details", details)
        menu = Gtk.MenuButton(label="Options", popup=Gtk.Menu())
        self.add(box, "Options", menu)

    def fill_ranges(self, box: Any) -> None:
        self.add(box, "Done", Gtk.ProgressBar(fraction=0.25))
        self.add(box, "Level", Gtk.LevelBar(min_value=0, max_value=5, value=3))
        self.add(box, "Day", Gtk.Calendar(year=2024, month=1, day=29))

    def fill_links(self, box: Any) -> None:
        self.add(box, "Docs", Gtk.LinkButton(uri=LINK_TARGET, label="Docs"))
        self.add(box, "Site", Gtk.Label(label=f'See <a href="{LINK_TARGET}">the site</a>.', use_markup=True))

    def fill_rows(self, box: Any) -> None:
        store = Gtk.TreeStore(str)
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
        rows = Gtk.ListStore(str, str, bool)
        for row in PRICES["rows"]:
            rows.append(row)
        table = Gtk.TreeView(model=rows)
        for index, title in enumerate(PRICES["columns"]):
            is_check = index == 2
            cell = Gtk.CellRendererToggle() if is_check else Gtk.CellRendererText()
            table.append_column(Gtk.TreeViewColumn(title, cell, **{"active" if is_check else "text": index}))
        table.get_selection().select_path(Gtk.TreePath(1))
        self.add(box, "Prices", table)

    def menu_bar(self) -> Any:
        bar, menu = Gtk.MenuBar(), Gtk.Menu()
        view = self.register("View", Gtk.MenuItem(label="View"))
        view.set_submenu(menu)
        bar.append(view)
        radios: list[Any] = []
        for name, kind in (("Ruler", Gtk.CheckMenuItem), ("Wide", Gtk.RadioMenuItem), ("Narrow", Gtk.RadioMenuItem)):
            item = kind(label=name)
            if kind is Gtk.RadioMenuItem:
                if radios:
                    item.join_group(radios[0])
                radios.append(item)
            menu.append(self.register(name, item))
        self.find("Ruler").set_active(True)
        self.find("Narrow").set_active(True)
        return bar

    def part_rects(self) -> dict[str, Any]:
        return {}

    def do_word(self, text: str) -> dict[str, str]:
        return {"word": GLib.dgettext("gtk30", text)}

    def value_of(self, widget: Any) -> object:
        if isinstance(widget, Gtk.ProgressBar):
            return widget.get_fraction()
        if isinstance(widget, Gtk.LevelBar):
            return widget.get_value()
        if isinstance(widget, Gtk.Expander):
            return widget.get_expanded()
        if isinstance(widget, Gtk.CheckMenuItem | Gtk.ToggleToolButton):
            return widget.get_active()
        if isinstance(widget, Gtk.LinkButton):
            return widget.get_uri()
        return super().value_of(widget)


if __name__ == "__main__":
    fixture: Fixture = Gtk3Catalogue()
    Gtk.main()
    if fixture.options.control:
        fixture.server.close()
