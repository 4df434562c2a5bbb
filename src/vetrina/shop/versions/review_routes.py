"""Reviews as the older versions of the interface have them: below their product, all on one page, in other words.

Rules: the recordings of older versions and their roots.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from vetrina.content.comments import listing as comment_listing
from vetrina.content.comments.listing import CommentQuery
from vetrina.content.comments.model import Comment
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import times
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, String
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice, link
from vetrina.shop import list_arguments
from vetrina.shop.batch_routes import batch_route
from vetrina.shop.permissions import creating, viewing
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import ProductUnknown
from vetrina.shop.reviews import rules as reviews
from vetrina.shop.reviews.permission_rules import NotBought, RatingMissing, ReviewsClosed
from vetrina.shop.reviews.rules import ContentInvalid, RepeatedReview, ReviewUnknown
from vetrina.shop.rights import CannotDelete, CannotEdit, CannotView, require

__all__ = ["first", "second"]

_BOTH: Final = (VIEW, EDIT)
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_MOST: Final = 1000  # reviews of one product in an answer

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
    "date_created": lambda one, view: times.iso(one.date),
    "date_created_gmt": lambda one, view: times.iso(one.date_gmt),
    "review": lambda one, view: one.content,
    "rating": lambda one, view: reviews.rating(one),
    "name": lambda one, view: one.author_name,
    "email": lambda one, view: one.author_email,
    "verified": lambda one, view: bool(one.meta.get("verified")),
}


def second(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of reviews in version two."""
    return _Reviews("shop/v2", dict(_FIELDS)).routes()


def first(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of reviews in version one, which has no batch and no moments in GMT."""
    fields = {name: field for name, field in _FIELDS.items() if name != "date_created_gmt"}
    return _Reviews("shop/v1", fields).routes()[:-1]


class _Reviews:
    """The routes of one version."""

    def __init__(self, version: str, fields: dict[str, Field]) -> None:
        self._path = f"/{version}/products/{{product_id}}/reviews"
        self._shape = Shape(fields, _GETTERS)

    def routes(self) -> tuple[Route, ...]:
        path, item = self._path, f"{self._path}/{{id}}"
        above: dict[str, Field] = {"product_id": Integer("Number of the product.")}
        id = {**above, "id": Integer("Number of the review.")}
        required = ("review", "name", "email")
        changes = {
            name: field.but(context=()) for name, field in self._shape.fields.items() if not field.readonly
        }  # fmt: skip
        new = {name: field.but(required=name in required) for name, field in changes.items()}
        context = {"context": list_arguments.context()}
        errors = (ProductUnknown, ContentInvalid, RepeatedReview, ReviewsClosed, NotBought, RatingMissing)
        create = Route(WRITE, path, self._created, {**above, **new}, creating, self._schema, errors=errors)
        change = Route(
            CHANGE, item, self._changed, {**id, **changes}, self._may(CannotEdit), self._schema,
            errors=(ReviewUnknown, *errors),
        )  # fmt: skip
        remove = Route(
            REMOVE, item, self._removed, {**id, "force": list_arguments.force()}, self._may(CannotDelete), self._schema,
            errors=(ReviewUnknown, reviews.AlreadyTrashed),
        )  # fmt: skip
        return (
            Route(READ, path, self._listed, {**above, **context}, viewing, self._schema, errors=(ProductUnknown,),
                  answers="many"),
            create,
            Route(READ, item, self._read, {**id, **context}, self._may(CannotView), self._schema,
                  errors=(ReviewUnknown,)),
            change,
            remove,
            batch_route(f"{path}/batch", create=create, update=change, delete=remove),
        )  # fmt: skip

    def _schema(self) -> dict[str, Any]:
        return self._shape.schema("product_review")

    def _existing(self, call: Call) -> Comment:
        found = reviews.existing(call.work, call.args.get("id"))
        if found.post != call.args.get("product_id"):
            raise ReviewUnknown(id=found.id)
        return found

    def _may(self, refusal: Any) -> Callable[[Call], None]:
        def allow(call: Call) -> None:
            """Those who run the shop (`manage_shop`)."""
            self._existing(call)
            require(call.work.user, refusal)

        return allow

    def _links(self, work: Work, one: Comment) -> dict[str, Any]:
        collection = work.api(self._path.replace("{product_id}", str(one.post)))
        return {
            "self": [link(f"{collection}/{one.id}", targetHints={"allow": _METHODS})],
            "collection": [link(collection)],
            "up": [link(collection.removesuffix("/reviews"))],
        }

    def _listed(self, call: Call) -> Result:
        of = product_model.existing(call.work, call.args["product_id"])
        query = CommentQuery(status="approved", type=reviews.REVIEW, post=(of.id,), size=_MOST)
        found, _ = comment_listing.listed_page(call.work, query)
        wanted = choice(call.request.raw("_fields"))
        body = [self._shape.members(one, None, call.args["context"], wanted) for one in found]
        if wanted is None or wanted.names_links():
            for one, members in zip(found, body, strict=True):
                members["_links"] = self._links(call.work, one)
        return Result(body)

    def _item(self, call: Call, one: Comment, status: int = 200) -> Result:
        body = self._shape.members(one, None, call.args.get("context") or "edit", choice(call.request.raw("_fields")))
        return Result(body, status, rels=self._links(call.work, one), keeps_links=True)

    def _read(self, call: Call) -> Result:
        return self._item(call, self._existing(call))

    def _given(self, call: Call) -> dict[str, Any]:
        args = call.args
        names = {"review": "review", "rating": "rating", "name": "reviewer", "email": "reviewer_email"}
        return {own: args[name] for name, own in names.items() if args.get(name) is not None}

    def _created(self, call: Call) -> Result:
        request = call.request
        given = {**self._given(call), "product_id": call.args.get("product_id")}
        new = reviews.create(call.work, given, request.remote, request.headers.get("user-agent", ""))
        result = self._item(call, new, status=201)
        result.headers["Location"] = self._links(call.work, new)["self"][0]["href"]
        return result

    def _changed(self, call: Call) -> Result:
        return self._item(call, reviews.change(call.work, self._existing(call), self._given(call)))

    def _removed(self, call: Call) -> Result:
        old = self._existing(call)
        if not call.args["force"]:
            return self._item(call, reviews.trash(call.work, old))
        result = self._item(call, old)
        reviews.remove(call.work, old)
        return result
