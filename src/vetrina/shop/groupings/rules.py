"""Groups of products as a shop shows them: categories and brands with an image and a way to show them, places.

A group is a term; what it has beyond a term stands in the term's own extra fields (`display`, `image`, `order`).
Not here: terms themselves (content/taxonomy). Rules: facts, "Categories, tags, classes, brands".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, update

from vetrina.backends.database import Statement
from vetrina.backends.tables.core import term as table
from vetrina.content.terms import rules as term_rules
from vetrina.content.terms import store as term_store
from vetrina.content.terms.store import Term
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import Work
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.products import images as product_images

__all__ = [
    "DISPLAYS", "CannotRemoveDefault", "NameTaken", "ParentUnknown", "TermUnknown", "change", "create", "existing",
    "free_slug", "remove",
]  # fmt: skip

DISPLAYS: Final = ("default", "products", "subcategories", "both")


class TermUnknown(ApiError):
    """No term of this kind has the number."""

    status, code = 404, "shop_rest_term_invalid"
    message = "There is no {what} with the number {id}."


class NameTaken(ApiError):
    """The name is taken beneath the same parent; the answer names the term that has it."""

    code = "term_exists"
    message = "The name {name!r} is taken by term {owner}. Send another name, or a slug of its own."


class ParentUnknown(ApiError):
    """The parent is no term of this kind."""

    code = "shop_rest_term_invalid"
    message = "There is no term {id} that could be the parent."


class CannotRemoveDefault(ApiError):
    """Products fall back to the default category."""

    code = "shop_rest_cannot_delete"
    message = "The default category cannot be removed; choose another default first."


_META = Statement(update(table).where(table.c.id == bindparam("of")).values(meta=bindparam("meta")))


def existing(work: Work, taxonomy: Taxonomy, id: Any) -> Term:
    """Return the term of a taxonomy with a number. Raises TermUnknown."""
    work.uses(taxonomy.name, *taxonomy.types)
    found = term_store.by_id(work.tx, id) if isinstance(id, int) and id > 0 else None
    if found is None or found.taxonomy != taxonomy.name:
        raise TermUnknown(what=taxonomy.singular.lower(), id=id)
    return found


def create(work: Work, taxonomy: Taxonomy, given: Mapping[str, Any]) -> Term:
    """Store a new group. Raises EmptyTermName, NameTaken, ParentUnknown, InvalidImage."""
    name = given.get("name") or ""
    try:
        new = term_rules.create(
            work, taxonomy, name, slug=given.get("slug") or "", description=given.get("description") or "",
            parent=_parent(work, taxonomy, given) or 0,
        )  # fmt: skip
    except term_rules.TermExists as taken:
        owner = taken.data["term_id"]
        raise NameTaken(name=name, owner=owner, data={"resource_id": owner}) from None
    return _with_meta(work, new, given)


def change(work: Work, taxonomy: Taxonomy, old: Term, given: Mapping[str, Any]) -> Term:
    """Store the given members of a group and return its new state. Raises what create raises, DuplicateTermSlug."""
    new = term_rules.change(
        work, taxonomy, old, name=given.get("name"), slug=given.get("slug"), description=given.get("description"),
        parent=_parent(work, taxonomy, given),
    )  # fmt: skip
    # Terms of attributes lose their place with a new name, as the interface has it.
    renamed = taxonomy.name.startswith(attributes.PREFIX) and given.get("menu_order") is None
    return _with_meta(work, new, {**given, "menu_order": 0} if renamed else given)


def _parent(work: Work, taxonomy: Taxonomy, given: Mapping[str, Any]) -> int | None:
    parent = given.get("parent")
    if parent is None or not taxonomy.hierarchical:
        return None
    if parent:
        found = term_store.by_id(work.tx, parent)
        if found is None or found.taxonomy != taxonomy.name:
            raise ParentUnknown(id=parent)
    return int(parent)


def _with_meta(work: Work, one: Term, given: Mapping[str, Any]) -> Term:
    meta = dict(one.meta)
    if given.get("menu_order") is not None:
        meta["order"] = given["menu_order"]
    if given.get("display") is not None:
        meta["display"] = given["display"]
    if isinstance(given.get("image"), Mapping):
        chosen = product_images.written(work, (given["image"],))
        meta["image"] = chosen[0] if chosen else 0
    if meta == one.meta:
        return one
    work.tx.run(_META, of=one.id, meta=orjson.dumps(meta).decode())
    work.note(one.taxonomy, one.id, "changed")
    return msgspec.structs.replace(one, meta=meta)


def remove(work: Work, taxonomy: Taxonomy, old: Term) -> None:
    """Remove a group; its children move up, products without another category get the default one.

    Raises CannotRemoveDefault.
    """
    if taxonomy.default_option and work.option(taxonomy.default_option) == old.id:
        raise CannotRemoveDefault
    term_rules.remove(work, taxonomy, old)


def free_slug(work: Work, taxonomy: Taxonomy, name: str) -> str:
    """Return a slug for a name that no term of a taxonomy has; empty for no name."""
    slug = slugs.slugify(name)
    if not slug:
        return ""
    candidate, number = slug, 1
    while attributes.terms_by_slug(work, ((taxonomy.name, candidate),)):
        number += 1
        candidate = slugs.numbered(slug, number)
    return candidate
