"""What the shop does in the background: sales begin and end, mails and webhooks go out, unpaid orders are cancelled."""

from __future__ import annotations

from vetrina.access.passwords import reset as password_reset
from vetrina.core.background_work import Background, Errand
from vetrina.shop.admin import module_jobs
from vetrina.shop.cart import store as cart_store
from vetrina.shop.customers import erasure, retention
from vetrina.shop.mail import outbox
from vetrina.shop.mail import password_reset as mail_reset
from vetrina.shop.mail import sending as mail_sending
from vetrina.shop.orders import unpaid
from vetrina.shop.payments import attempts
from vetrina.shop.payments import jobs as payment_jobs
from vetrina.shop.products import catalogue_files, thumbnails
from vetrina.shop.products import prices as product_prices
from vetrina.shop.webhooks import deliveries as webhook_deliveries

__all__ = ["BACKGROUND"]

BACKGROUND = Background(
    handlers={
        product_prices.SALE: product_prices.begin_or_end,
        unpaid.CANCEL: unpaid.cancel,
        module_jobs.CARRY_OUT: module_jobs.carry_out,
        catalogue_files.JOB: catalogue_files.carry_out,
    },
    errands={
        attempts.CARRY_OUT: payment_jobs.ERRAND,
        outbox.SEND: Errand(mail_sending.sent, mail_sending.keep_sent),
        # In the place of the plain mail of a site without a shop.
        password_reset.ASKED: Errand(mail_reset.send_mail, password_reset.keep),
        thumbnails.REMAKE: Errand(thumbnails.remake, thumbnails.keep),
        webhook_deliveries.DELIVER: Errand(webhook_deliveries.sent, webhook_deliveries.keep_sent),
    },
    settling=(erasure.settle, webhook_deliveries.settle),
    sweeps=(cart_store.sweep, catalogue_files.sweep, webhook_deliveries.sweep, unpaid.note_overdue, retention.sweep),
)
