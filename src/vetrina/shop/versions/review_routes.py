"""Reviews in the older versions of the interface: below their product, all on one page, with other member names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from vetrina.content.comments import listing as comment_listing
from vetrina.content.comments.filters import CommentQuery
from vetrina.content.comments.model import Comment
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel import times
from vetrina.kernel.errors import PermissionDenied
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, String
from vetrina.rest.resource import Links, ListPage, Operation, build_write_arguments
from vetrina.rest.route import Route
from vetrina.rest.serializer import Serializer, build_link, read_attributes
from vetrina.shop import list_arguments
from vetrina.shop.permissions import require_create_permission, require_view_permission
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import ProductNotFound
from vetrina.shop.resource import ShopResource
from vetrina.shop.reviews import ratings, rules as reviews
from vetrina.shop.reviews.rules import (
    DuplicateReview,
    ProductNotBought,
    ReviewContentInvalid,
    ReviewNotFound,
    ReviewRatingMissing,
    ReviewsClosed,
)
from vetrina.shop.rights import CannotDeleteShopItem, CannotEditShopItem, CannotViewShop, require_shop_capability

_BOTH: Final = (VIEW, EDIT)
_MAX_REVIEWS: Final = 1000  # reviews of one product in a response

_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the review.", context=_BOTH, readonly=True),
    "date_created": String("When it was written, in the site's time.", nullable=True, context=_BOTH),
    "date_created_gmt": String("When it was written, in GMT.", nullable=True, context=_BOTH),
    "review": String("The text.", context=_BOTH),
    "rating": Integer("Stars, from 0 to 5.", context=_BOTH),
    "name": String("Name of its author.", context=_BOTH),
    "email": String("E-mail address of its author.", context=_BOTH),
    "verified": Boolean("Whether its author bought the product.", context=_BOTH, readonly=True),
}
_GETTERS: Final = {
    **read_attributes("id", review="content", name="author_name", email="author_email"),
    "date_created": lambda one, view: times.format_iso(one.date),
    "date_created_gmt": lambda one, view: times.format_iso(one.date_gmt),
    "rating": lambda one, view: ratings.get_review_rating(one),
    "verified": lambda one, view: bool(one.meta.get("verified")),
}
_WRITE_ERRORS: Final = (
    ProductNotFound, ReviewContentInvalid, DuplicateReview, ReviewsClosed, ProductNotBought, ReviewRatingMissing,
)  # fmt: skip
_ABOVE: Final = {"product_id": Integer("Number of the product.")}


def build_v2_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of reviews in version two."""
    return _build_resource("shop/v2", _FIELDS).build_routes()


def build_v1_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of reviews in version one, which has no batch and no `_gmt` dates."""
    fields = {name: field for name, field in _FIELDS.items() if name != "date_created_gmt"}
    return replace(_build_resource("shop/v1", fields), build_batch_route=None).build_routes()


def _build_resource(version: str, fields: Mapping[str, Field]) -> ShopResource[Comment]:
    """Return the reviews of one version."""

    def build_links(call: Call, one: Comment) -> Links:
        product = call.work.api(f"/{version}/products/{one.post}")
        collection = f"{product}/reviews"
        return {
            "self": [build_link(f"{collection}/{one.id}", targetHints={"allow": [*resource.methods]})],
            "collection": [build_link(collection)],
            "up": [build_link(product)],
        }

    resource = ShopResource(
        title="product_review",
        path=f"/{version}/products/{{product_id}}/reviews",
        above=_ABOVE,
        key={**_ABOVE, "id": Integer("Number of the review.")},
        serializer=Serializer(fields, _GETTERS),
        lists_links=False,
        build_links=build_links,
        find=_get_review,
        list=Operation(
            _list_reviews, require_view_permission, {"context": list_arguments.build_context_argument()},
            (ProductNotFound,),
        ),
        create=Operation(
            _create_review, require_create_permission,
            build_write_arguments(fields, required=("review", "name", "email")), _WRITE_ERRORS,
        ),
        read=Operation(_get_review, _build_permission_check(CannotViewShop), errors=(ReviewNotFound,)),
        update=Operation(
            _update_review, _build_permission_check(CannotEditShopItem), build_write_arguments(fields),
            (ReviewNotFound, *_WRITE_ERRORS),
        ),
        delete=Operation(
            _delete_review, _build_permission_check(CannotDeleteShopItem),
            errors=(ReviewNotFound, reviews.ReviewAlreadyTrashed),
        ),
    )  # fmt: skip
    return resource


def _get_review(call: Call) -> Comment:
    found = reviews.get_review(call.work, call.args.get("id"))
    if found.post != call.args.get("product_id"):
        raise ReviewNotFound(id=found.id)
    return found


def _build_permission_check(refusal: type[PermissionDenied]) -> Callable[[Call], None]:
    def allow(call: Call) -> None:
        """Those who run the shop (`manage_shop`)."""
        _get_review(call)
        require_shop_capability(call.work.user, refusal)

    return allow


def _parse_review_values(call: Call) -> dict[str, Any]:
    args = call.args
    names = {"review": "review", "rating": "rating", "name": "reviewer", "email": "reviewer_email"}
    return {own: args[name] for name, own in names.items() if args.get(name) is not None}


def _list_reviews(call: Call) -> ListPage[Comment]:
    of = product_model.get_product(call.work, call.args["product_id"])
    query = CommentQuery(status="approved", type=ratings.REVIEW, post=(of.id,), limit=_MAX_REVIEWS)
    found, _ = comment_listing.list_comments(call.work, query)
    return ListPage(found, None)


def _create_review(call: Call) -> Comment:
    request = call.request
    given = {**_parse_review_values(call), "product_id": call.args.get("product_id")}
    return reviews.create_review(call.work, given, request.remote, request.headers.get("user-agent", ""))


def _update_review(call: Call, old: Comment) -> Comment:
    return reviews.update_review(call.work, old, _parse_review_values(call))


def _delete_review(call: Call, old: Comment) -> Comment | None:
    if not call.args["force"]:
        return reviews.trash_review(call.work, old)
    reviews.delete_review(call.work, old)
    return None
