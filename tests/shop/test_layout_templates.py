"""Layouts of a product's form: those of an area, one by its name, and that each names existing members."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import Client, Stand, standing
from vetrina.settings import load_profile
from vetrina.shop.products import layout_templates

PATH = "/shop/v3/layout-templates"
PACKAGE = """
from vetrina.shop.products.layout_templates import LayoutBlock, LayoutTemplate

FIELD = LayoutBlock("shop/product-text-field", "engraving", 10, {"property": "purchase_note", "label": "Engraving"})
LAYOUTS = (LayoutTemplate("ring", "Ring", "A ring with an engraving.", "ring-form", (FIELD,)),)
"""


def fields(blocks: list[Any]) -> Iterator[dict[str, Any]]:
    for _, attributes, inner in blocks:
        if "property" in attributes:
            yield attributes
        yield from fields(inner)


def properties(layout: dict[str, Any]) -> set[str]:
    return {name for one in fields(layout["blockTemplates"]) for name in one.get("properties", [one["property"]])}


def test_a_layout_names_what_a_product_has(manager: Client) -> None:
    layout = manager.get(f"{PATH}/simple-product").json
    assert (layout["id"], layout["area"]) == ("simple-product", "product-form")
    groups = [attributes["id"] for _, attributes, _ in layout["blockTemplates"]]
    assert groups == ["general", "organization", "inventory", "shipping", "variations"]
    product = manager.post("/shop/v3/products", {"name": "Cup"}).json
    named = properties(layout)
    assert named <= product.keys()
    writable = manager.options("/shop/v3/products").json["schema"]["properties"]
    assert {name for name in named if writable[name].get("readonly")} <= {"variations", "grouped_products"}
    assert {"name", "regular_price", "sale_price", "sku", "stock_quantity", "weight", "categories"} <= named


def test_a_layout_of_variations_names_what_a_variation_has(manager: Client) -> None:
    shirt = manager.post("/shop/v3/products", {"name": "Shirt", "type": "variable"}).json["id"]
    variation = manager.post(f"/shop/v3/products/{shirt}/variations", {"regular_price": "9"}).json
    assert properties(manager.get(f"{PATH}/product-variation").json) <= variation.keys()


def test_names_and_places_of_blocks_are_their_own(manager: Client) -> None:
    for layout in manager.get(PATH).json:
        found: list[str] = []

        def walk(blocks: list[Any], found: list[str] = found) -> None:
            orders = [attributes["_templateBlockOrder"] for _, attributes, _ in blocks]
            assert orders == sorted(set(orders))
            for _, attributes, inner in blocks:
                found.append(attributes["_templateBlockId"])
                walk(inner)

        walk(layout["blockTemplates"])
        assert len(found) == len(set(found))


def test_what_a_kind_does_without_is_hidden_for_it(manager: Client) -> None:
    tabs = manager.get(f"{PATH}/simple-product").json["blockTemplates"]
    [variations] = [attributes for _, attributes, _ in tabs if attributes["id"] == "variations"]
    [condition] = variations["_templateBlockHideConditions"]
    assert 'editedProduct.type === "simple"' in condition["expression"]
    assert "variable" not in condition["expression"]


def test_layouts_are_listed_by_area(site: Stand, manager: Client) -> None:
    assert [one["id"] for one in manager.get(PATH).json] == ["simple-product", "product-variation"]
    assert len(manager.get(f"{PATH}?area=product-form").json) == 2
    assert manager.get(f"{PATH}?area=none").json == []
    assert manager.get(f"{PATH}/nothing").code == "shop_rest_layout_template_invalid_id"
    assert manager.get(f"{PATH}/simple-product?_fields=id").json.keys() <= {"id", "_links"}
    for client, status in ((site.client("customer"), 403), (site.client(), 401)):
        assert client.get(PATH).status == client.get(f"{PATH}/simple-product").status == status


@pytest.fixture
def package(tmp_path: Path) -> Iterator[None]:
    """A package that brings a layout is installed."""
    (tmp_path / "acme_layouts.py").write_text(PACKAGE, encoding="utf-8")
    told = tmp_path / "acme_layouts-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-layouts\nVersion: 1.0\n", encoding="utf-8")
    (told / "entry_points.txt").write_text("[vetrina.layout_templates]\nacme = acme_layouts:LAYOUTS\n", "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        layout_templates.load_layout_templates.cache_clear()
        yield
    sys.modules.pop("acme_layouts", None)
    layout_templates.load_layout_templates.cache_clear()


@pytest.mark.in_process("a package is installed in it")
@pytest.mark.usefixtures("package")
def test_a_package_brings_a_layout(manager: Client) -> None:
    [ring] = manager.get(f"{PATH}?area=ring-form").json
    assert properties(ring) == {"purchase_note"}
    assert manager.get(f"{PATH}/ring").json["title"] == "Ring"


@pytest.fixture
def both(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    profile = msgspec.structs.replace(load_profile("second"), dialects=("neutral", "wordpress"))
    with standing(request, profile, "_shop") as stand:
        yield stand


def test_editors_of_existing_sites_know_the_blocks(both: Stand) -> None:
    layout = both.client("admin", root="/en/wp-json").get("/wc/v3/layout-templates/simple-product").json
    [tab, *_] = layout["blockTemplates"]
    assert (tab[0], tab[2][0][0]) == ("woocommerce/product-tab", "woocommerce/product-section")
    assert all(name.startswith("woocommerce/product-") for name in _names(layout["blockTemplates"]))


def _names(blocks: list[Any]) -> Iterator[str]:
    for name, _, inner in blocks:
        yield name
        yield from _names(inner)
