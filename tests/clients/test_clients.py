"""Unchanged clients of the other dialect work with just the site's URL."""

from __future__ import annotations

import sys
from pathlib import Path

from .conftest import KEY, SECRET, Served


def test_wpapi_discovers_lists_creates_changes_and_deletes(served: Served, node_modules: Path) -> None:
    saw = served.run("node", "wpapi.cjs", folder=node_modules)
    assert "wp/v2" in saw["root"]  # type: ignore[operator]
    assert saw["created"] == [f"Note {at}" for at in range(5)]
    title, categories, changed = saw["changed"]  # type: ignore[misc]
    assert (title, len(categories), changed) == ("Changed", 1, False)
    assert saw["titles"] == ["Changed", "Note 1", "Note 2", "Note 3", "Note 4"]
    assert {"total": saw["paging"]["total"], "pages": saw["paging"]["totalPages"]} == {"total": 5, "pages": 3}  # type: ignore[index]
    assert saw["found"] == [True]
    assert saw["embedded"] == ["Walks"]
    assert saw["type"] == ["wp_block", ["wp_pattern_category"]]
    assert saw["block"] == "wp_block"
    assert saw["deleted"] is True
    assert saw["missing"] == "rest_post_invalid_id"
    assert saw["refused"] == "rest_cannot_create"


def test_api_fetch_lists_creates_changes_batches_and_deletes(served: Served, node_modules: Path) -> None:
    saw = served.run("node", "api-fetch.mjs", at="/wp-json/", folder=node_modules)
    assert saw["created"] == ["Leaf 0", "Leaf 1", "Leaf 2"]
    assert saw["totals"] == ["3", "2"]
    assert saw["links"] is True
    assert saw["all"] == ["Leaf 0", "Leaf 1", "Leaf 2"]
    assert saw["changed"] is True
    assert saw["found"] == 3
    assert saw["fields"] == {"meta": {"_acf_changed": True}, "type": "post"}
    assert saw["batch"] == [[201, "post"], [201, "wp_block"], [200, "post"]]
    assert saw["deleted"] is True
    assert saw["missing"] == ["rest_post_invalid_id", 404]
    assert saw["options"] == "wp/v2"


def test_a_python_client_lists_creates_changes_and_deletes(served: Served, python_client: Path) -> None:
    saw = served.run(sys.executable, "python_client.py", folder=python_client)
    assert saw["created"] == ["Stone 0", "Stone 1", "Stone 2"]
    assert saw["changed"] == "Changed"
    assert saw["term"] == "category"
    pages = saw["pages"]
    assert isinstance(pages, list)
    assert len({page[0] for page in pages}) == 3
    assert saw["found"] == 2
    assert saw["me"] == "admin"
    assert saw["deleted"] is True
    assert saw["missing"] == "rest_post_invalid_id"


def test_the_shops_client_of_npm_sells_and_refunds(shop: Served, node_modules: Path) -> None:
    saw = shop.run("node", "shop.cjs", folder=node_modules, pair=(KEY, SECRET))
    assert saw == {
        "product": ["Lampada à olio", "12.50", "lampada-a-olio"],
        "changed": "10.00",
        "batch": [["Wick", "Oil"], "woocommerce_rest_product_invalid_id"],
        "page": [["Lampada à olio", "Oil"], "3", "2"],
        "searched": [True],
        "customer": ["ada", "customer"],
        "order": ["processing", "18.00", "2.00", 2],
        "stock": 7,
        "refund": ["8.00", "-8.00"],
        "orders": 1,
        "note": "Packed & sent?",
        "deleted": True,
        "missing": "woocommerce_rest_shop_order_invalid_id",
        "setting": "EUR",
        "options": "wc/v3",
        "refused": [401, "woocommerce_rest_authentication_error"],
    }


def test_the_shops_client_of_pypi_sells_and_refunds(shop: Served, python_client: Path) -> None:
    saw = shop.run(sys.executable, "shop_client.py", folder=python_client, pair=(KEY, SECRET))
    assert saw == {
        "product": ["Lampada à olio", "12.50"],
        "changed": "10.00",
        "batch": ["Wick", "Oil"],
        "page": [["Lampada à olio", "Oil"], "3"],
        "searched": [True],
        "customer": "ada",
        "order": ["processing", "18.00", "2.00"],
        "refund": "8.00",
        "deleted": True,
        "missing": "woocommerce_rest_shop_order_invalid_id",
        "status": 200,
        "refused": 401,
    }
