"""Layouts of the form in which an editor shows a product: its groups, sections and fields.

Two are built in (layout_templates.toml); packages add more by entry points of the group `vetrina.layout_templates`,
each naming a sequence of `LayoutTemplate`. Not here: the routes (shop/products/layout_template_routes.py), the members
of a product (shop/products/schema.py).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from typing import Any, Final

import msgspec

from vetrina.kernel.errors import ApiError, Failure

_GROUP: Final = "vetrina.layout_templates"
_BLOCKS: Final = "shop/"
_STEP: Final = 10  # between positions, so that packages can insert blocks


class LayoutTemplateNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_layout_template_invalid_id"
    message = "There is no layout template with the name {id!r}."


class LayoutBlock(msgspec.Struct, frozen=True):
    """A block of a form. id: its name in the layout. hide: kinds of products that do not have it."""

    name: str
    id: str
    order: int
    attributes: Mapping[str, Any] = {}
    inner: tuple[LayoutBlock, ...] = ()
    hide: tuple[str, ...] = ()


class LayoutTemplate(msgspec.Struct, frozen=True):
    """A layout. area: what it is a form for. of: the type of record, `product` or `variation`."""

    id: str
    title: str
    description: str
    area: str
    blocks: tuple[LayoutBlock, ...]
    of: str = "product"


@cache
def load_layout_templates() -> Mapping[str, LayoutTemplate]:
    """Return every layout by id: those built in, then those of packages."""
    text = (files(__package__) / "layout_templates.toml").read_text(encoding="utf-8")
    found = {one["id"]: _build_template(one) for one in tomllib.loads(text)["template"]}
    for point in entry_points(group=_GROUP):
        for template in point.load():
            found.setdefault(template.id, template)
    return found


def list_layout_templates(area: str = "") -> list[LayoutTemplate]:
    """Return the layouts of an area, all for an empty one."""
    return [one for one in load_layout_templates().values() if area in ("", one.area)]


def get_layout_template(id: str) -> LayoutTemplate:
    """Return a layout. Raises LayoutTemplateNotFound."""
    found = load_layout_templates().get(id)
    if found is None:
        raise LayoutTemplateNotFound(id=id)
    return found


def _build_template(table: Mapping[str, Any]) -> LayoutTemplate:
    groups = tuple(_build_group(one, at) for at, one in enumerate(table["group"], 1))
    return LayoutTemplate(
        table["id"], table["title"], table["description"], table["area"], groups, table.get("of", "product")
    )


def _build_group(table: Mapping[str, Any], at: int) -> LayoutBlock:
    sections = tuple(_build_section(one, table["id"], number) for number, one in enumerate(table["section"], 1))
    attributes = {"id": table["id"], "title": table["title"]}
    return LayoutBlock(
        f"{_BLOCKS}product-tab", table["id"], at * _STEP, attributes, sections, tuple(table.get("hide", ()))
    )


def _build_section(table: Mapping[str, Any], group: str, at: int) -> LayoutBlock:
    id = f"{group}-{table['id']}"
    fields = tuple(_build_field(one, id, number) for number, one in enumerate(table["fields"], 1))
    attributes = {"title": table["title"], "description": table["description"]}
    return LayoutBlock(f"{_BLOCKS}product-section", id, at * _STEP, attributes, fields, tuple(table.get("hide", ())))


def _build_field(table: Mapping[str, Any], section: str, at: int) -> LayoutBlock:
    attributes: dict[str, Any] = {"property": table["property"], "label": table["label"]}
    if "also" in table:
        attributes["properties"] = [table["property"], *table["also"]]
    if "options" in table:
        attributes["options"] = [{"value": one, "label": one} for one in table["options"]]
    return LayoutBlock(f"{_BLOCKS}{table['block']}", f"{section}-{table['id']}", at * _STEP, attributes)
