#!/usr/bin/python3
"""Fixture application in GTK 3; see README.md."""

from __future__ import annotations

from typing import Any

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("GdkX11", "3.0")
gi.require_version("Gtk", "3.0")
from fixture_control import (
    CANARY,
    COMPANIES,
    ICON_RGB,
    ICON_SIDE,
    LIST_NAMES,
    NOTES,
    ROW_NAMES,
    ControlServer,
    Fixture,
    Rect,
    Xlib,
    clip,
    parse_options,
)
from gi.repository import Gdk, GdkPixbuf, GdkX11, GLib, Gtk


class Gtk3Fixture(Fixture):
    """One GTK 3 window and its log."""

    def __init__(self) -> None:
        super().__init__(parse_options("Form3"))
        self.x = Xlib()
        self.watches: dict[int, int] = {}
        self.ready = False
        self.window = Gtk.Window(title=self.options.title)
        self.window.connect("destroy", lambda _window: self.window_gone("main"))
        self.window.connect("map-event", self.mapped)
        self.buttons = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        if self.options.layout == "list":
            self.window.add(self.buttons)
            for name in LIST_NAMES:
                self.add_button(self.buttons, name)
        else:
            self.build_form()
        Gdk.Event.handler_set(self.raw_event)
        if self.options.at:
            self.move_window(*self.options.at)
        if self.options.control:
            self.server = ControlServer(self.options.control, self.answer, self.watch, self.unwatch)
        self.window.show_all()
        if self.options.layout == "form":  # not earlier: showing the first page is a switch, too
            self.tabs.connect("switch-page", lambda _n, _p, i: self.log.write("tab", ("One", "Two")[i]))

    # ---- building

    def build_form(self) -> None:
        page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        columns = Gtk.Box(spacing=16, margin=10)
        page.pack_start(self.menu_bar(), False, False, 0)
        page.pack_start(columns, True, True, 0)
        fields = Gtk.Grid(row_spacing=6, column_spacing=8)
        right = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8)
        for child in (self.buttons, fields, right):
            columns.pack_start(child, False, False, 0)
        self.fill_buttons()
        self.fill_fields(fields)
        self.fill_right(right)
        self.window.add(page)

    def add_button(self, box: Any, name: str) -> Any:
        button = self.register(name, Gtk.Button(label=name))
        button.connect("clicked", self.clicked)
        box.pack_start(button, False, False, 0)
        return button

    def fill_buttons(self) -> None:
        for name in ("Go", "Off", "Idle", "Slow", "Open dialog", "Close me"):
            self.add_button(self.buttons, name)
        self.find("Off").set_sensitive(False)
        red, green, blue = ICON_RGB
        pixels = GdkPixbuf.Pixbuf.new(GdkPixbuf.Colorspace.RGB, False, 8, ICON_SIDE, ICON_SIDE)
        pixels.fill(red << 24 | green << 16 | blue << 8 | 0xFF)
        icon = self.register("Icon", Gtk.Button(image=Gtk.Image.new_from_pixbuf(pixels), always_show_image=True))
        icon.get_accessible().set_name("Icon")
        icon.connect("clicked", self.clicked)
        self.buttons.pack_start(icon, False, False, 0)
        for name, text in (("Status", "Status"), ("Total", "Total: 42")):
            self.buttons.pack_start(self.register(name, Gtk.Label(label=text, xalign=0)), False, False, 0)

    def fill_fields(self, grid: Any) -> None:
        remember = Gtk.CheckButton(label="Remember")
        small = Gtk.RadioButton.new_with_label(None, "Small")
        large = Gtk.RadioButton.new_with_label_from_widget(small, "Large")
        for name, toggle in (("Remember", remember), ("Small", small), ("Large", large)):
            toggle.connect("toggled", lambda w: self.log.write("toggle", self.name_of(w), w.get_active()))
            self.register(name, toggle)
        radios = Gtk.Box(spacing=8)
        radios.add(small)
        radios.add(large)
        grid.attach(remember, 0, 0, 2, 1)
        grid.attach(radios, 0, 1, 2, 1)
        power = Gtk.Switch(halign=Gtk.Align.START)
        power.connect("notify::active", lambda w, _p: self.log.write("toggle", self.name_of(w), w.get_active()))
        count = Gtk.SpinButton.new_with_range(0, 100, 1)
        volume = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
        for widget, value in ((count, 1), (volume, 10)):
            widget.set_value(value)
            widget.connect("value-changed", lambda w: self.log.write("change", self.name_of(w), w.get_value()))
        company = Gtk.ComboBoxText()
        for item in COMPANIES:
            company.append_text(item)
        company.set_active(0)
        company.connect("changed", lambda w: self.log.write("change", self.name_of(w), w.get_active_text()))
        rows = [("Power", power)]
        rows += [(name, self.entry(name)) for name in ("Name", "Fixed", "Secret", "Search")]
        rows += [("Count", count), ("Volume", volume), ("Company", company), ("Notes", self.notes())]
        for line, (name, widget) in enumerate(rows, start=2):
            self.register(name, widget)
            widget.get_accessible().set_name(name)
            grid.attach(Gtk.Label(label=f"{name}:", xalign=0), 0, line, 1, 1)
            grid.attach(widget if name != "Notes" else self.notes_frame, 1, line, 1, 1)

    def entry(self, name: str) -> Any:
        entry = Gtk.Entry(width_chars=24)
        if name == "Fixed":
            entry.set_text("fixed text")
            entry.set_editable(False)
        elif name == "Secret":
            entry.set_input_purpose(Gtk.InputPurpose.PASSWORD)
            entry.set_visibility(False)
            entry.set_text(CANARY)
        entry.connect("changed", lambda w: self.log.write("change", self.name_of(w), self.logged_text(w)))
        entry.connect("activate", lambda w: self.log.write("activate", self.name_of(w), self.logged_text(w)))
        return entry

    def logged_text(self, entry: Any) -> object:
        # The secret stays out of the log so that a test may search all files for it.
        return len(entry.get_text()) if self.name_of(entry) == "Secret" else entry.get_text()

    def notes(self) -> Any:
        notes = Gtk.TextView()
        notes.get_buffer().set_text(NOTES)
        notes.get_buffer().connect("changed", lambda _b: self.log.write("change", "Notes", self.value_of(notes)))
        self.notes_frame = Gtk.ScrolledWindow(height_request=80)
        self.notes_frame.set_shadow_type(Gtk.ShadowType.IN)
        self.notes_frame.add(notes)
        return notes

    def fill_right(self, box: Any) -> None:
        self.rows = self.register("Rows", Gtk.ListBox())
        self.rows.get_accessible().set_name("Rows")
        for name in ROW_NAMES:
            self.rows.add(Gtk.Label(label=name, xalign=0))
        self.rows.connect("row-selected", lambda _l, row: row and self.log.write("select", "Rows", self.row_name(row)))
        self.scroller = Gtk.ScrolledWindow(height_request=260, width_request=240)
        self.scroller.set_overlay_scrolling(False)
        self.scroller.set_shadow_type(Gtk.ShadowType.IN)
        self.scroller.add(self.rows)
        self.scroller.get_vadjustment().connect(
            "value-changed", lambda a: self.log.write("scroll", "Rows", a.get_value())
        )
        box.pack_start(self.scroller, False, False, 0)
        tabs = Gtk.Notebook()
        for tab, button in (("One", "P1"), ("Two", "P2")):
            page = Gtk.Box(margin=8)
            self.add_button(page, button)
            tabs.append_page(page, self.register(tab, Gtk.Label(label=tab)))
        self.tabs = tabs
        box.pack_start(tabs, False, False, 0)
        parcel = self.register("Parcel", Gtk.EventBox(height_request=40))
        parcel.add(Gtk.Label(label="Parcel"))
        parcel.connect("button-press-event", lambda _w, _e: self.log.write("drag", "Parcel"))
        parcel.connect("button-release-event", self.parcel_released)
        shelf = self.register("Shelf", Gtk.Frame(height_request=60))
        shelf.add(Gtk.Label(label="Shelf"))
        for widget, name in ((parcel, "Parcel"), (shelf, "Shelf")):
            widget.get_accessible().set_name(name)
            box.pack_start(widget, False, False, 4)

    def parcel_released(self, _parcel: Any, event: Any) -> None:
        scale = self.window.get_scale_factor()
        self.dropped(round(event.x_root * scale), round(event.y_root * scale))

    def row_name(self, row: Any) -> str:
        return row.get_child().get_text()

    def menu_bar(self) -> Any:
        bar, menu = Gtk.MenuBar(), Gtk.Menu()
        file = self.register("File", Gtk.MenuItem(label="File"))
        file.set_submenu(menu)
        bar.append(file)
        for name in ("Open It", "Quit"):
            item = self.register(name, Gtk.MenuItem(label=name))
            item.connect("activate", self.menu_chosen)
            menu.append(item)
        return bar

    def menu_chosen(self, item: Any) -> None:
        self.log.write("menu", self.name_of(item))
        if self.name_of(item) == "Quit":
            self.quit()

    # ---- events

    def mapped(self, *_event: Any) -> None:
        if not self.ready:
            self.ready = True
            self.log_ready(self.is_settled, lambda ms, call: GLib.timeout_add(ms, call))

    def is_settled(self) -> bool:
        return self.is_placed(*self.full_rect(self.window)[:2])

    def raw_event(self, event: Any, *_data: Any) -> None:
        """Log keys and buttons before any widget sees them."""
        if event.type == Gdk.EventType.KEY_PRESS:
            state = int(event.key.state) & 0xFF
            self.log.write("key", self.focused_name(), {"key": Gdk.keyval_name(event.key.keyval), "state": state})
        elif event.type == Gdk.EventType.BUTTON_PRESS:
            scale = self.window.get_scale_factor()
            x, y = round(event.button.x_root * scale), round(event.button.y_root * scale)
            self.log.write("press", None, {"x": x, "y": y, "button": event.button.button})
        elif event.type == Gdk.EventType.SCROLL:
            self.log.write("wheel", None, {"direction": event.scroll.direction.value_nick})
        Gtk.main_do_event(event)

    # ---- geometry

    def visible_rect(self, widget: Any) -> Rect | None:
        if not widget.get_mapped() or widget.get_toplevel().get_window().get_state() & Gdk.WindowState.ICONIFIED:
            return None
        frames = []
        parent = widget.get_parent()
        while parent is not None:
            if isinstance(parent, Gtk.Viewport | Gtk.ScrolledWindow):
                frames.append(self.full_rect(parent))
            parent = parent.get_parent()
        return clip(self.full_rect(widget), frames)

    def full_rect(self, widget: Any) -> Rect:
        top = widget.get_toplevel()
        assert isinstance(top.get_window(), GdkX11.X11Window), "start it with GDK_BACKEND=x11"
        x, y = widget.translate_coordinates(top, 0, 0)
        left, top_edge = self.x.origin(top.get_window().get_xid())  # GDK rounds to its own unit at scale 2
        scale = top.get_scale_factor()
        size = widget.get_allocated_width(), widget.get_allocated_height()
        return [left + x * scale, top_edge + y * scale, size[0] * scale, size[1] * scale]

    def window_rect(self) -> Rect | None:
        return self.full_rect(self.window) if self.window is not None and self.window.get_mapped() else None

    def part_rects(self) -> dict[str, Rect | None]:
        if self.options.layout == "list" or self.window is None:
            return {}
        return {self.row_name(row): self.visible_rect(row) for row in self.rows.get_children()}

    # ---- state

    def value_of(self, widget: Any) -> object:
        if isinstance(widget, Gtk.SpinButton | Gtk.Scale):
            return widget.get_value()
        if isinstance(widget, Gtk.Entry | Gtk.Label):
            return widget.get_text()
        if isinstance(widget, Gtk.ToggleButton | Gtk.Switch):
            return widget.get_active()
        if isinstance(widget, Gtk.ComboBoxText):
            return widget.get_active_text()
        if isinstance(widget, Gtk.TextView):
            buffer = widget.get_buffer()
            return buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True)
        if isinstance(widget, Gtk.ListBox):
            row = widget.get_selected_row()
            return {
                "selected": self.row_name(row) if row else None,
                "offset": self.scroller.get_vadjustment().get_value(),
            }
        return None

    def is_enabled(self, widget: Any) -> bool:
        return widget.is_sensitive()

    def focused_name(self) -> str | None:
        tops = [top for top in Gtk.Window.list_toplevels() if top.is_active() and top.get_focus()]
        return self.name_of(tops[0].get_focus()) if tops else None

    # ---- changes

    def take_out(self, widget: Any) -> None:
        widget.get_parent().remove(widget)

    def put_in(self, name: str, index: int) -> None:
        button = self.add_button(self.buttons, name)
        self.buttons.reorder_child(button, index)
        button.show()

    def set_label(self, widget: Any, text: str) -> None:
        widget.set_label(text)

    def set_enabled(self, widget: Any, on: bool) -> None:
        widget.set_sensitive(on)

    def set_shown(self, widget: Any, on: bool) -> None:
        widget.set_visible(on)

    def move_window(self, x: int, y: int) -> None:
        scale = self.window.get_scale_factor()
        self.window.move(x // scale, y // scale)

    def resize_window(self, w: int, h: int) -> None:
        scale = self.window.get_scale_factor()
        self.window.resize(w // scale, h // scale)

    def minimise_window(self) -> None:
        self.window.iconify()

    def open_other(self, title: str) -> None:
        other, box = Gtk.Window(title=title), Gtk.Box()
        button = self.add_button(box, "Other")
        other.add(box)
        other.connect("destroy", lambda _w: self.window_gone("other", button))
        other.show_all()

    def open_dialog(self) -> None:
        dialog = Gtk.Dialog(title="Confirm", transient_for=self.window, modal=True)
        dialog.get_content_area().add(Gtk.Label(label="Really do it?", margin=20))
        answers = {Gtk.ResponseType.OK: "OK", Gtk.ResponseType.CANCEL: "Cancel"}
        buttons = {answer: self.register(name, dialog.add_button(name, answer)) for answer, name in answers.items()}

        def answered(_dialog: Any, response: int) -> None:
            if response in buttons:
                self.log.write("click", self.name_of(buttons[response]))
            self.log.write("dialog", "Confirm", Gtk.ResponseType(response).value_nick)
            self.unregister(*buttons.values())
            self.log.write("closed", "dialog")
            dialog.destroy()

        dialog.connect("response", answered)
        dialog.show_all()

    def window_gone(self, which: str, *widgets: Any) -> None:
        self.log.write("closed", which)
        if which == "main":
            self.window = None
            self.widgets.clear()
        self.unregister(*widgets)
        if not self.options.keep and not [top for top in Gtk.Window.list_toplevels() if top.get_mapped()]:
            GLib.idle_add(self.quit)

    def close_window(self) -> None:
        if self.window is not None:
            self.window.destroy()

    def quit(self) -> None:
        GLib.idle_add(Gtk.main_quit)  # later, so that a control command still gets its reply

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
    fixture = Gtk3Fixture()
    Gtk.main()
    if fixture.options.control:
        fixture.server.close()
