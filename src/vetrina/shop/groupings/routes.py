"""Routes of categories, tags, brands and shipping classes of products, and of the terms of shared attributes.

One set of routes for each kind, with different members. Not here: the rules (shop/groupings/rules.py). Rules:
docs/rules/product_groups.md, 1 and 3; docs/rules/variations.md, 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from vetrina.content.terms import listing as term_listing
from vetrina.content.terms.listing import TERM_ORDERS, TermListFilters
from vetrina.content.terms.rules import DuplicateTermSlug, EmptyTermName
from vetrina.content.terms.store import Term
from vetrina.content.types.model import Taxonomy
from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import build_page_headers, compute_page_offset
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import FieldSelection, Serializer, build_link, parse_field_selection
from vetrina.shop import list_arguments
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.batch_routes import build_batch_route
from vetrina.shop.groupings import counts as category_counts, rules as groupings
from vetrina.shop.groupings.rules import (
    CannotDeleteDefaultCategory,
    ParentTermNotFound,
    ProductTermNameTaken,
    ProductTermNotFound,
)
from vetrina.shop.permissions import require_create_permission, require_view_permission
from vetrina.shop.products import images as product_images, product_types
from vetrina.shop.products.image_arguments import add_image_fetching
from vetrina.shop.products.schema import IMAGE_FIELDS
from vetrina.shop.rights import CannotDeleteShopItem, CannotEditShopItem, CannotViewShop, require_shop_capability

__all__ = [
    "build_attribute_term_routes",
    "build_brand_routes",
    "build_category_routes",
    "build_shipping_class_routes",
    "build_tag_routes",
]

_BOTH: Final = (VIEW, EDIT)
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_ORDERS: Final = tuple(order for order in TERM_ORDERS if order != "include_slugs")
_TERMS: Final = "/shop/v3/products/attributes/{attribute_id}/terms"


class ProductTermTrashUnsupported(ApiError):
    """Terms can only be deleted for good."""

    failure, code = Failure.NOT_IMPLEMENTED, "shop_rest_trash_not_supported"
    message = "There is no trash for this; send force=true to remove it for good."


class _ProductTermRoutes:
    """The routes of one kind of term.

    path: of its collection. image: whether it has an image and a display type. ordered: whether it has a menu order.
    """

    def __init__(self, title: str, path: str, taxonomy: Taxonomy | None, *, image: bool = False,
                 ordered: bool = False) -> None:  # fmt: skip
        self.title, self.path, self._taxonomy = title, path, taxonomy
        self.image, self.ordered = image, ordered
        self.serializer = Serializer(self._build_fields(), _GETTERS)

    def build_routes(self) -> tuple[Route, ...]:
        path, item = self.path, f"{self.path}/{{id}}"
        above = {} if self._taxonomy else {"attribute_id": Integer("Number of the attribute.")}
        id = {"id": Integer("Number of the term."), **above}
        create = Route(
            WRITE,
            path,
            self.create_term,
            {**above, **self._build_write_arguments(creating=True)},
            self.require_create_permission,
            self.build_schema,
            errors=(EmptyTermName, ProductTermNameTaken, ParentTermNotFound),
        )
        change = Route(
            CHANGE,
            item,
            self.update_term,
            {**id, **self._build_write_arguments()},
            self.require_edit_permission,
            self.build_schema,
            errors=(ProductTermNotFound, EmptyTermName, ProductTermNameTaken, ParentTermNotFound, DuplicateTermSlug),
        )
        if self.image:
            create, change = add_image_fetching(create), add_image_fetching(change)
        remove = Route(
            REMOVE,
            item,
            self.delete_term,
            {**id, "force": list_arguments.build_force_argument(trash=False)},
            self.require_delete_permission,
            self.build_schema,
            errors=(ProductTermNotFound, ProductTermTrashUnsupported, CannotDeleteDefaultCategory),
        )
        return (
            Route(
                READ,
                path,
                self.list_terms,
                {**above, **self._build_filters()},
                self.require_list_permission,
                self.build_schema,
            ),
            create,
            Route(
                READ,
                item,
                self.read_term,
                {**id, "context": list_arguments.build_context_argument()},
                self.require_read_permission,
                self.build_schema,
                errors=(ProductTermNotFound,),
            ),
            change,
            remove,
            build_batch_route(f"{path}/batch", create=create, update=change, delete=remove),
        )

    def build_schema(self) -> dict[str, Any]:
        """Return the schema of a term, as in the response to OPTIONS."""
        return self.serializer.schema(self.title)

    # -- declaration

    def _build_fields(self) -> dict[str, Field]:
        fields: dict[str, Field] = {
            "id": Integer("Number of the term.", context=_BOTH, readonly=True),
            "name": String("Name of the term.", context=_BOTH),
            "slug": String("Slug of the term.", context=_BOTH),
        }
        if self.image:
            fields["parent"] = Integer("Number of the term above.", context=_BOTH)
        fields["description"] = String("What the term means, as HTML.", context=_BOTH)
        if self.image:
            fields["display"] = String(
                "How its page shows it.", enum=groupings.DISPLAYS, default="default", context=_BOTH
            )
            fields["image"] = Object("Its image.", IMAGE_FIELDS, context=_BOTH)
        if self.ordered:
            fields["menu_order"] = Integer("Place among others.", context=_BOTH)
        fields["count"] = Integer("How many published products have it.", context=_BOTH, readonly=True)
        return fields

    def _build_write_arguments(self, creating: bool = False) -> dict[str, Field]:
        out: dict[str, Field] = {}
        for name, field in self._build_fields().items():
            if not field.readonly:
                changes: dict[str, Any] = {"context": ()}
                if name == "name" and creating:
                    changes["required"] = True
                if name == "display" and not creating:
                    changes["default"] = String().default
                out[name] = field.replace(**changes)
        return out

    def _build_filters(self) -> dict[str, Field]:
        return {
            "context": list_arguments.build_context_argument(),
            **list_arguments.build_paging_arguments(),
            "exclude": list_arguments.build_id_filter("None of these numbers."),
            "include": list_arguments.build_id_filter("Only these numbers."),
            "offset": Integer("How many to pass over.", null="keep"),
            **list_arguments.build_sort_arguments(_ORDERS, default="name", direction="asc"),
            "hide_empty": Boolean("Leave out those that no published product has.", default=False, null="keep"),
            "parent": Integer("Only those right beneath this one; 0 for those at the top.", null="keep"),
            "product": Integer("Only those of this product.", default=None, null="keep"),
            "slug": String("Only those with this slug.", null="keep", parted=True),
        }

    # -- rights: an unknown term is reported before any right is checked

    def get_taxonomy(self, call: Call) -> Taxonomy:
        """Return the taxonomy of a request. Raises AttributeNotFound."""
        if self._taxonomy is not None:
            return self._taxonomy
        return attributes.build_attribute_taxonomy(attributes.get_attribute(call.work, call.args.get("attribute_id")))

    def _get_term(self, call: Call) -> Term:
        return groupings.get_product_term(call.work, self.get_taxonomy(call), call.args.get("id"))

    def require_list_permission(self, call: Call) -> None:
        """Those who run the shop (`manage_shop`)."""
        self.get_taxonomy(call)
        require_view_permission(call)

    def require_create_permission(self, call: Call) -> None:
        """Those who run the shop (`manage_shop`)."""
        self.get_taxonomy(call)
        require_create_permission(call)

    def require_read_permission(self, call: Call) -> None:
        """Those who run the shop (`manage_shop`)."""
        self._get_term(call)
        require_shop_capability(call.work.user, CannotViewShop)

    def require_edit_permission(self, call: Call) -> None:
        """Those who run the shop (`manage_shop`)."""
        self._get_term(call)
        require_shop_capability(call.work.user, CannotEditShopItem)

    def require_delete_permission(self, call: Call) -> None:
        """Those who run the shop (`manage_shop`)."""
        self._get_term(call)
        require_shop_capability(call.work.user, CannotDeleteShopItem)

    # -- handlers

    def list_terms(self, call: Call) -> Result:
        work, args, taxonomy = call.work, call.args, self.get_taxonomy(call)
        work.uses(taxonomy.name, *taxonomy.types)
        size, page = args["per_page"], list_arguments.compute_page_number(args)
        slugs = tuple(part.strip() for part in (args.get("slug") or "").split(",") if part.strip())
        found, total = term_listing.list_terms(
            work, taxonomy,
            TermListFilters(
                include=args["include"], exclude=args["exclude"], slugs=slugs, search=args.get("search") or "",
                parent=args.get("parent") if taxonomy.hierarchical else None, record=args.get("product") or 0,
                hide_empty=args["hide_empty"], orderby=args["orderby"], descending=args["order"] == "desc",
                limit=size, offset=compute_page_offset(args, zero_counts=False),
            ),
        )  # fmt: skip
        wanted = parse_field_selection(call.request.raw("_fields"))
        body = self._serialize_terms(work, found, args["context"], wanted)
        counts = category_counts.count_products(work, found)
        for one, members in zip(found, body, strict=True):
            if "count" in members:
                members["count"] = counts[one.id]
        if wanted is None or wanted.has_links():
            for one, members in zip(found, body, strict=True):
                members["_links"] = self._build_links(call, one)
        headers, links = build_page_headers(call, total, size, page)
        return Result(body, headers=headers, links=links)

    def _serialize_terms(
        self, work: UnitOfWork, terms: Sequence[Term], context: str, wanted: FieldSelection | None
    ) -> list[dict[str, Any]]:
        images = product_images.load_product_images_by_id(work, {id for one in terms if (id := one.meta.get("image"))})
        return [self.serializer.serialize(one, (work, images), context, wanted) for one in terms]

    def _build_term_result(self, call: Call, one: Term, context: str = "edit", status: int = 200) -> Result:
        body = self._serialize_terms(call.work, (one,), context, parse_field_selection(call.request.raw("_fields")))[0]
        return Result(body, status, rels=self._build_links(call, one), keeps_links=True)

    def _build_links(self, call: Call, one: Term) -> dict[str, Any]:
        collection = call.work.api(self.path.replace("{attribute_id}", str(call.args.get("attribute_id"))))
        links = {
            "self": [build_link(f"{collection}/{one.id}", targetHints={"allow": _METHODS})],
            "collection": [build_link(collection)],
        }
        if one.parent:
            links["up"] = [build_link(f"{collection}/{one.parent}")]
        return links

    def read_term(self, call: Call) -> Result:
        return self._build_term_result(call, self._get_term(call), call.args["context"])

    def create_term(self, call: Call) -> Result:
        new = groupings.create_product_term(call.work, self.get_taxonomy(call), call.args)
        result = self._build_term_result(call, new, status=201)
        result.headers["Location"] = result.rels["self"][0]["href"] if result.rels else ""
        return result

    def update_term(self, call: Call) -> Result:
        return self._build_term_result(
            call, groupings.update_product_term(call.work, self.get_taxonomy(call), self._get_term(call), call.args)
        )

    def delete_term(self, call: Call) -> Result:
        old = self._get_term(call)
        if not call.args.get("force"):
            raise ProductTermTrashUnsupported
        result = self._build_term_result(call, old)
        groupings.delete_product_term(call.work, self.get_taxonomy(call), old)
        return result


def _serialize_term_image(one: Term, view: Any) -> dict[str, Any] | None:
    work, images = view
    return product_images.serialize_product_image(work, one.meta.get("image", 0), images)


_GETTERS: Final = {
    "id": lambda one, view: one.id,
    "name": lambda one, view: one.name,
    "slug": lambda one, view: one.slug,
    "parent": lambda one, view: one.parent,
    "description": lambda one, view: one.description,
    "display": lambda one, view: one.meta.get("display", "default"),
    "image": _serialize_term_image,
    "menu_order": lambda one, view: one.meta.get("order", 0),
    "count": lambda one, view: one.count,
}

_CATEGORIES: Final = _ProductTermRoutes(
    "product_cat", "/shop/v3/products/categories", product_types.CATEGORY, image=True, ordered=True
)  # fmt: skip
_TAGS: Final = _ProductTermRoutes("product_tag", "/shop/v3/products/tags", product_types.TAG)
_BRANDS: Final = _ProductTermRoutes(
    "product_brand", "/shop/v3/products/brands", product_types.BRAND, image=True, ordered=True
)
_SHIPPING_CLASSES: Final = _ProductTermRoutes(
    "product_shipping_class", "/shop/v3/products/shipping_classes", product_types.SHIPPING_CLASS
)
_ATTRIBUTE_TERMS: Final = _ProductTermRoutes("product_attribute_term", _TERMS, None, ordered=True)


def build_category_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of categories."""
    return _CATEGORIES.build_routes()


def build_tag_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of tags."""
    return _TAGS.build_routes()


def build_brand_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of brands."""
    return _BRANDS.build_routes()


def build_shipping_class_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of shipping classes."""
    words = {
        "name": String("Name that the slug is for.", null="keep"),
        "slug": String("Slug that is looked for.", null="keep"),
        "description": String("What the class means.", null="keep"),
    }
    path = "/shop/v3/products/shipping_classes/slug-suggestion"
    return (
        *_SHIPPING_CLASSES.build_routes(),
        Route(
            READ,
            path,
            _suggest_shipping_class_slug,
            words,
            require_view_permission,
            answers=String("A slug that is free."),
        ),
    )


def build_attribute_term_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the terms of shared attributes."""
    return _ATTRIBUTE_TERMS.build_routes()


def _suggest_shipping_class_slug(call: Call) -> Result:
    """Suggest a slug that no shipping class has."""
    name = call.args.get("slug") or call.args.get("name") or ""
    return Result(groupings.build_free_slug(call.work, product_types.SHIPPING_CLASS, name))
