"""The end of an import for a shop: what follows from all that came."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from vetrina.analytics.facts import rebuilding
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.system import recompute
from vetrina.transfer.target.orders.coupon_uses import settle_coupon_uses


def finish_shop(open_work: Callable[[], AbstractContextManager[UnitOfWork]]) -> None:
    """Settle which orders coupons were used by, and end a rebuild of the reports that a setting has begun."""
    with open_work() as work:
        settle_coupon_uses(work)
        recompute.recompute_coupon_uses(work)
        running = rebuilding.load_progress(work).running
    while running:
        with open_work() as work:
            running = rebuilding.run_rebuild_step(work, rebuilding.PART).running
