"""Tax classes: names that products choose and rates belong to.

The standard class always exists and has no row; where a class is named by its slug, it is the empty one.
Not here: rates (shop/taxes/rates.py). Rules: facts, "Classes": one that is removed takes its rates along.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, delete, insert, select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.taxes_shipping import tax_class, tax_rate
from vetrina.content.text.short_texts import allowed_text
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.kernel.slugs import slugify

__all__ = [
    "FIRST", "STANDARD", "ClassExists", "EmptyClassName", "TaxClass", "UnknownClass", "create", "found", "get",
    "listed", "make_missing", "remove",
]  # fmt: skip


class ClassExists(ApiError):
    code = "shop_rest_tax_class_exists"
    message = "There is a tax class of that name."


class EmptyClassName(ApiError):
    code = "shop_rest_tax_class_invalid_name"
    message = "A tax class needs a name."


class UnknownClass(ApiError):
    status = 404
    code = "shop_rest_tax_class_invalid_slug"
    message = "There is no tax class with this slug."


@dataclass(frozen=True, slots=True)
class TaxClass:
    """A tax class; the standard one has an empty slug."""

    slug: str
    name: str


STANDARD: Final = TaxClass("", "Standard rate")
FIRST: Final = (TaxClass("reduced-rate", "Reduced rate"), TaxClass("zero-rate", "Zero rate"))
_STANDARD_WORD: Final = "standard"

_ALL = Statement(select(tax_class.c.slug, tax_class.c.name).order_by(tax_class.c.id))
_INSERT = Statement(insert(tax_class).values(id=bindparam("id"), slug=bindparam("slug"), name=bindparam("name")))
_REMOVE = Statement(delete(tax_class).where(tax_class.c.slug == bindparam("slug")))
_REMOVE_RATES = Statement(delete(tax_rate).where(tax_rate.c.tax_class == bindparam("slug")))


def found(work: Work) -> None:
    """Give a new shop its first classes."""
    for one in FIRST:
        _keep(work, one)


def listed(work: Work) -> list[TaxClass]:
    """Return the classes beside the standard one, in the order in which they were made."""
    work.uses("tax_class")
    return [TaxClass(slug, name) for slug, name in work.tx.all(_ALL)]


def get(work: Work, slug: str) -> TaxClass:
    """Return a class by its slug, the standard one as `standard`. Raises UnknownClass."""
    if slug == _STANDARD_WORD:
        return STANDARD
    for one in listed(work):
        if one.slug == slug:
            return one
    raise UnknownClass


def create(work: Work, name: str) -> TaxClass:
    """Make a class. Raises EmptyClassName, ClassExists."""
    slug = slugify(name)
    if not slug:
        raise EmptyClassName
    if slug == _STANDARD_WORD or any(slug == one.slug for one in listed(work)):
        raise ClassExists
    made = TaxClass(slug, allowed_text(work.user, name))
    _keep(work, made)
    return made


def make_missing(work: Work, names: Iterable[str]) -> None:
    """Make the classes of some names that are not there yet."""
    for name in names:
        slug = slugify(name)
        if slug and slug != _STANDARD_WORD and all(slug != one.slug for one in listed(work)):
            create(work, name.strip())


def remove(work: Work, slug: str) -> TaxClass:
    """Remove a class with its rates and return it. Raises UnknownClass, for the standard one too."""
    gone = get(work, slug)
    if gone is STANDARD:
        raise UnknownClass
    work.tx.run(_REMOVE_RATES, slug=slug)
    work.tx.run(_REMOVE, slug=slug)
    work.note("tax_class", slug, "removed")
    work.note("tax_rate", 0, "removed")
    return gone


def _keep(work: Work, one: TaxClass) -> None:
    work.tx.run(_INSERT, id=next_number(work.tx, "tax_class"), slug=one.slug, name=one.name)
    work.note("tax_class", one.slug, "created")
