"""Starter content of a shop: sample products, products from templates, a home page.

Not here: storing products (shop/products/rules.py). Rules: docs/rules/onboarding.md, 9 and 10; the samples themselves
are data/samples.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from vetrina.content.records import rules as records
from vetrina.content.site_settings import rules as site_settings
from vetrina.content.terms import rules as term_rules
from vetrina.content.terms.rules import TermExists
from vetrina.content.types.registry import PAGE
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.shop import meta_data
from vetrina.shop.admin.task_definitions import SAMPLE_KEY
from vetrina.shop.products import model as product_model, rules as products
from vetrina.shop.products.product_types import CATEGORY
from vetrina.shop.variations import rules as variations

PRODUCT_TEMPLATES: Final[Mapping[str, Mapping[str, Any]]] = {
    "physical": {"type": "simple"},
    "digital": {"type": "simple", "virtual": True, "downloadable": True},
    "variable": {"type": "variable"},
    "external": {"type": "external"},
    "grouped": {"type": "grouped"},
}
_UNNAMED: Final = "AUTO-DRAFT"


class ProductTemplateNotFound(ApiError):
    code = "shop_rest_product_creation_error"
    message = "There is no template {name!r}; there are physical, digital, variable, external and grouped."


@cache
def _load_samples() -> list[dict[str, Any]]:
    text = (files(__package__) / "data" / "samples.toml").read_text(encoding="utf-8")
    return list(tomllib.loads(text)["product"])


def create_sample_products(work: UnitOfWork) -> dict[str, list[Any]]:
    """Create the sample products; those whose SKU is taken are left out.

    Returns imported, imported_variations, failed, updated and skipped: ids of products, and failures with their
    messages.
    """
    out: dict[str, list[Any]] = {name: [] for name in ("imported", "imported_variations", "failed", "updated",
                                                       "skipped")}  # fmt: skip
    for one in _load_samples():
        if (existing := product_model.find_product_by_sku(work, one["sku"])) is not None:
            out["skipped"].append(existing.id)
            continue
        try:
            with work.tx.savepoint():
                created, more = _create_sample(work, one)
        except ApiError as error:
            out["failed"].append(_serialize_failure(one, error))
            continue
        out["imported"].append(created)
        out["imported_variations"] += more
    return out


def _serialize_failure(one: Mapping[str, Any], error: ApiError) -> dict[str, Any]:
    code = "shop_product_importer_error"
    return {"errors": {code: [error.text]}, "error_data": {code: {"row": f"{one['name']}, SKU {one['sku']}"}}}


def _create_sample(work: UnitOfWork, one: Mapping[str, Any]) -> tuple[int, list[int]]:
    given: dict[str, Any] = {
        "name": one["name"],
        "sku": one["sku"],
        "description": one["text"],
        "status": "publish",
        "categories": [{"id": _get_or_create_category(work, one["category"])}],
        "type": "variable" if "options" in one else "simple",
    }
    given |= {name: one[own] for name, own in (("regular_price", "price"), ("sale_price", "sale")) if own in one}
    options = one.get("options", ())
    if options:
        words = [word for word, _, _ in options]
        given["attributes"] = [{"name": one["choice"], "options": words, "visible": True, "variation": True}]
    created = products.create_product(work, given)
    meta_data.insert_meta(work, "product", created.id, SAMPLE_KEY, "yes")
    more = [
        variations.create_variation(
            work, created,
            {"sku": sku, "regular_price": price, "attributes": [{"name": one["choice"], "option": word}]},
        ).id
        for word, sku, price in options
    ]  # fmt: skip
    return created.id, more


def _get_or_create_category(work: UnitOfWork, name: str) -> int:
    try:
        return int(term_rules.create_term(work, CATEGORY, name).id)
    except TermExists as error:
        return int(error.data["term_id"])


def create_product_from_template(work: UnitOfWork, name: str) -> int:
    """Create an automatic draft of a kind of product and return its id. Raises ProductTemplateNotFound."""
    if name not in PRODUCT_TEMPLATES:
        raise ProductTemplateNotFound(name=name)
    given = {"name": _UNNAMED, "status": "auto-draft", **PRODUCT_TEMPLATES[name]}
    return products.create_product(work, given).id


def create_home_page(work: UnitOfWork) -> int:
    """Publish a home page, set it as the front page and return its id."""
    title = work.raw_option("title")
    content = (
        '<!-- wp:heading {"level":1} -->\n<h1 class="wp-block-heading">' + title + "</h1>\n<!-- /wp:heading -->\n\n"
        "<!-- wp:paragraph -->\n<p>Have a look at what is new.</p>\n<!-- /wp:paragraph -->"
    )
    page = records.create_record(work, PAGE, {"title": "Homepage", "content": content, "status": "publish"})
    site_settings.update_site_settings(work, {"show_on_front": "page", "page_on_front": page.id})
    return int(page.id)
