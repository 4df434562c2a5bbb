"""Reports as described by OPTIONS: the members of their rows, the measures of their intervals."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client

ANALYTICS = "/shop-analytics"


def described(client: Client, path: str) -> dict[str, Any]:
    members: dict[str, Any] = client.options(f"{ANALYTICS}/{path}").json["schema"]["properties"]
    return members


@pytest.mark.parametrize(
    ("report", "members"),
    [
        ("products", "product_id items_sold net_revenue orders_count extended_info"),
        ("variations", "product_id variation_id items_sold net_revenue orders_count extended_info"),
        ("categories", "category_id items_sold net_revenue orders_count products_count extended_info"),
        ("coupons", "coupon_id amount orders_count extended_info"),
        ("taxes", "tax_rate_id name tax_rate country state priority total_tax order_tax shipping_tax orders_count"),
        ("stock", "id parent_id name sku stock_status stock_quantity manage_stock"),
        ("downloads", "id product_id date date_gmt download_id file_name file_path order_id order_number user_id "
                      "username ip_address"),
        ("orders", "order_id order_number date_created date_created_gmt status customer_id net_total total_formatted "
                   "num_items_sold customer_type extended_info"),
        ("customers", "id user_id name first_name last_name email username country city state postcode "
                      "date_registered date_registered_gmt date_last_active date_last_active_gmt orders_count "
                      "total_spend avg_order_value"),
    ],
)  # fmt: skip
def test_a_report_names_the_members_of_its_rows(manager: Client, report: str, members: str) -> None:
    assert list(described(manager, f"reports/{report}")) == members.split()


@pytest.mark.parametrize(
    ("report", "measures"),
    [
        ("orders", "net_revenue orders_count avg_order_value avg_items_per_order num_items_sold coupons "
                   "coupons_count total_customers products segments"),
        ("revenue", "total_sales net_revenue coupons coupons_count shipping taxes refunds orders_count "
                    "num_items_sold products gross_sales segments"),
        ("products", "items_sold net_revenue orders_count segments"),
        ("variations", "items_sold net_revenue orders_count segments"),
        ("coupons", "amount coupons_count orders_count segments"),
        ("taxes", "total_tax order_tax shipping_tax orders_count tax_codes segments"),
        ("downloads", "download_count"),
    ],
)  # fmt: skip
def test_a_report_with_intervals_names_its_measures(manager: Client, report: str, measures: str) -> None:
    members = described(manager, f"reports/{report}/stats")
    whole = measures.split()
    assert list(members) == ["totals", "intervals"]
    assert list(members["totals"]["properties"]) == whole
    each = members["intervals"]["items"]["properties"]
    assert list(each) == ["interval", "date_start", "date_start_gmt", "date_end", "date_end_gmt", "subtotals"]
    assert list(each["subtotals"]["properties"]) == [one for one in whole if one != "products"]
    answered = manager.get(f"{ANALYTICS}/reports/{report}/stats").json["totals"]
    assert set(whole) <= set(answered) | {"products", "segments"}


def test_reports_of_totals_boards_and_notes_are_described(manager: Client) -> None:
    totals = described(manager, "reports/customers/stats")["totals"]["properties"]
    assert list(totals) == ["customers_count", "avg_orders_count", "avg_total_spend", "avg_avg_order_value"]
    totals = described(manager, "reports/stock/stats")["totals"]["properties"]
    assert list(totals) == ["products", "lowstock", "instock", "outofstock", "onbackorder"]
    board = described(manager, "leaderboards")
    assert list(board) == ["id", "label", "headers", "rows"]
    assert list(board["headers"]["items"]["properties"]) == ["label"]
    assert list(board["rows"]["items"]["properties"]) == ["display", "value", "format"]
    assert list(described(manager, "leaderboards/allowed")) == ["id", "label", "headers"]
    note = described(manager, "admin/notes")
    assert len(note) == 19
    assert {"name", "locale", "content_data", "date_created_gmt", "actions", "is_snoozable", "layout"} <= set(note)


def test_indicators_and_rebuilding_are_described(manager: Client) -> None:
    assert list(described(manager, "reports/performance-indicators/allowed")) == ["stat", "chart", "label"]
    assert list(described(manager, "reports/import")) == ["status", "message"]
