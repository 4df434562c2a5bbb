"""The shop's own rooms under the addresses of this namespace: products, orders, coupons, taxes, settings and more.

They are those of `shop/v3` with links into this namespace; what differs is told here.
Rules: facts, "Settings, notes, data, mirrors".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from html import unescape
from typing import Any, Final

from vetrina.analytics.mirrors import list_routes as mirror_list_routes
from vetrina.analytics.reports import downloads as report_downloads
from vetrina.analytics.reports import local_attribute_routes
from vetrina.analytics.reports import stock as report_stock
from vetrina.analytics.reports.arguments import PATH
from vetrina.content.text.sanitizing import plain
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import money, times
from vetrina.kernel.errors import ApiError
from vetrina.rest import query_strings
from vetrina.rest.call import Call, Result
from vetrina.rest.derived_routes import Run, made_from
from vetrina.rest.fields import EMBED, VIEW, Array, Boolean, Field, Integer, Number, Object, String
from vetrina.rest.paging import page_headers
from vetrina.rest.response_fields import LINKS, by_name
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Shape
from vetrina.rest.validation import Taken
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.attributes import routes as attribute_routes
from vetrina.shop.coupons import routes as coupon_routes
from vetrina.shop.groupings import routes as grouping_routes
from vetrina.shop.orders import addresses as order_addresses
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders import routes as order_routes
from vetrina.shop.products import model as product_model
from vetrina.shop.products import price_markup
from vetrina.shop.products import routes as product_routes
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.reviews import routes as review_routes
from vetrina.shop.settings import data_routes
from vetrina.shop.settings import routes as setting_routes
from vetrina.shop.taxes import routes as tax_routes
from vetrina.shop.variations import routes as variation_routes
from vetrina.shop.versions.routes import derived

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
_DATA: Final = f"{PATH}/data"
_ADDRESSES: Final = "download-ips"
_LAST_SALE: Final = String("When it was last ordered.", format="date-time", context=("view",), readonly=True)
_SPACE: Final = PATH.removeprefix("/")
_EMBEDDED: Final = frozenset(
    ("id", "name", "slug", "permalink", "description", "short_description", "images", "brands", "_links")
)
_BILLING_INDEX: Final = (
    "first_name", "last_name", "company", "address_1", "address_2", "city", "state", "postcode", "country", "email",
    "phone",
)  # fmt: skip
_SHIPPING_INDEX: Final = tuple(name for name in _BILLING_INDEX if name != "email")
_LEFT_OUT: Final = ("payment_url", "is_editable", "needs_payment", "needs_processing")


class NothingToMatch(ApiError):
    code = "shop_rest_data_download_ips_invalid_request"
    message = "Send the beginning of an address in `match`."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the mirrored routes, and the few that `shop/v3` has not."""
    out: list[Route] = [
        *map(
            _with_last_sale,
            map(
                _embeddable,
                derived(
                    product_routes.routes(frame),
                    _SPACE,
                    _product,
                    filters=mirror_list_routes.OF_PRODUCTS,
                    turned=mirror_list_routes.ask_products,
                ),
            ),
        ),
        *derived(variation_routes.across(frame), _SPACE, _variation, relinked=_beneath_product),
        *derived(review_routes.routes(frame), _SPACE, relinked=_with_embeddable_product),
        *map(local_attribute_routes.searched, derived(attribute_routes.routes(frame), _SPACE)),
        *map(
            _with_whole_totals,
            derived(
                order_routes.routes(frame),
                _SPACE,
                _order,
                filters=mirror_list_routes.OF_ORDERS,
                turned=mirror_list_routes.ask_orders,
                shows={
                    "total_formatted": String("As the shop writes money; after refunds what is left stands beside it.")
                },
            ),
        ),
        *map(mirror_list_routes.searched, derived(tax_routes.routes(frame), _SPACE)),
    ]
    for room, retell in (
        (grouping_routes.categories, _same),
        (grouping_routes.attribute_terms, _same),
        (variation_routes.routes, _variation),
        (coupon_routes.routes, _same),
        (setting_routes.routes, _same),
    ):
        out += derived(room(frame), _SPACE, retell)
    out += map(_with_addresses, derived(data_routes.routes(frame), _SPACE))
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
        Route(READ, f"{PATH}/products/low-in-stock", _low, paging, shop_permissions.viewing, answers=_RUNNING_OUT),
        Route(READ, f"{PATH}/products/count-low-in-stock", _count_low,
              {"context": scope, "status": paging["status"]}, shop_permissions.viewing,
              answers=Object(properties={"total": Integer()})),
        Route(READ, f"{_DATA}/{_ADDRESSES}", _addresses, {"match": String("Its beginning.", null="keep")},
              shop_permissions.viewing, errors=(NothingToMatch,),
              answers=Array(items=Object(properties={"user_ip_address": String(), "_links": LINKS}))),
        Route(READ, f"{PATH}/data/countries/locales", _locales, {}, shop_permissions.viewing, answers=_LOCALES),
        *out,
        *local_attribute_routes.routes(frame),
    )  # fmt: skip


def _same(body: dict[str, Any], call: Call) -> dict[str, Any]:
    return body


def _product(body: dict[str, Any], call: Call) -> dict[str, Any]:
    """Return a product with a name for tables: without markup."""
    return {**body, "name": plain(body["name"])} if isinstance(body.get("name"), str) else body


def _embeddable(route: Route) -> Route:
    """Return a route that reads products with the context of what is embedded: a few of the members that are read."""
    context = route.args.get("context")
    if route.methods != READ or not isinstance(context, String) or not context.enum:
        return route

    def around(call: Call, run: Run) -> Result:
        if call.args.get("context") != EMBED:
            return run(call)
        result = run(replace(call, args=Taken({**call.args, "context": VIEW}, call.args.given)))
        bodies = result.body if isinstance(result.body, list) else [result.body]
        few = [{name: value for name, value in body.items() if name in _EMBEDDED} for body in bodies]
        result.body = few if isinstance(result.body, list) else few[0]
        return result

    return made_from(route, around, args={**route.args, "context": context.but(enum=(*context.enum, EMBED))})


def _with_last_sale(route: Route) -> Route:
    """Return a route of products that says what may be embedded, and of the scarce ones when each was last sold."""
    plainly = route.schema

    def schema() -> dict[str, Any]:
        whole = plainly() if plainly is not None else {}
        members: dict[str, dict[str, Any]] = whole.get("properties") or {}
        if "permalink" not in members:
            return whole
        told = {
            name: {**member, "context": [*member["context"], EMBED]} if name in _EMBEDDED else member
            for name, member in members.items()
        }
        return {**whole, "properties": {**told, **Shape({"last_order_date": _LAST_SALE}, {}).schema("")["properties"]}}

    changes: dict[str, Any] = {} if plainly is None else {"schema": schema}
    if route.methods != READ or "low_in_stock" not in route.args:
        return route.but(**changes)

    def around(call: Call, run: Run) -> Result:
        scarce = call.args.get("low_in_stock")
        result = run(call)
        if scarce:
            bodies = [body for body in result.body if "id" in body]
            sales = report_stock.last_sales(call.work, [body["id"] for body in bodies])
            for body in bodies:
                if (last := sales.get(body["id"])) is not None:
                    body["last_order_date"] = times.iso(last)
        return result

    return made_from(route, around, shows={**route.shows, "last_order_date": _LAST_SALE}, **changes)


def _with_addresses(route: Route) -> Route:
    """Return the list of what the data routes tell with the addresses of downloads; other routes as they are."""
    if route.path != _DATA:
        return route

    def around(call: Call, run: Run) -> Result:
        result = run(call)
        one, *_ = result.body
        own = {**one["_links"]["self"][0], "href": call.work.api(f"{_DATA}/{_ADDRESSES}")}
        more = {
            "slug": _ADDRESSES, "description": "Addresses from which files were downloaded.",
            "_links": {**one["_links"], "self": [own]},
        }  # fmt: skip
        body = [*result.body, {name: value for name, value in more.items() if name in one}]
        headers, links = page_headers(call, len(body), None)
        return replace(result, body=body, headers=headers, links=links)

    return made_from(route, around)


def _beneath_product(links: dict[str, Any]) -> dict[str, Any]:
    """Return the links of a variation at the address that it has beneath its product."""
    above, number = links["up"][0]["href"], links["self"][0]["href"].rpartition("/")[2]
    collection = f"{above}/variations"
    return {**links, "self": [{"href": f"{collection}/{number}"}], "collection": [{"href": collection}]}


def _with_embeddable_product(links: dict[str, Any]) -> dict[str, Any]:
    """Return the links of a review, whose product may be embedded."""
    return {**links, "up": [{**one, "embeddable": True} for one in links.get("up", ())]}


def _locales(call: Call) -> Result:
    """Tell how the addresses of each country are written."""
    return Result(order_addresses.locales())


def _variation(body: dict[str, Any], call: Call) -> dict[str, Any]:
    """Return a variation with the name of its product in its own."""
    held = product_model.by_id(call.work, body["id"]) if isinstance(body.get("id"), int) and "name" in body else None
    return {**body, "name": held.name} if held is not None else body


def _order(body: dict[str, Any], call: Call) -> dict[str, Any]:
    out = {name: value for name, value in body.items() if name not in _LEFT_OUT}
    if "total" in out:
        refunded = (money.parsed(str(one["total"])) or money.ZERO for one in out.get("refunds") or ())
        out["total_formatted"] = _formatted(
            call.work, str(out.get("currency") or ""), money.parsed(str(out["total"])) or money.ZERO,
            sum(refunded, money.ZERO),
        )  # fmt: skip
    if "meta_data" in out:
        out["meta_data"] = [*_indexed(out), *out["meta_data"]]
    return out


def _formatted(work: Work, currency: str, total: Decimal, refunded: Decimal) -> str:
    """Return a total as text, and beside it what is left of it; refunded: below nothing."""
    form = price_markup.of_shop(work, currency)
    return unescape(" ".join(form.text(one) for one in ((total, total + refunded) if refunded else (total,))))


def _indexed(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the addresses of an order as the texts that they are searched by, which stand among its extra fields."""
    out = []
    for name, parts in (("billing", _BILLING_INDEX), ("shipping", _SHIPPING_INDEX)):
        address = body.get(name) or {}
        text = " ".join(str(address.get(part) or "") for part in parts)
        out.append({"id": 0, "key": f"_{name}_address_index", "value": text})
    return out


def _with_whole_totals(route: Route) -> Route:
    """Return a route of orders that writes totals as they are, also where `dp` cuts the amounts of the answer."""
    if route.methods != READ or "dp" not in route.args:
        return route

    def around(call: Call, run: Run) -> Result:
        result = run(call)
        bodies = result.body if isinstance(result.body, list) else [result.body]
        if call.args.get("dp") is None:
            return result
        ids = [body["id"] for body in bodies]
        kept, given_back = order_model.by_ids(call.work, ids), refunds.of_orders(call.work, ids)
        for body in bodies:
            if (one := kept.get(body["id"])) is not None:
                back = sum((refund.amount for refund in given_back[one.id]), money.ZERO)
                body["total_formatted"] = _formatted(call.work, one.currency, one.total, -back)
        return result

    return made_from(route, around)


def _low(call: Call) -> Result:
    """List the products that run out, the scarcest first."""
    page, per_page = call.args["page"], call.args["per_page"]
    found, total = report_stock.low(call.work, page, per_page, call.args.get("status") or "publish")
    body = [
        {
            "id": one.id, "name": one.name, "parent_id": one.parent, "type": one.kind, "images": [],
            "attributes": one.attributes or [{"name": name, "option": value} for name, value in one.choices.items()],
            "low_stock_amount": one.low_stock_amount, "stock_quantity": one.stock_quantity,
            "last_order_date": None if last is None else times.iso(last),
            "_links": {"self": [{"href": call.work.api(f"{PATH}/products/{one.id}")}]},
        }
        for one, last in found
    ]  # fmt: skip
    headers, links = page_headers(call, total, per_page, page)
    return Result(body, headers=headers, links=links)


def _count_low(call: Call) -> Result:
    """Count the products that run out."""
    _, total = report_stock.low(call.work, 1, 1, call.args.get("status") or "publish")
    return Result({"total": total}, headers={"X-CMS-Total": total, "X-CMS-TotalPages": 0})


def _addresses(call: Call) -> Result:
    """List addresses from which files were downloaded, by their beginning."""
    if not call.args.get("match"):
        raise NothingToMatch
    found = report_downloads.addresses(call.work, str(call.args["match"]))
    list_of = [{"user_ip_address": one} for one in found]
    collection = call.work.api(f"{PATH}/data/download-ips?{query_strings.write({'match': call.args['match']})}")
    return Result([{**one, "_links": {"collection": [{"href": collection}]}} for one in list_of])
