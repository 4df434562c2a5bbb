"""Comparing a mirror with its site by checksums, and finding what differs with few questions.

A table that differs is asked for in sixteen ranges, then the ranges that differ likewise, down to single rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from vetrina.fake_service.mirror import Mirror
from vetrina.fake_service.sync_puller import Puller
from vetrina.kernel.checksums import row_sum, total
from vetrina.kernel.codec import unpacked

__all__ = ["TABLES", "Table", "compared", "differing", "mend"]

_BUCKETS: Final = 16
_END: Final = 1 << 53

Row = tuple[int, str, list[Any]]  # the number of the thing, the row's own key, the fields that are summed


class Table:
    """A table of a site as the mirror has it. module: whose things it is made of; rows: of one thing."""

    def __init__(self, name: str, module: str, kind: str, rows: Callable[[dict[str, Any]], Iterator[Row]]) -> None:
        self.name, self.module, self.kind, self._rows = name, module, kind, rows

    def rows(self, mirror: Mirror, site: int, first: int = 0, last: int = _END) -> list[Row]:
        """Return the rows whose numbers lie in a range."""
        return [row for thing in mirror.things(site, self.module, first, last) for row in self._rows(thing)]


def _post(thing: dict[str, Any]) -> Iterator[Row]:
    yield int(thing["ID"]), str(thing["ID"]), [thing["post_modified_gmt"]]


def _meta(key: str) -> Callable[[dict[str, Any]], Iterator[Row]]:
    def rows(thing: dict[str, Any]) -> Iterator[Row]:
        if thing.get("comment_approved") == "spam":
            return
        number = int(thing[key])
        for name, value in (thing["meta"] or {}).items():
            text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), ensure_ascii=False)
            yield number, f"{number}-{name}", [name, text]

    return rows


def _comment(thing: dict[str, Any]) -> Iterator[Row]:
    if thing["comment_approved"] != "spam":
        yield int(thing["comment_ID"]), thing["comment_ID"], [thing["comment_date_gmt"]]


def _term(thing: dict[str, Any]) -> Iterator[Row]:
    yield thing["term_id"], str(thing["term_id"]), [thing["term_id"], thing["name"], thing["slug"]]


def _taxonomy(thing: dict[str, Any]) -> Iterator[Row]:
    fields = ("term_taxonomy_id", "term_id", "parent", "taxonomy", "description")
    yield thing["term_id"], str(thing["term_id"]), [thing[field] for field in fields]


def _held(thing: dict[str, Any]) -> Iterator[Row]:
    for term in thing["terms"]:
        yield int(thing["ID"]), f"{thing['ID']}-{term}", [thing["ID"], term]


def _user(thing: dict[str, Any]) -> Iterator[Row]:
    data = thing["data"]
    fields = ("user_login", "user_nicename", "user_email", "user_url", "user_registered", "user_status",
              "display_name")  # fmt: skip
    if thing["has_level"]:
        yield thing["ID"], str(thing["ID"]), [data[field] for field in fields]


def _order(thing: dict[str, Any]) -> Iterator[Row]:
    fields = ("date_updated_gmt", "total_amount", "type", "status")
    yield thing["id"], str(thing["id"]), [thing[field] for field in fields]


def _product(thing: dict[str, Any]) -> Iterator[Row]:
    if (lookup := thing.get("lookup")) is not None:
        yield lookup["product_id"], str(lookup["product_id"]), list(lookup.values())


def _addresses(thing: dict[str, Any]) -> Iterator[Row]:
    for kind in ("billing", "shipping"):
        yield thing["id"], f"{thing['id']}-{kind}", [kind]


def _operation(thing: dict[str, Any]) -> Iterator[Row]:
    fields = ("date_paid_gmt", "date_completed_gmt", "order_key")
    yield thing["id"], str(thing["id"]), [thing[field] for field in fields]


def _item(thing: dict[str, Any]) -> Iterator[Row]:
    for one in thing["items"]:
        fields = [thing["id"], one["order_item_name"], one["order_item_type"]]
        yield thing["id"], f"{thing['id']}-{one['order_item_id']}", fields


TABLES: Final = (
    Table("posts", "posts", "post", _post),
    Table("post_meta", "posts", "post", _meta("ID")),
    Table("comments", "comments", "comment", _comment),
    Table("comment_meta", "comments", "comment", _meta("comment_ID")),
    Table("terms", "terms", "term", _term),
    Table("term_taxonomy", "terms", "term", _taxonomy),
    Table("term_relationships", "posts", "post", _held),
    Table("users", "users", "user", _user),
    Table("shop_product_lookup", "posts", "post", _product),
    Table("shop_orders", "shop_orders", "order", _order),
    Table("shop_order_items", "shop_orders", "order", _item),
    Table("shop_order_addresses", "shop_orders", "order", _addresses),
    Table("shop_order_operational_data", "shop_orders", "order", _operation),
)


def compared(puller: Puller, site: int) -> dict[str, bool]:
    """Say of each table whether the mirror equals the site. Raises Unreachable, Refused."""
    told = puller.ask(site, "GET", "/sync/data-check")
    out = {}
    for table in TABLES:
        if isinstance(told.get(table.name), int):
            mine = total(fields for _, _, fields in table.rows(puller.mirror, site))
            out[table.name] = mine == told[table.name]
    return out


def differing(puller: Puller, site: int, table: Table) -> set[int]:
    """Return the numbers of the things that differ, or that one side lacks. Raises Unreachable, Refused."""
    found: set[int] = set()
    waiting = [(1, _END)]
    while waiting:
        first, last = waiting.pop()
        told = _asked(puller, site, table, first, last, detailed=False)
        if not told:
            found.update(number for number, _, _ in table.rows(puller.mirror, site, first, last))
            continue
        starts = first
        for at, (key, sum) in enumerate(told.items()):
            # Ranges leave gaps where the site has nothing; the mirror may have something there.
            end = int(key.rpartition("-")[2])
            # The last range may reach beyond what was asked for; else what the mirror has behind it counts.
            end = max(end, last) if at == len(told) - 1 and end <= last else end
            mine = total(fields for _, _, fields in table.rows(puller.mirror, site, starts, end))
            if str(mine) != sum:
                if len(told) > 1 and (starts, end) != (first, last):
                    waiting.append((starts, end))
                else:
                    found |= _rows(puller, site, table, starts, end)
            starts = end + 1
    return found


def _asked(puller: Puller, site: int, table: Table, first: int, last: int, *, detailed: bool) -> dict[str, Any]:
    told = puller.ask(site, "POST", "/sync/data-histogram", {
        "object_type": table.name, "start_id": first, "end_id": last, "buckets": 1 if detailed else _BUCKETS,
        "detailed_drilldown": detailed,
    })["histogram"]  # fmt: skip
    return told if isinstance(told, dict) else {}


def _rows(puller: Puller, site: int, table: Table, first: int, last: int) -> set[int]:
    told = {
        key: sum
        for part in _asked(puller, site, table, first, last, detailed=True).values()
        for key, sum in part.items()
    }
    mine = {key: (number, str(row_sum(fields))) for number, key, fields in table.rows(puller.mirror, site, first, last)}
    found = {number for key, (number, sum) in mine.items() if told.get(key) != sum}
    return found | {int(key.partition("-")[0]) for key in told if key not in mine}


def mend(puller: Puller, site: int) -> dict[str, list[int]]:
    """Fetch what differs and return the numbers by table. Raises Unreachable, Refused."""
    out: dict[str, list[int]] = {}
    for table in TABLES:
        if compared(puller, site).get(table.name, True):
            continue
        numbers = sorted(differing(puller, site, table))
        wanted = {"module_name": table.module, "object_type": table.kind, "object_ids": numbers}
        told = unpacked(puller.ask(site, "POST", "/sync/object", wanted)["objects"]) or {} if numbers else {}
        puller.mirror.put(site, table.module, {str(number): told.get(str(number)) for number in numbers})
        out[table.name] = numbers
    return out
