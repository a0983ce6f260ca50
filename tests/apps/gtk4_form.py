#!/usr/bin/python3
"""Fixture application in GTK 4; see README.md.

Root coordinates: GTK 4 has none, so bounds relative to the native surface come from GTK, and the place of the
surface's X window from Xlib. Nothing here is asked from AT-SPI.
"""

from __future__ import annotations

from typing import Any

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("GdkX11", "4.0")
gi.require_version("Gtk", "4.0")
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
from gi.repository import Gdk, GdkX11, Gio, GLib, GObject, Gtk


def named(widget: Any, name: str) -> Any:
    widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
    return widget


def descendants(widget: Any) -> Any:
    child = widget.get_first_child()
    while child is not None:
        yield child
        yield from descendants(child)
        child = child.get_next_sibling()


class Gtk4Fixture(Fixture):
    """One GTK 4 window and its log."""

    def __init__(self) -> None:
        super().__init__(parse_options("Form4"))
        self.x = Xlib()
        self.loop = GLib.MainLoop()
        self.watches: dict[int, int] = {}
        self.ready = self.moved = False
        self.tops: list[Any] = []
        self.buttons = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        self.window = self.new_window(self.options.title, "main")
        if self.options.layout == "list":
            self.window.set_child(self.buttons)
            for name in LIST_NAMES:
                self.add_button(self.buttons, name)
        else:
            self.build_form()
        self.window.connect("map", lambda _w: self.mapped())
        if self.options.control:
            self.server = ControlServer(self.options.control, self.answer, self.watch, self.unwatch)
        self.window.present()

    def new_window(self, title: str, which: str, **properties: Any) -> Any:
        window = Gtk.Window(title=title, **properties)
        self.log_raw_input(window)
        window.connect("close-request", lambda _w: self.window_gone(window, which))
        self.tops.append(window)
        return window

    def log_raw_input(self, window: Any) -> None:
        """Log keys, buttons and wheel before any widget of the window sees them.

        One controller for each kind: PyGObject 3.42 cannot hand over a GdkEvent, so EventControllerLegacy is no way.
        """
        keys = Gtk.EventControllerKey()
        keys.connect("key-pressed", self.raw_key)
        presses = Gtk.GestureClick(button=0)
        presses.connect("pressed", self.raw_press, window)
        wheel = Gtk.EventControllerScroll(flags=Gtk.EventControllerScrollFlags.BOTH_AXES)
        wheel.connect("scroll", self.raw_wheel)
        for controller in (keys, presses, wheel):
            controller.set_propagation_phase(Gtk.PropagationPhase.CAPTURE)
            window.add_controller(controller)

    # ---- building

    def build_form(self) -> None:
        page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        columns = Gtk.Box(spacing=16, margin_start=10, margin_end=10, margin_top=10, margin_bottom=10)
        page.append(self.menu_bar())
        page.append(columns)
        fields = Gtk.Grid(row_spacing=6, column_spacing=8)
        right = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8)
        for child in (self.buttons, fields, right):
            columns.append(child)
        self.fill_buttons()
        self.fill_fields(fields)
        self.fill_right(right)
        self.window.set_child(page)

    def add_button(self, box: Any, name: str) -> Any:
        button = self.register(name, Gtk.Button(label=name))
        button.connect("clicked", self.clicked)
        box.append(button)
        return button

    def fill_buttons(self) -> None:
        for name in ("Go", "Off", "Idle", "Slow", "Open dialog", "Close me"):
            self.add_button(self.buttons, name)
        self.find("Off").set_sensitive(False)
        pixels = GLib.Bytes.new(bytes(ICON_RGB) * ICON_SIDE * ICON_SIDE)
        texture = Gdk.MemoryTexture.new(ICON_SIDE, ICON_SIDE, Gdk.MemoryFormat.R8G8B8, pixels, ICON_SIDE * 3)
        icon = self.register("Icon", named(Gtk.Button(child=Gtk.Image.new_from_paintable(texture)), "Icon"))
        icon.connect("clicked", self.clicked)
        self.buttons.append(icon)
        for name, text in (("Status", "Status"), ("Total", "Total: 42")):
            self.buttons.append(self.register(name, Gtk.Label(label=text, xalign=0)))

    def fill_fields(self, grid: Any) -> None:
        remember = Gtk.CheckButton(label="Remember")
        small = Gtk.CheckButton(label="Small", active=True)
        large = Gtk.CheckButton(label="Large", group=small)
        for name, toggle in (("Remember", remember), ("Small", small), ("Large", large)):
            toggle.connect("toggled", lambda w: self.log.write("toggle", self.name_of(w), w.get_active()))
            self.register(name, toggle)
        radios = Gtk.Box(spacing=8)
        radios.append(small)
        radios.append(large)
        grid.attach(remember, 0, 0, 2, 1)
        grid.attach(radios, 0, 1, 2, 1)
        power = Gtk.Switch(halign=Gtk.Align.START)
        power.connect("notify::active", lambda w, _p: self.log.write("toggle", self.name_of(w), w.get_active()))
        count = Gtk.SpinButton.new_with_range(0, 100, 1)
        volume = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
        for widget, value in ((count, 1), (volume, 10)):
            widget.set_value(value)
            widget.connect("value-changed", lambda w: self.log.write("change", self.name_of(w), w.get_value()))
        company = Gtk.DropDown.new_from_strings(COMPANIES)
        # GTK 4.18 (Debian 13) labels a drop-down by its own content, which would hide the name given to it below.
        company.reset_relation(Gtk.AccessibleRelation.LABELLED_BY)
        company.connect("notify::selected", lambda w, _p: self.log.write("change", self.name_of(w), self.value_of(w)))
        rows = [("Power", power)]
        rows += [(name, self.entry(name)) for name in ("Name", "Fixed", "Secret", "Search")]
        rows += [("Count", count), ("Volume", volume), ("Company", company), ("Notes", self.notes())]
        for line, (name, widget) in enumerate(rows, start=2):
            self.register(name, named(widget, name))
            grid.attach(Gtk.Label(label=f"{name}:", xalign=0), 0, line, 1, 1)
            grid.attach(widget if name != "Notes" else self.notes_frame, 1, line, 1, 1)

    def entry(self, name: str) -> Any:
        if name == "Secret":
            entry = Gtk.PasswordEntry(width_chars=24, text=CANARY)
        elif name == "Fixed":
            entry = Gtk.Entry(width_chars=24, text="fixed text", editable=False)
        else:
            entry = Gtk.Entry(width_chars=24)
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
        self.notes_frame = Gtk.ScrolledWindow(height_request=80, has_frame=True, child=notes)
        return notes

    def fill_right(self, box: Any) -> None:
        self.rows = self.register("Rows", named(Gtk.ListBox(), "Rows"))
        for name in ROW_NAMES:
            self.rows.append(Gtk.Label(label=name, xalign=0))
        self.rows.connect("row-selected", lambda _l, row: row and self.log.write("select", "Rows", self.row_name(row)))
        self.scroller = Gtk.ScrolledWindow(
            height_request=260, width_request=240, overlay_scrolling=False, has_frame=True, child=self.rows
        )
        self.scroller.get_vadjustment().connect(
            "value-changed", lambda a: self.log.write("scroll", "Rows", a.get_value())
        )
        box.append(self.scroller)
        self.tabs = Gtk.Notebook()
        for tab, button in (("One", "P1"), ("Two", "P2")):
            page = Gtk.Box(margin_start=8, margin_end=8, margin_top=8, margin_bottom=8)
            self.add_button(page, button)
            self.tabs.append_page(page, self.register(tab, Gtk.Label(label=tab)))
        box.append(self.tabs)
        parcel = self.register("Parcel", named(Gtk.Label(label="Parcel", height_request=40), "Parcel"))
        drag = Gtk.GestureDrag()
        drag.connect("drag-begin", lambda _g, _x, _y: self.log.write("drag", "Parcel"))
        drag.connect("drag-end", self.parcel_released)
        parcel.add_controller(drag)
        shelf = Gtk.Frame(height_request=60, child=Gtk.Label(label="Shelf"))
        box.append(parcel)
        box.append(self.register("Shelf", named(shelf, "Shelf")))

    def parcel_released(self, drag: Any, dx: float, dy: float) -> None:
        _, x, y = drag.get_start_point()
        parcel, scale = self.find("Parcel"), self.window.get_scale_factor()
        left, top, _, _ = self.full_rect(parcel)
        self.dropped(round(left + (x + dx) * scale), round(top + (y + dy) * scale))

    def menu_bar(self) -> Any:
        bar, file = Gio.Menu(), Gio.Menu()
        actions = Gio.SimpleActionGroup()
        for name, action_name in (("Open It", "open-it"), ("Quit", "quit")):
            action = Gio.SimpleAction.new(action_name, None)
            action.connect("activate", self.menu_chosen, name)
            actions.add_action(action)
            file.append(name, f"form.{action_name}")
        self.window.insert_action_group("form", actions)
        bar.append_submenu("File", file)
        self.menu = Gtk.PopoverMenuBar.new_from_model(bar)
        return self.menu

    def menu_chosen(self, _action: Any, _parameter: Any, name: str) -> None:
        self.log.write("menu", name)
        if name == "Quit":
            self.quit()

    # ---- events

    def mapped(self) -> None:
        if self.ready:
            return
        self.ready = True
        if self.options.layout == "form":  # not earlier: showing the first page is a switch, too
            self.tabs.connect("switch-page", lambda _n, _p, i: self.log.write("tab", ("One", "Two")[i]))
        self.log_ready(self.is_settled, lambda ms, call: GLib.timeout_add(ms, call))

    def is_settled(self) -> bool:
        # "map" only says that GTK has asked for it. A move before the window manager has the window would be lost.
        window = self.window.get_surface().get_xid()
        if not self.x.is_viewable(window):
            return False
        if self.options.at and not self.moved:
            self.moved = True
            self.move_window(*self.options.at)
        return self.is_placed(*self.x.origin(window))

    def raw_key(self, _controller: Any, keyval: int, _code: int, state: Any) -> bool:
        self.log.write("key", self.focused_name(), {"key": Gdk.keyval_name(keyval), "state": int(state) & 0xFF})
        return False

    def raw_press(self, gesture: Any, _count: int, x: float, y: float, window: Any) -> None:
        left, top, scale = self.surface_place(window)
        where = {"x": round(left + x * scale), "y": round(top + y * scale)}
        self.log.write("press", None, {**where, "button": gesture.get_current_button()})

    def raw_wheel(self, _controller: Any, dx: float, dy: float) -> bool:
        vertical = "down" if dy > 0 else "up"
        horizontal = "right" if dx > 0 else "left"
        self.log.write("wheel", None, {"direction": vertical if dy else horizontal})
        return False

    # ---- geometry

    def visible_rect(self, widget: Any) -> Rect | None:
        if not widget.get_mapped() or self.minimised(widget):
            return None
        frames = []
        parent = widget.get_parent()
        while parent is not None:
            if isinstance(parent, Gtk.Viewport | Gtk.ScrolledWindow):
                frames.append(self.full_rect(parent))
            parent = parent.get_parent()
        return clip(self.full_rect(widget), frames)

    def minimised(self, widget: Any) -> bool:
        surface = widget.get_root().get_surface()
        return bool(surface.get_state() & Gdk.ToplevelState.MINIMIZED)

    def full_rect(self, widget: Any) -> Rect:
        native = widget.get_native()
        _, bounds = widget.compute_bounds(native)
        left, top, scale = self.surface_place(native)
        x, y = left + bounds.get_x() * scale, top + bounds.get_y() * scale
        return [round(x), round(y), round(bounds.get_width() * scale), round(bounds.get_height() * scale)]

    def surface_place(self, native: Any) -> tuple[float, float, int]:
        """Return the root px of the native widget's own origin, and the px of one unit."""
        surface = native.get_surface()
        assert isinstance(surface, GdkX11.X11Surface), "start it with GDK_BACKEND=x11"
        shift_x, shift_y = native.get_surface_transform()
        left, top = self.x.origin(surface.get_xid())
        scale = surface.get_scale_factor()
        return left + shift_x * scale, top + shift_y * scale, scale

    def window_rect(self) -> Rect | None:
        return self.visible_rect(self.window) if self.window is not None else None

    def part_rects(self) -> dict[str, Rect | None]:
        if self.options.layout == "list" or self.window is None:
            return {}
        rows = [self.rows.get_row_at_index(index) for index in range(len(ROW_NAMES))]
        places = {self.row_name(row): self.visible_rect(row) for row in rows}
        for part in descendants(self.menu):
            kind = GObject.type_name(part)
            if kind == "GtkPopoverMenuBarItem":
                places["File"] = self.visible_rect(part)
            elif kind == "GtkModelButton":
                places[part.get_property("text")] = self.visible_rect(part)
        return places

    def row_name(self, row: Any) -> str:
        return row.get_child().get_text()

    # ---- state

    def value_of(self, widget: Any) -> object:
        if isinstance(widget, Gtk.SpinButton | Gtk.Scale):
            return widget.get_value()
        if isinstance(widget, Gtk.Editable | Gtk.Label):
            return widget.get_text()
        if isinstance(widget, Gtk.CheckButton | Gtk.Switch):
            return widget.get_active()
        if isinstance(widget, Gtk.DropDown):
            return widget.get_selected_item().get_string()
        if isinstance(widget, Gtk.TextView):
            buffer = widget.get_buffer()
            return buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True)
        if isinstance(widget, Gtk.ListBox):
            row = widget.get_selected_row()
            offset = self.scroller.get_vadjustment().get_value()
            return {"selected": self.row_name(row) if row else None, "offset": offset}
        return None

    def is_enabled(self, widget: Any) -> bool:
        return widget.is_sensitive()

    def focused_name(self) -> str | None:
        """Name of the registered widget which is, or holds, the focus (an entry's focus is on its inner text)."""
        widget = next((top.get_focus() for top in self.tops if top.is_active()), None)
        while widget is not None:
            name = self.name_of(widget)
            if name in self.widgets:
                return name
            widget = widget.get_parent()
        return None

    # ---- changes

    def take_out(self, widget: Any) -> None:
        box = widget.get_parent()
        if not isinstance(box, Gtk.Box):
            raise TypeError(f"{self.name_of(widget)!r} is not in a box")
        box.remove(widget)

    def put_in(self, name: str, index: int) -> None:
        button = self.add_button(self.buttons, name)
        before = self.buttons.get_first_child() if index > 0 else None
        for _ in range(index - 1):
            before = before.get_next_sibling() or before
        self.buttons.reorder_child_after(button, before)

    def set_label(self, widget: Any, text: str) -> None:
        widget.set_label(text)

    def set_enabled(self, widget: Any, on: bool) -> None:
        widget.set_sensitive(on)

    def set_shown(self, widget: Any, on: bool) -> None:
        widget.set_visible(on)

    def move_window(self, x: int, y: int) -> None:
        self.x.move(self.window.get_surface().get_xid(), x, y)

    def resize_window(self, w: int, h: int) -> None:
        scale = self.window.get_scale_factor()
        self.window.set_default_size(w // scale, h // scale)

    def minimise_window(self) -> None:
        self.window.minimize()

    def open_other(self, title: str) -> None:
        other, box = self.new_window(title, "other"), Gtk.Box()
        self.add_button(box, "Other")
        other.set_child(box)
        other.present()

    def open_dialog(self) -> None:
        modal = {"transient_for": self.window, "modal": True, "accessible_role": Gtk.AccessibleRole.DIALOG}
        dialog = self.new_window("Confirm", "dialog", **modal)
        page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=12)
        page.append(Gtk.Label(label="Really do it?", margin_start=20, margin_end=20, margin_top=20))
        row = Gtk.Box(spacing=8, halign=Gtk.Align.END)
        page.append(row)
        dialog.set_child(page)

        def answered(widget: Any) -> None:
            self.log.write("click", self.name_of(widget))
            self.log.write("dialog", "Confirm", widget.get_label().lower())
            self.window_gone(dialog, "dialog")
            dialog.destroy()

        for name in ("OK", "Cancel"):
            button = self.register(name, Gtk.Button(label=name))
            button.connect("clicked", answered)
            row.append(button)
        dialog.present()

    def window_gone(self, window: Any, which: str) -> None:
        """Forget a window. GTK 4 emits "destroy" only with the last reference, which Python holds: call it yourself."""
        self.log.write("closed", which)
        self.tops.remove(window)
        self.unregister(*[widget for widget in self.widgets.values() if widget.get_root() is window])
        if which == "main":
            self.window = None
        if not self.tops and not self.options.keep:
            self.quit()

    def close_window(self) -> None:
        if self.window is not None:
            window = self.window
            self.window_gone(window, "main")
            window.destroy()

    def quit(self) -> None:
        GLib.idle_add(self.loop.quit)  # later, so that a control command still gets its reply

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
    GLib.set_prgname("gtk4_form.py")  # else the accessibility bus knows it as "Unnamed"
    Gtk.init()
    fixture = Gtk4Fixture()
    fixture.loop.run()
    if fixture.options.control:
        fixture.server.close()
