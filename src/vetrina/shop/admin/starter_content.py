"""What an owner begins with: sample products, products from templates, a home page.

Not here: what a product is and how it is stored (shop/products/rules.py). Rules: facts, "Samples, templates,
home page, dummy products"; the samples themselves are data/samples.toml.
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
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.shop import meta_data
from vetrina.shop.admin.task_definitions import SAMPLE
from vetrina.shop.products import model as product_model
from vetrina.shop.products import rules as products
from vetrina.shop.products.product_types import CATEGORY
from vetrina.shop.variations import rules as variations

__all__ = ["TEMPLATES", "TemplateUnknown", "from_template", "home_page", "samples"]

TEMPLATES: Final[Mapping[str, Mapping[str, Any]]] = {
    "physical": {"type": "simple"},
    "digital": {"type": "simple", "virtual": True, "downloadable": True},
    "variable": {"type": "variable"},
    "external": {"type": "external"},
    "grouped": {"type": "grouped"},
}
_UNNAMED: Final = "AUTO-DRAFT"


class TemplateUnknown(ApiError):
    code = "shop_rest_product_creation_error"
    message = "There is no template {name!r}; there are physical, digital, variable, external and grouped."


@cache
def _told() -> list[dict[str, Any]]:
    text = (files(__package__) / "data" / "samples.toml").read_text(encoding="utf-8")
    return list(tomllib.loads(text)["product"])


def samples(work: Work) -> dict[str, list[Any]]:
    """Make the sample products; those whose article number is taken are left out.

    Returns imported, imported_variations, failed, updated and skipped: numbers of products, failures as they are told.
    """
    out: dict[str, list[Any]] = {name: [] for name in ("imported", "imported_variations", "failed", "updated",
                                                       "skipped")}  # fmt: skip
    for one in _told():
        if (held := product_model.by_sku(work, one["sku"])) is not None:
            out["skipped"].append(held.id)
            continue
        try:
            with work.tx.part():
                made, more = _sample(work, one)
        except ApiError as error:
            out["failed"].append(_failure(one, error))
            continue
        out["imported"].append(made)
        out["imported_variations"] += more
    return out


def _failure(one: Mapping[str, Any], error: ApiError) -> dict[str, Any]:
    code = "shop_product_importer_error"
    return {"errors": {code: [error.text]}, "error_data": {code: {"row": f"{one['name']}, SKU {one['sku']}"}}}


def _sample(work: Work, one: Mapping[str, Any]) -> tuple[int, list[int]]:
    given: dict[str, Any] = {
        "name": one["name"], "sku": one["sku"], "description": one["text"], "status": "publish",
        "categories": [{"id": _category(work, one["category"])}], "type": "variable" if "options" in one else "simple",
    }  # fmt: skip
    given |= {name: one[own] for name, own in (("regular_price", "price"), ("sale_price", "sale")) if own in one}
    options = one.get("options", ())
    if options:
        words = [word for word, _, _ in options]
        given["attributes"] = [{"name": one["choice"], "options": words, "visible": True, "variation": True}]
    made = products.create(work, given)
    meta_data.put(work, "product", made.id, SAMPLE, "yes")
    more = [
        variations.create(
            work, made,
            {"sku": sku, "regular_price": price, "attributes": [{"name": one["choice"], "option": word}]},
        ).id
        for word, sku, price in options
    ]  # fmt: skip
    return made.id, more


def _category(work: Work, name: str) -> int:
    try:
        return int(term_rules.create(work, CATEGORY, name).id)
    except TermExists as error:
        return int(error.data["term_id"])


def from_template(work: Work, name: str) -> int:
    """Make an automatic draft of a kind of product and return its number. Raises TemplateUnknown."""
    if name not in TEMPLATES:
        raise TemplateUnknown(name=name)
    given = {"name": _UNNAMED, "status": "auto-draft", **TEMPLATES[name]}
    return products.create(work, given).id


def home_page(work: Work) -> int:
    """Publish a home page, put it in front and return its number."""
    title = work.raw_option("title")
    content = (
        '<!-- wp:heading {"level":1} -->\n<h1 class="wp-block-heading">' + title + "</h1>\n<!-- /wp:heading -->\n\n"
        "<!-- wp:paragraph -->\n<p>Have a look at what is new.</p>\n<!-- /wp:paragraph -->"
    )
    page = records.create(work, PAGE, {"title": "Homepage", "content": content, "status": "publish"})
    site_settings.change(work, {"show_on_front": "page", "page_on_front": page.id})
    return int(page.id)
