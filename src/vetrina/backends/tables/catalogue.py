"""The tables of the catalogue: product data beside the record, links between products, attributes, extra fields.

A product and a variation are records (backends/tables/records.py), so that slugs, statuses, terms, search and the
change log are those of content. Amounts are millionths of the currency's unit (kernel/money.py); prices are also stored
as they were written, because the interface returns them unchanged.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Table, UniqueConstraint

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT, build_partial_index

# `kind`: simple, variable, grouped, external, variation. `price`: the current one, computed at every write and when a
# sale begins or ends; `price_from`, `price_to`: its range, `regular_from`, `regular_to`: that of the regular prices.
# `rating`: hundredths of stars. `downloads`, `gallery`, `attributes`, `default_attributes`, `choices`: JSON.
# `stock_quantity`: NULL if stock is not counted. `choices`: of a variation, by the key of the attribute.
product = Table(
    "product",
    METADATA,
    Column("record", NUMBER, ForeignKey("record.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("kind", TEXT, nullable=False),
    Column("sku", TEXT, nullable=False),
    Column("sku_key", TEXT, nullable=False),
    Column("global_unique_id", TEXT, nullable=False),
    Column("visibility", TEXT, nullable=False),
    Column("featured", Boolean, nullable=False),
    Column("regular_price", TEXT, nullable=False),
    Column("sale_price", TEXT, nullable=False),
    Column("sale_from", BigInteger),
    Column("sale_to", BigInteger),
    Column("price", TEXT, nullable=False),
    Column("price_from", BigInteger),
    Column("price_to", BigInteger),
    Column("regular_from", BigInteger),
    Column("regular_to", BigInteger),
    Column("on_sale", Boolean, nullable=False),
    Column("total_sales", NUMBER, nullable=False),
    Column("tax_status", TEXT, nullable=False),
    Column("tax_class", TEXT, nullable=False),
    Column("manage_stock", Boolean, nullable=False),
    Column("stock_quantity", NUMBER),
    Column("stock_status", TEXT, nullable=False),
    Column("backorders", TEXT, nullable=False),
    Column("low_stock_amount", NUMBER),
    Column("sold_individually", Boolean, nullable=False),
    Column("weight", TEXT, nullable=False),
    Column("length", TEXT, nullable=False),
    Column("width", TEXT, nullable=False),
    Column("height", TEXT, nullable=False),
    Column("virtual", Boolean, nullable=False),
    Column("downloadable", Boolean, nullable=False),
    Column("downloads", TEXT, nullable=False),
    Column("download_limit", NUMBER, nullable=False),
    Column("download_expiry", NUMBER, nullable=False),
    Column("external_url", TEXT, nullable=False),
    Column("button_text", TEXT, nullable=False),
    Column("purchase_note", TEXT, nullable=False),
    Column("rating", NUMBER, nullable=False),
    Column("rating_count", NUMBER, nullable=False),
    Column("gallery", TEXT, nullable=False),
    Column("attributes", TEXT, nullable=False),
    Column("default_attributes", TEXT, nullable=False),
    Column("choices", TEXT, nullable=False),
    Index("product_by_sku", "sku_key"),
    Index("product_by_price", "price_from", "record"),
    Index("product_by_highest_price", "price_to", "record"),
    Index("product_by_sales", "total_sales", "record"),
    Index("product_by_rating", "rating", "rating_count", "record"),
    Index("product_by_stock", "stock_status", "record"),
    build_partial_index("product_by_global_id", "global_unique_id", where="global_unique_id != ''"),
    build_partial_index("product_on_sale", "record", where="on_sale", in_sqlite="on_sale = 1"),
    build_partial_index("product_featured", "record", where="featured", in_sqlite="featured = 1"),
)

# What a piece costs the shop itself. `value`: NULL if unknown; `is_additive`: on top of the cost of the variation's
# product.
product_cost = Table(
    "product_cost",
    METADATA,
    Column("record", NUMBER, ForeignKey("record.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("value", BigInteger),
    Column("is_additive", Boolean, nullable=False),
)

# Products that a product names, in its own order. `kind`: upsell, cross_sell, grouped.
product_link = Table(
    "product_link",
    METADATA,
    Column("record", NUMBER, ForeignKey("record.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", TEXT, primary_key=True),
    Column("other", NUMBER, primary_key=True, autoincrement=False),
    Column("position", NUMBER, nullable=False),
    Index("product_link_by_other", "kind", "other"),
)

# Attributes shared by products; the terms of one are those of the taxonomy `pa_` and its slug.
product_attribute = Table(
    "product_attribute",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("name", TEXT, nullable=False),
    Column("slug", TEXT, nullable=False),
    Column("type", TEXT, nullable=False),
    Column("order_by", TEXT, nullable=False),
    Column("has_archives", Boolean, nullable=False),
    UniqueConstraint("slug", name="product_attribute_slug"),
)

# Extra fields of shop objects, each with an id of its own. `kind`: product, order, order_item, coupon, customer;
# `owner`: its id; `value`: JSON.
shop_meta = Table(
    "shop_meta",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("kind", TEXT, nullable=False),
    Column("owner", NUMBER, nullable=False),
    Column("name", TEXT, nullable=False),
    Column("value", TEXT, nullable=False),
    Index("shop_meta_by_owner", "kind", "owner", "id"),
    Index("shop_meta_by_name", "kind", "name"),
)
