#!/usr/bin/python3
"""Fixture application in Qt 5 or 6 (`--qt 6`): something big before a Save button; it says what can be seen."""

from __future__ import annotations

import argparse
import importlib
import os
from typing import Any

from fixture_control import ControlServer, EventLog, Request, parse_options

LIST_ROWS = 20_000
TABLE_ROWS, TABLE_COLUMNS = 1_000, 20
TREE_ROWS = 1_000
HIDDEN_ROWS = (3, 500, 501, 502)
HIDDEN_COLUMN = 2


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--qt", choices=("5", "6"), default="5")
    parser.add_argument("--view", choices=("table", "tree", "list"), default="table")


OPTIONS = parse_options("BigQt", add_options)
QtCore = importlib.import_module(f"PyQt{OPTIONS.qt}.QtCore")
QtWidgets = importlib.import_module(f"PyQt{OPTIONS.qt}.QtWidgets")
QtGui = importlib.import_module(f"PyQt{OPTIONS.qt}.QtGui")


class View:
    """What is equal for all: rows and columns are looked up at points of the viewport."""

    view: Any

    def visible(self, inside: int = 0) -> list[str]:
        """Return the texts of the cells that can be seen, further than `inside` px from right and bottom."""
        port = self.view.viewport().rect().adjusted(0, 0, -inside, -inside)
        found: dict[tuple[Any, ...], str] = {}
        for y in range(0, port.height(), 2):
            for x in range(0, port.width(), 4):
                index = self.view.indexAt(QtCore.QPoint(x, y))
                if index.isValid():
                    found[(y, index.row(), index.column())] = str(index.data())
        return list(dict.fromkeys(found.values()))

    def scroll(self, row: int, column: int = 0) -> None:
        index = self.view.model().index(row, column)
        self.view.scrollTo(index, QtWidgets.QAbstractItemView.ScrollHint.PositionAtTop)

    def select(self, row: int) -> None:
        self.view.setCurrentIndex(self.view.model().index(row, 0))

    def total(self) -> int:
        return int(self.view.model().rowCount())


class Table(View):
    """A table of 1000 x 20 with hidden rows and a hidden column."""

    def __init__(self) -> None:
        self.view = QtWidgets.QTableWidget(TABLE_ROWS, TABLE_COLUMNS)
        self.view.setHorizontalHeaderLabels([f"Title {column}" for column in range(TABLE_COLUMNS)])
        for row in range(TABLE_ROWS):
            for column in range(TABLE_COLUMNS):
                self.view.setItem(row, column, QtWidgets.QTableWidgetItem(f"{row},{column}"))
        for row in HIDDEN_ROWS:
            self.view.hideRow(row)
        self.view.hideColumn(HIDDEN_COLUMN)


class Tree(View):
    """A tree of 1000 rows with three below each."""

    def __init__(self) -> None:
        self.view = QtWidgets.QTreeWidget()
        self.view.setColumnCount(2)
        for row in range(TREE_ROWS):
            above = QtWidgets.QTreeWidgetItem(self.view, [f"T{row}", f"U{row}"])
            for inner in range(3):
                QtWidgets.QTreeWidgetItem(above, [f"T{row}.{inner}", f"U{row}.{inner}"])

    def expand(self, row: int) -> None:
        self.view.expand(self.view.model().index(row, 0))


class List(View):
    """A list of 20 000 rows."""

    def __init__(self) -> None:
        self.view = QtWidgets.QListView()
        self.view.setModel(QtCore.QStringListModel([f"Row {row}" for row in range(LIST_ROWS)]))
        self.view.setUniformItemSizes(True)
        for row in HIDDEN_ROWS:
            self.view.setRowHidden(row, True)


class Big:
    """One window: the big thing, then Save."""

    def __init__(self) -> None:
        self.log = EventLog(OPTIONS.log)
        self.watches: dict[int, Any] = {}
        self.big = {"table": Table, "tree": Tree, "list": List}[OPTIONS.view]()
        save = QtWidgets.QPushButton("Save")
        save.clicked.connect(lambda: self.log.write("click", "Save"))
        self.window = QtWidgets.QWidget()
        self.window.setWindowTitle(OPTIONS.title)
        box = QtWidgets.QVBoxLayout(self.window)
        box.addWidget(self.big.view)
        box.addWidget(save)
        self.window.resize(500, 400)
        self.server = ControlServer(OPTIONS.control, self.answer, self.watch, self.unwatch)
        self.window.show()
        QtCore.QTimer.singleShot(0, lambda: self.log.write("ready", OPTIONS.title, os.getpid()))

    def answer(self, request: Request) -> Request:
        arguments = {key: value for key, value in request.items() if key != "do"}
        if request["do"] == "visible":
            return {"visible": self.big.visible(**arguments), "total": self.big.total()}
        if request["do"] == "quit":
            QtCore.QTimer.singleShot(0, QtWidgets.QApplication.quit)
            return {}
        getattr(self.big, request["do"])(**arguments)
        return {}

    def watch(self, number: int, ready: Any) -> None:
        notifier = QtCore.QSocketNotifier(number, QtCore.QSocketNotifier.Type.Read)
        notifier.activated.connect(lambda *_: ready())
        self.watches[number] = notifier

    def unwatch(self, number: int) -> None:
        self.watches.pop(number).setEnabled(False)


if __name__ == "__main__":
    application = QtWidgets.QApplication([])
    fixture = Big()
    application.exec()
    fixture.server.close()
