"""What is measured, all of it from outside: memory, tasks, sockets, the loop's blocks."""

import asyncio
from collections.abc import Callable
import gc
import logging
from pathlib import Path
import sys
import threading
import time
import tracemalloc
from typing import Any, Self

import custom_components.lumo as integration

_FOLDER = str(Path(integration.__file__).parent)
# The loop is asked for a sign of life that often.
_BEAT = 0.01


class Watch:
    """Looks at the event loop from a thread, and at logs for warnings."""

    def __init__(self, loop: asyncio.AbstractEventLoop, *, traces: bool) -> None:
        self._traces = traces
        self._loop = loop
        self._main = threading.get_ident()
        # A machine that is busy with others makes no block of ours longer.
        self._clock = time.pthread_getcpuclockid(self._main)
        self._beat = time.perf_counter()
        self._worked = 0.0
        self._plain_run = asyncio.Handle._run  # noqa: SLF001 # its purpose
        self._pauses = False
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self.longest = self.longest_ours = 0.0
        self.where = ""
        self.warnings = 0

    def __enter__(self) -> Self:
        # A pass of the garbage collector over the whole heap is nobody's block.
        gc.collect()
        gc.freeze()
        if self._traces:
            tracemalloc.start()
        asyncio.Handle._run = self._run  # type: ignore[method-assign, assignment]  # noqa: SLF001
        self._tick()
        self._thread.start()
        logging.getLogger().addFilter(self._count)
        for handler in logging.getLogger().handlers:
            handler.addFilter(self._count)
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join(1)
        asyncio.Handle._run = self._plain_run  # type: ignore[method-assign]  # noqa: SLF001
        tracemalloc.stop()

    @property
    def _run(self) -> Callable[[asyncio.Handle], None]:
        """Return what runs one callback of the loop, and notes when it began."""

        def run(handle: asyncio.Handle) -> None:
            self._worked = time.clock_gettime(self._clock)
            self._plain_run(handle)

        return run

    def _tick(self) -> None:
        self._beat = time.perf_counter()
        if not self._ends.is_set():
            self._loop.call_later(_BEAT, self._tick)

    def _look(self) -> None:
        while not self._ends.wait(_BEAT):
            if self._pauses:
                continue
            self.longest = max(self.longest, time.perf_counter() - self._beat - _BEAT)
            late = time.clock_gettime(self._clock) - self._worked
            if late <= max(self.longest_ours, _BEAT):
                continue
            frame = sys._current_frames().get(self._main)  # noqa: SLF001 # its purpose
            inner = f"{frame.f_code.co_qualname}" if frame else ""
            while frame is not None:
                if frame.f_code.co_filename.startswith(_FOLDER):
                    self.longest_ours = late
                    name = frame.f_code.co_filename.removeprefix(f"{_FOLDER}/")
                    self.where = f"{name}:{frame.f_lineno} in {inner}"
                    break
                frame = frame.f_back

    def _count(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        self.warnings += "took too long" in text or "is taking over" in text
        return True

    def memory(self) -> tuple[int, int]:
        """Return bytes and objects that were allocated by our modules and still live.

        None where nothing is traced: that takes as much time as the code itself.
        """
        if not self._traces:
            return 0, 0
        self._pauses = True  # This takes long.
        gc.collect()
        snapshot = tracemalloc.take_snapshot().filter_traces(
            [tracemalloc.Filter(True, f"{_FOLDER}/*")]
        )
        statistics = snapshot.statistics("filename")
        self._loop.call_later(_BEAT, self._go_on)
        return sum(s.size for s in statistics), sum(s.count for s in statistics)

    def _go_on(self) -> None:
        self._beat = time.perf_counter()
        self._pauses = False

    @staticmethod
    def sockets() -> int:
        """Return the open sockets of this process."""
        count = 0
        for link in Path("/proc/self/fd").iterdir():
            try:
                count += str(link.readlink()).startswith("socket:")
            except OSError:
                continue
        return count


def describe(facts: dict[str, Any]) -> str:
    """Return a line of figures."""
    return "  ".join(f"{name} {value:,}" for name, value in facts.items())
