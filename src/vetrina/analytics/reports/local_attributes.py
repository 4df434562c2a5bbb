"""Attributes that single products have of their own, by the slug of their name, with the values that are given.

Not here: shared attributes, which have numbers and terms (shop/attributes.py). Rules: facts, "Settings, notes, data,
mirrors".
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import orjson
from sqlalchemy import select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, Contains, listed
from vetrina.backends.tables.catalogue import product as table
from vetrina.backends.tables.core import record
from vetrina.core.unit_of_work import Work
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError

__all__ = ["LocalAttribute", "LocalAttributeUnknown", "Value", "existing", "values"]


class LocalAttributeUnknown(ApiError):
    status, code = 404, "shop_rest_product_attribute_not_found"
    message = "No product has an attribute of its own with the slug {slug!r}; shared ones are found by their numbers."


@dataclass(frozen=True, slots=True)
class LocalAttribute:
    """One attribute. options: the values of each product that has it, by the product's number."""

    slug: str
    name: str
    options: dict[int, list[str]]


@dataclass(frozen=True, slots=True)
class Value:
    """One value, and how many products have it."""

    text: str
    slug: str
    count: int


_HIDDEN: Final = ("auto-draft", "trash")
_WITH = Statement(
    select(record.c.id, table.c.attributes)
    .select_from(table.join(record, record.c.id == table.c.record))
    .where(record.c.type == "product", ~Among(record.c.status, "hidden"), Contains(table.c.attributes, "key"))
    .order_by(record.c.id)
)


def existing(work: Work, slug: str) -> LocalAttribute:
    """Return an attribute. Raises LocalAttributeUnknown."""
    work.uses("product")
    found: dict[int, dict[str, Any]] = {}
    for id, said in work.tx.all(_WITH, key=orjson.dumps(slug).decode(), hidden=listed(_HIDDEN)):
        own = next((one for one in orjson.loads(said) if one.get("key") == slug and not one.get("id")), None)
        if own is not None:
            found[id] = own
    if not found:
        raise LocalAttributeUnknown(slug=slug)
    name = str(next(iter(found.values())).get("name", slug))
    return LocalAttribute(slug, name, {id: [str(one) for one in own.get("options", ())] for id, own in found.items()})


def values(work: Work, of: LocalAttribute, product: int = 0) -> list[Value]:
    """Return the values of an attribute; product: those that this product has, 0 for all."""
    counts = Counter(text for options in of.options.values() for text in dict.fromkeys(options))
    wanted = dict.fromkeys(of.options.get(product, ())) if product else counts
    return [Value(text, slugs.slugify(text), counts[text]) for text in wanted]
