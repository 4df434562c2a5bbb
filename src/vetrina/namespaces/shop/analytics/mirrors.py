"""The shop's own rooms under the addresses of this namespace: products, orders, coupons, taxes, settings and more.

They are those of `shop/v3` with links into this namespace; what differs is told here.
Rules: facts, "Settings, notes, data, mirrors".
"""

from __future__ import annotations

from html import unescape
from typing import Any, Final

from vetrina.declare import query
from vetrina.declare.call import Call, Result
from vetrina.declare.fields import Array, Boolean, Field, Integer, Number, Object, String
from vetrina.declare.listing import page_headers
from vetrina.declare.route import READ, Route
from vetrina.declare.shown import LINKS, by_name
from vetrina.domain.analytics import downloads, stock
from vetrina.domain.content.text.sanitise import plain
from vetrina.domain.shop import addresses, price_markup, product
from vetrina.domain.work import Frame
from vetrina.kernel import money, times
from vetrina.kernel.errors import ApiError
from vetrina.namespaces.shop import (
    access,
    attributes,
    coupons,
    data,
    groupings,
    orders,
    products,
    reviews,
    settings,
    tax_rates,
    variations,
)
from vetrina.namespaces.shop.versions import derived

from . import local_attributes, mirror_lists
from .arguments import PATH

__all__ = ["routes"]

_RUNNING_OUT: Final = Array(items=Object(properties={
    "id": Integer(), "name": String(), "parent_id": Integer(), "type": String(),
    "images": Array("None are told here.", max_items=0),
    "attributes": Array(items=Object(properties={
        "id": Integer(), "name": String(), "slug": String(), "option": String(), "position": Integer(),
        "visible": Boolean(), "variation": Boolean(), "options": Array(items=String()),
    })),
    "low_stock_amount": Integer(), "stock_quantity": Number(), "last_order_date": String(nullable=True),
    "_links": LINKS,
}))  # fmt: skip
_LOCALES: Final = Object("By country; `default` says what is usual.", additional=by_name(
    Object(properties={"label": String(), "required": Boolean()}), "By part of an address."
))  # fmt: skip
_SPACE: Final = PATH.removeprefix("/")
_LEFT_OUT: Final = ("payment_url", "is_editable", "needs_payment", "needs_processing")


class NothingToMatch(ApiError):
    code = "shop_rest_data_download_ips_invalid_request"
    message = "Send the beginning of an address in `match`."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the mirrored routes, and the few that `shop/v3` has not."""
    out: list[Route] = [
        *derived(products.routes(frame), _SPACE, _product, filters=mirror_lists.OF_PRODUCTS,
                 turned=mirror_lists.ask_products),
        *derived(orders.routes(frame), _SPACE, _order, filters=mirror_lists.OF_ORDERS,
                 turned=mirror_lists.ask_orders,
                 shows={"total_formatted": String("As the shop writes money.")}),
        *map(mirror_lists.searched, derived(tax_rates.routes(frame), _SPACE)),
    ]  # fmt: skip
    for room, retell in (
        (groupings.categories, _same), (groupings.attribute_terms, _same), (attributes.routes, _same),
        (reviews.routes, _same), (variations.routes, _variation), (variations.across, _variation),
        (coupons.routes, _same), (data.routes, _same), (settings.routes, _same),
    ):  # fmt: skip
        out += derived(room(frame), _SPACE, retell)
    scope = String("Scope of the answer.", enum=("view", "edit"), default="view", null="keep")
    paging: dict[str, Field] = {
        "context": scope,
        "page": Integer("Page of the list.", default=1, minimum=1, null="keep"),
        "per_page": Integer("Most items of a page.", default=10, minimum=1, maximum=100, null="keep"),
        "status": String(
            "Only of this status.",
            enum=("draft", "pending", "private", "publish", "future"),
            default="publish",
            null="keep",
        ),
    }
    return (
        Route(READ, f"{PATH}/products/low-in-stock", _low, paging, access.viewing, answers=_RUNNING_OUT),
        Route(READ, f"{PATH}/products/count-low-in-stock", _count_low,
              {"context": scope, "status": paging["status"]}, access.viewing,
              answers=Object(properties={"total": Integer()})),
        Route(READ, f"{PATH}/data/download-ips", _addresses, {"match": String("Its beginning.", null="keep")},
              access.viewing, errors=(NothingToMatch,),
              answers=Array(items=Object(properties={"user_ip_address": String(), "_links": LINKS}))),
        Route(READ, f"{PATH}/data/countries/locales", _locales, {}, access.viewing, answers=_LOCALES),
        *out,
        *local_attributes.routes(frame),
    )  # fmt: skip


def _same(body: dict[str, Any], call: Call) -> dict[str, Any]:
    return body


def _product(body: dict[str, Any], call: Call) -> dict[str, Any]:
    """Return a product with a name for tables: without markup."""
    return {**body, "name": plain(body["name"])} if isinstance(body.get("name"), str) else body


def _locales(call: Call) -> Result:
    """Tell how the addresses of each country are written."""
    return Result(addresses.locales())


def _variation(body: dict[str, Any], call: Call) -> dict[str, Any]:
    """Return a variation with the name of its product in its own."""
    held = product.by_id(call.work, body["id"]) if isinstance(body.get("id"), int) and "name" in body else None
    return {**body, "name": held.name} if held is not None else body


def _order(body: dict[str, Any], call: Call) -> dict[str, Any]:
    out = {name: value for name, value in body.items() if name not in _LEFT_OUT}
    if "total" in out:
        form = price_markup.of_shop(call.work, str(out.get("currency") or ""))
        total = money.parsed(str(out["total"])) or money.ZERO
        out["total_formatted"] = unescape(form.text(total))
    return out


def _low(call: Call) -> Result:
    """List the products that run out, the scarcest first."""
    page, per_page = call.args["page"], call.args["per_page"]
    found, total = stock.low(call.work, page, per_page, call.args.get("status") or "publish")
    body = [
        {
            "id": one.id, "name": one.name, "parent_id": one.parent, "type": one.kind, "images": [],
            "attributes": one.attributes or [{"name": name, "option": value} for name, value in one.choices.items()],
            "low_stock_amount": one.low_stock_amount, "stock_quantity": one.stock_quantity,
            "last_order_date": None if last is None else times.iso(last).replace("T", " "),
            "_links": {"self": [{"href": call.work.api(f"{PATH}/products/{one.id}")}]},
        }
        for one, last in found
    ]  # fmt: skip
    headers, links = page_headers(call, total, per_page, page)
    return Result(body, headers=headers, links=links)


def _count_low(call: Call) -> Result:
    """Count the products that run out."""
    _, total = stock.low(call.work, 1, 1, call.args.get("status") or "publish")
    return Result({"total": total}, headers={"X-CMS-Total": total, "X-CMS-TotalPages": 0})


def _addresses(call: Call) -> Result:
    """List addresses from which files were downloaded, by their beginning."""
    if not call.args.get("match"):
        raise NothingToMatch
    found = downloads.addresses(call.work, str(call.args["match"]))
    list_of = [{"user_ip_address": one} for one in found]
    collection = call.work.api(f"{PATH}/data/download-ips?{query.write({'match': call.args['match']})}")
    return Result([{**one, "_links": {"collection": [{"href": collection}]}} for one in list_of])
