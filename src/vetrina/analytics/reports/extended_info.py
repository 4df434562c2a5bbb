"""Extended information on the items of reports: products, variations, coupons.

Rules: docs/rules/analytics_reports.md, 2, 3, 4 and 6; of a removed item only the name stored in orders is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final
from urllib.parse import quote, urlencode

from sqlalchemy import func, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.orders import order_item
from vetrina.backends.tables.records import record
from vetrina.content.records import permalinks
from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import parse_digits
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.coupons import store as coupon_store
from vetrina.shop.coupons.store import Coupon
from vetrina.shop.products import (
    images as product_images,
    model as product_model,
    placeholder,
    prices as product_prices,
    product_types,
)
from vetrina.shop.products.model import Product
from vetrina.shop.settings import rules as settings
from vetrina.shop.variations import rules as variations

_DELETED: Final = "(Deleted)"
_LAST_NAMES = Statement(
    select(order_item.c.product, func.max(order_item.c.name))
    .where(InList(order_item.c.product, "ids"), order_item.c.kind == "line")
    .group_by(order_item.c.product)
)
_VARIATIONS = Statement(
    select(record.c.parent, record.c.id)
    .where(InList(record.c.parent, "ids"), record.c.type == "product_variation")
    .order_by(record.c.id)
)


def load_product_info(work: UnitOfWork, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return the extended information of products by id."""
    work.uses("product", "product_variation", "product_cat", "attachment", "option")
    found = product_model.load_products_by_id(work, ids)
    images = product_images.load_product_images_by_id(work, (one.record.featured_media for one in found.values()))
    groups = term_store.list_terms_by_record(work.tx, list(found))
    below: dict[int, list[int]] = {}
    for above, id in work.tx.all(_VARIATIONS, ids=encode_list(found)):
        below.setdefault(above, []).append(id)
    gone = [id for id in ids if id not in found]
    names: dict[int, str] = dict(work.tx.all(_LAST_NAMES, ids=encode_list(gone))) if gone else {}
    out: dict[int, dict[str, Any]] = {id: {"name": f"{names.get(id, '')} {_DELETED}".strip()} for id in gone}
    for id, one in found.items():
        own: dict[str, Any] = {
            **_build_common_info(work, one, images),
            "manage_stock": one.manage_stock,
            "category_ids": [term.id for term in groups[id] if term.taxonomy == product_types.CATEGORY.name],
        }
        own["stock_quantity"] = own["stock_quantity"] or 0
        if one.kind == product_model.VARIABLE:
            own["variations"] = below.get(id, [])
        out[id] = {**own, "sku": one.sku}
    return out


def load_variation_info(work: UnitOfWork, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return the extended information of variations by id."""
    work.uses("product", "product_variation", "attachment", "option", "product_attribute")
    found = product_model.load_products_by_id(work, ids)
    above = product_model.load_products_by_id(work, {one.parent for one in found.values()})
    images = product_images.load_product_images_by_id(work, (one.record.featured_media for one in found.values()))
    named = variations.find_choice_terms(work, list(found.values()))
    known = {f"pa_{one.slug.removeprefix('pa_')}": one.id for one in attributes.load_attributes(work).values()}
    out: dict[int, dict[str, Any]] = {id: {"name": _DELETED} for id in ids if id not in found}
    for id, one in found.items():
        parent = above.get(one.parent)
        options = []
        # An attribute that the variation leaves open may have any value, and is listed without one.
        open_keys = [kept["key"] for kept in (parent.attributes if parent else ()) if kept.get("variation")]
        for key in dict.fromkeys((*one.choices, *open_keys)):
            value = one.choices.get(key, "")
            term = named.get((key, value))
            name = key.removeprefix("pa_") if key in known else key
            options.append({"id": known.get(key, 0), "name": name, "option": term.name if term else value})
        own = _build_common_info(work, one, images)
        own["permalink"] = (
            permalinks.build_permalink(work, product_types.PRODUCT, parent.record) if parent else own["permalink"]
        )
        chosen = urlencode({f"attribute_{key}": value for key, value in one.choices.items()}, quote_via=quote)
        if parent and chosen:
            own["permalink"] += f"{'&' if '?' in own['permalink'] else '?'}{chosen}"
        out[id] = {**own, "sku": one.sku, "attributes": options}
    return out


def load_coupons(work: UnitOfWork, ids: Iterable[int]) -> dict[int, Coupon]:
    """Return coupons by id; removed ones are missing."""
    return coupon_store.load_coupons_by_id(work, [id for id in ids if id > 0])


def _build_common_info(work: UnitOfWork, one: Product, images: Any) -> dict[str, Any]:
    price = product_prices.parse_price(product_prices.compute_active_price(one, work.now))
    low = one.low_stock_amount
    return {
        "name": one.name,
        "price": 0 if price is None else (int(price) if price == int(price) else float(price)),
        "image": _render_image(work, one, images),
        "permalink": permalinks.build_permalink(
            work, product_types.PRODUCT if not one.parent else product_types.VARIATION, one.record
        ),
        "stock_status": one.stock_status,
        "stock_quantity": one.stock_quantity,
        "low_stock_amount": low if low is not None else get_low_stock_amount(work),
    }


def get_low_stock_amount(work: UnitOfWork) -> int:
    """Return the shop's low stock threshold."""
    written = str(settings.get_shop_option(work, "shop_notify_low_stock_amount"))
    found = parse_digits(written)
    return 2 if found is None else found


def _render_image(work: UnitOfWork, one: Product, images: Any) -> str:
    shown = product_images.serialize_product_image(work, one.record.featured_media, images)
    if shown is None:
        return placeholder.render_placeholder(work)
    return f'<img src="{escape(shown["src"])}" alt="{escape(shown["alt"])}" loading="lazy" />'


def load_product_names(work: UnitOfWork, ids: Sequence[int]) -> dict[int, str]:
    """Return the names of products by id, removed ones with the name stored in orders."""
    found = product_model.load_products_by_id(work, ids)
    gone = [id for id in ids if id not in found]
    kept: dict[int, str] = dict(work.tx.all(_LAST_NAMES, ids=encode_list(gone))) if gone else {}
    return {id: found[id].name if id in found else f"{kept.get(id, '')} {_DELETED}".strip() for id in ids}
