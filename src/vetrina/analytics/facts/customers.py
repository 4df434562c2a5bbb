"""The customers of the reports: which customer an order belongs to, their profile, and what they spent.

A customer is an account, or else a billing address. Not here: which of their orders is the first
(analytics/facts/returning_customers.py), their list (analytics/reports/customers.py).
Rules: docs/rules/analytics_rows.md, 9; docs/rules/analytics_reports.md, 10: guests are described by their latest order,
accounts by their profile; deleted accounts leave the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, case, delete, func, insert, null, select, update

from vetrina.analytics.facts.reportable_orders import get_excluded_statuses
from vetrina.analytics.facts.returning_customers import expect_first_orders, mark_returning_customers
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_ids
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.analytics import fact_customer as table, fact_order
from vetrina.backends.tables.orders import shop_customer, shop_order
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import fold_text
from vetrina.shop.orders.model import Order

_COUNTER: Final = "fact_customer"
_ROLE: Final = '"customer"'
_PLACE: Final = ("country", "state", "city", "postcode")
_DETAIL_COLUMNS: Final = (
    "username",
    "first_name",
    "last_name",
    "name_key",
    "email",
    *_PLACE,
    "registered",
    "last_active",
)

_Buyer = tuple[int, str]  # an account id, or 0 and the folded e-mail address of a guest

_COLUMNS = [column.name for column in table.c]
_BY_ACCOUNT = Statement(select(table).where(InList(table.c.account, "accounts"), table.c.account > 0))
_BY_EMAIL = Statement(select(table).where(InList(table.c.email_key, "keys")))
_BY_ID = Statement(select(table).where(InList(table.c.id, "ids")))
_INSERT = Statement(insert(table).values({name: bindparam(name) for name in _COLUMNS}))
_UPDATE_DETAILS = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values({name: bindparam(name) for name in (*_DETAIL_COLUMNS, "account", "email_key", "gone")})
)
_ANONYMIZE = Statement(
    update(table)
    .where(table.c.account == bindparam("of"))
    .values(
        account=0, username="", first_name="", last_name="", name_key="", email="", country="", state="", city="",
        postcode="", registered=null(), last_active=null(), gone=bindparam("now"),
    )
)  # fmt: skip
_HAS_ROWS = Statement(select(fact_order.c.customer).where(InList(fact_order.c.customer, "ids")).distinct())
_REMOVE = Statement(delete(table).where(InList(table.c.id, "ids")))
_ACCOUNTS = Statement(
    select(
        account.c.id, account.c.login, account.c.email, account.c.first_name, account.c.last_name, account.c.registered,
        account.c.roles, shop_customer.c.billing, func.coalesce(shop_customer.c.modified, account.c.registered),
    )
    .select_from(account.outerjoin(shop_customer, shop_customer.c.account == account.c.id))
    .where(InList(account.c.id, "ids"))
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
_is_reportable = ~InList(fact_order.c.status, "excluded")
_SUMS = Statement(
    select(
        fact_order.c.customer,
        func.sum(case((fact_order.c.parent == 0, 1), else_=0)),
        func.sum(fact_order.c.total),
        func.max(case((fact_order.c.parent == 0, fact_order.c.created))),
    )
    .where(InList(fact_order.c.customer, "ids"), _is_reportable)
    .group_by(fact_order.c.customer)
)
_PUT_SUMS = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values(orders=bindparam("orders"), spend=bindparam("spend"), last_order=bindparam("last_order"))
)


def build_name_key(first: str, last: str) -> str:
    """Return the key that customers are sorted and searched by."""
    return fold_text(f"{first} {last}".strip())


def resolve_customers(work: UnitOfWork, orders: Sequence[Order]) -> dict[int, int]:
    """Return the customer id of each order by order id, adding new customers.

    `update_customers` then refreshes their profile and sums.
    """
    accounts = {one.customer for one in orders if one.customer}
    keys = {one.email_key for one in orders if not one.customer}
    known: dict[_Buyer, int] = {}
    if accounts:
        known |= {(row[1], ""): row[0] for row in work.tx.all(_BY_ACCOUNT, accounts=encode_list(accounts))}
    for row in (
        sorted(work.tx.all(_BY_EMAIL, keys=encode_list(keys)), key=lambda row: (row[1] == 0, row[0])) if keys else ()
    ):
        # An account takes precedence over a guest of the same address, who joins it. Guests without one are one
        # customer.
        if row[2] or not row[1]:
            known.setdefault((0, row[2]), row[0])
    buyers: dict[int, _Buyer] = {one.id: (one.customer, "" if one.customer else one.email_key) for one in orders}
    known |= _insert_customers(work, [buyer for buyer in dict.fromkeys(buyers.values()) if buyer not in known])
    return {id: known[buyer] for id, buyer in buyers.items()}


def _insert_customers(work: UnitOfWork, buyers: Sequence[_Buyer]) -> dict[_Buyer, int]:
    """Insert the rows of new customers and return their ids."""
    out = dict(zip(buyers, allocate_ids(work.tx, len(buyers), _COUNTER), strict=True))
    blank: dict[str, Any] = dict.fromkeys(_COLUMNS, "")
    blank |= {"orders": 0, "spend": 0}
    blank |= dict.fromkeys(("registered", "last_active", "last_order", "gone"))
    work.tx.run_each(_INSERT, [blank | {"id": id, "account": of, "email_key": key} for (of, key), id in out.items()])
    return out


def update_customers(work: UnitOfWork, ids: Iterable[int], *, count: bool = True) -> None:
    """Refresh profile and sums of some customers; guests without orders are deleted.

    count: false where all customers are recounted later.
    """
    wanted = sorted(set(ids))
    if not wanted:
        return
    _expect_sums(work, wanted, count)
    rows = [dict(zip(_COLUMNS, row, strict=True)) for row in work.tx.all(_BY_ID, ids=encode_list(wanted))]
    with_orders = {row[0] for row in work.tx.all(_HAS_ROWS, ids=encode_list(wanted))}
    idle = [row["id"] for row in rows if not row["account"] and row["id"] not in with_orders]
    accounts = _load_accounts(work, [row["account"] for row in rows if row["account"]])
    for row in rows:
        if row["id"] in idle:
            continue
        if row["account"]:
            _update_account_row(work, row, accounts.get(row["account"]))
        else:
            _update_guest_row(work, row)
    if idle:
        work.tx.run(_REMOVE, ids=encode_list(idle))
    if count:
        recount_customers(work, [id for id in wanted if id not in idle])


def _expect_sums(work: UnitOfWork, wanted: Sequence[int], count: bool) -> None:
    """Have what is read of the orders of some customers read with what is asked of the database next."""
    ids = encode_list(wanted)
    work.tx.expect(_HAS_ROWS, ids=ids)
    if count:
        work.tx.expect(_SUMS, ids=ids, excluded=encode_list(get_excluded_statuses(work)))
        expect_first_orders(work, wanted)


def update_account_customers(work: UnitOfWork, accounts: Iterable[int], *, count: bool = True) -> None:
    """Refresh the customers of some accounts; an account that is a customer gets its row."""
    wanted = {id for id in accounts if id}
    known = {row[1]: row[0] for row in work.tx.all(_BY_ACCOUNT, accounts=encode_list(wanted))} if wanted else {}
    accounts_by_id = _load_accounts(work, wanted)
    new = [id for id, (one, _) in accounts_by_id.items() if id not in known and _ROLE in one[6]]
    known |= {of: id for (of, _), id in _insert_customers(work, [(id, "") for id in new]).items()}
    update_customers(work, known.values(), count=count)


def forget_account(work: UnitOfWork, account_id: int) -> None:
    """Remove an account from the reports; where it has orders, its row stays without a name."""
    row = next(iter(work.tx.all(_BY_ACCOUNT, accounts=encode_list((account_id,)))), None)
    if row is None:
        return
    work.tx.run(_ANONYMIZE, of=account_id, now=work.now)
    if not work.tx.all(_HAS_ROWS, ids=encode_list((row[0],))):
        work.tx.run(_REMOVE, ids=encode_list((row[0],)))


def recount_customers(work: UnitOfWork, ids: Sequence[int]) -> None:
    """Recount orders and spend of some customers, and mark the first order of each."""
    if not ids:
        return
    out = encode_list(get_excluded_statuses(work))
    sums = {row[0]: row[1:] for row in work.tx.all(_SUMS, ids=encode_list(ids), excluded=out)}
    for id in ids:
        orders, spend, last = sums.get(id, (0, 0, None))
        work.tx.run(_PUT_SUMS, of=id, orders=int(orders or 0), spend=int(spend or 0), last_order=last)
    mark_returning_customers(work, ids)


def _load_accounts(work: UnitOfWork, ids: Iterable[int]) -> dict[int, tuple[Any, dict[str, str]]]:
    wanted = list(ids)
    if not wanted:
        return {}
    rows = work.tx.all(_ACCOUNTS, ids=encode_list(wanted))
    return {row[0]: (row, orjson.loads(row[7]) if row[7] else {}) for row in rows}


def _update_account_row(work: UnitOfWork, row: Mapping[str, Any], said: tuple[Any, dict[str, str]] | None) -> None:
    if said is None:
        return
    (id, login, email, first, last, registered, _, _, modified), billing = said
    newest = work.tx.first(_NEWEST_OF_ACCOUNT, account=id)
    if newest is not None and newest[0] >= modified:
        # The latest purchase says where customers are, until their profile says otherwise.
        billing = orjson.loads(newest[1])
    _update_if_changed(
        work, row,
        {
            "username": login, "first_name": first, "last_name": last, "name_key": build_name_key(first, last),
            "email": email, **{name: billing.get(name, "") for name in _PLACE}, "registered": registered,
            "last_active": newest[0] if newest else None, "account": id, "email_key": fold_text(email), "gone": None,
        },
    )  # fmt: skip


def _update_guest_row(work: UnitOfWork, row: Mapping[str, Any]) -> None:
    newest = work.tx.first(_NEWEST_OF_GUEST, key=row["email_key"])
    if newest is None or (row["gone"] is not None and newest[0] <= row["gone"]):
        return
    billing = orjson.loads(newest[1])
    first, last = billing.get("first_name", ""), billing.get("last_name", "")
    _update_if_changed(
        work, row,
        {
            "username": "", "first_name": first, "last_name": last, "name_key": build_name_key(first, last),
            "email": billing.get("email", ""), **{name: billing.get(name, "") for name in _PLACE}, "registered": None,
            "last_active": newest[0], "account": 0, "email_key": row["email_key"], "gone": None,
        },
    )  # fmt: skip


def _update_if_changed(work: UnitOfWork, row: Mapping[str, Any], said: dict[str, Any]) -> None:
    if any(row[name] != value for name, value in said.items()):
        work.tx.run(_UPDATE_DETAILS, of=row["id"], **said)
