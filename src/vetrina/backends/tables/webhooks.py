"""The tables of webhooks: subscriptions to events, and deliveries.

Deliveries are run by jobs (backends/tables/jobs.py).
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# A subscription. `account`: whose view of records is sent; `status`: active, paused, disabled; `secret`: encrypted,
# because signatures are made with it; `root`: the API root as the client wrote it, which decides the naming;
# `failures`: consecutive deliveries given up; `reason`: why these disabled it; `family`: whose routes have it, `shop`
# or `site` (content). Several topics have spaces between them.
webhook = Table(
    "webhook",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("account", NUMBER, nullable=False),
    Column("name", TEXT, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("topic", TEXT, nullable=False),
    Column("delivery_url", TEXT, nullable=False),
    Column("secret", TEXT, nullable=False),
    Column("root", TEXT, nullable=False),
    Column("failures", NUMBER, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("modified", BigInteger),
    Column("family", TEXT, nullable=False, server_default="shop"),
    Column("reason", TEXT, nullable=False, server_default=""),
    Index("webhook_by_topic", "status", "topic"),
)

# One delivery and its log. `kind`: its media type; `body`: as it was when the event happened; `state`: waiting,
# delivered, failed; `answer`: the receiver's status, 0 for none; `error`: why it is not delivered; `reply`: the
# start of what the receiver answered.
webhook_delivery = Table(
    "webhook_delivery",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("webhook", NUMBER, ForeignKey("webhook.id", ondelete="CASCADE"), nullable=False),
    Column("uid", TEXT, nullable=False),
    Column("topic", TEXT, nullable=False),
    Column("space", TEXT, nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("body", TEXT, nullable=False),
    Column("state", TEXT, nullable=False),
    Column("attempts", NUMBER, nullable=False),
    Column("answer", NUMBER, nullable=False),
    Column("error", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("finished", BigInteger),
    Column("reply", TEXT, nullable=False, server_default=""),
    Index("webhook_delivery_by_webhook", "webhook", "id"),
    Index("webhook_delivery_by_end", "finished"),
)
