"""What is too big to be read whole: exactly the visible part comes, and nothing beside it is lost.

What can be seen is told by the toolkit of the fixture application, or by the file that LibreOffice shows.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from tactile.adapters import x11
from tactile.adapters.atspi import AtspiAdapter, connect
from tactile.adapters.desktop import Desktop, DesktopOptions, start
from tactile.errors import PlatformError
from tactile.records.accessible import AccessibleTree, Application, NativeRef, ReadLimits
from tactile.records.vocabulary import Role, State
from tests.apps.fixture_control import ask, read_log
from tests.e2e.desk import need_programs, need_toolkit

APPS = Path(__file__).resolve().parents[1] / "apps"
WAIT_S = 30.0
LIMITS = ReadLimits(deadline_s=20.0)
ROLES = frozenset({Role.TABLE_CELL, Role.LIST_ITEM, Role.TREE_ITEM})
BAR = 21  # px that a scroll bar may cover; Qt does not tell
CSV_ROWS = 2000
OFFICE = ("soffice", "--norestore", "--nologo")
OFFICE_ENV = {"SAL_USE_VCLPLUGIN": "gtk3"}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The adapter is made for asyncio."""
    return "asyncio"


@pytest.fixture(scope="module")
async def desktop() -> AsyncIterator[Desktop]:
    """One private desktop for the module."""
    running = await start(DesktopOptions(width=1280, height=800, numbers=range(180, 190), read_only=(APPS,)))
    yield running
    await running.stop()


@pytest.fixture
async def atspi(desktop: Desktop) -> AsyncIterator[AtspiAdapter]:
    """A connection of its own for each test."""
    adapter = await connect(desktop.session_bus, 5.0)
    yield adapter
    await adapter.close()


@dataclass(frozen=True, slots=True)
class Big:
    """A running fixture application."""

    desktop: Desktop
    atspi: AtspiAdapter
    application: Application
    control: Path

    async def read(self, limits: ReadLimits = LIMITS) -> AccessibleTree:
        """Read its tree."""
        return await self.atspi.read_tree(self.application.root, limits)

    def visible(self) -> set[str]:
        """Return what its toolkit says can be seen."""
        return set(ask(self.control, do="visible")["visible"])

    async def agrees(self, what: str) -> AccessibleTree:
        """Wait until the tree shows exactly what the toolkit shows, twice the same; fail with the difference."""
        end = time.monotonic() + WAIT_S
        while True:
            before, tree, after = self.visible(), await self.read(), self.visible()
            got = texts(tree)
            if before == after == got:
                return tree
            assert time.monotonic() < end, f"{what}: missing {sorted(after - got)}, wrong {sorted(got - after)}"
            await asyncio.sleep(0.05)


def texts(tree: AccessibleTree) -> set[str]:
    """Return the texts of the rows and cells that show; a row without a name has that of what is in it."""
    inner: dict[NativeRef | None, str] = {}
    for one in reversed(tree.accessibles):
        if text := one.name or inner.get(one.ref, ""):
            inner[one.parent] = text
    return {
        one.name or inner.get(one.ref, "")
        for one in tree.accessibles
        if one.role in ROLES and State.SHOWING in one.states
    }


async def opened(desktop: Desktop, atspi: AtspiAdapter, *argv: str) -> Application:
    """Start a program and wait until it is on the bus with a window that shows."""
    return await shown(atspi, await desktop.run(list(argv)))


async def shown(
    atspi: AtspiAdapter, pid: int | None, is_it: Callable[[AccessibleTree], bool] = lambda _: True
) -> Application:
    """Wait until an application has a window that shows; of any process where `pid` is None."""
    end = time.monotonic() + WAIT_S
    while True:
        for application in await atspi.applications(2.0):
            if pid not in {None, application.pid} or not application.is_responding:
                continue
            try:
                tree = await atspi.read_tree(application.root, LIMITS)
            except PlatformError:
                continue
            if any(State.SHOWING in one.states for one in tree.accessibles) and is_it(tree):
                return application
        assert time.monotonic() < end, f"process {pid} did not come to the accessibility bus"
        await asyncio.sleep(0.05)


async def big(desktop: Desktop, atspi: AtspiAdapter, kind: str, view: str, *more: str) -> Big:
    """Start a fixture application that has a `view` before its Save button."""
    need_toolkit(kind)
    program = [str(APPS / "gtk3_big.py")] if kind == "gtk3" else [str(APPS / "qt_big.py"), "--qt", kind[-1]]
    stem = desktop.home / f"{kind}-{view}-{time.monotonic_ns()}"
    log, control = stem.with_suffix(".log"), stem.with_suffix(".sock")
    argv = ["/usr/bin/python3", *program, "--view", view, "--log", str(log), "--control", str(control), *more]
    application = await opened(desktop, atspi, *argv)
    assert any(line["event"] == "ready" for line in read_log(log))
    return Big(desktop, atspi, application, control)


async def ended(running: Big) -> None:
    """End a fixture application."""
    ask(running.control, do="quit")
    assert await running.desktop.exit_of(running.application.pid, 10.0) is not None


# ---------------------------------------------------------------- lists, tables and trees


async def test_of_twenty_thousand_rows_exactly_the_visible_ones_are_read(desktop: Desktop, atspi: AtspiAdapter) -> None:
    """Case C07: GetMatches takes 10 s here; the Save button behind the table was lost."""
    table = await big(desktop, atspi, "gtk3", "table")

    tree = await table.agrees("at the top")
    (cut,) = tree.cuts
    assert (cut.size, cut.total, cut.shown) == ((20_000, 2), 40_000, len(table.visible()))
    assert [one.name for one in tree.accessibles if one.role is Role.COLUMN_HEADER] == ["Column 0", "Column 1"]
    assert tree.calls < 900

    ask(table.control, do="scroll", row=11_111)
    tree = await table.agrees("scrolled")
    assert "A11111" in texts(tree)
    assert tree.is_complete

    ask(table.control, do="select", row=11_112)
    ask(table.control, do="scroll", row=19_999)
    assert "A19999" in texts(await table.agrees("at the end"))
    await ended(table)


async def test_a_huge_table_keeps_nothing_else_from_being_read(desktop: Desktop, atspi: AtspiAdapter) -> None:
    """Case C07: whatever ends a read, what is small was read before; the reason and the cut name the table alone."""
    table = await big(desktop, atspi, "gtk3", "table")

    tree = await table.read(ReadLimits(deadline_s=20.0, accessibles_max=20))

    assert any(one.name == "Save" and one.offers for one in tree.accessibles)
    assert not tree.is_complete
    assert [cut.what for cut in tree.cuts] == ["table"]
    await ended(table)


async def test_open_rows_and_columns_out_of_view_are_told_apart(desktop: Desktop, atspi: AtspiAdapter) -> None:
    """A tree table wider than its window, scrolled both ways, with a row opened and one selected."""
    tree = await big(desktop, atspi, "gtk3", "tree", "--columns", "8")
    ask(tree.control, do="scroll", row=1000, column=3)
    await tree.agrees("scrolled")
    ask(tree.control, do="expand", row=1000)
    ask(tree.control, do="select", row=1001)

    found = await tree.agrees("opened")

    assert "D1000.2" in texts(found)
    selected = {one.name for one in found.accessibles if State.SELECTED in one.states}
    assert {"D1001", "E1001"} <= selected
    assert not any(name.startswith(("D1000", "D1002")) for name in selected)
    await ended(tree)


async def test_a_list_without_a_table_is_searched_by_what_shows(desktop: Desktop, atspi: AtspiAdapter) -> None:
    """GTK 3 tells no place of rows out of view, and says of a viewport scrolled by a page that it shows nowhere."""
    rows = await big(desktop, atspi, "gtk3", "list")

    (cut,) = (await rows.agrees("at the top")).cuts
    assert (cut.total, cut.shown) == (2000, len(rows.visible()))
    ask(rows.control, do="scroll", row=1203, column=5)
    tree = await rows.agrees("scrolled")

    assert "Row 1203" in texts(tree)
    assert any(one.name == "Save" for one in tree.accessibles)
    await ended(rows)


@pytest.mark.parametrize("kind", ["qt5", "qt6"])
@pytest.mark.parametrize(("view", "total"), [("tree", 2000), ("list", 20_000)])
async def test_qt_rows_in_view_are_found_by_their_places(
    desktop: Desktop, atspi: AtspiAdapter, kind: str, view: str, total: int
) -> None:
    """Qt names nothing at a point of a table; it tells the place of every cell."""
    rows = await big(desktop, atspi, kind, view)

    (cut,) = (await rows.agrees("at the top")).cuts
    assert cut.total == total
    ask(rows.control, do="scroll", row=495)
    tree = await rows.agrees("scrolled")

    assert any(one.name == "Save" and one.offers for one in tree.accessibles)
    await ended(rows)


@pytest.mark.parametrize("kind", ["qt5", "qt6"])
async def test_qt_cells_under_a_header_or_a_scroll_bar_are_none(
    desktop: Desktop, atspi: AtspiAdapter, kind: str
) -> None:
    """Case C07, a table of 1000 x 20 with hidden rows: Qt says that what lies under header and scroll bar shows."""
    table = await big(desktop, atspi, kind, "table")
    for row, column in ((0, 0), (495, 10), (999, 19)):
        ask(table.control, do="scroll", row=row, column=column)
        end = time.monotonic() + WAIT_S
        while True:
            before, tree, after = table.visible(), await table.read(), table.visible()
            well_seen = set(ask(table.control, do="visible", inside=BAR)["visible"])
            if before == after and well_seen <= texts(tree) <= after:
                break
            assert time.monotonic() < end, (well_seen - texts(tree), texts(tree) - after)
            await asyncio.sleep(0.05)
        (cut,) = tree.cuts
        assert (cut.size, cut.total) == ((1000, 20), 20_000)
        check_titles(tree)
        assert any(one.name == "Save" for one in tree.accessibles)
    await ended(table)


def check_titles(tree: AccessibleTree) -> None:
    """Check that each cell stands below the title of its column; Qt's own places of titles leave scrolling out."""
    titles = {one.name: one.extents for one in tree.accessibles if one.role is Role.COLUMN_HEADER}
    cells = [one for one in tree.accessibles if one.role is Role.TABLE_CELL]
    for cell in cells:
        column = int(cell.name.split(",")[1])
        title = titles[f"Title {column}"]
        assert cell.extents is not None
        assert title is not None
        assert (title.x, title.y + title.height <= cell.extents.y + cell.extents.height) == (cell.extents.x, True)
        assert cell.column == column + 1
        assert cell.column_header == f"Title {column}"


async def test_of_a_long_text_the_visible_part_is_read(desktop: Desktop, atspi: AtspiAdapter) -> None:
    """A person sees where the text is scrolled to, not its first 2000 characters."""
    text = await big(desktop, atspi, "gtk3", "text")

    for row in (0, 5000):
        ask(text.control, do="scroll", row=row)
        end = time.monotonic() + WAIT_S
        while True:
            (field,) = [one for one in (await text.read()).accessibles if one.role is Role.TEXT]
            lines = ask(text.control, do="visible")["visible"]
            if (field.text or "").split("\n")[: len(lines)] == lines:
                break
            assert time.monotonic() < end, (lines, field.text)
            await asyncio.sleep(0.05)
        assert field.text_length == ask(text.control, do="visible")["total"]
        assert len(field.text or "") <= LIMITS.text_max
    await ended(text)


# ---------------------------------------------------------------- real applications


async def test_of_a_terminal_the_end_is_read(desktop: Desktop, atspi: AtspiAdapter) -> None:
    """10 000 lines ran by: the last of them and what follows is what a person sees."""
    need_programs("xfce4-terminal")
    script = "seq 1 10000; echo ready; sleep 60"
    application = await opened(desktop, atspi, "xfce4-terminal", "--disable-server", "-x", "sh", "-c", script)

    end = time.monotonic() + WAIT_S
    while True:
        tree = await atspi.read_tree(application.root, LIMITS)
        (text,) = [one.text or "" for one in tree.accessibles if one.role is Role.TERMINAL]
        if text.rstrip().endswith("9999\n10000\nready"):
            break
        assert time.monotonic() < end, text[-200:]
        await asyncio.sleep(0.05)
    await desktop.exit_of(await desktop.run(["kill", "-KILL", str(application.pid)]), 5.0)


@pytest.fixture(scope="module")
async def office(desktop: Desktop) -> AsyncIterator[Application]:
    """LibreOffice with a sheet of numbers; it starts slowly, and further windows open in the same process."""
    need_programs("soffice")
    file = desktop.home / "numbers.csv"
    file.write_text("".join(f"r{row},{row * 10}\n" for row in range(1, CSV_ROWS + 1)), encoding="utf-8")
    options = ["--calc", "--infilter=Text - txt - csv (StarCalc):44,34,76,1"]
    await desktop.run([*OFFICE, *options, str(file)], env=OFFICE_ENV)
    adapter = await connect(desktop.session_bus, 5.0)
    application = await shown(adapter, None, lambda tree: "r1" in cells_of(tree).values())
    yield application
    await adapter.close()
    await desktop.exit_of(await desktop.run(["kill", "-KILL", str(application.pid)]), 5.0)


async def test_of_a_sheet_the_cells_on_the_screen_are_read(
    desktop: Desktop, atspi: AtspiAdapter, office: Application
) -> None:
    """Case C06: 2^34 cells; far from the top their index is no longer a number that can be trusted."""
    application = office
    screen = await x11.connect(desktop.display, str(desktop.xauthority), 5.0)
    sheet = next(one for one in await screen.windows() if "numbers.csv" in one.title)
    await screen.activate(sheet.native_id, 5.0)
    await screen.press("ctrl+Home")

    tree = await atspi.read_tree(application.root, LIMITS)
    assert tree.is_complete
    (cut,) = [one for one in tree.cuts if one.what == "table"]
    assert (cut.size, cut.total) == ((1_048_576, 16_384), 1_048_576 * 16_384)
    assert cut.shown == len(cells_of(tree)) < 2000
    assert tree.calls < 10 * cut.shown + 3000
    check_rows(cells_of(tree), first=1)
    for keys, row in (("ctrl+Down", CSV_ROWS), ("ctrl+Down", 1_048_576)):
        await screen.press(keys)
        end = time.monotonic() + WAIT_S
        while f"A{row}" not in (cells := cells_of(await atspi.read_tree(application.root, LIMITS))):
            assert time.monotonic() < end, sorted(cells)[:5]
            await asyncio.sleep(0.05)
        check_rows(cells)
    await screen.close()


def cells_of(tree: AccessibleTree) -> dict[str, str]:
    """Return the texts of cells by address."""
    return {one.name: one.text or "" for one in tree.accessibles if one.role is Role.TABLE_CELL}


def check_rows(cells: dict[str, str], first: int | None = None) -> None:
    """Check cells against the file: each text belongs to its row, and the rows have no gap."""
    rows = sorted(int(found[1]) for name in cells if (found := re.fullmatch(r"A(\d+)", name)))
    assert len(rows) > 20
    assert rows == list(range(first or rows[0], rows[-1] + 1))
    for row in rows:
        expected = (f"r{row}", str(row * 10)) if row <= CSV_ROWS else ("", "")
        assert (cells[f"A{row}"], cells[f"B{row}"]) == expected


# ---------------------------------------------------------------- what a full walk finds


ACTIONABLE = frozenset(
    {7, 8, 11, 33, 35, 37, 43, 44, 45, 51, 52, 56, 61, 62, 79, 88, 129, 130}
)  # AT-SPI's role numbers
CHILDREN_MAX = 500
ACCESSIBLE = "org.a11y.atspi.Accessible"
APPLICATIONS = {
    "thunar": ("thunar", "/etc"),
    "gedit": ("gedit", "/etc/services"),
    "kcalc": ("kcalc",),
}


@dataclass(frozen=True, slots=True)
class Found:
    """What the walk of the test itself found."""

    path: str
    role: int
    name: str


class Plain:
    """A walk of the test's own: one call after another, everything read, nothing taken over."""

    def __init__(self, bus: MessageBus, owner: str) -> None:
        self.bus = bus
        self.owner = owner

    async def call(self, path: str, interface: str, member: str, signature: str = "", *body: object) -> Any:
        """Make a call; None on an error."""
        message = Message(self.owner, path, interface, member, signature=signature, body=list(body))
        reply = await asyncio.wait_for(self.bus.call(message), 10.0)
        if reply.message_type is not MessageType.METHOD_RETURN:
            return None
        value = reply.body[0]
        return value.value if isinstance(value, Variant) else value

    async def walk(self, path: str, found: list[Found]) -> None:
        """Find what shows, has a place and is of a role that people act on; what has no size holds nothing."""
        states, place, role, name, count = await asyncio.gather(
            self.call(path, ACCESSIBLE, "GetState"),
            self.call(path, "org.a11y.atspi.Component", "GetExtents", "u", 0),
            self.call(path, ACCESSIBLE, "GetRole"),
            self.call(path, "org.freedesktop.DBus.Properties", "Get", "ss", ACCESSIBLE, "Name"),
            self.call(path, "org.freedesktop.DBus.Properties", "Get", "ss", ACCESSIBLE, "ChildCount"),
        )
        is_placed = place is not None and place[0] > -(2**31)
        if is_placed and 0 in place[2:]:
            return
        if states is not None and states[0] >> 25 & 1 and is_placed and role in ACTIONABLE:
            found.append(Found(path, role, name))
        if count is not None and count <= CHILDREN_MAX:
            for _, child in await self.call(path, ACCESSIBLE, "GetChildren") or []:
                await self.walk(child, found)


@pytest.mark.parametrize("program", list(APPLICATIONS))
async def test_nothing_that_a_full_walk_finds_is_missing(desktop: Desktop, atspi: AtspiAdapter, program: str) -> None:
    """Recall on real applications, by a full walk of the test's own: all that shows and can be acted on."""
    need_programs(program)
    pid = await desktop.run(list(APPLICATIONS[program]))
    application = await shown(atspi, pid, lambda tree: len(tree.accessibles) > 30)

    await check_recall(desktop, atspi, application)

    await desktop.exit_of(await desktop.run(["kill", "-KILL", str(pid)]), 5.0)


async def test_nothing_in_a_writer_window_is_missing(
    desktop: Desktop, atspi: AtspiAdapter, office: Application
) -> None:
    """The same of LibreOffice Writer, whose window has the most controls of all."""
    await desktop.run([*OFFICE, "--writer"], env=OFFICE_ENV)
    end = time.monotonic() + WAIT_S
    while True:
        tree = await atspi.read_tree(office.root, LIMITS)
        writer = [one.ref for one in tree.accessibles if one.parent is None and "Writer" in one.name]
        if writer and any(one.role is Role.DOCUMENT and one.toplevel == writer[0] for one in tree.accessibles):
            break
        assert time.monotonic() < end, "no Writer window"
        await asyncio.sleep(0.05)

    await check_recall(desktop, atspi, office, writer)


async def check_recall(
    desktop: Desktop, atspi: AtspiAdapter, application: Application, only: Sequence[NativeRef] | None = None
) -> None:
    """Compare a read, before or after, with a walk of the test's own; while an application starts, things change."""
    session = await MessageBus(bus_address=desktop.session_bus).connect()
    reply = await session.call(Message("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress"))
    bus = await MessageBus(bus_address=reply.body[0]).connect()
    plain = Plain(bus, application.root.application)
    end = time.monotonic() + WAIT_S
    while True:
        before = await atspi.read_tree(application.root, LIMITS, only)
        found: list[Found] = []
        windows = [path for _, path in await plain.call(application.root.path, ACCESSIBLE, "GetChildren")]
        for path in windows if only is None else [one.path for one in only]:
            await plain.walk(path, found)
        after = await atspi.read_tree(application.root, LIMITS, only)
        read = {one.ref.path for one in (*before.accessibles, *after.accessibles)}
        missing = [one for one in found if one.path not in read]
        if found and not missing:
            break
        assert time.monotonic() < end, missing
    bus.disconnect()
    session.disconnect()
    assert len(found) > 5
    assert after.is_complete
