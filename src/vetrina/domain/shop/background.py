"""What the shop does in the background: sales begin and end, mails and webhooks go out, unpaid orders are cancelled."""

from __future__ import annotations

from vetrina.domain.access import password_reset
from vetrina.domain.background import Background, Errand

from . import (
    cart,
    catalogue_files,
    erasing,
    mail_reset,
    mail_sending,
    outbox,
    payment_attempts,
    payment_jobs,
    prices,
    retention,
    thumbnails,
    unpaid,
    webhook_deliveries,
)
from .admin import module_jobs

__all__ = ["BACKGROUND"]

BACKGROUND = Background(
    handlers={
        prices.SALE: prices.begin_or_end,
        unpaid.CANCEL: unpaid.cancel,
        module_jobs.CARRY_OUT: module_jobs.carry_out,
        catalogue_files.JOB: catalogue_files.carry_out,
    },
    errands={
        payment_attempts.CARRY_OUT: payment_jobs.ERRAND,
        outbox.SEND: Errand(mail_sending.sent, mail_sending.keep_sent),
        # In the place of the plain mail of a site without a shop.
        password_reset.ASKED: Errand(mail_reset.send_mail, password_reset.keep),
        thumbnails.REMAKE: Errand(thumbnails.remake, thumbnails.keep),
        webhook_deliveries.DELIVER: Errand(webhook_deliveries.sent, webhook_deliveries.keep_sent),
    },
    settling=(erasing.settle, webhook_deliveries.settle),
    sweeps=(cart.sweep, catalogue_files.sweep, webhook_deliveries.sweep, unpaid.note_overdue, retention.sweep),
)
