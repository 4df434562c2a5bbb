"""Attributes that products share, as colour or size: each has a taxonomy of its own, whose terms are its values.

Not here: the attributes of one product (shop/products/attributes.py). Rules: facts, "Attributes, variations".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.catalogue import product_attribute as table
from vetrina.backends.tables.core import term
from vetrina.content.terms import store as term_store
from vetrina.content.terms.store import COLUMNS, Term
from vetrina.content.text.short_texts import allowed_text
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import Work
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError
from vetrina.shop.rights import MANAGE

__all__ = [
    "ORDERS",
    "PREFIX",
    "Attribute",
    "AttributeUnknown",
    "CannotBeChanged",
    "CannotBeMade",
    "change",
    "create",
    "existing",
    "known",
    "order_of",
    "remove",
    "taxonomy_named",
    "taxonomy_of",
    "terms_by_slug",
]  # fmt: skip

PREFIX: Final = "pa_"
ORDERS: Final = ("menu_order", "name", "name_num", "id")

_LONGEST: Final = 28  # letters of a slug
_RESERVED: Final = frozenset(
    ("attachment", "author", "cat", "category", "day", "error", "feed", "hour", "id", "link_category", "m", "minute",
     "month", "monthnum", "name", "nav_menu", "nopaging", "order", "orderby", "p", "page", "page_id", "paged", "post",
     "post_format", "post_mime_type", "post_status", "post_tag", "post_type", "posts", "preview", "s", "search",
     "second", "sentence", "static", "status", "subpost", "tag", "taxonomy", "tb", "term", "terms", "title", "type",
     "types", "w", "withcomments", "year")
)  # fmt: skip


class AttributeUnknown(ApiError):
    status, code = 404, "shop_rest_taxonomy_invalid"
    message = "There is no product attribute with the number {id}."


class CannotBeMade(ApiError):
    """A name or a slug that an attribute cannot have."""

    code = "shop_rest_cannot_create"
    message = "{reason}"


class CannotBeChanged(ApiError):
    """A name or a slug that an attribute cannot get."""

    code = "shop_rest_cannot_edit"
    message = "{reason}"


class Attribute(msgspec.Struct, frozen=True):
    """One attribute; slug: without the prefix. order_by: how its terms are sorted."""

    id: int
    name: str
    slug: str
    type: str
    order_by: str
    has_archives: bool

    @property
    def taxonomy(self) -> str:
        """Return the name of the taxonomy of its terms."""
        return PREFIX + self.slug


_ALL = Statement(select(table).order_by(table.c.name, table.c.id))
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_UPDATE = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values({name: bindparam(name) for name in ("name", "slug", "type", "order_by", "has_archives")})
)
_DELETE = Statement(delete(table).where(table.c.id == bindparam("id")))
_RENAME = Statement(update(term).where(term.c.taxonomy == bindparam("old")).values(taxonomy=bindparam("new")))
_DELETE_TERMS = Statement(delete(term).where(term.c.taxonomy == bindparam("gone")))
_BY_SLUG = Statement(select(*COLUMNS).where(Among(term.c.taxonomy, "taxonomies"), Among(term.c.slug, "slugs")))


def known(work: Work) -> dict[int, Attribute]:
    """Return every attribute by its number, in the order of their names; asks once."""
    work.uses("product_attribute")
    return {
        id: Attribute(id, name, slug, type, order_by, bool(archives))
        for id, name, slug, type, order_by, archives in work.tx.all(_ALL)
    }


def existing(work: Work, id: Any) -> Attribute:
    """Return the attribute with a number. Raises AttributeUnknown."""
    found = known(work).get(id) if isinstance(id, int) else None
    if found is None:
        raise AttributeUnknown(id=id)
    return found


@lru_cache(maxsize=512)
def taxonomy_named(name: str, label: str = "") -> Taxonomy:
    """Return the taxonomy of an attribute's terms by its name, with the prefix."""
    return Taxonomy(
        name=name, base=name, label=label or name, singular=label or name, types=("product",), manage=MANAGE,
        edit=MANAGE, delete=MANAGE, assign=MANAGE, room="shop", described=False,
    )  # fmt: skip


def taxonomy_of(attribute: Attribute) -> Taxonomy:
    """Return the taxonomy of an attribute's terms."""
    return taxonomy_named(attribute.taxonomy, attribute.name)


def terms_by_slug(work: Work, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Term]:
    """Return terms by their taxonomy and slug; asks once."""
    pairs = set(wanted)
    if not pairs:
        return {}
    rows = work.tx.all(
        _BY_SLUG, taxonomies=listed({name for name, _ in pairs}), slugs=listed({slug for _, slug in pairs})
    )
    found = (term_store.from_row(row) for row in rows)
    return {(one.taxonomy, one.slug): one for one in found}


def order_of(order_by: str) -> Any:
    """Return the key that sorts an attribute's terms."""
    match order_by:
        case "id":
            return lambda one: one.id
        case "name":
            return lambda one: term_store.name_key(one.name)
        case "name_num":
            return lambda one: (_leading_number(one.name), term_store.name_key(one.name))
        case _:
            return lambda one: (one.meta.get("order", 0), term_store.name_key(one.name))


def _leading_number(text: str) -> float:
    digits = ""
    for sign in text.strip():
        if not (sign.isdecimal() or (sign == "." and "." not in digits)):
            break
        digits += sign
    return float(digits) if digits.strip(".") else 0.0


def create(work: Work, given: Mapping[str, Any]) -> Attribute:
    """Store a new attribute; with `generate_slug`, under a slug that is free. Raises CannotBeMade."""
    name = allowed_text(work.user, given.get("name") or "").strip()
    if not name:
        raise CannotBeMade(reason="An attribute needs a name.")
    new = Attribute(
        id=next_number(work.tx, "product_attribute"),
        name=name,
        slug=_slug(
            work, given.get("slug") or (_free_slug(work, name) if given.get("generate_slug") else name), 0, CannotBeMade
        ),
        type=given.get("type") or "select",
        order_by=given.get("order_by") or "menu_order",
        has_archives=bool(given.get("has_archives")),
    )
    work.tx.run(_INSERT, **msgspec.structs.asdict(new))
    work.note("product_attribute", new.id, "created")
    return new


def change(work: Work, old: Attribute, given: Mapping[str, Any]) -> Attribute:
    """Store the given members of an attribute. Raises CannotBeChanged."""
    members = {name: given[name] for name in ("type", "order_by", "has_archives") if given.get(name) is not None}
    if (given.get("name") or "").strip():
        members["name"] = allowed_text(work.user, given["name"]).strip() or old.name
    if given.get("slug"):
        members["slug"] = _slug(work, given["slug"], old.id, CannotBeChanged)
    new = msgspec.structs.replace(old, **members)
    if new != old:
        values = {name: value for name, value in msgspec.structs.asdict(new).items() if name != "id"}
        work.tx.run(_UPDATE, of=old.id, **values)
        if new.slug != old.slug:
            work.tx.run(_RENAME, old=old.taxonomy, new=new.taxonomy)
        work.note("product_attribute", old.id, "changed")
    return new


def remove(work: Work, old: Attribute) -> None:
    """Remove an attribute with its terms."""
    work.tx.run(_DELETE_TERMS, gone=old.taxonomy)
    work.tx.run(_DELETE, id=old.id)
    work.note("product_attribute", old.id, "removed")


def _slug(work: Work, text: str, own: int, refusal: type[ApiError]) -> str:
    """Return the slug of an attribute, without the prefix."""
    slug = slugs.slugify(text).removeprefix(PREFIX)
    if not slug:
        raise refusal(reason="An attribute needs a name that makes a slug.")
    if len(slug) > _LONGEST:
        raise refusal(reason=f"The slug {slug!r} is too long; it may have {_LONGEST} letters.")
    if slug in _RESERVED:
        raise refusal(reason=f"The slug {slug!r} is a reserved word. Send another slug.")
    if any(one.slug == slug and one.id != own for one in known(work).values()):
        raise refusal(reason=f"The slug {slug!r} is taken by another attribute. Send another slug.")
    return slug


def _free_slug(work: Work, name: str) -> str:
    """Return a slug made of a name that no attribute has yet, numbered where it has to be."""
    base = slugs.slugify(name).removeprefix(PREFIX)[:_LONGEST].strip("-") or "attribute"
    taken = _RESERVED | {one.slug for one in known(work).values()}
    found, number = base, 1
    while found in taken:
        number += 1
        end = f"-{number}"
        found = base[: _LONGEST - len(end)].rstrip("-") + end
    return found
