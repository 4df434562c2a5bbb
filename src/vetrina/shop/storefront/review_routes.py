"""Approved product reviews for visitors.

Rules: docs/rules/store_products.md, 4.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.users.avatars import build_avatar_url
from vetrina.content.comments.model import Comment
from vetrina.content.records import permalinks
from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.date_format import get_month_name
from vetrina.rest.call import Result
from vetrina.rest.fields import Boolean, Field, Integer, Object, String
from vetrina.rest.paging import build_page_headers, compute_page_offset
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop.products import images as product_images, model as product_model, product_types
from vetrina.shop.products.model import Product
from vetrina.shop.reviews import listing as review_listing, ratings, review_settings
from vetrina.shop.reviews.listing import ReviewQuery
from vetrina.shop.storefront import image_views
from vetrina.shop.storefront.product_arguments import build_context_argument, build_paging_arguments

_SIZES: Final = (24, 48, 96)  # pixels
_DEFAULT_AVATAR: Final = "https://secure.gravatar.com/avatar/?s={size}&d=mm&r=g"
_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the review.", readonly=True),
    "date_created": String("When it was written, in the site's time.", format="date-time", readonly=True),
    "formatted_date_created": String("The same in words.", readonly=True),
    "date_created_gmt": String("When it was written, in GMT.", format="date-time", readonly=True),
    "product_id": Integer("Number of the product.", readonly=True),
    "product_name": String("Name of the product.", readonly=True),
    "product_permalink": String("Address of its page.", format="uri", readonly=True),
    "product_image": Object("Its image.", image_views.IMAGE_FIELDS, readonly=True),
    "reviewer": String("Name of the author.", readonly=True),
    "review": String("The text, as HTML.", readonly=True),
    "rating": Integer("Stars, from 0 to 5.", readonly=True),
    "verified": Boolean("Whether the author bought the product.", readonly=True),
    "reviewer_avatar_urls": Object("Addresses of the author's picture.", additional=True, readonly=True),
}
_SERIALIZER: Final = Serializer(_FIELDS, {})


def build_routes(base: str) -> tuple[Route, ...]:
    """Return the route of reviews; base: path of the namespace."""
    args: dict[str, Field] = {
        "context": build_context_argument(),
        **build_paging_arguments(),
        "offset": Integer("How many to pass over.", null="keep"),
        "order": String("Which way the order runs.", enum=("asc", "desc"), default="desc", null="keep"),
        "orderby": String(
            "Sort by this.", enum=("date", "date_gmt", "id", "rating", "product"), default="date", null="keep"
        ),
        "category_id": String(
            "Only of products of these categories: numbers, parted by commas.", null="keep", parted=True
        ),
        "product_id": String("Only of these products: numbers, parted by commas.", null="keep", parted=True),
    }
    return (
        Route(
            READ, f"{base}/products/reviews", _list_reviews, args, batch=True, schema=_build_review_schema,
            answers="many",
        ),
    )  # fmt: skip


def _build_review_schema() -> dict[str, Any]:
    return _SERIALIZER.schema("product_review")


def _parse_ids(written: str | None) -> tuple[int, ...] | None:
    if not written:
        return None
    return tuple(int(one) for part in written.split(",") if (one := part.strip()).isdecimal() and len(one) < 16)


def _list_reviews(call: Call) -> Result:
    work, args = call.work, call.args
    size = args["per_page"] or 100
    found, total = review_listing.list_reviews(
        work,
        ReviewQuery(
            products=_parse_ids(args.get("product_id")), categories=_parse_ids(args.get("category_id")) or None,
            orderby=args["orderby"], descending=args["order"] == "desc", limit=size,
            start=compute_page_offset(args, size, zero_counts=False),
        ),
    )  # fmt: skip
    known = product_model.load_products_by_id(work, {one.post for one in found})
    pictures = product_images.load_product_images_by_id(work, {id for one in known.values() for id in one.images[:1]})
    headers, links = build_page_headers(call, total, size, args["page"])
    return Result(
        [_serialize_review(work, one, known[one.post], pictures) for one in found], headers=headers, links=links
    )


def _serialize_review(work: UnitOfWork, review: Comment, product: Product, pictures: Any) -> dict[str, Any]:
    date = times.format_iso(review.date)
    year, month, day = date[:10].split("-")
    email = review.author_email
    return {
        "id": review.id,
        "date_created": date,
        "formatted_date_created": f"{get_month_name(int(month))} {int(day)}, {year}",
        "date_created_gmt": times.format_iso(review.date_gmt),
        "product_id": review.post,
        "product_name": product.name,
        "product_permalink": permalinks.build_permalink(work, product_types.PRODUCT, product.record, ()),
        "product_image": image_views.serialize_image(work, product.images[0], pictures) if product.images else None,
        "reviewer": review.author_name,
        "review": work.budget.take_cached_html(review.content_html),
        "rating": ratings.get_review_rating(review) if review_settings.is_rating_enabled(work) else 0,
        "verified": bool(review.meta.get("verified")) and review_settings.is_verified_label_shown(work),
        "reviewer_avatar_urls": {
            str(size): build_avatar_url(email, size) if email else _DEFAULT_AVATAR.format(size=size) for size in _SIZES
        },
    }
