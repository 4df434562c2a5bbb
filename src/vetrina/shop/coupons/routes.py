"""Routes of coupons: list, create, read, update, delete, batch.

Not here: their effect on an order (shop/orders/coupons.py). Rules: docs/rules/coupons.md, 1 and 2.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel import money, times
from vetrina.kernel.errors import Failure
from vetrina.rest.fields import Integer
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.preconditions import WriteGuard
from vetrina.rest.resource import ListPage, Operation
from vetrina.rest.route import Route
from vetrina.shop import list_arguments, meta_data
from vetrina.shop.coupons import listing as coupon_listing, rules as coupon_rules, store as coupon_store
from vetrina.shop.coupons.schema import CREATE_ARGUMENTS, LIMIT_FIELDS, LIST_ARGUMENTS, PLAIN_FIELDS, UPDATE_ARGUMENTS
from vetrina.shop.coupons.store import Coupon, CouponNotFound
from vetrina.shop.coupons.views import COUPON_SERIALIZER, CouponView
from vetrina.shop.permissions import build_item_permissions, require_create_permission, require_view_permission
from vetrina.shop.record_state_views import compute_coupon_state
from vetrina.shop.resource import ShopResource

_REFUSALS: Final = (
    coupon_rules.CouponCodeExists,
    coupon_rules.InvalidCouponAmount,
    coupon_rules.InvalidCouponMaximum,
    coupon_rules.InvalidCouponMinimum,
)


class CouponToUpdateNotFound(CouponNotFound):
    """The coupon to change does not exist."""

    failure = Failure.INVALID


def _find_coupon(call: Call) -> Coupon | None:
    id = call.args.get("id")
    return coupon_store.find_coupon(call.work, id) if isinstance(id, int) else None


def _get_coupon(call: Call) -> Coupon:
    return coupon_store.get_coupon(call.work, call.args["id"])


def _get_coupon_to_update(call: Call) -> Coupon:
    found = _find_coupon(call)
    if found is None:
        raise CouponToUpdateNotFound(id=call.args.get("id"))
    return found


def _list_coupons(call: Call) -> ListPage[Coupon]:
    args = call.args
    query = coupon_listing.CouponQuery(
        status=args["status"], code=args.get("code") or "", include=tuple(args.get("include") or ()),
        exclude=tuple(args.get("exclude") or ()), search=args.get("search") or "", orderby=args["orderby"],
        descending=args["order"] == "desc", limit=args["per_page"], offset=compute_page_offset(args),
        after=list_arguments.parse_utc_timestamp(call, "after"),
        before=list_arguments.parse_utc_timestamp(call, "before"),
        modified_after=list_arguments.parse_utc_timestamp(call, "modified_after"),
        modified_before=list_arguments.parse_utc_timestamp(call, "modified_before"),
    )  # fmt: skip
    found, total = coupon_listing.list_coupons(call.work, query)
    return ListPage(found, list_arguments.compute_reported_total(total, found, args))


def _create_coupon(call: Call) -> Coupon:
    new = coupon_rules.create_coupon(call.work, _parse_coupon_values(call))
    meta_data.update_meta(call.work, "coupon", new.id, call.args.get("meta_data"))
    return new


def _update_coupon(call: Call, old: Coupon) -> Coupon:
    new = coupon_rules.update_coupon(call.work, old, _parse_coupon_values(call))
    meta_data.update_meta(call.work, "coupon", new.id, call.args.get("meta_data"))
    return new


def _delete_coupon(call: Call, old: Coupon) -> None:
    if call.args.get("force"):
        coupon_rules.delete_coupon(call.work, old)
    else:
        coupon_rules.trash_coupon(call.work, old)


def _parse_coupon_values(call: Call) -> dict[str, Any]:
    """Return the values that a call writes, by fields of Coupon."""
    args = call.args
    out: dict[str, Any] = {}
    for name, own in PLAIN_FIELDS.items():
        if name in args and (args[name] is not None or name in LIMIT_FIELDS):
            out[own] = (args[name] or None) if name in LIMIT_FIELDS else args[name]
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


# A missing coupon is reported by the handler, to every caller.
_may_view, _may_edit, _may_delete = build_item_permissions(_find_coupon)

COUPONS: Final = ShopResource(
    title="shop_coupon",
    path="/shop/v3/coupons",
    key={"id": Integer("Number of the coupon.")},
    serializer=COUPON_SERIALIZER,
    load_view=CouponView,
    guard=WriteGuard(compute_coupon_state, attrgetter("modified")),
    find=_get_coupon,
    list=Operation(_list_coupons, require_view_permission, LIST_ARGUMENTS),
    create=Operation(
        _create_coupon, require_create_permission, CREATE_ARGUMENTS, (coupon_rules.EmptyCouponCode, *_REFUSALS)
    ),
    read=Operation(_get_coupon, _may_view, errors=(CouponNotFound,)),
    update=Operation(
        _update_coupon, _may_edit, UPDATE_ARGUMENTS, (CouponToUpdateNotFound, *_REFUSALS), find=_get_coupon_to_update
    ),
    delete=Operation(_delete_coupon, _may_delete, errors=(CouponNotFound, coupon_rules.CouponAlreadyTrashed)),
)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of coupons."""
    return COUPONS.build_routes()
