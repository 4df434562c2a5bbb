"""Numbers for new rows, from one row a name, so that a number names one thing only."""

from __future__ import annotations

from sqlalchemy import bindparam, insert, select, update

from vetrina.backends.tables.core import counter

from .database import Statement, Tx

__all__ = ["next_number", "next_numbers", "raise_to"]

_NEXT = Statement(
    update(counter)
    .where(counter.c.name == bindparam("counter"))
    .values(value=counter.c.value + 1)
    .returning(counter.c.value)
)
_NEXT_FEW = Statement(
    update(counter)
    .where(counter.c.name == bindparam("counter"))
    .values(value=counter.c.value + bindparam("many"))
    .returning(counter.c.value)
)
_RAISE = Statement(
    update(counter)
    .where(counter.c.name == bindparam("counter"), counter.c.value < bindparam("least"))
    .values(value=bindparam("least"))
)
_IS_THERE = Statement(select(counter.c.value).where(counter.c.name == bindparam("counter")))
_FIRST = Statement(insert(counter).values(name=bindparam("counter"), value=bindparam("many")))


def next_number(tx: Tx, counter: str = "record") -> int:
    """Return the next number of a counter; records, revisions and autosaves share `record`."""
    found = tx.value(_NEXT, counter=counter)
    if found is None:
        tx.run(_FIRST, counter=counter, many=1)
        return 1
    return int(found)


def next_numbers(tx: Tx, many: int, counter: str = "record") -> range:
    """Return the next few numbers of a counter, which is asked once."""
    if many < 1:
        return range(0)
    last = tx.value(_NEXT_FEW, counter=counter, many=many)
    if last is None:
        tx.run(_FIRST, counter=counter, many=many)
        last = many
    return range(int(last) - many + 1, int(last) + 1)


def raise_to(tx: Tx, least: int, counter: str = "record") -> None:
    """Let the next number of a counter be above another, wherever it stands."""
    if tx.value(_IS_THERE, counter=counter) is None:
        tx.run(_FIRST, counter=counter, many=least)
    else:
        tx.run(_RAISE, counter=counter, least=least)
