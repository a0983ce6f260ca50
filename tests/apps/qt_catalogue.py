#!/usr/bin/python3
"""Fixture application in Qt 5, or in Qt 6 with `--qt 6`: one of each kind of control that says what it means."""

from __future__ import annotations

import os
import sys
from typing import Any

from fixture_control import CANARY, CATALOGUE, LINK_TARGET, PRICES, TREE
from qt_form import QtCore, QtFixture, QtWidgets

Qt = QtCore.Qt


class Marked(QtCore.QTranslator):
    """Translates every text of the toolkit's own, into one that no language has."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, _context: str, text: str, *_more: Any) -> str:
        return f"«{text}»"


class QtCatalogue(QtFixture):
    """One Qt window of many controls."""

    def build_form(self) -> None:
        if os.environ.get("LANG", "C")[:1] != "C":  # Qt's own translations are no part of its libraries
            self.translator = Marked()
            self.app.installTranslator(self.translator)
        page = QtWidgets.QHBoxLayout(self.window)
        page.setMenuBar(self.menu_bar())
        self.left, self.right = QtWidgets.QVBoxLayout(), QtWidgets.QVBoxLayout()
        page.addLayout(self.left)
        page.addLayout(self.right)
        self.fill_fields_of()
        self.fill_toggles()
        self.fill_ranges()
        self.fill_rows()
        self.tabs = QtWidgets.QTabWidget()
        for name in ("First", "Second"):
            self.tabs.addTab(QtWidgets.QLabel(f"Page {name}"), name)
        self.tabs.setCurrentIndex(1)
        self.right.addWidget(self.tabs)

    def add(self, name: str, widget: Any) -> Any:
        self.left.addWidget(self.register(name, widget))
        return widget

    def fill_fields_of(self) -> None:
        self.add("Hinted", QtWidgets.QLineEdit()).setPlaceholderText(CATALOGUE["Hinted"])
        self.add("Tipped", QtWidgets.QLineEdit()).setToolTip(CATALOGUE["Tipped"])
        label, street = QtWidgets.QLabel("&Street:"), QtWidgets.QLineEdit("Main Road 1")
        street.setPlaceholderText("Street and number")
        label.setBuddy(street)
        self.left.addWidget(label)
        self.add("Street", street)
        locked = self.add("Locked", QtWidgets.QLineEdit("cannot change"))
        locked.setReadOnly(True)
        locked.setToolTip("Locked")
        secret = self.add("Secret", QtWidgets.QLineEdit(CANARY))
        secret.setEchoMode(QtWidgets.QLineEdit.EchoMode.Password)
        secret.setPlaceholderText("Secret")
        size = self.add("Size", QtWidgets.QComboBox())
        size.addItems(["Small", "Medium", "Large"])
        size.setEditable(True)
        size.setCurrentText("Medium")
        size.setToolTip("Size")

    def fill_toggles(self) -> None:
        bar = QtWidgets.QToolBar()
        save, bold = QtWidgets.QToolButton(), QtWidgets.QToolButton()
        style = self.app.style()
        save.setIcon(style.standardIcon(QtWidgets.QStyle.StandardPixmap.SP_DialogSaveButton))
        save.clicked.connect(lambda _on: self.log.write("click", "Save"))
        bold.setIcon(style.standardIcon(QtWidgets.QStyle.StandardPixmap.SP_DialogYesButton))
        bold.setCheckable(True)
        bold.setChecked(True)
        for name, button in (("Save", save), ("Bold", bold)):
            button.setToolTip(CATALOGUE[name])
            bar.addWidget(self.register(name, button))
        self.left.addWidget(bar)
        part = self.add("Part", QtWidgets.QCheckBox("Part"))
        part.setTristate(True)
        part.setCheckState(Qt.CheckState.PartiallyChecked)
        wrap = self.add("Wrap", QtWidgets.QPushButton("Wrap"))
        wrap.setCheckable(True)
        wrap.setChecked(True)
        options = self.add("Options", QtWidgets.QToolButton())
        options.setText("Options")
        options.setMenu(QtWidgets.QMenu(options))
        options.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        group = self.add("Group", QtWidgets.QGroupBox("Group"))
        group.setCheckable(True)

    def fill_ranges(self) -> None:
        done = self.add("Done", QtWidgets.QProgressBar())
        done.setRange(0, 100)
        done.setValue(25)
        self.add("Turn", QtWidgets.QDial()).setValue(7)
        self.add("Day", QtWidgets.QDateEdit(QtCore.QDate(2024, 2, 29)))
        self.add("Site", QtWidgets.QLabel(f'See <a href="{LINK_TARGET}">the site</a>.'))

    def fill_rows(self) -> None:
        tree = self.register("Files", QtWidgets.QTreeWidget())
        tree.setHeaderHidden(True)
        for name, children in TREE:
            top = QtWidgets.QTreeWidgetItem(tree, [name])
            for child, grand in children:
                below = QtWidgets.QTreeWidgetItem(top, [child])
                for one in grand:
                    QtWidgets.QTreeWidgetItem(below, [one])
        tree.topLevelItem(0).setExpanded(True)
        tree.setFixedSize(300, 130)
        self.right.addWidget(tree)
        rows, columns = PRICES["rows"], PRICES["columns"]
        table = self.register("Prices", QtWidgets.QTableWidget(len(rows), len(columns)))
        table.setHorizontalHeaderLabels(columns)
        for row, values in enumerate(rows):
            for column, value in enumerate(values):
                cell = QtWidgets.QTableWidgetItem("" if column == 2 else str(value))
                if column == 2:
                    cell.setCheckState(Qt.CheckState.Checked if value else Qt.CheckState.Unchecked)
                table.setItem(row, column, cell)
        table.selectRow(1)
        table.setFixedSize(380, 160)
        self.right.addWidget(table)

    def menu_bar(self) -> Any:
        self.bar = QtWidgets.QMenuBar()
        self.menu = self.bar.addMenu("View")
        for name in ("Ruler", "Wide", "Narrow"):
            action = self.menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(name != "Wide")
        return self.bar

    def part_rects(self) -> dict[str, Any]:
        return {}

    def do_word(self, text: str) -> dict[str, str]:
        return {"word": QtCore.QCoreApplication.translate("QPlatformTheme", text)}

    def value_of(self, widget: Any) -> object:
        if isinstance(widget, QtWidgets.QProgressBar | QtWidgets.QDial):
            return widget.value()
        if isinstance(widget, QtWidgets.QDateEdit):
            return widget.text()
        if isinstance(widget, QtWidgets.QCheckBox) and widget.isTristate():
            return widget.checkState() == Qt.CheckState.PartiallyChecked
        if isinstance(widget, QtWidgets.QListWidget):
            return None
        return super().value_of(widget)


if __name__ == "__main__":
    fixture = QtCatalogue()
    run = fixture.app.exec if hasattr(fixture.app, "exec") else fixture.app.exec_
    run()
    if fixture.options.control:
        fixture.server.close()
    sys.stdout.flush()
    os._exit(0)  # Qt objects kept by Python are not torn down in a safe order
