"""The form of the fixture applications, on the scripted desktop: the same names, the same effects."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tactile.records import Role, State, ValueRange
from tactile.testing import FakeApp, FakeDesktop, FakeWindow, Widget
from tests.apps.fixture_control import CANARY, COMPANIES, NOTES, SLOW_SECONDS


@dataclass(slots=True, kw_only=True)
class FakeForm:
    """A running form and its widgets by name."""

    desktop: FakeDesktop
    app: FakeApp
    window: FakeWindow
    gone: int = 0

    def __getitem__(self, name: str) -> Widget:
        found = [widget for window in self.app.windows for widget in window.walk() if widget.name == name]
        assert len(found) == 1, f"{len(found)} widgets are called {name}"
        return found[0]

    def go(self, status: Widget) -> None:
        """Count in the status line, as Go does."""
        self.gone += 1
        status.rename(f"gone {self.gone}")

    def open_dialog(self) -> None:
        """Open the modal dialog Confirm."""
        ok, cancel = Widget(role=Role.BUTTON, name="OK"), Widget(role=Role.BUTTON, name="Cancel")
        question = Widget(role=Role.LABEL, name="Really do it?")
        dialog = FakeWindow(
            role=Role.DIALOG, name="Confirm", is_modal=True, x=150, y=200, width=260, client_height=120,
            children=[question, ok, cancel],
        )  # fmt: skip
        ok.on_press = cancel.on_press = dialog.close
        self.app.open(dialog)


def start_form(desktop: FakeDesktop, title: str = "Form3") -> FakeForm:
    """Start the form; its window is in front."""
    window = FakeWindow(name=title, y=60, client_height=690)
    app = desktop.start("form", window)
    form = FakeForm(desktop=desktop, app=app, window=window)
    status = Widget(role=Role.LABEL, name="Status")
    presses = {
        "Go": partial(form.go, status),
        "Off": None,
        "Idle": None,
        "Slow": partial(app.hang, SLOW_SECONDS),
        "Open dialog": form.open_dialog,
        "Close me": window.close,
    }
    for name, on_press in presses.items():
        window.add(Widget(role=Role.BUTTON, name=name, on_press=on_press))
    form["Off"].turn(State.ENABLED, False)
    window.add(status)
    window.add(Widget(role=Role.CHECK_BOX, name="Remember"))
    for widget in _fields():
        window.add(widget)
    rows = [Widget(role=Role.LIST_ITEM, name=f"Row {number}") for number in range(1, 31)]
    window.add(Widget(role=Role.LIST, name="Rows", height=120, children=rows))
    return form


def _fields() -> list[Widget]:
    fixed = Widget(role=Role.ENTRY, name="Fixed", text="fixed text")
    fixed.states -= {State.EDITABLE}
    options = [Widget(role=Role.MENU_ITEM, name=name) for name in COMPANIES]
    for option in options:
        option.states -= {State.SHOWING, State.VISIBLE}
    size = [Widget(role=Role.RADIO_BUTTON, name=name) for name in ("Small", "Large")]
    size[0].states.add(State.CHECKED)
    return [
        Widget(role=Role.PANEL, name="Size", children=size),
        Widget(role=Role.ENTRY, name="Name"),
        fixed,
        Widget(role=Role.PASSWORD_TEXT, name="Secret", text=CANARY),
        Widget(role=Role.SPIN_BUTTON, name="Count", number=ValueRange(current=1, minimum=0, maximum=100, step=1)),
        Widget(role=Role.COMBO_BOX, name="Company", text="Acme", height=24, children=options),
        Widget(role=Role.TEXT, name="Notes", text=NOTES),
    ]


def start_list(desktop: FakeDesktop, title: str = "List") -> FakeForm:
    """Start a window with the buttons Alpha, Bravo, Charlie and Delta."""
    window = FakeWindow(name=title)
    app = desktop.start("list", window)
    for name in ("Alpha", "Bravo", "Charlie", "Delta"):
        window.add(Widget(role=Role.BUTTON, name=name))
    return FakeForm(desktop=desktop, app=app, window=window)
