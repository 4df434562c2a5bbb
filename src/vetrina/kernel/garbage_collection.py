"""How often the interpreter looks for garbage that holds itself."""

from __future__ import annotations

import gc

__all__ = ["look_seldom"]


def look_seldom() -> None:
    """Look after fifty thousand new containers instead of seven hundred.

    A list of records and a step of a rebuild make thousands that all go with their last use; looking through them
    again and again takes a quarter of a rebuild's time. What holds itself here is little, and waits.
    """
    gc.set_threshold(50_000, 20, 50)
