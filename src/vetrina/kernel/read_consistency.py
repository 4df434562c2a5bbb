"""What a request may read where there are replicas of the database: how new the state must be, and how new it was.

A position is a place in the log of the database that only grows (PostgreSQL's LSN). A client that hands back the one
that it was given when it wrote reads its write, whoever answers (docs/decisions/replicas.md).
"""

from __future__ import annotations

import re
from typing import Final

_POSITION: Final = re.compile(r"[0-9A-Fa-f]{1,8}/[0-9A-Fa-f]{1,8}")


class PrimaryNeeded(Exception):
    """A read on a replica turned out to need the newest state; it is run again on the primary."""


class ReadConsistency:
    """How one request reads and what it wrote.

    after: the position that its client brought, None for none. needs_primary: whether no replica may answer it.
    is_behind: whether it may have read an older state than this process knew of. written: the position of its last
    commit, 0 for none.
    """

    __slots__ = ("after", "is_behind", "needs_primary", "written")

    def __init__(self, after: int | None = None, needs_primary: bool = False) -> None:
        self.after, self.needs_primary = after, needs_primary
        self.is_behind = False
        self.written = 0


def parse_position(text: str) -> int | None:
    """Return the position that a text says, as PostgreSQL writes it (`16/B374D848`); None where it says none."""
    if not _POSITION.fullmatch(text):
        return None
    high, _, low = text.partition("/")
    return (int(high, 16) << 32) + int(low, 16)


def format_position(position: int) -> str:
    """Return a position as text."""
    return f"{position >> 32:X}/{position & 0xFFFFFFFF:X}"
