"""Product categories, tags, brands, shared attributes and their values for visitors.

Rules: docs/rules/store_products.md, 2: terms without products are left out unless requested.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
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
from vetrina.rest.resource import Links, ListPage, Operation, Resource
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer, build_link, read_attributes
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.attributes.rules import ProductAttribute
from vetrina.shop.groupings import counts as category_counts
from vetrina.shop.products import images as product_images, product_types
from vetrina.shop.storefront import image_views
from vetrina.shop.storefront.product_arguments import build_context_argument, build_id_filter, build_paging_arguments

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
    "image": Object("Its image.", image_views.IMAGE_FIELDS, readonly=True, unset=(None,)),
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


class _TermView:
    """What serializing some terms needs beside them; of those without images and pages that is their counts."""

    def __init__(self, pictured: bool, call: Call, terms: Sequence[Term]) -> None:
        self.work = call.work
        self.counts = category_counts.count_products(self.work, terms)
        if pictured:
            self.review_counts = category_counts.count_reviews(self.work, (one.id for one in terms))
            self.addresses = term_store.build_term_urls(self.work, terms)
            images = {id for one in terms if (id := one.meta.get("image"))}
            self.images = product_images.load_product_images_by_id(self.work, images)


_TERM_GETTERS: Final = {
    **read_attributes("id", "name", "slug", "description", "parent"),
    "count": lambda one, view: view.counts[one.id],
    "image": lambda one, view: image_views.serialize_image(view.work, one.meta.get("image") or 0, view.images),
    "review_count": lambda one, view: view.review_counts.get(one.id, 0),
    "permalink": lambda one, view: view.addresses[one.id],
}
_VALUE_SERIALIZER: Final = Serializer(_TERM_FIELDS, {**_TERM_GETTERS, **read_attributes("count")})


def _build_term_resource(
    base: str, name: str, taxonomy: Taxonomy, unknown: type[ApiError], *, pictured: bool = True, parameter: str = "id"
) -> Resource[Term]:
    """Return the terms of one kind. pictured: whether they have images and pages; parameter: of the path of a term."""
    named, _, _ = parameter.partition(":")

    def note_sources(work: UnitOfWork) -> None:
        work.uses(taxonomy.name, product_types.PRODUCT.name, "option")

    def list_terms(call: Call) -> ListPage[Term]:
        note_sources(call.work)
        return _list_terms(call, taxonomy)

    def read_term(call: Call) -> Term:
        found = _find_term(call.work, taxonomy.name, str(call.args[named]))
        if found is None:
            raise unknown
        note_sources(call.work)
        return found

    def build_links(call: Call, term: Term) -> Links:
        collection = call.work.api(resource.path)
        out = {"self": [build_link(f"{collection}/{term.id}")], "collection": [build_link(collection)]}
        if term.parent:
            out["up"] = [build_link(f"{collection}/{term.parent}")]
        return out

    resource = Resource(
        title=taxonomy.name,
        path=f"{base}/products/{name}",
        item=f"{{{parameter}}}",
        key={named: Integer("Number of the term.") if named == "id" else String("Number or slug of the term.")},
        serializer=Serializer(_PICTURED_TERM_FIELDS if pictured else _TERM_FIELDS, _TERM_GETTERS),
        load_view=partial(_TermView, pictured),
        build_links=build_links,
        find=read_term,
        list=Operation(list_terms, args=_build_term_filters()),
        read=Operation(read_term, errors=(unknown,)),
        context=build_context_argument("embed"),
        keeps_links=True,
        lists_links=True,
        batch=True,
    )
    return resource


def build_routes(base: str) -> tuple[Route, ...]:
    """Return the routes of product groupings; base: path of the namespace."""
    own = Resource(
        title="product_attribute",
        path=f"{base}/products/attributes",
        key={"id": Integer("Number of the attribute.")},
        serializer=Serializer(_ATTRIBUTE_FIELDS, _ATTRIBUTE_GETTERS),
        load_view=lambda call, found: call.work,
        build_links=lambda call, one: {
            "self": [build_link(own.build_url(call, one))], "collection": [build_link(own.build_collection_url(call))],
        },
        find=_get_attribute,
        list=Operation(_list_attributes, args={"context": build_context_argument()}),
        read=Operation(_get_attribute, errors=(StoreAttributeNotFound,)),
        context=build_context_argument(),
        keeps_links=True,
        lists_links=True,
        batch=True,
    )  # fmt: skip
    categories = _build_term_resource(base, "categories", product_types.CATEGORY, StoreCategoryNotFound)
    brands = _build_term_resource(
        base, "brands", product_types.BRAND, StoreBrandNotFound, parameter="identifier:[\\w-]+"
    )
    tags = _build_term_resource(base, "tags", product_types.TAG, StoreTermNotFound, pictured=False)
    above = {"attribute_id": Integer("Number of the attribute.")}
    return (
        *own.build_routes(),
        Route(
            READ, f"{own.path}/{{attribute_id}}/terms", _list_attribute_values,
            {**above, **_build_term_filters(values=True)}, batch=True, schema=tags.build_schema,
            errors=(StoreAttributeNotFound,),
        ),
        *categories.build_routes(),
        *brands.build_routes(),
        *replace(tags, read=None).build_routes(),
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


def _find_term(work: UnitOfWork, taxonomy: str, written: str) -> Term | None:
    by_number = term_store.find_terms(work.tx, [int(written)]) if written.isdecimal() and len(written) < 16 else {}
    found = next(iter(by_number.values()), None)
    if found is not None and found.taxonomy == taxonomy:
        return found
    return attributes.load_terms_by_slug(work, ((taxonomy, written),)).get((taxonomy, written))


def _list_terms(call: Call, taxonomy: Taxonomy) -> ListPage[Term]:
    args, size = call.args, call.args.get("per_page") or None
    offset = min(compute_page_offset(args, size or _MAX_TERMS, zero_counts=False), _MAX_OFFSET)
    filters = _build_list_filters(args, taxonomy, size or _MAX_TERMS, offset)
    return ListPage(*term_listing.list_terms(call.work, taxonomy, filters), size=size)


def _build_list_filters(args: Mapping[str, Any], taxonomy: Taxonomy, limit: int, offset: int) -> TermListFilters:
    above = args.get("parent") if taxonomy.hierarchical else None
    return TermListFilters(
        include=args["include"], exclude=args["exclude"], search=args.get("search") or "",
        parent=above if above is None else max(-1, min(above, _MAX_OFFSET)), hide_empty=args["hide_empty"],
        orderby=args["orderby"], descending=args["order"] == "desc", limit=limit, offset=offset,
    )  # fmt: skip


# -- attributes


_ATTRIBUTE_GETTERS: Final = {
    **read_attributes("id", "name", "taxonomy", "type", "has_archives", order="order_by"),
    "count": lambda one, work: _count_values(work, one),
}


def _count_values(work: UnitOfWork, attribute: ProductAttribute) -> int:
    taxonomy = attributes.build_attribute_taxonomy(attribute)
    return term_listing.list_terms(work, taxonomy, TermListFilters(limit=1, offset=0))[1]


def _list_attributes(call: Call) -> ListPage[ProductAttribute]:
    found = list(attributes.load_attributes(call.work).values())
    call.work.uses("product_attribute", *(one.taxonomy for one in found))
    return ListPage(found, None)


def _get_attribute(call: Call, name: str = "id") -> ProductAttribute:
    found = attributes.load_attributes(call.work).get(call.args[name])
    if found is None:
        raise StoreAttributeNotFound(id=call.args[name])
    return found


def _list_attribute_values(call: Call) -> Result:
    taxonomy = attributes.build_attribute_taxonomy(_get_attribute(call, "attribute_id"))
    call.work.uses("product_attribute", taxonomy.name, product_types.PRODUCT.name)
    page = (_list_sorted_values if call.args["orderby"] in _VALUE_ORDERS else _list_terms)(call, taxonomy)
    headers, links = build_page_headers(call, page.total or 0, page.size, call.args["page"])
    body = [_VALUE_SERIALIZER.serialize(one, None, "view") for one in page.items]
    return Result(body, headers=headers, links=links)


def _list_sorted_values(call: Call, taxonomy: Taxonomy) -> ListPage[Term]:
    """Return a page of values in an order that no column holds; an attribute has hundreds of values at most."""
    args, size = call.args, call.args.get("per_page") or None
    found, total = term_listing.list_terms(call.work, taxonomy, _build_list_filters(args, taxonomy, _MAX_TERMS, 0))
    found.sort(key=attributes.build_term_sort_key(args["orderby"]), reverse=args["order"] == "desc")
    first = compute_page_offset(args, size or _MAX_TERMS, zero_counts=False)
    return ListPage(found[first:][: size or _MAX_TERMS], total, size=size)
