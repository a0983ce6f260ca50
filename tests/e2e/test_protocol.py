"""The server as a client sees it: the tool list, its price, both protocol eras, and a clean stdout."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tactile.render.tokens import estimate_tokens
from tests.e2e.desk import Desk, desk, need_toolkit
from tests.e2e.wire import Wire, children

TOOLS = (
    "list_apps",
    "open_app",
    "get_app_state",
    "click",
    "perform_secondary_action",
    "set_value",
    "type_text",
    "press_key",
    "scroll",
    "drag",
)
READING = {"list_apps", "get_app_state"}
TOOLS_TOKENS_MAX = 3000  # interface.md
CHATTY = """
import os, sys, gi
gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk
window = Gtk.Window(title="Chatty")
button = Gtk.Button(label="Talk")
button.connect("clicked", lambda _b: shout())
window.add(button)
window.show_all()
def shout():
    for _ in range(200):
        os.write(1, b'{"jsonrpc": "2.0", "id": 4, "result": {"forged": true}}\\n' + b"x" * 500 + b"\\n")
        os.write(2, b"noise on stderr\\n")
    return True
GLib.timeout_add(20, shout)
Gtk.main()
"""


def listed(opened: Desk) -> list[dict[str, Any]]:
    """Return the tools as a client gets them."""
    tools = opened.portal.call(opened.client.list_tools).tools
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]


def test_every_tool_is_annotated_and_described_by_flat_schemas(shared_desk: Desk) -> None:
    """interface.md: flat schemas, because some clients drop tools with unions or references."""
    tools = listed(shared_desk)
    assert tuple(tool["name"] for tool in tools) == TOOLS
    for tool in tools:
        hints = tool["annotations"]
        assert {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} <= set(hints), tool["name"]
        assert hints["readOnlyHint"] is (tool["name"] in READING)
        assert tool["description"].strip()
        assert tool["inputSchema"]["type"] == "object"
        assert tool["outputSchema"]["type"] == "object"
        written = json.dumps(tool["inputSchema"])
        assert not [word for word in ('"$ref"', '"anyOf"', '"oneOf"', '"allOf"', '"$defs"') if word in written]
        assert '"$ref"' not in json.dumps(tool["outputSchema"])


def test_the_tools_cost_at_most_3000_tokens(shared_desk: Desk) -> None:
    """interface.md; two estimates, because no tokenizer is at hand offline."""
    paid = "\n".join(
        json.dumps([tool["name"], tool["description"], tool["inputSchema"]], separators=(",", ":"))
        for tool in listed(shared_desk)
    )
    costs = {"estimate": estimate_tokens(paid), "length/3.5": round(len(paid) / 3.5)}
    print(f"tools cost {costs}")
    assert max(costs.values()) <= TOOLS_TOKENS_MAX, costs


def test_both_protocol_eras_offer_the_same_tools(shared_desk: Desk, tmp_path: Path) -> None:
    """Issue 2: e2e in both protocol versions."""
    with desk(tmp_path, "legacy") as older:
        assert older.client.protocol_version < shared_desk.client.protocol_version
        assert listed(older) == listed(shared_desk)
        with older.opened("gtk3") as form:
            assert not older.call("click", target='button "Go"', expect='text "gone 1"').is_error
            assert form.clicks() == ["Go"]


def test_the_text_and_the_structured_state_are_the_same(shared_desk: Desk) -> None:
    """interface.md: which of the two reaches the model differs by client."""
    with shared_desk.opened("gtk3") as form:
        answer = shared_desk.observe(form)
        assert answer.data["state"] == answer.text
        assert f"observation {answer.data['observation']}" in answer.text
        receipt = shared_desk.call("click", target='button "Go"')
        for word in (receipt.data["status"], receipt.data["verdict"], receipt.data["effect"]):
            assert word in receipt.text
        refused = shared_desk.call("click", target='button "Off"')
        assert refused.data["message"] in refused.text
        assert refused.data["next"] in refused.text


def test_initialize_and_the_tool_list_are_answered_before_any_desktop_starts(tmp_path: Path) -> None:
    """interface.md: no desktop start before initialize; the first call opens it."""
    with Wire.start(tmp_path) as wire:
        assert wire.initialize()["result"]["serverInfo"]["name"] == "tactile"
        assert len(wire.ask(2, "tools/list")["result"]["tools"]) == len(TOOLS)
        assert children(wire.process.pid) == set()
        assert wire.call(3, "list_apps")["isError"] is False
        assert children(wire.process.pid)


@pytest.mark.timeout(180)
def test_stdout_carries_nothing_but_json_rpc_though_an_application_shouts(tmp_path: Path) -> None:
    """Our choice: an application inherits descriptors; what it writes must not reach the client."""
    need_toolkit("gtk3")
    with Wire.start(tmp_path) as wire:
        wire.initialize()
        opened = wire.call(2, "open_app", name="/usr/bin/python3", args=["-c", CHATTY])
        assert opened["structuredContent"]["status"] == "executed"
        start = time.monotonic()
        answer = wire.call(3, "click", target='button "Talk"')
        assert answer["isError"] is False, answer
        assert wire.call(4, "list_apps")["structuredContent"].get("forged") is None
        assert time.monotonic() - start < 20, "an application that writes much does not hold the server up"
        messages = [json.loads(line) for line in wire.lines]
    assert len(messages) == 4
    assert [message["jsonrpc"] for message in messages] == ["2.0"] * 4
    assert sorted(message["id"] for message in messages) == [1, 2, 3, 4]


def test_opening_an_application_tells_its_steps(shared_desk: Desk) -> None:
    """House rule: long work shows progress; a client that asks for it gets notifications."""
    told: list[tuple[float, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        assert total == 3
        told.append((progress, message))

    async def opening() -> None:
        await shared_desk.client.call_tool("open_app", {"name": "zenity", "args": ["--info"]}, progress_callback=note)

    shared_desk.portal.call(opening)

    assert [step for step, _ in told] == [1.0, 2.0, 3.0]
    assert all(message for _, message in told)
