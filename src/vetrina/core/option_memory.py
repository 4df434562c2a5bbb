"""The options as this process last read them, so that a read need not wait for them before it asks for the rest.

On a database server the options travel with what is asked next. A read that can be run again begins with those that the
process knows, and holds them against the database's before it ends: where they differ it is run again with these. So
an answer is never made of options that were not those of its snapshot. Where they are kept: core/options.py.
"""

from __future__ import annotations

from vetrina.backends.database import Row, Transaction
from vetrina.backends.transaction_retries import RetryableError
from vetrina.core import options


class OptionMemory:
    """The stored options that a process knows; None before the first read of them."""

    def __init__(self) -> None:
        self.stored: list[Row] | None = None

    def read(self, tx: Transaction) -> list[Row]:
        """Return the stored options as a transaction sees them."""
        stored = options.read_stored_options(tx)
        if not tx.writes and not tx.is_replica:
            self.stored = stored
        return stored

    def confirm(self, tx: Transaction, assumed: list[Row]) -> None:
        """Raise RetryableError where a transaction sees other options than those that it began with."""
        if dict(self.read(tx)) != dict(assumed):
            raise RetryableError("the options have changed")
