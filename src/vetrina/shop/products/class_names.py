"""The class names by which style sheets tell products apart, beside those of every record.

Rules: the class names that themes of existing shops style: stock, sale, kind and what is asked of a buyer.
"""

from __future__ import annotations

from vetrina.core.unit_of_work import Work
from vetrina.shop.products import prices as product_prices
from vetrina.shop.products.model import Product
from vetrina.shop.settings import rules as settings

__all__ = ["class_names"]


def class_names(work: Work, one: Product) -> list[str]:
    """Return what a product's container is called beside the names of its record."""
    taxes = settings.is_on(work, "shop_calc_taxes")
    told = {
        one.stock_status: True,
        "sale": product_prices.is_on_sale(one, work.now),
        "featured": one.featured,
        "downloadable": one.downloadable,
        "virtual": one.virtual,
        "sold-individually": one.sold_individually,
        "taxable": taxes and one.tax_status == "taxable",
        "shipping-taxable": not one.virtual and one.tax_status in ("taxable", "shipping"),
        "purchasable": product_prices.is_for_sale(one, work.now),
        f"product-type-{one.kind}": True,
        "has-default-attributes": bool(one.default_attributes),
    }
    return [name for name, holds in told.items() if holds]
