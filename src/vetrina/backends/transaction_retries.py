"""Runs a transaction again that the database aborted, a few times and for a few seconds; then clients hear of it.

Nothing of an aborted transaction is kept, so running it again has the effect of once.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Final, TypeVar

from vetrina.kernel.errors import ApiError, Failure

T = TypeVar("T")

_MAX_ATTEMPTS: Final = 5  # attempts in all for a transaction that the database aborts
_RETRY_SECONDS: Final = 4.0  # seconds after the first attempt within which another one may begin
_FIRST_PAUSE: Final = 0.01  # seconds before the second attempt; doubled before each further one


class RetryableError(Exception):
    """The database aborted a transaction and kept nothing of it; the same work may succeed when retried."""


class ServerUnavailable(RetryableError):
    """No server can carry the transaction out now, nor will soon; clients are told to try again later."""


class DatabaseBusy(ApiError):
    """The database aborted every attempt of the transaction, or cannot be reached."""

    failure, code = Failure.UNAVAILABLE, "database_busy"
    message = "The database cannot carry this out now; nothing was changed. Send the request again in {wait} seconds."

    def __init__(self, wait: int = 2) -> None:
        super().__init__(wait=wait)
        self.headers["Retry-After"] = str(wait)


def run_with_retries(run: Callable[[], T]) -> T:
    """Return what `run` returns, running it again when the database aborts its transaction.

    Raises DatabaseBusy when no attempt succeeds.
    """
    start, pause = time.monotonic(), _FIRST_PAUSE
    for attempt in range(1, _MAX_ATTEMPTS + 1):
        try:
            return run()
        except ServerUnavailable as error:
            raise DatabaseBusy from error
        except RetryableError as error:
            if attempt == _MAX_ATTEMPTS or time.monotonic() - start > _RETRY_SECONDS:
                raise DatabaseBusy from error
        # Jitter: transactions that collided must not retry at the same time.
        time.sleep(pause * random.uniform(0.5, 1.5))
        pause *= 2
    raise AssertionError("unreachable")
