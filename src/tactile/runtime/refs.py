"""Short ids of live things: the same thing keeps its ref, a ref is never reused."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from tactile.errors import Diagnosis, ResolveError
from tactile.records import Candidate, Failure, NativeRef, Window

REFS_MAX = 20_000  # refs remembered; the oldest unseen ones are forgotten and then refused as stale
BLOCK = 100  # numbers reserved at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A candidate as it was last shown to the caller, and the application it belongs to."""

    candidate: Candidate
    pid: int | None


class Numbers:
    """Numbers that no other run of the server gives out, taken from blocks reserved in the state folder.

    Args:
        reserve: Reserves a block of the given size and returns its first number.
    """

    def __init__(self, reserve: Callable[[int], int]) -> None:
        self._reserve = reserve
        self._block: Iterator[int] = iter(())

    def next(self) -> int:
        """Return a number never given before."""
        number = next(self._block, None)
        if number is None:
            first = self._reserve(BLOCK)
            self._block = iter(range(first, first + BLOCK))
            number = next(self._block)
        return number


class Refs:
    """The refs of one session."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self._by_native: OrderedDict[NativeRef, str] = OrderedDict()
        self._seen: OrderedDict[str, Seen] = OrderedDict()
        self._windows: dict[int, str] = {}

    def give(self, candidates: Iterable[Candidate], pid: int | None) -> tuple[Candidate, ...]:
        """Return the candidates with their refs, new ones for things not seen before.

        A ref that leaves the session in any way can be used; what `show` notes later replaces what is noted here.
        """
        given = tuple(replace(item, ref=self._ref(item.native)) for item in candidates)
        self.show([item for item in given if item.ref not in self._seen], pid)
        return given

    def known(self, candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
        """Return the candidates with the refs they already have; the others keep none."""
        return tuple(replace(item, ref=self._by_native.get(item.native, "")) for item in candidates)

    def show(self, candidates: Iterable[Candidate], pid: int | None) -> None:
        """Note what the caller has now been shown; a later act is checked against it."""
        for item in candidates:
            self._seen[item.ref] = Seen(candidate=item, pid=pid)
            self._seen.move_to_end(item.ref)
        while len(self._seen) > REFS_MAX:
            _, oldest = self._seen.popitem(last=False)
            self._by_native.pop(oldest.candidate.native, None)

    def seen(self, ref: str) -> Seen:
        """Return what was shown under a ref.

        Raises:
            ResolveError: `stale_session`: this run of the server has not given that ref.
        """
        found = self._seen.get(ref)
        if found is None:
            raise ResolveError(
                f"Ref {ref} was not given by this run of the server.",
                code=Failure.STALE_SESSION.value,
                hint="Refs end with the server that gave them. Observe with get_app_state and use a ref from it.",
                diagnosis=Diagnosis(sought=ref),
            )
        return found

    def natives(self) -> Mapping[str, NativeRef]:
        """Return the platform objects behind the refs shown so far."""
        return {ref: seen.candidate.native for ref, seen in self._seen.items()}

    def windows(self, windows: Iterable[tuple[int, str]]) -> dict[int, str]:
        """Return the refs of windows by native id, in the order given."""
        return {native: self._window(native) for native, _ in windows}

    def window_named(self, ref: str, windows: Iterable[Window]) -> Window | None:
        """Return the live window behind a window ref."""
        native = next((key for key, value in self._windows.items() if value == ref), None)
        return next((window for window in windows if window.native_id == native), None)

    def _ref(self, native: NativeRef) -> str:
        if native not in self._by_native:
            self._by_native[native] = f"e{self._numbers.next()}"
            while len(self._by_native) > REFS_MAX:
                self._by_native.popitem(last=False)
        self._by_native.move_to_end(native)
        return self._by_native[native]

    def _window(self, native: int) -> str:
        if native not in self._windows:
            self._windows[native] = f"w{self._numbers.next()}"
            while len(self._windows) > REFS_MAX:
                self._windows.pop(next(iter(self._windows)))
        return self._windows[native]
