"""Products, variations, their groups and attributes as the older versions of the interface show them.

What differs is the shape: whether a product is in stock stands for its status of stock, a product without images shows
a stand-in, and version one has no moments in GMT beside the others and holds its variations.
Not here: reviews (shop/versions/review_routes.py). Rules: the recordings of older versions and their roots.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import times
from vetrina.rest.call import Call, Result
from vetrina.rest.derived_routes import Run, made_from
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.response_fields import texts
from vetrina.rest.route import READ, Route
from vetrina.shop.attributes import routes as attribute_routes
from vetrina.shop.groupings import routes as grouping_routes
from vetrina.shop.products import model as product_model
from vetrina.shop.products import placeholder
from vetrina.shop.products import routes as product_routes
from vetrina.shop.products.member_views import PRODUCT_SHAPE, VARIATION_SHAPE
from vetrina.shop.products.views import View
from vetrina.shop.variations import routes as variation_routes
from vetrina.shop.variations import rules as variation_rules
from vetrina.shop.versions.routes import derived

__all__ = ["first", "second"]

_NEW_IN_PRODUCTS: Final = (
    "cost_of_goods_sold", "low_stock_amount", "stock_status", "has_options", "post_password", "global_unique_id",
    "permalink_template", "generated_slug",
)  # fmt: skip
_NEW_IN_VARIATIONS: Final = (
    "cost_of_goods_sold", "low_stock_amount", "stock_status", "global_unique_id", "name", "parent_id", "type", "status",
)  # fmt: skip
_NEW_ARGUMENTS: Final = (
    "cost_of_goods_sold", "low_stock_amount", "stock_status", "global_unique_id", "date_created", "date_created_gmt",
    "post_password",
)  # fmt: skip
_NEW_FILTERS: Final = (
    "global_unique_id", "search_sku", "search_name_or_sku", "search_fields", "include_status", "exclude_status",
    "include_types", "exclude_types", "pos_products_only", "stock_status", "virtual", "downloadable", "tax_class",
    "has_price",
)  # fmt: skip
_FILTERS_OF_TWO: Final = (
    "dates_are_gmt", "modified_after", "modified_before", "parent", "parent_exclude", "brand", "featured", "on_sale",
    "min_price", "max_price", "include_meta", "exclude_meta",
)  # fmt: skip
_NEW_ROUTES: Final = ("/suggested-products", "/duplicate", "/custom-fields/names", "/generate", "/slug-suggestion")
_GMT: Final = ("date_created_gmt", "date_modified_gmt", "date_on_sale_from_gmt", "date_on_sale_to_gmt")

_IMAGE: Final = Object("Its image.", properties={
    "id": Integer(), "position": Integer(),
    **texts("src", "name", "alt", "date_created", "date_created_gmt", "date_modified", "date_modified_gmt"),
})  # fmt: skip
_STOCKED: Final[dict[str, Field]] = {"in_stock": Boolean("Whether it can be had.")}
_OLDER: Final[dict[str, Field]] = {**_STOCKED, "images": Array("Its images.", items=_IMAGE)}
_OLDER_VARIATION: Final[dict[str, Field]] = {
    **_STOCKED, "visible": Boolean("Whether visitors see it."), "image": _IMAGE,
}  # fmt: skip
_OLDEST: Final[dict[str, Field]] = {**_OLDER, "download_type": String("Kind of the files.")}
_IN_STOCK: Final[dict[str, Field]] = {"in_stock": Boolean("Whether it can be had.", null="keep")}
_VISIBLE: Final[dict[str, Field]] = {"visible": Boolean("Whether visitors see it.", null="keep")}
_GROUPED: Final[dict[str, Field]] = {"grouped_products": Array("Products of a group.", items=Integer(), null="keep")}
_VARIATIONS: Final[dict[str, Field]] = {"variations": Array("Its variations.", items=Object(), null="keep")}
_FILTER: Final[dict[str, Field]] = {"filter": Object("Further filters.", null="keep")}
_KIND_OF_FILES: Final[dict[str, Field]] = {
    "download_type": String("Kind of the files.", enum=("standard",), default="standard", null="keep")
}


def second(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the catalogue in version two."""
    version = "shop/v2"
    groups = (
        grouping_routes.brands,
        grouping_routes.attribute_terms,
        attribute_routes.routes,
        grouping_routes.categories,
        grouping_routes.shipping_classes,
        grouping_routes.tags,
    )
    return (
        *(route for room in groups for route in derived(room(frame), version, leave=_NEW_ROUTES)),
        *derived(product_routes.routes(frame), version, _product_two, less=_NEW_ARGUMENTS, less_filters=_NEW_FILTERS,
                 more=_IN_STOCK | _GROUPED, filters=_IN_STOCK, turned=_turned, shows=_OLDER,
                 leave=_NEW_ROUTES),
        *derived(variation_routes.routes(frame), version, _variation_two, less=(*_NEW_ARGUMENTS, "status"),
                 less_filters=_NEW_FILTERS, more=_IN_STOCK | _VISIBLE, filters=_IN_STOCK, turned=_turned,
                 shows=_OLDER_VARIATION, leave=_NEW_ROUTES),
    )  # fmt: skip


def first(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the catalogue in version one."""
    version = "shop/v1"
    groups = (
        grouping_routes.attribute_terms,
        attribute_routes.routes,
        grouping_routes.categories,
        grouping_routes.shipping_classes,
        grouping_routes.tags,
    )
    more = _IN_STOCK | _VARIATIONS | _KIND_OF_FILES
    later = (*_NEW_ARGUMENTS, *_GMT, "meta_data", "brands")
    return (
        *(route for room in groups for route in derived(room(frame), version, leave=_NEW_ROUTES)),
        *(
            _with_variations(route)
            for route in derived(product_routes.routes(frame), version, _product_one, less=later,
                                 less_filters=(*_NEW_FILTERS, *_FILTERS_OF_TWO), more=more, filters=_FILTER,
                                 turned=_turned, shows=_OLDEST,
                                 leave=(*_NEW_ROUTES, "/related"))
        ),
    )  # fmt: skip


def _turned(call: Call) -> None:
    """Write arguments that the newest version does not have into those that it has."""
    wanted = call.args.pop("in_stock", None)
    if wanted is not None and call.route.methods == READ:
        call.args["stock_statuses"] = ("instock", "onbackorder") if wanted else ("outofstock",)
    elif wanted is not None:
        call.args["stock_status"] = "instock" if wanted else "outofstock"
    visible = call.args.pop("visible", None)
    if visible is not None:
        call.args["status"] = "publish" if visible else "private"


def _with_variations(route: Route) -> Route:
    """Return a route of version one that writes the variations which stand in their product."""
    route = route.but(schema=_schema_one) if route.schema is not None else route
    if "variations" not in route.args:
        return route

    def around(call: Call, run: Run) -> Result:
        result = run(call)
        given = call.args.get("variations") or ()
        work: Work = call.work
        for one in given:
            above = product_model.existing(work, result.body["id"])
            members = {**one, **({"status": "publish" if one["visible"] else "private"} if "visible" in one else {})}
            if one.get("id"):
                variation_rules.change(work, above, variation_rules.existing(work, above.id, one["id"]), members)
            else:
                variation_rules.create(work, above, members)
        if given:
            found = product_model.existing(work, result.body["id"])
            result.body["variations"] = _variations_one(work, found.id)
            result.body["price"] = found.price
        return result

    return made_from(route, around)


def _schema_one() -> dict[str, Any]:
    """Return the schema of products, whose variations are whole ones."""
    schema = PRODUCT_SHAPE.schema("product")
    whole = {**schema["properties"]["variations"], "items": {"type": "object"}}
    return {**schema, "properties": {**schema["properties"], "variations": whole}}


# -- shapes


def _product_two(body: dict[str, Any], call: Call) -> dict[str, Any]:
    out = _retold(body, _NEW_IN_PRODUCTS)
    out["images"] = _placed(body["images"], call.work)
    return out


def _product_one(body: dict[str, Any], call: Call) -> dict[str, Any]:
    out = _in_gmt(_product_two(body, call))
    out["download_type"] = "standard"
    if body["variations"]:
        out["variations"] = _variations_one(call.work, body["id"])
    return out


def _variations_one(work: Work, id: int) -> list[dict[str, Any]]:
    found = product_model.variations_of(work, id)
    view = View(work, found, "view")
    return [_variation_one(VARIATION_SHAPE.members(one, view, "view"), work) for one in found]


def _variation_two(body: dict[str, Any], call: Call) -> dict[str, Any]:
    return _variation(body, call.work)


def _variation(body: dict[str, Any], work: Work) -> dict[str, Any]:
    out = _retold(body, _NEW_IN_VARIATIONS)
    out["visible"] = body["status"] == "publish"
    out["image"] = _placed([body["image"]] if body["image"] else [], work)[0]
    return out


def _variation_one(body: dict[str, Any], work: Work) -> dict[str, Any]:
    out = _in_gmt(_variation(body, work))
    out["image"] = [out["image"]]
    return {name: value for name, value in out.items() if name not in ("description", "menu_order")}


def _retold(body: dict[str, Any], new: tuple[str, ...]) -> dict[str, Any]:
    out = {name: value for name, value in body.items() if name not in new}
    out["in_stock"] = body["stock_status"] != "outofstock"
    out["attributes"] = [{name: value for name, value in one.items() if name != "slug"} for one in body["attributes"]]
    return out


def _in_gmt(body: dict[str, Any]) -> dict[str, Any]:
    """Return a record with its moments as version one has them: in GMT, those of a sale as days."""
    out = {name: value for name, value in body.items() if name not in (*_GMT, "meta_data")}
    out |= {name: body[f"{name}_gmt"] for name in ("date_created", "date_modified")}
    out |= {name: (body[name] or "")[:10] for name in ("date_on_sale_from", "date_on_sale_to")}
    return out


def _placed(images: list[dict[str, Any]], work: Work) -> list[dict[str, Any]]:
    """Return images with their places; where there are none, the stand-in."""
    if images:
        return [{**one, "position": at} for at, one in enumerate(images)]
    local, gmt = times.iso(work.local_now), times.iso(work.now)
    stand_in = {
        "id": 0, "date_created": local, "date_created_gmt": gmt, "date_modified": local, "date_modified_gmt": gmt,
        "src": placeholder.url(work), "name": "Placeholder", "alt": "Placeholder", "position": 0,
    }  # fmt: skip
    return [stand_in]
