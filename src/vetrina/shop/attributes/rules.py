"""Attributes that products share, such as color or size: each has a taxonomy of its own, whose terms are its values.

Not here: the attributes of one product (shop/products/attributes.py). Rules: docs/rules/variations.md, 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, delete, select, update

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import claim_id
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.store import FLAG, Store
from vetrina.backends.tables.catalogue import product_attribute as table
from vetrina.backends.tables.terms import term
from vetrina.content.terms import store as term_store
from vetrina.content.terms.store import TERM_COLUMNS, Term
from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.rights import MANAGE_SHOP

TAXONOMY_PREFIX: Final = "pa_"
TERM_ORDERS: Final = ("menu_order", "name", "name_num", "id")

_MAX_SLUG_LENGTH: Final = 28  # characters of a slug
_RESERVED: Final = frozenset(
    ("attachment", "author", "cat", "category", "day", "error", "feed", "hour", "id", "link_category", "m", "minute",
     "month", "monthnum", "name", "nav_menu", "nopaging", "order", "orderby", "p", "page", "page_id", "paged", "post",
     "post_format", "post_mime_type", "post_status", "post_tag", "post_type", "posts", "preview", "s", "search",
     "second", "sentence", "static", "status", "subpost", "tag", "taxonomy", "tb", "term", "terms", "title", "type",
     "types", "w", "withcomments", "year")
)  # fmt: skip


class AttributeNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_taxonomy_invalid"
    message = "There is no product attribute with the number {id}."


class CannotCreateAttribute(ApiError):
    """The name or the slug of a new attribute is not allowed."""

    code = "shop_rest_cannot_create"
    message = "{reason}"


class CannotEditAttribute(ApiError):
    """The new name or slug of an attribute is not allowed."""

    code = "shop_rest_cannot_edit"
    message = "{reason}"


class ProductAttribute(msgspec.Struct, frozen=True):
    """One attribute; slug: without the prefix. order_by: how its terms are sorted."""

    id: int
    name: str
    slug: str
    type: str
    order_by: str
    has_archives: bool

    @property
    def taxonomy(self) -> str:
        """Return the name of the attribute's taxonomy."""
        return TAXONOMY_PREFIX + self.slug


_STORE: Final = Store(table, ProductAttribute, {"has_archives": FLAG})
_ALL = Statement(select(*_STORE.columns).order_by(table.c.name, table.c.id))
_RENAME = Statement(update(term).where(term.c.taxonomy == bindparam("old")).values(taxonomy=bindparam("new")))
_DELETE_TERMS = Statement(delete(term).where(term.c.taxonomy == bindparam("gone")))
_BY_SLUG = Statement(select(*TERM_COLUMNS).where(InList(term.c.taxonomy, "taxonomies"), InList(term.c.slug, "slugs")))


def load_attributes(work: UnitOfWork) -> dict[int, ProductAttribute]:
    """Return every attribute by id, in the order of their names, in one query."""
    work.uses("product_attribute")
    return {one.id: one for one in _STORE.of_rows(work.tx.all(_ALL))}


def get_attribute(work: UnitOfWork, id: Any) -> ProductAttribute:
    """Return the attribute with an id. Raises AttributeNotFound."""
    found = load_attributes(work).get(id) if isinstance(id, int) else None
    if found is None:
        raise AttributeNotFound(id=id)
    return found


@lru_cache(maxsize=512)
def build_named_taxonomy(name: str, label: str = "") -> Taxonomy:
    """Return the taxonomy of an attribute by its name, with the prefix."""
    return Taxonomy(
        name=name, base=name, label=label or name, singular=label or name, types=("product",), manage=MANAGE_SHOP,
        edit=MANAGE_SHOP, delete=MANAGE_SHOP, assign=MANAGE_SHOP, room="shop", described=False,
    )  # fmt: skip


def build_attribute_taxonomy(attribute: ProductAttribute) -> Taxonomy:
    """Return the taxonomy of an attribute's terms."""
    return build_named_taxonomy(attribute.taxonomy, attribute.name)


def load_terms_by_slug(work: UnitOfWork, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Term]:
    """Return terms by their taxonomy and slug, in one query."""
    pairs = set(wanted)
    if not pairs:
        return {}
    rows = work.tx.all(
        _BY_SLUG, taxonomies=encode_list({name for name, _ in pairs}), slugs=encode_list({slug for _, slug in pairs})
    )
    found = (term_store.row_to_term(row) for row in rows)
    return {(one.taxonomy, one.slug): one for one in found}


def build_term_sort_key(order_by: str) -> Any:
    """Return the key that sorts an attribute's terms."""
    match order_by:
        case "id":
            return lambda one: one.id
        case "name":
            return lambda one: term_store.build_name_key(one.name)
        case "name_num":
            return lambda one: (_parse_leading_number(one.name), term_store.build_name_key(one.name))
        case _:
            return lambda one: (one.meta.get("order", 0), term_store.build_name_key(one.name))


def _parse_leading_number(text: str) -> float:
    digits = ""
    for sign in text.strip():
        if not (sign.isdecimal() or (sign == "." and "." not in digits)):
            break
        digits += sign
    return float(digits) if digits.strip(".") else 0.0


def create_attribute(work: UnitOfWork, given: Mapping[str, Any]) -> ProductAttribute:
    """Store a new attribute; with `generate_slug`, under a free slug. Raises CannotCreateAttribute."""
    name = sanitize_short_text(work.user, given.get("name") or "").strip()
    if not name:
        raise CannotCreateAttribute(reason="An attribute needs a name.")
    new = ProductAttribute(
        id=0,
        name=name,
        slug=_validate_slug(
            work,
            given.get("slug") or (_build_free_slug(work, name) if given.get("generate_slug") else name),
            0,
            CannotCreateAttribute,
        ),
        type=given.get("type") or "select",
        order_by=given.get("order_by") or "menu_order",
        has_archives=bool(given.get("has_archives")),
    )
    return insert_attribute(work, new)


def insert_attribute(work: UnitOfWork, new: ProductAttribute) -> ProductAttribute:
    """Store an attribute whose slug is free, and return it; its id is a free one, or 0 for the next one."""
    new = msgspec.structs.replace(new, id=claim_id(work.tx, new.id, "product_attribute"))
    _STORE.insert(work.tx, new)
    work.note("product_attribute", new.id, "created")
    return new


def update_attribute(work: UnitOfWork, old: ProductAttribute, given: Mapping[str, Any]) -> ProductAttribute:
    """Store the given members of an attribute. Raises CannotEditAttribute."""
    members = {name: given[name] for name in ("type", "order_by", "has_archives") if given.get(name) is not None}
    if (given.get("name") or "").strip():
        members["name"] = sanitize_short_text(work.user, given["name"]).strip() or old.name
    if given.get("slug"):
        members["slug"] = _validate_slug(work, given["slug"], old.id, CannotEditAttribute)
    return save_attribute(work, old, msgspec.structs.replace(old, **members))


def save_attribute(work: UnitOfWork, old: ProductAttribute, new: ProductAttribute) -> ProductAttribute:
    """Store the new state of an attribute, whose slug is free, and return it; its terms follow a new slug."""
    if _STORE.update(work.tx, old, new):
        if new.slug != old.slug:
            work.tx.run(_RENAME, old=old.taxonomy, new=new.taxonomy)
        work.note("product_attribute", old.id, "changed")
    return new


def delete_attribute(work: UnitOfWork, old: ProductAttribute) -> None:
    """Delete an attribute with its terms."""
    work.tx.run(_DELETE_TERMS, gone=old.taxonomy)
    _STORE.delete(work.tx, old.id)
    work.note("product_attribute", old.id, "removed")


def _validate_slug(work: UnitOfWork, text: str, own: int, refusal: type[ApiError]) -> str:
    """Return the slug of an attribute, without the prefix. Raises `refusal`."""
    slug = slugs.slugify(text).removeprefix(TAXONOMY_PREFIX)
    if not slug:
        raise refusal(reason="An attribute needs a name that makes a slug.")
    if len(slug) > _MAX_SLUG_LENGTH:
        raise refusal(reason=f"The slug {slug!r} is too long; it may have {_MAX_SLUG_LENGTH} letters.")
    if slug in _RESERVED:
        raise refusal(reason=f"The slug {slug!r} is a reserved word. Send another slug.")
    if any(one.slug == slug and one.id != own for one in load_attributes(work).values()):
        raise refusal(reason=f"The slug {slug!r} is taken by another attribute. Send another slug.")
    return slug


def _build_free_slug(work: UnitOfWork, name: str) -> str:
    """Return a free slug made from a name, with a number appended where needed."""
    base = slugs.slugify(name).removeprefix(TAXONOMY_PREFIX)[:_MAX_SLUG_LENGTH].strip("-") or "attribute"
    taken = _RESERVED | {one.slug for one in load_attributes(work).values()}
    return slugs.find_free_slug(base, taken.__contains__, _MAX_SLUG_LENGTH)
