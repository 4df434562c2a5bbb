"""Reviews of products.

Not here: what a review does to its product's rating (shop/reviews/rules.py), the older routes below a product
(shop/versions/review_routes.py). Rules: facts, "Reviews"; who moderates comments may read reviews too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from vetrina.access.users.avatars import avatar
from vetrina.content.comments import listing as comment_listing
from vetrina.content.comments.listing import CommentQuery
from vetrina.content.comments.model import Comment
from vetrina.content.records import permalinks
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import times
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import page_headers, start_of
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice, link
from vetrina.shop import list_arguments
from vetrina.shop.batch_routes import batch_route
from vetrina.shop.permissions import creating
from vetrina.shop.products import model as product_model
from vetrina.shop.products import product_types
from vetrina.shop.products.model import Product, ProductUnknown
from vetrina.shop.reviews import rules as reviews
from vetrina.shop.reviews.permission_rules import NotBought, RatingMissing, ReviewsClosed
from vetrina.shop.reviews.rules import ContentInvalid, RepeatedReview, ReviewUnknown
from vetrina.shop.rights import CannotDelete, CannotEdit, CannotView, may_manage, require

__all__ = ["PATH", "routes"]

PATH: Final = "/shop/v3/products/reviews"
_ITEM: Final = f"{PATH}/{{id}}"
_BOTH: Final = (VIEW, EDIT)
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_MODERATE: Final = "moderate_comments"
_SIZES: Final = (24, 48, 96)  # pixels
_NO_PICTURE: Final = "https://secure.gravatar.com/avatar/?s={size}&d=mm&r=g"

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


class _View:
    """What showing some reviews needs to know beside them."""

    def __init__(self, work: Work, found: Sequence[Comment], context: str) -> None:
        self.work, self.context = work, context
        self._products: dict[int, Product] = product_model.by_ids(work, (one.post for one in found))

    def name(self, one: Comment) -> str:
        of = self._products.get(one.post)
        return of.name if of else ""

    def address(self, one: Comment) -> str:
        of = self._products.get(one.post)
        return permalinks.link(self.work, product_types.PRODUCT, of.record, ()) if of else ""


def _pictures(one: Comment, view: _View) -> dict[str, str]:
    email = one.author_email
    return {str(size): avatar(email, size) if email else _NO_PICTURE.format(size=size) for size in _SIZES}


_SHAPE: Final = Shape(
    _FIELDS,
    {
        "id": lambda one, view: one.id,
        "date_created": lambda one, view: times.iso(one.date),
        "date_created_gmt": lambda one, view: times.iso(one.date_gmt),
        "product_id": lambda one, view: one.post,
        "product_name": lambda one, view: view.name(one),
        "product_permalink": lambda one, view: view.address(one),
        "status": lambda one, view: one.status,
        "reviewer": lambda one, view: one.author_name,
        "reviewer_email": lambda one, view: one.author_email,
        "review": lambda one, view: (
            one.content if view.context == "edit" else view.work.budget.answer(one.content_html)
        ),
        "rating": lambda one, view: reviews.rating(one),
        "verified": lambda one, view: bool(one.meta.get("verified")),
        "reviewer_avatar_urls": _pictures,
    },
)


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of reviews."""
    id = {"id": Integer("Number of the review.")}
    required = ("product_id", "reviewer", "reviewer_email", "review")
    new: dict[str, Field] = {
        name: field.but(context=(), required=name in required) for name, field in _FIELDS.items() if not field.readonly
    }
    # An address that is none is kept as an empty one when a review comes, and refused when it changes.
    new["reviewer_email"] = new["reviewer_email"].but(format="")
    changes = {
        name: field.but(context=(), default=String().default)
        for name, field in _FIELDS.items()
        if not field.readonly
    }  # fmt: skip
    errors = (ContentInvalid, RepeatedReview, ProductUnknown, ReviewsClosed, NotBought, RatingMissing)
    create = Route(WRITE, PATH, _created, new, creating, _schema, errors=errors)
    change = Route(CHANGE, _ITEM, _changed, {**id, **changes}, _may_edit, _schema, errors=(ReviewUnknown, *errors))
    remove = Route(
        REMOVE, _ITEM, _removed, {**id, "force": list_arguments.force()}, _may_remove, _schema,
        errors=(ReviewUnknown, reviews.AlreadyTrashed),
    )  # fmt: skip
    return (
        Route(READ, PATH, _listed, _filters(), _may_list, _schema),
        create,
        Route(
            READ, _ITEM, _read, {**id, "context": list_arguments.context()}, _may_read, _schema, errors=(ReviewUnknown,)
        ),
        change,
        remove,
        batch_route(f"{PATH}/batch", create=create, update=change, delete=remove),
    )


def _filters() -> dict[str, Field]:
    dates = {name: field for name, field in list_arguments.dates().items() if name in ("after", "before")}
    return {
        "context": list_arguments.context(),
        **list_arguments.paging(),
        **dates,
        "exclude": list_arguments.numbers("None of these numbers."),
        "include": list_arguments.numbers("Only these numbers."),
        "offset": Integer("How many to pass over.", null="keep"),
        **list_arguments.ordering(("date", "date_gmt", "id", "include", "product"), default="date_gmt"),
        "reviewer": list_arguments.numbers("Only those of these users.").but(default=String().default),
        "reviewer_exclude": list_arguments.numbers("None of these users.").but(default=String().default),
        "reviewer_email": String("Only those of this address.", format="email", default=None, null="keep"),
        "product": list_arguments.numbers("Only those of these products."),
        "status": String(
            "Only those in this status; one that there is not finds nothing.",
            enum=("all", "hold", "approved", "spam", "trash"), default="approved", null="keep", lenient=True,
        ),
    }  # fmt: skip


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("product_review")


# -- rights: a review that is not there is told before any right is asked


def _may_list(call: Call) -> None:
    """Those who moderate comments (`moderate_comments`)."""
    require(call.work.user, CannotView, _MODERATE)


def _existing(call: Call) -> Comment:
    return reviews.existing(call.work, call.args.get("id"))


def _may_read(call: Call) -> None:
    """Those who moderate comments (`moderate_comments`)."""
    _existing(call)
    require(call.work.user, CannotView, _MODERATE)


def _may_edit(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    _existing(call)
    require(call.work.user, CannotEdit)


def _may_remove(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    _existing(call)
    require(call.work.user, CannotDelete)


# -- handlers


def _key_of(value: object) -> str:
    """Return the status that a client asks for, nothing for a value that can name none."""
    return value.lower() if isinstance(value, str) else ""


def _listed(call: Call) -> Result:
    args = call.args
    size, page = args["per_page"], args["page"]
    query = CommentQuery(
        status=_key_of(args["status"]),
        type=reviews.REVIEW,
        post=tuple(args["product"]),
        include=tuple(args["include"]),
        exclude=tuple(args["exclude"]),
        author=tuple(args.get("reviewer") or ()),
        author_exclude=tuple(args.get("reviewer_exclude") or ()),
        author_email=args.get("reviewer_email") or "",
        search=args.get("search") or "",
        after=list_arguments.moment(call, "after"),
        before=list_arguments.moment(call, "before"),
        orderby={"product": "post"}.get(args["orderby"], args["orderby"]),
        descending=args["order"] == "desc",
        size=size,
        start=start_of(args, zero_counts=False),
    )
    found, total = comment_listing.listed_page(call.work, query)
    wanted = choice(call.request.raw("_fields"))
    view = _View(call.work, found, args["context"])
    body = [_SHAPE.members(one, view, args["context"], wanted) for one in found]
    if wanted is None or wanted.names_links():
        for one, members in zip(found, body, strict=True):
            members["_links"] = _links(call.work, one)
    headers, links = page_headers(call, total, size, page)
    return Result(body, headers=headers, links=links)


def _links(work: Work, one: Comment) -> dict[str, Any]:
    collection = work.api(PATH)
    allowed = _METHODS if may_manage(work.user) else _METHODS[:1]
    links = {
        "self": [link(f"{collection}/{one.id}", targetHints={"allow": allowed})],
        "collection": [link(collection)],
        "up": [link(work.api(f"/shop/v3/products/{one.post}"))],
    }
    if one.author:
        links["reviewer"] = [link(work.api(f"/cms/v2/users/{one.author}"), embeddable=True)]
    return links


def _item(call: Call, one: Comment, context: str = "edit", status: int = 200) -> Result:
    view = _View(call.work, (one,), context)
    body = _SHAPE.members(one, view, context, choice(call.request.raw("_fields")))
    return Result(body, status, rels=_links(call.work, one), keeps_links=True)


def _read(call: Call) -> Result:
    return _item(call, _existing(call), call.args["context"])


def _created(call: Call) -> Result:
    request = call.request
    new = reviews.create(call.work, call.args, request.remote, request.headers.get("user-agent", ""))
    result = _item(call, new, status=201)
    result.headers["Location"] = call.work.api(f"{PATH}/{new.id}")
    return result


def _changed(call: Call) -> Result:
    return _item(call, reviews.change(call.work, _existing(call), call.args))


def _removed(call: Call) -> Result:
    work: Work = call.work
    old = _existing(call)
    if not call.args["force"]:
        return _item(call, reviews.trash(work, old))
    previous = _SHAPE.members(old, _View(work, (old,), "edit"), "edit")
    reviews.remove(work, old)
    return Result({"deleted": True, "previous": previous})
