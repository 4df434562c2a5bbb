"""Layouts of a product's form in an editor: list those of an area, read one.

Not here: what they are (shop/products/layout_templates.py). Rules: issue 21; the shape is that which editors know, a
block being a list of its name, its attributes and the blocks inside.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import VIEW, Array, Field, Integer, Object, String
from vetrina.rest.response_fields import Either
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Shape, choice, chosen
from vetrina.shop.permissions import viewing
from vetrina.shop.products import layout_templates
from vetrina.shop.products.layout_templates import LayoutBlock, LayoutTemplate, LayoutTemplateUnknown

__all__ = ["routes"]

_PATH: Final = "/shop/v3/layout-templates"
_TYPE: Final = "editedProduct.type"  # how a condition of an editor names the kind of the product

_DEPTH: Final = 4  # of blocks within blocks, as the schema tells it


def _described(depth: int) -> Field:
    """Return what a block is as a list: its name, its attributes, the blocks inside."""
    inside = Array(items=_described(depth - 1)) if depth else Array(max_items=0)
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
        "Blocks; each is a list of its name, its attributes and the blocks inside.", items=_described(_DEPTH),
        context=(VIEW,), readonly=True,
    ),
}  # fmt: skip


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of layout templates."""
    area = {"area": String("Only the layouts of this area.", default="", null="keep")}
    id = {"id": String("Name of the layout.")}
    return (
        Route(READ, _PATH, _list, area, viewing, _schema, answers="many"),
        Route(READ, f"{_PATH}/{{id:\\w[\\w\\s\\-]*}}", _read, id, viewing, _schema, errors=(LayoutTemplateUnknown,)),
    )


def _schema() -> dict[str, Any]:
    return Shape(_MEMBERS, {}).schema("layout_template")


def _list(call: Call) -> Result:
    """List the layouts of a product's form."""
    found = layout_templates.list_templates(call.args.get("area") or "")
    return Result([_body(call, one) for one in found])


def _read(call: Call) -> Result:
    """Read a layout of a product's form, with its groups, sections and fields."""
    one = layout_templates.existing(call.args["id"])
    links = {"self": [{"href": call.work.api(f"{_PATH}/{one.id}")}], "collection": [{"href": call.work.api(_PATH)}]}
    return Result(_body(call, one), rels=links, keeps_links=True)


def _body(call: Call, one: LayoutTemplate) -> dict[str, Any]:
    body = {
        "id": one.id, "title": one.title, "description": one.description, "area": one.area,
        "blockTemplates": [_block(block) for block in one.blocks],
    }  # fmt: skip
    wanted = choice(call.request.raw("_fields"))
    return body if wanted is None else chosen(body, wanted.tree)


def _block(one: LayoutBlock) -> list[Any]:
    attributes: dict[str, Any] = {
        **one.attributes, "_templateBlockId": one.id, "_templateBlockOrder": one.order,
    }  # fmt: skip
    if one.hide:
        attributes["_templateBlockHideConditions"] = [
            {"expression": " || ".join(f'{_TYPE} === "{kind}"' for kind in one.hide)}
        ]
    return [one.name, attributes, [_block(block) for block in one.inner]]
