"""Attributes that belong to single products, found by the slug of their name, and the values that products give them.

Shared attributes have numbers and are found by those (shop/attributes/routes.py); here they are unknown.
Rules: facts, "Settings, notes, data, mirrors".
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.analytics.reports import local_attributes
from vetrina.analytics.reports.arguments import PATH, numbers
from vetrina.analytics.reports.local_attributes import LocalAttribute, Value
from vetrina.core.unit_of_work import Frame
from vetrina.kernel.folding import fold
from vetrina.rest.call import Call, Result
from vetrina.rest.derived_routes import Run, made_from
from vetrina.rest.fields import Boolean, Field, Integer, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Shape, choice, chosen
from vetrina.shop import permissions as shop_permissions

__all__ = ["routes", "searched"]

_ITEM: Final = rf"{PATH}/products/attributes/{{slug:[a-z0-9_\-]+}}"
_ORDERS: Final = ("id", "include", "name", "slug", "term_group", "description", "count")


def routes(frame: Frame) -> tuple[Route, ...]:
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
        "exclude": numbers("Taken; values have no numbers.", []),
        "include": numbers("Taken; values have no numbers.", []),
    }
    unknown = (local_attributes.LocalAttributeUnknown,)
    return (
        Route(READ, _ITEM, _read, slug, shop_permissions.viewing, _schema, errors=unknown),
        Route(
            READ, f"{_ITEM}/terms", _terms, listing, shop_permissions.viewing, _schema, errors=unknown, answers="many"
        ),
    )


def searched(route: Route) -> Route:
    """Return the list of shared attributes with a search by name; other routes as they are."""
    if route.methods != READ or route.answers != "many":
        return route

    def around(call: Call, run: Run) -> Result:
        text = fold(str(call.args.get("search") or "").strip())
        result = run(call)
        if text:
            result.body = [one for one in result.body if text in fold(str(one.get("name", "")))]
            result.headers["X-CMS-Total"] = len(result.body)
        return result

    return made_from(route, around, args={**route.args, "search": String("Part of the name.", null="keep")})


def _read(call: Call) -> Result:
    """Read an attribute that products have of their own, by its name."""
    found = local_attributes.existing(call.work, call.args["slug"])
    body = {
        "id": found.slug, "name": found.name, "slug": found.slug, "type": "select", "order_by": "menu_order",
        "has_archives": False,
    }  # fmt: skip
    return Result(_chosen(call, body), rels=_links(call, found), keeps_links=True)


def _terms(call: Call) -> Result:
    """List the values of an attribute that products have of their own."""
    args = call.args
    found = local_attributes.existing(call.work, args["slug"])
    text = fold(args.get("search") or "")
    values = [
        one for one in local_attributes.values(call.work, found, args.get("product") or 0) if text in fold(one.text)
    ]
    by_count = args["orderby"] == "count"
    values.sort(key=lambda one: (one.count if by_count else 0, fold(one.text)), reverse=args["order"] == "desc")
    per_page, page = args["per_page"], args["page"]
    headers, links = page_headers(call, len(values), per_page, page)
    shown = values[(page - 1) * per_page : page * per_page]
    return Result([_chosen(call, _term(one)) for one in shown], headers=headers, links=links)


def _term(one: Value) -> dict[str, Any]:
    return {
        "id": one.slug, "name": one.text, "slug": one.slug, "description": "", "menu_order": 0, "count": one.count,
    }  # fmt: skip


def _links(call: Call, found: LocalAttribute) -> dict[str, Any]:
    base = call.work.api(f"{PATH}/products/attributes")
    return {"self": [{"href": f"{base}/{found.slug}"}], "collection": [{"href": base}]}


def _chosen(call: Call, body: dict[str, Any]) -> dict[str, Any]:
    wanted = choice(call.request.raw("_fields"))
    return body if wanted is None else chosen(body, wanted.tree)


def _schema() -> dict[str, Any]:
    members: dict[str, Field] = {
        "id": String("Slug, in the place of a number.", readonly=True), "name": String("Its name.", readonly=True),
        "slug": String("Its slug.", readonly=True),
    }  # fmt: skip
    return Shape(members, {}).schema("product_attribute")
