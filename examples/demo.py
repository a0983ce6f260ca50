"""Drive real applications on an isolated desktop through a real MCP client over stdio, and print the evidence.

What it shows: text is typed into an editor (GTK3), saved through its dialog, and the file is read back from outside;
a sum is done in two calculators of different toolkits (GTK4 and Qt); a stale ref and a disabled button are refused.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError
from rich.console import Console

TEXT = "Typed by Tactile: grüße, 12 + 30."
TRACES = Path("traces")


@dataclass(slots=True)
class Demo:
    """One client, the steps done so far, and how each ended."""

    client: Client
    console: Console
    steps: list[tuple[str, str, bool]] = field(default_factory=list)

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its structured content."""
        result = await self.client.call_tool(tool, arguments, progress_callback=self._tell)
        return dict(result.structured_content or {})

    async def _tell(self, progress: float, total: float | None, message: str | None) -> None:
        step = f"{progress:g}/{total:g}" if total else f"{progress:g}"
        self.console.print(f"  … {step} {message}", style="dim", markup=False, soft_wrap=True)

    async def act(
        self, what: str, tool: str, wanted: Sequence[str] = ("confirmed",), **arguments: Any
    ) -> dict[str, Any]:
        """Do one act, print its receipt, and note whether its verdict (or refusal) is the one wanted."""
        receipt = await self.call(tool, **arguments)
        outcome = receipt.get("failure") if receipt.get("status") == "rejected" else receipt.get("verdict")
        is_right = outcome in wanted
        self.steps.append((what, str(outcome), is_right))
        mark, colour = ("✓", "green") if is_right else ("✗", "red")
        self.console.print(f"[{colour}]{mark}[/] [bold]{what}[/]  →  [{colour}]{outcome}[/]", highlight=False)
        self.console.print(
            f"    {receipt.get('primitive') or 'nothing touched'}", style="dim", markup=False, soft_wrap=True
        )
        for item in receipt.get("evidence", [])[:2]:
            step = f"{item['before']} → {item['after']}" if item["before"] else item["after"]
            self.console.print(
                f"    {item['cue']}: {step} [{item['source']}]", style="dim", markup=False, soft_wrap=True
            )
        if receipt.get("message"):
            self.console.print(f"    {receipt['message']}", style="dim", markup=False, soft_wrap=True)
        return receipt

    async def open(self, program: str, *arguments: str) -> None:
        """Open an application and say how much of it can be acted on."""
        await self.act(f"open {program}", "open_app", ("confirmed", "weak"), name=program, args=list(arguments))
        state = await self.call("get_app_state")
        line = (state.get("state") or state.get("message") or "").partition("\n")[0]
        self.console.print(f"    {line}", style="dim", markup=False, soft_wrap=True)

    async def find(self, pattern: str) -> str:
        """Return the ref of the first line of the present state that fits a pattern."""
        state = await self.call("get_app_state")
        found = re.search(pattern, state["state"])
        if found is None:
            raise SystemExit(f"the demo found nothing like {pattern!r} in:\n{state['state']}")
        return found[1]

    def note(self, what: str, found: str, *, is_right: bool) -> None:
        """Record a check made without Tactile."""
        self.steps.append((what, found, is_right))
        colour = "green" if is_right else "red"
        self.console.print(
            f"[{colour}]{'✓' if is_right else '✗'}[/] [bold]{what}[/]  →  {found}", highlight=False, soft_wrap=True
        )


async def write_and_save(demo: Demo, folder: Path) -> None:
    """Type into a text editor, save through its dialog, and read the file back from outside."""
    file = folder / "note.txt"
    await demo.open("mousepad")
    editor = await demo.find(r"(e\d+) text .*focused")
    await demo.act("type into the editor", "type_text", target=editor, text=TEXT)
    await demo.act("press ctrl+shift+s", "press_key", keys="ctrl+shift+s", expect='window "Save As"')
    save = 'button "Save" in "Save As"'
    await demo.act("press Save before the file has a name", "click", ("disabled",), target=save)
    entry = await demo.find(r"(e\d+) entry .*focused")
    await demo.act("name the file", "set_value", target=entry, value=str(file))
    await demo.act("press Save", "click", target=save, expect='window "Save As" gone')
    await demo.act("click a thing of the closed dialog", "click", ("stale_window", "stale_detached"), target=entry)
    content = file.read_text(encoding="utf-8") if file.exists() else "(no file)"
    demo.note("read the file back, without Tactile", repr(content), is_right=content.rstrip("\n") == TEXT)


async def calculate(demo: Demo, program: str, toolkit: str) -> None:
    """Do 12 + 30 with real buttons. A key that shows nothing, as + may, is honestly unverifiable."""
    await demo.open(program)
    for key in "12+30":
        wanted = ("confirmed", "weak") if key.isdigit() else ("confirmed", "weak", "unverifiable")
        await demo.act(f"{toolkit}: press {key}", "click", wanted, target=await demo.find(_key(key)))
    shown = await _shown_when_done(demo, "12+30", "42")
    await demo.act(f"{toolkit}: press =", "click", target=await demo.find(_key("=")), expect=shown)


async def _shown_when_done(demo: Demo, entered: str, result: str) -> str:
    """Return what must hold after "=": a field with the sum holds the result, or else the result shows somewhere.

    Some calculators (kcalc on Debian 13) show the result beside the field before "=" is pressed, so that a result
    somewhere on the screen would prove nothing.
    """
    state = await demo.call("get_app_state")
    field_with_sum = re.search(rf'(e\d+) (?:entry|text) .*="{re.escape(entered)}"', state["state"])
    return f'{field_with_sum[1]} = "{result}"' if field_with_sum else f'text "{result}"'


WORDS = {"0": "Zero", "1": "One", "2": "Two", "3": "Three", "+": "Add", "=": "Equals"}  # kcalc's names on Debian 13


def _key(key: str) -> str:
    return rf'(e\d+) button "(?:{re.escape(key)}|{WORDS[key]})"'


async def run(console: Console) -> int:
    """Run all parts and return the exit code."""
    start_s = time.monotonic()
    TRACES.mkdir(exist_ok=True)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tactile-demo-")))
        log = stack.enter_context((TRACES / "demo-server.log").open("w", encoding="utf-8"))
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "tactile", "serve", "--desktop", "isolated", "--trace", str(TRACES), "--share", str(folder)],
        )
        console.print(
            "starting the MCP server on an isolated desktop (nothing opens on your own screen) …", soft_wrap=True
        )
        client = await stack.enter_async_context(Client(stdio_client(server, errlog=log)))
        tools = (await client.list_tools()).tools
        console.print(
            f"{len(tools)} tools: {', '.join(tool.name for tool in tools)}\n", highlight=False, soft_wrap=True
        )
        demo = Demo(client=client, console=console)
        console.rule("[bold]an editor (GTK3)")
        await write_and_save(demo, folder)
        console.rule("[bold]a calculator (GTK4)")
        await calculate(demo, "gnome-calculator", "GTK4")
        console.rule("[bold]a calculator (Qt)")
        await calculate(demo, "kcalc", "Qt")
    return _summary(console, demo, time.monotonic() - start_s)


def _summary(console: Console, demo: Demo, elapsed_s: float) -> int:
    wrong = [step for step in demo.steps if not step[2]]
    console.rule("[bold]verdicts")
    for what, outcome, is_right in demo.steps:
        console.print(f"{'✓' if is_right else '✗'} {what:45} {outcome}", highlight=False, markup=False, soft_wrap=True)
    trace = max(TRACES.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
    console.print(f"\n{len(demo.steps) - len(wrong)} of {len(demo.steps)} steps as wanted, in {elapsed_s:.1f} s")
    console.print(f"trace: {trace.resolve()}", highlight=False, soft_wrap=True)
    return 1 if wrong else 0


def main() -> None:
    """Run the demo."""
    console = Console()
    try:
        code = asyncio.run(run(console))
    except* MCPError:
        console.print("The server ended before it answered. It said:", style="red")
        console.print((TRACES / "demo-server.log").read_text(encoding="utf-8"), markup=False, highlight=False)
        code = 1
    sys.exit(code)


if __name__ == "__main__":
    main()
