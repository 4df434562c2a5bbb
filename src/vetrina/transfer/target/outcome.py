"""What became of a record that was written."""

from __future__ import annotations

from typing import NamedTuple


class Written(NamedTuple):
    """Where a record is now. target: its id here. adopted: whether it was here before and was left as it is."""

    target: int
    adopted: bool = False
