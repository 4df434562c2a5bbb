"""Blocks that say one thing of a product: its price, its picture, whether it is on sale, its stars.

Each is about the product whose page it is on, or the current one of a list; elsewhere it shows nothing. Not here: the
longer ones (shop/blocks/detail_block_views.py), forms (pages/shop/catalogue). Rules: docs/rules/catalogue_pages.md, 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.content.blocks.site_blocks import build_alignment_classes
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text.inline_styles import sanitize_style
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url
from vetrina.core.phrases import Phrases
from vetrina.rest.coercion import coerce_integer
from vetrina.shop.blocks.shown_product_views import ShownProduct, find_shown_product, get_block_language
from vetrina.shop.products.model import EXTERNAL
from vetrina.shop.products.placeholder import build_placeholder_url

_PHRASES: Final = Phrases("vetrina.shop.blocks")
_MAX_WORDS: Final = 1000
_PLACEHOLDER_SIZE: Final = 300  # pixels
_LIST_SIZES: Final = "auto, (min-width: 900px) 300px, (min-width: 600px) 45vw, 92vw"
ProductRenderFunction = Callable[[BlockContext, ShownProduct], str]


def require_product(render: ProductRenderFunction) -> BlockRenderFunction:
    """Return a render function that returns nothing where there is no product."""

    def render_of_product(place: BlockContext) -> str:
        shown = find_shown_product(place)
        return render(place, shown) if shown is not None else ""

    return render_of_product


def render_wrapped(place: BlockContext, name: str, html: str, *classes: str, tag: str = "div", own: str = "") -> str:
    """Return the outermost element of a block of the shop. name: of the block, without its namespace."""
    return place.element(tag, html, f"wp-block-shop-{name}", *classes, *build_alignment_classes(place), own=own)


def keep_wrapped(place: BlockContext, name: str, html: str, *classes: str, tag: str = "div") -> str:
    """Return the same for markup that is escaped, which no pass over texts needs to read."""
    html = render_wrapped(place, name, html, *classes, tag=tag)
    return html if place.for_visitor else place.keep(html)


def _render_price(place: BlockContext, shown: ShownProduct) -> str:
    html = shown.render_price(get_block_language(place))
    return keep_wrapped(place, "product-price", html) if html else ""


def _render_sale_badge(place: BlockContext, shown: ShownProduct) -> str:
    return keep_wrapped(place, "product-sale-badge", build_sale_badge(place)) if shown.is_on_sale else ""


def build_sale_badge(place: BlockContext) -> str:
    """Return what a product on sale is marked with."""
    return f'<span class="shop-sale">{_PHRASES.translate(get_block_language(place), "Sale")}</span>'


def _render_image(place: BlockContext, shown: ShownProduct) -> str:
    attributes = place.attributes
    html = render_image(place, shown, sizes=_LIST_SIZES, style=_build_image_style(attributes))
    if attributes.get("showProductLink") is not False:
        html = f'<a href="{escape_url(shown.url)}">{html}</a>'
    inside = place.inner().strip()
    if not inside and attributes.get("showSaleBadge") is not False and shown.is_on_sale:
        inside = build_sale_badge(place)
    return keep_wrapped(place, "product-image", html + inside)


def render_image(place: BlockContext, shown: ShownProduct, *, sizes: str, style: str = "") -> str:
    """Return the main picture of a product, a placeholder where it has none."""
    attribute = f' style="{escape_attribute(style)}"' if style else ""
    image = shown.main_image
    if image is None:
        address = escape_url(build_placeholder_url(place.work, _PLACEHOLDER_SIZE))
        name = escape_attribute(shown.product.name)
        size = f'width="{_PLACEHOLDER_SIZE}" height="{_PLACEHOLDER_SIZE}"'
        return f'<img {size} src="{address}" class="shop-placeholder" alt="{name}" loading="lazy"{attribute} />'
    return render_image_element(image, image["alt"] or shown.product.name, sizes, attribute)


def render_image_element(image: Mapping[str, Any], alt: str, sizes: str, more: str = "") -> str:
    """Return an image of a product. more: further attributes, as HTML with a blank before them."""
    size = f'width="{image["width"]}" height="{image["height"]}" ' if image["width"] and image["height"] else ""
    sources = f' srcset="{escape_attribute(image["srcset"])}" sizes="{sizes}"' if image["srcset"] else ""
    hints = ' loading="lazy" decoding="async"'
    return f'<img {size}src="{escape_url(image["src"])}"{sources} alt="{escape_attribute(alt)}"{hints}{more} />'


def _build_image_style(attributes: Mapping[str, Any]) -> str:
    """Return the style of an image from the attributes of its block."""
    ratio, scale, height = (attributes.get(name) for name in ("aspectRatio", "scale", "height"))
    given = (("aspect-ratio", ratio), ("object-fit", scale if ratio or height else None), ("height", height))
    return _sanitize_declarations(tuple((name, value) for name, value in given if isinstance(value, str)))


@lru_cache(maxsize=64)
def _sanitize_declarations(given: tuple[tuple[str, str], ...]) -> str:
    return sanitize_style(";".join(f"{name}:{value}" for name, value in given if ";" not in value))


def _render_rating(place: BlockContext, shown: ShownProduct) -> str:
    if shown.stars == "0":
        return ""
    language, count = get_block_language(place), shown.review_count
    html = render_stars(language, float(shown.stars))
    known = (
        _PHRASES.translate(language, "1 review")
        if count == 1
        else _PHRASES.translate(language, "{count} reviews", count=count)
    )
    about = place.scene.page is not None and place.scene.page.record == shown.id
    target = "#reviews" if about else f"{shown.url}#reviews"
    return keep_wrapped(place, "product-rating", f'{html} <a href="{escape_url(target)}">{known}</a>')


def render_stars(language: str, stars: float) -> str:
    """Return stars as HTML; stars: from 0 to 5."""
    said = _PHRASES.translate(language, "Rated {stars} out of 5", stars=f"{stars:g}")
    share = round(max(0.0, min(5.0, stars)) * 20)
    return f'<span class="shop-stars" role="img" aria-label="{said}" style="--rated:{share}%"></span>'


def _render_average(place: BlockContext, shown: ShownProduct) -> str:
    return keep_wrapped(place, "product-average-rating", f"{float(shown.stars):g}") if shown.stars != "0" else ""


def _render_sku(place: BlockContext, shown: ShownProduct) -> str:
    sku = shown.product.sku
    if not sku:
        return ""
    prefix = place.attributes.get("prefix")
    label = prefix if isinstance(prefix, str) and prefix else _PHRASES.translate(get_block_language(place), "SKU:")
    html = f'<span>{escape_attribute(label)}</span> <span class="sku">{escape_attribute(sku)}</span>'
    return keep_wrapped(place, "product-sku", html)


def _render_stock(place: BlockContext, shown: ShownProduct) -> str:
    text, state = shown.describe_stock(get_block_language(place))
    return keep_wrapped(place, "product-stock-indicator", escape_attribute(text), state, tag="p") if text else ""


def _render_summary(place: BlockContext, shown: ShownProduct) -> str:
    record, attributes, work = shown.product.record, place.attributes, place.work
    if shown.is_hidden(place):
        return ""
    words = coerce_integer(attributes.get("summaryLength")) or 0
    if words <= 0 and record.excerpt:
        html = place.live.hold(work.budget.take_cached_html(record.excerpt_html), record.excerpt)
    elif record.excerpt or attributes.get("showDescriptionIfEmpty") is True:
        length = min(words, _MAX_WORDS) if words > 0 else 55
        excerpt = text_rendering.render_excerpt(record.excerpt, record.content, length, budget=work.budget)
        html = place.live.hold(excerpt, record.excerpt)
    else:
        return ""
    return render_wrapped(place, "product-summary", html) if html.strip() else ""


def _render_button(place: BlockContext, shown: ShownProduct) -> str:
    """Return the link to a product; a page for a visitor has a form in its place."""
    return keep_wrapped(place, "product-button", render_product_link(place, shown))


def render_product_link(place: BlockContext, shown: ShownProduct) -> str:
    """Return the link that leads on from a product in a list."""
    language, product = get_block_language(place), shown.product
    address = shown.url
    if product.kind == EXTERNAL and product.external_url:
        address, text = product.external_url, product.button_text or _PHRASES.translate(language, "Buy product")
    elif shown.has_options and shown.is_buyable:
        text = _PHRASES.translate(language, "Select options")
    elif shown.has_options:
        text = _PHRASES.translate(language, "View products")
    elif shown.is_buyable and shown.is_in_stock:
        text = _PHRASES.translate(language, "View product")
    else:
        text = _PHRASES.translate(language, "Read more")
    name = f'<span class="screen-reader-text">: {escape_attribute(product.name)}</span>'
    return (
        f'<a class="wp-element-button wp-block-button__link" href="{escape_url(address)}">'
        f"{escape_attribute(text)}{name}</a>"
    )


BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {
    f"shop/{name}": require_product(render)
    for name, render in {
        "product-average-rating": _render_average,
        "product-button": _render_button,
        "product-image": _render_image,
        "product-price": _render_price,
        "product-rating": _render_rating,
        "product-rating-stars": _render_rating,
        "product-sale-badge": _render_sale_badge,
        "product-sku": _render_sku,
        "product-stock-indicator": _render_stock,
        "product-summary": _render_summary,
    }.items()
}
