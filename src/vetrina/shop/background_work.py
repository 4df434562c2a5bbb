"""The shop's background jobs: start and end of sales, mails, webhooks, cancelling unpaid orders, an index of orders."""

from __future__ import annotations

from vetrina.access.passwords import reset as password_reset
from vetrina.backends import order_search_index
from vetrina.backends.job_consumer import BacklogReader
from vetrina.core.background_work import BackgroundTasks, ExternalTask
from vetrina.core.webhooks import deliveries
from vetrina.core.webhooks.model import SHOP
from vetrina.shop.admin import module_jobs
from vetrina.shop.cart import store as cart_store
from vetrina.shop.customers import erasure, retention
from vetrina.shop.mail import outbox, password_reset as mail_reset, sending as mail_sending
from vetrina.shop.orders import unpaid
from vetrina.shop.payments import attempts, gateway_events, jobs as payment_jobs
from vetrina.shop.products import catalogue_files, prices as product_prices, thumbnails
from vetrina.shop.webhooks import deliveries as webhook_deliveries

BACKGROUND = BackgroundTasks(
    handlers={
        product_prices.SALE_JOB: product_prices.run_sale_job,
        unpaid.CANCEL_UNPAID_JOB: unpaid.cancel_unpaid_order,
        module_jobs.MODULE_JOB: module_jobs.run_module_job,
        gateway_events.DELETE_REPORTS_JOB: gateway_events.delete_unmatched_reports,
        catalogue_files.CATALOG_FILE_JOB: catalogue_files.run_catalog_file_job,
    },
    external_tasks={
        attempts.PAYMENT_JOB: payment_jobs.PAYMENT_TASK,
        outbox.SEND_MAIL_JOB: ExternalTask(mail_sending.build_mail_call, mail_sending.save_mail_result),
        # Replaces the plain password mail of a site without a shop.
        password_reset.LOST_PASSWORD_JOB: ExternalTask(mail_reset.send_reset_mail, password_reset.save_reset_link),
        thumbnails.THUMBNAIL_JOB: ExternalTask(thumbnails.build_thumbnail_call, thumbnails.save_thumbnail_sizes),
        deliveries.name_job(SHOP): ExternalTask(deliveries.build_delivery_call, deliveries.save_delivery_result),
    },
    expect_hook_reads=(webhook_deliveries.expect_reads,),
    before_commit=(erasure.release_deleted_accounts,),
    last_before_commit=(webhook_deliveries.enqueue_change_deliveries,),
    periodic_jobs=(
        cart_store.delete_expired_carts,
        catalogue_files.delete_expired_catalog_files,
        unpaid.enqueue_overdue_orders,
        retention.run_retention_job,
    ),
    backlog_readers=(BacklogReader(order_search_index.count_pending_orders, order_search_index.index_orders),),
)
