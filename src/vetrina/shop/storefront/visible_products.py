"""Which products visitors may see: unpublished ones and those with a password do not exist for them.

Not here: the same of lists (shop/products/filters.py). Rules: docs/rules/store_products.md, 3 and 4.
"""

from __future__ import annotations

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import Product


class StoreProductNotFound(ApiError):
    """The product does not exist, or visitors may not see it."""

    failure, code = Failure.NOT_FOUND, "shop_rest_product_invalid_id"
    message = "There is no product with the number {id}."


class ProductSlugNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_product_invalid_slug"
    message = "There is no product with the slug {slug!r}."


def require_visible_product(work: UnitOfWork, product: Product | None, unknown: ApiError) -> Product:
    """Return a product that visitors may see: published, with a published parent, and without a password."""
    if product is None or product.record.status != "publish" or product.record.password:
        raise unknown
    if product.is_variation:
        require_visible_product(work, product_model.find_product(work, product.parent), unknown)
    return product
