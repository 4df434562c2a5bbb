"""Log of downloads: a row each time that a customer downloads an ordered file.

Not here: permissions (shop/downloads/rules.py), the report (analytics/reports/downloads.py).
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, insert

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.tables.analytics import order_file_fetch as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times

_COUNTER: Final = "order_file_fetch"
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))


def record_file_fetch(work: UnitOfWork, order: int, product: int, download: str, customer: int, ip: str) -> None:
    """Record a download of a file of an order. download: the file's key; customer: 0 for a guest."""
    local = work.local_now
    year, month = map(int, times.format_iso(local)[:7].split("-"))
    work.tx.run(
        _INSERT, id=allocate_id(work.tx, _COUNTER), order=order, product=product, download=download,
        customer=customer, ip=ip, at=work.now, created=local, created_month=year * 12 + month - 1,
    )  # fmt: skip
    work.note("order", order, "changed")
