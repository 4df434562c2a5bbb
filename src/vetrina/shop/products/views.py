"""How a page of products or variations is serialized: what they need beyond their rows, and their links.

Each is loaded once for a whole page, and only where a requested member needs it. Not here: the members of a response
(shop/products/member_views.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final

from vetrina.content.records import permalinks, slugs as record_slugs
from vetrina.content.terms import store as terms
from vetrina.content.terms.store import Term
from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.rest.field_selection import FieldSelection
from vetrina.rest.resource import Links
from vetrina.rest.serializer import Serializer, build_link
from vetrina.shop import meta_data
from vetrina.shop.attributes import rules as shared_attributes
from vetrina.shop.products import (
    cost_schema,
    costs as product_costs,
    images as product_images,
    model as product_model,
    product_types as kinds,
    related,
)
from vetrina.shop.products.displayed_prices import DisplayPrices
from vetrina.shop.products.model import UPSELL, VARIABLE, Product
from vetrina.shop.variations import rules as variations

_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_MAX_CACHED_NAME: Final = 200  # characters of a name whose slug is cached between requests


class ShopProductView:
    """The data beyond the rows that serializing products needs."""

    def __init__(
        self, work: UnitOfWork, products: Sequence[Product], context: str, asked: Mapping[str, Any] = {}
    ) -> None:
        self.work, self.found, self.context = work, products, context
        self.ids = [one.id for one in products]
        self._templates: dict[str, str] = {}
        self._addresses: dict[int, str] = {}
        self.include_meta = frozenset(asked.get("include_meta") or ())
        self.exclude_meta = frozenset(asked.get("exclude_meta") or ())

    @cached_property
    def terms(self) -> dict[int, list[Term]]:
        self.work.uses(*kinds.TAXONOMIES)
        return terms.list_terms_by_record(self.work.tx, [*self.ids, *self.parents])

    @cached_property
    def parents(self) -> dict[int, Product]:
        """Return the parent products of variations."""
        return product_model.load_products_by_id(self.work, {one.parent for one in self.found if one.is_variation})

    @cached_property
    def linked_ids(self) -> dict[int, dict[str, list[int]]]:
        return product_model.list_product_links(self.work, self.ids)

    @cached_property
    def children(self) -> dict[int, list[int]]:
        return product_model.list_variation_ids(self.work, (one.id for one in self.found if one.kind == VARIABLE))

    @cached_property
    def metas(self) -> dict[int, list[meta_data.MetaField]]:
        return meta_data.load_meta_by_owner(self.work, "product", self.ids)

    @cached_property
    def images(self) -> dict[int, product_images.ProductImage]:
        own = {id for one in self.found for id in one.images}
        return product_images.load_product_images_by_id(
            self.work, own | {id for one in self.parents.values() for id in one.images[:1]}
        )

    @cached_property
    def attributes(self) -> dict[int, shared_attributes.ProductAttribute]:
        shared = any(
            kept["id"] for one in (*self.found, *self.parents.values())
            for kept in (*one.attributes, *one.default_attributes)
        )  # fmt: skip
        return shared_attributes.load_attributes(self.work) if shared else {}

    @cached_property
    def named_terms(self) -> dict[tuple[str, str], Term]:
        return variations.find_choice_terms(self.work, self.found)

    @cached_property
    def related_ids(self) -> dict[int, list[int]]:
        own = {id: kinds.get(UPSELL, []) for id, kinds in self.linked_ids.items()}
        return related.list_related_ids(self.work, self.found, self.terms, own)

    @cached_property
    def costs(self) -> dict[int, product_costs.CostOfGoods]:
        """Return the costs of the products; empty where the shop does not track costs."""
        return (
            product_costs.load_product_costs(self.work, self.found) if product_costs.is_cost_enabled(self.work) else {}
        )

    @cached_property
    def prices(self) -> DisplayPrices:
        return DisplayPrices(self.work)

    @cached_property
    def generated_slugs(self) -> dict[int, str]:
        """Return the slugs generated from names, for products with another slug."""
        others = [one.record for one in self.found if _compute_slug(one.name) != one.record.slug]
        return record_slugs.generate_slugs(self.work, kinds.PRODUCT, others) if others else {}

    def get_url_template(self, one: Product) -> str:
        """Return the URL of a product with a placeholder for its slug; it is the same for all of a language."""
        language = one.record.language
        if language not in self._templates:
            self._templates[language] = permalinks.build_permalink_template(self.work, kinds.PRODUCT, one.record, ())
        return self._templates[language]

    def get_product_url(self, above: Product) -> str:
        """Return the URL of the parent of variations; many share one."""
        known = self._addresses.get(above.id)
        if known is None:
            known = self._addresses[above.id] = permalinks.build_permalink(self.work, kinds.PRODUCT, above.record, ())
        return known

    def find_parent(self, one: Product) -> Product | None:
        """Return the parent product of a variation."""
        return self.parents.get(one.record.parent) if one.kind == product_model.VARIATION else None

    def get_stock_holder(self, one: Product) -> Product:
        """Return the product that manages the stock of one: itself, or the parent of a variation that does not."""
        if one.kind != product_model.VARIATION:
            return one
        above = self.find_parent(one)
        return above if above is not None and above.manage_stock and not one.manage_stock else one

    def get_inherited(self, one: Product, name: str) -> Any:
        """Return a member of a variation, its parent's where it has none of its own, except in context edit."""
        value = getattr(one, name)
        if one.kind != product_model.VARIATION:
            return value
        above = self.find_parent(one)
        if above is not None and self.context != "edit" and value in ("", "parent"):
            return getattr(above, name)
        return value

    def list_terms(self, one: Product, taxonomy: str) -> Sequence[Term]:
        return self._terms_by_taxonomy[one.record.id].get(taxonomy, ())

    @cached_property
    def _terms_by_taxonomy(self) -> dict[int, dict[str, list[Term]]]:
        out: dict[int, dict[str, list[Term]]] = {}
        for id, record_terms in self.terms.items():
            own = out[id] = {}
            for term in record_terms:
                own.setdefault(term.taxonomy, []).append(term)
        return out


class ProductSerializer(Serializer):
    """Serializes products and variations, with what they cost where the shop tracks it."""

    def serialize(
        self, record: Product, view: ShopProductView, context: str, wanted: FieldSelection | None = None
    ) -> dict[str, Any]:
        out = super().serialize(record, view, context, wanted)
        if view.costs and (wanted is None or product_costs.MEMBER in wanted.tree):
            out[product_costs.MEMBER] = cost_schema.serialize_product_cost(record, view.costs[record.id])
        return out


def load_product_view(call: Call, products: Sequence[Product]) -> ShopProductView:
    """Return what serializing products needs in the context of a call; a write, which names none, is one of editing."""
    return ShopProductView(call.work, products, call.args.get("context") or "edit", call.args)


def build_product_links(call: Call, one: Product) -> Links:
    """Return the links of a product, or of a variation that is serialized as one."""
    collection = call.work.api("/shop/v3/products")
    links = {
        "self": [build_link(f"{collection}/{one.id}", targetHints={"allow": _METHODS})],
        "collection": [build_link(collection)],
    }
    if one.parent:
        links["up"] = [build_link(f"{collection}/{one.parent}")]
    return links


def build_standalone_variation_links(call: Call, one: Product) -> Links:
    """Return the links of a variation in the list across all products."""
    collection = call.work.api("/shop/v3/variations")
    return {
        "self": [build_link(f"{collection}/{one.id}")],
        "collection": [build_link(collection)],
        "up": [build_link(call.work.api(f"/shop/v3/products/{one.parent}"))],
    }


def build_variation_links(call: Call, one: Product) -> Links:
    """Return the links of a variation."""
    above = call.work.api(f"/shop/v3/products/{one.parent}")
    return {
        "self": [build_link(f"{above}/variations/{one.id}", targetHints={"allow": _METHODS})],
        "collection": [build_link(f"{above}/variations")],
        "up": [build_link(above)],
    }


def _compute_slug(name: str) -> str:
    return _compute_cached_slug(name) if len(name) <= _MAX_CACHED_NAME else slugs.slugify(name)


@lru_cache(maxsize=4096)
def _compute_cached_slug(name: str) -> str:
    return slugs.slugify(name)
