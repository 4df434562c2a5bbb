"""Tax classes: names that products choose and rates belong to.

The standard class always exists and has no row; its slug is empty. Not here: rates (shop/taxes/rates.py).
Rules: docs/rules/taxes.md, 2: deleting a class deletes its rates.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, delete, insert, select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.tables.taxes_shipping import tax_class, tax_rate
from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.slugs import slugify

__all__ = [
    "DEFAULT_TAX_CLASSES",
    "STANDARD_TAX_CLASS",
    "EmptyTaxClassName",
    "TaxClass",
    "TaxClassExists",
    "TaxClassNotFound",
    "create_default_tax_classes",
    "create_missing_tax_classes",
    "create_tax_class",
    "delete_tax_class",
    "get_tax_class",
    "list_tax_classes",
]  # fmt: skip


class TaxClassExists(ApiError):
    code = "shop_rest_tax_class_exists"
    message = "There is a tax class of that name."


class EmptyTaxClassName(ApiError):
    code = "shop_rest_tax_class_invalid_name"
    message = "A tax class needs a name."


class TaxClassNotFound(ApiError):
    failure = Failure.NOT_FOUND
    code = "shop_rest_tax_class_invalid_slug"
    message = "There is no tax class with this slug."


@dataclass(frozen=True, slots=True)
class TaxClass:
    """A tax class; the standard one has an empty slug."""

    slug: str
    name: str


STANDARD_TAX_CLASS: Final = TaxClass("", "Standard rate")
DEFAULT_TAX_CLASSES: Final = (TaxClass("reduced-rate", "Reduced rate"), TaxClass("zero-rate", "Zero rate"))
_STANDARD_SLUG: Final = "standard"

_TAX_CLASSES = Statement(select(tax_class.c.slug, tax_class.c.name).order_by(tax_class.c.id))
_INSERT_TAX_CLASS = Statement(
    insert(tax_class).values(id=bindparam("id"), slug=bindparam("slug"), name=bindparam("name"))
)
_DELETE_TAX_CLASS = Statement(delete(tax_class).where(tax_class.c.slug == bindparam("slug")))
_DELETE_CLASS_RATES = Statement(delete(tax_rate).where(tax_rate.c.tax_class == bindparam("slug")))


def create_default_tax_classes(work: UnitOfWork) -> None:
    """Create the default classes of a new shop."""
    for one in DEFAULT_TAX_CLASSES:
        _insert_tax_class(work, one)


def list_tax_classes(work: UnitOfWork) -> list[TaxClass]:
    """Return the classes beside the standard one, in the order of creation."""
    work.uses("tax_class")
    return [TaxClass(slug, name) for slug, name in work.tx.all(_TAX_CLASSES)]


def get_tax_class(work: UnitOfWork, slug: str) -> TaxClass:
    """Return a class by its slug, the standard one as `standard`. Raises TaxClassNotFound."""
    if slug == _STANDARD_SLUG:
        return STANDARD_TAX_CLASS
    for one in list_tax_classes(work):
        if one.slug == slug:
            return one
    raise TaxClassNotFound


def create_tax_class(work: UnitOfWork, name: str) -> TaxClass:
    """Create a class. Raises EmptyTaxClassName, TaxClassExists."""
    slug = slugify(name)
    if not slug:
        raise EmptyTaxClassName
    if slug == _STANDARD_SLUG or any(slug == one.slug for one in list_tax_classes(work)):
        raise TaxClassExists
    made = TaxClass(slug, sanitize_short_text(work.user, name))
    _insert_tax_class(work, made)
    return made


def create_missing_tax_classes(work: UnitOfWork, names: Iterable[str]) -> None:
    """Create the classes with the given names that do not exist yet."""
    for name in names:
        slug = slugify(name)
        if slug and slug != _STANDARD_SLUG and all(slug != one.slug for one in list_tax_classes(work)):
            create_tax_class(work, name.strip())


def delete_tax_class(work: UnitOfWork, slug: str) -> TaxClass:
    """Delete a class with its rates and return it. Raises TaxClassNotFound, for the standard one too."""
    gone = get_tax_class(work, slug)
    if gone is STANDARD_TAX_CLASS:
        raise TaxClassNotFound
    work.tx.run(_DELETE_CLASS_RATES, slug=slug)
    work.tx.run(_DELETE_TAX_CLASS, slug=slug)
    work.note("tax_class", slug, "removed")
    work.note("tax_rate", 0, "removed")
    return gone


def _insert_tax_class(work: UnitOfWork, one: TaxClass) -> None:
    work.tx.run(_INSERT_TAX_CLASS, id=allocate_id(work.tx, "tax_class"), slug=one.slug, name=one.name)
    work.note("tax_class", one.slug, "created")
