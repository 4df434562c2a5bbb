"""The CSS class names of products, beside those of every record.

They are those that themes of existing shops style: stock, sale, kind and what is required of a buyer.
"""

from __future__ import annotations

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.products import prices as product_prices
from vetrina.shop.products.model import Product
from vetrina.shop.settings import rules as settings


def list_product_class_names(work: UnitOfWork, one: Product) -> list[str]:
    """Return the class names of a product's container, beside those of its record."""
    taxes = settings.is_setting_on(work, "shop_calc_taxes")
    flags = {
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
    return [name for name, holds in flags.items() if holds]
