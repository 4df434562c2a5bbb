"""Layouts of the form by which an editor shows a product: which groups it has, which sections, which fields.

Two are built in (layout_templates.toml); packages bring more by entry points of the group `vetrina.layout_templates`,
each the name of a sequence of `LayoutTemplate`. Not here: the routes (shop/products/layout_template_routes.py), what a
product has (shop/products/schema.py).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from typing import Any, Final

import msgspec

from vetrina.kernel.errors import ApiError

__all__ = ["LayoutBlock", "LayoutTemplate", "LayoutTemplateUnknown", "existing", "known", "list_templates"]

_GROUP: Final = "vetrina.layout_templates"
_BLOCKS: Final = "shop/"
_STEP: Final = 10  # between places, so that a package finds room


class LayoutTemplateUnknown(ApiError):
    status, code = 404, "shop_rest_layout_template_invalid_id"
    message = "There is no layout template with the name {id!r}."


class LayoutBlock(msgspec.Struct, frozen=True):
    """A block of a form. id: its name in the layout. hide: kinds of products that do without it."""

    name: str
    id: str
    order: int
    attributes: Mapping[str, Any] = {}
    inner: tuple[LayoutBlock, ...] = ()
    hide: tuple[str, ...] = ()


class LayoutTemplate(msgspec.Struct, frozen=True):
    """A layout. area: what it is the form of. product_type: of what kind of record, `product` or `variation`."""

    id: str
    title: str
    description: str
    area: str
    blocks: tuple[LayoutBlock, ...]
    of: str = "product"


@cache
def known() -> Mapping[str, LayoutTemplate]:
    """Return every layout by its name: those built in, then those that packages bring."""
    text = (files(__package__) / "layout_templates.toml").read_text(encoding="utf-8")
    found = {one["id"]: _read(one) for one in tomllib.loads(text)["template"]}
    for point in entry_points(group=_GROUP):
        for template in point.load():
            found.setdefault(template.id, template)
    return found


def list_templates(area: str = "") -> list[LayoutTemplate]:
    """Return the layouts of an area, all for none."""
    return [one for one in known().values() if area in ("", one.area)]


def existing(id: str) -> LayoutTemplate:
    """Return a layout. Raises LayoutTemplateUnknown."""
    found = known().get(id)
    if found is None:
        raise LayoutTemplateUnknown(id=id)
    return found


def _read(told: Mapping[str, Any]) -> LayoutTemplate:
    groups = tuple(_group(one, at) for at, one in enumerate(told["group"], 1))
    return LayoutTemplate(
        told["id"], told["title"], told["description"], told["area"], groups, told.get("of", "product")
    )


def _group(told: Mapping[str, Any], at: int) -> LayoutBlock:
    sections = tuple(_section(one, told["id"], number) for number, one in enumerate(told["section"], 1))
    attributes = {"id": told["id"], "title": told["title"]}
    return LayoutBlock(
        f"{_BLOCKS}product-tab", told["id"], at * _STEP, attributes, sections, tuple(told.get("hide", ()))
    )


def _section(told: Mapping[str, Any], group: str, at: int) -> LayoutBlock:
    id = f"{group}-{told['id']}"
    fields = tuple(_field(one, id, number) for number, one in enumerate(told["fields"], 1))
    attributes = {"title": told["title"], "description": told["description"]}
    return LayoutBlock(f"{_BLOCKS}product-section", id, at * _STEP, attributes, fields, tuple(told.get("hide", ())))


def _field(told: Mapping[str, Any], section: str, at: int) -> LayoutBlock:
    attributes: dict[str, Any] = {"property": told["property"], "label": told["label"]}
    if "also" in told:
        attributes["properties"] = [told["property"], *told["also"]]
    if "options" in told:
        attributes["options"] = [{"value": one, "label": one} for one in told["options"]]
    return LayoutBlock(f"{_BLOCKS}{told['block']}", f"{section}-{told['id']}", at * _STEP, attributes)
