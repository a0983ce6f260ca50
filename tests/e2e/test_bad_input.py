"""Every malformed or meaningless request is a typed refusal that says what to do, and nothing is touched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client

from tactile.connect import Options
from tactile.mcp.server import build_server
from tests.apps.fixture_control import read_log
from tests.e2e.desk import APPS, NOISE, SYSTEM_PYTHON, Desk, Form
from tests.e2e.wire import Wire

NAME = 'entry "Name"'
LONG = "x" * 100_000
SURROGATES = ("\ud800", "a\udfffb", "\udc80\ud800")

# tool, arguments, code of the refusal
REFUSED: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("get_app_state", {"app": "no-such-application"}, "bad_request"),
    ("get_app_state", {"app": 999_999}, "bad_request"),
    ("get_app_state", {"app": "w999999"}, "bad_request"),
    ("get_app_state", {"expand": "e999999"}, "stale_session"),
    ("get_app_state", {"since": "o999999"}, "stale_session"),
    ("open_app", {"name": "no-such-program"}, "bad_request"),
    ("open_app", {"name": ""}, "bad_request"),
    ("open_app", {"name": "a\0b"}, "bad_request"),
    ("click", {"target": "e999999"}, "stale_session"),
    ("click", {"target": "w999999"}, "stale_window"),
    ("click", {"target": ""}, "bad_request"),
    ("click", {"target": "   "}, "bad_request"),
    ("click", {"target": 7}, "bad_request"),
    ("click", {"target": 'sprocket "Go"'}, "bad_request"),
    ("click", {"target": 'button "Go'}, "bad_request"),
    ("click", {"target": "button"}, "bad_request"),
    ("click", {"target": 'button "Go" in "No such window"'}, "target_absent"),
    ("click", {"target": 'button "No such button"'}, "target_absent"),
    ("click", {"target": 'button "Go" or so'}, "bad_request"),
    ("click", {"target": LONG}, "bad_request"),
    ("click", {"target": "600,400"}, "bad_request"),
    ("click", {"target": "@600,400"}, "bad_request"),
    ("click", {"target": "o999999@600,400"}, "stale_session"),
    ("click", {"target": "{observation}@5000,5000"}, "bad_request"),
    ("click", {"target": "{observation}@-5,10"}, "bad_request"),
    ("click", {"target": "{observation}@99999999999999999999,1"}, "bad_request"),
    ("click", {"target": 'button "Go"', "expect": "no sense"}, "bad_request"),
    ("click", {"target": 'button "Go"', "expect": 'text "gone'}, "bad_request"),
    ("click", {"target": 'button "Go"', "expect": "e5 is frobnicated"}, "bad_request"),
    ("click", {"target": 'button "Go"', "expect": 'text "a" and'}, "bad_request"),
    ("click", {"target": 'button "Go"', "button": "fourth"}, "bad_request"),
    ("click", {"target": 'button "Go"', "count": 99}, "bad_request"),
    ("click", {"target": 'button "Go"', "modifiers": ["hyper"]}, "bad_request"),
    ("click", {}, "bad_request"),
    ("perform_secondary_action", {"target": 'button "Go"', "action": "frobnicate"}, "bad_request"),
    ("perform_secondary_action", {"target": 'button "Go"', "action": "expand"}, "unsupported"),
    ("set_value", {"target": 'spin_button "Count"', "value": "101"}, "bad_request"),
    ("set_value", {"target": 'spin_button "Count"', "value": -1}, "bad_request"),
    ("set_value", {"target": 'spin_button "Count"', "value": "many"}, "bad_request"),
    ("set_value", {"target": 'spin_button "Count"', "value": "nan"}, "bad_request"),
    ("set_value", {"target": 'spin_button "Count"', "value": "inf"}, "bad_request"),
    ("set_value", {"target": 'check_box "Remember"', "value": "perhaps"}, "bad_request"),
    ("set_value", {"target": NAME, "value": "two\nlines"}, "bad_request"),
    ("set_value", {"target": NAME, "value": LONG}, "bad_request"),
    ("set_value", {"target": NAME, "value": "a\0b"}, "bad_request"),
    ("set_value", {"target": 'button "Go"', "value": "x"}, "unsupported"),
    ("type_text", {"text": "", "target": NAME}, "bad_request"),
    ("type_text", {"text": LONG, "target": NAME}, "bad_request"),
    ("type_text", {"text": "a\0b", "target": NAME}, "bad_request"),
    ("type_text", {"text": "a\x1bb", "target": NAME}, "bad_request"),
    ("type_text", {"text": "two\nlines", "target": NAME}, "bad_request"),
    ("type_text", {"text": "x", "target": 'button "Go"'}, "unsupported"),
    ("press_key", {"keys": ""}, "bad_request"),
    ("press_key", {"keys": "ctrl+frobnicate"}, "bad_request"),
    ("press_key", {"keys": "ctrl+"}, "bad_request"),
    ("press_key", {"keys": "a\0"}, "bad_request"),
    ("press_key", {"keys": LONG}, "bad_request"),
    ("press_key", {"keys": "a b c frobnicate"}, "bad_request"),
    ("scroll", {"target": 'list "Rows"', "direction": "sideways"}, "bad_request"),
    ("scroll", {"target": 'list "Rows"', "direction": "down", "amount": 100_000}, "bad_request"),
    ("drag", {"source": 'label "Parcel"', "destination": ""}, "bad_request"),
    ("drag", {"source": 'label "Parcel"', "destination": "10,10"}, "bad_request"),
    ("drag", {"source": 'button "Go"', "destination": 'button "No such button"'}, "target_absent"),
)


@pytest.fixture(scope="module")
def form(shared_desk: Desk) -> Iterator[Form]:
    """One window of buttons and fields for all refusals."""
    with shared_desk.opened("gtk3", "--at", "300,100") as opened:
        yield opened


def _id(case: tuple[str, dict[str, Any], str]) -> str:
    return f"{case[0]}-{str(case[1])[:60]!a}"


@pytest.mark.parametrize("case", REFUSED, ids=map(_id, REFUSED))
def test_a_bad_request_is_refused_and_nothing_is_touched(
    shared_desk: Desk, form: Form, case: tuple[str, dict[str, Any], str]
) -> None:
    """Issue 2, must hold: each a typed refusal that says what to do."""
    tool, arguments, code = case
    state = shared_desk.observe(form)
    if "{observation}" in str(arguments.get("target", "")):
        arguments = {**arguments, "target": arguments["target"].format(observation=state.data["observation"])}
    form.new_events()
    answer = shared_desk.call(tool, **arguments)
    check_refused(answer.data, answer.text, answer.is_error, code)
    assert form.new_events() == []


def check_refused(data: dict[str, Any], text: str, is_error: bool, code: str) -> None:
    """Assert that an answer is a complete refusal with a code."""
    assert is_error, text
    assert data.get("status") == "rejected", (data, text)
    assert data["failure"] == code, text
    assert data["message"].strip(), data
    assert data["next"].strip(), data
    assert code in text
    assert len(text) < 3000, "a refusal does not repeat what was sent"


def test_the_same_requests_made_well_do_act(shared_desk: Desk, form: Form) -> None:
    """Positive control: a server that refuses everything would pass the table."""
    shared_desk.observe(form)
    form.new_events()
    assert not shared_desk.call("click", target='button "Go"').is_error
    assert form.clicks() == ["Go"]
    assert shared_desk.call("set_value", target='spin_button "Count"', value=100).verdict == "confirmed"
    assert shared_desk.call("set_value", target='check_box "Remember"', value="true").verdict == "confirmed"
    assert shared_desk.call("type_text", target=NAME, text="one line").verdict == "confirmed"
    assert not shared_desk.call("press_key", keys="shift+End").is_error
    values = form.values()
    assert (values["Count"], values["Remember"], values["Name"]) == (100, True, "one line")


def test_null_stands_for_not_given(shared_desk: Desk, form: Form) -> None:
    """clients.md: some clients send null for every optional argument, and numbers where a schema says string."""
    nothing = {"mode": "auto", "query": None, "expand": None, "limit": None, "since": None}
    assert not shared_desk.call("get_app_state", app=form.pid, **nothing).is_error
    form.new_events()
    target = shared_desk.refs(form)["Go"]
    assert not shared_desk.call("click", target=target, count=None, modifiers=None, expect=None).is_error
    assert form.clicks() == ["Go"]
    assert not shared_desk.call("list_apps").is_error


def test_a_title_that_two_processes_share_is_refused_and_both_are_named(shared_desk: Desk, form: Form) -> None:
    """Issue 2, must hold; case C04: two windows of the same name."""
    with shared_desk.opened("gtk3", "--title", "Twin") as one, shared_desk.opened("gtk3", "--title", "Twin") as two:
        answer = shared_desk.call("get_app_state", app="Twin")
        check_refused(answer.data, answer.text, answer.is_error, "target_ambiguous")
        assert str(one.pid) in answer.text
        assert str(two.pid) in answer.text
        assert not shared_desk.call("click", target=shared_desk.refs(one)["Go"]).is_error
        assert (one.clicks(), two.new_events()) == (["Go"], [])
        window = shared_desk.observe(two).data["window"].split()[0]
        assert f"pid {two.pid}" in shared_desk.call("get_app_state", app=window).text


def test_a_name_that_two_buttons_share_is_refused_and_both_are_named(shared_desk: Desk, form: Form) -> None:
    """Our choice (house style): zero or many matches is a refusal with near misses, never the first one."""
    with shared_desk.opened("gtk3", "--layout", "list") as listed:
        listed.ask("insert", name="Bravo", index=0)
        listed.settle()
        shared_desk.observe(listed)
        answer = shared_desk.call("click", target='button "Bravo"')
        check_refused(answer.data, answer.text, answer.is_error, "target_ambiguous")
        assert len(answer.data["near_misses"]) == 2
        assert listed.new_events() == []


def test_two_windows_of_one_process_with_the_same_title_are_told_apart(shared_desk: Desk, form: Form) -> None:
    """Issue 2, must hold: two windows of the same name."""
    with shared_desk.opened("gtk3", "--title", "Same", "--at", "40,40") as one:
        one.ask("window", title="Same")
        one.settle()
        shared_desk.observe(one)
        answer = shared_desk.call("click", target='frame "Same"')
        check_refused(answer.data, answer.text, answer.is_error, "target_ambiguous")
        windows = next(app for app in shared_desk.apps() if app["pid"] == one.pid)["windows"]
        assert len({window["id"] for window in windows}) == 2
        assert one.new_events() == []


@pytest.mark.parametrize("text", SURROGATES, ids=ascii)
def test_a_lone_surrogate_is_refused_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Issue 2, must hold: no field can hold half a character."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    client = Client(build_server(Options(desktop="isolated", read_only=(APPS,), read_write=(tmp_path,))))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        desk = Desk(portal=portal, client=client, folder=tmp_path)
        with desk.opened("gtk3") as form:
            for tool, more in (("type_text", {"text": text}), ("set_value", {"value": text})):
                answer = desk.call(tool, target=NAME, **more)
                check_refused(answer.data, answer.text, answer.is_error, "bad_request")
            assert form.new_events() == []
            assert desk.call("set_value", target=NAME, value="\U0001f600").verdict == "confirmed"
            assert form.values()["Name"] == "\U0001f600"


WIRE_CALLS = (
    ("type_text", r'{"text": "\ud800"}', "bad_request"),
    ("type_text", r'{"text": "a\udfffb", "target": "entry \"Name\""}', "bad_request"),
    ("set_value", r'{"value": "\udc80\ud800", "target": "entry \"Name\""}', "bad_request"),
    ("press_key", r'{"keys": "\ud800"}', "bad_request"),
    ("click", r'{"target": "button \"\ud800\""}', "target_absent"),
    ("click", r'{"target": "\ud800"}', "bad_request"),
    ("click", r'{"target": "button \"Go\"", "expect": "text \ud800"}', "bad_request"),
    ("click", r'{"target": "button \"Go\"", "button": "\ud800"}', "bad_request"),
    ("get_app_state", r'{"app": "\ud800"}', "bad_request"),
    ("open_app", r'{"name": "\ud800"}', "bad_request"),
)


def test_a_lone_surrogate_on_the_wire_is_refused_and_the_server_lives_on(tmp_path: Path) -> None:
    """Issue 2, must hold: the SDK's parser refuses the escape and drops the line, so a client would wait for ever."""
    with Wire.start(tmp_path) as wire:
        wire.initialize()
        log = tmp_path / "shared" / "form.log"
        opened = wire.call(2, "open_app", name=SYSTEM_PYTHON, args=[str(APPS / "gtk3_form.py"), "--log", str(log)])
        assert opened["structuredContent"]["status"] == "executed"
        for number, (tool, arguments, code) in enumerate(WIRE_CALLS, start=10):
            line = f'{{"name": "{tool}", "arguments": {arguments}}}'
            call = f'{{"jsonrpc": "2.0", "id": {number}, "method": "tools/call", "params": {line}}}'
            result = wire.ask_raw(call, number)["result"]
            check_refused(result["structuredContent"], result["content"][0]["text"], result["isError"], code)
        broken = (
            r'{"jsonrpc": "2.0", "id": 50, "method": "\ud800"}',
            '{"jsonrpc": "2.0", "id": 50',
            "[]",
            "null",
            "\x00",
        )
        for line in broken:
            assert wire.ask_raw(line, 50)["error"]["message"], line
        assert [event for event in read_log(log) if event["event"] not in NOISE] == []
        done = wire.call(60, "set_value", target=NAME, value="\U0001f600")
        assert done["structuredContent"]["verdict"] == "confirmed", "an escaped pair is one whole character"
