"""A window of PySide6's usual controls, for the comparison; runs under the Python of the peers."""

from __future__ import annotations

import importlib
import sys
from functools import partial
from typing import Any

widgets: Any = importlib.import_module("PySide6.QtWidgets")
core: Any = importlib.import_module("PySide6.QtCore")
ROWS = 200  # of the list


def fields() -> Any:
    """Return a form."""
    panel = widgets.QWidget()
    form = widgets.QFormLayout(panel)
    choice, volume = widgets.QComboBox(), widgets.QSlider(core.Qt.Orientation.Horizontal)
    choice.addItems(["Acme", "Globex", "Initech"])
    for name, widget in (
        ("Name", widgets.QLineEdit("some text")),
        ("Count", widgets.QSpinBox()),
        ("Volume", volume),
        ("Company", choice),
        ("Remember", widgets.QCheckBox("Remember")),
        ("Large", widgets.QRadioButton("Large")),
        ("Notes", widgets.QPlainTextEdit("first line\nsecond line")),
    ):
        form.addRow(name, widget)
    return panel


def keys(status: Any) -> Any:
    """Return a grid of buttons."""
    panel = widgets.QWidget()
    grid = widgets.QGridLayout(panel)
    for number in range(24):
        button = widgets.QPushButton(f"Key {number}")
        button.clicked.connect(partial(status.showMessage, button.text()))
        grid.addWidget(button, number // 6, number % 6)
    return panel


def main() -> None:
    """Show the window."""
    application = widgets.QApplication(sys.argv)
    window = widgets.QMainWindow()
    window.setWindowTitle("PySide6 window")
    tabs, rows = widgets.QTabWidget(), widgets.QListWidget()
    rows.addItems([f"Row {number}" for number in range(ROWS)])
    tabs.addTab(keys(window.statusBar()), "Keys")
    tabs.addTab(fields(), "Fields")
    panel = widgets.QWidget()
    box = widgets.QVBoxLayout(panel)
    box.addWidget(tabs)
    box.addWidget(rows)
    window.setCentralWidget(panel)
    for title in ("File", "Edit"):
        menu = window.menuBar().addMenu(title)
        menu.addAction("Open")
        menu.addAction("Close")
    window.resize(760, 560)
    window.show()
    application.exec()


if __name__ == "__main__":
    main()
