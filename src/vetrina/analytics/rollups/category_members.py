"""Which products count for each category now, in statements and as a digest that sums are kept under.

A product that lies in several categories of one branch counts for those above as often. Sums by category hold while the
products that were sold are in the categories in which they were then; others may come and go. Not here: the sums
(analytics/rollups/category_sums.py), the categories of a report (analytics/reports/segments.py). Rules:
docs/rules/analytics_measures.md, 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any, Final

import orjson
from sqlalchemy import FromClause, Integer, column, text

from vetrina.analytics.reports import segment_items
from vetrina.analytics.rollups.id_sets import list_ids
from vetrina.backends.database import DatabaseKind
from vetrina.backends.statement_cache import encode_list
from vetrina.core.unit_of_work import UnitOfWork

_COLUMNS: Final = ("product", "category")
# Grouped, so that SQLite makes a table of them, which it looks into by an index.
_SELECT: Final[Mapping[DatabaseKind, str]] = {
    "sqlite": "SELECT p.value AS product, c.value AS category, count(*) AS times"
    " FROM json_each(:member_product) p JOIN json_each(:member_category) c ON c.key = p.key GROUP BY 1, 2",
    "postgresql": "SELECT product, category, count(*) AS times FROM unnest("
    "CAST(translate(:member_product, '[]', '{}') AS bigint[]),"
    " CAST(translate(:member_category, '[]', '{}') AS bigint[])) AS members (product, category)"
    " GROUP BY product, category",
}


def build_member_source(kind: DatabaseKind) -> FromClause:
    """Return the products of categories as a table: product, category, times. Bind `encode_members`."""
    return text(_SELECT[kind]).columns(*(column(name, Integer) for name in (*_COLUMNS, "times"))).subquery("members")


def encode_members(products: Mapping[int, Iterable[int]]) -> dict[str, str]:
    """Return the values of `build_member_source`. products: those of each category, each as often as it counts."""
    pairs = [(product, category) for category, held in products.items() for product in held]
    return {f"member_{name}": encode_list(pair[at] for pair in pairs) for at, name in enumerate(_COLUMNS)}


class CategoryMembers:
    """The products of all categories. products: by category, each as often as it counts."""

    def __init__(self, products: Mapping[int, tuple[int, ...]]) -> None:
        self.products = products
        self._categories: dict[int, list[int]] = {}
        self._digests: dict[bytes, str] = {}
        for id in sorted(products):
            for product in products[id]:
                self._categories.setdefault(product, []).append(id)

    def compute_digest(self, sold: bytes | None = None) -> str:
        """Return a digest of the categories of some products. sold: the packed ids of those; None for all."""
        if sold is None:
            return self._compute_digest(sorted(self._categories))
        if sold not in self._digests:
            self._digests[sold] = self._compute_digest(list_ids(sold))
        return self._digests[sold]

    def _compute_digest(self, products: Iterable[int]) -> str:
        told = [(id, self._categories.get(id, ())) for id in products]
        return blake2b(orjson.dumps(told), digest_size=16).hexdigest()


def load_members(work: UnitOfWork) -> CategoryMembers:
    """Return the products of all categories that have any."""
    found: CategoryMembers | None = None if work.tx.writes else work.lookups.get("category members")
    if found is None:
        found = CategoryMembers({id: products for id, _, products in segment_items.list_categories(work)})
        work.lookups["category members"] = found
    return found


def bind_members(work: UnitOfWork) -> dict[str, Any]:
    """Return the values of `build_member_source` for all categories."""
    return encode_members(load_members(work).products)
