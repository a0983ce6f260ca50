"""One thread that makes every X call, so that a stopped X server can never stop the event loop."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar, cast

from tactile.errors import Effect, PlatformError

T = TypeVar("T")

QUEUE_MAX = 64  # calls that may wait; a session makes one or two at a time, more means the X server hangs


class _Job(Generic[T]):
    """One piece of work, its answer, and whether somebody still waits for it."""

    def __init__(self, work: Callable[[threading.Event], T]) -> None:
        self.work = work
        self.future: Future[T] = Future()
        self.abandoned = threading.Event()
        self.is_started = False

    def run(self) -> None:
        """Do the work unless nobody waits for it any more."""
        if self.abandoned.is_set() or not self.future.set_running_or_notify_cancel():
            return
        self.is_started = True
        try:
            result = self.work(self.abandoned)
        except BaseException as error:  # noqa: BLE001 - handed to the caller, whatever it is
            self.future.set_exception(error)
        else:
            self.future.set_result(result)


class Worker:
    """Runs callables in order on one daemon thread.

    A thread pool would be joined when the interpreter ends and so hang with a stopped X server.
    """

    def __init__(self, name: str) -> None:
        self._queue: queue.Queue[_Job[object] | None] = queue.Queue(maxsize=QUEUE_MAX)
        self._last: Callable[[], None] | None = None
        self._thread = threading.Thread(target=self._loop, name=name, daemon=True)
        self._thread.start()

    def _loop(self) -> None:
        while (job := self._queue.get()) is not None:
            job.run()
        if self._last is not None:
            self._last()

    async def run(
        self, work: Callable[[threading.Event], T], *, deadline_s: float, what: str, effect: Effect = "none"
    ) -> T:
        """Run `work` on the thread and return its answer.

        Args:
            work: Gets an event that is set when nobody waits any more; it must stop at the next safe place.
            deadline_s: Seconds from now, waiting in the queue included.
            what: What is being done, for the message.
            effect: What may have happened when the work had started and did not end in time.

        Raises:
            PlatformError: No answer before the deadline.
        """
        job = _Job(work)
        try:
            self._queue.put_nowait(cast("_Job[object]", job))
        except queue.Full:
            message = f"{what}: {QUEUE_MAX} calls already wait for the X server"
            raise PlatformError(message, hint="The X server does not answer; restart the desktop.") from None
        try:
            return await asyncio.wait_for(asyncio.wrap_future(job.future), deadline_s)
        except TimeoutError:
            reached: Effect = effect if job.is_started else "none"
            message = f"{what}: the X server did not answer within {deadline_s:.1f} s"
            raise PlatformError(message, hint="Look at the desktop again before acting.", effect=reached) from None
        finally:
            job.abandoned.set()

    def stop(self, last: Callable[[], None] | None = None) -> None:
        """End the thread after the work at hand, with `last` as its final act; never waits."""
        self._last = last
        try:
            self._queue.put_nowait(None)
        except queue.Full:
            pass  # the thread hangs in the X server; it is a daemon and its connection is shut down
