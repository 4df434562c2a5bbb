"""Products, variations, their terms and attributes in the older versions of the interface.

Only the shape differs: `in_stock` instead of a stock status, a placeholder for a product without images; version one
has no `_gmt` dates and contains a product's variations. Not here: reviews (shop/versions/review_routes.py).
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.rest.call import Result
from vetrina.rest.derived_routes import RunRoute, derive_route
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.response_fields import build_text_fields
from vetrina.rest.route import READ, Route
from vetrina.shop.attributes import routes as attribute_routes
from vetrina.shop.groupings import routes as grouping_routes
from vetrina.shop.products import model as product_model, placeholder, routes as product_routes
from vetrina.shop.products.member_views import PRODUCT_SERIALIZER, VARIATION_SERIALIZER
from vetrina.shop.products.views import ShopProductView
from vetrina.shop.variations import routes as variation_routes, rules as variation_rules
from vetrina.shop.versions.routes import derive_version_routes

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
_V2_ONLY_FILTERS: Final = (
    "dates_are_gmt", "modified_after", "modified_before", "parent", "parent_exclude", "brand", "featured", "on_sale",
    "min_price", "max_price", "include_meta", "exclude_meta",
)  # fmt: skip
_NEW_ROUTES: Final = ("/suggested-products", "/duplicate", "/custom-fields/names", "/generate", "/slug-suggestion")
_GMT: Final = ("date_created_gmt", "date_modified_gmt", "date_on_sale_from_gmt", "date_on_sale_to_gmt")

_IMAGE: Final = Object("Its image.", properties={
    "id": Integer(), "position": Integer(),
    **build_text_fields("src", "name", "alt", "date_created", "date_created_gmt", "date_modified", "date_modified_gmt"),
})  # fmt: skip
_STOCK_MEMBER: Final[dict[str, Field]] = {"in_stock": Boolean("Whether it can be had.")}
_V2_MEMBERS: Final[dict[str, Field]] = {**_STOCK_MEMBER, "images": Array("Its images.", items=_IMAGE)}
_V2_VARIATION_MEMBERS: Final[dict[str, Field]] = {
    **_STOCK_MEMBER, "visible": Boolean("Whether visitors see it."), "image": _IMAGE,
}  # fmt: skip
_V1_MEMBERS: Final[dict[str, Field]] = {**_V2_MEMBERS, "download_type": String("Kind of the files.")}
_IN_STOCK: Final[dict[str, Field]] = {"in_stock": Boolean("Whether it can be had.", null="keep")}
_VISIBLE: Final[dict[str, Field]] = {"visible": Boolean("Whether visitors see it.", null="keep")}
_GROUPED: Final[dict[str, Field]] = {"grouped_products": Array("Products of a group.", items=Integer(), null="keep")}
_VARIATIONS: Final[dict[str, Field]] = {"variations": Array("Its variations.", items=Object(), null="keep")}
_FILTER: Final[dict[str, Field]] = {"filter": Object("Further filters.", null="keep")}
_DOWNLOAD_TYPE: Final[dict[str, Field]] = {
    "download_type": String("Kind of the files.", enum=("standard",), default="standard", null="keep")
}


def build_v2_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the catalogue in version two."""
    version = "shop/v2"
    groups = (
        grouping_routes.build_brand_routes,
        grouping_routes.build_attribute_term_routes,
        attribute_routes.build_routes,
        grouping_routes.build_category_routes,
        grouping_routes.build_shipping_class_routes,
        grouping_routes.build_tag_routes,
    )
    return (
        *(
            route
            for build_routes in groups
            for route in derive_version_routes(build_routes(site), version, omit=_NEW_ROUTES)
        ),
        *derive_version_routes(
            product_routes.build_routes(site), version, _convert_product_to_v2, removed_arguments=_NEW_ARGUMENTS,
            removed_filters=_NEW_FILTERS, added_arguments=_IN_STOCK | _GROUPED, added_filters=_IN_STOCK,
            translate_arguments=_translate_legacy_arguments, added_fields=_V2_MEMBERS, omit=_NEW_ROUTES,
            omitted_fields=_NEW_IN_PRODUCTS,
        ),
        *derive_version_routes(
            variation_routes.build_routes(site), version, _convert_variation_to_v2,
            removed_arguments=(*_NEW_ARGUMENTS, "status"), removed_filters=_NEW_FILTERS,
            added_arguments=_IN_STOCK | _VISIBLE, added_filters=_IN_STOCK,
            translate_arguments=_translate_legacy_arguments, added_fields=_V2_VARIATION_MEMBERS, omit=_NEW_ROUTES,
            omitted_fields=_NEW_IN_VARIATIONS,
        ),
    )  # fmt: skip


def build_v1_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the catalogue in version one."""
    version = "shop/v1"
    groups = (
        grouping_routes.build_attribute_term_routes,
        attribute_routes.build_routes,
        grouping_routes.build_category_routes,
        grouping_routes.build_shipping_class_routes,
        grouping_routes.build_tag_routes,
    )
    more = _IN_STOCK | _VARIATIONS | _DOWNLOAD_TYPE
    later = (*_NEW_ARGUMENTS, *_GMT, "meta_data", "brands")
    return (
        *(
            route
            for build_routes in groups
            for route in derive_version_routes(build_routes(site), version, omit=_NEW_ROUTES)
        ),
        *(
            _add_nested_variations(route)
            for route in derive_version_routes(
                product_routes.build_routes(site), version, _convert_product_to_v1, removed_arguments=later,
                removed_filters=(*_NEW_FILTERS, *_V2_ONLY_FILTERS), added_arguments=more, added_filters=_FILTER,
                translate_arguments=_translate_legacy_arguments, added_fields=_V1_MEMBERS,
                omit=(*_NEW_ROUTES, "/related"), omitted_fields=(*_NEW_IN_PRODUCTS, *_GMT, "meta_data"),
            )
        ),
    )  # fmt: skip


def _translate_legacy_arguments(call: Call) -> None:
    """Translate arguments that the newest version does not have into those that it has."""
    wanted = call.args.pop("in_stock", None)
    if wanted is not None and call.route.methods == READ:
        call.args["stock_statuses"] = ("instock", "onbackorder") if wanted else ("outofstock",)
    elif wanted is not None:
        call.args["stock_status"] = "instock" if wanted else "outofstock"
    visible = call.args.pop("visible", None)
    if visible is not None:
        call.args["status"] = "publish" if visible else "private"


def _add_nested_variations(route: Route) -> Route:
    """Return a route of version one that writes the variations nested in their product."""
    route = route.replace(schema=_build_v1_product_schema) if route.schema is not None else route
    if "variations" not in route.args:
        return route

    def around(call: Call, run: RunRoute) -> Result:
        result = run(call)
        given = call.args.get("variations") or ()
        work = call.work
        for one in given:
            above = product_model.get_product(work, result.body["id"])
            members = {**one, **({"status": "publish" if one["visible"] else "private"} if "visible" in one else {})}
            if one.get("id"):
                variation_rules.update_variation(
                    work, above, variation_rules.get_variation(work, above.id, one["id"]), members
                )
            else:
                variation_rules.create_variation(work, above, members)
        if given:
            found = product_model.get_product(work, result.body["id"])
            result.body["variations"] = _list_v1_variations(work, found.id)
            result.body["price"] = found.price
        return result

    return derive_route(route, around)


def _build_v1_product_schema() -> dict[str, Any]:
    """Return the schema of products with complete variations."""
    schema = PRODUCT_SERIALIZER.schema("product")
    whole = {**schema["properties"]["variations"], "items": {"type": "object"}}
    return {**schema, "properties": {**schema["properties"], "variations": whole}}


# -- conversions


def _convert_product_to_v2(body: dict[str, Any], call: Call) -> dict[str, Any]:
    out = _convert_common_members(body, _NEW_IN_PRODUCTS)
    out["images"] = _number_images(body["images"], call.work)
    return out


def _convert_product_to_v1(body: dict[str, Any], call: Call) -> dict[str, Any]:
    out = _keep_gmt_dates(_convert_product_to_v2(body, call))
    out["download_type"] = "standard"
    if body["variations"]:
        out["variations"] = _list_v1_variations(call.work, body["id"])
    return out


def _list_v1_variations(work: UnitOfWork, id: int) -> list[dict[str, Any]]:
    found = product_model.list_product_variations(work, id)
    view = ShopProductView(work, found, "view")
    return [_convert_variation_to_v1(VARIATION_SERIALIZER.serialize(one, view, "view"), work) for one in found]


def _convert_variation_to_v2(body: dict[str, Any], call: Call) -> dict[str, Any]:
    return _convert_variation_body(body, call.work)


def _convert_variation_body(body: dict[str, Any], work: UnitOfWork) -> dict[str, Any]:
    out = _convert_common_members(body, _NEW_IN_VARIATIONS)
    out["visible"] = body["status"] == "publish"
    out["image"] = _number_images([body["image"]] if body["image"] else [], work)[0]
    return out


def _convert_variation_to_v1(body: dict[str, Any], work: UnitOfWork) -> dict[str, Any]:
    out = _keep_gmt_dates(_convert_variation_body(body, work))
    out["image"] = [out["image"]]
    return {name: value for name, value in out.items() if name not in ("description", "menu_order")}


def _convert_common_members(body: dict[str, Any], new: tuple[str, ...]) -> dict[str, Any]:
    out = {name: value for name, value in body.items() if name not in new}
    out["in_stock"] = body["stock_status"] != "outofstock"
    out["attributes"] = [{name: value for name, value in one.items() if name != "slug"} for one in body["attributes"]]
    return out


def _keep_gmt_dates(body: dict[str, Any]) -> dict[str, Any]:
    """Return a record with its dates as in version one: in GMT, those of a sale as days."""
    out = {name: value for name, value in body.items() if name not in (*_GMT, "meta_data")}
    out |= {name: body[f"{name}_gmt"] for name in ("date_created", "date_modified")}
    out |= {name: (body[name] or "")[:10] for name in ("date_on_sale_from", "date_on_sale_to")}
    return out


def _number_images(images: list[dict[str, Any]], work: UnitOfWork) -> list[dict[str, Any]]:
    """Return images with their positions; the placeholder where there are none."""
    if images:
        return [{**one, "position": at} for at, one in enumerate(images)]
    local, gmt = times.format_iso(work.local_now), times.format_iso(work.now)
    stand_in = {
        "id": 0, "date_created": local, "date_created_gmt": gmt, "date_modified": local, "date_modified_gmt": gmt,
        "src": placeholder.build_placeholder_url(work), "name": "Placeholder", "alt": "Placeholder", "position": 0,
    }  # fmt: skip
    return [stand_in]
