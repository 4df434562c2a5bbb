"""Databases of every released version open in this one, with nothing lost or wrong."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import time_machine
from click.testing import CliRunner

from conftest import Stand
from vetrina import __version__
from vetrina.cli import main
from vetrina.site_factory import open_site

RELEASED = Path(__file__).parent / "released"
DUMPS = sorted(RELEASED.glob("*.sql"))


@pytest.fixture(params=DUMPS, ids=[dump.stem for dump in DUMPS])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A site as a released version left it just now: nothing in it is overdue."""
    with closing(sqlite3.connect(tmp_path / "site.sqlite")) as connection:
        connection.executescript(request.param.read_text(encoding="utf-8"))
        [(left,)] = connection.execute("SELECT max(created) FROM job")
    (tmp_path / "vetrina.toml").write_text('profile = "second"\nsecret = "secret of the dumps"\n')
    with time_machine.travel(left + 60):
        yield tmp_path


def test_a_site_of_a_released_version_is_brought_up_and_whole(folder: Path) -> None:
    for command in ("migrate", "check"):
        result = CliRunner().invoke(main, [command, "--site", str(folder)], catch_exceptions=False)
        assert result.exit_code == 0, result.output
    site = open_site(folder)
    stand = Stand(site)
    admin, anyone = stand.client("admin"), stand.client()
    assert [post["title"]["rendered"] for post in anyone.get("/cms/v2/posts").json] == ["Caffè"]
    assert len(admin.get("/cms/v2/posts", query={"status": "future"}).json) == 1
    assert [one["total"] for one in admin.get("/shop/v3/orders").json] == ["25.00"]
    report = admin.get("/shop-analytics/reports/revenue/stats", query={"after": "2000-01-01T00:00:00"}).json
    assert {name: report["totals"][name] for name in ("orders_count", "gross_sales", "refunds")} == {
        "orders_count": 1, "gross_sales": 25, "refunds": 5,
    }  # fmt: skip
    assert [post["id"] for post in anyone.get("/cms/v2/posts", query={"search": "second"}).json]
    assert admin.post("/cms/v2/posts", {"title": "New", "status": "publish"}).status == 201
    site.close()


def test_this_version_has_its_dump() -> None:
    assert __version__.partition(".dev")[0] in [dump.stem for dump in DUMPS]
