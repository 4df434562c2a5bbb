"""What was fetched: a row each time that a customer fetches a file that was bought.

Not here: who may (shop/downloads/rules.py), the report of it (analytics/reports/downloads.py).
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, insert

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.analytics import order_file_fetch as table
from vetrina.core.unit_of_work import Work
from vetrina.kernel import times

__all__ = ["note"]

_COUNTER: Final = "order_file_fetch"
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))


def note(work: Work, order: int, product: int, download: str, customer: int, ip: str) -> None:
    """Write down that a file of an order was fetched now. download: the file's key; customer: 0 for a guest."""
    local = work.local_now
    year, month = map(int, times.iso(local)[:7].split("-"))
    work.tx.run(
        _INSERT, id=next_number(work.tx, _COUNTER), order=order, product=product, download=download,
        customer=customer, ip=ip, at=work.now, created=local, created_month=year * 12 + month - 1,
    )  # fmt: skip
    work.note("order", order, "changed")
