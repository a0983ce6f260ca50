#!/usr/bin/python3
"""Fixture application in Tk; see README.md. Nothing of it is ever on the accessibility bus."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import Any

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


class TkFixture(Fixture):
    """One Tk window and its log."""

    def __init__(self) -> None:
        super().__init__(parse_options("FormTk"))
        self.root = tk.Tk(className="Formtk")
        self.root.withdraw()  # the hidden root keeps the process and its loop when the visible window is gone
        self.x = Xlib()
        self.others: list[Any] = []
        self.variables: dict[str, tk.Variable] = {}
        self.window: Any = tk.Toplevel(self.root)
        self.window.title(self.options.title)
        self.window.protocol("WM_DELETE_WINDOW", self.close_window)
        for sequence, handler in (
            ("<KeyPress>", self.raw_key),
            ("<ButtonPress>", self.raw_press),
        ):
            self.root.bind_class("Raw", sequence, handler)
        self.buttons = tk.Frame(self.window)
        if self.options.layout == "list":
            self.buttons.pack(fill="both", expand=True)
            for name in LIST_NAMES:
                self.add_button(self.buttons, name)
        else:
            self.build_form()
        self.watch_raw(self.window)
        if self.options.at:
            self.move_window(*self.options.at)
        self.ready = False
        if self.options.control:
            self.server = ControlServer(self.options.control, self.answer, self.watch, self.unwatch)
        self.window.bind("<Map>", self.mapped)

    # ---- building

    def build_form(self) -> None:
        bar = tk.Frame(self.window)
        bar.pack(fill="x")
        self.menu_bar(bar)
        columns = tk.Frame(self.window, padx=10, pady=10)
        columns.pack(fill="both", expand=True)
        fields, right = tk.Frame(columns), tk.Frame(columns)
        self.buttons = tk.Frame(columns)
        for part in (self.buttons, fields, right):
            part.pack(side="left", anchor="n", padx=8)
        self.fill_buttons()
        self.fill_fields(fields)
        self.fill_right(right)

    def add_button(self, box: Any, name: str, **options: Any) -> Any:
        button = self.register(name, tk.Button(box, text=name, **options))
        button.configure(command=lambda: self.clicked(button))
        button.pack(fill="x", pady=2)
        return button

    def fill_buttons(self) -> None:
        for name in ("Go", "Off", "Idle", "Slow", "Open dialog", "Close me"):
            self.add_button(self.buttons, name)
        self.find("Off").configure(state="disabled")
        self.icon = tk.PhotoImage(master=self.root, width=ICON_SIDE, height=ICON_SIDE)
        self.icon.put("#{:02x}{:02x}{:02x}".format(*ICON_RGB), to=(0, 0, ICON_SIDE, ICON_SIDE))
        self.add_button(self.buttons, "Icon", image=self.icon)
        for name, text in (("Status", "Status"), ("Total", "Total: 42")):
            self.register(name, tk.Label(self.buttons, text=text, anchor="w")).pack(fill="x")

    def variable(self, name: str, kind: Any, value: object, event: str = "change") -> Any:
        """Make the variable of a field, which logs each change."""
        variable = kind(self.root, value)
        variable.trace_add("write", lambda *_names: self.log.write(event, name, self.logged(name)))
        self.variables[name] = variable
        return variable

    def logged(self, name: str) -> object:
        value = self.read(name)
        # The secret stays out of the log so that a test may search all files for it.
        return len(value) if name == "Secret" and isinstance(value, str) else value

    def read(self, name: str) -> object:
        try:
            return self.variables[name].get()
        except tk.TclError:  # a number field which is empty at the moment
            return None

    def fill_fields(self, grid: Any) -> None:
        toggles = [("Remember", tk.BooleanVar), ("Power", tk.BooleanVar)]
        for line, (name, kind) in enumerate(toggles):
            variable = self.variable(name, kind, False, "toggle")
            style = "Toolbutton" if name == "Power" else "TCheckbutton"
            check = ttk.Checkbutton(grid, text=name, variable=variable, style=style)
            self.register(name, check).grid(row=line, column=0, sticky="w")
        self.size = tk.StringVar(self.root, "Small")
        self.size.trace_add("write", lambda *_names: self.log.write("toggle", self.size.get(), True))
        for column, name in enumerate(("Small", "Large")):
            radio = ttk.Radiobutton(grid, text=name, value=name, variable=self.size)
            self.register(name, radio).grid(row=2, column=column, sticky="w")
        rows = [(name, self.entry(grid, name)) for name in ("Name", "Fixed", "Secret", "Search")]
        count = self.variable("Count", tk.IntVar, 1)
        volume = self.variable("Volume", tk.IntVar, 10)
        rows.append(("Count", ttk.Spinbox(grid, from_=0, to=100, textvariable=count)))
        rows.append(("Volume", tk.Scale(grid, from_=0, to=100, orient="horizontal", variable=volume, showvalue=False)))
        company = self.variable("Company", tk.StringVar, COMPANIES[0])
        rows.append(("Company", ttk.Combobox(grid, values=COMPANIES, textvariable=company, state="readonly")))
        rows.append(("Notes", self.notes(grid)))
        for line, (name, widget) in enumerate(rows, start=3):
            tk.Label(grid, text=f"{name}:").grid(row=line, column=0, sticky="w")
            self.register(name, widget).grid(row=line, column=1, sticky="we", pady=3)

    def entry(self, grid: Any, name: str) -> Any:
        text = {"Fixed": "fixed text", "Secret": CANARY}.get(name, "")
        entry = tk.Entry(grid, textvariable=self.variable(name, tk.StringVar, text), width=26)
        if name == "Fixed":
            entry.configure(state="readonly")
        elif name == "Secret":
            entry.configure(show="*")
        entry.bind("<Return>", lambda _event: self.log.write("activate", name, self.logged(name)))
        return entry

    def notes(self, grid: Any) -> Any:
        notes = tk.Text(grid, width=26, height=4)
        notes.insert("1.0", NOTES)
        notes.edit_modified(False)

        def modified(_event: Any) -> None:
            if notes.edit_modified():
                notes.edit_modified(False)
                self.log.write("change", "Notes", self.value_of(notes))

        notes.bind("<<Modified>>", modified)
        return notes

    def fill_right(self, box: Any) -> None:
        frame = tk.Frame(box)
        frame.pack()
        rows = self.register("Rows", tk.Listbox(frame, height=13, width=28, exportselection=False))
        rows.insert("end", *ROW_NAMES)
        bar = tk.Scrollbar(frame, command=rows.yview)
        self.offset = rows.nearest(0)

        def scrolled(first: str, last: str) -> None:
            bar.set(first, last)
            if rows.nearest(0) != self.offset:
                self.offset = rows.nearest(0)
                self.log.write("scroll", "Rows", self.offset)

        rows.configure(yscrollcommand=scrolled)
        rows.pack(side="left")
        bar.pack(side="left", fill="y")
        rows.bind("<<ListboxSelect>>", lambda _e: self.log.write("select", "Rows", self.value_of(rows)["selected"]))
        self.rows = rows
        self.tabs = ttk.Notebook(box)
        self.tabs.pack(fill="x", pady=6)
        for tab, button in (("One", "P1"), ("Two", "P2")):
            page = tk.Frame(self.tabs)
            self.add_button(page, button)
            self.tabs.add(page, text=tab)
        parcel = self.register("Parcel", tk.Label(box, text="Parcel", height=2))
        parcel.bind("<ButtonPress-1>", lambda _event: self.log.write("drag", "Parcel"))
        parcel.bind("<ButtonRelease-1>", lambda event: self.dropped(event.x_root, event.y_root))
        shelf = self.register("Shelf", tk.Label(box, text="Shelf", height=3, relief="groove"))
        for widget in (parcel, shelf):
            widget.pack(fill="x", pady=4)

    def menu_bar(self, bar: Any) -> None:
        file = self.register("File", tk.Menubutton(bar, text="File"))
        self.menu = tk.Menu(file, tearoff=False)
        for name in ("Open It", "Quit"):
            self.menu.add_command(label=name, command=lambda name=name: self.menu_chosen(name))
        file.configure(menu=self.menu)
        file.pack(side="left")

    def menu_chosen(self, name: str) -> None:
        self.log.write("menu", name)
        if name == "Quit":
            self.quit()

    # ---- events

    def mapped(self, event: Any) -> None:
        if self.ready or event.widget is not self.window:
            return
        self.ready = True
        if self.options.layout == "form":  # not earlier: showing the first page is a switch, too
            self.root.update_idletasks()
            self.tabs.bind("<<NotebookTabChanged>>", self.tab_changed)
        self.log_ready(self.is_settled, self.root.after)

    def is_settled(self) -> bool:
        # Tk learns late that the window manager has moved the window.
        place = self.window.winfo_rootx(), self.window.winfo_rooty()
        return place == self.x.origin(self.window.winfo_id()) and self.is_placed(*place)

    def tab_changed(self, _event: Any) -> None:
        self.log.write("tab", self.tabs.tab("current", "text"))

    def watch_raw(self, widget: Any) -> None:
        """Put the logging bindings before all others, which may end the processing of an event."""
        widget.bindtags(("Raw", *[tag for tag in widget.bindtags() if tag != "Raw"]))
        for child in widget.winfo_children():
            self.watch_raw(child)

    def raw_key(self, event: Any) -> None:
        if event.widget is not event.widget.winfo_toplevel():  # a toplevel is in the bindtags of its children
            self.log.write("key", self.focused_name(), {"key": event.keysym, "state": int(event.state) & 0xFF})

    def raw_press(self, event: Any) -> None:
        if event.num > 3:
            self.log.write("wheel", None, {"direction": {4: "up", 5: "down", 6: "left", 7: "right"}[event.num]})
        else:
            self.log.write("press", None, {"x": event.x_root, "y": event.y_root, "button": event.num})

    # ---- geometry

    def visible_rect(self, widget: Any) -> Rect | None:
        if not widget.winfo_viewable():
            return None
        frames = []
        parent = widget
        while parent is not widget.winfo_toplevel():
            parent = parent.master
            frames.append(self.full_rect(parent))
        return clip(self.full_rect(widget), frames)

    def full_rect(self, widget: Any) -> Rect:
        return [widget.winfo_rootx(), widget.winfo_rooty(), widget.winfo_width(), widget.winfo_height()]

    def window_rect(self) -> Rect | None:
        return self.visible_rect(self.window) if self.window is not None else None

    def part_rects(self) -> dict[str, Rect | None]:
        if self.options.layout == "list" or self.window is None or not self.window.winfo_viewable():
            return {}
        return self.row_rects() | self.tab_rects() | self.menu_rects()

    def row_rects(self) -> dict[str, Rect | None]:
        left, top, width, height = self.full_rect(self.rows)
        places: dict[str, Rect | None] = {}
        for index, name in enumerate(ROW_NAMES):
            box = self.rows.bbox(index)  # of the text; the row is as wide as the list
            if box:
                places[name] = clip([left, top + box[1], width, box[3]], [[left, top, width, height]])
        return places

    def tab_rects(self) -> dict[str, Rect | None]:
        """Find each tab by asking which one is under a point: ttk has no other way."""
        left, top, width, _ = self.full_rect(self.tabs)
        places: dict[str, Rect | None] = {}
        for index, name in enumerate(("One", "Two")):
            middle = next(y for y in range(4, 40) if self.tabs.identify(8, y))
            across = [x for x in range(width) if self.tab_at(x, middle + 6) == index]
            if across:
                down = [y for y in range(60) if self.tab_at(across[len(across) // 2], y) == index]
                places[name] = [left + across[0], top + down[0], len(across), len(down)]
        return places

    def tab_at(self, x: int, y: int) -> int | None:
        try:
            return self.tabs.index(f"@{x},{y}")
        except tk.TclError:
            return None

    def menu_rects(self) -> dict[str, Rect | None]:
        if not self.menu.winfo_viewable():
            return {}
        left, top, width, height = self.full_rect(self.menu)
        edges = [self.menu.yposition(0), self.menu.yposition(1), height - self.menu.yposition(0)]
        return {
            name: [left, top + edges[index], width, edges[index + 1] - edges[index]]
            for index, name in enumerate(("Open It", "Quit"))
        }

    # ---- state

    def value_of(self, widget: Any) -> object:
        name = self.name_of(widget)
        if name in self.variables:
            return self.read(name)
        if isinstance(widget, ttk.Radiobutton):
            return self.size.get() == str(widget.cget("value"))
        if isinstance(widget, tk.Label):
            return widget.cget("text")
        if isinstance(widget, tk.Text):
            return widget.get("1.0", "end-1c")
        if isinstance(widget, tk.Listbox):
            chosen = widget.curselection()
            return {"selected": widget.get(chosen[0]) if chosen else None, "offset": widget.nearest(0)}
        return None

    def is_enabled(self, widget: Any) -> bool:
        return str(widget.cget("state")) != "disabled"

    def focused_name(self) -> str | None:
        try:
            widget = self.root.focus_get()
        except KeyError:  # tkinter does not know the widgets inside a combo box's list
            return None
        return self.name_of(widget) if widget in self.widgets.values() else None

    # ---- changes

    def take_out(self, widget: Any) -> None:
        manager = widget.winfo_manager()
        if manager not in {"pack", "grid"}:
            raise TypeError(f"{self.name_of(widget)!r} is not in a pack or grid")
        getattr(widget, f"{manager}_forget")()

    def put_in(self, name: str, index: int) -> None:
        button = self.add_button(self.buttons, name)
        self.watch_raw(button)
        others = [child for child in self.buttons.pack_slaves() if child is not button]
        if index < len(others):
            button.pack_configure(before=others[index])

    def set_label(self, widget: Any, text: str) -> None:
        widget.configure(text=text)

    def set_enabled(self, widget: Any, on: bool) -> None:
        widget.configure(state="normal" if on else "disabled")

    def set_shown(self, widget: Any, on: bool) -> None:
        if not on:
            # Tk forgets the place of a hidden packed widget: note what comes after it.
            slaves = widget.master.pack_slaves()
            widget.shown_before = slaves[slaves.index(widget) + 1] if widget is not slaves[-1] else None
            widget.pack_forget()
        elif not widget.winfo_manager():
            widget.pack(fill="x", pady=2, **({"before": widget.shown_before} if widget.shown_before else {}))

    def move_window(self, x: int, y: int) -> None:
        self.window.geometry(f"+{x}+{y}")

    def resize_window(self, w: int, h: int) -> None:
        self.window.geometry(f"{w}x{h}")

    def minimise_window(self) -> None:
        self.window.iconify()

    def open_other(self, title: str) -> None:
        other = tk.Toplevel(self.root)
        other.title(title)
        self.add_button(other, "Other")
        other.protocol("WM_DELETE_WINDOW", lambda: self.shut(other, "other"))
        self.watch_raw(other)
        self.others.append(other)

    def open_dialog(self) -> None:
        dialog = tk.Toplevel(self.window)
        dialog.title("Confirm")
        dialog.transient(self.window)
        tk.Label(dialog, text="Really do it?", padx=20, pady=20).pack()
        row = tk.Frame(dialog)
        row.pack()

        def answered(name: str, button: Any = None) -> None:
            if button is not None:
                self.log.write("click", self.name_of(button))
            self.log.write("dialog", "Confirm", name.lower())
            self.shut(dialog, "dialog")

        for name in ("OK", "Cancel"):
            button = self.register(name, tk.Button(row, text=name))
            button.configure(command=lambda name=name, button=button: answered(name, button))
            button.pack(side="left", padx=4, pady=8)
        dialog.protocol("WM_DELETE_WINDOW", lambda: answered("Cancel"))
        self.watch_raw(dialog)
        dialog.wait_visibility()
        dialog.grab_set()

    def shut(self, window: Any, which: str) -> None:
        self.log.write("closed", which)
        self.unregister(*[widget for widget in self.widgets.values() if widget.winfo_toplevel() is window])
        window.destroy()
        self.others = [other for other in self.others if other is not window]
        if which == "main":
            self.window = None
        if self.window is None and not self.others and not self.options.keep:
            self.quit()

    def close_window(self) -> None:
        if self.window is not None:
            self.shut(self.window, "main")

    def quit(self) -> None:
        self.root.after_idle(self.root.quit)  # later, so that a control command still gets its reply

    # ---- main loop

    def watch(self, number: int, ready: Any) -> None:
        self.root.createfilehandler(number, tk.READABLE, lambda *_args: ready())

    def unwatch(self, number: int) -> None:
        self.root.deletefilehandler(number)


if __name__ == "__main__":
    fixture = TkFixture()
    fixture.root.mainloop()
    if fixture.options.control:
        fixture.server.close()
