"""Browsers as they are read; what is on a page, and where, is told by the page itself."""

from __future__ import annotations

import asyncio
import shutil
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tactile.adapters.atspi import AtspiAdapter, connect
from tactile.adapters.desktop import Desktop, DesktopOptions, start
from tactile.adapters.x11 import X11Adapter
from tactile.adapters.x11 import connect as connect_x11
from tactile.compile.exposure import WITHHELD, exposure_notes
from tactile.compile.pipeline import compile_observation
from tactile.records import AccessibleTree, Action, Application, Candidate, Observation, Point, ReadLimits, Role, State
from tests.apps.fixture_control import CANARY, ask

APPS = Path(__file__).resolve().parents[1] / "apps"
OPTIONS = DesktopOptions(numbers=range(120, 130), read_only=(APPS,), width=1280, height=1000)
LIMITS = ReadLimits(deadline_s=5.0)
START_S = 30.0  # a browser with a fresh profile on a loaded machine
WAIT_S = 10.0  # for a page to be told to the accessibility bus after it has changed
SLACK = 2.0  # px of the page; its places are fractions, and browsers round them outwards
PREFERENCES = {
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionPolicyBypassNotification": True,
    "toolkit.startup.max_resumed_crashes": -1,
}
# Around the control that has the same name: a label beside it, the text of its table cell, the page and its tab.
NOT_CONTROLS = frozenset({Role.LABEL, Role.PANEL, Role.DOCUMENT, Role.FRAME, Role.PAGE_TAB, Role.TABLE_CELL})
TABS = ("General", "Advanced")
FIT = {"chromium": "Chromium", "firefox-esr": "Gecko"}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The adapter is made for asyncio."""
    return "asyncio"


@dataclass(frozen=True, slots=True)
class Pages:
    """A desktop with a server of pages on it."""

    desktop: Desktop
    atspi: AtspiAdapter
    x11: X11Adapter
    control: Path
    port: int

    def url(self, page: str) -> str:
        """Return a page's address on the desktop."""
        return f"http://127.0.0.1:{self.port}{page}"

    async def run(self, page: str, script: str) -> Any:
        """Run a script in a page and return its value, as soon as the page is there."""
        return (await asyncio.to_thread(ask, self.control, 25.0, do="run", page=page, script=script))["value"]


@pytest.fixture(scope="module")
async def pages() -> AsyncIterator[Pages]:
    """One desktop with a server for the module."""
    desktop = await start(OPTIONS)
    atspi = await connect(desktop.session_bus, 5.0)
    x11 = await connect_x11(desktop.display, str(desktop.xauthority), 5.0)
    control = desktop.home / "pages.sock"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    argv = ["/usr/bin/python3", str(APPS / "page_server.py"), "--port", str(port), "--control", str(control)]
    await desktop.run(argv)
    assert await eventually(control.exists), "the page server did not start"
    yield Pages(desktop, atspi, x11, control, port)
    await x11.close()
    await atspi.close()
    await desktop.stop()


async def eventually(is_so: Callable[[], bool | Awaitable[bool]], within_s: float = WAIT_S) -> bool:
    """Look again and again until it holds, or the time has passed."""
    end = time.monotonic() + within_s
    while True:
        found = is_so()
        if found if isinstance(found, bool) else await found:
            return True
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.05)  # between two looks; the deadline bounds the loop


@dataclass(slots=True)
class Browser:
    """A running browser that shows one page."""

    kind: str
    pages: Pages
    application: Application
    page: str
    visits: int = 0

    async def run(self, script: str) -> Any:
        """Run a script in its page."""
        return await self.pages.run(self.page, script)

    async def go(self, page: str) -> None:
        """Open a page in its tab, each time under a new address, and wait until it is told to the bus."""
        self.visits += 1
        address = f"{page}{'&' if '?' in page else '?'}{self.kind}{self.visits}"
        await self.run(f"leaveFor({address!r})")
        self.page = address
        await self.arrive()

    async def arrive(self) -> None:
        """Wait until its page is told to the bus."""
        title = await self.run("loaded()")
        assert await eventually(lambda: self._shows(title), START_S), f"{self.kind} does not show {self.page}"

    async def _shows(self, title: str) -> bool:
        tree = await self.read()
        documents = [one for one in tree.accessibles if one.role is Role.DOCUMENT and State.SHOWING in one.states]
        return any(one.name == title for one in documents)

    async def read(self, limits: ReadLimits = LIMITS) -> AccessibleTree:
        """Read its tree."""
        return await self.pages.atspi.read_tree(self.application.root, limits)

    async def observe(self) -> Observation:
        """Take an observation."""
        return await observe(self.pages, self.application, await self.read())

    async def candidates(self) -> tuple[Candidate, ...]:
        """Return the candidates."""
        return compile_observation(await self.observe()).candidates

    async def press(self, keys: str) -> None:
        """Press keys in its window."""
        window = next(one for one in await self.pages.x11.windows() if one.pid == self.application.pid)
        assert await self.pages.x11.activate(window.native_id, 5.0)
        await self.pages.x11.press(keys)


async def observe(pages: Pages, application: Application, tree: AccessibleTree) -> Observation:
    """Put a tree together with the windows."""
    return Observation(
        observation_id="o1",
        taken_at_s=0.0,
        app_name=application.name,
        pid=application.pid,
        windows=await pages.x11.windows(),
        screen=await pages.x11.screen(),
        tree=tree,
    )


def command(kind: str, pages: Pages, url: str, *more: str) -> list[str]:
    """Return how to start a browser with a profile of its own."""
    profile = pages.desktop.home / f"{kind}{len(more)}"
    profile.mkdir()
    if kind == "chromium":
        flags = [
            "--no-sandbox",
            "--no-first-run",
            "--password-store=basic",
            "--disable-gpu",
            f"--user-data-dir={profile}",
        ]
        flags += ["--window-size=1200,900", "--window-position=20,20"]
        # A full desktop has Debian's start script add the flag.
        flags += [] if pages.desktop.isolation == "full" or more else ["--force-renderer-accessibility"]
        return [kind, *flags, *more, url]
    lines = [f'user_pref("{name}", {str(value).lower()});\n' for name, value in PREFERENCES.items()]
    (profile / "user.js").write_text("".join(lines))
    argv = ["/usr/bin/env", "MOZ_DISABLE_CONTENT_SANDBOX=1", kind, "--no-remote", "--profile", str(profile)]
    return [*argv, "--width", "1200", "--height", "900", url]


async def appeared(pages: Pages, toolkit: str, but: tuple[Application, ...] = ()) -> Application:
    """Wait until a browser is on the bus."""
    found: list[Application] = []

    async def is_there() -> bool:
        known = {one.root for one in but}
        now = await pages.atspi.applications(2.0)
        found.extend(one for one in now if one.toolkit == toolkit and one.root not in known and one.is_responding)
        return bool(found)

    assert await eventually(is_there, START_S), f"{toolkit} did not come to the accessibility bus"
    return found[0]


@pytest.fixture(scope="module", params=list(FIT))
async def browser(request: pytest.FixtureRequest, pages: Pages) -> AsyncIterator[Browser]:
    """Each browser, started once, on the page of controls."""
    kind = request.param
    if shutil.which(kind) is None:
        pytest.skip(f"needs {kind}")
    page = f"/controls.html?{kind}"
    pid = await pages.desktop.run(command(kind, pages, pages.url(page)))
    running = Browser(kind, pages, await appeared(pages, FIT[kind]), page)
    await running.arrive()
    yield running
    await pages.desktop.run(["kill", "-KILL", str(running.application.pid)])
    await pages.desktop.exit_of(pid, 5.0)


@pytest.fixture
async def controls(browser: Browser) -> AsyncIterator[Browser]:
    """The page of controls, fresh."""
    await browser.go("/controls.html")
    yield browser
    await browser.press("ctrl+0")


def differences(account: dict[str, Any], candidates: tuple[Candidate, ...]) -> list[str]:
    """Compare what the page says of its controls with the candidates."""
    left, top = account["origin"]
    problems = []
    for control in account["controls"]:
        name = control["name"]
        same = [one for one in candidates if one.name == name]
        found = [one for one in same if one.is_showing and (one.role not in NOT_CONTROLS or name in TABS)]
        if len(found) != control["isShown"]:
            problems.append(f"{name}: {len(found)} instead of {int(control['isShown'])}")
        for one in found if control["isShown"] else ():
            place = one.full_extents
            assert place is not None, name
            x, y, width, height = control["full"]
            wanted = (left + x, top + y, left + x + width, top + y + height)
            got = (place.x, place.y, place.x + place.width, place.y + place.height)
            if max(abs(a - b) for a, b in zip(wanted, got, strict=True)) > SLACK * account["ratio"]:
                problems.append(f"{name}: at {got} instead of {[round(number, 1) for number in wanted]}")
    return problems


async def check_against_the_page(browser: Browser) -> int:
    """Compare until page and candidates agree, and return how many controls show."""
    account: dict[str, Any] = {}
    problems: list[str] = []

    async def agree() -> bool:
        account.update(await browser.run("account()"))
        if account["origin"] is None:  # a page that met no pointer yet does not know where it is
            await browser.pages.x11.scroll(Point(x=700, y=600), "up", 1)
            return False
        problems[:] = differences(account, await browser.candidates())
        return not problems

    assert await eventually(agree), f"{browser.kind}: {problems}"
    return sum(control["isShown"] for control in account["controls"])


# ---------------------------------------------------------------- what is there


async def test_every_control_of_the_page_is_a_candidate_once_and_where_it_is(controls: Browser) -> None:
    """The page's own account: frames, shadow trees, scrolled panes, fixed boxes, and what is hidden in nine ways."""
    assert await check_against_the_page(controls) > 35


async def test_so_it_is_at_another_zoom_and_scrolled(controls: Browser) -> None:
    """Case: clicks of others land beside their targets on zoomed and scrolled pages."""
    for _ in range(4):  # of the steps to 150 or 175 %, as the browser counts
        await controls.press("ctrl+plus")
    await controls.run("scrollTo(0, 420)")

    assert await check_against_the_page(controls) > 15
    assert await controls.run("devicePixelRatio") > 1.3


async def test_behind_a_dialog_nothing_of_the_page_shows(controls: Browser) -> None:
    """HTML: what is behind a modal dialog is inert; the page says itself what it can still press."""
    await controls.run("dialog.showModal()")

    async def is_alone() -> bool:
        names = {one.name for one in await controls.candidates() if one.is_showing}
        return {"Yes, do it", "No"} <= names and "Press me" not in names

    assert await eventually(is_alone)


async def test_values_are_read_and_secrets_are_not(controls: Browser) -> None:
    """The page's source; a password's bullets are no value either."""
    found = {one.name: one for one in await controls.candidates() if one.is_showing and one.role not in NOT_CONTROLS}

    assert {name: found[name].value for name in ("Name", "Notes", "Volume", "Count", "Colour")} == {
        "Name": "Ada",
        "Notes": "one\ntwo",
        "Volume": "3",
        "Count": "4",
        "Colour": "Green",
    }
    assert State.CHECKED in found["Remember"].states
    assert found["Rich text"].role is Role.TEXT
    tree = await controls.read()
    assert found["Secret"].is_secure
    assert found["Secret"].value is None
    assert not any(CANARY in f"{one.name} {one.text} {one.description}" for one in tree.accessibles)


async def test_text_of_a_page_is_read_with_its_links_in_it(controls: Browser) -> None:
    """Chromium keeps text in leaves, Firefox in what holds them, and both put a sign where a link stands."""
    texts = [one.value or "" for one in await controls.candidates() if one.role is Role.PARAGRAPH]

    assert any(text.startswith("Some running text with a plain link and nested link.") for text in texts), texts


async def test_a_box_with_a_click_handler_is_a_button_that_works(controls: Browser) -> None:
    """Our choice: what the browser itself says can be clicked is a control, whatever its tag."""
    (box,) = [one for one in await controls.candidates() if one.name == "Clickable span"]
    primitive = next(one.primitive for one in box.affordances if one.action is Action.PRESS)
    await controls.run("account().events")

    await controls.pages.atspi.perform(box.native, primitive, "", 2.0)

    assert box.role is Role.BUTTON
    assert await eventually(lambda: _was_clicked(controls, "Clickable span"))


async def _was_clicked(browser: Browser, name: str) -> bool:
    return ["click", name] in await browser.run("account().events")


async def test_options_show_while_their_list_is_open(controls: Browser) -> None:
    """Chromium and Firefox say of the chosen option of a closed list that it shows."""

    async def options() -> list[str]:
        return sorted(one.name for one in await controls.candidates() if one.is_showing and one.role is Role.MENU_ITEM)

    assert await options() == []

    await controls.run("document.querySelector('select').focus()")
    await controls.press("alt+Down")

    async def is_open() -> bool:
        return await options() == ["Blue", "Green", "Red"]

    is_right = await eventually(is_open)
    await controls.press("Escape")
    assert is_right, await options()


# ---------------------------------------------------------------- large pages


async def test_a_long_page_is_read_where_it_shows_and_the_rest_is_counted(browser: Browser) -> None:
    """Measured by messages: they follow what shows, not the page."""
    await browser.go("/many.html?count=400")

    showing = await check_against_the_page(browser)
    tree = await browser.read()

    (cut,) = tree.cuts
    assert cut.total == 1600
    assert showing <= cut.shown <= showing + 50
    assert tree.is_complete
    assert tree.calls < 12 * len(tree.accessibles)
    hidden = [one for one in tree.accessibles if State.SHOWING not in one.states]
    assert 0 < len(hidden) <= 60
    assert all(one.name for one in hidden)


async def test_a_huge_table_costs_no_more_than_its_visible_part(browser: Browser) -> None:
    """Measured: a query over 20,000 rows stops Chromium for 15 s; what is too big is walked instead."""
    await browser.go("/table.html?rows=2500")

    tree = await browser.read()

    assert tree.is_complete
    (cut,) = tree.cuts
    assert cut.total >= 5000
    names = {one.name for one in tree.accessibles if State.SHOWING in one.states}
    assert {"First", "Cell 1", "Edit 10"} <= names
    assert "Last" in {one.name for one in tree.accessibles}
    assert len(tree.accessibles) < 600


async def test_no_more_is_read_than_the_limit_says(browser: Browser) -> None:
    """What is left out is said."""
    await browser.go("/many.html?count=400")

    tree = await browser.read(ReadLimits(deadline_s=5.0, accessibles_max=40))

    assert not tree.is_complete
    assert len(tree.accessibles) <= 40 + 60
    assert any(cut.shown == 40 for cut in tree.cuts)


# ---------------------------------------------------------------- what is held back


async def test_a_minimised_browser_shows_nothing_and_says_why(controls: Browser) -> None:
    """Measured: Chromium leaves SHOWING on the page, Firefox on the window."""
    windows = [one for one in await controls.pages.x11.windows() if one.pid == controls.application.pid]
    window = next(one for one in windows if not one.is_popup and one.title)
    await controls.pages.desktop.run(["/usr/bin/xdotool", "windowminimize", str(window.native_id)])

    async def is_hidden() -> bool:
        seen = await controls.observe()
        names = {one.name for one in compile_observation(seen).candidates if one.is_showing}
        return "Press me" not in names and any("minimised" in note for note in exposure_notes(seen))

    assert await eventually(is_hidden)


async def test_a_chromium_that_holds_its_page_back_is_said_to(pages: Pages) -> None:
    """Case C01: a window of four accessibles is no empty page."""
    if shutil.which("chromium") is None:
        pytest.skip("needs chromium")
    known = await pages.atspi.applications(2.0)
    argv = command("chromium", pages, pages.url("/controls.html?held"), "--disable-renderer-accessibility")
    pid = await pages.desktop.run(argv)
    application = await appeared(pages, "Chromium", known)

    async def notes() -> tuple[str, ...]:
        tree = await pages.atspi.read_tree(application.root, LIMITS)
        return exposure_notes(await observe(pages, application, tree))

    async def is_said() -> bool:
        return WITHHELD in await notes()

    await pages.run("/controls.html?held", "1")
    is_right = await eventually(is_said)
    await pages.desktop.run(["kill", "-KILL", str(application.pid)])
    await pages.desktop.exit_of(pid, 5.0)
    assert is_right
