"""The process-wide memory budget for decoding images: callers wait, first come, first served, until there is room.

Memory is returned to the operating system after each image; an image that exceeds the whole budget is decoded alone.
How much an image needs: media/images/memory.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

from vetrina.kernel.weighted_semaphore import WeightedSemaphore

_BYTES_PER_PIXEL: Final = 4  # bytes
_M_MMAP_THRESHOLD: Final = -3  # glibc's name of the size from which a block is mapped by itself
_MAPPED_BLOCK: Final = 1 << 20  # bytes
_TRIM_THRESHOLD: Final = 4 << 20  # bytes; less than this is not worth a walk over the allocator's free lists


class DecodingMemory:
    """The memory budget of a process for decoded images. megapixels: millions of pixels, of four bytes each."""

    def __init__(self, megapixels: int = 100) -> None:
        self._semaphore = WeightedSemaphore(megapixels * 1_000_000 * _BYTES_PER_PIXEL)

    @contextmanager
    def hold(self, size: int) -> Iterator[None]:
        """Wait until `size` bytes are available and hold them for the block."""
        if not size:
            yield
            return
        trim = _find_memory_trim()
        with self._semaphore.hold(size):
            try:
                yield
            finally:
                if size > _TRIM_THRESHOLD:
                    trim()


@cache
def _find_memory_trim() -> Callable[[], object]:
    """Return the function that returns free memory to the operating system.

    glibc's allocator keeps what a thread has freed for that thread: four threads that have decoded one image each, one
    after the other, would hold the memory of four. What lies at the top of a thread's heap stays even then, so blocks
    of pixels are kept out of these heaps, where the allocator would move them after the first was freed.
    """
    import ctypes  # which no process needs that decodes no image

    try:
        library = ctypes.CDLL(None)
        library.mallopt(_M_MMAP_THRESHOLD, _MAPPED_BLOCK)
        trim = library.malloc_trim
    except (AttributeError, OSError, TypeError):
        return lambda: None
    return lambda: trim(0)
