"""Routes of categories, tags, brands and shipping classes of products, and of the terms of shared attributes.

One set of routes for each kind, with different members. Not here: the rules (shop/groupings/rules.py). Rules:
docs/rules/product_groups.md, 1; docs/rules/variations.md, 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from vetrina.content.terms import listing as term_listing
from vetrina.content.terms.listing import TERM_ORDERS, TermListFilters
from vetrina.content.terms.routes import compute_term_state
from vetrina.content.terms.rules import DuplicateTermSlug, EmptyTermName
from vetrina.content.terms.store import Term
from vetrina.content.types.model import Taxonomy
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.rest.call import Result
from vetrina.rest.fields import ABSENT, EDIT, VIEW, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.preconditions import WriteGuard
from vetrina.rest.resource import Links, ListPage, Operation, build_write_arguments
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer, build_link, read_attributes
from vetrina.shop import list_arguments, permissions as shop_permissions
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.groupings import counts as category_counts, rules as groupings
from vetrina.shop.groupings.rules import (
    CannotDeleteDefaultCategory,
    ParentTermNotFound,
    ProductTermNameTaken,
    ProductTermNotFound,
)
from vetrina.shop.permissions import PermissionCheck
from vetrina.shop.products import images as product_images, product_types
from vetrina.shop.products.image_arguments import add_image_fetching
from vetrina.shop.products.schema import IMAGE_FIELDS
from vetrina.shop.resource import ShopResource, ShopTrashUnsupported
from vetrina.shop.shipping import classes as shipping_classes

_BOTH: Final = (VIEW, EDIT)
_FILTERS: Final[dict[str, Field]] = {
    "context": list_arguments.build_context_argument(),
    **list_arguments.build_paging_arguments(),
    "exclude": list_arguments.build_id_filter("None of these numbers."),
    "include": list_arguments.build_id_filter("Only these numbers."),
    "offset": Integer("How many to pass over.", null="keep"),
    **list_arguments.build_sort_arguments(
        tuple(order for order in TERM_ORDERS if order != "include_slugs"), default="name", direction="asc"
    ),
    "hide_empty": Boolean("Leave out those that no published product has.", default=False, null="keep"),
    "parent": Integer("Only those right beneath this one; 0 for those at the top.", null="keep"),
    "product": Integer("Only those of this product.", default=None, null="keep"),
    "slug": String("Only those with this slug.", null="keep", parted=True),
}


def _build_fields(image: bool, ordered: bool) -> dict[str, Field]:
    fields: dict[str, Field] = {
        "id": Integer("Number of the term.", context=_BOTH, readonly=True),
        "name": String("Name of the term.", context=_BOTH),
        "slug": String("Slug of the term.", context=_BOTH),
    }
    if image:
        fields["parent"] = Integer("Number of the term above.", context=_BOTH)
    fields["description"] = String("What the term means, as HTML.", context=_BOTH)
    if image:
        fields["display"] = String("How its page shows it.", enum=groupings.DISPLAYS, default="default", context=_BOTH)
        fields["image"] = Object("Its image.", IMAGE_FIELDS, context=_BOTH, unset=(None,))
    if ordered:
        fields["menu_order"] = Integer("Place among others.", context=_BOTH)
    fields["count"] = Integer("How many published products have it.", context=_BOTH, readonly=True)
    return fields


def _load_view(call: Call, terms: Sequence[Term]) -> tuple[UnitOfWork, Mapping[int, Any]]:
    ids = {id for one in terms if (id := one.meta.get("image"))}
    return call.work, product_images.load_product_images_by_id(call.work, ids)


def _serialize_term_image(one: Term, view: Any) -> dict[str, Any] | None:
    work, images = view
    return product_images.serialize_product_image(work, one.meta.get("image", 0), images)


_GETTERS: Final = {
    **read_attributes("id", "name", "slug", "parent", "description", "count"),
    "display": lambda one, view: one.meta.get("display", "default"),
    "image": _serialize_term_image,
    "menu_order": lambda one, view: one.meta.get("order", 0),
}


class _ProductTerms:
    """The terms of one kind. taxonomy: None for that of the attribute that the path names.

    path: of the collection. image: whether they have an image and a display type. ordered: whether they have a menu
    order.
    """

    def __init__(
        self, title: str, path: str, taxonomy: Taxonomy | None, *, image: bool = False, ordered: bool = False
    ) -> None:
        self._taxonomy = taxonomy
        fields = _build_fields(image, ordered)
        writes = build_write_arguments(fields)
        changes = writes | ({"display": writes["display"].replace(default=ABSENT)} if image else {})
        above = {} if taxonomy else {"attribute_id": Integer("Number of the attribute.")}
        adapt = add_image_fetching if image else None
        find, errors = self.get_term, (EmptyTermName, ProductTermNameTaken, ParentTermNotFound)
        self.resource: ShopResource[Term] = ShopResource(
            title=title,
            path=path,
            above=above,
            key={"id": Integer("Number of the term."), **above},
            serializer=Serializer(fields, _GETTERS),
            load_view=_load_view,
            build_links=self.build_links,
            find=find,
            guard=WriteGuard(compute_term_state, in_links=True),
            list=Operation(
                self.list_terms, _require_found(self.get_taxonomy, shop_permissions.require_view_permission), _FILTERS
            ),
            create=Operation(
                self.create_term, _require_found(self.get_taxonomy, shop_permissions.require_create_permission),
                writes | {"name": writes["name"].replace(required=True)}, errors, adapt=adapt,
            ),
            read=Operation(
                find, _require_found(find, shop_permissions.require_view_permission), errors=(ProductTermNotFound,)
            ),
            update=Operation(
                self.update_term, _require_found(find, shop_permissions.require_edit_permission), changes,
                (ProductTermNotFound, *errors, DuplicateTermSlug), adapt=adapt,
            ),
            delete=Operation(
                self.delete_term, _require_found(find, shop_permissions.require_delete_permission),
                errors=(ProductTermNotFound, CannotDeleteDefaultCategory),
            ),
            force=list_arguments.build_force_argument(trash=False),
            trash_unsupported=ShopTrashUnsupported,
        )  # fmt: skip

    def get_taxonomy(self, call: Call) -> Taxonomy:
        """Return the taxonomy of a request. Raises AttributeNotFound."""
        if self._taxonomy is not None:
            return self._taxonomy
        return attributes.build_attribute_taxonomy(attributes.get_attribute(call.work, call.args.get("attribute_id")))

    def get_term(self, call: Call) -> Term:
        """Return the term that a request names. Raises ProductTermNotFound."""
        return groupings.get_product_term(call.work, self.get_taxonomy(call), call.args.get("id"))

    def list_terms(self, call: Call) -> ListPage[Term]:
        work, args, taxonomy = call.work, call.args, self.get_taxonomy(call)
        work.uses(taxonomy.name, *taxonomy.types)
        slugs = tuple(part.strip() for part in (args.get("slug") or "").split(",") if part.strip())
        found, total = term_listing.list_terms(
            work, taxonomy,
            TermListFilters(
                include=args["include"], exclude=args["exclude"], slugs=slugs, search=args.get("search") or "",
                parent=args.get("parent") if taxonomy.hierarchical else None, record=args.get("product") or 0,
                hide_empty=args["hide_empty"], orderby=args["orderby"], descending=args["order"] == "desc",
                limit=args["per_page"], offset=compute_page_offset(args, zero_counts=False),
            ),
        )  # fmt: skip
        # A list counts what the catalogue shows, also beneath a term.
        counts = category_counts.count_products(work, found)
        counted = [msgspec.structs.replace(one, count=counts[one.id]) for one in found]
        return ListPage(counted, total, list_arguments.compute_page_number(args))

    def create_term(self, call: Call) -> Term:
        return groupings.create_product_term(call.work, self.get_taxonomy(call), call.args)

    def update_term(self, call: Call, old: Term) -> Term:
        return groupings.update_product_term(call.work, self.get_taxonomy(call), old, call.args)

    def delete_term(self, call: Call, old: Term) -> None:
        groupings.delete_product_term(call.work, self.get_taxonomy(call), old)

    def build_links(self, call: Call, one: Term) -> Links:
        links = self.resource.build_usual_links(call, one)
        if one.parent:
            links["up"] = [build_link(f"{self.resource.build_collection_url(call)}/{one.parent}")]
        return links


def _require_found(find: Callable[[Call], object], require: PermissionCheck) -> PermissionCheck:
    """Return a permission check that reports what is not found before any right is checked."""

    def allow(call: Call) -> None:
        """Those who run the shop (`manage_shop`)."""
        find(call)
        require(call)

    return allow


_CATEGORIES: Final = _ProductTerms(
    "product_cat", "/shop/v3/products/categories", product_types.CATEGORY, image=True, ordered=True
)  # fmt: skip
_TAGS: Final = _ProductTerms("product_tag", "/shop/v3/products/tags", product_types.TAG)
_BRANDS: Final = _ProductTerms(
    "product_brand", "/shop/v3/products/brands", product_types.BRAND, image=True, ordered=True
)
_SHIPPING_CLASSES: Final = _ProductTerms(
    "product_shipping_class", "/shop/v3/products/shipping_classes", product_types.SHIPPING_CLASS
)
_ATTRIBUTE_TERMS: Final = _ProductTerms(
    "product_attribute_term", "/shop/v3/products/attributes/{attribute_id}/terms", None, ordered=True
)


def build_category_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of categories."""
    return _CATEGORIES.resource.build_routes()


def build_tag_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of tags."""
    return _TAGS.resource.build_routes()


def build_brand_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of brands."""
    return _BRANDS.resource.build_routes()


def build_shipping_class_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of shipping classes."""
    words = {
        "name": String("Name that the slug is for.", null="keep"),
        "slug": String("Slug that is looked for.", null="keep"),
        "description": String("What the class means.", null="keep"),
    }
    path = "/shop/v3/products/shipping_classes/slug-suggestion"
    return (
        *_SHIPPING_CLASSES.resource.build_routes(),
        Route(
            READ,
            path,
            _suggest_shipping_class_slug,
            words,
            shop_permissions.require_view_permission,
            answers=String("A slug that is free."),
        ),
    )


def build_attribute_term_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the terms of shared attributes."""
    return _ATTRIBUTE_TERMS.resource.build_routes()


def _suggest_shipping_class_slug(call: Call) -> Result:
    """Suggest a slug that no shipping class has."""
    name = call.args.get("slug") or call.args.get("name") or ""
    return Result(shipping_classes.build_free_class_slug(call.work, name))
