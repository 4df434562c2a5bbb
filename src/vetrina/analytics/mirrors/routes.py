"""The shop's own routes in this namespace: products, orders, coupons, taxes, settings and more.

They are those of `shop/v3` with links into this namespace; the differences are declared here. Rules:
docs/rules/analytics_exports.md, 6 and 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from html import unescape
from typing import Any, Final

from vetrina.analytics.mirrors import list_arguments as mirror_list_routes
from vetrina.analytics.reports import downloads as report_downloads, local_attribute_routes, stock as report_stock
from vetrina.analytics.reports.arguments import PATH
from vetrina.content.text.sanitizing import sanitize_plain_text
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money, times
from vetrina.kernel.errors import ApiError
from vetrina.rest import query_strings
from vetrina.rest.call import Result
from vetrina.rest.derived_routes import RunRoute, derive_route
from vetrina.rest.fields import EMBED, VIEW, Array, Boolean, Field, Integer, Number, Object, String
from vetrina.rest.paging import build_page_headers
from vetrina.rest.response_fields import LINKS, build_map_field
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer
from vetrina.rest.validation import ParsedArguments
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.attributes import routes as attribute_routes
from vetrina.shop.coupons import routes as coupon_routes
from vetrina.shop.customers import addresses as customer_addresses
from vetrina.shop.groupings import routes as grouping_routes
from vetrina.shop.orders import model as order_model, routes as order_routes
from vetrina.shop.products import model as product_model, price_markup, routes as product_routes
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.reviews import routes as review_routes
from vetrina.shop.settings import data_routes, routes as setting_routes
from vetrina.shop.taxes import routes as tax_routes
from vetrina.shop.variations import routes as variation_routes
from vetrina.shop.versions.routes import derive_version_routes

_LOW_STOCK_ANSWER: Final = Array(items=Object(properties={
    "id": Integer(), "name": String(), "parent_id": Integer(), "type": String(),
    "images": Array("None are told here.", max_items=0),
    "attributes": Array(items=Object(properties={
        "id": Integer(), "name": String(), "slug": String(), "option": String(), "position": Integer(),
        "visible": Boolean(), "variation": Boolean(), "options": Array(items=String()),
    })),
    "low_stock_amount": Integer(unset=(None,)), "stock_quantity": Number(unset=(None,)),
    "last_order_date": String(nullable=True),
    "_links": LINKS,
}))  # fmt: skip
_LOCALES: Final = Object("By country; `default` says what is usual.", additional=build_map_field(
    Object(properties={
        "label": String(optional=True), "required": Boolean(optional=True), "hidden": Boolean(optional=True),
        "priority": Integer(optional=True),
    }), "By part of an address.",
))  # fmt: skip
_DATA: Final = f"{PATH}/data"
_DOWNLOAD_IPS: Final = "download-ips"
_LAST_SALE: Final = String("When it was last ordered.", format="date-time", context=("view",), readonly=True)
_NAMESPACE: Final = PATH.removeprefix("/")
_EMBEDDED_MEMBERS: Final = frozenset(
    ("id", "name", "slug", "permalink", "description", "short_description", "images", "brands", "_links")
)
_BILLING_INDEX: Final = (
    "first_name", "last_name", "company", "address_1", "address_2", "city", "state", "postcode", "country", "email",
    "phone",
)  # fmt: skip
_SHIPPING_INDEX: Final = tuple(name for name in _BILLING_INDEX if name != "email")
_OMITTED_MEMBERS: Final = ("payment_url", "is_editable", "needs_payment", "needs_processing")


class DownloadIpMatchMissing(ApiError):
    code = "shop_rest_data_download_ips_invalid_request"
    message = "Send the beginning of an address in `match`."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the mirrored routes, and the few that `shop/v3` does not have."""
    out: list[Route] = [
        *map(
            _add_last_sale,
            map(
                _add_embed_context,
                derive_version_routes(
                    product_routes.build_routes(site),
                    _NAMESPACE,
                    _strip_name_markup,
                    added_filters=mirror_list_routes.PRODUCT_FILTERS,
                    translate_arguments=mirror_list_routes.translate_product_arguments,
                ),
            ),
        ),
        *derive_version_routes(
            variation_routes.build_all_variations_routes(site),
            _NAMESPACE,
            _add_product_name,
            convert_links=_nest_variation_links,
        ),
        *derive_version_routes(review_routes.build_routes(site), _NAMESPACE, convert_links=_mark_product_embeddable),
        *map(
            local_attribute_routes.add_name_search,
            derive_version_routes(attribute_routes.build_routes(site), _NAMESPACE),
        ),
        *map(
            _add_whole_totals,
            derive_version_routes(
                order_routes.build_routes(site),
                _NAMESPACE,
                _convert_order,
                added_filters=mirror_list_routes.ORDER_FILTERS,
                translate_arguments=mirror_list_routes.translate_order_arguments,
                omitted_fields=_OMITTED_MEMBERS,
                added_fields={
                    "total_formatted": String("As the shop writes money; after refunds what is left stands beside it.")
                },
            ),
        ),
        *map(mirror_list_routes.add_rate_search, derive_version_routes(tax_routes.build_routes(site), _NAMESPACE)),
    ]
    for build_subject_routes, retell in (
        (grouping_routes.build_category_routes, _keep_record),
        (grouping_routes.build_attribute_term_routes, _keep_record),
        (variation_routes.build_routes, _add_product_name),
        (coupon_routes.build_routes, _keep_record),
        (setting_routes.build_routes, _keep_record),
    ):
        out += derive_version_routes(build_subject_routes(site), _NAMESPACE, retell)
    out += map(_add_download_ips, derive_version_routes(data_routes.build_routes(site), _NAMESPACE))
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
        Route(
            READ,
            f"{PATH}/products/low-in-stock",
            _list_low_stock,
            paging,
            shop_permissions.require_view_permission,
            answers=_LOW_STOCK_ANSWER,
        ),
        Route(
            READ,
            f"{PATH}/products/count-low-in-stock",
            _count_low_stock,
            {"context": scope, "status": paging["status"]},
            shop_permissions.require_view_permission,
            answers=Object(properties={"total": Integer()}),
        ),
        Route(
            READ,
            f"{_DATA}/{_DOWNLOAD_IPS}",
            _list_download_ips,
            {"match": String("Its beginning.", null="keep")},
            shop_permissions.require_view_permission,
            errors=(DownloadIpMatchMissing,),
            answers=Array(items=Object(properties={"user_ip_address": String(), "_links": LINKS})),
        ),
        Route(
            READ,
            f"{PATH}/data/countries/locales",
            _read_locales,
            {},
            shop_permissions.require_view_permission,
            answers=_LOCALES,
        ),
        *out,
        *local_attribute_routes.build_routes(site),
    )


def _keep_record(body: dict[str, Any], call: Call) -> dict[str, Any]:
    return body


def _strip_name_markup(body: dict[str, Any], call: Call) -> dict[str, Any]:
    """Return a product whose name has no markup, for tables."""
    return {**body, "name": sanitize_plain_text(body["name"])} if isinstance(body.get("name"), str) else body


def _add_embed_context(route: Route) -> Route:
    """Return a route that reads products with the context `embed` added, which has only some of the members."""
    context = route.args.get("context")
    if route.methods != READ or not isinstance(context, String) or not context.enum:
        return route

    def around(call: Call, run: RunRoute) -> Result:
        if call.args.get("context") != EMBED:
            return run(call)
        result = run(replace(call, args=ParsedArguments({**call.args, "context": VIEW}, call.args.given_names)))
        bodies = result.body if isinstance(result.body, list) else [result.body]
        few = [{name: value for name, value in body.items() if name in _EMBEDDED_MEMBERS} for body in bodies]
        result.body = few if isinstance(result.body, list) else few[0]
        return result

    return derive_route(route, around, args={**route.args, "context": context.replace(enum=(*context.enum, EMBED))})


def _add_last_sale(route: Route) -> Route:
    """Return a route of products with embeddable links, and for low stock with the date of the last sale."""
    plainly = route.schema

    def schema() -> dict[str, Any]:
        whole = plainly() if plainly is not None else {}
        members: dict[str, dict[str, Any]] = whole.get("properties") or {}
        if "permalink" not in members:
            return whole
        told = {
            name: {**member, "context": [*member["context"], EMBED]} if name in _EMBEDDED_MEMBERS else member
            for name, member in members.items()
        }
        return {
            **whole,
            "properties": {**told, **Serializer({"last_order_date": _LAST_SALE}, {}).schema("")["properties"]},
        }

    changes: dict[str, Any] = {} if plainly is None else {"schema": schema}
    if route.methods != READ or "low_in_stock" not in route.args:
        return route.replace(**changes)

    def around(call: Call, run: RunRoute) -> Result:
        scarce = call.args.get("low_in_stock")
        result = run(call)
        if scarce:
            bodies = [body for body in result.body if "id" in body]
            sales = report_stock.load_last_sales(call.work, [body["id"] for body in bodies])
            for body in bodies:
                if (last := sales.get(body["id"])) is not None:
                    body["last_order_date"] = times.format_iso(last)
        return result

    return derive_route(
        route, around, response_fields={**route.response_fields, "last_order_date": _LAST_SALE}, **changes
    )


def _add_download_ips(route: Route) -> Route:
    """Return the list of the data routes with the IP addresses of downloads; other routes unchanged."""
    if route.path != _DATA:
        return route

    def around(call: Call, run: RunRoute) -> Result:
        result = run(call)
        one, *_ = result.body
        own = {**one["_links"]["self"][0], "href": call.work.api(f"{_DATA}/{_DOWNLOAD_IPS}")}
        more = {
            "slug": _DOWNLOAD_IPS, "description": "Addresses from which files were downloaded.",
            "_links": {**one["_links"], "self": [own]},
        }  # fmt: skip
        body = [*result.body, {name: value for name, value in more.items() if name in one}]
        headers, links = build_page_headers(call, len(body), None)
        return replace(result, body=body, headers=headers, links=links)

    return derive_route(route, around)


def _nest_variation_links(links: dict[str, Any]) -> dict[str, Any]:
    """Return the links of a variation with its URL nested below its product."""
    above, number = links["up"][0]["href"], links["self"][0]["href"].rpartition("/")[2]
    collection = f"{above}/variations"
    return {**links, "self": [{"href": f"{collection}/{number}"}], "collection": [{"href": collection}]}


def _mark_product_embeddable(links: dict[str, Any]) -> dict[str, Any]:
    """Return the links of a review with an embeddable product."""
    return {**links, "up": [{**one, "embeddable": True} for one in links.get("up", ())]}


def _read_locales(call: Call) -> Result:
    """Return the address formats of each country."""
    return Result(customer_addresses.build_country_locales())


def _add_product_name(body: dict[str, Any], call: Call) -> dict[str, Any]:
    """Return a variation with the product's name in its own."""
    held = (
        product_model.find_product(call.work, body["id"])
        if isinstance(body.get("id"), int) and "name" in body
        else None
    )
    return {**body, "name": held.name} if held is not None else body


def _convert_order(body: dict[str, Any], call: Call) -> dict[str, Any]:
    out = {name: value for name, value in body.items() if name not in _OMITTED_MEMBERS}
    if "total" in out:
        refunded = (money.parse_amount(str(one["total"])) or money.ZERO for one in out.get("refunds") or ())
        out["total_formatted"] = _format_total(
            call.work, str(out.get("currency") or ""), money.parse_amount(str(out["total"])) or money.ZERO,
            sum(refunded, money.ZERO),
        )  # fmt: skip
    if "meta_data" in out:
        out["meta_data"] = [*_build_address_indexes(out), *out["meta_data"]]
    return out


def _format_total(work: UnitOfWork, currency: str, total: Decimal, refunded: Decimal) -> str:
    """Return a total as text, with the net total after refunds where it differs; refunded: negative."""
    form = price_markup.build_shop_price_format(work, currency)
    return unescape(" ".join(form.text(one) for one in ((total, total + refunded) if refunded else (total,))))


def _build_address_indexes(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the addresses of an order as the texts they are searched by, in the form of meta data."""
    out = []
    for name, parts in (("billing", _BILLING_INDEX), ("shipping", _SHIPPING_INDEX)):
        address = body.get(name) or {}
        text = " ".join(str(address.get(part) or "") for part in parts)
        out.append({"id": 0, "key": f"_{name}_address_index", "value": text})
    return out


def _add_whole_totals(route: Route) -> Route:
    """Return a route of orders that writes totals unrounded, even where `dp` rounds the amounts of the response."""
    if route.methods != READ or "dp" not in route.args:
        return route

    def around(call: Call, run: RunRoute) -> Result:
        result = run(call)
        bodies = result.body if isinstance(result.body, list) else [result.body]
        if call.args.get("dp") is None:
            return result
        ids = [body["id"] for body in bodies]
        kept, given_back = order_model.load_orders_by_id(call.work, ids), refunds.list_order_refunds(call.work, ids)
        for body in bodies:
            if (one := kept.get(body["id"])) is not None:
                back = sum((refund.amount for refund in given_back[one.id]), money.ZERO)
                body["total_formatted"] = _format_total(call.work, one.currency, one.total, -back)
        return result

    return derive_route(route, around)


def _list_low_stock(call: Call) -> Result:
    """List the products that are low in stock, the lowest first."""
    page, per_page = call.args["page"], call.args["per_page"]
    found, total = report_stock.list_low_stock(call.work, page, per_page, call.args.get("status") or "publish")
    body = [
        {
            "id": one.id, "name": one.name, "parent_id": one.parent, "type": one.kind, "images": [],
            "attributes": one.attributes or [{"name": name, "option": value} for name, value in one.choices.items()],
            "low_stock_amount": one.low_stock_amount, "stock_quantity": one.stock_quantity,
            "last_order_date": None if last is None else times.format_iso(last),
            "_links": {"self": [{"href": call.work.api(f"{PATH}/products/{one.id}")}]},
        }
        for one, last in found
    ]  # fmt: skip
    headers, links = build_page_headers(call, total, per_page, page)
    return Result(body, headers=headers, links=links)


def _count_low_stock(call: Call) -> Result:
    """Count the products that are low in stock."""
    _, total = report_stock.list_low_stock(call.work, 1, 1, call.args.get("status") or "publish")
    return Result({"total": total}, headers={"X-CMS-Total": total, "X-CMS-TotalPages": 0})


def _list_download_ips(call: Call) -> Result:
    """List IP addresses from which files were downloaded, by prefix."""
    if not call.args.get("match"):
        raise DownloadIpMatchMissing
    found = report_downloads.list_addresses(call.work, str(call.args["match"]))
    list_of = [{"user_ip_address": one} for one in found]
    collection = call.work.api(f"{PATH}/data/download-ips?{query_strings.format_query({'match': call.args['match']})}")
    return Result([{**one, "_links": {"collection": [{"href": collection}]}} for one in list_of])
