"""Which errors of PostgreSQL end a connection, and after which ones a request may be carried out again."""

from __future__ import annotations

from typing import Final

import psycopg

from .transaction_retries import RetryableError, ServerUnavailable

_SHUTDOWN_SQLSTATES: Final = frozenset({"57P01", "57P02", "57P03", "57P05"})  # also of one connection alone
# Serialisation failure, deadlock, lock not available, too many connections.
_RETRYABLE_SQLSTATES: Final = _SHUTDOWN_SQLSTATES | {"40001", "40P01", "55P03", "53300"}


def is_loss(error: psycopg.Error, is_closed: bool) -> bool:
    """Return whether an error means that the connection is lost. is_closed: whether libpq says so.

    It may report that the server is gone and still take the connection for a good one.
    """
    return is_closed or error.sqlstate in _SHUTDOWN_SQLSTATES


def translate_error(error: BaseException, is_closed: bool) -> RetryableError | None:
    """Return what to raise instead of an error after which a retry may help, None for any other."""
    if isinstance(error, psycopg.errors.DiskFull) and not is_closed:
        return ServerUnavailable(str(error))
    if isinstance(error, psycopg.Error) and (is_closed or error.sqlstate in _RETRYABLE_SQLSTATES):
        return RetryableError(str(error))
    return None
