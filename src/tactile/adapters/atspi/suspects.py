"""Applications that did not answer: each is asked once more, and nobody waits for it until it has answered."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Batch, Line
from tactile.records.accessible import NativeRef


@dataclass(slots=True)
class Suspects:
    """What did not answer, by bus name, with the question that it can still answer."""

    _answered: dict[str, asyncio.Event] = field(default_factory=dict)

    def __contains__(self, application: str) -> bool:
        """Tell whether an application did not answer when it was last asked, and has not answered since."""
        answered = self._answered.get(application)
        return answered is not None and not answered.is_set()

    def suspect(self, line: Line, root: NativeRef) -> None:
        """Note that an application did not answer, and leave a question with it.

        A stopped application finds it when it goes on. A lost connection, or its end, answers for it.
        """
        answered = asyncio.Event()
        self._answered[root.application] = answered
        Batch(line).ask(bus.get(root.application, root.path, bus.ACCESSIBLE, "ChildCount"), lambda *_: answered.set())

    def clear(self, application: str) -> None:
        """Note that an application answered."""
        self._answered.pop(application, None)

    def keep(self, applications: set[str]) -> None:
        """Forget all others: they have left."""
        self._answered = {name: answered for name, answered in self._answered.items() if name in applications}

    async def is_silent(self, application: str, patience_s: float) -> bool:
        """Wait a little for the answer to the question that was left; tell whether there is still none."""
        answered = self._answered.get(application)
        if answered is None:
            return False
        try:
            async with asyncio.timeout(patience_s):
                await answered.wait()
        except TimeoutError:
            return True
        return False
