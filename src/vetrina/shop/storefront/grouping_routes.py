"""Product categories, tags, brands, shared attributes and their values for visitors.

Rules: docs/rules/store_products.md, 2: terms without products are left out unless requested.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from vetrina.content.terms import listing as term_listing, store as term_store
from vetrina.content.terms.listing import TermListFilters
from vetrina.content.terms.store import Term
from vetrina.content.types.model import Taxonomy
from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import Boolean, Field, Integer, Object, String
from vetrina.rest.paging import build_page_headers, compute_page_offset
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer, build_link
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.attributes.rules import ProductAttribute
from vetrina.shop.groupings import counts as category_counts
from vetrina.shop.products import images as product_images, product_types
from vetrina.shop.storefront import image_views
from vetrina.shop.storefront.product_arguments import build_context_argument, build_id_filter, build_paging_arguments

__all__ = ["build_routes"]

_MAX_TERMS: Final = 10_000  # terms of a list without `per_page`
_VALUE_ORDERS: Final = ("menu_order", "name_num")  # sort orders of attribute values alone
_MAX_OFFSET: Final = 2**62  # largest offset that databases accept
_TERM_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the term.", readonly=True),
    "name": String("Name of the term.", readonly=True),
    "slug": String("Slug of the term.", readonly=True),
    "description": String("What the term means, as HTML.", readonly=True),
    "parent": Integer("Number of the term above, 0 for none.", readonly=True),
    "count": Integer("How many published products have it.", readonly=True),
}
_PICTURED_TERM_FIELDS: Final[dict[str, Field]] = {
    **_TERM_FIELDS,
    "image": Object("Its image.", image_views.IMAGE_FIELDS, readonly=True),
    "review_count": Integer("How many reviews its products have.", readonly=True),
    "permalink": String("Address of its page.", format="uri", readonly=True),
}
_ATTRIBUTE_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the attribute.", readonly=True),
    "name": String("Name of the attribute.", readonly=True),
    "taxonomy": String("Name of the taxonomy of its values.", readonly=True),
    "type": String("How it is chosen.", readonly=True),
    "order": String("How its values are sorted.", readonly=True),
    "has_archives": Boolean("Whether its values have pages.", readonly=True),
    "count": Integer("How many values it has.", readonly=True),
}
_ATTRIBUTE_SERIALIZER: Final = Serializer(_ATTRIBUTE_FIELDS, {})


class StoreTermNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_term_invalid"
    message = "There is no such term."


class StoreCategoryNotFound(StoreTermNotFound):
    code = "shop_rest_product_category_invalid_id"


class StoreBrandNotFound(StoreTermNotFound):
    code = "shop_rest_product_brand_invalid_id"


class StoreAttributeNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_product_attribute_invalid_id"
    message = "There is no attribute with the number {id}."


class _StoreTermRoutes:
    """The routes of one kind of terms. pictured: whether they have images and pages."""

    def __init__(self, base: str, name: str, taxonomy: Taxonomy, *, pictured: bool) -> None:
        self.path, self.taxonomy = f"{base}/products/{name}", taxonomy
        self.serializer = Serializer(_PICTURED_TERM_FIELDS if pictured else _TERM_FIELDS, {})
        self.pictured = pictured

    def build_list_route(self) -> Route:
        return Route(READ, self.path, self.list_terms, _build_term_filters(), batch=True, schema=self.build_schema)

    def build_read_route(self, path_param: str, unknown: type[ApiError]) -> Route:
        def read(call: Call) -> Result:
            found = self._find_term(call.work, str(call.args[name]))
            if found is None:
                raise unknown
            self.note_sources(call.work)
            return Result(
                self._serialize_terms(call.work, (found,))[0],
                rels=self._build_links(call.work, found),
                keeps_links=True,
            )

        name = path_param.partition(":")[0]
        said = "Number of the term." if name == "id" else "Number or slug of the term."
        field: Field = Integer(said) if name == "id" else String(said)
        return Route(
            READ, f"{self.path}/{{{path_param}}}", read, {name: field, "context": build_context_argument("embed")},
            batch=True, schema=self.build_schema, errors=(unknown,),
        )  # fmt: skip

    def build_schema(self) -> dict[str, Any]:
        return self.serializer.schema(self.taxonomy.name)

    def note_sources(self, work: UnitOfWork) -> None:
        work.uses(self.taxonomy.name, product_types.PRODUCT.name, "option")

    def _find_term(self, work: UnitOfWork, written: str) -> Term | None:
        name = self.taxonomy.name
        by_number = term_store.find_terms(work.tx, [int(written)]) if written.isdecimal() and len(written) < 16 else {}
        found = next(iter(by_number.values()), None)
        if found is not None and found.taxonomy == name:
            return found
        return attributes.load_terms_by_slug(work, ((name, written),)).get((name, written))

    def list_terms(self, call: Call) -> Result:
        work = call.work
        self.note_sources(work)
        found, total, size = _list_terms(call, self.taxonomy)
        body = self._serialize_terms(work, found)
        for one, members in zip(found, body, strict=True):
            members["_links"] = self._build_links(work, one)
        headers, links = build_page_headers(call, total, size, call.args["page"])
        return Result(body, headers=headers, links=links)

    def _build_links(self, work: UnitOfWork, term: Term) -> dict[str, Any]:
        collection = work.api(self.path)
        out = {"self": [build_link(f"{collection}/{term.id}")], "collection": [build_link(collection)]}
        if term.parent:
            out["up"] = [build_link(f"{collection}/{term.parent}")]
        return out

    def _serialize_terms(self, work: UnitOfWork, terms: Sequence[Term]) -> list[dict[str, Any]]:
        counts = category_counts.count_products(work, terms)
        if not self.pictured:
            return [_serialize_term(one, counts[one.id]) for one in terms]
        reviewed = category_counts.count_reviews(work, (one.id for one in terms))
        addresses = term_store.build_term_urls(work, terms)
        known = product_images.load_product_images_by_id(work, {id for one in terms if (id := one.meta.get("image"))})
        return [
            {
                **_serialize_term(one, counts[one.id]),
                "image": image_views.serialize_image(work, one.meta.get("image") or 0, known),
                "review_count": reviewed.get(one.id, 0),
                "permalink": addresses[one.id],
            }
            for one in terms
        ]


def build_routes(base: str) -> tuple[Route, ...]:
    """Return the routes of product groupings; base: path of the namespace."""
    path = f"{base}/products/attributes"
    categories = _StoreTermRoutes(base, "categories", product_types.CATEGORY, pictured=True)
    brands = _StoreTermRoutes(base, "brands", product_types.BRAND, pictured=True)
    tags = _StoreTermRoutes(base, "tags", product_types.TAG, pictured=False)

    def attribute(call: Call) -> Result:
        one = _get_attribute(call, "id")
        return Result(_serialize_attribute(call.work, one), rels=_build_links(call.work, path, one), keeps_links=True)

    def listed(call: Call) -> Result:
        found = attributes.load_attributes(call.work).values()
        call.work.uses("product_attribute", *(one.taxonomy for one in found))
        return Result(
            [{**_serialize_attribute(call.work, one), "_links": _build_links(call.work, path, one)} for one in found]
        )

    said = {"attribute_id": Integer("Number of the attribute.")}
    return (
        Route(
            READ, path, listed, {"context": build_context_argument()}, batch=True, schema=_build_attribute_schema,
            answers="many",
        ),
        Route(
            READ, f"{path}/{{id}}", attribute,
            {"id": Integer("Number of the attribute."), "context": build_context_argument()}, batch=True,
            schema=_build_attribute_schema, errors=(StoreAttributeNotFound,),
        ),
        Route(
            READ, f"{path}/{{attribute_id}}/terms", _list_attribute_values,
            {**said, **_build_term_filters(values=True)}, batch=True, schema=tags.build_schema,
            errors=(StoreAttributeNotFound,),
        ),
        categories.build_list_route(),
        categories.build_read_route("id", StoreCategoryNotFound),
        brands.build_list_route(),
        brands.build_read_route("identifier:[\\w-]+", StoreBrandNotFound),
        tags.build_list_route(),
    )  # fmt: skip


def _build_term_filters(*, values: bool = False) -> dict[str, Field]:
    orders = ("name", "slug", "count", *((*_VALUE_ORDERS, "id") if values else ()))
    first: dict[str, Field] = {
        "context": build_context_argument("embed"),
        **build_paging_arguments(None),
        "search": String("Only those that match this text.", null="keep"),
        "exclude": build_id_filter("None of these numbers."),
        "include": build_id_filter("Only these numbers."),
        "order": String("Which way the order runs.", enum=("asc", "desc"), default="asc", null="keep"),
        "orderby": String("Sort by this.", enum=orders, default="name", null="keep"),
        "parent": Integer("Only those right beneath this one.", null="keep"),
    }
    # `hide_empty` is validated after all other arguments.
    return {
        **{name: field.replace(early=True) for name, field in first.items()},
        "hide_empty": Boolean("Leave out those that no published product has.", default=True, null="keep"),
    }


def _list_terms(call: Call, taxonomy: Taxonomy) -> tuple[list[Term], int, int | None]:
    args, size = call.args, call.args.get("per_page") or None
    start = min(compute_page_offset(args, size or _MAX_TERMS, zero_counts=False), _MAX_OFFSET)
    found, total = term_listing.list_terms(
        call.work, taxonomy, _build_list_filters(args, taxonomy, size or _MAX_TERMS, start)
    )
    return found, total, size


def _build_list_filters(args: Mapping[str, Any], taxonomy: Taxonomy, limit: int, start: int) -> TermListFilters:
    above = args.get("parent") if taxonomy.hierarchical else None
    return TermListFilters(
        include=args["include"], exclude=args["exclude"], search=args.get("search") or "",
        parent=above if above is None else max(-1, min(above, _MAX_OFFSET)), hide_empty=args["hide_empty"],
        orderby=args["orderby"], descending=args["order"] == "desc", limit=limit, offset=start,
    )  # fmt: skip


def _serialize_term(term: Term, count: int) -> dict[str, Any]:
    return {
        "id": term.id, "name": term.name, "slug": term.slug, "description": term.description, "parent": term.parent,
        "count": count,
    }  # fmt: skip


# -- attributes


def _build_attribute_schema() -> dict[str, Any]:
    return _ATTRIBUTE_SERIALIZER.schema("product_attribute")


def _get_attribute(call: Call, name: str) -> ProductAttribute:
    found = attributes.load_attributes(call.work).get(call.args[name])
    if found is None:
        raise StoreAttributeNotFound(id=call.args[name])
    return found


def _serialize_attribute(work: UnitOfWork, attribute: ProductAttribute) -> dict[str, Any]:
    _, count = term_listing.list_terms(
        work, attributes.build_attribute_taxonomy(attribute), TermListFilters(limit=1, offset=0)
    )
    return {
        "id": attribute.id, "name": attribute.name, "taxonomy": attribute.taxonomy, "type": attribute.type,
        "order": attribute.order_by, "has_archives": attribute.has_archives, "count": count,
    }  # fmt: skip


def _build_links(work: UnitOfWork, path: str, attribute: ProductAttribute) -> dict[str, Any]:
    collection = work.api(path)
    return {"self": [build_link(f"{collection}/{attribute.id}")], "collection": [build_link(collection)]}


def _list_attribute_values(call: Call) -> Result:
    taxonomy = attributes.build_attribute_taxonomy(_get_attribute(call, "attribute_id"))
    call.work.uses("product_attribute", taxonomy.name, product_types.PRODUCT.name)
    if call.args["orderby"] in _VALUE_ORDERS:
        found, total, size = _list_sorted_values(call, taxonomy)
    else:
        found, total, size = _list_terms(call, taxonomy)
    headers, links = build_page_headers(call, total, size, call.args["page"])
    return Result([_serialize_term(one, one.count) for one in found], headers=headers, links=links)


def _list_sorted_values(call: Call, taxonomy: Taxonomy) -> tuple[list[Term], int, int | None]:
    """Return a page of values in an order that no column holds; an attribute has hundreds of values at most."""
    args, size = call.args, call.args.get("per_page") or None
    found, total = term_listing.list_terms(call.work, taxonomy, _build_list_filters(args, taxonomy, _MAX_TERMS, 0))
    found.sort(key=attributes.build_term_sort_key(args["orderby"]), reverse=args["order"] == "desc")
    return found[compute_page_offset(args, size or _MAX_TERMS, zero_counts=False) :][: size or _MAX_TERMS], total, size
