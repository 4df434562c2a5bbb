"""Reviews in the older versions of the interface: below their product, all on one page, with other member names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from vetrina.content.comments import listing as comment_listing
from vetrina.content.comments.listing import CommentQuery
from vetrina.content.comments.model import Comment
from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.kernel import times
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, String
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Serializer, build_link, parse_field_selection
from vetrina.shop import list_arguments
from vetrina.shop.batch_routes import build_batch_route
from vetrina.shop.permissions import require_create_permission, require_view_permission
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import ProductNotFound
from vetrina.shop.reviews import rules as reviews
from vetrina.shop.reviews.permission_rules import ProductNotBought, ReviewRatingMissing, ReviewsClosed
from vetrina.shop.reviews.rules import DuplicateReview, ReviewContentInvalid, ReviewNotFound
from vetrina.shop.rights import CannotDeleteShopItem, CannotEditShopItem, CannotViewShop, require_shop_capability

__all__ = ["build_v1_routes", "build_v2_routes"]

_BOTH: Final = (VIEW, EDIT)
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]
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
    "id": lambda one, view: one.id,
    "date_created": lambda one, view: times.format_iso(one.date),
    "date_created_gmt": lambda one, view: times.format_iso(one.date_gmt),
    "review": lambda one, view: one.content,
    "rating": lambda one, view: reviews.get_review_rating(one),
    "name": lambda one, view: one.author_name,
    "email": lambda one, view: one.author_email,
    "verified": lambda one, view: bool(one.meta.get("verified")),
}


def build_v2_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of reviews in version two."""
    return _LegacyReviewRoutes("shop/v2", dict(_FIELDS)).build_routes()


def build_v1_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of reviews in version one, which has no batch and no `_gmt` dates."""
    fields = {name: field for name, field in _FIELDS.items() if name != "date_created_gmt"}
    return _LegacyReviewRoutes("shop/v1", fields).build_routes()[:-1]


class _LegacyReviewRoutes:
    """The routes of one version."""

    def __init__(self, version: str, fields: dict[str, Field]) -> None:
        self._path = f"/{version}/products/{{product_id}}/reviews"
        self._serializer = Serializer(fields, _GETTERS)

    def build_routes(self) -> tuple[Route, ...]:
        path, item = self._path, f"{self._path}/{{id}}"
        above: dict[str, Field] = {"product_id": Integer("Number of the product.")}
        id = {**above, "id": Integer("Number of the review.")}
        required = ("review", "name", "email")
        changes = {
            name: field.replace(context=()) for name, field in self._serializer.fields.items() if not field.readonly
        }  # fmt: skip
        new = {name: field.replace(required=name in required) for name, field in changes.items()}
        context = {"context": list_arguments.build_context_argument()}
        errors = (
            ProductNotFound,
            ReviewContentInvalid,
            DuplicateReview,
            ReviewsClosed,
            ProductNotBought,
            ReviewRatingMissing,
        )
        create = Route(
            WRITE,
            path,
            self._create_review,
            {**above, **new},
            require_create_permission,
            self._build_schema,
            errors=errors,
        )
        change = Route(
            CHANGE,
            item,
            self._update_review,
            {**id, **changes},
            self._build_permission_check(CannotEditShopItem),
            self._build_schema,
            errors=(ReviewNotFound, *errors),
        )
        remove = Route(
            REMOVE,
            item,
            self._delete_review,
            {**id, "force": list_arguments.build_force_argument()},
            self._build_permission_check(CannotDeleteShopItem),
            self._build_schema,
            errors=(ReviewNotFound, reviews.ReviewAlreadyTrashed),
        )
        return (
            Route(
                READ,
                path,
                self._list_reviews,
                {**above, **context},
                require_view_permission,
                self._build_schema,
                errors=(ProductNotFound,),
                answers="many",
            ),
            create,
            Route(
                READ,
                item,
                self._read_review,
                {**id, **context},
                self._build_permission_check(CannotViewShop),
                self._build_schema,
                errors=(ReviewNotFound,),
            ),
            change,
            remove,
            build_batch_route(f"{path}/batch", create=create, update=change, delete=remove),
        )

    def _build_schema(self) -> dict[str, Any]:
        return self._serializer.schema("product_review")

    def _get_review(self, call: Call) -> Comment:
        found = reviews.get_review(call.work, call.args.get("id"))
        if found.post != call.args.get("product_id"):
            raise ReviewNotFound(id=found.id)
        return found

    def _build_permission_check(self, refusal: Any) -> Callable[[Call], None]:
        def allow(call: Call) -> None:
            """Those who run the shop (`manage_shop`)."""
            self._get_review(call)
            require_shop_capability(call.work.user, refusal)

        return allow

    def _build_links(self, work: UnitOfWork, one: Comment) -> dict[str, Any]:
        collection = work.api(self._path.replace("{product_id}", str(one.post)))
        return {
            "self": [build_link(f"{collection}/{one.id}", targetHints={"allow": _METHODS})],
            "collection": [build_link(collection)],
            "up": [build_link(collection.removesuffix("/reviews"))],
        }

    def _list_reviews(self, call: Call) -> Result:
        of = product_model.get_product(call.work, call.args["product_id"])
        query = CommentQuery(status="approved", type=reviews.REVIEW, post=(of.id,), limit=_MAX_REVIEWS)
        found, _ = comment_listing.list_comments(call.work, query)
        wanted = parse_field_selection(call.request.raw("_fields"))
        body = [self._serializer.serialize(one, None, call.args["context"], wanted) for one in found]
        if wanted is None or wanted.has_links():
            for one, members in zip(found, body, strict=True):
                members["_links"] = self._build_links(call.work, one)
        return Result(body)

    def _build_review_result(self, call: Call, one: Comment, status: int = 200) -> Result:
        body = self._serializer.serialize(
            one, None, call.args.get("context") or "edit", parse_field_selection(call.request.raw("_fields"))
        )
        return Result(body, status, rels=self._build_links(call.work, one), keeps_links=True)

    def _read_review(self, call: Call) -> Result:
        return self._build_review_result(call, self._get_review(call))

    def _parse_review_values(self, call: Call) -> dict[str, Any]:
        args = call.args
        names = {"review": "review", "rating": "rating", "name": "reviewer", "email": "reviewer_email"}
        return {own: args[name] for name, own in names.items() if args.get(name) is not None}

    def _create_review(self, call: Call) -> Result:
        request = call.request
        given = {**self._parse_review_values(call), "product_id": call.args.get("product_id")}
        new = reviews.create_review(call.work, given, request.remote, request.headers.get("user-agent", ""))
        result = self._build_review_result(call, new, status=201)
        result.headers["Location"] = self._build_links(call.work, new)["self"][0]["href"]
        return result

    def _update_review(self, call: Call) -> Result:
        return self._build_review_result(
            call, reviews.update_review(call.work, self._get_review(call), self._parse_review_values(call))
        )

    def _delete_review(self, call: Call) -> Result:
        old = self._get_review(call)
        if not call.args["force"]:
            return self._build_review_result(call, reviews.trash_review(call.work, old))
        result = self._build_review_result(call, old)
        reviews.delete_review(call.work, old)
        return result
