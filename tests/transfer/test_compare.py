"""Two sources compared: what only one has, which members differ, and nothing that must differ."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from vetrina.cli import main
from vetrina.transfer.folder_export import write_changed
from vetrina.transfer.records import Record
from vetrina.transfer.sources.folder_layout import FORMAT, MANIFEST, REPORTS, encode_json, encode_record, locate_record

SITE = "https://old.example"
ORDERS, NOTES = "/shop/v3/orders", "/shop/v3/orders/{order_id}/notes"
RECORDS = [
    Record("/cms/v2/users", 3, {"id": 3, "email": "ada@example.org", "name": "Ada", "capabilities": {"read": True}}),
    Record("/cms/v2/posts", 10, {
        "id": 10, "slug": "hello", "author": 3, "modified": "2026-01-01T00:00:00", "link": f"{SITE}/hello/",
        "content": {"raw": f"<a href='{SITE}/x'>x</a>", "rendered": "<p>a</p>"}, "categories": [4],
    }),
    Record("/cms/v2/posts", 11, {"id": 11, "slug": "below", "author": 3, "parent": 10}),
    Record(ORDERS, 20, {
        "id": 20, "order_key": "shop_order_a", "total": "9.00", "customer_id": 3,
        "line_items": [{"id": 1, "name": "Sock"}], "meta_data": [{"id": 5, "key": "k", "value": "v"}],
    }),
    Record(NOTES, 30, {"id": 30, "date_created_gmt": "2026-01-02T00:00:00", "note": "Packed"}, parent=20),
    Record("/shop/v3/settings/{group_id}", "shop_currency", {
        "id": "shop_currency", "type": "select", "default": "GBP", "value": "EUR", "label": "Currency",
    }, parent="general"),
    Record("/cms/v2/settings", "", {"title": "Old", "url": SITE}),
]  # fmt: skip
TOTALS = {"/shop-analytics/reports/revenue/stats": {"orders_count": 1, "total_sales": 9.0}}


def write_export(folder: Path, records: list[Record], url: str = SITE, totals: Any = None) -> Path:
    """Write records as an export has them, and return the folder."""
    resources = [*dict.fromkeys(record.resource for record in records)]
    description = {"title": "Old", "urls": [url], "resources": resources, "types": {}, "taxonomies": {},
                   "languages": [], "unreadable": {}}  # fmt: skip
    write_changed(folder / MANIFEST, encode_json({"format": FORMAT, **description}))
    write_changed(folder / REPORTS, encode_json(totals or TOTALS))
    for record in records:
        write_changed(folder / locate_record(record), encode_record(record))
    return folder


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return write_export(tmp_path / "old", RECORDS)


def compare(a: Path, b: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["compare", str(a), str(b), *words])


def change(folder: Path, record: Record, values: dict[str, Any]) -> Path:
    """Write a copy of an export in which members of a record have other values."""
    other = folder.with_name("changed")
    shutil.copytree(folder, other)
    write_changed(
        other / locate_record(record),
        encode_record(Record(record.resource, record.id, {**record.values, **values}, parent=record.parent)),
    )
    return other


def find(resource: str, id: int | str) -> Record:
    return next(record for record in RECORDS if (record.resource, record.id) == (resource, id))


def test_a_site_agrees_with_itself(old: Path) -> None:
    result = compare(old, old)
    assert result.exit_code == 0
    assert result.output.endswith("Both agree.\n")
    found = json.loads(compare(old, old, "--json").output)
    assert found["agrees"] is True
    assert sum(one["same"] for one in found["collections"]) == len(RECORDS) + len(TOTALS)


@pytest.mark.parametrize(
    ("record", "values", "member", "a", "b"),
    [
        (find("/cms/v2/posts", 10), {"content": {"raw": "other"}}, "content.raw", '"<a href', '"other"'),
        (find("/cms/v2/posts", 10), {"categories": [5]}, "categories[0]", "4", "5"),
        (find(ORDERS, 20), {"total": "9.01"}, "total", '"9.00"', '"9.01"'),
        (find(ORDERS, 20), {"line_items": []}, "line_items", '[{"name":"Sock"}]', "[]"),
        (find("/shop/v3/settings/{group_id}", "shop_currency"), {"value": "USD"}, "value", '"EUR"', '"USD"'),
        (find("/cms/v2/users", 3), {"email": "eve@example.org"}, "email", '"ada', '"eve'),
    ],
)  # fmt: skip
def test_a_member_that_differs_is_named_with_both_values(
    old: Path, record: Record, values: dict[str, Any], member: str, a: str, b: str
) -> None:
    result = compare(old, change(old, record, values), "--json")
    assert result.exit_code == 1
    [difference] = json.loads(result.output)["differences"]
    assert difference["resource"] == record.resource
    [found] = difference["members"]
    assert found["member"] == member
    assert found["a"].startswith(a)
    assert found["b"].startswith(b)


@pytest.mark.parametrize(
    ("record", "values"),
    [
        (find("/cms/v2/posts", 10), {"modified": "2026-02-02T00:00:00", "link": "https://new.example/"}),
        (find("/cms/v2/posts", 10), {"content": {"raw": f"<a href='{SITE}/x'>x</a>", "rendered": "<p>b</p>"}}),
        (find("/cms/v2/posts", 10), {"lang": "it"}),
        (find("/cms/v2/users", 3), {"capabilities": {}}),
        (find(ORDERS, 20), {"line_items": [{"id": 77, "name": "Sock"}]}),
        (find(ORDERS, 20), {"meta_data": [{"id": 6, "key": "k", "value": "v"}]}),
        (find("/shop/v3/settings/{group_id}", "shop_currency"), {"label": "Another label", "default": "CHF"}),
    ],
)  # fmt: skip
def test_what_must_differ_is_not_compared(old: Path, record: Record, values: dict[str, Any]) -> None:
    assert compare(old, change(old, record, values)).exit_code == 0


def test_an_address_of_another_host_is_no_address_of_the_site(old: Path, tmp_path: Path) -> None:
    def hold(url: str, place: str) -> Path:
        post = Record("/cms/v2/posts", 1, {"id": 1, "slug": "a", "content": {"raw": f"{url}.org/x {url}:81 {url}/y."}})
        return write_export(tmp_path / place, [post], url)

    [difference] = json.loads(compare(hold(SITE, "a"), hold("https://new.example", "b"), "--json").output)[
        "differences"
    ]
    assert difference["members"][0]["a"] == '"https://old.example.org/x https://old.example:81 {site}/y."'


def test_times_of_changes_are_compared_where_asked(old: Path) -> None:
    other = change(old, find("/cms/v2/posts", 10), {"modified": "2026-02-02T00:00:00"})
    assert compare(old, other, "--modified").exit_code == 1


def test_a_moved_site_agrees_though_ids_and_addresses_are_others(old: Path, tmp_path: Path) -> None:
    def move(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: move(item) for name, item in value.items()}
        if isinstance(value, list):
            return [move(item) for item in value]
        if isinstance(value, int) and not isinstance(value, bool):
            return value + 100
        return value.replace(SITE, "http://new.example:8000") if isinstance(value, str) else value

    moved = [
        Record(one.resource, move(one.id), move({**one.values, "categories": []}), parent=move(one.parent))
        for one in RECORDS
    ]  # fmt: skip
    before = [Record(one.resource, one.id, {**one.values, "categories": []}, parent=one.parent) for one in RECORDS]
    a = write_export(tmp_path / "a", before)
    b = write_export(tmp_path / "b", moved, "http://new.example:8000")
    result = compare(a, b)
    assert (result.exit_code, result.output[-12:]) == (0, "Both agree.\n")


def test_what_only_one_side_has_is_told(old: Path, tmp_path: Path) -> None:
    fewer = write_export(tmp_path / "fewer", [record for record in RECORDS if record.id not in (11, 30)])
    result = compare(old, fewer)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert "/cms/v2/posts 11 below" in result.output
    assert any(line.startswith("/cms/v2/posts ") and line.split()[1:] == ["1", "1"] for line in lines)
    assert NOTES in result.output
    assert compare(old, fewer, "--only", "/cms/v2/users").exit_code == 0


def test_reports_are_compared_to_the_cent(old: Path, tmp_path: Path) -> None:
    path = "/shop-analytics/reports/revenue/stats"
    other = write_export(tmp_path / "b", RECORDS, totals={path: {"orders_count": 1, "total_sales": 9.01}})
    [difference] = json.loads(compare(old, other, "--json").output)["differences"]
    assert (difference["a"], difference["members"]) == (path, [{"member": "total_sales", "a": "9.0", "b": "9.01"}])


def test_a_side_that_cannot_be_read_is_neither(old: Path, tmp_path: Path) -> None:
    result = compare(old, tmp_path / "nothing")
    assert result.exit_code == 2
    assert "neither an address" in result.output
    (old / locate_record(find("/cms/v2/posts", 10))).write_text("{")
    assert compare(old, old).exit_code == 2


def test_no_password_is_an_argument(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VETRINA_A_AUTH", "no colon")
    result = compare(old, old)
    assert result.exit_code == 2
    assert "VETRINA_A_AUTH" in result.output
