"""Categories, tags, brands and shipping classes of products, and the terms of shared attributes.

One set of routes for each kind, which differ in their members. Not here: what a write means (shop/groupings/rules.py).
Rules: facts, "Categories, tags, classes, brands" and "Attributes, variations".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from vetrina.content.terms import listing as term_listing
from vetrina.content.terms.listing import ORDERS, TermFilters
from vetrina.content.terms.rules import DuplicateTermSlug, EmptyTermName
from vetrina.content.terms.store import Term
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import page_headers, start_of
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Choice, Shape, choice, link
from vetrina.shop import list_arguments
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.batch_routes import batch_route
from vetrina.shop.groupings import counts as category_counts
from vetrina.shop.groupings import rules as groupings
from vetrina.shop.groupings.rules import CannotRemoveDefault, NameTaken, ParentUnknown, TermUnknown
from vetrina.shop.permissions import creating, viewing
from vetrina.shop.products import images as product_images
from vetrina.shop.products import product_types
from vetrina.shop.products.image_arguments import taking_images
from vetrina.shop.products.schema import IMAGE
from vetrina.shop.rights import CannotDelete, CannotEdit, CannotView, require

__all__ = ["attribute_terms", "brands", "categories", "shipping_classes", "tags"]

_BOTH: Final = (VIEW, EDIT)
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_ORDERS: Final = tuple(order for order in ORDERS if order != "include_slugs")
_TERMS: Final = "/shop/v3/products/attributes/{attribute_id}/terms"


class NoTrash(ApiError):
    """Terms are removed for good only."""

    status, code = 501, "shop_rest_trash_not_supported"
    message = "There is no trash for this; send force=true to remove it for good."


class _Rooms:
    """The routes of one kind of group.

    path: of its collection. image: whether it has an image and a way to be shown. ordered: whether it has a place.
    """

    def __init__(self, title: str, path: str, taxonomy: Taxonomy | None, *, image: bool = False,
                 ordered: bool = False) -> None:  # fmt: skip
        self.title, self.path, self._taxonomy = title, path, taxonomy
        self.image, self.ordered = image, ordered
        self.shape = Shape(self._fields(), _GETTERS)

    def routes(self) -> tuple[Route, ...]:
        path, item = self.path, f"{self.path}/{{id}}"
        above = {} if self._taxonomy else {"attribute_id": Integer("Number of the attribute.")}
        id = {"id": Integer("Number of the term."), **above}
        create = Route(
            WRITE, path, self.created, {**above, **self._writes(creating=True)}, self.may_create, self.schema,
            errors=(EmptyTermName, NameTaken, ParentUnknown),
        )  # fmt: skip
        change = Route(
            CHANGE, item, self.changed, {**id, **self._writes()}, self.may_edit, self.schema,
            errors=(TermUnknown, EmptyTermName, NameTaken, ParentUnknown, DuplicateTermSlug),
        )  # fmt: skip
        if self.image:
            create, change = taking_images(create), taking_images(change)
        remove = Route(
            REMOVE,
            item,
            self.removed,
            {**id, "force": list_arguments.force(trash=False)},
            self.may_remove,
            self.schema,
            errors=(TermUnknown, NoTrash, CannotRemoveDefault),
        )
        return (
            Route(READ, path, self.listed, {**above, **self._filters()}, self.may_list, self.schema),
            create,
            Route(READ, item, self.read, {**id, "context": list_arguments.context()}, self.may_read, self.schema,
                  errors=(TermUnknown,)),
            change,
            remove,
            batch_route(f"{path}/batch", create=create, update=change, delete=remove),
        )  # fmt: skip

    def schema(self) -> dict[str, Any]:
        """Return the schema of a term, as OPTIONS shows it."""
        return self.shape.schema(self.title)

    # -- declaration

    def _fields(self) -> dict[str, Field]:
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
            fields["image"] = Object("Its image.", IMAGE, context=_BOTH)
        if self.ordered:
            fields["menu_order"] = Integer("Place among others.", context=_BOTH)
        fields["count"] = Integer("How many published products have it.", context=_BOTH, readonly=True)
        return fields

    def _writes(self, creating: bool = False) -> dict[str, Field]:
        out: dict[str, Field] = {}
        for name, field in self._fields().items():
            if not field.readonly:
                changes: dict[str, Any] = {"context": ()}
                if name == "name" and creating:
                    changes["required"] = True
                if name == "display" and not creating:
                    changes["default"] = String().default
                out[name] = field.but(**changes)
        return out

    def _filters(self) -> dict[str, Field]:
        return {
            "context": list_arguments.context(),
            **list_arguments.paging(),
            "exclude": list_arguments.numbers("None of these numbers."),
            "include": list_arguments.numbers("Only these numbers."),
            "offset": Integer("How many to pass over.", null="keep"),
            **list_arguments.ordering(_ORDERS, default="name", direction="asc"),
            "hide_empty": Boolean("Leave out those that no published product has.", default=False, null="keep"),
            "parent": Integer("Only those right beneath this one; 0 for those at the top.", null="keep"),
            "product": Integer("Only those of this product.", default=None, null="keep"),
            "slug": String("Only those with this slug.", null="keep", parted=True),
        }

    # -- rights: a term that is not there is told before any right is asked

    def taxonomy(self, call: Call) -> Taxonomy:
        """Return the taxonomy of a call. Raises AttributeUnknown."""
        if self._taxonomy is not None:
            return self._taxonomy
        return attributes.taxonomy_of(attributes.existing(call.work, call.args.get("attribute_id")))

    def _term(self, call: Call) -> Term:
        return groupings.existing(call.work, self.taxonomy(call), call.args.get("id"))

    def may_list(self, call: Call) -> None:
        """Those who run the shop (`manage_shop`)."""
        self.taxonomy(call)
        viewing(call)

    def may_create(self, call: Call) -> None:
        """Those who run the shop (`manage_shop`)."""
        self.taxonomy(call)
        creating(call)

    def may_read(self, call: Call) -> None:
        """Those who run the shop (`manage_shop`)."""
        self._term(call)
        require(call.work.user, CannotView)

    def may_edit(self, call: Call) -> None:
        """Those who run the shop (`manage_shop`)."""
        self._term(call)
        require(call.work.user, CannotEdit)

    def may_remove(self, call: Call) -> None:
        """Those who run the shop (`manage_shop`)."""
        self._term(call)
        require(call.work.user, CannotDelete)

    # -- handlers

    def listed(self, call: Call) -> Result:
        work, args, taxonomy = call.work, call.args, self.taxonomy(call)
        work.uses(taxonomy.name, *taxonomy.types)
        size, page = args["per_page"], list_arguments.page_of(args)
        slugs = tuple(part.strip() for part in (args.get("slug") or "").split(",") if part.strip())
        found, total = term_listing.listed(
            work, taxonomy,
            TermFilters(
                include=args["include"], exclude=args["exclude"], slugs=slugs, search=args.get("search") or "",
                parent=args.get("parent") if taxonomy.hierarchical else None, record=args.get("product") or 0,
                hide_empty=args["hide_empty"], orderby=args["orderby"], descending=args["order"] == "desc",
                limit=size, offset=start_of(args, zero_counts=False),
            ),
        )  # fmt: skip
        wanted = choice(call.request.raw("_fields"))
        body = self._shown(work, found, args["context"], wanted)
        counts = category_counts.count_products(work, found)
        for one, members in zip(found, body, strict=True):
            if "count" in members:
                members["count"] = counts[one.id]
        if wanted is None or wanted.names_links():
            for one, members in zip(found, body, strict=True):
                members["_links"] = self._links(call, one)
        headers, links = page_headers(call, total, size, page)
        return Result(body, headers=headers, links=links)

    def _shown(self, work: Work, found: Sequence[Term], context: str, wanted: Choice | None) -> list[dict[str, Any]]:
        images = product_images.by_ids(work, {id for one in found if (id := one.meta.get("image"))})
        return [self.shape.members(one, (work, images), context, wanted) for one in found]

    def _item(self, call: Call, one: Term, context: str = "edit", status: int = 200) -> Result:
        body = self._shown(call.work, (one,), context, choice(call.request.raw("_fields")))[0]
        return Result(body, status, rels=self._links(call, one), keeps_links=True)

    def _links(self, call: Call, one: Term) -> dict[str, Any]:
        collection = call.work.api(self.path.replace("{attribute_id}", str(call.args.get("attribute_id"))))
        links = {
            "self": [link(f"{collection}/{one.id}", targetHints={"allow": _METHODS})],
            "collection": [link(collection)],
        }
        if one.parent:
            links["up"] = [link(f"{collection}/{one.parent}")]
        return links

    def read(self, call: Call) -> Result:
        return self._item(call, self._term(call), call.args["context"])

    def created(self, call: Call) -> Result:
        new = groupings.create(call.work, self.taxonomy(call), call.args)
        result = self._item(call, new, status=201)
        result.headers["Location"] = result.rels["self"][0]["href"] if result.rels else ""
        return result

    def changed(self, call: Call) -> Result:
        return self._item(call, groupings.change(call.work, self.taxonomy(call), self._term(call), call.args))

    def removed(self, call: Call) -> Result:
        old = self._term(call)
        if not call.args.get("force"):
            raise NoTrash
        result = self._item(call, old)
        groupings.remove(call.work, self.taxonomy(call), old)
        return result


def _image(one: Term, view: Any) -> dict[str, Any] | None:
    work, images = view
    return product_images.shown(work, one.meta.get("image", 0), images)


_GETTERS: Final = {
    "id": lambda one, view: one.id,
    "name": lambda one, view: one.name,
    "slug": lambda one, view: one.slug,
    "parent": lambda one, view: one.parent,
    "description": lambda one, view: one.description,
    "display": lambda one, view: one.meta.get("display", "default"),
    "image": _image,
    "menu_order": lambda one, view: one.meta.get("order", 0),
    "count": lambda one, view: one.count,
}

_CATEGORIES: Final = _Rooms(
    "product_cat", "/shop/v3/products/categories", product_types.CATEGORY, image=True, ordered=True
)  # fmt: skip
_TAGS: Final = _Rooms("product_tag", "/shop/v3/products/tags", product_types.TAG)
_BRANDS: Final = _Rooms("product_brand", "/shop/v3/products/brands", product_types.BRAND, image=True, ordered=True)
_CLASSES: Final = _Rooms("product_shipping_class", "/shop/v3/products/shipping_classes", product_types.SHIPPING_CLASS)
_OF_ATTRIBUTES: Final = _Rooms("product_attribute_term", _TERMS, None, ordered=True)


def categories(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of categories."""
    return _CATEGORIES.routes()


def tags(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of tags."""
    return _TAGS.routes()


def brands(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of brands."""
    return _BRANDS.routes()


def shipping_classes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of shipping classes."""
    words = {
        "name": String("Name that the slug is for.", null="keep"),
        "slug": String("Slug that is looked for.", null="keep"),
        "description": String("What the class means.", null="keep"),
    }
    path = "/shop/v3/products/shipping_classes/slug-suggestion"
    return (*_CLASSES.routes(), Route(READ, path, _suggested, words, viewing, answers=String("A slug that is free.")))


def attribute_terms(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the terms of shared attributes."""
    return _OF_ATTRIBUTES.routes()


def _suggested(call: Call) -> Result:
    """Suggest a slug that no shipping class has."""
    name = call.args.get("slug") or call.args.get("name") or ""
    return Result(groupings.free_slug(call.work, product_types.SHIPPING_CLASS, name))
