#!/usr/bin/python3
"""Fixture application in Qt 5, or in Qt 6 with `--qt 6`; see README.md."""

from __future__ import annotations

import importlib
import os
import sys
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

OPTIONS = parse_options("FormQt", lambda parser: parser.add_argument("--qt", choices=("5", "6"), default="5"))
QtCore = importlib.import_module(f"PyQt{OPTIONS.qt}.QtCore")
QtGui = importlib.import_module(f"PyQt{OPTIONS.qt}.QtGui")
QtWidgets = importlib.import_module(f"PyQt{OPTIONS.qt}.QtWidgets")


class Window(QtWidgets.QWidget):
    """A toplevel which says when it is closed."""

    def __init__(self, title: str, closed: Any) -> None:
        super().__init__()
        self.setWindowTitle(title)
        self.closed = closed

    def closeEvent(self, event: Any) -> None:
        event.accept()
        self.closed()


class RawInput(QtCore.QObject):
    """Event filter of the application: hands over each native key, button and wheel event once."""

    def __init__(self, fixture: QtFixture) -> None:
        super().__init__()
        self.fixture = fixture

    def eventFilter(self, target: Any, event: Any) -> bool:
        # Qt sends an event first to the native window, then to widgets: count it at the native window only.
        if isinstance(target, QtGui.QWindow):
            self.fixture.raw_event(event)
        return False


class Parcel(QtWidgets.QLabel):
    """A label which tells where the pointer was pressed and released."""

    def __init__(self, fixture: QtFixture) -> None:
        super().__init__("Parcel")
        self.fixture = fixture

    def mousePressEvent(self, event: Any) -> None:
        self.fixture.log.write("drag", "Parcel")

    def mouseReleaseEvent(self, event: Any) -> None:
        self.fixture.dropped(*self.fixture.root_point(event))


class QtFixture(Fixture):
    """One Qt window and its log."""

    def __init__(self) -> None:
        super().__init__(OPTIONS)
        self.x = Xlib()
        self.app = QtWidgets.QApplication(sys.argv[:1])
        self.app.setQuitOnLastWindowClosed(False)
        self.watches: dict[int, Any] = {}
        self.others: list[Any] = []
        self.window = Window(self.options.title, lambda: self.window_gone("main"))
        self.buttons = QtWidgets.QVBoxLayout()
        if self.options.layout == "list":
            self.window.setLayout(self.buttons)
            for name in LIST_NAMES:
                self.add_button(self.buttons, name)
        else:
            self.build_form()
        self.raw = RawInput(self)
        self.app.installEventFilter(self.raw)
        if self.options.at:
            self.move_window(*self.options.at)
        if self.options.control:
            self.server = ControlServer(self.options.control, self.answer, self.watch, self.unwatch)
        self.window.show()
        self.log_ready(self.is_settled, QtCore.QTimer.singleShot)

    # ---- building

    def build_form(self) -> None:
        page = QtWidgets.QVBoxLayout(self.window)
        columns = QtWidgets.QHBoxLayout()
        page.setMenuBar(self.menu_bar())
        page.addLayout(columns)
        fields, right = QtWidgets.QFormLayout(), QtWidgets.QVBoxLayout()
        for part in (self.buttons, fields, right):
            columns.addLayout(part)
        self.fill_buttons()
        self.fill_fields(fields)
        self.fill_right(right)
        self.buttons.addStretch()
        right.addStretch()

    def add_button(self, layout: Any, name: str, index: int = -1) -> Any:
        button = self.register(name, QtWidgets.QPushButton(name))
        button.setAutoDefault(False)
        button.clicked.connect(lambda _on: self.clicked(button))
        layout.insertWidget(min(index, layout.count()), button)  # Qt 6 crashes on an index beyond the end
        return button

    def fill_buttons(self) -> None:
        for name in ("Go", "Off", "Idle", "Slow", "Open dialog", "Close me"):
            self.add_button(self.buttons, name)
        self.find("Off").setEnabled(False)
        pixels = QtGui.QPixmap(ICON_SIDE, ICON_SIDE)
        pixels.fill(QtGui.QColor(*ICON_RGB))
        icon = self.add_button(self.buttons, "Icon")
        icon.setText("")
        icon.setIcon(QtGui.QIcon(pixels))
        icon.setAccessibleName("Icon")
        for name, text in (("Status", "Status"), ("Total", "Total: 42")):
            self.buttons.addWidget(self.register(name, QtWidgets.QLabel(text)))

    def fill_fields(self, form: Any) -> None:
        radios = QtWidgets.QHBoxLayout()
        for name, kind in (
            ("Remember", QtWidgets.QCheckBox),
            ("Small", QtWidgets.QRadioButton),
            ("Large", QtWidgets.QRadioButton),
        ):
            self.add_toggle(name, kind(name))
            if name != "Remember":
                radios.addWidget(self.find(name))
        form.addRow(self.find("Remember"))
        form.addRow(radios)
        power = QtWidgets.QPushButton("Power")
        power.setCheckable(True)
        power.setAutoDefault(False)
        form.addRow(self.add_toggle("Power", power))
        rows = [(name, self.entry(name)) for name in ("Name", "Fixed", "Secret", "Search")]
        rows += [("Count", QtWidgets.QSpinBox()), ("Volume", QtWidgets.QSlider(QtCore.Qt.Orientation.Horizontal))]
        rows += [("Company", QtWidgets.QComboBox()), ("Notes", QtWidgets.QPlainTextEdit(NOTES))]
        for name, widget in rows:
            self.register(name, widget)
            widget.setAccessibleName(name)
            form.addRow(f"{name}:", widget)
        for name, value in (("Count", 1), ("Volume", 10)):
            self.find(name).setRange(0, 100)
            self.find(name).setValue(value)
            self.find(name).valueChanged.connect(lambda number, name=name: self.log.write("change", name, number))
        company, notes = self.find("Company"), self.find("Notes")
        company.addItems(COMPANIES)
        company.currentTextChanged.connect(lambda text: self.log.write("change", "Company", text))
        notes.setFixedHeight(80)
        notes.textChanged.connect(lambda: self.log.write("change", "Notes", notes.toPlainText()))

    def add_toggle(self, name: str, widget: Any) -> Any:
        widget.setChecked(name == "Small")
        widget.toggled.connect(lambda on: self.log.write("toggle", self.name_of(widget), on))
        return self.register(name, widget)

    def entry(self, name: str) -> Any:
        entry = QtWidgets.QLineEdit()
        if name == "Fixed":
            entry.setText("fixed text")
            entry.setReadOnly(True)
        elif name == "Secret":
            entry.setEchoMode(QtWidgets.QLineEdit.EchoMode.Password)
            entry.setText(CANARY)
        entry.textChanged.connect(lambda _text: self.log.write("change", name, self.logged_text(name, entry)))
        entry.returnPressed.connect(lambda: self.log.write("activate", name, self.logged_text(name, entry)))
        return entry

    def logged_text(self, name: str, entry: Any) -> object:
        # The secret stays out of the log so that a test may search all files for it.
        return len(entry.text()) if name == "Secret" else entry.text()

    def fill_right(self, layout: Any) -> None:
        self.rows = self.register("Rows", QtWidgets.QListWidget())
        self.rows.setAccessibleName("Rows")
        self.rows.setFixedSize(240, 260)
        self.rows.addItems(ROW_NAMES)
        self.rows.currentTextChanged.connect(lambda text: self.log.write("select", "Rows", text))
        self.rows.verticalScrollBar().valueChanged.connect(lambda offset: self.log.write("scroll", "Rows", offset))
        layout.addWidget(self.rows)
        self.tabs = QtWidgets.QTabWidget()
        for tab, button in (("One", "P1"), ("Two", "P2")):
            page = QtWidgets.QWidget()
            self.add_button(QtWidgets.QVBoxLayout(page), button)
            self.tabs.addTab(page, tab)
        self.tabs.currentChanged.connect(lambda index: self.log.write("tab", self.tabs.tabText(index)))
        layout.addWidget(self.tabs)
        shelf = QtWidgets.QLabel("Shelf")
        shelf.setFrameShape(QtWidgets.QFrame.Shape.Box)
        for name, widget in (("Parcel", Parcel(self)), ("Shelf", shelf)):
            widget.setAccessibleName(name)
            widget.setAlignment(QtCore.Qt.AlignmentFlag.AlignCenter)
            widget.setFixedHeight(50)
            layout.addWidget(self.register(name, widget))

    def menu_bar(self) -> Any:
        self.bar = QtWidgets.QMenuBar()
        self.menu = self.bar.addMenu("File")
        for name in ("Open It", "Quit"):
            self.menu.addAction(name).triggered.connect(lambda _on, name=name: self.menu_chosen(name))
        return self.bar

    def menu_chosen(self, name: str) -> None:
        self.log.write("menu", name)
        if name == "Quit":
            self.quit()

    # ---- events

    def is_settled(self) -> bool:
        return self.x.is_viewable(int(self.window.winId())) and self.window.windowHandle().isExposed()

    def raw_event(self, event: Any) -> None:
        kinds = QtCore.QEvent.Type
        if event.type() == kinds.KeyPress:
            key = self.x.key_name(event.nativeVirtualKey())
            self.log.write("key", self.focused_name(), {"key": key, "state": event.nativeModifiers() & 0xFF})
        elif event.type() in (kinds.MouseButtonPress, kinds.MouseButtonDblClick):
            x, y = self.root_point(event)
            buttons = QtCore.Qt.MouseButton
            number = {buttons.LeftButton: 1, buttons.MiddleButton: 2, buttons.RightButton: 3}.get(event.button(), 0)
            self.log.write("press", None, {"x": x, "y": y, "button": number})
        elif event.type() == kinds.Wheel:
            turn = event.angleDelta()
            vertical, horizontal = ("up" if turn.y() > 0 else "down"), ("left" if turn.x() > 0 else "right")
            self.log.write("wheel", None, {"direction": vertical if turn.y() else horizontal})

    def root_point(self, event: Any) -> tuple[int, int]:
        point = event.globalPosition() if self.options.qt == "6" else event.globalPos()
        scale = self.scale()
        return round(point.x() * scale), round(point.y() * scale)

    def scale(self) -> float:
        return self.app.primaryScreen().devicePixelRatio()

    # ---- geometry

    def visible_rect(self, widget: Any) -> Rect | None:
        return self.visible_part(widget, widget.rect())

    def visible_part(self, widget: Any, part: Any) -> Rect | None:
        """Return a rectangle of a widget in root px, clipped to all its parents in the same window."""
        if not widget.isVisible() or widget.window().isMinimized():
            return None
        frames = []
        parent = widget
        while parent is not None:
            frames.append(self.root_rect(parent, parent.rect()))
            parent = None if parent.isWindow() else parent.parentWidget()
        return clip(self.root_rect(widget, part), frames)

    def root_rect(self, widget: Any, part: Any) -> Rect:
        # Not mapToGlobal: Qt learns late that the window manager has moved the window.
        corner, scale = widget.mapTo(widget.window(), part.topLeft()), self.scale()
        left, top = self.x.origin(int(widget.window().winId()))
        x, y = left + corner.x() * scale, top + corner.y() * scale
        return [round(x), round(y), round(part.width() * scale), round(part.height() * scale)]

    def window_rect(self) -> Rect | None:
        return self.visible_rect(self.window) if self.window is not None else None

    def part_rects(self) -> dict[str, Rect | None]:
        if self.options.layout == "list" or self.window is None:
            return {}
        items = [self.rows.item(index) for index in range(self.rows.count())]
        view, tab_bar = self.rows.viewport(), self.tabs.tabBar()
        places = {item.text(): self.visible_part(view, self.rows.visualItemRect(item)) for item in items}
        for index in range(tab_bar.count()):
            places[tab_bar.tabText(index)] = self.visible_part(tab_bar, tab_bar.tabRect(index))
        places["File"] = self.visible_part(self.bar, self.bar.actionGeometry(self.menu.menuAction()))
        for action in self.menu.actions():
            places[action.text()] = self.visible_part(self.menu, self.menu.actionGeometry(action))
        return places

    # ---- state

    def value_of(self, widget: Any) -> object:
        if isinstance(widget, QtWidgets.QSpinBox | QtWidgets.QSlider):
            return widget.value()
        if isinstance(widget, QtWidgets.QLineEdit | QtWidgets.QLabel):
            return widget.text()
        if isinstance(widget, QtWidgets.QAbstractButton):
            return widget.isChecked() if widget.isCheckable() else None
        if isinstance(widget, QtWidgets.QComboBox):
            return widget.currentText()
        if isinstance(widget, QtWidgets.QPlainTextEdit):
            return widget.toPlainText()
        if isinstance(widget, QtWidgets.QListWidget):
            chosen = widget.selectedItems()
            offset = widget.verticalScrollBar().value()
            return {"selected": chosen[0].text() if chosen else None, "offset": offset}
        return None

    def is_enabled(self, widget: Any) -> bool:
        return widget.isEnabled()

    def focused_name(self) -> str | None:
        widget = self.app.focusWidget()
        return self.name_of(widget) if widget is not None else None

    # ---- changes

    def take_out(self, widget: Any) -> None:
        layout = widget.parentWidget().layout()
        layout.removeWidget(widget)
        widget.setParent(None)

    def put_in(self, name: str, index: int) -> None:
        self.add_button(self.buttons, name, index)

    def set_label(self, widget: Any, text: str) -> None:
        widget.setText(text)

    def set_enabled(self, widget: Any, on: bool) -> None:
        widget.setEnabled(on)

    def set_shown(self, widget: Any, on: bool) -> None:
        widget.setVisible(on)

    def move_window(self, x: int, y: int) -> None:
        scale = self.scale()
        self.window.move(round(x / scale), round(y / scale))

    def resize_window(self, w: int, h: int) -> None:
        scale = self.scale()
        self.window.resize(round(w / scale), round(h / scale))

    def minimise_window(self) -> None:
        self.window.showMinimized()

    def open_other(self, title: str) -> None:
        other = Window(title, lambda: self.window_gone("other", other, button))
        button = self.add_button(QtWidgets.QHBoxLayout(other), "Other")
        self.others.append(other)
        other.show()

    def open_dialog(self) -> None:
        dialog = QtWidgets.QDialog(self.window)
        dialog.setWindowTitle("Confirm")
        dialog.setModal(True)
        page, row = QtWidgets.QVBoxLayout(dialog), QtWidgets.QHBoxLayout()
        page.addWidget(QtWidgets.QLabel("Really do it?"))
        page.addLayout(row)
        buttons = {name: self.add_button(row, name) for name in ("OK", "Cancel")}
        buttons["OK"].clicked.connect(dialog.accept)
        buttons["Cancel"].clicked.connect(dialog.reject)

        def finished(result: int) -> None:
            self.log.write("dialog", "Confirm", "ok" if result else "cancel")
            self.log.write("closed", "dialog")
            self.unregister(*buttons.values())
            dialog.deleteLater()

        dialog.finished.connect(finished)
        dialog.open()

    def window_gone(self, which: str, *widgets: Any) -> None:
        self.log.write("closed", which)
        if which == "main":
            self.removed.append(self.window)  # deleted in its own handler it would take the process down
            self.window = None
            self.widgets = {name: widget for name, widget in self.widgets.items() if widget.window() in self.others}
        self.others = [other for other in self.others if other not in widgets]
        self.unregister(*widgets)
        if self.window is None and not self.others and not self.options.keep:
            self.quit()

    def close_window(self) -> None:
        if self.window is not None:
            self.window.close()

    def quit(self) -> None:
        QtCore.QTimer.singleShot(0, self.app.quit)  # later, so that a control command still gets its reply

    # ---- main loop

    def watch(self, number: int, ready: Any) -> None:
        notifier = QtCore.QSocketNotifier(number, QtCore.QSocketNotifier.Type.Read)
        notifier.activated.connect(lambda *_args: ready())
        self.watches[number] = notifier

    def unwatch(self, number: int) -> None:
        self.watches.pop(number).setEnabled(False)


if __name__ == "__main__":
    fixture = QtFixture()
    run = fixture.app.exec if hasattr(fixture.app, "exec") else fixture.app.exec_
    run()
    if fixture.options.control:
        fixture.server.close()
    sys.stdout.flush()
    os._exit(0)  # Qt objects kept by Python are not torn down in a safe order
