"""The tables of payments: what was asked of a gateway, and what gateways reported by themselves.

Not here: orders and refunds, which payments are of (backends/tables/orders.py).
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Table

from vetrina.backends.tables.core import METADATA, NUMBER, TEXT

__all__ = ["METADATA", "payment_attempt", "payment_event"]

# One thing that a gateway was asked for. It outlives its order: money that came is never forgotten. `kind`: payment or
# refund; `parent`: of a refund, the attempt that took the money; `key`: sent along with every call, so that the gateway
# does it once; `state`: waiting, pending, left, paid, failed; `amount`: millionths; `reference`: the gateway's own
# number; `details`: what the call needs, sealed, empty once it is settled; `cart`: the cart that is emptied when it is
# paid; `refund`: the number of the refund that came of it; `tries`: calls since the last answer.
payment_attempt = Table(
    "payment_attempt",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("kind", TEXT, nullable=False),
    Column("order", NUMBER, nullable=False),
    Column("parent", NUMBER, nullable=False),
    Column("gateway", TEXT, nullable=False),
    Column("key", TEXT, nullable=False, unique=True),
    Column("state", TEXT, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("currency", TEXT, nullable=False),
    Column("reference", TEXT, nullable=False),
    Column("message", TEXT, nullable=False),
    Column("redirect_url", TEXT, nullable=False),
    Column("details", TEXT, nullable=False),
    Column("cart", TEXT, nullable=False),
    Column("refund", NUMBER, nullable=False),
    Column("tries", NUMBER, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("modified", BigInteger, nullable=False),
    Index("payment_attempt_by_order", "order", "id"),
    Index("payment_attempt_by_reference", "gateway", "reference"),
)

# What a gateway reported by itself, each event once. `attempt`: 0 where nobody knows yet what it is about; `payment`:
# the gateway's number of that; `state`: what it says of it; `amount`: millionths, null where it names none.
payment_event = Table(
    "payment_event",
    METADATA,
    Column("gateway", TEXT, primary_key=True),
    Column("event", TEXT, primary_key=True),
    Column("attempt", NUMBER, nullable=False),
    Column("payment", TEXT, nullable=False),
    Column("state", TEXT, nullable=False),
    Column("amount", BigInteger),
    Column("currency", TEXT, nullable=False),
    Column("message", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Index("payment_event_by_payment", "gateway", "payment", "attempt"),
)
