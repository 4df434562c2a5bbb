"""Rebuilds the report tables from the orders, in batches, so that a rebuild can be stopped and resumed.

Its progress is an option of the site. Not here: the rows (analytics/facts/rows.py), finding errors
(analytics/facts/integrity_rules.py). Rules: docs/rules/analytics_exports.md, 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, exists, func, or_, select

from vetrina.analytics.facts import bulk_customers, customers as fact_customers, updates as facts
from vetrina.analytics.notes import rules as notes
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.analytics import fact_customer, fact_order
from vetrina.backends.tables.orders import shop_order, shop_refund
from vetrina.core.unit_of_work import UnitOfWork

JOB: Final = "analytics.rebuild"
_OPTION: Final = "shop_analytics_rebuild"
_AT_ONCE: Final = 200  # orders that the request itself rebuilds
_STEP: Final = 1000  # orders that a job rebuilds in one transaction
PART: Final = 5000  # orders that a command rebuilds in one transaction; blocks other writers for about half a second
_DAY: Final = 86_400
_ROLE: Final = '"customer"'


class RebuildProgress(msgspec.Struct, frozen=True):
    """Progress of a rebuild. after: id of the last order done. since: time of the oldest order, None for all.

    refunds: those done with their orders, of `of_refunds` in all; an older order is included for a refund since then.
    running: whether there is more to do. known: False when the tables were emptied and no rebuild was started. anew:
    whether the tables were emptied first, so that rows are bulk-loaded and customers come last.
    """

    orders: int = 0
    of_orders: int = 0
    refunds: int = 0
    of_refunds: int = 0
    customers: int = 0
    of_customers: int = 0
    after: int = 0
    since: int | None = None
    skip: bool = False
    running: bool = False
    known: bool = True
    anew: bool = False


_since = shop_order.c.created >= bindparam("since")
_refunded_since = exists().where(shop_refund.c.order == shop_order.c.id, shop_refund.c.created >= bindparam("since"))
_NEXT = Statement(
    select(shop_order.c.id, shop_order.c.created)
    .where(shop_order.c.id > bindparam("after"), or_(_since, _refunded_since))
    .order_by(shop_order.c.id).limit(bindparam("limit"))
)  # fmt: skip
_COUNT_ORDERS = Statement(select(func.count()).select_from(shop_order).where(_since))
_COUNT_REFUNDS = Statement(
    select(func.count()).select_from(shop_refund).where(shop_refund.c.created >= bindparam("since"))
)
_REFUNDS_OF = Statement(
    select(func.count()).select_from(shop_refund)
    .where(InList(shop_refund.c.order, "ids"), shop_refund.c.created >= bindparam("since"))
)  # fmt: skip
_COUNT_FACTS = Statement(
    select(func.count()).select_from(fact_order).where(fact_order.c.created_gmt >= bindparam("since"))
)
_ANY = Statement(select(fact_order.c.id).limit(1))
_ACCOUNTS = Statement(
    select(account.c.id).where(account.c.roles.contains(_ROLE), account.c.registered >= bindparam("since"))
    .order_by(account.c.id)
)  # fmt: skip
_KNOWN_ACCOUNTS = Statement(select(fact_customer.c.account).where(InList(fact_customer.c.account, "ids")))
_STRAY = Statement(
    select(fact_order.c.id)
    # Not by NOT IN: PostgreSQL would go through all orders for each row.
    .where(fact_order.c.parent == 0, ~exists().where(shop_order.c.id == fact_order.c.id))
    .limit(bindparam("limit"))
)  # fmt: skip


def load_progress(work: UnitOfWork) -> RebuildProgress:
    """Return the progress of the last rebuild."""
    work.uses("option")
    stored = work.stored_option(_OPTION)
    return msgspec.convert(stored, RebuildProgress) if isinstance(stored, dict) else RebuildProgress()


def count_totals(work: UnitOfWork, days: int | None, skip: bool) -> tuple[int, int]:
    """Return how many customers and orders (with refunds) a rebuild would read.

    days: only orders of the last days, None for all. skip: only orders that are not in the tables.
    """
    work.uses("order", "user")
    since = _compute_since(work, days)
    accounts = [row[0] for row in work.tx.all(_ACCOUNTS, since=since or 0)]
    orders = int(work.tx.value(_COUNT_ORDERS, since=since or 0)) + int(work.tx.value(_COUNT_REFUNDS, since=since or 0))
    if not skip:
        return len(accounts), orders
    known = {row[0] for row in work.tx.all(_KNOWN_ACCOUNTS, ids=encode_list(accounts))}
    return len(accounts) - len(known), max(orders - int(work.tx.value(_COUNT_FACTS, since=since or 0)), 0)


def start_rebuild(
    work: UnitOfWork, days: int | None = None, skip: bool = False, *, by_job: bool = True
) -> RebuildProgress | None:
    """Start a rebuild; None when one is already running. A small shop is done at once.

    by_job: whether a job does the rest; otherwise the caller continues with `run_rebuild_step`.
    """
    if load_progress(work).running:
        return None
    since = _compute_since(work, days)
    accounts = [row[0] for row in work.tx.all(_ACCOUNTS, since=since or 0)]
    count, returned = (int(work.tx.value(of, since=since or 0)) for of in (_COUNT_ORDERS, _COUNT_REFUNDS))
    # One transaction rebuilds a small shop, and a job updates rows in place: reports stay complete meanwhile.
    anew = not by_job and days is None and not skip
    if anew:
        facts.delete_facts(work)
    fact_customers.update_account_customers(work, accounts, count=not anew)
    progress = RebuildProgress(
        of_orders=count, of_refunds=returned, customers=len(accounts), of_customers=len(accounts), since=since,
        skip=skip, running=True, anew=anew,
    )  # fmt: skip
    work.set_option(_OPTION, msgspec.to_builtins(progress))
    if not by_job:
        return progress
    done = run_rebuild_step(work, _AT_ONCE)
    if done.running:
        job_queue.enqueue_job(work.tx, JOB, {}, due=work.now, now=work.now, key=JOB)
    return done


def run_rebuild_step(work: UnitOfWork, most: int = _STEP) -> RebuildProgress:
    """Rebuild another batch of orders and return the progress."""
    progress = load_progress(work)
    if not progress.running:
        return progress
    since = progress.since or 0
    found = work.tx.all(_NEXT, after=progress.after, since=since, limit=most)
    wanted = ids = [row[0] for row in found]
    if progress.skip and ids:
        known = facts.list_stored_ids(work, ids)
        wanted = [id for id in ids if id not in known]
    if progress.anew:
        # Orders that changed since the tables were emptied have their rows already.
        known = facts.list_stored_ids(work, ids)
        facts.bulk_insert_facts(work, [id for id in ids if id not in known])
    else:
        facts.rewrite_facts(work, wanted)
    running = len(ids) == most
    done = msgspec.structs.replace(
        progress,
        orders=progress.orders + sum(row[1] >= since for row in found),
        refunds=progress.refunds + int(work.tx.value(_REFUNDS_OF, ids=encode_list(ids), since=since) or 0),
        after=ids[-1] if ids else progress.after,
        running=running,
    )
    if not running:
        if progress.anew:
            bulk_customers.update_all_customers(work)
        _delete_strays(work)
    work.set_option(_OPTION, msgspec.to_builtins(done))
    return done


def run_rebuild_job(work: UnitOfWork, arguments: Mapping[str, Any]) -> None:
    """Rebuild a batch and enqueue the next one (job handler)."""
    before = load_progress(work)
    done = run_rebuild_step(work)
    if done.running:
        job_queue.enqueue_job(work.tx, JOB, {}, due=work.now, now=work.now, key=JOB)
    elif before.running:
        notes.write_admin_note(
            work, "reports-rebuilt", "update", "The reports were rebuilt",
            f"They are made of {done.orders} orders and say what those say.",
        )  # fmt: skip


def rebuild_on_zone_change(work: UnitOfWork) -> None:
    """Rebuild after a change of the site's time zone: every local time changes with it."""
    if any(kind == "option" and item == "timezone" for kind, item, _ in work.changes) and work.tx.value(_ANY):
        cancel_rebuild(work)
        start_rebuild(work)


def cancel_rebuild(work: UnitOfWork) -> None:
    """Stop a rebuild; what is done stays."""
    work.set_option(_OPTION, msgspec.to_builtins(RebuildProgress()))


def empty_reports(work: UnitOfWork) -> None:
    """Empty the report tables: every figure is zero until they are rebuilt or an order changes."""
    facts.delete_facts(work)
    work.set_option(_OPTION, msgspec.to_builtins(RebuildProgress(known=False)))


def _delete_strays(work: UnitOfWork) -> None:
    """Delete the rows whose orders no longer exist."""
    while ids := [row[0] for row in work.tx.all(_STRAY, limit=_STEP)]:
        facts.rewrite_facts(work, ids)


def _compute_since(work: UnitOfWork, days: int | None) -> int | None:
    """Return midnight (GMT) some days ago, no earlier than 1970."""
    return None if days is None else max(work.now // _DAY - days, 0) * _DAY
