"""Reports: the figures of the interface, an order that moves the plot, files, the keyboard, phones, Italian."""

from __future__ import annotations

import csv
import io
import re
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from browser.admin.accessibility import find_unreachable, find_violations
from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.pictures import take_picture
from browser.admin.quiet import wait_until_quiet
from browser.admin.shop import Visitor, serve_shop

UNTIL = date.today()
SPAN = (UNTIL - timedelta(days=180), UNTIL)
BEFORE = (SPAN[0] - timedelta(days=181), SPAN[0] - timedelta(days=1))
API = "/wc-analytics/reports"
# How the screen writes an amount, with what the page says of the shop.
WRITE = """([kind, value]) => {
    const boot = JSON.parse(document.getElementById('boot').textContent);
    const shop = boot.moduleData.shop;
    return new Intl.NumberFormat(boot.locale, kind !== 'money' ? {} : {
        style: 'currency', currency: shop.currency,
        minimumFractionDigits: shop.decimals, maximumFractionDigits: shop.decimals,
    }).format(value);
}"""
MONEY = {
    "total_sales", "net_revenue", "gross_sales", "avg_order_value", "refunds", "coupons", "amount", "taxes",
    "total_tax", "order_tax", "shipping_tax", "shipping", "avg_total_spend", "avg_avg_order_value", "total_spend",
}  # fmt: skip
# By report: the route of its figures, what they are cut by, the filter, and the figures of its list's first row.
REPORTS: dict[str, tuple[str, str, dict[str, str], tuple[str, ...]]] = {
    "revenue": ("revenue", "customer_type", {"date_type": "date_created"}, ()),
    "orders": ("orders", "product", {"product_includes": "{pencils},{maps}"}, ("num_items_sold",)),
    "products": ("products", "product", {"products": "{pencils},{maps}"}, ("items_sold", "net_revenue")),
    "variations": ("variations", "variation", {"product_includes": "{socks}"}, ("items_sold", "net_revenue")),
    "categories": ("products", "category", {"categories": "{category}"}, ("items_sold", "net_revenue")),
    "coupons": ("coupons", "coupon", {"coupons": "{coupon}"}, ("orders_count", "amount")),
    "taxes": ("taxes", "tax_rate_id", {"taxes": "{tax}"}, ("total_tax", "orders_count")),
    "downloads": ("downloads", "", {"product_includes": "{files}"}, ()),
}
MOST_SERIES = 5  # segments that a plot tells apart
STATS_FIGURES = {
    "revenue": ("net_revenue", "total_sales", "gross_sales", "orders_count", "refunds", "taxes", "shipping"),
    "orders": ("orders_count", "net_revenue", "avg_order_value", "total_customers"),
    "products": ("items_sold", "net_revenue", "orders_count"),
    "variations": ("items_sold", "net_revenue", "orders_count"),
    "coupons": ("orders_count", "amount"),
    "taxes": ("total_tax", "order_tax", "shipping_tax", "orders_count"),
    "downloads": ("download_count",),
}


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_shop(tmp_path_factory.mktemp("reports")) as site:
        yield site


@pytest.fixture
def known(admin: Any) -> dict[str, int]:
    """Numbers of what filters name."""

    def find(path: str, **query: Any) -> int:
        return int(call(admin, "GET", f"{path}?{urlencode({'per_page': 1, **query})}")[0]["id"])

    return {
        "pencils": find("/wc/v3/products", search="Three pencils"),
        "maps": find("/wc/v3/products", search="Map of the upper valley"),
        "socks": find("/wc/v3/products", search="Socks to be darned"),
        "files": find("/wc/v3/products", search="Both maps as files"),
        "category": find("/wc/v3/products/categories", search="Maps"),
        "coupon": find("/wc/v3/coupons", code="freepost"),
        "tax": find("/wc/v3/taxes", orderby="id", order="asc"),
    }


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_shows_what_the_interface_answers(
    admin: Any, admin_site: AdminSite, known: dict[str, int], name: str
) -> None:
    path, segment, wanted, columns = REPORTS[name]
    filters = {argument: value.format(**known) for argument, value in wanted.items()}
    _open(admin, admin_site, name, segment=segment, **{f"filter.{one}": value for one, value in filters.items()})
    query = {**filters, "segmentby": segment, "interval": "month", "per_page": 100, "order": "asc"}
    now, before = (_read(admin, f"{path}/stats", span, query) for span in (SPAN, BEFORE))
    drawn = STATS_FIGURES[path][0]
    for figure in STATS_FIGURES[path]:
        card = admin.locator(f"[data-figure={figure}]")
        expect(card.locator(".card-value")).to_have_text(_write(admin, figure, now["totals"][figure]))
        expect(card.locator(".card-change")).to_contain_text(_write(admin, figure, before["totals"][figure]))
    expect(admin.locator(".plot-text")).to_contain_text(_write(admin, drawn, now["totals"][drawn]))
    segments = [one for one in now["totals"].get("segments", []) if one["subtotals"][drawn]]
    assert len(segments) > 0 or not segment
    for one in sorted(segments, key=lambda each: -each["subtotals"][drawn])[:3]:
        expect(admin.locator(".legend")).to_contain_text(_write(admin, drawn, one["subtotals"][drawn]))
    if columns:
        rows = _read(admin, name, SPAN, {**filters, "orderby": _order_of(name), "order": "desc"})
        for column in columns:
            shown = _write(admin, column, rows[0][column])
            expect(admin.locator(".report-table tbody tr").first).to_contain_text(shown)
    assert admin.refused == []


@pytest.mark.parametrize("name", [*(name for name in REPORTS if name != "downloads"), "customers"])
def test_each_segment_that_a_report_offers_is_that_of_the_interface(
    admin: Any, admin_site: AdminSite, name: str
) -> None:
    path = "orders" if name == "customers" else REPORTS[name][0]
    drawn = "total_customers" if name == "customers" else STATS_FIGURES[path][0]
    _open(admin, admin_site, name)
    always = {"categories": ["category"], "customers": ["customer_type"]}
    options = _choice(admin, "Segments").locator("option")
    offered = always.get(name) or [options.nth(at).get_attribute("value") for at in range(1, options.count())]
    assert offered
    for segment in offered:
        if name not in always:
            _choice(admin, "Segments").select_option(segment)
        query = {"segmentby": segment, "interval": "month", "per_page": 100, "order": "asc"}
        now, before = (_read(admin, f"{path}/stats", span, query)["totals"]["segments"] for span in (SPAN, BEFORE))
        sizes = {one["segment_id"]: abs(one["subtotals"][drawn]) for one in now}
        for one in before:
            sizes[one["segment_id"]] = max(sizes.get(one["segment_id"], 0), abs(one["subtotals"][drawn]))
        largest = sorted((size for size in sizes.values() if size), reverse=True)
        assert largest
        expect(admin.locator(".legend li strong")).to_have_count(min(len(largest), MOST_SERIES))
        # Of those that are as large as the first that is not drawn, any may be.
        least = largest[MOST_SERIES] if len(largest) > MOST_SERIES else 0
        for one in now:
            if sizes[one["segment_id"]] > least:
                label = one["segment_label"] or ("Returning customers" if one["segment_id"] else "New customers")
                figure = _write(admin, drawn, one["subtotals"][drawn])
                expect(admin.locator(".legend")).to_contain_text(f"{label}: {figure}")
    assert admin.refused == []


def test_the_plots_table_says_what_the_intervals_are(admin: Any, admin_site: AdminSite) -> None:
    _open(admin, admin_site, "revenue")
    answers = [_read(admin, "revenue/stats", one, {"interval": "month", "order": "asc"}) for one in (SPAN, BEFORE)]
    admin.get_by_text("The plot as a table").click()
    rows = admin.locator(".plot-table tbody tr")
    for at, (now, then) in enumerate(zip(*(one["intervals"] for one in answers), strict=False)):
        cells = rows.nth(at).locator("td")
        expect(cells.nth(0)).to_have_text(_write(admin, "net_revenue", now["subtotals"]["net_revenue"]))
        expect(cells.nth(2)).to_have_text(_write(admin, "net_revenue", then["subtotals"]["net_revenue"]))


@pytest.mark.parametrize(
    ("name", "figures", "query"),
    [
        ("customers", ("customers_count", "avg_total_spend"), {"orders_count_min": "2"}),
        ("stock", ("products", "instock", "lowstock", "outofstock"), {"type": "outofstock"}),
    ],
)
def test_figures_without_intervals_are_those_of_the_interface(
    admin: Any, admin_site: AdminSite, name: str, figures: tuple[str, ...], query: dict[str, str]
) -> None:
    _open(admin, admin_site, name, **{f"filter.{one}": value for one, value in query.items()})
    span = None if name == "stock" else SPAN
    totals = _read(admin, f"{name}/stats", span, query)["totals"]
    before = _read(admin, f"{name}/stats", BEFORE, query)["totals"] if span else {}
    for figure in figures:
        card = admin.locator(f"[data-figure={figure}]")
        expect(card.locator(".card-value")).to_have_text(_write(admin, figure, totals[figure]))
        if before:
            expect(card.locator(".card-change")).to_contain_text(_write(admin, figure, before[figure]))
    order = {"orderby": "total_spend", "order": "desc"} if name == "customers" else {"orderby": "stock_status"}
    rows = _read(admin, name, span, {**query, **order, "per_page": 25})
    expect(admin.locator(".report-table tbody tr")).to_have_count(len(rows))
    expect(admin.locator(".report-table tbody tr").first).to_contain_text(rows[0]["name"])


def test_the_overview_shows_indicators_and_who_leads(admin: Any, admin_site: AdminSite) -> None:
    _open(admin, admin_site, "")
    stats = ("revenue/total_sales", "orders/orders_count", "products/items_sold", "taxes/total_tax")
    span = {"after": f"{SPAN[0]}T00:00:00", "before": f"{SPAN[1]}T23:59:59"}
    wanted = urlencode({**span, "stats[]": stats}, doseq=True)
    for one in call(admin, "GET", f"{API}/performance-indicators?{wanted}"):
        shown = admin.locator(f"[data-figure='{one['stat']}'] .card-value")
        expect(shown).to_have_text(_write(admin, one["stat"].partition("/")[2], one["value"]))
    boards = {one["id"]: one for one in call(admin, "GET", f"/wc-analytics/leaderboards?{urlencode(span)}")}
    name, items, revenue = boards["products"]["rows"][0]
    row = admin.get_by_role("region", name="Best products").locator("tbody tr").first
    for text in (name["value"], str(items["value"]), _write(admin, "net_revenue", revenue["value"])):
        expect(row).to_contain_text(text)
    admin.get_by_role("link", name="Orders").filter(has_text="before").click()
    admin.wait_for_url("**/reports/orders?**")
    assert "period=custom" in admin.url
    assert "figure=orders_count" in admin.url


def test_an_order_of_a_visitor_moves_the_plot(
    admin: Any, admin_site: AdminSite, known: dict[str, int], record_property: Any
) -> None:
    admin.goto(f"{admin_site.root}/admin/reports/products?period=today")
    card = admin.locator("[data-figure=items_sold] .card-value")
    admin.locator(".plot-svg").wait_for()
    admin.locator(".report-table").wait_for()
    wait_until_quiet(admin)
    sold, drawn = int(card.inner_text()), admin.locator(".plot-svg").inner_html()
    asked: list[str] = []
    admin.on("request", lambda one: asked.append(one.url) if "/products/stats" in one.url else None)
    # On a busy machine more is added to it than what is promised: one of several moves it soon, as buying goes.
    for number in range(1, 7):
        asked.clear()
        begun = time.perf_counter()
        Visitor(admin_site.root).buy(known["pencils"], 3)
        begin = time.perf_counter()
        expect(card).to_have_text(str(sold + 3 * number))
        took = time.perf_counter() - begin
        print(f"the plot moved {took * 1000:.0f} ms after the answer to the buyer")
        within = max(5, 10 * (begin - begun))
        if took < within:
            break
    record_property("seconds_until_the_plot_moved", round(took, 3))
    assert took < within
    expect(admin.locator(".plot-svg")).not_to_have_js_property("innerHTML", drawn)
    # What it is compared with has not changed. A burst of changes is one question or two; a slow machine spreads it.
    assert len([url for url in asked if str(UNTIL.year) in url]) <= 3 + 2 * int(took)


def test_a_report_is_a_file_with_the_same_figures(admin: Any, admin_site: AdminSite) -> None:
    _open(admin, admin_site, "products")
    with admin.expect_download() as begun:
        admin.get_by_role("button", name="CSV file").click()
    text = Path(begun.value.path()).read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    expected = _read(admin, "products", SPAN, {"orderby": "items_sold", "order": "desc", "per_page": 100})
    assert [int(row["Items sold"]) for row in rows] == [one["items_sold"] for one in expected]
    assert begun.value.suggested_filename.endswith(".csv")


def test_the_address_holds_every_choice(admin: Any, admin_site: AdminSite) -> None:
    admin.goto(f"{admin_site.root}/admin/reports/orders")
    _choice(admin, "Period").select_option("last-quarter")
    _choice(admin, "Compared with").select_option("year")
    _choice(admin, "Interval").select_option("month")
    _choice(admin, "Segments").select_option("category")
    _choice(admin, "Drawn as").select_option("bar")
    admin.locator("[data-figure=net_revenue] button").click()
    admin.locator("[data-figure=net_revenue] button[aria-pressed=true]").wait_for()
    # Segments and comparison come one after the other.
    drawn = admin.locator(".plot-panel[aria-busy=false]", has=admin.locator(".legend strong"), has_text="against")
    drawn.wait_for()
    address, text = admin.url, admin.locator(".plot-text").inner_text()
    admin.goto(f"{admin_site.root}/admin/")
    admin.goto(address)
    expect(drawn.locator(".plot-text")).to_have_text(text)
    expect(_choice(admin, "Segments")).to_have_value("category")
    expect(_choice(admin, "Drawn as")).to_have_value("bar")
    expect(_choice(admin, "Interval")).to_have_value("month")


def test_a_filter_is_set_and_removed_by_keyboard(admin: Any, admin_site: AdminSite, known: dict[str, int]) -> None:
    _open(admin, admin_site, "products")
    admin.locator("[data-figure=items_sold] .card-value").wait_for()
    admin.get_by_label("Add a filter").select_option(label="Product")
    admin.get_by_role("combobox", name="Product").focus()
    admin.keyboard.type("pencils")
    admin.get_by_role("option", name="Three pencils").wait_for()
    admin.keyboard.press("ArrowDown")
    admin.keyboard.press("Enter")
    admin.wait_for_url(f"**filter.products={known['pencils']}*")
    totals = _read(admin, "products/stats", SPAN, {"products": known["pencils"]})["totals"]
    admin.locator("[data-figure=items_sold] .card-value", has_text=str(totals["items_sold"])).wait_for()
    admin.get_by_role("button", name="Remove the filter: Product").press("Enter")
    everything = _read(admin, "products/stats", SPAN, {})["totals"]
    admin.locator("[data-figure=items_sold] .card-value", has_text=str(everything["items_sold"])).wait_for()


def test_values_are_read_with_the_arrow_keys(admin: Any, admin_site: AdminSite) -> None:
    # Compared with the half year before, the last month of the plot is one of that on some days of the year.
    _open(admin, admin_site, "revenue", compare="none")
    stats = _read(admin, "revenue/stats", SPAN, {"interval": "month", "order": "asc"})
    plot = admin.get_by_role("slider", name="Net sales")
    admin.locator(".plot-svg").wait_for()
    plot.focus()
    for key, at in (("Home", 0), ("ArrowRight", 1), ("End", -1)):
        plot.press(key)
        value = _write(admin, "net_revenue", stats["intervals"][at]["subtotals"]["net_revenue"])
        admin.wait_for_function(
            "text => document.querySelector('[role=slider]').getAttribute('aria-valuetext').includes(text)", arg=value
        )
    expect(admin.locator(".plot-readout")).to_be_visible()


def test_a_table_is_ordered_and_its_pages_are_turned(admin: Any, admin_site: AdminSite) -> None:
    _open(admin, admin_site, "customers", per_page="10")
    admin.get_by_role("button", name="Customer", exact=True).click()
    admin.get_by_role("menuitemradio", name="Sort ascending").click()
    admin.wait_for_url("**orderby=name**")
    admin.keyboard.press("Escape")  # the menu stays, for who wants another order
    rows = _read(admin, "customers", SPAN, {"orderby": "name", "order": "asc", "per_page": 10, "page": 2})
    admin.get_by_role("button", name="Next page").click()
    admin.locator(".report-table tbody tr", has_text=rows[0]["name"]).first.wait_for()


def test_only_who_sees_the_shop_sees_its_reports(
    admin: Any, admin_site: AdminSite, sign_in: Callable[..., Any]
) -> None:
    for login, role, seen in (("mia", "shop_manager", True), ("nora", "editor", False)):
        account = {"username": login, "email": f"{login}@example.org", "password": "a-long-password"}
        call(admin, "POST", "/wp/v2/users", {**account, "roles": [role]})
        page = sign_in(login, "a-long-password")
        page.get_by_role("link", name="Dashboard").wait_for()
        expect(page.get_by_role("link", name="Revenue")).to_have_count(int(seen))
        page.goto(f"{admin_site.root}/admin/reports")
        (page.locator(".plot-svg").first if seen else page.get_by_role("alert")).wait_for()


@pytest.mark.parametrize("size", [(1280, 800), (320, 640)], ids=["desktop", "phone"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_reports_read_well(
    sign_in: Callable[..., Any], admin_site: AdminSite, size: tuple[int, int], theme: str
) -> None:
    page = sign_in(viewport={"width": size[0], "height": size[1]}, color_scheme=theme)
    faults = []
    pictured = ("", "revenue", "orders")
    for name in (*pictured, *(one for one in REPORTS if one not in pictured), "customers", "stock"):
        _open(page, admin_site, name, **({"segment": "product", "chart": "bar"} if name == "orders" else {}))
        faults += [f"{name}: {one}" for one in find_violations(page)]
        width = page.evaluate("document.documentElement.scrollWidth")
        faults += [f"{name}: {width} pixels wide"] if width > size[0] else []
        if theme == "light" and size[0] > 782:
            faults += [f"{name}: {one}" for one in find_unreachable(page)]
        if theme == "light" and name in pictured:
            take_picture(page, f"{name and 'report-'}{name or 'reports'}-{'phone' if size[0] < 782 else 'desktop'}")
    assert faults == []
    assert page.refused == []
    assert page.foreign == []


def test_reports_are_read_in_italian_on_a_phone(sign_in: Callable[..., Any], admin_site: AdminSite) -> None:
    page = sign_in(locale="it-IT", viewport={"width": 320, "height": 640})
    _open(page, admin_site, "")
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    _open(page, admin_site, "revenue")
    figure = _write(page, "net_revenue", _read(page, "revenue/stats", SPAN, {})["totals"]["net_revenue"])
    expect(page.locator("main h1")).to_have_text("Ricavi")
    expect(page.locator(".plot-text")).to_have_text(re.compile("^Vendite nette, "))
    expect(page.locator(".plot-text")).to_contain_text(figure)
    assert figure.endswith("€")


def _open(page: Any, site: AdminSite, name: str, **choices: str) -> None:
    """Open a report over the last half year against the one before, and wait until it shows all it has."""
    days = {"period": "custom", "from": SPAN[0], "until": SPAN[1], "interval": "month"}
    page.goto(f"{site.root}/admin/reports{name and f'/{name}'}?{urlencode({**days, **choices})}")
    if name != "stock":
        page.locator(".plot-svg").first.wait_for()
    if name:
        page.locator(".report-table tbody tr").first.wait_for()
    wait_until_quiet(page)


def _choice(page: Any, name: str) -> Any:
    return page.get_by_role("combobox", name=name, exact=True)


def _read(page: Any, path: str, span: tuple[date, date] | None, query: dict[str, Any]) -> Any:
    """Return what the interface answers for a span."""
    days = {"after": f"{span[0]}T00:00:00", "before": f"{span[1]}T23:59:59"} if span else {}
    given = {name: value for name, value in query.items() if value != ""}
    return call(page, "GET", f"{API}/{path}?{urlencode({**days, **given})}")


def _write(page: Any, figure: str, value: float) -> str:
    """Return a figure as the screen writes it."""
    return str(page.evaluate(WRITE, ["money" if figure in MONEY else "count", value]))


def _order_of(name: str) -> str:
    return {"orders": "date", "coupons": "orders_count", "taxes": "total_tax"}.get(name, "items_sold")
