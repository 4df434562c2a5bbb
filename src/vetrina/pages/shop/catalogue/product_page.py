"""The page of a product in a theme that has no template for it, and the script of its pictures.

Rules: docs/rules/catalogue_pages.md, 3 and 6.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.blocks.block_context import BlockContext
from vetrina.content.records.model import Record
from vetrina.design.templates.template_hierarchy import find_page_template
from vetrina.pages.page_request import PageRequest
from vetrina.shop.blocks.block_views import BLOCKS as PRODUCT_BLOCKS
from vetrina.shop.products import product_types

_GALLERY: Final = "shop/product-image-gallery"
_PLAIN_BLOCKS: Final = (
    "<!-- wp:shop/product-image-gallery /--><!-- wp:shop/product-rating /--><!-- wp:shop/product-price /-->"
    "<!-- wp:shop/product-summary /--><!-- wp:shop/add-to-cart-form /--><!-- wp:shop/product-meta /-->"
    "<!-- wp:shop/product-details /--><!-- wp:shop/related-products /-->"
)


def replace_content(page: PageRequest, record: Record) -> str | None:
    """Return the blocks of a product for a theme whose templates know none; the product's content is among them."""
    if record.type != product_types.PRODUCT.name or record.password not in ("", "0"):
        return None
    names = (f"single-{record.type}-{record.slug}", f"single-{record.type}", record.template)
    known = find_page_template(page.work, [name for name in names if name])
    return None if known is not None else _PLAIN_BLOCKS


def _render_gallery(page: PageRequest, place: BlockContext) -> str:
    page.state.scripts["product"] = None
    return PRODUCT_BLOCKS[_GALLERY](place)


BLOCKS: Final = {_GALLERY: _render_gallery, "shop/product-gallery": _render_gallery}
