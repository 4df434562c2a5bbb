"""Routes of local attributes, which belong to single products, by the slug of their name, and of their values.

Shared attributes have ids and their own routes (shop/attributes/routes.py); they are not found here. Rules:
docs/rules/analytics_exports.md, 8.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.analytics.reports import local_attributes
from vetrina.analytics.reports.arguments import PATH, build_id_filter
from vetrina.analytics.reports.local_attributes import LocalAttribute, LocalAttributeValue
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.folding import fold_text
from vetrina.rest.call import Result
from vetrina.rest.derived_routes import RunRoute, derive_route
from vetrina.rest.field_selection import parse_field_selection, select_fields
from vetrina.rest.fields import Boolean, Field, Integer, String
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop import permissions as shop_permissions

_ITEM: Final = rf"{PATH}/products/attributes/{{slug:[a-z0-9_\-]+}}"
_ORDERS: Final = ("id", "include", "name", "slug", "term_group", "description", "count")


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of local attributes."""
    slug: dict[str, Field] = {"slug": String("Slug of the attribute's name.", null="keep")}
    listing: dict[str, Field] = {
        **slug,
        "context": String("Scope of the answer.", enum=("view", "edit"), default="view", null="keep"),
        "page": Integer("Page of the list.", default=1, minimum=1, null="keep"),
        "per_page": Integer("Most items of a page.", default=10, minimum=1, maximum=100, null="keep"),
        "search": String("Part of the value.", null="keep"),
        "order": String("Order of the values.", enum=("asc", "desc"), default="asc", null="keep"),
        "orderby": String("Sort by this.", enum=_ORDERS, default="name", null="keep"),
        "hide_empty": Boolean("Taken; values without products are not kept.", default=False, null="keep"),
        "product": Integer("Only the values of this product.", null="keep"),
        "exclude": build_id_filter("Taken; values have no numbers.", []),
        "include": build_id_filter("Taken; values have no numbers.", []),
    }
    unknown = (local_attributes.LocalAttributeNotFound,)
    return (
        Route(
            READ,
            _ITEM,
            _read_attribute,
            slug,
            shop_permissions.require_view_permission,
            _build_attribute_schema,
            errors=unknown,
        ),
        Route(
            READ,
            f"{_ITEM}/terms",
            _list_attribute_values,
            listing,
            shop_permissions.require_view_permission,
            _build_attribute_schema,
            errors=unknown,
            answers="many",
        ),
    )


def add_name_search(route: Route) -> Route:
    """Return the list of shared attributes with a search by name; other routes unchanged."""
    if route.methods != READ or route.answers != "many":
        return route

    def around(call: Call, run: RunRoute) -> Result:
        text = fold_text(str(call.args.get("search") or "").strip())
        result = run(call)
        if text:
            result.body = [one for one in result.body if text in fold_text(str(one.get("name", "")))]
            result.headers["X-CMS-Total"] = len(result.body)
        return result

    return derive_route(route, around, args={**route.args, "search": String("Part of the name.", null="keep")})


def _read_attribute(call: Call) -> Result:
    """Read a local attribute of products by its slug."""
    found = local_attributes.get_local_attribute(call.work, call.args["slug"])
    body = {
        "id": found.slug, "name": found.name, "slug": found.slug, "type": "select", "order_by": "menu_order",
        "has_archives": False,
    }  # fmt: skip
    return Result(_select_fields(call, body), rels=_build_links(call, found), keeps_links=True)


def _list_attribute_values(call: Call) -> Result:
    """List the values of a local attribute of products."""
    args = call.args
    found = local_attributes.get_local_attribute(call.work, args["slug"])
    text = fold_text(args.get("search") or "")
    values = [
        one
        for one in local_attributes.list_attribute_values(call.work, found, args.get("product") or 0)
        if text in fold_text(one.text)
    ]
    by_count = args["orderby"] == "count"
    values.sort(key=lambda one: (one.count if by_count else 0, fold_text(one.text)), reverse=args["order"] == "desc")
    per_page, page = args["per_page"], args["page"]
    headers, links = build_page_headers(call, len(values), per_page, page)
    shown = values[(page - 1) * per_page : page * per_page]
    return Result([_select_fields(call, _serialize_value(one)) for one in shown], headers=headers, links=links)


def _serialize_value(one: LocalAttributeValue) -> dict[str, Any]:
    return {
        "id": one.slug, "name": one.text, "slug": one.slug, "description": "", "menu_order": 0, "count": one.count,
    }  # fmt: skip


def _build_links(call: Call, attribute: LocalAttribute) -> dict[str, Any]:
    base = call.work.api(f"{PATH}/products/attributes")
    return {"self": [{"href": f"{base}/{attribute.slug}"}], "collection": [{"href": base}]}


def _select_fields(call: Call, body: dict[str, Any]) -> dict[str, Any]:
    wanted = parse_field_selection(call.request.raw("_fields"))
    return body if wanted is None else select_fields(body, wanted.tree)


def _build_attribute_schema() -> dict[str, Any]:
    members: dict[str, Field] = {
        "id": String("Slug, in the place of a number.", readonly=True), "name": String("Its name.", readonly=True),
        "slug": String("Its slug.", readonly=True),
    }  # fmt: skip
    return Serializer(members, {}).schema("product_attribute")
