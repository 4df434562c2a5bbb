"""What the shop does in the background: sales begin and end, mails and webhooks go out, unpaid orders are cancelled."""

from __future__ import annotations

from vetrina.domain.background import Background, Errand

from . import cart, outbox, prices, thumbnails, unpaid, webhook_deliveries
from .admin import module_jobs

__all__ = ["BACKGROUND"]

BACKGROUND = Background(
    handlers={
        prices.SALE: prices.begin_or_end,
        unpaid.CANCEL: unpaid.cancel,
        module_jobs.CARRY_OUT: module_jobs.carry_out,
    },
    errands={
        outbox.SEND: Errand(outbox.sent, outbox.keep_sent),
        thumbnails.REMAKE: Errand(thumbnails.remake, thumbnails.keep),
        webhook_deliveries.DELIVER: Errand(webhook_deliveries.sent, webhook_deliveries.keep_sent),
    },
    settling=(webhook_deliveries.settle,),
    sweeps=(cart.sweep, webhook_deliveries.sweep, unpaid.note_overdue),
)
