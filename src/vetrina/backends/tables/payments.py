"""The tables of payments: requests to gateways, and events that gateways reported.

Orders and refunds: backends/tables/orders.py.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# One request to a gateway. It outlives its order: money received is never forgotten. `kind`: payment or refund;
# `parent`: of a refund, the attempt that took the money; `key`: the idempotency key sent with every call; `state`:
# waiting, pending, left, paid, failed; `amount`: millionths; `reference`: the gateway's own id; `details`: what the
# call needs, encrypted, empty once it is completed; `cart`: the cart to empty when it is paid; `refund`: the id of the
# resulting refund; `tries`: calls since the last response.
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

# An event reported by a gateway, each once. `attempt`: 0 until it is known what it is about; `payment`: the gateway's
# id of the payment; `state`: its reported state; `amount`: millionths, null if it names none.
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
