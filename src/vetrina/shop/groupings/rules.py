"""Product terms as a shop shows them: categories and brands with an image and a display type, menu orders.

What a product term has beyond a term is stored in the term's own meta (`display`, `image`, `order`). Not here: terms
themselves (content/terms/rules.py). Rules: docs/rules/product_groups.md, 1 and 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, update

from vetrina.backends.database import Statement
from vetrina.backends.tables.terms import term as table
from vetrina.content.terms import rules as term_rules, store as term_store
from vetrina.content.terms.store import Term
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.products import images as product_images

DISPLAYS: Final = ("default", "products", "subcategories", "both")


class ProductTermNotFound(ApiError):
    """No term of this taxonomy has the id."""

    failure, code = Failure.NOT_FOUND, "shop_rest_term_invalid"
    message = "There is no {what} with the number {id}."


class ProductTermNameTaken(ApiError):
    """The name is taken below the same parent; the response names the term that has it."""

    code = "term_exists"
    message = "The name {name!r} is taken by term {owner}. Send another name, or a slug of its own."


class ParentTermNotFound(ApiError):
    """The parent is not a term of this taxonomy."""

    code = "shop_rest_term_invalid"
    message = "There is no term {id} that could be the parent."


class CannotDeleteDefaultCategory(ApiError):
    """The default category cannot be deleted: products fall back to it."""

    code = "shop_rest_cannot_delete"
    message = "The default category cannot be removed; choose another default first."


_META = Statement(update(table).where(table.c.id == bindparam("of")).values(meta=bindparam("meta")))


def get_product_term(work: UnitOfWork, taxonomy: Taxonomy, id: Any) -> Term:
    """Return the term of a taxonomy with an id. Raises ProductTermNotFound."""
    work.uses(taxonomy.name, *taxonomy.types)
    found = term_store.find_term(work.tx, id) if isinstance(id, int) and id > 0 else None
    if found is None or found.taxonomy != taxonomy.name:
        raise ProductTermNotFound(what=taxonomy.singular.lower(), id=id)
    return found


def create_product_term(work: UnitOfWork, taxonomy: Taxonomy, given: Mapping[str, Any]) -> Term:
    """Store a new term. Raises EmptyTermName, ProductTermNameTaken, ParentTermNotFound, InvalidProductImage."""
    name = given.get("name") or ""
    try:
        new = term_rules.create_term(
            work, taxonomy, name, slug=given.get("slug") or "", description=given.get("description") or "",
            parent=_get_parent_id(work, taxonomy, given) or 0,
        )  # fmt: skip
    except term_rules.TermExists as taken:
        owner = taken.data["term_id"]
        raise ProductTermNameTaken(name=name, owner=owner, data={"resource_id": owner}) from None
    return save_term_details(work, new, given)


def update_product_term(work: UnitOfWork, taxonomy: Taxonomy, old: Term, given: Mapping[str, Any]) -> Term:
    """Store the given members of a term and return its new state. Raises the errors of creation, DuplicateTermSlug."""
    new = term_rules.update_term(
        work, taxonomy, old, name=given.get("name"), slug=given.get("slug"), description=given.get("description"),
        parent=_get_parent_id(work, taxonomy, given),
    )  # fmt: skip
    # Terms of attributes lose their menu order with a new name, as the interface does.
    renamed = taxonomy.name.startswith(attributes.TAXONOMY_PREFIX) and given.get("menu_order") is None
    return save_term_details(work, new, {**given, "menu_order": 0} if renamed else given)


def _get_parent_id(work: UnitOfWork, taxonomy: Taxonomy, given: Mapping[str, Any]) -> int | None:
    parent = given.get("parent")
    if parent is None or not taxonomy.hierarchical:
        return None
    if parent:
        found = term_store.find_term(work.tx, parent)
        if found is None or found.taxonomy != taxonomy.name:
            raise ParentTermNotFound(id=parent)
    return int(parent)


def save_term_details(work: UnitOfWork, one: Term, given: Mapping[str, Any]) -> Term:
    """Store the given members that a product term has beyond a term, and return it. Raises InvalidProductImage."""
    meta = dict(one.meta)
    if given.get("menu_order") is not None:
        meta["order"] = given["menu_order"]
    if given.get("display") is not None:
        meta["display"] = given["display"]
    if isinstance(given.get("image"), Mapping):
        chosen = product_images.save_product_images(work, (given["image"],))
        meta["image"] = chosen[0] if chosen else 0
    if meta == one.meta:
        return one
    work.tx.run(_META, of=one.id, meta=orjson.dumps(meta).decode())
    work.note(one.taxonomy, one.id, "changed")
    return msgspec.structs.replace(one, meta=meta)


def delete_product_term(work: UnitOfWork, taxonomy: Taxonomy, old: Term) -> None:
    """Delete a term; its children move up, products without another category get the default one.

    Raises CannotDeleteDefaultCategory.
    """
    if taxonomy.default_option and work.option(taxonomy.default_option) == old.id:
        raise CannotDeleteDefaultCategory
    term_rules.delete_term(work, taxonomy, old)
