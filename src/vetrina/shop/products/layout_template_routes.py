"""Routes of the layouts of an editor's product form: list those of an area, read one.

Not here: the layouts (shop/products/layout_templates.py). The shape is the one that editors know: a block is a list of
its name, its attributes and its inner blocks.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result
from vetrina.rest.field_selection import parse_field_selection, select_fields
from vetrina.rest.fields import VIEW, Array, Field, Integer, Object, String
from vetrina.rest.response_fields import Either
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop.permissions import require_view_permission
from vetrina.shop.products import layout_templates
from vetrina.shop.products.layout_templates import LayoutBlock, LayoutTemplate, LayoutTemplateNotFound

_PATH: Final = "/shop/v3/layout-templates"
_TYPE: Final = "editedProduct.type"  # how an editor's condition names the kind of the product

_DEPTH: Final = 4  # nesting of blocks in the schema


def _build_block_field(depth: int) -> Field:
    """Return the field of a block as a list: its name, its attributes, its inner blocks."""
    inside = Array(items=_build_block_field(depth - 1)) if depth else Array(max_items=0)
    texts = Array(items=String())
    choices = Array(items=Object(additional=String()))
    attributes = Object(additional=Either("", (String(), Integer(), texts, choices)))
    return Array(items=Either("", (String(), attributes, inside)))


_MEMBERS: Final[dict[str, Field]] = {
    "id": String("Name of the layout.", context=(VIEW,), readonly=True),
    "title": String("What it is called.", context=(VIEW,), readonly=True),
    "description": String("What it is for.", context=(VIEW,), readonly=True),
    "area": String("What it is the form of.", context=(VIEW,), readonly=True),
    "blockTemplates": Array(
        "Blocks; each is a list of its name, its attributes and the blocks inside.", items=_build_block_field(_DEPTH),
        context=(VIEW,), readonly=True,
    ),
}  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of layout templates."""
    area = {"area": String("Only the layouts of this area.", default="", null="keep")}
    id = {"id": String("Name of the layout.")}
    return (
        Route(
            READ, _PATH, _list_layout_templates, area, require_view_permission, _build_layout_template_schema,
            answers="many",
        ),
        Route(
            READ, f"{_PATH}/{{id:\\w[\\w\\s\\-]*}}", _read_layout_template, id, require_view_permission,
            _build_layout_template_schema, errors=(LayoutTemplateNotFound,),
        ),
    )  # fmt: skip


def _build_layout_template_schema() -> dict[str, Any]:
    return Serializer(_MEMBERS, {}).schema("layout_template")


def _list_layout_templates(call: Call) -> Result:
    """List the layouts of a product form."""
    found = layout_templates.list_layout_templates(call.args.get("area") or "")
    return Result([_serialize_layout_template(call, one) for one in found])


def _read_layout_template(call: Call) -> Result:
    """Read a layout of a product form, with its groups, sections and fields."""
    one = layout_templates.get_layout_template(call.args["id"])
    links = {"self": [{"href": call.work.api(f"{_PATH}/{one.id}")}], "collection": [{"href": call.work.api(_PATH)}]}
    return Result(_serialize_layout_template(call, one), rels=links, keeps_links=True)


def _serialize_layout_template(call: Call, one: LayoutTemplate) -> dict[str, Any]:
    body = {
        "id": one.id, "title": one.title, "description": one.description, "area": one.area,
        "blockTemplates": [_serialize_block(block) for block in one.blocks],
    }  # fmt: skip
    wanted = parse_field_selection(call.request.raw("_fields"))
    return body if wanted is None else select_fields(body, wanted.tree)


def _serialize_block(one: LayoutBlock) -> list[Any]:
    attributes: dict[str, Any] = {
        **one.attributes, "_templateBlockId": one.id, "_templateBlockOrder": one.order,
    }  # fmt: skip
    if one.hide:
        attributes["_templateBlockHideConditions"] = [
            {"expression": " || ".join(f'{_TYPE} === "{kind}"' for kind in one.hide)}
        ]
    return [one.name, attributes, [_serialize_block(block) for block in one.inner]]
