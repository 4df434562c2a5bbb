"""Local attributes, which belong to single products, by the slug of their name, with their values.

Not here: shared attributes, which have ids and terms (shop/attributes/rules.py). Rules:
docs/rules/analytics_exports.md, 8.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import orjson
from sqlalchemy import select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import ContainsText, InList, encode_list
from vetrina.backends.tables.catalogue import product as table
from vetrina.backends.tables.records import record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError, Failure


class LocalAttributeNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_product_attribute_not_found"
    message = "No product has an attribute of its own with the slug {slug!r}; shared ones are found by their numbers."


@dataclass(frozen=True, slots=True)
class LocalAttribute:
    """One attribute. options: the values of each product that has it, by product id."""

    slug: str
    name: str
    options: dict[int, list[str]]


@dataclass(frozen=True, slots=True)
class LocalAttributeValue:
    """One value, and how many products have it."""

    text: str
    slug: str
    count: int


_HIDDEN: Final = ("auto-draft", "trash")
_WITH = Statement(
    select(record.c.id, table.c.attributes)
    .select_from(table.join(record, record.c.id == table.c.record))
    .where(record.c.type == "product", ~InList(record.c.status, "hidden"), ContainsText(table.c.attributes, "key"))
    .order_by(record.c.id)
)


def get_local_attribute(work: UnitOfWork, slug: str) -> LocalAttribute:
    """Return an attribute. Raises LocalAttributeNotFound."""
    work.uses("product")
    found: dict[int, dict[str, Any]] = {}
    for id, text in work.tx.all(_WITH, key=orjson.dumps(slug).decode(), hidden=encode_list(_HIDDEN)):
        own = next((one for one in orjson.loads(text) if one.get("key") == slug and not one.get("id")), None)
        if own is not None:
            found[id] = own
    if not found:
        raise LocalAttributeNotFound(slug=slug)
    name = str(next(iter(found.values())).get("name", slug))
    return LocalAttribute(slug, name, {id: [str(one) for one in own.get("options", ())] for id, own in found.items()})


def list_attribute_values(work: UnitOfWork, attribute: LocalAttribute, product: int = 0) -> list[LocalAttributeValue]:
    """Return the values of an attribute; product: only those of this product, 0 for all."""
    counts = Counter(text for options in attribute.options.values() for text in dict.fromkeys(options))
    wanted = dict.fromkeys(attribute.options.get(product, ())) if product else counts
    return [LocalAttributeValue(text, slugs.slugify(text), counts[text]) for text in wanted]
