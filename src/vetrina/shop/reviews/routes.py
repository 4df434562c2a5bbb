"""Routes of product reviews.

Not here: the rules (shop/reviews/rules.py), who may read and write them (shop/reviews/permissions.py), the older routes
below a product (shop/versions/review_routes.py). Rules: docs/rules/product_groups.md, 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vetrina.access.users.avatars import build_avatar_url
from vetrina.content.comments import listing as comment_listing
from vetrina.content.comments.filters import CommentQuery
from vetrina.content.comments.model import Comment
from vetrina.content.comments.schema import compute_comment_state
from vetrina.content.records import permalinks
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel import times
from vetrina.rest.fields import ABSENT, EDIT, VIEW, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.preconditions import WriteGuard
from vetrina.rest.resource import Links, ListPage, Operation, build_write_arguments
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer, build_link, read_attributes
from vetrina.shop import list_arguments
from vetrina.shop.permissions import require_create_permission
from vetrina.shop.products import model as product_model, product_types
from vetrina.shop.products.model import Product, ProductNotFound
from vetrina.shop.resource import ShopResource
from vetrina.shop.reviews import ratings, rules as reviews
from vetrina.shop.reviews.permissions import (
    get_requested_review,
    require_review_delete_permission,
    require_review_edit_permission,
    require_review_list_permission,
    require_review_view_permission,
)
from vetrina.shop.reviews.rules import (
    DuplicateReview,
    ProductNotBought,
    ReviewContentInvalid,
    ReviewNotFound,
    ReviewRatingMissing,
    ReviewsClosed,
)
from vetrina.shop.rights import (
    may_manage_shop,
)

PATH: Final = "/shop/v3/products/reviews"
_BOTH: Final = (VIEW, EDIT)
_SIZES: Final = (24, 48, 96)  # pixels
_DEFAULT_AVATAR: Final = "https://secure.gravatar.com/avatar/?s={size}&d=mm&r=g"

_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the review.", context=_BOTH, readonly=True),
    "date_created": String("When it was written, in the site's time.", format="date-time", context=_BOTH,
                           readonly=True),
    "date_created_gmt": String("When it was written, in GMT.", format="date-time", context=_BOTH, readonly=True),
    "product_id": Integer("Number of the product.", context=_BOTH),
    "product_name": String("Name of the product.", context=_BOTH),
    "product_permalink": String("Address of the product's page.", format="uri", context=_BOTH, readonly=True),
    "status": String("Status of the review.", enum=reviews.STATUSES, default="approved", context=_BOTH),
    "reviewer": String("Name of its author.", context=_BOTH),
    "reviewer_email": String("E-mail address of its author.", format="email", context=_BOTH),
    "review": String("The text.", context=_BOTH),
    "rating": Integer("Stars, from 0 to 5.", context=_BOTH),
    "verified": Boolean("Whether its author bought the product.", context=_BOTH, readonly=True),
    "reviewer_avatar_urls": Object(
        "Addresses of its author's picture.",
        {str(size): String(f"Picture of {size} pixels.", format="uri") for size in _SIZES},
        context=_BOTH,
        readonly=True,
    ),
}  # fmt: skip


class _ReviewView:
    """The data beyond the rows that serializing reviews needs."""

    def __init__(self, call: Call, found: Sequence[Comment]) -> None:
        self.work, self.context = call.work, call.args.get("context") or EDIT
        self._products: dict[int, Product] = product_model.load_products_by_id(self.work, (one.post for one in found))

    def get_product_name(self, one: Comment) -> str:
        of = self._products.get(one.post)
        return of.name if of else ""

    def get_product_url(self, one: Comment) -> str:
        of = self._products.get(one.post)
        return permalinks.build_permalink(self.work, product_types.PRODUCT, of.record, ()) if of else ""


def _build_avatar_urls(one: Comment, view: _ReviewView) -> dict[str, str]:
    email = one.author_email
    return {str(size): build_avatar_url(email, size) if email else _DEFAULT_AVATAR.format(size=size) for size in _SIZES}


_SERIALIZER: Final = Serializer(
    _FIELDS,
    {
        **read_attributes("id", "status", product_id="post", reviewer="author_name", reviewer_email="author_email"),
        "date_created": lambda one, view: times.format_iso(one.date),
        "date_created_gmt": lambda one, view: times.format_iso(one.date_gmt),
        "product_name": lambda one, view: view.get_product_name(one),
        "product_permalink": lambda one, view: view.get_product_url(one),
        "review": lambda one, view: (
            one.content if view.context == "edit" else view.work.budget.take_cached_html(one.content_html)
        ),
        "rating": lambda one, view: ratings.get_review_rating(one),
        "verified": lambda one, view: bool(one.meta.get("verified")),
        "reviewer_avatar_urls": _build_avatar_urls,
    },
)


_CREATE_ARGUMENTS: Final = {
    **build_write_arguments(_FIELDS, required=("product_id", "reviewer", "review")),
    # An invalid e-mail address is stored as an empty one when a review is created, and refused when it changes.
    "reviewer_email": _FIELDS["reviewer_email"].replace(context=(), format="", required=True),
}
_UPDATE_ARGUMENTS: Final = build_write_arguments(_FIELDS, default=ABSENT)


def _build_review_filters() -> dict[str, Field]:
    dates = {name: field for name, field in list_arguments.build_date_filters().items() if name in ("after", "before")}
    return {
        "context": list_arguments.build_context_argument(),
        **list_arguments.build_paging_arguments(),
        **dates,
        "exclude": list_arguments.build_id_filter("None of these numbers."),
        "include": list_arguments.build_id_filter("Only these numbers."),
        "offset": Integer("How many to pass over.", null="keep"),
        **list_arguments.build_sort_arguments(("date", "date_gmt", "id", "include", "product"), default="date_gmt"),
        "reviewer": list_arguments.build_id_filter("Only those of these users.").replace(default=ABSENT),
        "reviewer_exclude": list_arguments.build_id_filter("None of these users.").replace(default=ABSENT),
        "reviewer_email": String("Only those of this address.", format="email", default=None, null="keep"),
        "product": list_arguments.build_id_filter("Only those of these products."),
        "status": String(
            "Only those in this status; one that there is not finds nothing.",
            enum=("all", "hold", "approved", "spam", "trash"), default="approved", null="keep", lenient=True,
        ),
    }  # fmt: skip


def _parse_status(value: object) -> str:
    """Return the requested status, empty for a value that cannot be one."""
    return value.lower() if isinstance(value, str) else ""


def _list_reviews(call: Call) -> ListPage[Comment]:
    args = call.args
    query = CommentQuery(
        status=_parse_status(args["status"]),
        type=ratings.REVIEW,
        post=tuple(args["product"]),
        include=tuple(args["include"]),
        exclude=tuple(args["exclude"]),
        author=tuple(args.get("reviewer") or ()),
        author_exclude=tuple(args.get("reviewer_exclude") or ()),
        author_email=args.get("reviewer_email") or "",
        search=args.get("search") or "",
        after=list_arguments.parse_local_timestamp(call, "after"),
        before=list_arguments.parse_local_timestamp(call, "before"),
        orderby={"product": "post"}.get(args["orderby"], args["orderby"]),
        descending=args["order"] == "desc",
        limit=args["per_page"],
        offset=compute_page_offset(args, zero_counts=False),
    )
    found, total = comment_listing.list_comments(call.work, query)
    return ListPage(found, total)


def _create_review(call: Call) -> Comment:
    request = call.request
    return reviews.create_review(call.work, call.args, request.remote, request.headers.get("user-agent", ""))


def _update_review(call: Call, old: Comment) -> Comment:
    return reviews.update_review(call.work, old, call.args)


def _delete_review(call: Call, old: Comment) -> Comment | None:
    if not call.args["force"]:
        return reviews.trash_review(call.work, old)
    reviews.delete_review(call.work, old)
    return None


def _build_links(call: Call, one: Comment) -> Links:
    work = call.work
    links = _REVIEWS.build_usual_links(call, one)
    if not may_manage_shop(work.user):
        links["self"][0]["targetHints"]["allow"] = [*READ]
    links["up"] = [build_link(work.api(f"/shop/v3/products/{one.post}"))]
    if one.author:
        links["reviewer"] = [build_link(work.api(f"/cms/v2/users/{one.author}"), embeddable=True)]
    return links


_REFUSALS: Final = (
    ReviewContentInvalid, DuplicateReview, ProductNotFound, ReviewsClosed, ProductNotBought, ReviewRatingMissing,
)  # fmt: skip
_REVIEWS: Final = ShopResource(
    title="product_review",
    path=PATH,
    key={"id": Integer("Number of the review.")},
    serializer=_SERIALIZER,
    load_view=_ReviewView,
    build_links=_build_links,
    find=get_requested_review,
    guard=WriteGuard(compute_comment_state, in_links=True),
    list=Operation(_list_reviews, require_review_list_permission, _build_review_filters()),
    create=Operation(_create_review, require_create_permission, _CREATE_ARGUMENTS, _REFUSALS),
    read=Operation(get_requested_review, require_review_view_permission, errors=(ReviewNotFound,)),
    update=Operation(
        _update_review, require_review_edit_permission, _UPDATE_ARGUMENTS, (ReviewNotFound, *_REFUSALS)
    ),
    delete=Operation(
        _delete_review, require_review_delete_permission, errors=(ReviewNotFound, reviews.ReviewAlreadyTrashed)
    ),
    deleted="previous",
)  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of reviews."""
    return _REVIEWS.build_routes()
