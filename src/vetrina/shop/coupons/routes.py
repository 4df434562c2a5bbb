"""Coupons: list, read, create, change, remove, batch.

Not here: what they do to an order (shop/orders/coupons.py). Rules: facts, "Coupons"; the recordings of coupons.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import money, times
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import ABSENT, EDIT, VIEW, Array, Boolean, Field, Integer, String, Untyped
from vetrina.rest.paging import page_headers, start_of
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice
from vetrina.shop import list_arguments, meta_data
from vetrina.shop.batch_routes import batch_route
from vetrina.shop.coupons import listing as coupon_listing
from vetrina.shop.coupons import store as coupon_store
from vetrina.shop.coupons.store import Coupon, CouponUnknown
from vetrina.shop.listing import ORDERS
from vetrina.shop.permissions import creating, of_known, viewing
from vetrina.shop.products.schema import META_DATA

__all__ = ["routes"]

_PATH: Final = "/shop/v3/coupons"
_ITEM: Final = f"{_PATH}/{{id}}"
_BOTH: Final = (VIEW, EDIT)
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_STATUSES: Final = ("draft", "pending", "private", "publish")


class NoSuchCoupon(CouponUnknown):
    """A coupon that somebody wants to change is not there."""

    status = 400


def _numbers(help: str) -> Array:
    return Array(help, items=Integer(), context=_BOTH, long=True)


def _amount(help: str) -> Untyped:
    # A JSON number is taken here, unlike in the prices of products.
    return Untyped(help, context=_BOTH)


_MEMBERS: dict[str, Field] = {
    "id": Integer("Number of the coupon.", context=_BOTH, readonly=True),
    "code": String("What the customer types in.", context=_BOTH),
    "amount": _amount("How much it takes off: an amount, or a percentage."),
    "status": String("Whether it can be used.", context=_BOTH, enum=_STATUSES),
    "date_created": String("When it was made, in the site's time.", context=_BOTH, readonly=True),
    "date_created_gmt": String("When it was made, in GMT.", context=_BOTH, readonly=True),
    "date_modified": String("When it was last changed, in the site's time.", context=_BOTH, readonly=True),
    "date_modified_gmt": String("When it was last changed, in GMT.", context=_BOTH, readonly=True),
    "discount_type": String("What the amount is taken off.", context=_BOTH, enum=coupon_store.KINDS),
    "description": String("What it is for.", context=_BOTH),
    "date_expires": String("When it ends, in the site's time.", context=_BOTH, nullable=True, null="keep"),
    "date_expires_gmt": String("When it ends, in GMT; not read.", context=_BOTH, nullable=True, null="keep"),
    "usage_count": Integer("How often it was used.", context=_BOTH, readonly=True),
    "individual_use": Boolean("Whether it may be used alone only.", context=_BOTH),
    "product_ids": _numbers("Products that it works on."),
    "excluded_product_ids": _numbers("Products that it does not work on."),
    "usage_limit": Integer("How often it may be used.", context=_BOTH, null="null"),
    "usage_limit_per_user": Integer("How often one customer may use it.", context=_BOTH, null="null"),
    "limit_usage_to_x_items": Integer("How many pieces it works on.", context=_BOTH, null="null"),
    "free_shipping": Boolean("Whether it gives free shipping.", context=_BOTH),
    "product_categories": _numbers("Categories that it works on."),
    "excluded_product_categories": _numbers("Categories that it does not work on."),
    "exclude_sale_items": Boolean("Whether it leaves out what is on sale.", context=_BOTH),
    "minimum_amount": _amount("Least sum of the goods."),
    "maximum_amount": _amount("Greatest sum of the goods."),
    "email_restrictions": Array(
        "Addresses that may use it; `*` stands for anything.", items=String(), context=_BOTH, long=True
    ),
    "used_by": Array("Who used it.", items=String(), context=_BOTH, readonly=True),
    "meta_data": META_DATA,
}

# Member of the interface → member of a coupon, where both hold the same.
_PLAIN: Final[Mapping[str, str]] = {
    "code": "code", "status": "status", "discount_type": "kind", "description": "description",
    "individual_use": "individual_use", "product_ids": "products", "excluded_product_ids": "excluded_products",
    "usage_limit": "usage_limit", "usage_limit_per_user": "usage_limit_per_user",
    "limit_usage_to_x_items": "most_pieces", "free_shipping": "free_shipping", "product_categories": "categories",
    "excluded_product_categories": "excluded_categories", "exclude_sale_items": "exclude_sale_items",
    "email_restrictions": "emails",
}  # fmt: skip
_LIMITS: Final = frozenset({"usage_limit", "usage_limit_per_user", "limit_usage_to_x_items"})
_LISTS: Final = frozenset(name for name, field in _MEMBERS.items() if isinstance(field, Array)) - {
    "used_by",
    "meta_data",
}


class View:
    """What showing some coupons needs to know beside them."""

    def __init__(self, work: Work, found: list[Coupon]) -> None:
        ids = [one.id for one in found]
        self.zone = work.zone
        self.used_by = coupon_store.used_by(work, ids)
        self.metas = meta_data.of_owners(work, "coupon", ids)

    def local(self, moment: int | None) -> str | None:
        """Return a moment in the site's time."""
        return None if moment is None else times.iso(self.zone.to_local(moment))


def _gmt(moment: int | None) -> str | None:
    return None if moment is None else times.iso(moment)


def _plain(own: str, listed: bool) -> Any:
    return lambda one, view: list(getattr(one, own)) if listed else getattr(one, own)


_SHAPE: Final = Shape(
    _MEMBERS,
    {
        "id": lambda one, view: one.id,
        **{name: _plain(own, name in _LISTS) for name, own in _PLAIN.items()},
        "amount": lambda one, view: money.text(one.amount, 2),
        "minimum_amount": lambda one, view: money.text(one.minimum or money.ZERO, 2),
        "maximum_amount": lambda one, view: money.text(one.maximum or money.ZERO, 2),
        "date_created": lambda one, view: view.local(one.created),
        "date_created_gmt": lambda one, view: _gmt(one.created),
        "date_modified": lambda one, view: view.local(one.modified),
        "date_modified_gmt": lambda one, view: _gmt(one.modified),
        "date_expires": lambda one, view: view.local(one.expires),
        "date_expires_gmt": lambda one, view: _gmt(one.expires),
        "usage_count": lambda one, view: one.usage_count,
        "used_by": lambda one, view: view.used_by[one.id],
        "meta_data": lambda one, view: meta_data.shown(view.metas[one.id], hide_private=True),
    },
)


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of coupons."""
    id = {"id": Integer("Number of the coupon.")}
    writes = {
        name: field.but(context=(), default=ABSENT, null="null" if name in _LIMITS else "keep")
        for name, field in _MEMBERS.items()
        if not field.readonly
    }
    refused = (
        coupon_store.CodeExists,
        coupon_store.InvalidAmount,
        coupon_store.InvalidMaximum,
        coupon_store.InvalidMinimum,
    )
    create = Route(
        WRITE, _PATH, _created, {**writes, "code": writes["code"].but(required=True)}, creating, _schema,
        errors=(coupon_store.EmptyCode, *refused),
    )  # fmt: skip
    change = Route(CHANGE, _ITEM, _changed, {**id, **writes}, _may_edit, _schema, errors=(NoSuchCoupon, *refused))
    remove = Route(
        REMOVE, _ITEM, _removed, {**id, "force": list_arguments.force()}, _may_remove, _schema,
        errors=(CouponUnknown, coupon_store.AlreadyTrashed),
    )  # fmt: skip
    listing = {
        "context": list_arguments.context(),
        **list_arguments.paging(),
        **list_arguments.dates(),
        "exclude": list_arguments.numbers("Coupons that are left out."),
        "include": list_arguments.numbers("Only these coupons."),
        "offset": Integer("Leave out so many from the start.", null="keep"),
        **list_arguments.ordering(ORDERS),
        "code": String("Only the coupon with this code.", null="keep"),
        "status": String(
            "Only coupons with this status.",
            default="publish",
            enum=("any", "future", "trash", *_STATUSES),
            null="keep",
        ),
    }  # fmt: skip
    read = {**id, "context": list_arguments.context()}
    return (
        Route(READ, _PATH, _listed, listing, viewing, _schema, answers="many"),
        create,
        Route(READ, _ITEM, _read, read, _may_read, _schema, errors=(CouponUnknown,)),
        change,
        remove,
        batch_route(f"{_PATH}/batch", create=create, update=change, delete=remove),
    )


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("shop_coupon")


# -- rights: a coupon that is not there is told by the handler, to whoever asks


def _exists(call: Call) -> bool:
    id = call.args.get("id")
    return isinstance(id, int) and coupon_store.by_id(call.work, id) is not None


_may_read, _may_edit, _may_remove = of_known(_exists)


# -- handlers


def _links(call: Call, one: Coupon) -> dict[str, Any]:
    return {
        "self": [{"href": call.work.api(f"{_PATH}/{one.id}"), "targetHints": {"allow": _METHODS}}],
        "collection": [{"href": call.work.api(_PATH)}],
    }


def _listed(call: Call) -> Result:
    args = call.args
    work: Work = call.work
    size, page = args["per_page"], args["page"]
    moments = {
        name: list_arguments.instant(call, name) for name in ("after", "before", "modified_after", "modified_before")
    }
    query = coupon_listing.CouponQuery(
        status=args["status"], code=args.get("code") or "", include=tuple(args.get("include") or ()),
        exclude=tuple(args.get("exclude") or ()), search=args.get("search") or "", orderby=args["orderby"],
        descending=args["order"] == "desc", limit=size, start=start_of(args),
        after=moments["after"], before=moments["before"], modified_after=moments["modified_after"],
        modified_before=moments["modified_before"],
    )  # fmt: skip
    found, total = coupon_listing.listed_page(work, query)
    view, wanted = View(work, found), choice(call.request.raw("_fields"))
    context = args.get("context") or "view"
    body = [{**_SHAPE.members(one, view, context, wanted), "_links": _links(call, one)} for one in found]
    headers, links = page_headers(call, list_arguments.total_told(total, found, args), size, page)
    return Result(body, headers=headers, links=links)


def _item(call: Call, one: Coupon, status: int = 200) -> Result:
    context = call.args.get("context") or "edit"
    body = _SHAPE.members(one, View(call.work, [one]), context, choice(call.request.raw("_fields")))
    return Result(body, status, rels=_links(call, one), keeps_links=True)


def _read(call: Call) -> Result:
    return _item(call, coupon_store.existing(call.work, call.args["id"]))


def _created(call: Call) -> Result:
    new = coupon_store.create(call.work, _given(call))
    meta_data.change(call.work, "coupon", new.id, call.args.get("meta_data"))
    result = _item(call, new, 201)
    result.headers["Location"] = call.work.api(f"{_PATH}/{new.id}")
    return result


def _changed(call: Call) -> Result:
    id = call.args.get("id")
    old = coupon_store.by_id(call.work, id) if isinstance(id, int) else None
    if old is None:
        raise NoSuchCoupon(id=id)
    new = coupon_store.change(call.work, old, _given(call))
    meta_data.change(call.work, "coupon", new.id, call.args.get("meta_data"))
    return _item(call, new)


def _removed(call: Call) -> Result:
    old = coupon_store.existing(call.work, call.args["id"])
    result = _item(call, old)
    if call.args.get("force"):
        coupon_store.remove(call.work, old)
    else:
        coupon_store.trash(call.work, old)
    return result


def _given(call: Call) -> dict[str, Any]:
    """Return what a call writes, by the names of a coupon."""
    args = call.args
    out: dict[str, Any] = {}
    for name, own in _PLAIN.items():
        if name in args and (args[name] is not None or name in _LIMITS):
            # A limit of nothing is none.
            out[own] = (args[name] or None) if name in _LIMITS else args[name]
    if args.get("amount") is not None:
        out["amount"] = money.parsed(str(args["amount"])) or money.ZERO
    for name, own in (("minimum_amount", "minimum"), ("maximum_amount", "maximum")):
        if args.get(name) is not None:
            out[own] = money.parsed(str(args[name])) or None
    if args.get("date_expires") is not None:
        out["expires"] = _moment(call, str(args["date_expires"]))
    return out


def _moment(call: Call, written: str) -> int | None:
    """Return the moment that a text names in the site's zone; an empty text, and one that is no date, name none."""
    work: Work = call.work
    if not written:
        return None
    try:
        return work.zone.settle(times.parse(written if "T" in written else f"{written}T00:00:00"))[1]
    except ValueError:
        return None
