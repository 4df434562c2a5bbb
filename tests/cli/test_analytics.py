"""`vetrina analytics`: differences between reports and orders are reported and repaired, and reports are rebuilt."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import delete, update

from conftest import ACCOUNTS, Client
from vetrina.backends.database import Statement
from vetrina.backends.tables.analytics import fact_line, fact_order
from vetrina.cli import main
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.site_factory import create_stand_in_site

TOML = 'profile = "second"\nsecret = "of the tests"\n'
SPAN = {"after": "2000-01-01T00:00:00", "before": "2100-01-01T00:00:00", "interval": "year"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A shop with four orders and a refund."""
    (tmp_path / "vetrina.toml").write_text(TOML)
    site = create_stand_in_site(load_profile("second"), ACCOUNTS, tmp_path, Settings(secret="of the tests"))
    admin = Client(site, "admin", "admin pass word")
    product = admin.post("/shop/v3/products", {"name": "Cup", "regular_price": "10"}).json["id"]
    for at in range(4):
        body = {
            "status": "completed", "billing": {"email": f"b{at % 2}@example.org"},
            "line_items": [{"product_id": product, "quantity": at + 1}],
        }  # fmt: skip
        made = admin.post("/shop/v3/orders", body).json["id"]
    admin.post(f"/shop/v3/orders/{made}/refunds", {"amount": "5", "api_refund": False})
    site.close()
    return tmp_path


def _run(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["analytics", *words, "--site", str(folder)])


def _totals(folder: Path) -> object:
    site = Site(load_profile("second"), Settings(secret="of the tests"), folder, durable=False)
    try:
        return Client(site, "admin", "admin pass word").get("/shop-analytics/reports/revenue/stats", query=SPAN).json
    finally:
        site.close()


def _spoil(folder: Path) -> None:
    site = Site(load_profile("second"), Settings(secret="of the tests"), folder, durable=False)
    with site.database.begin_write() as tx:
        tx.run(Statement(update(fact_order).where(fact_order.c.parent == 0).values(net=1)))
        tx.run(Statement(delete(fact_line)))
    site.close()


def test_reports_that_fit_the_orders_have_no_differences(folder: Path) -> None:
    found = _run(folder, "check")
    assert (found.exit_code, "The reports say what the 4 orders say." in found.output) == (0, True), found.output


def test_differences_are_named_and_mended(folder: Path) -> None:
    before = _totals(folder)
    _spoil(folder)
    assert _totals(folder) != before
    named = _run(folder, "check", "--no-repair")
    assert named.exit_code == 1
    assert "net is 1, should be 10000000" in named.output
    assert "fact_line" in named.output
    assert _run(folder, "check").exit_code == 0
    assert _totals(folder) == before
    assert "The reports say what" in _run(folder, "check").output


def test_rebuilding_makes_the_same_reports(folder: Path) -> None:
    before = _totals(folder)
    _spoil(folder)
    rebuilt = _run(folder, "rebuild")
    assert rebuilt.exit_code == 0, rebuilt.output
    assert "made of 4 orders" in rebuilt.output
    assert _totals(folder) == before
    assert "The reports say what" in _run(folder, "check").output
