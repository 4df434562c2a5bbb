"""How a page of products or variations is shown: what they need beside their rows, and their links.

It is asked once for a whole page, and only where a member is shown that needs it. Not here: the members of an answer
(shop/products/member_views.py). Rules: the recordings of the second deployment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final

from vetrina.content.records import permalinks
from vetrina.content.terms import store as terms
from vetrina.content.terms.store import Term
from vetrina.core.unit_of_work import Work
from vetrina.kernel import slugs
from vetrina.rest.serializer import Choice, Shape, link
from vetrina.shop import meta_data
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.products import (
    cost_schema,
    costs,
    related,
)
from vetrina.shop.products import (
    images as product_images,
)
from vetrina.shop.products import (
    model as product_model,
)
from vetrina.shop.products import (
    product_types as kinds,
)
from vetrina.shop.products.displayed_prices import ShownPrices
from vetrina.shop.products.model import UPSELL, VARIABLE, Product
from vetrina.shop.variations import rules as variations

__all__ = ["View", "across_links", "listed", "product_links", "shown", "variation_links"]

_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_LONGEST: Final = 200  # letters of a name whose slug is known from one request to the next


class View:
    """What showing some products needs to know beside them."""

    def __init__(self, work: Work, found: Sequence[Product], context: str, asked: Mapping[str, Any] = {}) -> None:
        self.work, self.found, self.context = work, found, context
        self.ids = [one.id for one in found]
        self._templates: dict[str, str] = {}
        self._addresses: dict[int, str] = {}
        self.include_meta = frozenset(asked.get("include_meta") or ())
        self.exclude_meta = frozenset(asked.get("exclude_meta") or ())

    @cached_property
    def terms(self) -> dict[int, list[Term]]:
        self.work.uses(*kinds.TAXONOMIES)
        return terms.of_records(self.work.tx, [*self.ids, *self.parents])

    @cached_property
    def parents(self) -> dict[int, Product]:
        """Return the products of variations."""
        return product_model.by_ids(self.work, {one.parent for one in self.found if one.is_variation})

    @cached_property
    def linked(self) -> dict[int, dict[str, list[int]]]:
        return product_model.linked(self.work, self.ids)

    @cached_property
    def children(self) -> dict[int, list[int]]:
        return product_model.children(self.work, (one.id for one in self.found if one.kind == VARIABLE))

    @cached_property
    def metas(self) -> dict[int, list[meta_data.Meta]]:
        return meta_data.of_owners(self.work, "product", self.ids)

    @cached_property
    def images(self) -> dict[int, product_images.Image]:
        own = {id for one in self.found for id in one.images}
        return product_images.by_ids(self.work, own | {id for one in self.parents.values() for id in one.images[:1]})

    @cached_property
    def attributes(self) -> dict[int, attributes.Attribute]:
        shared = any(
            kept["id"] for one in (*self.found, *self.parents.values())
            for kept in (*one.attributes, *one.default_attributes)
        )  # fmt: skip
        return attributes.known(self.work) if shared else {}

    @cached_property
    def named(self) -> dict[tuple[str, str], Term]:
        return variations.named_terms(self.work, self.found)

    @cached_property
    def related(self) -> dict[int, list[int]]:
        own = {id: kinds.get(UPSELL, []) for id, kinds in self.linked.items()}
        return related.related(self.work, self.found, self.terms, own)

    @cached_property
    def costs(self) -> dict[int, costs.Cost]:
        """Return what the products cost the shop; none where it does without."""
        return costs.of_products(self.work, self.found) if costs.is_on(self.work) else {}

    @cached_property
    def prices(self) -> ShownPrices:
        return ShownPrices(self.work)

    @cached_property
    def generated(self) -> dict[int, str]:
        """Return the slugs that their names give those whose slug is another one."""
        others = [one.record for one in self.found if _slug_of(one.name) != one.record.slug]
        return permalinks.generated_slugs(self.work, kinds.PRODUCT, others) if others else {}

    def template(self, one: Product) -> str:
        """Return the address of a product with a place for its slug; it is the same for all of a language."""
        language = one.record.language
        if language not in self._templates:
            self._templates[language] = permalinks.template(self.work, kinds.PRODUCT, one.record, ())
        return self._templates[language]

    def address(self, above: Product) -> str:
        """Return the address of a product whose variations are shown; many have the same one."""
        known = self._addresses.get(above.id)
        if known is None:
            known = self._addresses[above.id] = permalinks.link(self.work, kinds.PRODUCT, above.record, ())
        return known

    def above(self, one: Product) -> Product | None:
        """Return the product of a variation."""
        return self.parents.get(one.record.parent) if one.kind == product_model.VARIATION else None

    def counted(self, one: Product) -> Product:
        """Return what counts a product: itself, or the product of a variation that does not count itself."""
        if one.kind != product_model.VARIATION:
            return one
        above = self.above(one)
        return above if above is not None and above.manage_stock and not one.manage_stock else one

    def inherited(self, one: Product, name: str) -> Any:
        """Return a member of a variation, its product's where it has none of its own and nobody edits."""
        value = getattr(one, name)
        if one.kind != product_model.VARIATION:
            return value
        above = self.above(one)
        if above is not None and self.context != "edit" and value in ("", "parent"):
            return getattr(above, name)
        return value

    def groups(self, one: Product, taxonomy: str) -> Sequence[Term]:
        return self._grouped[one.record.id].get(taxonomy, ())

    @cached_property
    def _grouped(self) -> dict[int, dict[str, list[Term]]]:
        out: dict[int, dict[str, list[Term]]] = {}
        for id, held in self.terms.items():
            own = out[id] = {}
            for term in held:
                own.setdefault(term.taxonomy, []).append(term)
        return out


def listed(view: View, shape: Shape, links: Any, wanted: Choice | None) -> list[dict[str, Any]]:
    """Return the products of a page as an answer lists them."""
    body = [_members(view, one, shape, wanted) for one in view.found]
    if wanted is None or wanted.names_links():
        for one, members in zip(view.found, body, strict=True):
            members["_links"] = links(view.work, one)
    return body


def shown(view: View, shape: Shape, wanted: Choice | None) -> dict[str, Any]:
    """Return the one product of a view as an answer shows it."""
    return _members(view, view.found[0], shape, wanted)


def _members(view: View, one: Product, shape: Shape, wanted: Choice | None) -> dict[str, Any]:
    out = shape.members(one, view, view.context, wanted)
    if view.costs and (wanted is None or costs.MEMBER in wanted.tree):
        out[costs.MEMBER] = cost_schema.of_product(one, view.costs[one.id])
    return out


def product_links(work: Work, one: Product) -> dict[str, Any]:
    """Return the links of a product, or of a variation that is shown as one."""
    collection = work.api("/shop/v3/products")
    links = {
        "self": [link(f"{collection}/{one.id}", targetHints={"allow": _METHODS})],
        "collection": [link(collection)],
    }
    if one.parent:
        links["up"] = [link(f"{collection}/{one.parent}")]
    return links


def across_links(work: Work, one: Product) -> dict[str, Any]:
    """Return the links of a variation in the list of those of all products."""
    collection = work.api("/shop/v3/variations")
    return {
        "self": [link(f"{collection}/{one.id}")],
        "collection": [link(collection)],
        "up": [link(work.api(f"/shop/v3/products/{one.parent}"))],
    }


def variation_links(work: Work, one: Product) -> dict[str, Any]:
    """Return the links of a variation."""
    above = work.api(f"/shop/v3/products/{one.parent}")
    return {
        "self": [link(f"{above}/variations/{one.id}", targetHints={"allow": _METHODS})],
        "collection": [link(f"{above}/variations")],
        "up": [link(above)],
    }


def _slug_of(name: str) -> str:
    return _known_slug(name) if len(name) <= _LONGEST else slugs.slugify(name)


@lru_cache(maxsize=4096)
def _known_slug(name: str) -> str:
    return slugs.slugify(name)
