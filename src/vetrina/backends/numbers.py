"""Numbers for new rows, from one row a name, so that a number names one thing only."""

from __future__ import annotations

from sqlalchemy import bindparam, insert, update

from .database import Statement, Tx
from .tables import counter

__all__ = ["next_number"]

_NEXT = Statement(
    update(counter)
    .where(counter.c.name == bindparam("counter"))
    .values(value=counter.c.value + 1)
    .returning(counter.c.value)
)
_FIRST = Statement(insert(counter).values(name=bindparam("counter"), value=1))


def next_number(tx: Tx, counter: str = "record") -> int:
    """Return the next number of a counter; records, revisions and autosaves share `record`."""
    found = tx.value(_NEXT, counter=counter)
    if found is None:
        tx.run(_FIRST, counter=counter)
        return 1
    return int(found)
