"""Names, values, levels, cells and links are what the applications' own toolkits say, in every language."""

from __future__ import annotations

import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.apps.fixture_control import CANARY, CATALOGUE, LINK_TARGET, PRICES, TREE
from tests.e2e.desk import APPS, Desk, Form, need_programs, wait_until

LEVELS = {"src": 1, "lib": 2, "main.c": 2, "docs": 1}  # of the tree with its first row open
SAYS_LEVELS = {"gtk3"}  # Qt 5.15, 6.4 and 6.8 do not, and GTK 4 hides the rows of its tree view
HAS_TREE = {"gtk3", "qt5", "qt6"}
FOLDS = {"gtk3", "gtk4"}
PAGE_S = 25.0  # for a browser to start and to tell all of a page
LANGUAGES = {"de_DE.UTF-8": "de", "fr_FR.UTF-8": "fr"}


@pytest.fixture(scope="module", params=("gtk3", "gtk4", "qt5", "qt6"))
def catalogue(request: pytest.FixtureRequest, shared_desk: Desk) -> Iterator[Form]:
    """One of each kind of control; the tests of this module only read it."""
    with shared_desk.opened(f"{request.param}-catalogue") as opened:
        yield opened


@pytest.fixture(scope="module")
def candidates(shared_desk: Desk, catalogue: Form) -> list[dict[str, Any]]:
    """Return what shows of it."""
    return [item for item in shared_desk.records(catalogue) if item["showing"]]


def kind(form: Form) -> str:
    """Return the toolkit alone."""
    return form.toolkit.partition("-")[0]


def one(candidates: list[dict[str, Any]], role: str, name: str) -> dict[str, Any]:
    """Return the only candidate of this role and name."""
    found = [item for item in candidates if (item["role"], item["name"]) == (role, name)]
    assert len(found) == 1, f"{role} {name!r} in " + "; ".join(f"{one['role']} {one['name']!r}" for one in candidates)
    return found[0]


def test_what_nobody_named_is_called_by_its_label_its_hint_or_its_tip(
    catalogue: Form, candidates: list[dict[str, Any]]
) -> None:
    """Issue: names from label-for, placeholder, description and inner text; never a class name."""
    street = "Street" if kind(catalogue) == "gtk3" else "Street:"
    for name in (CATALOGUE["Hinted"], CATALOGUE["Tipped"], street, "Locked"):
        one(candidates, "entry", name)
    assert one(candidates, "entry", CATALOGUE["Hinted"])["name_from"] in {"placeholder", "description"}
    one(candidates, "button", CATALOGUE["Save"])
    assert sum(item["name"] == CATALOGUE["Bold"] for item in candidates) == 1
    assert [item["name"] for item in candidates if item["name"].startswith(("Gtk", "Q"))] == []


def test_what_each_control_holds_is_what_its_toolkit_says(catalogue: Form, candidates: list[dict[str, Any]]) -> None:
    """Issue: values of entries, combos, switches, toggles, tabs, progress and level bars, dates."""
    held = catalogue.values()
    toolkit = kind(catalogue)
    street = one(candidates, "entry", "Street" if toolkit == "gtk3" else "Street:")
    assert street["value"] == held["Street"] == "Main Road 1"
    assert one(candidates, "entry", CATALOGUE["Hinted"])["value"] == held["Hinted"] == ""
    assert {item["value"] for item in candidates if item["role"] == "combo_box"} == {held.get("Size", "Medium")}
    done = next(item for item in candidates if item["role"] == "progress_bar")
    assert float(done["value"]) == held["Done"]
    for item in candidates:
        if item["role"] == "level_bar":
            assert float(item["value"]) == held["Level"]
    selected = [item["name"] for item in candidates if item["role"] == "page_tab" and "selected" in item["states"]]
    assert selected == ["Second"]
    if "Day" in held:
        assert one(candidates, "spin_button", "")["value"] == held["Day"]


def test_toggles_say_on_off_and_in_between(catalogue: Form, candidates: list[dict[str, Any]]) -> None:
    """Issue: states normalised over toolkits."""
    held = catalogue.values()
    on = {"checked", "pressed"}
    for name, wanted in (("Wrap", "Wrap"), (CATALOGUE["Bold"], "Bold")):
        item = next(item for item in candidates if item["name"] == name)
        assert bool(on & set(item["states"])) is held[wanted] is True
    assert "indeterminate" in one(candidates, "check_box", "Part")["states"]
    if kind(catalogue) in FOLDS:
        assert "checked" in one(candidates, "switch", CATALOGUE["Light"])["states"]
        details = one(candidates, "toggle_button", "Details")
        assert ("expanded" in details["states"]) is held.get("Details", True) is True
        assert "collapse" in {item["action"] for item in details["affordances"]}
        assert one(candidates, "label", "inner words")


def test_a_field_that_cannot_be_written_to_says_so(candidates: list[dict[str, Any]]) -> None:
    """GTK 3 and Firefox leave it unsaid, Qt calls it editable as well (measured)."""
    locked, open_one = one(candidates, "entry", "Locked"), one(candidates, "entry", CATALOGUE["Hinted"])

    assert {"read_only", "editable"} & set(locked["states"]) == {"read_only"}
    assert {"read_only", "editable"} & set(open_one["states"]) == {"editable"}
    assert not {"type", "set_value"} & {item["action"] for item in locked["affordances"]}


def test_a_password_is_nowhere(shared_desk: Desk, catalogue: Form, candidates: list[dict[str, Any]]) -> None:
    """Issue: password fields are never read, not even how long."""
    (secret,) = (item for item in candidates if item["role"] == "password_text")

    assert secret["value"] is None
    assert "secret" in shared_desk.observe(catalogue, query="password_text").text
    assert CANARY not in str(candidates) + shared_desk.observe(catalogue).text


def test_rows_of_a_tree_say_how_deep_they_lie_and_whether_they_are_open(
    catalogue: Form, candidates: list[dict[str, Any]]
) -> None:
    """Issue: tree rows (expanded, level); what a toolkit does not say is not made up."""
    if kind(catalogue) not in HAS_TREE:
        return
    rows = {item["name"]: item for item in candidates if item["role"] == "tree_item"}

    assert set(rows) == set(LEVELS)
    for name, item in rows.items():
        assert item.get("level") in {LEVELS[name]} | (set() if kind(catalogue) in SAYS_LEVELS else {None})
    assert {name for name, item in rows.items() if "expandable" in item["states"]} == {"src", "docs", "lib"}
    assert {name for name, item in rows.items() if "expanded" in item["states"]} == {TREE[0][0]}


def test_a_cell_says_its_row_its_column_and_what_the_column_is_called(
    catalogue: Form, candidates: list[dict[str, Any]]
) -> None:
    """Issue: table cells (row, column, headers)."""
    cells = [item for item in candidates if item["role"] == "table_cell" and item.get("column_header")]
    found = {(item.get("row"), item.get("column_header")): (item.get("column"), item["name"]) for item in cells}

    assert len(cells) == 9
    for number, row in enumerate(PRICES["rows"], start=1):
        for column, title in enumerate(PRICES["columns"][:2]):
            if kind(catalogue) == "gtk4":  # its rows are reused for others and do not say which they are
                assert (column + 1, row[column]) in {
                    (item.get("column"), item["name"]) for item in cells if item.get("column_header") == title
                }
            else:
                assert found[number, title] == (column + 1, row[column])
    chosen = {item["name"] for item in cells if "selected" in item["states"]}
    assert {PRICES["rows"][1][0], PRICES["rows"][1][1]} <= chosen
    if kind(catalogue) != "gtk4":
        ticked = {item.get("row") for item in cells if item.get("column") == 3 and "checked" in item["states"]}
        assert ticked == {number for number, row in enumerate(PRICES["rows"], start=1) if row[2]}


def test_a_link_says_where_it_leads(catalogue: Form, candidates: list[dict[str, Any]]) -> None:
    """Issue: links (target). Only GTK 3 hands it out; Qt's label is one text."""
    if kind(catalogue) in {"gtk3", "gtk4"}:
        docs = one(candidates, "link", "Docs")
        assert docs.get("url", "") in {LINK_TARGET} | ({""} if kind(catalogue) == "gtk4" else set())
    if kind(catalogue) == "gtk3":
        assert catalogue.values()["Docs"] == LINK_TARGET


def test_a_query_finds_a_field_by_its_hint_and_cells_by_their_header(shared_desk: Desk, catalogue: Form) -> None:
    """Our choice: what a person would search for."""
    if kind(catalogue) in {"gtk3", "gtk4"}:
        assert '"Main Road 1"' in shared_desk.observe(catalogue, query="street and number").text
    assert f'"{PRICES["rows"][1][1]}"' in shared_desk.observe(catalogue, query="Price").text


# ---------------------------------------------------------------- languages


@pytest.fixture(scope="module")
def locales(shared_desk: Desk) -> Path:
    """Compile the locales into a folder that the desktop's programs see; a machine need not have them."""
    need_programs("localedef")
    folder = shared_desk.folder / "locales"
    folder.mkdir()
    for locale in LANGUAGES:
        language, charset = locale.split(".")
        argv = ["localedef", "--no-archive", "-i", language, "-f", charset, str(folder / locale)]
        done = subprocess.run(argv, capture_output=True, timeout=60, check=False)
        if not (folder / locale).exists():
            pytest.skip(f"needs the package locales: {done.stderr.decode(errors='replace')[:200]}")
    return folder


def was_clicked(form: Form) -> bool:
    """Tell whether Save's handler has run, once."""
    return form.clicks() == ["Save"]


def offered(candidates: list[dict[str, Any]]) -> Counter[tuple[Any, ...]]:
    """Count the candidates by what they are and what can be done to them, by which mechanism."""
    return Counter(
        (item["role"], tuple((one["action"], one["primitive"]) for one in item["affordances"])) for item in candidates
    )


@pytest.mark.parametrize("toolkit", ["gtk3", "gtk4", "qt5", "qt6"])
def test_every_language_gives_the_same_actions_with_the_same_effect(
    shared_desk: Desk, locales: Path, toolkit: str
) -> None:
    """Issue: localised desktops give the same actions; toolkits translate what GetActions says, not GetName."""
    seen: dict[str, Counter[tuple[Any, ...]]] = {}
    words = set()
    for locale in ("C.UTF-8", *LANGUAGES):
        env: Mapping[str, str] = {"LANG": locale, "LC_ALL": locale, "LANGUAGE": "", "LOCPATH": str(locales)}
        with shared_desk.opened(f"{toolkit}-catalogue", env=env if locale in LANGUAGES else None) as form:
            records = [item for item in shared_desk.records(form) if item["showing"]]
            seen[locale] = offered([item for item in records if item["role"] != "label"])  # calendars differ in theirs
            words.add(form.ask("word", text="_Cancel")["word"])
            ref = next(item["ref"] for item in records if item["name"] == CATALOGUE["Save"])
            clicked = shared_desk.call("click", target=ref)
            assert not clicked.is_error, clicked.text
            wait_until(partial(was_clicked, form), "one click")

    assert len(words) > 1, "the toolkit was not translated"
    assert all(counts == seen["C.UTF-8"] for counts in seen.values())


# ---------------------------------------------------------------- web pages


def browser(shared_desk: Desk, program: str) -> tuple[str, list[str]]:
    """Return how to open the page in a browser with a profile of its own."""
    page = str(APPS / "catalogue.html")
    if program == "chromium":
        flags = ["--no-sandbox", "--no-first-run", "--force-renderer-accessibility", "--window-size=1100,760"]
        return program, [*flags, f"--user-data-dir={shared_desk.folder / 'chromium'}", page]
    profile = shared_desk.folder / "firefox"
    profile.mkdir(exist_ok=True)
    (profile / "user.js").write_text('user_pref("browser.aboutwelcome.enabled", false);\n')
    return "/usr/bin/env", ["MOZ_DISABLE_CONTENT_SANDBOX=1", program, "--no-remote", "--profile", str(profile), page]


@pytest.mark.parametrize("program", ["chromium", "firefox-esr"])
def test_a_page_says_what_its_controls_mean(shared_desk: Desk, program: str) -> None:
    """Ground truth is the page's own source."""
    need_programs(program)
    name, args = browser(shared_desk, program)
    opened = shared_desk.call("open_app", name=name, args=args)
    problems: list[str] = []

    def fits() -> bool:
        found = [app for app in shared_desk.apps() if any("Catalogue" in one["title"] for one in app["windows"])]
        if not found:
            return False
        answer = shared_desk.call("get_app_state", app=found[0]["pid"], format="records")
        try:
            check_page([item for item in answer.data.get("candidates", []) if item["showing"]])
        except AssertionError as problem:  # browsers tell of a page bit by bit
            problems.append(str(problem))
            return False
        return True

    deadline = time.monotonic() + PAGE_S
    while not (is_right := fits()) and time.monotonic() < deadline:
        time.sleep(0.1)  # between two looks; the deadline bounds the loop
    shared_desk.call("press_key", keys="ctrl+q" if program == "firefox-esr" else "ctrl+shift+w")
    assert is_right, problems[-1:] or opened.text


def check_page(page: list[dict[str, Any]]) -> None:
    """Compare with the source of `catalogue.html`."""
    entries = {item["name"]: item for item in page if item["role"] == "entry"}
    assert {"Search the files", "Your reference", "Street:", "Locked", "Mail"} <= set(entries)
    assert entries["Street:"]["placeholder"] == "Street and number"
    assert entries["Street:"]["value"] == "Main Road 1"
    assert {"required", "invalid_entry"} <= set(entries["Mail"]["states"])
    assert entries["Mail"]["description"] == "Write it in full"
    assert "read_only" in entries["Locked"]["states"]
    assert entries["Locked"]["enabled"]
    assert one(page, "text", "Notes")["value"] == "first line second line"
    assert one(page, "combo_box", "Size")["value"] == "Medium"
    for role, name in (("button", "Save the document"), ("button", "Print"), ("switch", "Night light")):
        one(page, role, name)
    bold = [item for item in page if item["name"] == "Bold text"]  # Firefox calls it a plain button in some runs
    assert [("pressed" in item["states"], "button" in item["role"]) for item in bold] == [(True, True)]
    assert "indeterminate" in one(page, "check_box", "Part")["states"]
    assert "expanded" in one(page, "toggle_button", "Details")["states"]
    assert "has_popup" in one(page, "button", "Options")["states"]
    assert [item.get("level") for item in page if item["role"] == "heading"][:2] == [1, 2]
    levels = {item["name"]: item.get("level") for item in page if item["role"] == "tree_item"}
    assert levels == {"src": 1, "lib": 2, "main.c": 2, "docs": 1}
    assert one(page, "link", "the site")["url"] == LINK_TARGET
    assert one(page, "link", "Trap")["url"] == "javascript:document.title='followed'"
    assert [item["name"] for item in page if item["role"] == "list_item"] == ["Plain"]
    inner = [item for item in page if item["role"] == "table_cell"]
    cells = {(item.get("row_header"), item.get("column_header")): item["name"] for item in inner}
    assert cells["Pear", "Price"] == "4"
    assert cells["Plum", "Stock"] == "yes"
    years = [item for item in page if item["role"] == "spin_button" and item["name"].startswith("Year")]
    assert [item["value"] for item in years] == ["2024"]
    assert CANARY not in str(page)
