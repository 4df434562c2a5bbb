"""The greatest id of a site's records, so that a site which keeps ids gives none of them to anything else.

Content, products, variations, orders, refunds and coupons share one row of ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from vetrina.kernel.integers import MAX_SAFE_INTEGER
from vetrina.transfer.sources.address.collections import AFTER_CONTENT, MEDIA, SHOP, SourceCollection, list_content
from vetrina.transfer.sources.address.connection import ReadRefused, SiteConnection
from vetrina.transfer.sources.address.list_queries import build_list_queries
from vetrina.transfer.sources.address.paging import map_in_order
from vetrina.transfer.sources.address.site_outline import SiteOutline

RECORD_KIND: Final = "record"  # the kind of SourceDescription.greatest_ids
_MANY: Final = 100  # of the records with the greatest ids, for what these name may have greater ones
_NAMED: Final = "font_faces"  # member with the ids of records that no list of their own has
_AMONG: Final = frozenset({
    "/cms/v2/menu-items", "/cms/v2/font-families", "/cms/v2/font-families/{font_family_id}/font-faces",
    "/shop/v3/products", "/shop/v3/products/{product_id}/variations", "/shop/v3/coupons", "/shop/v3/orders",
    "/shop/v3/orders/{order_id}/refunds",
})  # fmt: skip


def list_record_collections(types: Mapping[str, Any]) -> Iterator[SourceCollection]:
    """Give the collections whose records share one row of ids; types: as `/cms/v2/types` answers them."""
    yield MEDIA
    yield from list_content(types)
    yield from (one for one in (*AFTER_CONTENT, *SHOP) if one.resource in _AMONG)


def find_greatest_ids(
    connection: SiteConnection, outline: SiteOutline, contexts: Mapping[str, str], types: Mapping[str, Any],
    pool: ThreadPoolExecutor | None,
) -> dict[str, int]:  # fmt: skip
    """Return the greatest id of a site's records by their kind, nothing where no list says it.

    contexts: of the collections that can be read.
    """

    def ask(reading: tuple[str, dict[str, Any]]) -> int:
        path, query = reading
        try:
            found = connection.ask(path, query, patient=False).value
        except ReadRefused:
            return 0
        records = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
        named = [id for one in records for id in (one.get("id"), *(one.get(_NAMED) or ()))]
        return max((id for id in named if isinstance(id, int) and id <= MAX_SAFE_INTEGER), default=0)

    readings = [*_list_readings(outline, contexts, types)]
    greatest = max(map_in_order(pool, connection.parallel, ask, readings), default=0)
    return {RECORD_KIND: greatest} if greatest else {}


def _list_readings(
    outline: SiteOutline, contexts: Mapping[str, str], types: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give path and parameters of each reading that answers the record with the greatest id of a list."""
    for one in list_record_collections(types):
        path = one.flat or one.resource
        if one.resource not in contexts or "{" in path or not outline.has_path(path):
            continue
        for query in build_list_queries(outline, one, path, contexts[one.resource]):
            if "orderby" in query.parameters:
                yield path, {**query.parameters, "order": "desc", "per_page": _MANY, "_fields": f"id,{_NAMED}"}
