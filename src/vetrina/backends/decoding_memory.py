"""What one process has for decoded images: whoever decodes waits until there is room, first come, first served.

What an image took goes back to the system when it is done; one that needs more than there is at all is decoded alone.
Not here: how much an image needs (media/images/memory.py).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

from vetrina.kernel.weighted_semaphore import WeightedSemaphore

__all__ = ["DecodingMemory"]

_PIXEL: Final = 4  # bytes
_SMALL: Final = 4 << 20  # bytes that are not worth a walk over all that is free


class DecodingMemory:
    """The memory of a process for decoded images. megapixels: millions of pixels, of four bytes each."""

    def __init__(self, megapixels: int = 100) -> None:
        self._semaphore = WeightedSemaphore(megapixels * 1_000_000 * _PIXEL)

    @contextmanager
    def hold(self, size: int) -> Iterator[None]:
        """Wait until there is room for so many bytes, and give them back at the end of the block."""
        if not size:
            yield
            return
        with self._semaphore.hold(size):
            try:
                yield
            finally:
                if size > _SMALL:
                    _release()()


@cache
def _release() -> Callable[[], object]:
    """Return what gives memory that is free back to the system.

    The allocator of glibc keeps what a thread has freed for this very thread: four threads that have decoded one image
    each, one after the other, would hold the memory of four.
    """
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return lambda: None
    return lambda: trim(0)
