"""Where a candidate is said to be is where its widget is, also where one toolkit px is not one px of the screen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.e2e.desk import Desk, Form, contains, desk, need_programs, wait_until
from tests.e2e.test_coordinates import misplaced, pairs

WIDTH, HEIGHT = 2400, 1600  # px; a form of 690 toolkit px fits at scale 2, moved
COMPARED_MIN = 25  # candidates with a widget of the same name; fewer would prove little
DIALOG = ("OK", "Cancel")


@dataclass(frozen=True, slots=True)
class Scaled:
    """One way in which a toolkit is told to draw larger.

    Attributes:
        factor: Px of the screen for one of the toolkit's.
    """

    toolkit: str
    factor: float
    env: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{self.toolkit}-{self.factor:g}"


WAYS = (
    Scaled("gtk3", 2, (("GDK_SCALE", "2"),)),
    Scaled("gtk4", 2, (("GDK_SCALE", "2"),)),
    Scaled("qt5", 1.5, (("QT_SCALE_FACTOR", "1.5"),)),
    Scaled("qt5", 2, (("QT_SCREEN_SCALE_FACTORS", "2"), ("QT_ENABLE_HIGHDPI_SCALING", "1"))),
    Scaled("qt6", 1.5, (("QT_FONT_DPI", "144"),)),
    Scaled("qt6", 2, (("QT_SCALE_FACTOR", "2"),)),
)


@pytest.fixture(scope="module")
def wide_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desktop with room for large windows."""
    with desk(tmp_path_factory.mktemp("wide"), size=f"{WIDTH}x{HEIGHT}") as opened:
        yield opened


@pytest.fixture(params=WAYS, ids=str)
def way(request: pytest.FixtureRequest) -> Scaled:
    """Each toolkit with each way of drawing larger that it knows."""
    assert isinstance(request.param, Scaled)
    return request.param


@pytest.fixture
def form(wide_desk: Desk, way: Scaled) -> Iterator[Form]:
    """A large window of buttons and fields, at an odd place."""
    with wide_desk.opened(way.toolkit, "--at", "221,133", env=dict(way.env)) as opened:
        yield opened


def test_every_centre_is_in_its_widget_at_every_scale(wide_desk: Desk, form: Form, way: Scaled) -> None:
    """Public report C15: at 200 % clicks landed at half of the intended place."""
    form.settle()
    rects = form.rects()
    compared = pairs(wide_desk.records(form, limit=200), rects)
    assert len(compared) >= COMPARED_MIN, [name for name, _, _ in compared]
    assert [wrong for pair in compared if (wrong := misplaced(form.toolkit, *pair, way.factor))] == []
    for name, how in (("Go", {"count": 2}), ("Icon", {"button": "right"})):
        assert pressed(wide_desk, form, name, how), name
    trusted(wide_desk, form, way)
    if way.factor > 1:
        unscaled = [pair for pair in compared if not is_found_unscaled(pair, way.factor)]
        assert len(unscaled) == len(compared), "the toolkit's own numbers would do: this test proves nothing"
    opens_in_place(wide_desk, form, way)


def is_found_unscaled(pair: tuple[str, dict[str, int], list[int]], factor: float) -> bool:
    """Tell whether the toolkit's own numbers, taken for px of the screen, would hit the widget."""
    _, extents, true = pair
    x, y = extents["x"] + extents["width"] / 2, extents["y"] + extents["height"] / 2
    return contains(true, x / factor, y / factor)


def trusted(opened: Desk, form: Form, way: Scaled) -> None:
    """Only what a toolkit says in px of the screen is exact."""
    marks = {item["geometry"] for item in opened.records(form) if item["showing"]}
    is_told_in_px = way.factor == 1 and way.toolkit != "gtk4"
    assert marks == {"exact" if is_told_in_px else "derived"}


def pressed(opened: Desk, form: Form, name: str, how: dict[str, Any]) -> bool:
    """Press a widget with the real pointer; tell whether its toolkit says that it was pressed inside it."""
    form.new_events()
    answer = opened.call("click", target=f'button "{name}"', **how)
    assert not answer.is_error, answer.text
    presses = [event["value"] for event in form.new_events() if event["event"] == "press"]
    return bool(presses) and all(contains(form.rects()[name], press["x"], press["y"]) for press in presses)


def opens_in_place(opened: Desk, form: Form, way: Scaled) -> None:
    """Combo lists, menus and dialogs are windows of their own and their place is no guess either."""
    choose(opened, form, "Globex")
    clicked = opened.call("click", target='button "Open dialog"')
    assert not clicked.is_error, clicked.text
    rects = form.rects()
    compared = [pair for pair in pairs(opened.records(form, limit=200), rects) if pair[0] in DIALOG]
    assert len(compared) == len(DIALOG), compared
    assert [wrong for pair in compared if (wrong := misplaced(form.toolkit, *pair, way.factor))] == []


def choose(opened: Desk, form: Form, option: str) -> None:
    """Choose an option of the closed combo box with two clicks of the real pointer."""
    wanted = {"Acme", option, "Initech"}
    combo = next(item for item in opened.records(form, limit=200) if item["role"] == "combo_box")
    if combo["value"] == option:
        return
    click_middle(opened, form, combo)
    listed = [item for item in opened.records(form, limit=200) if item["name"] in wanted and item["showing"]]
    one = next(item for item in listed if item["name"] == option and item["role"] in {"menu_item", "list_item"})
    click_middle(opened, form, one)
    assert form.values()["Company"] == option


def click_middle(opened: Desk, form: Form, item: dict[str, Any]) -> None:
    """Click the middle of a candidate by its place."""
    observation = opened.observe(form).data["observation"]
    place = item["extents"]
    point = f"{observation}@{place['x'] + place['width'] // 2},{place['y'] + place['height'] // 2}"
    clicked = opened.call("click", target=point)
    assert clicked.data["status"] == "executed", clicked.text


PAGE = """<!doctype html><title>Corners</title><style>button { position: fixed; width: 40px; height: 20px; padding: 0 }
</style><body style="margin: 0; height: 3000px"><div style="height: 900px"></div><button style="position: static">Low
</button><button style="left: 0; top: 0">A</button><button style="right: 0; top: 0">B</button><button
style="left: 0; bottom: 0">C</button><button style="right: 0; bottom: 0">D</button><script>
for (const one of document.querySelectorAll("button")) one.onclick = () => { document.title = "hit " + one.innerText }
</script>"""
CHROMIUM = ("--no-first-run", "--disable-gpu", "--password-store=basic", "--force-renderer-accessibility")


def test_a_click_in_a_page_hits_at_a_fractional_device_scale_and_page_zoom(wide_desk: Desk) -> None:
    """Public report C18; Chromium counts its own controls in other px than the page. The page says what was hit."""
    need_programs("chromium")
    (wide_desk.folder / "corners.html").write_text(PAGE, encoding="utf-8")
    profile = f"--user-data-dir={wide_desk.folder}/profile"
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    page = f"file://{wide_desk.folder}/corners.html"
    scale = "--force-device-scale-factor=1.5"
    place = ("--window-size=700,500", "--window-position=90,70")
    opened = wide_desk.call("open_app", name="chromium", args=[*CHROMIUM, *sandbox, profile, scale, *place, page])
    assert opened.data["status"] == "executed", opened.text
    window = wait_for_title(wide_desk, "Corners")
    for zoom in (None, "ctrl+plus"):
        if zoom is not None:
            wide_desk.call("press_key", keys=zoom, target=window)
        for name in "ABCD":
            clicked = wide_desk.call("click", target=f'button "{name}"', count=2)
            assert clicked.data["status"] == "executed", clicked.text
            wait_for_title(wide_desk, f"hit {name}")
    reload = wide_desk.call("click", target='button "Reload"', count=2)
    assert reload.data["status"] == "executed", reload.text
    window = wait_for_title(wide_desk, "Corners")
    wide_desk.call("press_key", keys="alt+F4", target=window)


def wait_for_title(opened: Desk, title: str) -> str:
    """Wait until a window of this title is there, by the window system, and return its ref."""
    refs: list[str] = []

    def look() -> bool:
        windows = [window for app in opened.apps() for window in app["windows"]]
        refs[:] = [window["id"] for window in windows if window["title"].startswith(title)]
        return len(refs) == 1

    wait_until(look, f'a window "{title}"')
    return refs[0]
