"""What reports say of the things that they list when more is asked for: products, variations, coupons.

Rules: facts, "The reports", `extended_info`; of what was removed nothing is left but the name that orders keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final
from urllib.parse import quote, urlencode

from sqlalchemy import func, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import record
from vetrina.backends.tables.orders import order_item
from vetrina.content.records import permalinks
from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import Work
from vetrina.kernel.integers import whole
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.coupons import store as coupon_store
from vetrina.shop.coupons.store import Coupon
from vetrina.shop.products import (
    images as product_images,
)
from vetrina.shop.products import (
    model as product_model,
)
from vetrina.shop.products import (
    placeholder,
    product_types,
)
from vetrina.shop.products import (
    prices as product_prices,
)
from vetrina.shop.products.model import Product
from vetrina.shop.settings import rules as settings
from vetrina.shop.variations import rules as variations

__all__ = ["coupons_of", "low_mark", "names_of", "products_of", "variations_of"]

_DELETED: Final = "(Deleted)"
_LAST_NAMES = Statement(
    select(order_item.c.product, func.max(order_item.c.name))
    .where(Among(order_item.c.product, "ids"), order_item.c.kind == "line")
    .group_by(order_item.c.product)
)
_VARIATIONS = Statement(
    select(record.c.parent, record.c.id)
    .where(Among(record.c.parent, "ids"), record.c.type == "product_variation")
    .order_by(record.c.id)
)


def products_of(work: Work, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return what is said of products by their numbers."""
    work.uses("product", "product_variation", "product_cat", "attachment", "option")
    found = product_model.by_ids(work, ids)
    images = product_images.by_ids(work, (one.record.featured_media for one in found.values()))
    groups = term_store.of_records(work.tx, list(found))
    below: dict[int, list[int]] = {}
    for above, id in work.tx.all(_VARIATIONS, ids=listed(found)):
        below.setdefault(above, []).append(id)
    gone = [id for id in ids if id not in found]
    names: dict[int, str] = dict(work.tx.all(_LAST_NAMES, ids=listed(gone))) if gone else {}
    out: dict[int, dict[str, Any]] = {id: {"name": f"{names.get(id, '')} {_DELETED}".strip()} for id in gone}
    for id, one in found.items():
        own: dict[str, Any] = {
            **_common(work, one, images),
            "manage_stock": one.manage_stock,
            "category_ids": [term.id for term in groups[id] if term.taxonomy == product_types.CATEGORY.name],
        }
        own["stock_quantity"] = own["stock_quantity"] or 0
        if one.kind == product_model.VARIABLE:
            own["variations"] = below.get(id, [])
        out[id] = {**own, "sku": one.sku}
    return out


def variations_of(work: Work, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return what is said of variations by their numbers."""
    work.uses("product", "product_variation", "attachment", "option", "product_attribute")
    found = product_model.by_ids(work, ids)
    above = product_model.by_ids(work, {one.parent for one in found.values()})
    images = product_images.by_ids(work, (one.record.featured_media for one in found.values()))
    named = variations.named_terms(work, list(found.values()))
    known = {f"pa_{one.slug.removeprefix('pa_')}": one.id for one in attributes.known(work).values()}
    out: dict[int, dict[str, Any]] = {id: {"name": _DELETED} for id in ids if id not in found}
    for id, one in found.items():
        parent = above.get(one.parent)
        options = []
        # One that the variation does not choose may be any, and is there without a value.
        open_keys = [kept["key"] for kept in (parent.attributes if parent else ()) if kept.get("variation")]
        for key in dict.fromkeys((*one.choices, *open_keys)):
            value = one.choices.get(key, "")
            term = named.get((key, value))
            name = key.removeprefix("pa_") if key in known else key
            options.append({"id": known.get(key, 0), "name": name, "option": term.name if term else value})
        own = _common(work, one, images)
        own["permalink"] = permalinks.link(work, product_types.PRODUCT, parent.record) if parent else own["permalink"]
        chosen = urlencode({f"attribute_{key}": value for key, value in one.choices.items()}, quote_via=quote)
        if parent and chosen:
            own["permalink"] += f"{'&' if '?' in own['permalink'] else '?'}{chosen}"
        out[id] = {**own, "sku": one.sku, "attributes": options}
    return out


def coupons_of(work: Work, ids: Iterable[int]) -> dict[int, Coupon]:
    """Return coupons by their numbers; those that were removed are missing."""
    return coupon_store.by_ids(work, [id for id in ids if id > 0])


def _common(work: Work, one: Product, images: Any) -> dict[str, Any]:
    price = product_prices.amount(product_prices.active(one, work.now))
    low = one.low_stock_amount
    return {
        "name": one.name,
        "price": 0 if price is None else (int(price) if price == int(price) else float(price)),
        "image": _markup(work, one, images),
        "permalink": permalinks.link(
            work, product_types.PRODUCT if not one.parent else product_types.VARIATION, one.record
        ),
        "stock_status": one.stock_status,
        "stock_quantity": one.stock_quantity,
        "low_stock_amount": low if low is not None else low_mark(work),
    }


def low_mark(work: Work) -> int:
    """Return how few pieces the shop calls few."""
    written = str(settings.shop_option(work, "shop_notify_low_stock_amount"))
    found = whole(written)
    return 2 if found is None else found


def _markup(work: Work, one: Product, images: Any) -> str:
    shown = product_images.shown(work, one.record.featured_media, images)
    if shown is None:
        return placeholder.markup(work)
    return f'<img src="{escape(shown["src"])}" alt="{escape(shown["alt"])}" loading="lazy" />'


def names_of(work: Work, ids: Sequence[int]) -> dict[int, str]:
    """Return the names of products by their numbers, those that were removed with the name that orders keep."""
    found = product_model.by_ids(work, ids)
    gone = [id for id in ids if id not in found]
    kept: dict[int, str] = dict(work.tx.all(_LAST_NAMES, ids=listed(gone))) if gone else {}
    return {id: found[id].name if id in found else f"{kept.get(id, '')} {_DELETED}".strip() for id in ids}
