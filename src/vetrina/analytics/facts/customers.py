"""The customers of the reports: who an order's buyer is, what is known of them, and what they spent.

A customer is an account, else a billing address. Not here: how they are listed (analytics/reports/customers.py).
Rules: facts, "New and returning" and "The reports": the earliest order that counts is the new one, all others return;
guests are described by their newest order, accounts by their profile; who is removed is not in the list any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import and_, bindparam, case, delete, func, insert, null, or_, select, update

from vetrina.analytics.facts.reportable_orders import excluded
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_numbers
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.analytics import fact_customer as table
from vetrina.backends.tables.analytics import fact_order
from vetrina.backends.tables.core import account
from vetrina.backends.tables.orders import shop_customer, shop_order
from vetrina.core.unit_of_work import Work
from vetrina.kernel import times
from vetrina.kernel.folding import fold
from vetrina.shop.orders.model import Order

__all__ = ["buyers_of", "name_key", "of_accounts", "recount", "removed", "touched"]

_COUNTER: Final = "fact_customer"
_ROLE: Final = '"customer"'
_PLACE: Final = ("country", "state", "city", "postcode")
_SAID: Final = ("username", "first_name", "last_name", "name_key", "email", *_PLACE, "registered", "last_active")

_Buyer = tuple[int, str]  # an account, or 0 and the folded address of a guest

_NEVER: Final = (times.LAST + 1, 0)  # when the first order of a customer was made who has none that counts

_COLUMNS = [column.name for column in table.c]
_BY_ACCOUNT = Statement(select(table).where(Among(table.c.account, "accounts"), table.c.account > 0))
_BY_EMAIL = Statement(select(table).where(Among(table.c.email_key, "keys")))
_BY_ID = Statement(select(table).where(Among(table.c.id, "ids")))
_INSERT = Statement(insert(table).values({name: bindparam(name) for name in _COLUMNS}))
_SAY = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values({name: bindparam(name) for name in (*_SAID, "account", "email_key", "gone")})
)
_GO = Statement(
    update(table)
    .where(table.c.account == bindparam("of"))
    .values(
        account=0, username="", first_name="", last_name="", name_key="", email="", country="", state="", city="",
        postcode="", registered=null(), last_active=null(), gone=bindparam("now"),
    )
)  # fmt: skip
_HAS_ROWS = Statement(select(fact_order.c.customer).where(Among(fact_order.c.customer, "ids")).distinct())
_REMOVE = Statement(delete(table).where(Among(table.c.id, "ids")))
_ACCOUNTS = Statement(
    select(
        account.c.id, account.c.login, account.c.email, account.c.first_name, account.c.last_name, account.c.registered,
        account.c.roles, shop_customer.c.billing, func.coalesce(shop_customer.c.modified, account.c.registered),
    )
    .select_from(account.outerjoin(shop_customer, shop_customer.c.account == account.c.id))
    .where(Among(account.c.id, "ids"))
)  # fmt: skip
_NEWEST_OF_ACCOUNT = Statement(
    select(shop_order.c.created, shop_order.c.billing)
    .where(shop_order.c.customer == bindparam("account"))
    .order_by(shop_order.c.created.desc(), shop_order.c.id.desc())
    .limit(1)
)
_NEWEST_OF_GUEST = Statement(
    select(shop_order.c.created, shop_order.c.billing)
    .where(shop_order.c.email_key == bindparam("key"), shop_order.c.customer == 0)
    .order_by(shop_order.c.created.desc(), shop_order.c.id.desc())
    .limit(1)
)
_counts = ~Among(fact_order.c.status, "excluded")
_SUMS = Statement(
    select(
        fact_order.c.customer,
        func.sum(case((fact_order.c.parent == 0, 1), else_=0)),
        func.sum(fact_order.c.total),
        func.max(case((fact_order.c.parent == 0, fact_order.c.created))),
    )
    .where(Among(fact_order.c.customer, "ids"), _counts)
    .group_by(fact_order.c.customer)
)
# One customer at a time: the index gives the first, where a list of all would grow with every order.
_FIRST = Statement(
    select(fact_order.c.created, fact_order.c.id)
    .where(fact_order.c.customer == bindparam("of"), _counts, fact_order.c.parent == 0)
    .order_by(fact_order.c.created, fact_order.c.id)
    .limit(1)
)
_PUT_SUMS = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values(orders=bindparam("orders"), spend=bindparam("spend"), last_order=bindparam("last_order"))
)
# An order that does not count is no later one where none that counts was made before it.
_mark = case(
    (fact_order.c.created < bindparam("made"), 0),
    (and_(fact_order.c.created == bindparam("made"), fact_order.c.id <= bindparam("first")), 0), else_=1,
)  # fmt: skip
_MARK = Statement(
    update(fact_order)
    .where(
        fact_order.c.customer == bindparam("of"), fact_order.c.parent == 0,
        or_(fact_order.c.repeat != _mark, fact_order.c.repeat.is_(None)),
    )
    .values(repeat=_mark)
)  # fmt: skip


def name_key(first: str, last: str) -> str:
    """Return what customers are sorted and searched by."""
    return fold(f"{first} {last}".strip())


def buyers_of(work: Work, orders: Sequence[Order]) -> dict[int, int]:
    """Return the number of each order's customer by the order's number; those who are new are added.

    What is known of them is said anew by `touched`.
    """
    accounts = {one.customer for one in orders if one.customer}
    keys = {one.email_key for one in orders if not one.customer}
    known: dict[_Buyer, int] = {}
    if accounts:
        known |= {(row[1], ""): row[0] for row in work.tx.all(_BY_ACCOUNT, accounts=listed(accounts))}
    for row in sorted(work.tx.all(_BY_EMAIL, keys=listed(keys)), key=lambda row: (row[1] == 0, row[0])) if keys else ():
        # An account goes before a guest of the same address, who joins it. Guests without one are one customer.
        if row[2] or not row[1]:
            known.setdefault((0, row[2]), row[0])
    buyers: dict[int, _Buyer] = {one.id: (one.customer, "" if one.customer else one.email_key) for one in orders}
    known |= _added(work, [buyer for buyer in dict.fromkeys(buyers.values()) if buyer not in known])
    return {id: known[buyer] for id, buyer in buyers.items()}


def _added(work: Work, buyers: Sequence[_Buyer]) -> dict[_Buyer, int]:
    """Write the rows of new customers and return their numbers."""
    out = dict(zip(buyers, next_numbers(work.tx, len(buyers), _COUNTER), strict=True))
    blank: dict[str, Any] = dict.fromkeys(_COLUMNS, "")
    blank |= {"orders": 0, "spend": 0}
    blank |= dict.fromkeys(("registered", "last_active", "last_order", "gone"))
    work.tx.run_each(_INSERT, [blank | {"id": id, "account": of, "email_key": key} for (of, key), id in out.items()])
    return out


def touched(work: Work, ids: Iterable[int], *, count: bool = True) -> None:
    """Say anew what is known of some customers, and count what they bought; guests without orders are forgotten.

    count: off where all are counted later.
    """
    wanted = sorted(set(ids))
    if not wanted:
        return
    rows = [dict(zip(_COLUMNS, row, strict=True)) for row in work.tx.all(_BY_ID, ids=listed(wanted))]
    held = {row[0] for row in work.tx.all(_HAS_ROWS, ids=listed(wanted))}
    idle = [row["id"] for row in rows if not row["account"] and row["id"] not in held]
    accounts = _accounts(work, [row["account"] for row in rows if row["account"]])
    for row in rows:
        if row["id"] in idle:
            continue
        if row["account"]:
            _say_account(work, row, accounts.get(row["account"]))
        else:
            _say_guest(work, row)
    if idle:
        work.tx.run(_REMOVE, ids=listed(idle))
    if count:
        recount(work, [id for id in wanted if id not in idle])


def of_accounts(work: Work, accounts: Iterable[int], *, count: bool = True) -> None:
    """Bring the customers of some accounts up to date; an account that is a customer gets its row."""
    wanted = {id for id in accounts if id}
    known = {row[1]: row[0] for row in work.tx.all(_BY_ACCOUNT, accounts=listed(wanted))} if wanted else {}
    said = _accounts(work, wanted)
    new = [id for id, (one, _) in said.items() if id not in known and _ROLE in one[6]]
    known |= {of: id for (of, _), id in _added(work, [(id, "") for id in new]).items()}
    touched(work, known.values(), count=count)


def removed(work: Work, account_id: int) -> None:
    """Forget an account; its row stays behind nameless where orders were its."""
    row = next(iter(work.tx.all(_BY_ACCOUNT, accounts=listed((account_id,)))), None)
    if row is None:
        return
    work.tx.run(_GO, of=account_id, now=work.now)
    if not work.tx.all(_HAS_ROWS, ids=listed((row[0],))):
        work.tx.run(_REMOVE, ids=listed((row[0],)))


def recount(work: Work, ids: Sequence[int]) -> None:
    """Count orders and money of some customers, and mark which order of each was the first."""
    if not ids:
        return
    out = listed(excluded(work))
    sums = {row[0]: row[1:] for row in work.tx.all(_SUMS, ids=listed(ids), excluded=out)}
    for id in ids:
        made, first = work.tx.first(_FIRST, of=id, excluded=out) or _NEVER
        orders, spend, last = sums.get(id, (0, 0, None))
        work.tx.run(_PUT_SUMS, of=id, orders=int(orders or 0), spend=int(spend or 0), last_order=last)
        work.tx.run(_MARK, of=id, made=made, first=first)


def _accounts(work: Work, ids: Iterable[int]) -> dict[int, tuple[Any, dict[str, str]]]:
    wanted = list(ids)
    if not wanted:
        return {}
    rows = work.tx.all(_ACCOUNTS, ids=listed(wanted))
    return {row[0]: (row, orjson.loads(row[7]) if row[7] else {}) for row in rows}


def _say_account(work: Work, row: Mapping[str, Any], said: tuple[Any, dict[str, str]] | None) -> None:
    if said is None:
        return
    (id, login, email, first, last, registered, _, _, modified), billing = said
    newest = work.tx.first(_NEWEST_OF_ACCOUNT, account=id)
    if newest is not None and newest[0] >= modified:
        # What somebody last bought says where they are, until their profile says otherwise.
        billing = orjson.loads(newest[1])
    _put(
        work, row,
        {
            "username": login, "first_name": first, "last_name": last, "name_key": name_key(first, last),
            "email": email, **{name: billing.get(name, "") for name in _PLACE}, "registered": registered,
            "last_active": newest[0] if newest else None, "account": id, "email_key": fold(email), "gone": None,
        },
    )  # fmt: skip


def _say_guest(work: Work, row: Mapping[str, Any]) -> None:
    newest = work.tx.first(_NEWEST_OF_GUEST, key=row["email_key"])
    if newest is None or (row["gone"] is not None and newest[0] <= row["gone"]):
        return
    billing = orjson.loads(newest[1])
    first, last = billing.get("first_name", ""), billing.get("last_name", "")
    _put(
        work, row,
        {
            "username": "", "first_name": first, "last_name": last, "name_key": name_key(first, last),
            "email": billing.get("email", ""), **{name: billing.get(name, "") for name in _PLACE}, "registered": None,
            "last_active": newest[0], "account": 0, "email_key": row["email_key"], "gone": None,
        },
    )  # fmt: skip


def _put(work: Work, row: Mapping[str, Any], said: dict[str, Any]) -> None:
    if any(row[name] != value for name, value in said.items()):
        work.tx.run(_SAY, of=row["id"], **said)
