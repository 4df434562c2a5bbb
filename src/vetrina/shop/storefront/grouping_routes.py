"""Categories, tags and brands of products, shared attributes and their values, as visitors see them.

Rules: facts, "Visitors' interface"; the root of the namespace: terms without products are left out unless asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from vetrina.content.terms import listing as term_listing
from vetrina.content.terms import store as term_store
from vetrina.content.terms.listing import TermFilters
from vetrina.content.terms.store import Term
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Boolean, Field, Integer, Object, String
from vetrina.rest.paging import page_headers, start_of
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Shape, link
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.attributes.rules import Attribute
from vetrina.shop.groupings import counts as category_counts
from vetrina.shop.products import images as product_images
from vetrina.shop.products import product_types
from vetrina.shop.storefront import image_views
from vetrina.shop.storefront.product_arguments import context, numbers, paging

__all__ = ["routes"]

_ALL: Final = 10_000  # terms of a list without `per_page`
_OF_VALUES: Final = ("menu_order", "name_num")  # orders that attributes alone have
_FAR: Final = 2**62  # what a database still counts to
_TERM: Final[dict[str, Field]] = {
    "id": Integer("Number of the term.", readonly=True),
    "name": String("Name of the term.", readonly=True),
    "slug": String("Slug of the term.", readonly=True),
    "description": String("What the term means, as HTML.", readonly=True),
    "parent": Integer("Number of the term above, 0 for none.", readonly=True),
    "count": Integer("How many published products have it.", readonly=True),
}
_PICTURED: Final[dict[str, Field]] = {
    **_TERM,
    "image": Object("Its image.", image_views.FIELDS, readonly=True),
    "review_count": Integer("How many reviews its products have.", readonly=True),
    "permalink": String("Address of its page.", format="uri", readonly=True),
}
_ATTRIBUTE: Final[dict[str, Field]] = {
    "id": Integer("Number of the attribute.", readonly=True),
    "name": String("Name of the attribute.", readonly=True),
    "taxonomy": String("Name of the taxonomy of its values.", readonly=True),
    "type": String("How it is chosen.", readonly=True),
    "order": String("How its values are sorted.", readonly=True),
    "has_archives": Boolean("Whether its values have pages.", readonly=True),
    "count": Integer("How many values it has.", readonly=True),
}
_ATTRIBUTE_SHAPE: Final = Shape(_ATTRIBUTE, {})


class TermUnknown(ApiError):
    status, code = 404, "shop_rest_term_invalid"
    message = "There is no such term."


class CategoryUnknown(TermUnknown):
    code = "shop_rest_product_category_invalid_id"


class BrandUnknown(TermUnknown):
    code = "shop_rest_product_brand_invalid_id"


class AttributeUnknown(ApiError):
    status, code = 404, "shop_rest_product_attribute_invalid_id"
    message = "There is no attribute with the number {id}."


class _Group:
    """The routes of terms of one kind. pictured: whether they have images and pages."""

    def __init__(self, base: str, name: str, taxonomy: Taxonomy, *, pictured: bool) -> None:
        self.path, self.taxonomy = f"{base}/products/{name}", taxonomy
        self.shape = Shape(_PICTURED if pictured else _TERM, {})
        self.pictured = pictured

    def listing(self) -> Route:
        return Route(READ, self.path, self.listed, _term_filters(), batch=True, schema=self.schema)

    def one(self, hole: str, unknown: type[ApiError]) -> Route:
        def read(call: Call) -> Result:
            found = self._found(call.work, str(call.args[name]))
            if found is None:
                raise unknown
            self.uses(call.work)
            return Result(self._shown(call.work, (found,))[0], rels=self._links(call.work, found), keeps_links=True)

        name = hole.partition(":")[0]
        said = "Number of the term." if name == "id" else "Number or slug of the term."
        field: Field = Integer(said) if name == "id" else String(said)
        return Route(READ, f"{self.path}/{{{hole}}}", read, {name: field, "context": context("embed")}, batch=True,
                     schema=self.schema, errors=(unknown,))  # fmt: skip

    def schema(self) -> dict[str, Any]:
        return self.shape.schema(self.taxonomy.name)

    def uses(self, work: Work) -> None:
        work.uses(self.taxonomy.name, product_types.PRODUCT.name, "option")

    def _found(self, work: Work, written: str) -> Term | None:
        name = self.taxonomy.name
        by_number = term_store.by_ids(work.tx, [int(written)]) if written.isdecimal() and len(written) < 16 else {}
        found = next(iter(by_number.values()), None)
        if found is not None and found.taxonomy == name:
            return found
        return attributes.terms_by_slug(work, ((name, written),)).get((name, written))

    def listed(self, call: Call) -> Result:
        work = call.work
        self.uses(work)
        found, total, size = _page(call, self.taxonomy)
        body = self._shown(work, found)
        for one, members in zip(found, body, strict=True):
            members["_links"] = self._links(work, one)
        headers, links = page_headers(call, total, size, call.args["page"])
        return Result(body, headers=headers, links=links)

    def _links(self, work: Work, one: Term) -> dict[str, Any]:
        collection = work.api(self.path)
        out = {"self": [link(f"{collection}/{one.id}")], "collection": [link(collection)]}
        if one.parent:
            out["up"] = [link(f"{collection}/{one.parent}")]
        return out

    def _shown(self, work: Work, found: Sequence[Term]) -> list[dict[str, Any]]:
        counts = category_counts.count_products(work, found)
        if not self.pictured:
            return [_term(one, counts[one.id]) for one in found]
        reviewed = category_counts.count_reviews(work, (one.id for one in found))
        addresses = term_store.addresses(work, found)
        known = product_images.by_ids(work, {id for one in found if (id := one.meta.get("image"))})
        return [
            {
                **_term(one, counts[one.id]),
                "image": image_views.shown(work, one.meta.get("image") or 0, known),
                "review_count": reviewed.get(one.id, 0),
                "permalink": addresses[one.id],
            }
            for one in found
        ]


def routes(base: str) -> tuple[Route, ...]:
    """Return the routes of groups of products; base: the address of the namespace."""
    path = f"{base}/products/attributes"
    categories = _Group(base, "categories", product_types.CATEGORY, pictured=True)
    brands = _Group(base, "brands", product_types.BRAND, pictured=True)
    tags = _Group(base, "tags", product_types.TAG, pictured=False)

    def attribute(call: Call) -> Result:
        one = _attribute(call, "id")
        return Result(_shown(call.work, one), rels=_links(call.work, path, one), keeps_links=True)

    def listed(call: Call) -> Result:
        found = attributes.known(call.work).values()
        call.work.uses("product_attribute", *(one.taxonomy for one in found))
        return Result([{**_shown(call.work, one), "_links": _links(call.work, path, one)} for one in found])

    said = {"attribute_id": Integer("Number of the attribute.")}
    return (
        Route(READ, path, listed, {"context": context()}, batch=True, schema=_attribute_schema, answers="many"),
        Route(READ, f"{path}/{{id}}", attribute, {"id": Integer("Number of the attribute."), "context": context()},
              batch=True, schema=_attribute_schema, errors=(AttributeUnknown,)),
        Route(READ, f"{path}/{{attribute_id}}/terms", _values, {**said, **_term_filters(values=True)}, batch=True,
              schema=tags.schema, errors=(AttributeUnknown,)),
        categories.listing(),
        categories.one("id", CategoryUnknown),
        brands.listing(),
        brands.one("identifier:[\\w-]+", BrandUnknown),
        tags.listing(),
    )  # fmt: skip


def _term_filters(*, values: bool = False) -> dict[str, Field]:
    orders = ("name", "slug", "count", *((*_OF_VALUES, "id") if values else ()))
    first: dict[str, Field] = {
        "context": context("embed"),
        **paging(None),
        "search": String("Only those that match this text.", null="keep"),
        "exclude": numbers("None of these numbers."),
        "include": numbers("Only these numbers."),
        "order": String("Which way the order runs.", enum=("asc", "desc"), default="asc", null="keep"),
        "orderby": String("Sort by this.", enum=orders, default="name", null="keep"),
        "parent": Integer("Only those right beneath this one.", null="keep"),
    }
    # Whether empty ones are left out is looked at once everything else is in order.
    return {
        **{name: field.but(early=True) for name, field in first.items()},
        "hide_empty": Boolean("Leave out those that no published product has.", default=True, null="keep"),
    }


def _page(call: Call, taxonomy: Taxonomy) -> tuple[list[Term], int, int | None]:
    args, size = call.args, call.args.get("per_page") or None
    start = min(start_of(args, size or _ALL, zero_counts=False), _FAR)
    found, total = term_listing.listed(call.work, taxonomy, _filters(args, taxonomy, size or _ALL, start))
    return found, total, size


def _filters(args: Mapping[str, Any], taxonomy: Taxonomy, limit: int, start: int) -> TermFilters:
    above = args.get("parent") if taxonomy.hierarchical else None
    return TermFilters(
        include=args["include"], exclude=args["exclude"], search=args.get("search") or "",
        parent=above if above is None else max(-1, min(above, _FAR)), hide_empty=args["hide_empty"],
        orderby=args["orderby"], descending=args["order"] == "desc", limit=limit, offset=start,
    )  # fmt: skip


def _term(one: Term, count: int) -> dict[str, Any]:
    return {
        "id": one.id, "name": one.name, "slug": one.slug, "description": one.description, "parent": one.parent,
        "count": count,
    }  # fmt: skip


# -- attributes


def _attribute_schema() -> dict[str, Any]:
    return _ATTRIBUTE_SHAPE.schema("product_attribute")


def _attribute(call: Call, name: str) -> Attribute:
    found = attributes.known(call.work).get(call.args[name])
    if found is None:
        raise AttributeUnknown(id=call.args[name])
    return found


def _shown(work: Work, one: Attribute) -> dict[str, Any]:
    _, count = term_listing.listed(work, attributes.taxonomy_of(one), TermFilters(limit=1, offset=0))
    return {
        "id": one.id, "name": one.name, "taxonomy": one.taxonomy, "type": one.type, "order": one.order_by,
        "has_archives": one.has_archives, "count": count,
    }  # fmt: skip


def _links(work: Work, path: str, one: Attribute) -> dict[str, Any]:
    collection = work.api(path)
    return {"self": [link(f"{collection}/{one.id}")], "collection": [link(collection)]}


def _values(call: Call) -> Result:
    taxonomy = attributes.taxonomy_of(_attribute(call, "attribute_id"))
    call.work.uses("product_attribute", taxonomy.name, product_types.PRODUCT.name)
    if call.args["orderby"] in _OF_VALUES:
        found, total, size = _page_of_values(call, taxonomy)
    else:
        found, total, size = _page(call, taxonomy)
    headers, links = page_headers(call, total, size, call.args["page"])
    return Result([_term(one, one.count) for one in found], headers=headers, links=links)


def _page_of_values(call: Call, taxonomy: Taxonomy) -> tuple[list[Term], int, int | None]:
    """Return a page of values in an order of attributes, which no column holds; an attribute has hundreds at most."""
    args, size = call.args, call.args.get("per_page") or None
    found, total = term_listing.listed(call.work, taxonomy, _filters(args, taxonomy, _ALL, 0))
    found.sort(key=attributes.order_of(args["orderby"]), reverse=args["order"] == "desc")
    return found[start_of(args, size or _ALL, zero_counts=False) :][: size or _ALL], total, size
