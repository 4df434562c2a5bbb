"""`vetrina demo`: the same seed gives the same site, all its rules hold, and no existing data is touched."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import SHOP, Demo, key_in, opened, run

# Random for every site: keys, and values derived from the site's secret.
DRAWN = {"order_key", "payment_url", "download_id", "nonce", "uuid", "cart_hash", "key", "related_ids"}
COMPARED = (
    "/cms/v2/posts", "/cms/v2/pages", "/cms/v2/media", "/cms/v2/comments", "/cms/v2/menu-items", "/cms/v2/blocks",
    "/cms/v2/users", "/cms/v2/templates", "/mlang/tm/v1/jobs", "/mlang/st/v1/strings", "/shop/v3/products",
    "/shop/v3/orders", "/shop/v3/refunds", "/shop/v3/customers", "/shop/v3/coupons", "/shop/v3/taxes",
    "/shop/v3/products/reviews", "/shop-analytics/reports/products", "/shop-analytics/reports/orders",
    "/shop-analytics/customers",
)  # fmt: skip


def shown(demo: Demo) -> dict[str, Any]:
    """Return a site's responses, without random values."""
    return {path: _same(demo.admin.get(path, query={"per_page": 50}).json) for path in COMPARED}


def _same(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _same(one) for name, one in value.items() if name not in DRAWN and name != "downloads"}
    return [_same(one) for one in value] if isinstance(value, list) else value


def files(folder: Path) -> dict[str, str]:
    found = (path for path in (folder / "media").rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def test_one_seed_gives_one_site(second: Demo, tmp_path: Path) -> None:
    made = run(*SHOP, "--site", tmp_path / "again")
    again = opened(tmp_path / "again", "second", key_in(made.output))
    try:
        assert shown(again) == shown(second)
        assert files(again.folder) == files(second.folder)
    finally:
        again.site.close()


@pytest.mark.parametrize("profile", ["first", "second"])
def test_no_address_has_another_port_than_the_site_was_made_for(profile: str, tmp_path: Path) -> None:
    made = run("demo", profile, "--site", tmp_path / "site", "--orders", "0", "--port", "9119")
    demo = opened(tmp_path / "site", profile, key_in(made.output))
    try:
        [family] = demo.admin.get("/cms/v2/font-families").json
        asked = [path for path in COMPARED if profile == "second" or "/shop" not in path]
        for path in (*asked, "/shop/v3/products", f"/cms/v2/font-families/{family['id']}/font-faces"):
            text = json.dumps(demo.admin.get(path, query={"per_page": 100, "context": "edit"}).json)
            assert ":8000" not in text, path
        guids = [post["guid"]["raw"] for post in demo.admin.get("/cms/v2/posts", query={"context": "edit"}).json]
        assert all(guid.startswith("http://127.0.0.1:9119/") for guid in guids)
    finally:
        demo.site.close()


def test_nothing_is_wrong_with_the_data(demo: Demo) -> None:
    result = run("check", "--site", demo.folder)
    assert (result.exit_code, "Everything fits together." in result.output) == (0, True), result.output


def test_reports_say_what_the_orders_say(second: Demo) -> None:
    result = run("analytics", "check", "--no-repair", "--site", second.folder)
    assert (result.exit_code, "The reports say what the 26" in result.output) == (0, True), result.output


def test_nothing_is_left_to_be_sent(demo: Demo) -> None:
    result = run("jobs", "--site", demo.folder)
    assert "mail" not in result.output
    assert "webhook" not in result.output
    assert not (demo.folder / "outbox").exists()


def test_a_site_with_content_is_left_as_it_is(first: Demo) -> None:
    before = shown_titles(first)
    result = run("demo", "first", "--site", first.folder)
    assert result.exit_code == 1
    assert f"the site in {first.folder} is left as it is: it has content already (" in result.stderr
    assert "vetrina init NEW --profile first --empty" in result.stderr
    assert shown_titles(first) == before


def shown_titles(demo: Demo) -> list[str]:
    return [one["title"]["rendered"] for one in demo.admin.get("/cms/v2/posts", query={"per_page": 100}).json]


def test_the_samples_of_init_are_content_too(tmp_path: Path) -> None:
    run("init", tmp_path / "site")
    result = run("demo", "first", "--site", tmp_path / "site")
    assert result.exit_code == 1
    assert "it has content already (12 records)" in result.stderr


def test_another_profile_is_told(first: Demo) -> None:
    result = run("demo", "second", "--site", first.folder)
    assert result.exit_code == 2
    assert "has the profile first, not second; name another" in result.stderr


def test_nothing_was_sold_that_was_not_there(second: Demo) -> None:
    goods = second.admin.get("/shop/v3/products", query={"per_page": 100}).json
    counted = [one for one in goods if one["manage_stock"]]
    assert min(one["stock_quantity"] for one in counted) == 0  # the scarf, which is sold out from the start
    assert second.admin.get("/shop-analytics/products/low-in-stock").json


@pytest.mark.parametrize("words", [("third",), ("first", "--until", "yesterday"), ("second", "--orders", "-1")])
def test_what_it_does_not_know_is_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    result = run("demo", *words, "--site", tmp_path / "site")
    assert result.exit_code == 2
    assert not (tmp_path / "site").exists()


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep me")
    result = run("demo", "first", "--site", tmp_path)
    assert (result.exit_code, [path.name for path in tmp_path.iterdir()]) == (1, ["mine.txt"])
    assert f"there is no site in {tmp_path}" in result.stderr
