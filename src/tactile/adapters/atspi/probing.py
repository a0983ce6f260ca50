"""Questions to one list or table, many at once, each answered in the order asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Batch, Call
from tactile.adapters.atspi.details import SCREEN
from tactile.adapters.atspi.node import extents_of
from tactile.adapters.atspi.reading import Job
from tactile.adapters.atspi.roles import states_of
from tactile.records.geometry import Extents
from tactile.records.vocabulary import State

Answer = TypeVar("Answer")
TABLE_CELL = "org.a11y.atspi.TableCell"
HEADER_ROLES = frozenset({10, 47, 57, 58})  # AT-SPI's numbers of column and row headers


@dataclass(slots=True)
class Probe:
    """Asks one list or table.

    Attributes:
        calls: Sent so far.
    """

    job: Job
    path: str
    calls: int = 0

    async def ask(self, calls: Sequence[Call], read: Callable[[Any], Answer]) -> list[Answer | None]:
        """Make calls together.

        Args:
            calls: Of any kind.
            read: Makes an answer of a reply's first value; what it cannot read counts as no answer.

        Returns:
            One answer a call; None where none came, or an error.
        """
        answers: list[Answer | None] = [None] * len(calls)
        batch = Batch(self.job.line)
        for place, call in enumerate(calls):
            batch.ask(call, _into(answers, place, read))
        await batch.run(self.job.until)
        self.calls += batch.calls
        return answers

    async def size(self) -> tuple[int, int] | None:
        """Return how many rows and columns a table has; None when it does not say."""
        wanted = [bus.get(self.job.owner, self.path, bus.TABLE, name) for name in ("NRows", "NColumns")]
        rows, columns = await self.ask(wanted, int)
        return None if rows is None or columns is None or rows < 1 or columns < 1 else (rows, columns)

    async def at_points(self, points: Sequence[tuple[int, int]]) -> list[str | None]:
        """Return what is at pixels of the screen, None for nothing and for the table itself."""
        calls = [self._call(bus.COMPONENT, "GetAccessibleAtPoint", "iiu", (x, y, SCREEN)) for x, y in points]
        return [None if path == self.path else path for path in await self.ask(calls, self._own)]

    async def cells(self, places: Sequence[tuple[int, int]]) -> list[str | None]:
        """Return the cells at rows and columns."""
        return await self.ask([self._call(bus.TABLE, "GetAccessibleAt", "ii", place) for place in places], self._own)

    async def headers(self, columns: Sequence[int]) -> list[str | None]:
        """Return the headers of columns."""
        return await self.ask([self._call(bus.TABLE, "GetColumnHeader", "i", (one,)) for one in columns], self._own)

    async def children(self, indices: Sequence[int]) -> list[str | None]:
        """Return children by index; never all of them: that hangs LibreOffice on a sheet (facts 5.3)."""
        calls = [self._call(bus.ACCESSIBLE, "GetChildAtIndex", "i", (index,)) for index in indices]
        return await self.ask(calls, self._own)

    async def indices(self, paths: Sequence[str | None]) -> list[int | None]:
        """Return the places in the parent."""
        return await self.of_each(paths, lambda path: self._of(path, bus.ACCESSIBLE, "GetIndexInParent"), int)

    async def roles(self, paths: Sequence[str | None]) -> list[int | None]:
        """Return the role numbers."""
        return await self.of_each(paths, lambda path: self._of(path, bus.ACCESSIBLE, "GetRole"), int)

    async def names(self, paths: Sequence[str | None]) -> list[str | None]:
        """Return the names."""
        return await self.of_each(paths, lambda path: bus.get(self.job.owner, path, bus.ACCESSIBLE, "Name"), str)

    async def extents(self, paths: Sequence[str | None]) -> list[Extents | None]:
        """Return the places on the screen of what has one with a size."""
        kind = "GetExtents", "u", (SCREEN,)
        return await self.of_each(paths, lambda path: self._of(path, bus.COMPONENT, *kind), _sized)

    async def heights(self, paths: Sequence[str | None]) -> list[int | None]:
        """Return the heights, px; GTK 3 says them also of what is out of view and has no place."""
        kind = "GetExtents", "u", (SCREEN,)
        return await self.of_each(paths, lambda path: self._of(path, bus.COMPONENT, *kind), lambda value: int(value[3]))

    async def states(self, paths: Sequence[str | None]) -> list[frozenset[State] | None]:
        """Return the states."""
        return await self.of_each(paths, lambda path: self._of(path, bus.ACCESSIBLE, "GetState"), states_of)

    async def of_each(
        self, paths: Sequence[str | None], make: Callable[[str], Call], read: Callable[[Any], Answer]
    ) -> list[Answer | None]:
        """Ask the same of each path that is there; the same path is asked once."""
        known = list(dict.fromkeys(path for path in paths if path is not None))
        answers = dict(zip(known, await self.ask([make(path) for path in known], read), strict=True))
        return [None if path is None else answers[path] for path in paths]

    async def positions(self, indices: Sequence[int]) -> list[tuple[int, int] | None]:
        """Return rows and columns of children; the toolkit converts them, as GTK 3 counts headers."""
        names = ("GetRowAtIndex", "GetColumnAtIndex")
        calls = [self._call(bus.TABLE, name, "i", (index,)) for index in indices for name in names]
        numbers = await self.ask(calls, int)
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        return [None if None in pair or -1 in pair else (pair[0] or 0, pair[1] or 0) for pair in pairs]

    async def spans(self, paths: Sequence[str]) -> list[tuple[int, int] | None]:
        """Return rows and columns as the cells themselves tell them; LibreOffice 7.4 has no such cells."""
        answers: list[tuple[int, int] | None] = [None] * len(paths)
        batch = Batch(self.job.line)
        for place, path in enumerate(paths):

            def take(body: Sequence[Any] | None, _error: str, place: int = place) -> None:
                numbers = [number for number in (body or ())[:2] if isinstance(number, int) and number >= 0]
                answers[place] = (numbers[0], numbers[1]) if len(numbers) == 2 else None

            batch.ask(self._of(path, TABLE_CELL, "GetRowColumnSpan"), take)
        await batch.run(self.job.until)
        self.calls += batch.calls
        return answers

    def _call(self, interface: str, member: str, signature: str, body: tuple[Any, ...]) -> Call:
        return Call(self.job.owner, self.path, interface, member, signature, body)

    def _of(self, path: str, interface: str, member: str, signature: str = "", body: tuple[Any, ...] = ()) -> Call:
        return Call(self.job.owner, path, interface, member, signature, body)

    def _own(self, reference: Any) -> str | None:
        owner, path = reference
        return str(path) if owner == self.job.owner and path != bus.NULL_PATH else None


def _into(answers: list[Answer | None], place: int, read: Callable[[Any], Answer]) -> Callable[..., None]:
    def take(body: Sequence[Any] | None, _error: str) -> None:
        try:
            answers[place] = read(body[0]) if body else None
        except (TypeError, ValueError, IndexError):  # of an unexpected shape
            answers[place] = None

    return take


def _sized(value: Any) -> Extents | None:
    place = extents_of(tuple(value))
    return None if place is None or place.is_empty else place
