"""Applications that say of themselves what is right, in toolkits that the fixtures are not made of.

A page in a browser answers from its own document, a Swing window from its components, a terminal from its shell.
"""

from __future__ import annotations

import json
import re
import shutil
import socket
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from benchmarks.accounts import CHECKS, Account, Act, Box, Change, by_name, figure, records, waited
from benchmarks.applications import FIXTURES, SYSTEM_PYTHON
from benchmarks.figures import Figure
from benchmarks.subjects import SWING
from tests.apps.fixture_control import ask
from tests.e2e.desk import Desk, desk

ANSWER_S = 25.0  # of a page that is asked, and for an application to show what it has

# ---------------------------------------------------------------- a page in a browser

BROWSERS = {
    "Chromium": ("chromium", "--no-sandbox", "--no-first-run", "--disable-gpu", "--force-renderer-accessibility"),
    "Firefox": ("env", "MOZ_DISABLE_CONTENT_SANDBOX=1", "firefox-esr", "--new-instance"),
}
PAGE = "/controls.html"
FIELD = '[...document.querySelectorAll("[data-t]")].find((one) => (one.dataset.t || one.textContent) === "{}")'


@dataclass(slots=True)
class PageAccount:
    """The page of controls in a browser, through the server that serves it."""

    name: str
    pid: int
    control: Path
    happened: list[Any] = field(default_factory=list)
    pressed: tuple[str, ...] = ("Press me", "Made of div", "Pinned", "Close panel")
    acts: tuple[Act, ...] = (
        Act(what="button", tool="click", name="Press me", effect="click Press me"),
        Act(what="check box", tool="click", name="Remember", effect="change Remember"),
        Act(what="radio button", tool="click", name="Large", effect="change Large"),
        Act(what="link", tool="click", name="a plain link", effect="click a plain link"),
        Act(what="switch", tool="click", name="Dark mode", effect="click Dark mode"),
        Act(what="entry set", tool="set_value", name="Name", effect="value Name abc", more={"value": "abc"}),
        Act(
            what="entry typed",
            tool="type_text",
            name="Search here",
            effect="value Search here xyz",
            more={"text": "xyz"},
        ),
        Act(what="slider", tool="set_value", name="Volume", effect="value Volume 7", more={"value": "7"}),
        Act(what="spin button", tool="set_value", name="Count", effect="value Count 6", more={"value": "6"}),
        Act(what="combo box", tool="click", name="Colour", effect="value Colour Blue", option="Blue"),
        Act(what="tab", tool="click", name="Advanced", effect="click Advanced"),
    )
    changes: tuple[Change, ...] = (
        Change(
            name="renamed",
            command=FIELD.format("Press me") + '.textContent = "Renamed"',
            is_seen=lambda by: "Renamed" in by and "Press me" not in by,
        ),
        Change(
            name="renamed back",
            command=FIELD.format("Renamed") + '.textContent = "Press me"',
            is_seen=lambda by: "Press me" in by and "Renamed" not in by,
        ),
        Change(
            name="disabled",
            command=FIELD.format("Remember") + ".disabled = true",
            is_seen=lambda by: not by["Remember"]["enabled"],
        ),
        Change(
            name="enabled",
            command=FIELD.format("Remember") + ".disabled = false",
            is_seen=lambda by: bool(by["Remember"]["enabled"]),
        ),
        Change(
            name="value",
            command=FIELD.format("Name") + '.value = "Grace"',
            is_seen=lambda by: by["Name"]["value"] == "Grace",
        ),
        Change(
            name="hidden",
            command=FIELD.format("Pinned") + ".hidden = true",
            is_seen=lambda by: "Pinned" not in by,
        ),
        Change(
            name="shown",
            command=FIELD.format("Pinned") + ".hidden = false",
            is_seen=lambda by: "Pinned" in by,
        ),
    )

    def run(self, script: str) -> Any:
        """Run a script in the page."""
        value = ask(self.control, ANSWER_S, do="run", page=PAGE, script=script)["value"]
        if isinstance(value, dict) and set(value) == {"error"}:
            raise RuntimeError(f"the page answered {script} with {value['error']}")
        return value

    def _account(self) -> dict[str, Any]:
        account = dict(self.run("account()"))
        self.happened += account["events"]
        return account

    def rects(self) -> dict[str, Box]:
        """Return the visible parts of its controls in physical px; names that two controls share are left out."""
        account = self._account()
        origin = account["origin"]
        if origin is None:
            raise RuntimeError("the page has not seen the pointer yet, so it does not know where it is")
        shown = [one for one in account["controls"] if one["isShown"]]
        names = [one["name"] for one in shown]
        return {
            one["name"]: (origin[0] + one["visible"][0], origin[1] + one["visible"][1], *one["visible"][2:])
            for one in shown
            if names.count(one["name"]) == 1
        }

    def values(self) -> dict[str, object]:
        """Return what its fields hold."""
        texts = ("Name", "Notes", "Colour")
        script = ", ".join(f"{json.dumps(name)}: {FIELD.format(name)}.value" for name in (*texts, "Volume", "Count"))
        found: dict[str, object] = dict(self.run(f"({{{script}}})"))
        checks = ", ".join(
            f"{json.dumps(name)}: {FIELD.format(name)}.checked" for name in ("Remember", "Small", "Large")
        )
        numbers = {name: float(str(found[name])) for name in ("Volume", "Count")}
        return {**found, **numbers, **dict(self.run(f"({{{checks}}})")), "Secret": None}

    def has(self, effect: str) -> bool:
        """Tell whether an event came, or a field holds something: "click NAME", "change NAME", "value NAME TEXT"."""
        kind, _, rest = effect.partition(" ")
        if kind == "value":
            name, _, text = rest.rpartition(" ")
            return str(self.run(f"{FIELD.format(name)}.value")) == text
        self._account()
        return ["click" if kind == "press" else kind, rest] in self.happened

    def change(self, command: str) -> None:
        """Run a script, and wait until the page was drawn with it."""
        drawn = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
        self.run(f"{command}; {drawn}")


def page_account(place: Desk, browser: str) -> PageAccount:
    """Open the page of controls in a browser, and move the pointer into it once."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    control = place.folder / "pages.sock"
    server = f"{SYSTEM_PYTHON} {FIXTURES / 'page_server.py'} --port {port} --control {control}"
    words = " ".join(BROWSERS[browser])
    # The browser is started when the server answers, and the shell becomes the browser.
    script = f"{server} & while ! [ -S {control} ]; do sleep 0.05; done; exec {words} http://127.0.0.1:{port}{PAGE}"
    pid = _opened(place, "/bin/sh", "-c", script)
    account = PageAccount(f"page in {browser}", pid, control)
    if not waited(lambda: "Press me" in by_name(place, account), ANSWER_S):
        raise RuntimeError(f"{browser} does not show the page")
    place.call("click", target=by_name(place, account)["Page of controls"]["ref"], button="right")
    place.call("press_key", keys="Escape")
    return account


# ---------------------------------------------------------------- a Swing window


@dataclass(slots=True)
class SwingAccount:
    """The Swing window, through the files that it keeps."""

    name: str
    pid: int
    folder: Path
    pressed: tuple[str, ...] = ("Key 1", "Key 8", "Key 24")
    acts: tuple[Act, ...] = (
        Act(what="button", tool="click", name="Key 2", effect="press Key 2"),
        Act(what="check box", tool="click", name="Remember", effect="press Remember"),
        Act(what="radio button", tool="click", name="Large", effect="press Large"),
        Act(what="entry set", tool="set_value", name="Name", effect="text abc", more={"value": "abc"}),
        Act(what="entry typed", tool="type_text", name="Name", effect="text abcxyz", more={"text": "xyz"}),
        Act(what="slider", tool="set_value", name="Volume", effect="slider 70", more={"value": "70"}),
        Act(what="combo box", tool="click", name="Company", effect="choice Globex", option="Globex"),
        Act(what="menu", tool="click", name="File", effect="menu Open", option="Open"),
        Act(what="tab", tool="click", name="More", effect="tab More"),
    )
    changes: tuple[Change, ...] = (
        Change(
            name="renamed", command="rename\nKey 3\nRenamed", is_seen=lambda by: "Renamed" in by and "Key 3" not in by
        ),
        Change(
            name="renamed back",
            command="rename\nRenamed\nKey 3",
            is_seen=lambda by: "Key 3" in by and "Renamed" not in by,
        ),
        Change(name="disabled", command="enable\nKey 4\nfalse", is_seen=lambda by: not by["Key 4"]["enabled"]),
        Change(name="hidden", command="show\nKey 5\nfalse", is_seen=lambda by: "Key 5" not in by),
        Change(name="shown", command="show\nKey 5\ntrue", is_seen=lambda by: "Key 5" in by),
    )

    def _account(self) -> dict[str, Any]:
        return dict(json.loads((self.folder / "account.json").read_text(encoding="utf-8")))

    def rects(self) -> dict[str, Box]:
        """Return the places of its controls in physical px."""
        return {name: one["rect"] for name, one in self._account().items()}

    def values(self) -> dict[str, object]:
        """Return what its fields hold."""
        return {name: one["value"] for name, one in self._account().items() if one["value"] is not None}

    def has(self, effect: str) -> bool:
        """Tell whether a line was logged."""
        log = self.folder / "log"
        return log.exists() and effect in log.read_text(encoding="utf-8").splitlines()

    def change(self, command: str) -> None:
        """Have it do a command, and wait until it is done."""
        (self.folder / "command.next").write_text(command, encoding="utf-8")
        (self.folder / "command.next").rename(self.folder / "command")
        if not waited(lambda: not (self.folder / "command").exists()):
            raise RuntimeError(f"the Swing window did not do {command!r}")


def swing_account(place: Desk, _name: str) -> SwingAccount:
    """Open the Swing window."""
    folder = place.folder / "swing"
    folder.mkdir()
    SWING.prepare(folder)
    name, *arguments = SWING.command(folder)
    account = SwingAccount("Swing window's account", _opened(place, name, *arguments, str(folder)), folder)
    if not waited(lambda: (folder / "account.json").exists() and bool(account.rects()), ANSWER_S):
        raise RuntimeError("the Swing window gives no account of itself")
    return account


# ---------------------------------------------------------------- a terminal


@dataclass(slots=True)
class TerminalAccount:
    """A terminal whose shell writes what it is typed into a file, and prints what is written into another."""

    name: str
    pid: int
    folder: Path
    title: str
    pressed: tuple[str, ...] = ()

    @property
    def acts(self) -> tuple[Act, ...]:
        """Return what is done: typing is all that a shell can tell of."""
        return (
            Act(what="typing", tool="type_text", name=self.title, effect="typed words", more={"text": "typed words\n"}),
        )

    @property
    def changes(self) -> tuple[Change, ...]:
        """Return lines that are printed."""
        return tuple(
            Change(name=line, command=line, is_seen=lambda by, line=line: line in str(by[self.title]["value"]))  # type: ignore[misc]
            for line in ("gamma line", "delta line")
        )

    def rects(self) -> dict[str, Box]:
        """Return nothing: a shell does not know where its terminal is."""
        return {}

    def values(self) -> dict[str, object]:
        """Return what the shell has printed."""
        return {self.title: PRINTED}

    def has(self, effect: str) -> bool:
        """Tell whether the shell was typed a line."""
        typed = self.folder / "typed"
        return typed.exists() and effect in typed.read_text(encoding="utf-8")

    def change(self, command: str) -> None:
        """Have the shell print a line."""
        with (self.folder / "printed").open("a", encoding="utf-8") as printed:
            printed.write(command + "\n")


PRINTED = "alpha line\nbeta line\n"


def terminal_account(place: Desk, _name: str) -> TerminalAccount:
    """Open a terminal with a shell that keeps account."""
    folder = place.folder
    (folder / "printed").write_text(PRINTED, encoding="utf-8")
    script = folder / "shell.sh"
    script.write_text(f"tail -n +1 -f {folder}/printed &\nexec cat >> {folder}/typed\n", encoding="utf-8")
    account = TerminalAccount("terminal's account", 0, folder, "")
    account.pid = _opened(place, "xfce4-terminal", "--disable-server", "-x", "sh", str(script))
    terminals: list[dict[str, Any]] = []

    def is_there() -> bool:
        terminals[:] = [one for one in records(place, account) if one["role"] == "terminal"]
        return bool(terminals) and "beta line" in str(terminals[0]["value"])

    if not waited(is_there, ANSWER_S):
        raise RuntimeError(f"the terminal does not show what its shell prints: {terminals}")
    account.title = terminals[0]["name"]
    return account


OPENERS: Mapping[str, Callable[[Desk, str], Account]] = {
    **dict.fromkeys(BROWSERS, page_account),
    "Swing": swing_account,
    "terminal": terminal_account,
}
NEEDED = {
    "Chromium": ("chromium",),
    "Firefox": ("firefox-esr",),
    "Swing": ("java", "javac"),
    "terminal": ("xfce4-terminal",),
}
NAMES = {
    "Chromium": "page in Chromium",
    "Firefox": "page in Firefox",
    "Swing": "Swing window's account",
    "terminal": "terminal's account",
}
KINDS = tuple(OPENERS)


def _opened(place: Desk, name: str, *arguments: str) -> int:
    answer = place.call("open_app", name=name, args=list(arguments))
    found = re.search(r"pid (\d+)", str(answer.data.get("target", "")))
    if found is None:
        raise RuntimeError(f"{name} did not open: {answer.text}")
    return int(found[1])


def measure_account(kind: str) -> list[Figure]:
    """Open one application that gives account of itself, and check Tactile against that.

    Raises:
        RuntimeError: It is not installed, did not open, or gives no account.
    """
    absent = [program for program in NEEDED[kind] if shutil.which(program) is None]
    if absent:
        raise RuntimeError(f"{', '.join(absent)} is not installed")
    try:
        with tempfile.TemporaryDirectory(prefix="tactile-bench-") as folder, desk(Path(folder)) as place:
            account = OPENERS[kind](place, kind)
            checked = {what: check(place, account) for what, check in CHECKS.items()}
            return [figure(account, what, results) for what, results in checked.items() if results]
    except (AssertionError, pytest.fail.Exception, OSError) as error:  # of the machinery that the tests share
        raise RuntimeError(str(error)) from error
