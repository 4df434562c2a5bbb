"""The catalogue of a shop: lists of products, and the page of one."""

from __future__ import annotations

from typing import Final

from vetrina.core.phrases import Phrases
from vetrina.pages.page_features import PageFeatures
from vetrina.pages.shop.catalogue import (
    add_to_cart_forms,
    filter_blocks,
    listings,
    product_data,
    product_page,
    review_form,
)
from vetrina.pages.shop.catalogue.shortcodes import SHORTCODES
from vetrina.shop.products import product_types

FEATURES: Final = PageFeatures(
    forms=review_form.FORMS,
    blocks={**add_to_cart_forms.BLOCKS, **filter_blocks.BLOCKS, **product_page.BLOCKS, **review_form.BLOCKS},
    notices={
        "review-held": "Thank you. Your review is shown once it has been checked.",
        "review-shown": "Thank you for your review.",
    },
    phrases=Phrases(__name__),
    find_listing=listings.find_listing,
    list_in_place=listings.list_in_place,
    replace_content=product_page.replace_content,
    describe_record=product_data.describe_record,
    shortcodes=SHORTCODES,
    guarded_types=frozenset({product_types.PRODUCT.name}),
)
