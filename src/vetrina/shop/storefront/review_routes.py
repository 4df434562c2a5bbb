"""Reviews of products that were approved, for visitors. Rules: the root of the namespace; OVERRIDES 12."""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.users.avatars import avatar
from vetrina.content.comments.model import Comment
from vetrina.content.records import permalinks
from vetrina.core.unit_of_work import Work
from vetrina.kernel import times
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Boolean, Field, Integer, Object, String
from vetrina.rest.paging import page_headers, start_of
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Shape
from vetrina.shop.products import images as product_images
from vetrina.shop.products import model as product_model
from vetrina.shop.products import product_types
from vetrina.shop.products.model import Product
from vetrina.shop.reviews import listing as review_listing
from vetrina.shop.reviews import permission_rules
from vetrina.shop.reviews import rules as reviews
from vetrina.shop.reviews.listing import ReviewQuery
from vetrina.shop.storefront import image_views
from vetrina.shop.storefront.product_arguments import context, paging

__all__ = ["routes"]

_SIZES: Final = (24, 48, 96)  # pixels
_NO_PICTURE: Final = "https://secure.gravatar.com/avatar/?s={size}&d=mm&r=g"
_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the review.", readonly=True),
    "date_created": String("When it was written, in the site's time.", format="date-time", readonly=True),
    "formatted_date_created": String("The same in words.", readonly=True),
    "date_created_gmt": String("When it was written, in GMT.", format="date-time", readonly=True),
    "product_id": Integer("Number of the product.", readonly=True),
    "product_name": String("Name of the product.", readonly=True),
    "product_permalink": String("Address of its page.", format="uri", readonly=True),
    "product_image": Object("Its image.", image_views.FIELDS, readonly=True),
    "reviewer": String("Name of the author.", readonly=True),
    "review": String("The text, as HTML.", readonly=True),
    "rating": Integer("Stars, from 0 to 5.", readonly=True),
    "verified": Boolean("Whether the author bought the product.", readonly=True),
    "reviewer_avatar_urls": Object("Addresses of the author's picture.", additional=True, readonly=True),
}
_SHAPE: Final = Shape(_FIELDS, {})


def routes(base: str) -> tuple[Route, ...]:
    """Return the route of reviews; base: the address of the namespace."""
    args: dict[str, Field] = {
        "context": context(),
        **paging(),
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
    return (Route(READ, f"{base}/products/reviews", _listed, args, batch=True, schema=_schema, answers="many"),)


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("product_review")


def _numbers(written: str | None) -> tuple[int, ...] | None:
    if not written:
        return None
    return tuple(int(one) for part in written.split(",") if (one := part.strip()).isdecimal() and len(one) < 16)


def _listed(call: Call) -> Result:
    work, args = call.work, call.args
    size = args["per_page"] or 100
    found, total = review_listing.listed_page(
        work,
        ReviewQuery(
            products=_numbers(args.get("product_id")), categories=_numbers(args.get("category_id")) or None,
            orderby=args["orderby"], descending=args["order"] == "desc", limit=size,
            start=start_of(args, size, zero_counts=False),
        ),
    )  # fmt: skip
    known = product_model.by_ids(work, {one.post for one in found})
    pictures = product_images.by_ids(work, {id for one in known.values() for id in one.images[:1]})
    headers, links = page_headers(call, total, size, args["page"])
    return Result([_shown(work, one, known[one.post], pictures) for one in found], headers=headers, links=links)


def _shown(work: Work, one: Comment, of: Product, pictures: Any) -> dict[str, Any]:
    date = times.iso(one.date)
    year, month, day = date[:10].split("-")
    email = one.author_email
    return {
        "id": one.id,
        "date_created": date,
        "formatted_date_created": f"{_MONTHS[int(month) - 1]} {int(day)}, {year}",
        "date_created_gmt": times.iso(one.date_gmt),
        "product_id": one.post,
        "product_name": of.name,
        "product_permalink": permalinks.link(work, product_types.PRODUCT, of.record, ()),
        "product_image": image_views.shown(work, of.images[0], pictures) if of.images else None,
        "reviewer": one.author_name,
        "review": work.budget.answer(one.content_html),
        "rating": reviews.rating(one) if permission_rules.rates(work) else 0,
        "verified": bool(one.meta.get("verified")) and permission_rules.shows_buyers(work),
        "reviewer_avatar_urls": {
            str(size): avatar(email, size) if email else _NO_PICTURE.format(size=size) for size in _SIZES
        },
    }
