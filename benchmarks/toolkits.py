"""Write docs/reference/toolkits.md from the values of one run; every cell is measured, or says why it is not."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from benchmarks.peers import PYATSPI, ROOT, TACTILE, TOOLS, TOUCHPOINT, XA11Y
from benchmarks.subjects import SUBJECTS

REFERENCE = ROOT / "docs" / "reference" / "toolkits.md"
WRONG_MAX = 5  # wrong ones of a cell that are told
WHY_MAX = 140  # characters of a reason in a cell's note


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One toolkit.

    Attributes:
        subject: The real application that stands for it.
        account: What says of itself what is right ("fixture gtk3"), empty when nothing does.
    """

    toolkit: str
    subject: str
    account: str = ""


ROWS = (
    Row(toolkit="GTK 3", subject="thunar", account="fixture gtk3"),
    Row(toolkit="GTK 3", subject="gedit", account="fixture gtk3"),
    Row(toolkit="GTK 4", subject="gtk4-demo", account="fixture gtk4"),
    Row(toolkit="GTK 4", subject="gnome-calculator", account="fixture gtk4"),
    Row(toolkit="GTK 2 or 3", subject="gimp"),
    Row(toolkit="Qt 5", subject="kcalc", account="fixture qt5"),
    Row(toolkit="Qt 6", subject="PySide6 window", account="fixture qt6"),
    Row(toolkit="Chromium", subject="Chromium, 3,000 elements", account="page in Chromium"),
    Row(toolkit="Firefox", subject="Firefox, 3,000 elements", account="page in Firefox"),
    Row(toolkit="LibreOffice", subject="LibreOffice Writer"),
    Row(toolkit="Java", subject="Swing window", account="Swing window's account"),
    Row(toolkit="VTE", subject="xfce4-terminal", account="terminal's account"),
)
CHECKS = ("recall", "geometry", "pointer", "actions", "values", "events")
NOT_TOLD = "the application's own account does not tell"
NO_ACCOUNT = "no application of this toolkit that says itself what is right"


class Content:
    """The values of one run, by name; collects the reasons of cells without a value."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.conditions: Mapping[str, str] = content["conditions"]
        self._figures = {one["name"]: one for one in content["figures"]}
        self._reasons = dict(line.split(": ", 1) for line in content["not_measured"] if ": " in line)
        self.notes: list[str] = []

    def find(self, name: str) -> Mapping[str, Any] | None:
        """Return a figure, None when it was not measured."""
        return self._figures.get(name)

    def starting(self, start: str) -> Iterator[Mapping[str, Any]]:
        """Yield the figures whose names begin so."""
        return (one for name, one in self._figures.items() if name.startswith(start))

    def why(self, owner: str, reason: str = "") -> str:
        """Return a cell that refers to the reason why there is no value."""
        told = (reason or self._reasons.get(owner, "not part of this run")).replace("\n", " ")[:WHY_MAX]
        note = f"{owner}: {told}"
        if note not in self.notes:
            self.notes.append(note)
        return f"not measured [{self.notes.index(note) + 1}]"


def time(one: Mapping[str, Any], *, digits: int = 0) -> str:
    """Return a median with its quartiles."""
    low, high = one["quartiles"]
    return f"{one['median']:.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"


def mark(one: Mapping[str, Any]) -> str:
    """Return how a promise was kept, empty where nothing was promised."""
    return "" if one["is_within"] is None else " ✓" if one["is_within"] else " ✗"


def checked(content: Content, owner: str, what: str, subject: str = "") -> str:
    """Return how many of how many were right; each wrong one becomes a note."""
    if not owner:
        return content.why(f"{subject}, checks", NO_ACCOUNT)
    one = content.find(f"{owner}: {what}")
    if one is None:
        others = next(content.starting(f"{owner}: "), None)
        return content.why(owner) if others is None else content.why(f"{owner}, {what}", NOT_TOLD)
    total = int(one["more"]["of"])
    right = round(total * one["median"] / 100)
    wrong = [text for name, text in one["more"].items() if name.startswith(("wrong", "missing"))]
    for text in wrong[:WRONG_MAX]:
        content.why(f"{owner}, {what}", text)
    return f"{right} of {total}{mark(one)}"


def milliseconds(content: Content, subject: str, what: str, *, digits: int = 0) -> str:
    """Return the time of one figure."""
    one = content.find(f"{subject}: {what}")
    return content.why(subject) if one is None else f"{time(one, digits=digits)}{mark(one)}"


def of_peer(content: Content, subject: str, tool: str) -> str:
    """Return another tool's time, or why there is none."""
    one = content.find(f"{subject}: full, {tool}")
    if one is not None:
        return time(one)
    ours = content.find(f"{subject}: full, {TACTILE.name}")
    reason = ours["more"].get(f"{tool} not measured", "") if ours is not None else ""
    return content.why(f"{subject}, {tool}" if reason else subject, reason)


def messages(content: Content, subject: str) -> str:
    """Return the messages of a read of what shows."""
    one = content.find(f"{subject}: showing, messages")
    return content.why(subject) if one is None else f"{one['median']:.0f}{mark(one)}"


def shown(content: Content, subject: str) -> str:
    """Return the time of what shows, and how many objects that is."""
    one = next(content.starting(f"{subject}: what shows"), None)
    if one is None:
        return milliseconds(content, subject, "showing")
    count = one["name"].rsplit(",", 1)[1].strip().split(" ")[0]
    return f"{time(one)}{mark(one)} for {count}"


def _toolkit_of(content: Content, row: Row) -> str:
    one = content.find(f"{row.subject}: full, {TACTILE.name}")
    return str(one["more"].get("toolkit", row.toolkit)) if one is not None else row.toolkit


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [heading, ["---"] * len(heading), *rows]
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def _kinds(content: Content) -> list[str]:
    """Return the table of toolkits."""
    heading = ("toolkit", "application", "recall in it", *CHECKS, "what shows, ms", "messages", "unchanged, ms")
    peers = (PYATSPI, XA11Y, TOUCHPOINT)
    rows = [
        (
            f"{row.toolkit} ({_toolkit_of(content, row)})",
            row.subject,
            checked(content, row.subject, "recall of candidates"),
            *(checked(content, row.account, what, row.subject) for what in CHECKS),
            shown(content, row.subject),
            messages(content, row.subject),
            milliseconds(content, row.subject, "unchanged", digits=1),
            *(of_peer(content, row.subject, tool.name) for tool in peers),
        )
        for row in ROWS
    ]
    return _table((*heading, *(f"{tool.name}, ms" for tool in peers)), rows)


def _ratios(content: Content) -> list[str]:
    """Return the table of full reads."""
    tools = [tool.name for tool in TOOLS if tool is not TACTILE]
    heading = (
        "application",
        "objects",
        "Tactile, ms",
        *(f"{tool}, ms (times)" for tool in tools),
        "pyatspi / what shows",
    )
    rows = []
    for subject in SUBJECTS:
        ours = content.find(f"{subject.name}: full, {TACTILE.name}")
        if ours is None:
            rows.append((subject.name, content.why(subject.name), *[""] * (len(tools) + 2)))
            continue
        cells = [_times(content, subject.name, tool) for tool in tools]
        against = content.find(f"{subject.name}: pyatspi's walk / what shows")
        times = f"{against['median']:.1f}{mark(against)}" if against else ""
        rows.append((subject.name, str(ours["more"].get("objects", "")), time(ours), *cells, times))
    return _table(heading, rows)


def _times(content: Content, subject: str, tool: str) -> str:
    ratio = content.find(f"{subject}: full, {tool} / {TACTILE.name}")
    cell = of_peer(content, subject, tool)
    return cell if ratio is None else f"{cell} ({ratio['median']:.1f}{mark(ratio)})"


def _stopped(content: Content) -> list[str]:
    figures = list(content.starting("one stopped: "))
    rows = [(one["name"].removeprefix("one stopped: "), _patience(one)) for one in figures]
    return _table(("what", "ms"), rows or [("listing", content.why("one stopped"))])


INTRODUCTION = """\
# Toolkits

Made by `./dev bench --only accessibility --write-docs`; do not edit. How each figure is measured is told in
`benchmarks/README.md`. ✓ and ✗ say whether a promise was kept. Times are medians with quartiles. All tools were asked
in turn in one run, each in a long-lived process of its own.

The first recall is of what shows and can be used in the real application, judged from pyatspi's walk of it. The other
checks are against what an application of the toolkit says of itself: recall of its widgets that show, the place of
each, where the pointer lands, the effect of an act on each kind of control, values, and changes that it makes by
itself and that the very next observation must have.
"""
FULL = """\
## Full reads of the same fields

Tactile, pyatspi and dbus-fast read every object with name, description, role, states, interfaces, extents, action,
value and up to 2,000 characters of text; xa11y and touchpoint read what their own full call reads. In brackets: how
many times Tactile's time that is, round by round. The last column sets more against less: pyatspi's whole walk
against Tactile's reading of what shows.
"""


def _patience(one: Mapping[str, Any]) -> str:
    """Return a time, or that no answer had come by then."""
    return f"no answer in {one['median']:.0f}" if "gave up" in one["more"] else f"{time(one)}{mark(one)}"


def reference(content_of_run: Mapping[str, Any]) -> str:
    """Return the document.

    Args:
        content_of_run: As `--json` writes it.
    """
    content = Content(content_of_run)
    parts = (
        INTRODUCTION,
        _joined(_kinds(content)),
        FULL,
        _joined(_ratios(content)),
        "## One application that hangs\n",
        _joined(_stopped(content)),
        "## Conditions\n",
        _joined(_conditions(content)),
        "## Notes\n",
        _joined([f"{number}. {_escaped(note)}" for number, note in enumerate(content.notes, 1)]),
    )
    return "\n".join(parts)


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _conditions(content: Content) -> list[str]:
    versions = {
        tool.name: one["more"]["version"]
        for tool in TOOLS
        for one in content.starting("")
        if one["name"].endswith(f": full, {tool.name}") and "version" in one["more"]
    }
    told = {"date": dt.datetime.now(tz=dt.UTC).date().isoformat(), **content.conditions, **versions}
    return [f"- {name}: {value}" for name, value in told.items()]


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def write_reference(content: Mapping[str, Any], path: Path = REFERENCE) -> None:
    """Write the document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(reference(content), encoding="utf-8")


@click.command()
@click.argument("result", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def main(result: Path) -> None:
    """Write docs/reference/toolkits.md from a RESULT that `./dev bench --json` wrote."""
    write_reference(json.loads(result.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
