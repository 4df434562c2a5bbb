"""Blocks of the page of a product: its pictures, what it is filed under, its texts, attributes and reviews.

The form of a review is a block of its own, since it depends on who visits (pages/shop/catalogue/review_form.py). Rules:
docs/rules/catalogue_pages.md, 2 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import unescape
from typing import Final

from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.content.blocks.dynamic_rendering import render_record_content
from vetrina.content.blocks.grammar import Block
from vetrina.content.blocks.query_blocks import render_page_links
from vetrina.content.comments.model import Comment
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url
from vetrina.core.phrases import Phrases
from vetrina.core.shown_dates import format_shown_date
from vetrina.kernel import times
from vetrina.shop.blocks.product_block_views import (
    render_image,
    render_image_element,
    render_stars,
    render_wrapped,
    require_product,
)
from vetrina.shop.blocks.shown_product_views import ShownProduct, get_block_language
from vetrina.shop.products import product_types
from vetrina.shop.products.attributes import serialize_product_attributes
from vetrina.shop.reviews import listing as review_listing, ratings, review_settings, rules as reviews
from vetrina.shop.reviews.listing import ReviewQuery

_PHRASES: Final = Phrases("vetrina.shop.blocks")
REVIEW_FORM: Final = "shop/product-review-form"
_REVIEWS_PER_PAGE: Final = 50  # where the site does not say how many comments a page has
_REVIEWS: Final = "reviews"  # the list whose page an address names as `reviews-page`
_NEAR: Final = 2  # page numbers on both sides of the current one
_MAX_PICTURES: Final = 24
_DESCRIBING: Final = "shop.described_products"  # ids of products whose description is being rendered
_GALLERY_SIZES: Final = "(min-width: 900px) 600px, 92vw"
_THUMBNAIL_SIZES: Final = "120px"


def _render_gallery(place: BlockContext, shown: ShownProduct) -> str:
    """Return the pictures of a product: one large, and links to all of them where there are several."""
    language = get_block_language(place)
    main = render_image(place, shown, sizes=_GALLERY_SIZES)
    main = main.replace(' loading="lazy"', ' fetchpriority="high"', 1)
    images = shown.images[:_MAX_PICTURES]
    if images:
        main = f'<a class="shop-gallery-main" href="{escape_url(images[0]["src"])}">{main}</a>'
    html = f"<figure>{main}</figure>"
    if len(images) > 1:
        items = ""
        for at, image in enumerate(images, 1):
            label = _PHRASES.translate(language, "Picture {number} of {total}", number=at, total=len(images))
            small = {**image, "src": image["thumbnail"]}
            inside = render_image_element(small, image["alt"] or label, _THUMBNAIL_SIZES)
            current = ' aria-current="true"' if at == 1 else ""
            items += f'<li><a href="{escape_url(image["src"])}"{current}>{inside}</a></li>'
        html += f'<ul class="shop-gallery-pictures">{items}</ul>'
    if shown.is_on_sale:
        html += f'<span class="shop-sale">{_PHRASES.translate(language, "Sale")}</span>'
    return render_wrapped(place, "product-image-gallery", html)


# -- what it is filed under


def _render_meta(place: BlockContext, shown: ShownProduct) -> str:
    inner = place.inner().strip()
    if inner:
        return inner
    language, lines = get_block_language(place), []
    if shown.product.sku:
        label = _PHRASES.translate(language, "SKU:")
        lines.append(f'<p>{label} <span class="sku">{escape_attribute(shown.product.sku)}</span></p>')
    addresses = shown.view.addresses
    for taxonomy, label in (
        (product_types.CATEGORY, _PHRASES.translate(language, "Categories:")),
        (product_types.TAG, _PHRASES.translate(language, "Tags:")),
        (product_types.BRAND, _PHRASES.translate(language, "Brands:")),
    ):
        held = [term for term in shown.terms if term.taxonomy == taxonomy.name]
        links = ", ".join(
            f'<a href="{escape_url(addresses[one.id])}" rel="tag">{escape_attribute(unescape(one.name))}</a>'
            for one in held
        )
        if links:
            lines.append(f"<p>{label} {links}</p>")
    return render_wrapped(place, "product-meta", "".join(lines)) if lines else ""


# -- texts, attributes, reviews


def _render_details(place: BlockContext, shown: ShownProduct) -> str:
    """Return the sections that other shops hide behind tabs."""
    language = get_block_language(place)
    sections = [
        ("description", _PHRASES.translate(language, "Description"), _render_description(place, shown)),
        ("attributes", _PHRASES.translate(language, "Additional information"), _render_attributes(place, shown)),
    ]
    html = "".join(
        f'<section class="shop-{name}" aria-labelledby="{name}"><h2 id="{name}">{title}</h2>{inside}</section>'
        for name, title, inside in sections
        if inside
    )
    html += _render_reviews(place, shown)
    return render_wrapped(place, "product-details", html) if html else ""


def _render_description(place: BlockContext, shown: ShownProduct) -> str:
    """Return the content of a product; empty inside itself, and for one with a password that the reader lacks."""
    record, page, work = shown.product.record, place.scene.page, place.work
    if page is not None and page.record == record.id and page.content:
        return page.content
    open: set[int] = work.lookups.setdefault(_DESCRIBING, set())
    if shown.is_hidden(place) or record.id in open:
        return ""
    open.add(record.id)
    try:
        return place.live.nested.hold(render_record_content(work, record, page), record.content)
    finally:
        open.discard(record.id)


def _render_attributes(place: BlockContext, shown: ShownProduct) -> str:
    product, view, language = shown.product, shown.view, get_block_language(place)
    rows = []
    weight, sizes = view.format_weight(product.weight), view.format_dimensions(product, product)
    if product.weight:
        rows.append((_PHRASES.translate(language, "Weight"), escape_attribute(weight)))
    if product.length or product.width or product.height:
        rows.append((_PHRASES.translate(language, "Dimensions"), escape_attribute(sizes)))
    known = view.attributes if any(one["id"] for one in product.attributes) else {}
    for one in serialize_product_attributes(product, shown.terms, known):
        if one["visible"] and one["options"]:
            values = ", ".join(escape_attribute(unescape(option)) for option in one["options"])
            rows.append((escape_attribute(unescape(one["name"])), values))
    cells = "".join(f'<tr><th scope="row">{name}</th><td>{value}</td></tr>' for name, value in rows)
    return f'<table class="shop-attributes-table"><tbody>{cells}</tbody></table>' if cells else ""


def _render_reviews(place: BlockContext, shown: ShownProduct) -> str:
    """Return the reviews of a product with the form of one; empty where it has none and takes none."""
    work, record, language = place.work, shown.product.record, get_block_language(place)
    if not review_settings.is_reviewing_enabled(work) or shown.is_hidden(place):
        return ""
    size = int(work.option("comments_per_page") or 0) if work.option("page_comments") else 0
    size = max(1, min(size or _REVIEWS_PER_PAGE, _REVIEWS_PER_PAGE))
    number = place.scene.page.named_pages.get(_REVIEWS, 1) if place.scene.page is not None else 1
    query = ReviewQuery(products=(shown.id,), limit=size, start=(number - 1) * size)
    found, total = review_listing.list_reviews(work, query)
    form = place.render([Block(REVIEW_FORM, "", void=True)]) if record.comment_status == "open" else ""
    if not total and not form:
        return ""
    title = _PHRASES.translate(language, "Reviews ({total})", total=total)
    html = f'<h2 id="reviews">{title}</h2>'
    if shown.stars != "0":
        stars = render_stars(language, float(shown.stars))
        average = _PHRASES.translate(language, "{stars} out of 5", stars=f"{float(shown.stars):g}")
        html += f'<p>{stars} <span aria-hidden="true">{average}</span></p>'
    if found:
        html += f'<ol class="shop-reviews">{"".join(_render_review(place, one) for one in found)}</ol>'
    else:
        html += f"<p>{_PHRASES.translate(language, 'There are no reviews yet.')}</p>"
    if total > size:
        html += _render_review_pages(shown, language, number, -(-total // size))
    return f'<section class="shop-product-reviews" aria-labelledby="reviews">{html}{form}</section>'


def _render_review_pages(shown: ShownProduct, language: str, number: int, last: int) -> str:
    """Return the links to the pages of a product's reviews; page 1 has the newest."""
    mark = "&" if "?" in shown.url else "?"
    links = render_page_links(
        number, last, _NEAR, lambda page: f"{shown.url}{f'{mark}{_REVIEWS}-page={page}' if page > 1 else ''}#{_REVIEWS}"
    )
    label = escape_attribute(_PHRASES.translate(language, "Pages of reviews"))
    return f'<nav class="shop-review-pages" aria-label="{label}">{links}</nav>'


def _render_review(place: BlockContext, review: Comment) -> str:
    language, work = get_block_language(place), place.work
    stars = ratings.get_review_rating(review) if review_settings.is_rating_enabled(work) else 0
    date = format_shown_date(work, review.date, language)
    verified = ""
    if review.meta.get(reviews.VERIFIED) and review_settings.is_verified_label_shown(work):
        verified = f" <em>({_PHRASES.translate(language, 'verified buyer')})</em>"
    line = (
        f"<strong>{escape_attribute(review.author_name)}</strong>{verified} "
        f'<time datetime="{times.format_iso(review.date_gmt)}Z">{escape_attribute(date)}</time>'
    )
    rated = render_stars(language, stars) if stars else ""
    return f'<li id="review-{review.id}">{rated}<p class="shop-review-line">{line}</p>{place.words_of(review)}</li>'


def _render_reviews_alone(place: BlockContext, shown: ShownProduct) -> str:
    html = _render_reviews(place, shown)
    return render_wrapped(place, "product-reviews", html) if html else ""


BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {
    f"shop/{name}": require_product(render)
    for name, render in {
        "product-details": _render_details,
        "product-image-gallery": _render_gallery,
        "product-gallery": _render_gallery,
        "product-meta": _render_meta,
        "product-reviews": _render_reviews_alone,
    }.items()
}
