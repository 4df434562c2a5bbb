"""Integrity rules of products, their variations, prices and stock, and of what belongs to them."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import and_, delete, exists, func, or_, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.catalogue import product, product_link, shop_meta
from vetrina.backends.tables.orders import coupon, order_item, shop_order, shop_refund
from vetrina.backends.tables.records import record
from vetrina.backends.tables.taxes_shipping import shipping_method, shipping_zone, tax_class, tax_rate
from vetrina.core.integrity.rule import IntegrityRule, build_select_rule
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.products.product_types import PRODUCT, VARIATION
from vetrina.shop.system import recompute

_above = record.alias("above")
_twin, _twin_record = product.alias("twin"), record.alias("twin_record")

# The owners of meta data, by kind.
_OWNED = {
    "product": record.c.id, "order": shop_order.c.id, "order_item": order_item.c.id, "coupon": coupon.c.id,
    "customer": account.c.id, "refund": shop_refund.c.id,
}  # fmt: skip
_OWNERLESS = or_(
    *(and_(shop_meta.c.kind == kind, ~exists().where(id == shop_meta.c.owner)) for kind, id in _OWNED.items())
)
_REMOVE_OWNERLESS = Statement(delete(shop_meta).where(_OWNERLESS))
_REMOVE_LINKS = Statement(delete(product_link).where(~exists().where(product.c.record == product_link.c.other)))


def _iterate_unsettled_products(work: UnitOfWork) -> Iterator[str]:
    return (f"product {id}: {what}" for id, what in recompute.iterate_inconsistent_products(work))


RULES: tuple[IntegrityRule, ...] = (
    build_select_rule(
        "products", "A product says what it is and costs.",
        select(record.c.type, record.c.id).where(
            or_(record.c.type == PRODUCT.name, record.c.type == VARIATION.name),
            ~exists().where(product.c.record == record.c.id),
        ),
        "{0} {1} has no row among the products", "Remove the record, or put a backup back.",
    ),
    build_select_rule(
        "variations", "A variation belongs to a product.",
        select(record.c.id).where(
            record.c.type == VARIATION.name,
            ~exists().where(_above.c.id == record.c.parent, _above.c.type == PRODUCT.name),
        ),
        "variation {0} has no product", "Remove the variation.",
    ),
    build_select_rule(
        "article-numbers", "An article number is one product's.",
        select(product.c.sku_key, func.count(), func.min(product.c.record), func.max(product.c.record))
        .join(record, record.c.id == product.c.record)
        .where(product.c.sku_key != "", record.c.status != "trash")
        .group_by(product.c.sku_key)
        .having(func.count() > 1),
        "{0!r} is the number of {1} products, among them {2} and {3}", "Give all but one of them another number.",
    ),
    IntegrityRule(
        "prices-and-stock", "Prices in force and states of stock follow from what was entered.",
        _iterate_unsettled_products, "`--repair` computes them again.", recompute.recompute_products, quick=False,
    ),
    build_select_rule(
        "product-links", "Products name products that are there.",
        select(product_link.c.record, product_link.c.kind, product_link.c.other).where(
            ~exists().where(product.c.record == product_link.c.other)
        ),
        "product {0} names product {2} ({1})", "`--repair` takes them off.", lambda work: work.tx.run(_REMOVE_LINKS),
    ),
    build_select_rule(
        "extra-fields", "Extra fields of the shop belong to something.",
        select(shop_meta.c.id, shop_meta.c.kind, shop_meta.c.owner).where(_OWNERLESS), "extra field {0} is of {1} {2}",
        "`--repair` removes them.", lambda work: work.tx.run(_REMOVE_OWNERLESS),
    ),
    build_select_rule(
        "tax-classes", "Rates of taxes are of classes that are there.",
        select(tax_rate.c.id, tax_rate.c.tax_class).where(
            tax_rate.c.tax_class != "", ~exists().where(tax_class.c.slug == tax_rate.c.tax_class)
        ),
        "rate {0} is of the class {1}", "Remove the rate, or make the class.",
    ),
    build_select_rule(
        "shipping-methods", "Ways of shipping are of zones that are there.",
        select(shipping_method.c.id, shipping_method.c.zone).where(
            shipping_method.c.zone != 0, ~exists().where(shipping_zone.c.id == shipping_method.c.zone)
        ),
        "way {0} is of zone {1}", "Remove the way of shipping.",
    ),
)  # fmt: skip
