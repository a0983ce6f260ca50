"""Documents keep up with the code that they speak of."""

from __future__ import annotations

import re
from pathlib import Path

from tactile.mcp.tools import TOOLS
from tactile.records import Failure

ROOT = Path(__file__).resolve().parents[2]
# Of the interface's closed list, but of parts that are not built yet: named in words, not in the table.
NOT_BUILT = {
    Failure.TARGET_FILTERED,
    Failure.TARGET_MISRANKED,
    Failure.INTERRUPTED,
    Failure.TIMED_OUT,
    Failure.OUTCOME_UNKNOWN,
    Failure.NEEDS_RECONCILIATION,
    Failure.APPROVAL_REQUIRED,
    Failure.APPROVAL_DENIED,
    Failure.APPROVAL_EXPIRED,
    Failure.POLICY_DENIED,
    Failure.BUDGET_EXHAUSTED,
    Failure.HUMAN_ACTIVE,
}


def test_every_failure_that_can_be_answered_is_explained() -> None:
    """A reader of a receipt finds its word in docs/failures.md, and no word that does not exist."""
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/failures.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert sorted(rows) == sorted(failure.value for failure in set(Failure) - NOT_BUILT)


def test_the_readme_names_every_tool() -> None:
    """What is listed to a client is what the README promises."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    assert [tool.name for tool in TOOLS if f"`{tool.name}`" not in text] == []
