"""The example of `tactile.testing`, which users copy."""

from __future__ import annotations

import textwrap
from pathlib import Path

import tactile.testing
from tactile.records import Action, ActionRequest, Locator, Receipt, Role
from tactile.testing import FakeDesktop, FakeWindow, Widget, fake_session


async def test_the_example_of_the_module_runs(tmp_path: Path) -> None:
    """House style: an example runs."""
    assert tactile.testing.__doc__ is not None
    code = textwrap.dedent(tactile.testing.__doc__.partition("::\n")[2])
    names: dict[str, object] = {
        "Action": Action, "ActionRequest": ActionRequest, "Locator": Locator, "Role": Role, "FakeDesktop": FakeDesktop,
        "FakeWindow": FakeWindow, "Widget": Widget, "fake_session": fake_session, "folder": tmp_path,
    }  # fmt: skip
    lines = textwrap.indent(code, "    ")
    exec(f"async def example():\n{lines}\n    return receipt, status.name", names)  # the docstring is ours

    receipt, status = await names["example"]()  # type: ignore[operator]

    assert isinstance(receipt, Receipt)
    assert receipt.target == 'button "Go" in "Counter" of "Counter" pid 1001'
    assert status == "1"
