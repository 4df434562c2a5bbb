"""Customers of the reports that come from another site, with the ids that they have there.

What is known of them follows from their orders and accounts, as for all (analytics/facts/customers.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlalchemy import bindparam, insert, null, select, update

from vetrina.analytics.facts.customers import build_name_key
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id, raise_sequence
from vetrina.backends.tables.analytics import fact_customer as table, fact_order
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import fold_text

_COUNTER: Final = "fact_customer"
_BY_ACCOUNT = Statement(select(table.c.id).where(table.c.account == bindparam("account"), table.c.account > 0))
_BY_EMAIL = Statement(
    select(table.c.id).where(table.c.email_key == bindparam("key"), table.c.account == 0, table.c.gone.is_(None))
)
_IS_TAKEN = Statement(select(table.c.id).where(table.c.id == bindparam("id")))
_HAS_ROWS = Statement(select(fact_order.c.id).where(fact_order.c.customer == bindparam("id")).limit(1))
_MOVE = Statement(update(table).where(table.c.id == bindparam("old")).values(id=bindparam("new")))
_TEXTS: Final = ("username", "first_name", "last_name", "email", "country", "state", "city", "postcode")
_INSERT = Statement(
    insert(table).values(
        {name: bindparam(name) for name in ("id", "account", "email_key", "name_key", *_TEXTS, "last_active")}
        | {"orders": 0, "spend": 0, "registered": null(), "last_order": null(), "gone": null()}
    )
)


def place_customer(work: UnitOfWork, id: int, account: int, profile: Mapping[str, str], last_active: int | None) -> int:
    """Return the id of a customer, the wanted one unless there are rows of orders under it or of the customer.

    account: 0 for a guest, whom the e-mail address tells. profile: names and address, by columns. last_active: GMT.
    """
    key = fold_text(profile["email"])
    own = work.tx.value(_BY_ACCOUNT, account=account) if account else work.tx.value(_BY_EMAIL, key=key)
    if own == id or (own is not None and work.tx.first(_HAS_ROWS, id=own)):
        return int(own)
    if work.tx.first(_IS_TAKEN, id=id):
        if work.tx.first(_HAS_ROWS, id=id):
            return int(own or 0)
        work.tx.run(_MOVE, old=id, new=allocate_id(work.tx, _COUNTER))
    raise_sequence(work.tx, id, _COUNTER)
    if own is not None:
        work.tx.run(_MOVE, old=own, new=id)
        return id
    name_key = build_name_key(profile["first_name"], profile["last_name"])
    work.tx.run(
        _INSERT, id=id, account=account, email_key=key, name_key=name_key, last_active=last_active,
        **{name: profile[name] for name in _TEXTS},
    )  # fmt: skip
    return id
