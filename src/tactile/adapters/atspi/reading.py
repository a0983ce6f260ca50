"""What a strategy is given and what it brings: the contract between `tree` and the ways to read a toolkit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tactile.adapters.atspi.calls import Line
from tactile.adapters.atspi.node import Node
from tactile.adapters.atspi.roles import Toolkit
from tactile.records.accessible import Application, Cut, ReadLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One read of one application.

    Attributes:
        only: Paths of the toplevels to read; None for all.

    Units:
        `until` is loop time, seconds.
    """

    line: Line
    application: Application
    toolkit: Toolkit
    limits: ReadLimits
    until: float
    only: frozenset[str] | None = None

    @property
    def owner(self) -> str:
        """Return the application's bus name."""
        return self.application.root.application


@dataclass(slots=True, kw_only=True)
class Reading:
    """What came of it.

    Attributes:
        toplevels: Paths of all toplevels the application has now, also of those that were not read.
        tops: The toplevels that were read, with everything below them.
        lost: D-Bus error that says that nobody is there any more, "" otherwise.
        calls: Calls sent.
        gaps: Why it is not complete, in words.
    """

    toplevels: tuple[str, ...] = ()
    tops: list[Node] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    is_complete: bool = True
    lost: str = ""
    calls: int = 0
    gaps: set[str] = field(default_factory=set)

    def miss(self, why: str) -> None:
        """Note that something was not read.

        Args:
            why: In words that end a sentence starting with "reading stopped at", such as "the deadline of 2 s".
        """
        self.is_complete = False
        self.gaps.add(why)

    def nodes(self) -> Iterator[Node]:
        """Yield what was read, depth-first."""
        stack = list(reversed(self.tops))
        while stack:
            node = stack.pop()
            if node.is_gone or not node.is_seen:
                continue
            yield node
            stack.extend(reversed(node.children))
