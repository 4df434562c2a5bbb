"""Coupons: list, read, create, change, remove, batch.

Not here: their effect on an order (shop/orders/coupons.py). Rules: docs/rules/coupons.md, 1 and 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.kernel import money, times
from vetrina.kernel.errors import Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import ABSENT, EDIT, VIEW, Array, Boolean, Field, Integer, String, Untyped
from vetrina.rest.paging import build_page_headers, compute_page_offset
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Serializer, parse_field_selection
from vetrina.shop import list_arguments, meta_data
from vetrina.shop.batch_routes import build_batch_route
from vetrina.shop.coupons import listing as coupon_listing, store as coupon_store
from vetrina.shop.coupons.store import Coupon, CouponNotFound
from vetrina.shop.listing import ORDERS
from vetrina.shop.permissions import build_item_permissions, require_create_permission, require_view_permission
from vetrina.shop.products.schema import META_DATA

__all__ = ["build_routes"]

_PATH: Final = "/shop/v3/coupons"
_ITEM: Final = f"{_PATH}/{{id}}"
_BOTH: Final = (VIEW, EDIT)
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_STATUSES: Final = ("draft", "pending", "private", "publish")


class CouponToUpdateNotFound(CouponNotFound):
    """The coupon to change does not exist."""

    failure = Failure.INVALID


def _build_id_list_field(help: str) -> Array:
    return Array(help, items=Integer(), context=_BOTH, long=True)


def _build_amount_field(help: str) -> Untyped:
    # A JSON number is accepted here, unlike in the prices of products.
    return Untyped(help, context=_BOTH)


_MEMBERS: dict[str, Field] = {
    "id": Integer("Number of the coupon.", context=_BOTH, readonly=True),
    "code": String("What the customer types in.", context=_BOTH),
    "amount": _build_amount_field("How much it takes off: an amount, or a percentage."),
    "status": String("Whether it can be used.", context=_BOTH, enum=_STATUSES),
    "date_created": String("When it was made, in the site's time.", context=_BOTH, readonly=True),
    "date_created_gmt": String("When it was made, in GMT.", context=_BOTH, readonly=True),
    "date_modified": String("When it was last changed, in the site's time.", context=_BOTH, readonly=True),
    "date_modified_gmt": String("When it was last changed, in GMT.", context=_BOTH, readonly=True),
    "discount_type": String("What the amount is taken off.", context=_BOTH, enum=coupon_store.DISCOUNT_TYPES),
    "description": String("What it is for.", context=_BOTH),
    "date_expires": String("When it ends, in the site's time.", context=_BOTH, nullable=True, null="keep"),
    "date_expires_gmt": String("When it ends, in GMT; not read.", context=_BOTH, nullable=True, null="keep"),
    "usage_count": Integer("How often it was used.", context=_BOTH, readonly=True),
    "individual_use": Boolean("Whether it may be used alone only.", context=_BOTH),
    "product_ids": _build_id_list_field("Products that it works on."),
    "excluded_product_ids": _build_id_list_field("Products that it does not work on."),
    "usage_limit": Integer("How often it may be used.", context=_BOTH, null="null"),
    "usage_limit_per_user": Integer("How often one customer may use it.", context=_BOTH, null="null"),
    "limit_usage_to_x_items": Integer("How many pieces it works on.", context=_BOTH, null="null"),
    "free_shipping": Boolean("Whether it gives free shipping.", context=_BOTH),
    "product_categories": _build_id_list_field("Categories that it works on."),
    "excluded_product_categories": _build_id_list_field("Categories that it does not work on."),
    "exclude_sale_items": Boolean("Whether it leaves out what is on sale.", context=_BOTH),
    "minimum_amount": _build_amount_field("Least sum of the goods."),
    "maximum_amount": _build_amount_field("Greatest sum of the goods."),
    "email_restrictions": Array(
        "Addresses that may use it; `*` stands for anything.", items=String(), context=_BOTH, long=True
    ),
    "used_by": Array("Who used it.", items=String(), context=_BOTH, readonly=True),
    "meta_data": META_DATA,
}

# Member of the interface → field of Coupon, where both have the same value.
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


class CouponView:
    """Serializes some coupons."""

    def __init__(self, work: UnitOfWork, coupons: list[Coupon]) -> None:
        ids = [one.id for one in coupons]
        self.zone = work.zone
        self.used_by = coupon_store.list_coupon_users(work, ids)
        self.metas = meta_data.load_meta_by_owner(work, "coupon", ids)

    def format_local_time(self, moment: int | None) -> str | None:
        """Return a time in the site's zone."""
        return None if moment is None else times.format_iso(self.zone.to_local(moment))


def _format_gmt_time(moment: int | None) -> str | None:
    return None if moment is None else times.format_iso(moment)


def _build_plain_getter(own: str, listed: bool) -> Any:
    return lambda one, view: list(getattr(one, own)) if listed else getattr(one, own)


_SERIALIZER: Final = Serializer(
    _MEMBERS,
    {
        "id": lambda one, view: one.id,
        **{name: _build_plain_getter(own, name in _LISTS) for name, own in _PLAIN.items()},
        "amount": lambda one, view: money.format_amount(one.amount, 2),
        "minimum_amount": lambda one, view: money.format_amount(one.minimum or money.ZERO, 2),
        "maximum_amount": lambda one, view: money.format_amount(one.maximum or money.ZERO, 2),
        "date_created": lambda one, view: view.format_local_time(one.created),
        "date_created_gmt": lambda one, view: _format_gmt_time(one.created),
        "date_modified": lambda one, view: view.format_local_time(one.modified),
        "date_modified_gmt": lambda one, view: _format_gmt_time(one.modified),
        "date_expires": lambda one, view: view.format_local_time(one.expires),
        "date_expires_gmt": lambda one, view: _format_gmt_time(one.expires),
        "usage_count": lambda one, view: one.usage_count,
        "used_by": lambda one, view: view.used_by[one.id],
        "meta_data": lambda one, view: meta_data.serialize_meta(view.metas[one.id], hide_private=True),
    },
)


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of coupons."""
    id = {"id": Integer("Number of the coupon.")}
    writes = {
        name: field.replace(context=(), default=ABSENT, null="null" if name in _LIMITS else "keep")
        for name, field in _MEMBERS.items()
        if not field.readonly
    }
    refused = (
        coupon_store.CouponCodeExists,
        coupon_store.InvalidCouponAmount,
        coupon_store.InvalidCouponMaximum,
        coupon_store.InvalidCouponMinimum,
    )
    create = Route(
        WRITE,
        _PATH,
        _create_coupon,
        {**writes, "code": writes["code"].replace(required=True)},
        require_create_permission,
        _build_coupon_schema,
        errors=(coupon_store.EmptyCouponCode, *refused),
    )
    change = Route(
        CHANGE,
        _ITEM,
        _update_coupon,
        {**id, **writes},
        _require_coupon_edit_permission,
        _build_coupon_schema,
        errors=(CouponToUpdateNotFound, *refused),
    )
    remove = Route(
        REMOVE,
        _ITEM,
        _delete_coupon,
        {**id, "force": list_arguments.build_force_argument()},
        _require_coupon_delete_permission,
        _build_coupon_schema,
        errors=(CouponNotFound, coupon_store.CouponAlreadyTrashed),
    )
    listing = {
        "context": list_arguments.build_context_argument(),
        **list_arguments.build_paging_arguments(),
        **list_arguments.build_date_filters(),
        "exclude": list_arguments.build_id_filter("Coupons that are left out."),
        "include": list_arguments.build_id_filter("Only these coupons."),
        "offset": Integer("Leave out so many from the start.", null="keep"),
        **list_arguments.build_sort_arguments(ORDERS),
        "code": String("Only the coupon with this code.", null="keep"),
        "status": String(
            "Only coupons with this status.",
            default="publish",
            enum=("any", "future", "trash", *_STATUSES),
            null="keep",
        ),
    }  # fmt: skip
    read = {**id, "context": list_arguments.build_context_argument()}
    return (
        Route(READ, _PATH, _list_coupons, listing, require_view_permission, _build_coupon_schema, answers="many"),
        create,
        Route(
            READ,
            _ITEM,
            _read_coupon,
            read,
            _require_coupon_view_permission,
            _build_coupon_schema,
            errors=(CouponNotFound,),
        ),
        change,
        remove,
        build_batch_route(f"{_PATH}/batch", create=create, update=change, delete=remove),
    )


def _build_coupon_schema() -> dict[str, Any]:
    return _SERIALIZER.schema("shop_coupon")


# -- permissions: a missing coupon is reported by the handler, to every caller


def _has_coupon(call: Call) -> bool:
    id = call.args.get("id")
    return isinstance(id, int) and coupon_store.find_coupon(call.work, id) is not None


_require_coupon_view_permission, _require_coupon_edit_permission, _require_coupon_delete_permission = (
    build_item_permissions(_has_coupon)
)


# -- handlers


def _build_links(call: Call, coupon: Coupon) -> dict[str, Any]:
    return {
        "self": [{"href": call.work.api(f"{_PATH}/{coupon.id}"), "targetHints": {"allow": _METHODS}}],
        "collection": [{"href": call.work.api(_PATH)}],
    }


def _list_coupons(call: Call) -> Result:
    args = call.args
    work = call.work
    size, page = args["per_page"], args["page"]
    moments = {
        name: list_arguments.parse_utc_timestamp(call, name)
        for name in ("after", "before", "modified_after", "modified_before")
    }
    query = coupon_listing.CouponQuery(
        status=args["status"], code=args.get("code") or "", include=tuple(args.get("include") or ()),
        exclude=tuple(args.get("exclude") or ()), search=args.get("search") or "", orderby=args["orderby"],
        descending=args["order"] == "desc", limit=size, start=compute_page_offset(args),
        after=moments["after"], before=moments["before"], modified_after=moments["modified_after"],
        modified_before=moments["modified_before"],
    )  # fmt: skip
    found, total = coupon_listing.list_coupons(work, query)
    view, wanted = CouponView(work, found), parse_field_selection(call.request.raw("_fields"))
    context = args.get("context") or "view"
    body = [{**_SERIALIZER.serialize(one, view, context, wanted), "_links": _build_links(call, one)} for one in found]
    headers, links = build_page_headers(call, list_arguments.compute_reported_total(total, found, args), size, page)
    return Result(body, headers=headers, links=links)


def _build_coupon_result(call: Call, coupon: Coupon, status: int = 200) -> Result:
    context = call.args.get("context") or "edit"
    body = _SERIALIZER.serialize(
        coupon, CouponView(call.work, [coupon]), context, parse_field_selection(call.request.raw("_fields"))
    )
    return Result(body, status, rels=_build_links(call, coupon), keeps_links=True)


def _read_coupon(call: Call) -> Result:
    return _build_coupon_result(call, coupon_store.get_coupon(call.work, call.args["id"]))


def _create_coupon(call: Call) -> Result:
    new = coupon_store.create_coupon(call.work, _parse_coupon_values(call))
    meta_data.update_meta(call.work, "coupon", new.id, call.args.get("meta_data"))
    result = _build_coupon_result(call, new, 201)
    result.headers["Location"] = call.work.api(f"{_PATH}/{new.id}")
    return result


def _update_coupon(call: Call) -> Result:
    id = call.args.get("id")
    old = coupon_store.find_coupon(call.work, id) if isinstance(id, int) else None
    if old is None:
        raise CouponToUpdateNotFound(id=id)
    new = coupon_store.update_coupon(call.work, old, _parse_coupon_values(call))
    meta_data.update_meta(call.work, "coupon", new.id, call.args.get("meta_data"))
    return _build_coupon_result(call, new)


def _delete_coupon(call: Call) -> Result:
    old = coupon_store.get_coupon(call.work, call.args["id"])
    result = _build_coupon_result(call, old)
    if call.args.get("force"):
        coupon_store.delete_coupon(call.work, old)
    else:
        coupon_store.trash_coupon(call.work, old)
    return result


def _parse_coupon_values(call: Call) -> dict[str, Any]:
    """Return the values that a call writes, by fields of Coupon."""
    args = call.args
    out: dict[str, Any] = {}
    for name, own in _PLAIN.items():
        if name in args and (args[name] is not None or name in _LIMITS):
            # A limit of 0 means none.
            out[own] = (args[name] or None) if name in _LIMITS else args[name]
    if args.get("amount") is not None:
        out["amount"] = money.parse_amount(str(args["amount"])) or money.ZERO
    for name, own in (("minimum_amount", "minimum"), ("maximum_amount", "maximum")):
        if args.get(name) is not None:
            out[own] = money.parse_amount(str(args[name])) or None
    if args.get("date_expires") is not None:
        out["expires"] = _parse_expiry(call, str(args["date_expires"]))
    return out


def _parse_expiry(call: Call, written: str) -> int | None:
    """Return the expiry time written in the site's zone; None for an empty text and for one that is not a date."""
    work = call.work
    if not written:
        return None
    try:
        return work.zone.resolve_local(times.parse_date_time(written if "T" in written else f"{written}T00:00:00"))[1]
    except ValueError:
        return None
