"""The AT-SPI adapter on real toolkits; what happened is told by the applications' own logs, never by the adapter."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tactile.adapters.atspi import AtspiAdapter, connect
from tactile.adapters.desktop import Desktop, DesktopOptions, start
from tactile.errors import (
    AppGoneError,
    AppUnresponsiveError,
    ObjectGoneError,
    PlatformError,
    RequestError,
    SetupError,
    UnsupportedError,
)
from tactile.records.accessible import Accessible, AccessibleTree, Application, Change, NativeRef, ReadLimits
from tactile.records.vocabulary import Action, Role, State
from tests.apps.fixture_control import ask, read_log

APPS = Path(__file__).resolve().parents[1] / "apps"
OPTIONS = DesktopOptions(numbers=range(150, 170), read_only=(APPS,))
FORMS = {
    "gtk3": ("gtk3_form.py",),
    "gtk4": ("gtk4_form.py",),
    "qt5": ("qt_form.py",),
    "qt6": ("qt_form.py", "--qt", "6"),
}
TREE_VIEW = """
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window, box, rows = Gtk.Window(title="Big"), Gtk.Box(orientation=1), Gtk.ListStore(str, str)
for number in range(20000):
    rows.append([f"A{number}", f"B{number}"])
view, pane = Gtk.TreeView(model=rows), Gtk.ScrolledWindow()
for column in (0, 1):
    view.append_column(Gtk.TreeViewColumn(f"Column {column}", Gtk.CellRendererText(), text=column))
pane.add(view)
box.pack_start(pane, True, True, 0)
box.pack_start(Gtk.Button(label="Save"), False, False, 0)
window.add(box)
window.set_default_size(500, 400)
window.show_all()
Gtk.main()
"""


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The adapter is made for asyncio."""
    return "asyncio"


@pytest.fixture(scope="module")
async def desktop() -> AsyncIterator[Desktop]:
    """One private desktop for the module."""
    running = await start(OPTIONS)
    yield running
    await running.stop()


@pytest.fixture
async def atspi(desktop: Desktop) -> AsyncIterator[AtspiAdapter]:
    """A connection of its own for each test."""
    adapter = await connect(desktop.session_bus, 5.0)
    yield adapter
    await adapter.close()


@dataclass(frozen=True, slots=True)
class Form:
    """A running fixture application."""

    desktop: Desktop
    atspi: AtspiAdapter
    application: Application
    log: Path
    control: Path

    async def read(self, limits: ReadLimits | None = None) -> AccessibleTree:
        """Read its tree."""
        return await self.atspi.read_tree(self.application.root, limits or ReadLimits())

    async def find(self, name: str, role: Role) -> Accessible:
        """Return the one accessible of this name and role."""
        found = [one for one in (await self.read()).accessibles if one.name == name and one.role is role]
        assert len(found) == 1, found
        return found[0]

    async def act(self, target: Accessible, action: Action, argument: str = "") -> str:
        """Do the first mechanism offered for an action and return its name."""
        primitive = next(offer.primitive for offer in target.offers if offer.action is action)
        await self.atspi.perform(target.ref, primitive, argument, 2.0)
        return primitive

    async def logged(self, event: str, widget: str, value: object = None) -> bool:
        """Wait until the application's own log has this."""
        return await until(
            lambda: any(
                line["event"] == event and line["widget"] == widget and line["value"] == value
                for line in read_log(self.log)
            )
        )

    async def signal(self, name: str) -> None:
        """Send a signal from within the desktop, where its process id means something."""
        pid = await self.desktop.run(["kill", f"-{name}", str(self.application.pid)])
        await self.desktop.exit_of(pid, 5.0)


async def until(condition: Callable[[], bool], limit_s: float = 5.0) -> bool:
    """Look again and again until it holds, or the limit has passed."""
    end = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.02)
    return True


async def appeared(atspi: AtspiAdapter, pid: int) -> Application:
    """Wait until a process is on the bus with a window."""
    end = time.monotonic() + 10
    while True:
        for application in await atspi.applications(2.0):
            if application.pid == pid and application.is_responding:
                tree = await atspi.read_tree(application.root, ReadLimits())
                if any(State.SHOWING in one.states for one in tree.accessibles):
                    return application
        assert time.monotonic() < end, f"process {pid} did not come to the accessibility bus"
        await asyncio.sleep(0.05)


async def launch(desktop: Desktop, atspi: AtspiAdapter, kind: str, *more: str) -> Form:
    """Start a fixture application."""
    program, *arguments = FORMS[kind]
    stem = f"{kind}-{time.monotonic_ns()}"
    log, control = desktop.home / f"{stem}.log", desktop.home / f"{stem}.sock"
    argv = ["/usr/bin/python3", str(APPS / program), *arguments, "--log", str(log), "--control", str(control), *more]
    pid = await desktop.run(argv)
    return Form(desktop, atspi, await appeared(atspi, pid), log, control)


@pytest.fixture(params=list(FORMS))
async def form(request: pytest.FixtureRequest, desktop: Desktop, atspi: AtspiAdapter) -> AsyncIterator[Form]:
    """The form, in every toolkit."""
    running = await launch(desktop, atspi, request.param)
    yield running
    await running.signal("KILL")


@pytest.fixture
async def gtk3(desktop: Desktop, atspi: AtspiAdapter) -> AsyncIterator[Form]:
    """The form in GTK 3 alone."""
    running = await launch(desktop, atspi, "gtk3")
    yield running
    await running.signal("KILL")


# ---------------------------------------------------------------- reading


async def test_the_form_is_read_alike_in_every_toolkit(form: Form) -> None:
    """Cases C02, C08, C10: the same controls, states and texts, whatever the toolkit calls them."""
    tree = await form.read()

    assert tree.is_complete
    assert tree.cuts == ()
    found = {(one.role, one.name) for one in tree.accessibles}
    wanted = {(Role.BUTTON, name) for name in ("Go", "Off", "Idle", "Slow", "Open dialog", "Close me", "Icon", "P1")}
    wanted |= {(Role.ENTRY, "Name"), (Role.ENTRY, "Fixed"), (Role.ENTRY, "Search"), (Role.TEXT, "Notes")}
    wanted |= {(Role.PASSWORD_TEXT, "Secret"), (Role.CHECK_BOX, "Remember")}
    wanted |= {(Role.SPIN_BUTTON, "Count"), (Role.SLIDER, "Volume")}
    assert wanted <= found
    texts = {one.name: one.text for one in tree.accessibles if one.role in {Role.ENTRY, Role.TEXT}}
    assert texts["Fixed"] == "fixed text"
    assert texts["Notes"] == "first line\nsecond line\nthird line"
    assert {one.text for one in tree.accessibles if one.role is Role.COMBO_BOX} == {"Acme"}
    values = {one.name: one.value.current for one in tree.accessibles if one.value and one.name}
    assert (values["Count"], values["Volume"]) == (1.0, 10.0)


async def test_parents_come_before_children_and_toplevels_have_none(form: Form) -> None:
    """The order that `AccessibleTree` promises."""
    tree = await form.read()

    seen: set[NativeRef] = set()
    for one in tree.accessibles:
        assert one.parent is None or one.parent in seen
        assert (one.parent is None) == (one.toplevel == one.ref)
        seen.add(one.ref)
    assert len(seen) == len(tree.accessibles)
    assert form.application.root not in seen


async def test_a_disabled_button_is_listed_as_disabled(form: Form) -> None:
    """Cases C02, C48; enabled is ENABLED or SENSITIVE."""
    off, go = await form.find("Off", Role.BUTTON), await form.find("Go", Role.BUTTON)

    assert not off.states & {State.ENABLED, State.SENSITIVE}
    assert go.states & {State.ENABLED, State.SENSITIVE}


async def test_the_secret_is_nowhere_in_the_tree(form: Form) -> None:
    """Facts 3.5: GTK 4 hands out the clear text; it is never asked for."""
    secret = await form.find("Secret", Role.PASSWORD_TEXT)
    await form.act(secret, Action.SET_VALUE, "open sesame")
    assert await form.logged("change", "Secret", len("open sesame"))

    tree = await form.read()

    assert "sesame" not in repr(tree)
    again = next(one for one in tree.accessibles if one.ref == secret.ref)
    assert again.is_secure
    assert (again.text, again.text_length) == (None, None)


async def test_what_is_out_of_sight_brings_no_children(form: Form) -> None:
    """Hidden subtrees are not read: the second page and a closed menu's items; GTK 4 cannot tell and reads them."""
    names = {one.name for one in (await form.read()).accessibles}

    if form.application.toolkit != "GTK":
        assert "P2" not in names
    assert "Quit" not in names


@pytest.mark.parametrize("limits", [ReadLimits(accessibles_max=20), ReadLimits(depth_max=2)])
async def test_a_limit_ends_the_read_and_the_tree_says_so(gtk3: Form, limits: ReadLimits) -> None:
    """A partial tree is never taken for a whole one."""
    tree = await gtk3.read(limits)

    assert not tree.is_complete
    assert 0 < len(tree.accessibles) <= 20


async def test_of_a_long_list_the_visible_rows_are_read(form: Form) -> None:
    """Case C07: the list is cut, nothing else is; the total is said."""
    tree = await form.read(ReadLimits(children_max=60))

    assert tree.is_complete
    (cut,) = tree.cuts
    assert cut.total == 200
    assert 8 <= cut.shown <= 20
    assert any(one.name == "Row 1" for one in tree.accessibles)
    assert not any(one.name == "Row 150" for one in tree.accessibles)
    assert any(one.name == "P1" for one in tree.accessibles)


async def test_twenty_thousand_rows_cost_no_more_than_the_visible_ones(desktop: Desktop, atspi: AtspiAdapter) -> None:
    """Case C07: GetMatches takes 10 s here, and the Save button behind the list was lost."""
    pid = await desktop.run(["/usr/bin/python3", "-c", TREE_VIEW])
    application = await appeared(atspi, pid)

    tree = await atspi.read_tree(application.root, ReadLimits())

    assert tree.is_complete
    assert [cut.total for cut in tree.cuts] == [40_000]
    names = {one.name for one in tree.accessibles}
    assert {"A0", "B0", "A5", "Save"} <= names
    assert len(tree.accessibles) < 100
    await desktop.exit_of(await desktop.run(["kill", "-KILL", str(pid)]), 5.0)


# ---------------------------------------------------------------- acting


async def test_a_pressed_button_runs_its_handler_once(form: Form) -> None:
    """The log of the application counts the clicks."""
    await form.act(await form.find("Go", Role.BUTTON), Action.PRESS)

    assert await form.logged("click", "Go")
    assert [line["widget"] for line in read_log(form.log) if line["event"] == "click"] == ["Go"]


async def test_text_value_and_choice_reach_the_application(form: Form) -> None:
    """Cases C45, C46: what counts is what the application's own handlers were told."""
    await form.act(await form.find("Name", Role.ENTRY), Action.SET_VALUE, "Zoë")
    assert await form.logged("change", "Name", "Zoë")
    await form.act(await form.find("Count", Role.SPIN_BUTTON), Action.SET_VALUE, "42")
    assert await form.logged("change", "Count", 42)
    await form.act(await form.find("Count", Role.SPIN_BUTTON), Action.INCREMENT)
    assert await form.logged("change", "Count", 43)
    await form.act(await form.find("Volume", Role.SLIDER), Action.DECREMENT)
    assert await form.logged("change", "Volume", 9)
    combo = next(one for one in (await form.read()).accessibles if one.role is Role.COMBO_BOX)
    if any(offer.action is Action.SET_VALUE for offer in combo.offers):
        await form.act(combo, Action.SET_VALUE, "Globex")
        assert await form.logged("change", "Company", "Globex")


async def test_toggles_and_tabs_reach_the_application(form: Form) -> None:
    """GTK 4's check box has no action and offers none."""
    remember = await form.find("Remember", Role.CHECK_BOX)
    if form.application.toolkit == "GTK":
        assert remember.offers == ()
        return
    await form.act(remember, Action.TOGGLE)
    assert await form.logged("toggle", "Remember", State.CHECKED not in remember.states)
    await form.act(await form.find("Two", Role.PAGE_TAB), Action.SELECT)
    assert await form.logged("tab", "Two")


async def test_typing_goes_on_behind_what_was_typed(form: Form) -> None:
    """InsertText counts bytes on GTK and UTF-16 units on Qt; GTK 4 leaves the caret where it was (all measured)."""
    name = await form.find("Name", Role.ENTRY)

    await form.act(name, Action.TYPE, "héllo 😀 ")
    await form.act(name, Action.TYPE, "wörld")

    assert await form.logged("change", "Name", "héllo 😀 wörld")


@pytest.mark.parametrize(
    ("name", "role", "primitive", "argument", "error"),
    [
        ("Go", Role.BUTTON, "atspi.action:window.close", "", UnsupportedError),
        ("Go", Role.BUTTON, "atspi.editable_text.set", "x", UnsupportedError),
        ("Go", Role.BUTTON, "no.such.primitive", "", UnsupportedError),
        ("Name", Role.ENTRY, "atspi.editable_text.set", "a\0b", RequestError),
        ("Name", Role.ENTRY, "atspi.editable_text.set", "a\ud800b", RequestError),
        ("Count", Role.SPIN_BUTTON, "atspi.value.set", "101", RequestError),
        ("Count", Role.SPIN_BUTTON, "atspi.value.set", "many", RequestError),
    ],
)
async def test_what_cannot_be_done_is_refused_and_nothing_happens(
    form: Form, name: str, role: Role, primitive: str, argument: str, error: type[Exception]
) -> None:
    """No effect, and the connection lives on."""
    target = await form.find(name, role)

    with pytest.raises(error):
        await form.atspi.perform(target.ref, primitive, argument, 2.0)

    assert (await form.read()).is_complete
    assert {line["event"] for line in read_log(form.log)} <= {"ready"}


async def test_an_option_that_is_not_there_is_refused_with_those_that_are(gtk3: Form) -> None:
    """House style: zero or many matches is a refusal with near misses."""
    combo = await gtk3.find("Company", Role.COMBO_BOX)

    with pytest.raises(RequestError, match='"Acme", "Globex", "Initech"'):
        await gtk3.atspi.perform(combo.ref, "atspi.combo.choose", "Glob", 2.0)


@pytest.mark.parametrize("kind", FORMS)
async def test_a_removed_button_is_gone(desktop: Desktop, atspi: AtspiAdapter, kind: str) -> None:
    """The stale-target rule begins here: GTK 3 and Qt would still run the handler of a removed button (measured)."""
    form = await launch(desktop, atspi, kind, "--layout", "list")
    alpha = await form.find("Alpha", Role.BUTTON)
    ask(form.control, do="remove", name="Alpha")

    with pytest.raises(ObjectGoneError):
        await form.act(alpha, Action.PRESS)

    await form.act(await form.find("Bravo", Role.BUTTON), Action.PRESS)
    assert await form.logged("click", "Bravo")
    assert [line["widget"] for line in read_log(form.log) if line["event"] == "click"] == ["Bravo"]
    await form.signal("KILL")


@pytest.mark.parametrize("kind", FORMS)
async def test_what_comes_later_is_read_under_its_name_of_now(desktop: Desktop, atspi: AtspiAdapter, kind: str) -> None:
    """GTK 4 answers from a cache: it must hold additions, removals and new names."""
    form = await launch(desktop, atspi, kind, "--layout", "list")
    charlie = await form.find("Charlie", Role.BUTTON)
    ask(form.control, do="insert", name="Echo", index=1)
    ask(form.control, do="rename", name="Charlie", to="Foxtrot")
    ask(form.control, do="remove", name="Delta")

    names = [one.name for one in (await form.read()).accessibles if one.role is Role.BUTTON]

    assert sorted(names) == ["Alpha", "Bravo", "Echo", "Foxtrot"]
    assert (await form.find("Foxtrot", Role.BUTTON)).ref == charlie.ref
    await form.act(await form.find("Echo", Role.BUTTON), Action.PRESS)
    assert await form.logged("click", "Echo")
    await form.signal("KILL")


async def test_a_dialog_is_a_toplevel_of_its_own(form: Form) -> None:
    """Blocking by a modal dialog can only be judged if the dialog is seen."""
    before = {one.ref for one in (await form.read()).accessibles if one.parent is None}
    await form.act(await form.find("Open dialog", Role.BUTTON), Action.PRESS)

    end = time.monotonic() + 5
    while not (new := [one for one in (await form.read()).accessibles if one.parent is None and one.ref not in before]):
        assert time.monotonic() < end
        await asyncio.sleep(0.05)

    assert new[0].role in {Role.DIALOG, Role.FRAME, Role.ALERT}
    if form.application.toolkit != "Qt":  # Qt 5.15 and 6.4 do not say it; the window's own hint does
        assert State.MODAL in new[0].states


# ---------------------------------------------------------------- events


async def test_an_act_is_followed_by_events_of_its_application(form: Form) -> None:
    """Facts 3.8: within 300 ms everywhere; GTK 4 takes 260; the layout may speak before the field does."""
    name = await form.find("Name", Role.ENTRY)

    async with form.atspi.changes(form.application.root) as stream:
        while await stream.next(0.3) is not None:
            pass  # what a window that has just come up still has to say
        await form.act(name, Action.SET_VALUE, "x")
        changes: list[Change] = []
        while (change := await stream.next(2.0 if not changes else 0.3)) is not None:
            changes.append(change)

    own = [change for change in changes if change.source == name.ref and change.kind.startswith("object:text-changed")]
    assert own
    assert abs(own[0].at_s - time.monotonic()) < 5


# ---------------------------------------------------------------- trouble


async def test_a_stopped_application_delays_nobody_and_heals(desktop: Desktop, atspi: AtspiAdapter, gtk3: Form) -> None:
    """Case C61."""
    other = await launch(desktop, atspi, "qt5")
    go = await gtk3.find("Go", Role.BUTTON)
    await gtk3.signal("STOP")

    listed = {one.root: one for one in await atspi.applications(3.0)}
    assert not listed[gtk3.application.root].is_responding
    assert listed[gtk3.application.root].name == gtk3.application.name
    assert listed[other.application.root].is_responding
    with pytest.raises(AppUnresponsiveError):
        await gtk3.read()
    with pytest.raises(AppUnresponsiveError):
        await atspi.perform(go.ref, "atspi.action:click", "", 0.3)
    assert (await other.read()).is_complete
    await gtk3.signal("CONT")

    end = time.monotonic() + 2.0
    while not all(one.is_responding for one in await atspi.applications(3.0)):
        assert time.monotonic() < end, "it goes on and is still listed as not responding"
    assert (await gtk3.read()).is_complete
    await other.signal("KILL")


async def test_an_act_on_a_stopped_application_is_not_done_later(gtk3: Form) -> None:
    """Silence at the look before the act: nothing was sent that SIGCONT could set free."""
    go = await gtk3.find("Go", Role.BUTTON)
    await gtk3.signal("STOP")

    with pytest.raises(AppUnresponsiveError) as caught:
        await gtk3.act(go, Action.PRESS)

    assert caught.value.effect == "none"
    await gtk3.signal("CONT")
    await gtk3.act(await gtk3.find("Idle", Role.BUTTON), Action.PRESS)
    assert await gtk3.logged("click", "Idle")
    assert not any(line["widget"] == "Go" for line in read_log(gtk3.log))


async def test_an_application_that_ended_is_gone(gtk3: Form) -> None:
    """Facts 5.2."""
    go = await gtk3.find("Go", Role.BUTTON)
    ask(gtk3.control, do="quit")
    end = time.monotonic() + 5
    while any(one.root == gtk3.application.root for one in await gtk3.atspi.applications(2.0)):
        assert time.monotonic() < end
        await asyncio.sleep(0.02)

    with pytest.raises(AppGoneError):
        await gtk3.read()
    with pytest.raises(AppGoneError):
        await gtk3.atspi.perform(go.ref, "atspi.action:click", "", 1.0)


async def test_an_application_that_dies_in_mid_read_is_gone(gtk3: Form) -> None:
    """Facts 5.2: a half-read tree of something dead is not handed out as whole."""
    read = asyncio.create_task(gtk3.read())
    await gtk3.signal("KILL")

    try:
        tree = await read
    except AppGoneError:
        return
    assert len(tree.accessibles) > 200  # it was quicker than the signal


async def test_without_a_bus_the_refusal_says_which_and_what_to_do(tmp_path: Path) -> None:
    """Case C63."""
    with pytest.raises(SetupError, match="session bus") as caught:
        await connect(f"unix:path={tmp_path}/none", 2.0)

    assert caught.value.hint


async def test_a_bus_that_came_back_is_used_without_a_restart() -> None:
    """Case C63: the accessibility bus ends and is started again by the next call."""
    async with await start(OPTIONS) as own:
        atspi = await connect(own.session_bus, 5.0)
        assert await atspi.applications(2.0) == ()
        address = own.accessibility_bus
        pid = await own.run(["pkill", "-TERM", "-f", "at-spi-bus-launcher|accessibility.conf|at-spi2-registryd"])
        await own.exit_of(pid, 5.0)
        gone = Path(address.partition("path=")[2].partition(",")[0])
        assert await until(lambda: not gone.exists() or not _listens(gone))

        assert await _answers(atspi) == ()
        await atspi.close()


async def _answers(atspi: AtspiAdapter) -> tuple[Application, ...]:
    """List applications as soon as the bus is there again."""
    end = time.monotonic() + 10
    while True:
        try:
            return await atspi.applications(2.0)
        except PlatformError:
            assert time.monotonic() < end
            await asyncio.sleep(0.05)


def _listens(path: Path) -> bool:
    import socket

    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(os.fspath(path)) == 0


def test_the_fixture_is_where_the_desktop_can_see_it() -> None:
    """A moved folder would turn every test here into a confusing timeout."""
    programs: list[Any] = [APPS / form[0] for form in FORMS.values()]
    assert all(program.exists() for program in programs)
