"""Tax classes: names that products choose and rates belong to.

The standard class always exists and has no row; its slug is empty. Not here: rates (shop/taxes/rate_store.py).
Rules: docs/rules/taxes.md, 2: deleting a class deletes its rates.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.store import Store
from vetrina.backends.tables.taxes_shipping import tax_class, tax_rate
from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.slugs import slugify


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


class TaxClass(msgspec.Struct, frozen=True):
    """A tax class; the standard one has an empty slug, and no row."""

    slug: str
    name: str
    id: int = 0


STANDARD_TAX_CLASS: Final = TaxClass("", "Standard rate")
DEFAULT_TAX_CLASSES: Final = (TaxClass("reduced-rate", "Reduced rate"), TaxClass("zero-rate", "Zero rate"))
_STANDARD_SLUG: Final = "standard"

_STORE: Final = Store(tax_class, TaxClass)
_TAX_CLASSES = Statement(select(*_STORE.columns).order_by(tax_class.c.id))
_DELETE_CLASS_RATES = Statement(delete(tax_rate).where(tax_rate.c.tax_class == bindparam("slug")))


def create_default_tax_classes(work: UnitOfWork) -> None:
    """Create the default classes of a new shop."""
    for one in DEFAULT_TAX_CLASSES:
        insert_tax_class(work, one)


def list_tax_classes(work: UnitOfWork) -> list[TaxClass]:
    """Return the classes beside the standard one, in the order of creation."""
    work.uses("tax_class")
    return _STORE.of_rows(work.tx.all(_TAX_CLASSES))


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
    return insert_tax_class(work, TaxClass(slug, sanitize_short_text(work.user, name)))


def create_missing_tax_classes(work: UnitOfWork, names: Iterable[str]) -> None:
    """Create the classes with the given names that do not exist yet."""
    for name in names:
        slug = slugify(name)
        if slug and slug != _STANDARD_SLUG and all(slug != one.slug for one in list_tax_classes(work)):
            create_tax_class(work, name.strip())


def delete_tax_class(work: UnitOfWork, gone: TaxClass) -> None:
    """Delete a class with its rates. Raises TaxClassNotFound for the standard one."""
    if gone is STANDARD_TAX_CLASS:
        raise TaxClassNotFound
    work.tx.run(_DELETE_CLASS_RATES, slug=gone.slug)
    _STORE.delete(work.tx, gone.id)
    work.note("tax_class", gone.slug, "removed")
    work.note("tax_rate", 0, "removed")


def insert_tax_class(work: UnitOfWork, new: TaxClass) -> TaxClass:
    """Store a class whose slug is free, and return it with its id."""
    made = msgspec.structs.replace(new, id=allocate_id(work.tx, "tax_class"))
    _STORE.insert(work.tx, made)
    work.note("tax_class", made.slug, "created")
    return made
