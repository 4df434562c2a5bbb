"""Making the tables of reports anew from the orders: in parts, so that it may be stopped and taken up again.

Where it stands is an option of the site. Not here: rows (analytics/facts/rows.py), finding what is wrong
(analytics/facts/checks.py). Rules: facts, "Export and rebuilding".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, exists, func, or_, select

from vetrina.analytics.facts import bulk_customers
from vetrina.analytics.facts import customers as fact_customers
from vetrina.analytics.facts import rules as facts
from vetrina.analytics.notes import rules as notes
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.analytics import fact_customer, fact_order
from vetrina.backends.tables.core import account
from vetrina.backends.tables.orders import shop_order, shop_refund
from vetrina.core.unit_of_work import Work

__all__ = ["JOB", "PART", "Progress", "cancel", "carry_on", "empty", "progress", "settle", "start", "step", "totals"]

JOB: Final = "analytics.rebuild"
_OPTION: Final = "shop_analytics_rebuild"
_AT_ONCE: Final = 200  # orders that the request itself rebuilds
_STEP: Final = 1000  # orders that a job rebuilds in one transaction
PART: Final = 5000  # orders that a command rebuilds in one transaction; writers wait for it, about half a second
_DAY: Final = 86_400
_ROLE: Final = '"customer"'


class Progress(msgspec.Struct, frozen=True):
    """How far a rebuilding is. after: the last order that was done. since: of the oldest one, None for all.

    refunds: those that came with their orders, `of_refunds` in all; an older order is read for a refund since then.
    running: whether there is more to do. known: False when the tables were emptied and nothing was begun.
    anew: whether the tables were emptied first, so that rows are loaded and customers come last.
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
    .where(Among(shop_refund.c.order, "ids"), shop_refund.c.created >= bindparam("since"))
)  # fmt: skip
_COUNT_FACTS = Statement(
    select(func.count()).select_from(fact_order).where(fact_order.c.created_gmt >= bindparam("since"))
)
_ANY = Statement(select(fact_order.c.id).limit(1))
_ACCOUNTS = Statement(
    select(account.c.id).where(account.c.roles.contains(_ROLE), account.c.registered >= bindparam("since"))
    .order_by(account.c.id)
)  # fmt: skip
_KNOWN_ACCOUNTS = Statement(select(fact_customer.c.account).where(Among(fact_customer.c.account, "ids")))
_STRAY = Statement(
    select(fact_order.c.id)
    .where(
        fact_order.c.parent == 0, fact_order.c.id.not_in(select(shop_order.c.id)),
    )
    .limit(bindparam("limit"))
)  # fmt: skip


def progress(work: Work) -> Progress:
    """Return how far the last rebuilding is."""
    work.uses("option")
    stored = work.stored_option(_OPTION)
    return msgspec.convert(stored, Progress) if isinstance(stored, dict) else Progress()


def totals(work: Work, days: int | None, skip: bool) -> tuple[int, int]:
    """Return how many customers and orders (with refunds) a rebuilding would read.

    days: only the newest, None for all. skip: only those that are not in the tables.
    """
    work.uses("order", "user")
    since = _begin(work, days)
    accounts = [row[0] for row in work.tx.all(_ACCOUNTS, since=since or 0)]
    orders = int(work.tx.value(_COUNT_ORDERS, since=since or 0)) + int(work.tx.value(_COUNT_REFUNDS, since=since or 0))
    if not skip:
        return len(accounts), orders
    known = {row[0] for row in work.tx.all(_KNOWN_ACCOUNTS, ids=listed(accounts))}
    return len(accounts) - len(known), max(orders - int(work.tx.value(_COUNT_FACTS, since=since or 0)), 0)


def start(work: Work, days: int | None = None, skip: bool = False, *, by_job: bool = True) -> Progress | None:
    """Begin to rebuild; None when that is going on already. A small shop is done at once.

    by_job: whether a job does the rest; else whoever calls goes on with `step`.
    """
    if progress(work).running:
        return None
    since = _begin(work, days)
    accounts = [row[0] for row in work.tx.all(_ACCOUNTS, since=since or 0)]
    count, returned = (int(work.tx.value(of, since=since or 0)) for of in (_COUNT_ORDERS, _COUNT_REFUNDS))
    # One transaction rebuilds a small shop, and a job changes rows in place: reports stay whole meanwhile.
    anew = not by_job and days is None and not skip
    if anew:
        facts.forget(work)
    fact_customers.of_accounts(work, accounts, count=not anew)
    begun = Progress(
        of_orders=count, of_refunds=returned, customers=len(accounts), of_customers=len(accounts), since=since,
        skip=skip, running=True, anew=anew,
    )  # fmt: skip
    work.set_option(_OPTION, msgspec.to_builtins(begun))
    if not by_job:
        return begun
    done = step(work, _AT_ONCE)
    if done.running:
        job_queue.put(work.tx, JOB, {}, due=work.now, now=work.now, key=JOB)
    return done


def step(work: Work, most: int = _STEP) -> Progress:
    """Rebuild some more orders and return how far that is."""
    held = progress(work)
    if not held.running:
        return held
    since = held.since or 0
    found = work.tx.all(_NEXT, after=held.after, since=since, limit=most)
    wanted = ids = [row[0] for row in found]
    if held.skip and ids:
        known = facts.stored_ids(work, ids)
        wanted = [id for id in ids if id not in known]
    if held.anew:
        # What changed since the tables were emptied has its rows already.
        known = facts.stored_ids(work, ids)
        facts.load(work, [id for id in ids if id not in known])
    else:
        facts.rewrite(work, wanted)
    running = len(ids) == most
    done = msgspec.structs.replace(
        held,
        orders=held.orders + sum(row[1] >= since for row in found),
        refunds=held.refunds + int(work.tx.value(_REFUNDS_OF, ids=listed(ids), since=since) or 0),
        after=ids[-1] if ids else held.after,
        running=running,
    )
    if not running:
        if held.anew:
            bulk_customers.settled(work)
        _remove_strays(work)
    work.set_option(_OPTION, msgspec.to_builtins(done))
    return done


def carry_on(work: Work, arguments: Mapping[str, Any]) -> None:
    """Do a part of a rebuilding and ask for the next; the job."""
    before = progress(work)
    done = step(work)
    if done.running:
        job_queue.put(work.tx, JOB, {}, due=work.now, now=work.now, key=JOB)
    elif before.running:
        notes.tell(
            work, "reports-rebuilt", "update", "The reports were rebuilt",
            f"They are made of {done.orders} orders and say what those say.",
        )  # fmt: skip


def settle(work: Work) -> None:
    """Rebuild after the site's zone changed: every local time is another one then."""
    if any(kind == "option" and item == "timezone" for kind, item, _ in work.noted) and work.tx.value(_ANY):
        cancel(work)
        start(work)


def cancel(work: Work) -> None:
    """Stop rebuilding; what is done stays."""
    work.set_option(_OPTION, msgspec.to_builtins(Progress()))


def empty(work: Work) -> None:
    """Empty the tables of reports: every figure is zero until they are rebuilt, or an order changes."""
    facts.forget(work)
    work.set_option(_OPTION, msgspec.to_builtins(Progress(known=False)))


def _remove_strays(work: Work) -> None:
    """Remove the rows of orders that are gone."""
    while ids := [row[0] for row in work.tx.all(_STRAY, limit=_STEP)]:
        facts.rewrite(work, ids)


def _begin(work: Work, days: int | None) -> int | None:
    """Return the midnight (GMT) some days ago, at most that of 1970."""
    return None if days is None else max(work.now // _DAY - days, 0) * _DAY
