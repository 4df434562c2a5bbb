"""When a gateway is asked again about an attempt whose outcome is open, and for how long.

Not here: what its answer does (shop/payments/jobs.py).
"""

from __future__ import annotations

from typing import Final

from vetrina.backends import job_queue
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.payments.attempts import (
    ABANDONED,
    PAYMENT_JOB,
    PENDING,
    WAITING,
    PaymentAttempt,
    build_job_key,
    update_attempt,
)

_FIRST_DELAYS: Final = {WAITING: 30, PENDING: 300, ABANDONED: 3600}  # seconds; doubled with each try
_MAX_DELAY: Final = 6 * 3600  # seconds
_POLLING_PERIOD: Final = 30 * 86_400  # seconds after which the gateway is not polled any more; a report still counts


def schedule_poll(work: UnitOfWork, attempt: PaymentAttempt) -> PaymentAttempt:
    """Enqueue a job that polls the gateway, later with each try; after a month polling ends."""
    if attempt.is_open and work.now - attempt.created < _POLLING_PERIOD:
        delay = min(_MAX_DELAY, _FIRST_DELAYS[attempt.state] << min(attempt.tries, 10))
        attempt = update_attempt(work, attempt, tries=attempt.tries + 1)
        job_queue.enqueue_job(
            work.tx, PAYMENT_JOB, {"attempt": attempt.id}, due=work.now + delay, now=work.now,
            key=build_job_key(attempt),
        )  # fmt: skip
    return attempt


def enqueue_poll(work: UnitOfWork, attempt: PaymentAttempt) -> None:
    """Enqueue a job that polls the gateway at once."""
    job_queue.enqueue_missing_job(
        work.tx, PAYMENT_JOB, {"attempt": attempt.id}, due=work.now, now=work.now, key=build_job_key(attempt)
    )
