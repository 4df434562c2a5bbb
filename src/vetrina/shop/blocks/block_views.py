"""Every block of a shop that needs no visitor, with the function that renders it; start reading here.

Those that depend on who visits a page are named too: elsewhere they show nothing, and a content that has them is
rendered when it is read (pages/shop).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.shop.blocks import (
    collection_block_views,
    detail_block_views,
    place_block_views,
    product_block_views,
)


def _render_nothing(place: BlockContext) -> str:
    return ""


def _render_inside(place: BlockContext) -> str:
    return place.inner()


_FOR_VISITORS: Final = (
    "active-filters", "add-to-cart-form", "add-to-cart-with-options", "attribute-filter", "catalog-sorting",
    "price-filter", "product-filter-active", "product-filter-attribute", "product-filter-clear-button",
    "product-filter-price", "product-filter-rating", "product-filter-status", "product-filter-taxonomy",
    "product-review-form", "product-search", "rating-filter", "stock-filter", "store-notices",
)  # fmt: skip
# What only shows what is inside.
_CONTAINERS: Final = ("filter-wrapper", "product-filters", "product-filters-overlay")

BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {
    **{f"shop/{name}": _render_nothing for name in _FOR_VISITORS},
    **{f"shop/{name}": _render_inside for name in _CONTAINERS},
    **collection_block_views.BLOCKS,
    **detail_block_views.BLOCKS,
    **place_block_views.BLOCKS,
    **product_block_views.BLOCKS,
}
