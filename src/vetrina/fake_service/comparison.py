"""Compare a mirror with its site by checksums, finding the differences with few requests.

The checksums of a differing table are requested in sixteen ranges, then those of the differing ranges in turn, down to
single rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from vetrina.connector.sync.codec import decode_payload
from vetrina.fake_service.mirror import SiteMirror
from vetrina.fake_service.sync_puller import MirrorPuller
from vetrina.kernel.checksums import compute_row_checksum, compute_table_checksum

_BUCKETS: Final = 16
_END: Final = 1 << 53

ChecksumRow = tuple[int, str, list[Any]]  # the id of the object, the row's own key, the fields in the checksum


class MirroredTable:
    """A table of a site as the mirror has it. module: the module of its objects; rows: of one object."""

    def __init__(
        self, name: str, module: str, kind: str, rows: Callable[[dict[str, Any]], Iterator[ChecksumRow]]
    ) -> None:
        self.name, self.module, self.kind, self._rows = name, module, kind, rows

    def rows(self, mirror: SiteMirror, site: int, first: int = 0, last: int = _END) -> list[ChecksumRow]:
        """Return the rows with ids in a range."""
        return [row for thing in mirror.things(site, self.module, first, last) for row in self._rows(thing)]


def _iterate_post_rows(thing: dict[str, Any]) -> Iterator[ChecksumRow]:
    yield int(thing["ID"]), str(thing["ID"]), [thing["post_modified_gmt"]]


def _build_meta_iterator(key: str) -> Callable[[dict[str, Any]], Iterator[ChecksumRow]]:
    def rows(thing: dict[str, Any]) -> Iterator[ChecksumRow]:
        if thing.get("comment_approved") == "spam":
            return
        number = int(thing[key])
        for name, value in (thing["meta"] or {}).items():
            text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), ensure_ascii=False)
            yield number, f"{number}-{name}", [name, text]

    return rows


def _iterate_comment_rows(thing: dict[str, Any]) -> Iterator[ChecksumRow]:
    if thing["comment_approved"] != "spam":
        yield int(thing["comment_ID"]), thing["comment_ID"], [thing["comment_date_gmt"]]


def _iterate_term_rows(thing: dict[str, Any]) -> Iterator[ChecksumRow]:
    yield thing["term_id"], str(thing["term_id"]), [thing["term_id"], thing["name"], thing["slug"]]


def _iterate_taxonomy_rows(thing: dict[str, Any]) -> Iterator[ChecksumRow]:
    fields = ("term_taxonomy_id", "term_id", "parent", "taxonomy", "description")
    yield thing["term_id"], str(thing["term_id"]), [thing[field] for field in fields]


def _iterate_relationship_rows(thing: dict[str, Any]) -> Iterator[ChecksumRow]:
    for term in thing["terms"]:
        yield int(thing["ID"]), f"{thing['ID']}-{term}", [thing["ID"], term]


def _iterate_user_rows(thing: dict[str, Any]) -> Iterator[ChecksumRow]:
    data = thing["data"]
    fields = ("user_login", "user_nicename", "user_email", "user_url", "user_registered", "user_status",
              "display_name")  # fmt: skip
    if thing["has_level"]:
        yield thing["ID"], str(thing["ID"]), [data[field] for field in fields]


def _iterate_order_rows(thing: dict[str, Any]) -> Iterator[ChecksumRow]:
    fields = ("date_updated_gmt", "total_amount", "type", "status")
    yield thing["id"], str(thing["id"]), [thing[field] for field in fields]


def _iterate_product_rows(thing: dict[str, Any]) -> Iterator[ChecksumRow]:
    if (lookup := thing.get("lookup")) is not None:
        yield lookup["product_id"], str(lookup["product_id"]), list(lookup.values())


def _iterate_address_rows(thing: dict[str, Any]) -> Iterator[ChecksumRow]:
    for kind in ("billing", "shipping"):
        yield thing["id"], f"{thing['id']}-{kind}", [kind]


def _iterate_operation_rows(thing: dict[str, Any]) -> Iterator[ChecksumRow]:
    fields = ("date_paid_gmt", "date_completed_gmt", "order_key")
    yield thing["id"], str(thing["id"]), [thing[field] for field in fields]


def _iterate_item_rows(thing: dict[str, Any]) -> Iterator[ChecksumRow]:
    for one in thing["items"]:
        fields = [thing["id"], one["order_item_name"], one["order_item_type"]]
        yield thing["id"], f"{thing['id']}-{one['order_item_id']}", fields


TABLES: Final = (
    MirroredTable("posts", "posts", "post", _iterate_post_rows),
    MirroredTable("post_meta", "posts", "post", _build_meta_iterator("ID")),
    MirroredTable("comments", "comments", "comment", _iterate_comment_rows),
    MirroredTable("comment_meta", "comments", "comment", _build_meta_iterator("comment_ID")),
    MirroredTable("terms", "terms", "term", _iterate_term_rows),
    MirroredTable("term_taxonomy", "terms", "term", _iterate_taxonomy_rows),
    MirroredTable("term_relationships", "posts", "post", _iterate_relationship_rows),
    MirroredTable("users", "users", "user", _iterate_user_rows),
    MirroredTable("shop_product_lookup", "posts", "post", _iterate_product_rows),
    MirroredTable("shop_orders", "shop_orders", "order", _iterate_order_rows),
    MirroredTable("shop_order_items", "shop_orders", "order", _iterate_item_rows),
    MirroredTable("shop_order_addresses", "shop_orders", "order", _iterate_address_rows),
    MirroredTable("shop_order_operational_data", "shop_orders", "order", _iterate_operation_rows),
)


def compare_tables(puller: MirrorPuller, site: int) -> dict[str, bool]:
    """Return for each table whether the mirror equals the site. Raises SiteUnreachable, SiteRefused."""
    checksums = puller.ask(site, "GET", "/sync/data-check")
    out = {}
    for table in TABLES:
        if isinstance(checksums.get(table.name), int):
            mine = compute_table_checksum(fields for _, _, fields in table.rows(puller.mirror, site))
            out[table.name] = mine == checksums[table.name]
    return out


def find_differences(puller: MirrorPuller, site: int, table: MirroredTable) -> set[int]:
    """Return the ids of the objects that differ, or that one side lacks. Raises SiteUnreachable, SiteRefused."""
    found: set[int] = set()
    waiting = [(1, _END)]
    while waiting:
        first, last = waiting.pop()
        histogram = _fetch_histogram(puller, site, table, first, last, detailed=False)
        if not histogram:
            found.update(number for number, _, _ in table.rows(puller.mirror, site, first, last))
            continue
        starts = first
        for at, (key, sum) in enumerate(histogram.items()):
            # Ranges leave gaps where the site has nothing; the mirror may have something there.
            end = int(key.rpartition("-")[2])
            # The last range may reach beyond the requested one; otherwise what the mirror has behind it counts.
            end = max(end, last) if at == len(histogram) - 1 and end <= last else end
            mine = compute_table_checksum(fields for _, _, fields in table.rows(puller.mirror, site, starts, end))
            if str(mine) != sum:
                if len(histogram) > 1 and (starts, end) != (first, last):
                    waiting.append((starts, end))
                else:
                    found |= _find_row_differences(puller, site, table, starts, end)
            starts = end + 1
    return found


def _fetch_histogram(
    puller: MirrorPuller, site: int, table: MirroredTable, first: int, last: int, *, detailed: bool
) -> dict[str, Any]:
    histogram = puller.ask(site, "POST", "/sync/data-histogram", {
        "object_type": table.name, "start_id": first, "end_id": last, "buckets": 1 if detailed else _BUCKETS,
        "detailed_drilldown": detailed,
    })["histogram"]  # fmt: skip
    return histogram if isinstance(histogram, dict) else {}


def _find_row_differences(puller: MirrorPuller, site: int, table: MirroredTable, first: int, last: int) -> set[int]:
    histogram = {
        key: sum
        for part in _fetch_histogram(puller, site, table, first, last, detailed=True).values()
        for key, sum in part.items()
    }
    mine = {
        key: (number, str(compute_row_checksum(fields)))
        for number, key, fields in table.rows(puller.mirror, site, first, last)
    }
    found = {number for key, (number, sum) in mine.items() if histogram.get(key) != sum}
    return found | {int(key.partition("-")[0]) for key in histogram if key not in mine}


def repair_mirror(puller: MirrorPuller, site: int) -> dict[str, list[int]]:
    """Fetch what differs and return the ids by table. Raises SiteUnreachable, SiteRefused."""
    out: dict[str, list[int]] = {}
    for table in TABLES:
        if compare_tables(puller, site).get(table.name, True):
            continue
        numbers = sorted(find_differences(puller, site, table))
        wanted = {"module_name": table.module, "object_type": table.kind, "object_ids": numbers}
        objects = decode_payload(puller.ask(site, "POST", "/sync/object", wanted)["objects"]) or {} if numbers else {}
        puller.mirror.put(site, table.module, {str(number): objects.get(str(number)) for number in numbers})
        out[table.name] = numbers
    return out
