"""The tables of taxes and shipping: tax classes and rates, shipping zones and methods; also API keys of the shop."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# The standard class has no row: its slug is empty wherever a class is named.
tax_class = Table(
    "tax_class",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("slug", TEXT, nullable=False, unique=True),
    Column("name", TEXT, nullable=False),
)

# `rate`: as it is displayed, with four decimals, empty if none was given; `postcodes`, `cities`: JSON lists.
tax_rate = Table(
    "tax_rate",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("country", TEXT, nullable=False),
    Column("state", TEXT, nullable=False),
    Column("postcodes", TEXT, nullable=False),
    Column("cities", TEXT, nullable=False),
    Column("rate", TEXT, nullable=False),
    Column("name", TEXT, nullable=False),
    Column("priority", NUMBER, nullable=False),
    Column("compound", Boolean, nullable=False),
    Column("shipping", Boolean, nullable=False),
    Column("position", NUMBER, nullable=False),
    Column("tax_class", TEXT, nullable=False),
    Index("tax_rate_by_country", "country", "tax_class"),
    Index("tax_rate_by_position", "position", "id"),
)

# Zone 0, the rest of the world, has no row. `position`: the first zone that matches an address is taken.
shipping_zone = Table(
    "shipping_zone",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("name", TEXT, nullable=False),
    Column("position", NUMBER, nullable=False),
)

# `kind`: continent, country, state, postcode.
shipping_place = Table(
    "shipping_place",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("zone", NUMBER, ForeignKey("shipping_zone.id", ondelete="CASCADE"), nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("code", TEXT, nullable=False),
    Index("shipping_place_by_zone", "zone", "id"),
)

# A shipping method of a zone (0 too). `kind`: flat_rate, free_shipping, local_pickup …; `settings`: JSON.
shipping_method = Table(
    "shipping_method",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("zone", NUMBER, nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("position", NUMBER, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("settings", TEXT, nullable=False),
    Index("shipping_method_by_zone", "zone", "position", "id"),
)

# API keys by which programs act as an account in the shop. `permissions`: read, write, read_write; `digest`: of the
# consumer key; `tail`: its last letters, for people; `secret`: encrypted, because signatures are made with it.
shop_key = Table(
    "shop_key",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
    Column("description", TEXT, nullable=False),
    Column("permissions", TEXT, nullable=False),
    Column("digest", TEXT, nullable=False, unique=True),
    Column("tail", TEXT, nullable=False),
    Column("secret", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("last_used", BigInteger),
    Index("shop_key_by_account", "account"),
)

# Signed requests already seen, so that none is accepted twice; expired ones are removed.
shop_nonce = Table(
    "shop_nonce",
    METADATA,
    Column("key", NUMBER, ForeignKey("shop_key.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("nonce", TEXT, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index("shop_nonce_by_time", "at"),
)
