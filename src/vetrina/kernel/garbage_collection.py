"""How often the interpreter looks for reference cycles."""

from __future__ import annotations

import gc


def reduce_gc_frequency() -> None:
    """Run the collector after fifty thousand new containers instead of seven hundred.

    A list of records or a step of a rebuild allocates thousands of objects that are all freed with their last
    reference; scanning them again and again takes a quarter of a rebuild's time. Cycles are few here, and can wait.
    """
    gc.set_threshold(50_000, 20, 50)
