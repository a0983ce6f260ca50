"""Real applications, driven through the server: what they did is read from files, outputs and exit codes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.desk import Answer, Desk, desk, need_programs, wait_until

SUM = (("1", "2", "+", "3", "0", "="), "42")
WORDS = {"0": "Zero", "1": "One", "2": "Two", "3": "Three", "+": "Add", "=": "Equals"}  # kcalc's names on Debian 13
LINES = ("Tactile: grüße, ÄÖÜ ß", "漢字 かな 한글", "emoji \U0001f600 \U0001f469\u200d\U0001f680, 12 + 30")


@pytest.fixture(scope="module")
def shared_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """One desktop for all applications of this module."""
    with desk(tmp_path_factory.mktemp("applications")) as opened:
        yield opened


def opened(shared_desk: Desk, program: str, *arguments: str) -> str:
    """Open a program and return its pid."""
    need_programs(program)
    answer = shared_desk.call("open_app", name=program, args=list(arguments))
    assert answer.data["status"] == "executed", answer.text
    assert answer.verdict in {"confirmed", "weak"}, answer.text
    return str(answer.data["target"]).rpartition("pid ")[2]


def confirmed(answer: Answer) -> None:
    """Assert that a receipt says it was done."""
    assert answer.verdict == "confirmed", answer.text


def one(shared_desk: Desk, app: str, role: str, state: str = "") -> str:
    """Return the ref of the one showing candidate of a role, with a state if given."""
    answer = shared_desk.call("get_app_state", app=app, format="records", limit=200)
    found = [
        item["ref"]
        for item in answer.data["candidates"]
        if item["role"] == role and item["showing"] and (not state or state in item["states"])
    ]
    assert len(found) == 1, answer.text
    return str(found[0])


def shown_when_done(shared_desk: Desk, app: str, entered: str, result: str) -> str:
    """Return what holds after "=" and not before: kcalc on Debian 13 shows the result early, beside its field."""
    state = shared_desk.call("get_app_state", app=app, format="records", limit=200)
    fields = [item["ref"] for item in state.data["candidates"] if item.get("value") == entered]
    return f'{fields[0]} = "{result}"' if fields else f'text "{result}"'


def test_text_of_many_scripts_is_typed_into_an_editor_and_saved_through_its_dialog(shared_desk: Desk) -> None:
    """Issue 2, done when: typed, saved through the dialog, and the file read back."""
    app = opened(shared_desk, "mousepad")
    file = shared_desk.folder / "note.txt"
    editor = one(shared_desk, app, "text", "focused")
    for line in LINES:
        confirmed(shared_desk.call("type_text", target=editor, text=line + "\n"))
    confirmed(shared_desk.call("press_key", keys="ctrl+shift+s", expect='window "Save As"'))
    confirmed(shared_desk.call("set_value", target='entry "Name" in "Save As"', value=str(file)))
    confirmed(shared_desk.call("click", target='button "Save" in "Save As"', expect='window "Save As" gone'))
    wait_until(file.exists, "the saved file")
    assert file.read_text(encoding="utf-8").splitlines() == list(LINES)
    gone = shared_desk.call("click", target='button "Save" in "Save As"')
    assert gone.failure == "target_absent", gone.text


@pytest.mark.parametrize("program", ["gnome-calculator", "kcalc"])
def test_a_sum_is_done_with_the_buttons_of_a_calculator(shared_desk: Desk, program: str) -> None:
    """Issue 2, done when: a sum in two calculators of different toolkits."""
    app = opened(shared_desk, program)
    keys, result = SUM
    state = shared_desk.call("get_app_state", app=app, format="records", limit=200)
    names = {item["name"] for item in state.data["candidates"] if item["role"] == "button"}
    button = {key: f'button "{key if key in names else WORDS[key]}"' for key in keys}
    for key in keys[:-1]:
        answer = shared_desk.call("click", target=button[key])
        assert answer.data["status"] == "executed", answer.text  # an operator alone may show nowhere
    shown = shown_when_done(shared_desk, app, "".join(keys[:-1]), result)
    confirmed(shared_desk.call("click", target=button["="], expect=shown))
    wrong = shared_desk.call("click", target=button["1"], expect='text "no such number"')
    assert wrong.verdict == "refuted", wrong.text
    closed = shared_desk.call("press_key", keys="ctrl+q", expect=f'app "{program}" gone')
    if closed.verdict != "confirmed":
        assert app in shared_desk.call("list_apps").text, "it says that it is gone only when it is"


def test_the_answer_given_to_a_question_is_the_one_that_the_program_gets(shared_desk: Desk) -> None:
    """Our choice: the exit code is the ground truth."""
    need_programs("zenity")
    for button, code in (("Yes", "0"), ("No", "1")):
        told = shared_desk.folder / f"question-{button}"
        line = 'zenity --question --title Ask --text "Sure?"; echo $? > "$0"'
        opened(shared_desk, "sh", "-c", line, str(told))
        shown = shared_desk.call("get_app_state")
        assert "Sure?" in shown.text
        answer = shared_desk.call("click", target=f'button "{button}"', expect='window "Ask" gone')
        confirmed(answer)
        wait_until(lambda told=told: told.exists() and told.read_text() != "", "zenity's exit code")  # type: ignore[misc]
        assert told.read_text().strip() == code


def test_the_text_entered_into_a_dialog_is_the_one_that_the_program_prints(shared_desk: Desk) -> None:
    """Our choice: the program's own stdout is the ground truth."""
    need_programs("zenity")
    told = shared_desk.folder / "entry"
    line = 'zenity --entry --title Enter --text "Name?" > "$0.part"; mv "$0.part" "$0"'
    opened(shared_desk, "sh", "-c", line, str(told))
    field = one(shared_desk, "", "entry")
    confirmed(shared_desk.call("set_value", target=field, value="first"))
    confirmed(shared_desk.call("set_value", target=field, value="Jürgen 漢字"))
    confirmed(shared_desk.call("click", target='button "OK"', expect='window "Enter" gone'))
    wait_until(told.exists, "zenity's answer")
    assert told.read_text(encoding="utf-8").strip() == "Jürgen 漢字"


def test_a_folder_made_in_a_file_manager_is_on_the_disk(shared_desk: Desk) -> None:
    """Our choice: the file system is the ground truth."""
    place = shared_desk.folder / "place"
    (place / "inner").mkdir(parents=True)
    app = opened(shared_desk, "thunar", str(place))
    listed = shared_desk.call("press_key", keys="ctrl+2", expect='text "inner"')  # the list of details names files
    confirmed(listed)
    made = shared_desk.call("press_key", keys="ctrl+shift+n", expect='window "New Folder" or so')
    assert made.failure == "bad_request", "an expectation that does not parse is refused before a key is sent"
    assert [path.name for path in place.iterdir()] == ["inner"]
    asked = shared_desk.call("press_key", keys="ctrl+shift+n")
    assert not asked.is_error, asked.text
    field = one(shared_desk, app, "entry", "focused")
    confirmed(shared_desk.call("set_value", target=field, value="made by Tactile"))
    shared_desk.call("click", target='button "Create"')
    wait_until((place / "made by Tactile").is_dir, "the folder on the disk")


def test_a_home_of_its_own_is_all_that_an_application_sees(shared_desk: Desk, tmp_path: Path) -> None:
    """Our choice: the isolated desktop shares the folders that were named, and no other."""
    outside = tmp_path / "outside.txt"
    outside.write_text("outside", encoding="utf-8")
    told = shared_desk.folder / "seen"
    line = (
        'cat "$1" > "$0.part" 2>/dev/null; ls -d "$2" >> "$0.part"; mv "$0.part" "$0"; exec zenity --info --title Done'
    )
    need_programs("zenity")
    opened(shared_desk, "sh", "-c", line, str(told), str(outside), str(shared_desk.folder))
    assert told.read_text().split() == [str(shared_desk.folder)]
    confirmed(shared_desk.call("click", target='button "OK"', expect='window "Done" gone'))
