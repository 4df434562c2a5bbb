"""Another site comes in from the administration: looked at, brought, stopped, gone on with, and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite, serve_new_site
from browser.admin.interface import call
from browser.admin.pictures import take_picture
from browser.admin.screens import open_screen, read
from transfer.export_files import ExportFile
from vetrina.testing import LocalTestServer

LOOK, BRING = "Look what would come", "Bring it in"
JOB_PATIENCE = 120_000  # milliseconds for what a job does: a whole site comes, beside other tests


@pytest.fixture(scope="module")
def old() -> Iterator[LocalTestServer]:
    """The site that moves."""
    with LocalTestServer("first", dialects=["wordpress"]) as server:
        for number in range(30):
            server.client().posts.create(title=f"Heron {number}", status="draft" if number % 2 else "publish")
        yield server


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory, old: LocalTestServer) -> Iterator[AdminSite]:
    """An empty site that may read the one on this machine."""
    folder = tmp_path_factory.mktemp("moving")
    profile = folder / "near.toml"
    languages = 'languages = ["en", "it"]\ndialects = ["neutral", "wordpress"]'
    profile.write_text(
        f'name = "near"\ntitle = "Near"\n{languages}\next_changed = true\nimport_servers = ["{old.url}"]\n'
    )
    with serve_new_site(folder / "site", "init", "--profile", str(profile), "--empty") as site:
        yield site


def fill(page: Any, old: LocalTestServer, password: str = "admin application password") -> Any:
    """Fill in the form of the import and return its section."""
    section = page.get_by_role("region", name="Bring a site in")
    section.get_by_label("Address of the old site").fill(old.url)
    section.get_by_label("Login on the other site").fill("admin")
    section.get_by_label("Application password").fill(password)
    return section


def test_a_site_is_looked_at_brought_in_and_compared(admin: Any, admin_site: AdminSite, old: LocalTestServer) -> None:
    open_screen(admin, admin_site, "/moving")
    assert find_violations(admin) == []
    section = fill(admin, old)
    expect(section.get_by_role("button", name=BRING)).to_have_count(0)
    section.get_by_role("button", name=LOOK).click()
    expect(section.get_by_text("Nothing was written")).to_be_visible(timeout=JOB_PATIENCE)
    row = section.get_by_role("row", name="Posts")
    expect(row.get_by_role("cell").first).to_have_text("30")
    assert read(admin, "/wp/v2/posts?status=any&search=Heron") == []
    assert find_violations(admin) == []
    take_picture(admin, "import-report")
    # What looking was told is not asked for again.
    section.get_by_role("button", name=BRING).click()
    expect(section.get_by_text("was brought in on")).to_be_visible(timeout=JOB_PATIENCE)
    assert len(read(admin, "/wp/v2/posts?status=any&search=Heron&per_page=100")) == 30

    other = admin.get_by_role("region", name="Compare this site with another")
    other.get_by_label("Address of the other site").fill(old.url)
    other.get_by_label("Login on the other site").fill("admin")
    other.get_by_label("Application password").fill("admin application password")
    other.get_by_role("button", name="Compare").click()
    expect(other.get_by_role("table")).to_be_visible(timeout=JOB_PATIENCE)
    expect(other.get_by_role("row", name="Posts").get_by_role("cell").first).to_have_text("30")
    assert find_violations(admin) == []
    assert admin.refused == admin.foreign == []


def test_why_a_site_did_not_come_is_told(admin: Any, admin_site: AdminSite, old: LocalTestServer) -> None:
    open_screen(admin, admin_site, "/moving")
    section = fill(admin, old, "not the password")
    section.get_by_role("button", name=LOOK).click()
    expect(section.get_by_role("alert")).to_contain_text("refuses the account")
    section.get_by_label("Address of the old site").fill("http://10.0.0.1")
    section.get_by_label("Application password").fill("not the password")
    section.get_by_role("button", name=LOOK).click()
    expect(section.get_by_role("alert")).to_contain_text("import_servers")
    section.get_by_label("Address of the old site").fill("ftp://old.example")
    section.get_by_role("button", name=LOOK).click()
    expect(section.get_by_role("alert").last).to_contain_text("is no address of a site")


def test_a_file_is_stopped_and_goes_on(admin: Any, admin_site: AdminSite, tmp_path: Path) -> None:
    file = ExportFile()
    file.author(2, "anna")
    for number in range(1000, 4000):
        file.item(number, f"Boat {number}", "<p>It floats.</p>" * 40, author="anna")
    open_screen(admin, admin_site, "/moving")
    section = admin.get_by_role("region", name="Bring a site in")
    section.get_by_label("A file").check()
    with admin.expect_file_chooser() as chooser:
        section.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(str(file.write(tmp_path)))
    expect(section.get_by_text("export.xml")).to_be_visible()
    section.get_by_role("button", name=LOOK).click()
    expect(section.get_by_text("export.xml was looked at")).to_be_visible(timeout=JOB_PATIENCE)
    section.get_by_role("button", name=BRING).click()
    expect(section.get_by_text("left", exact=False).first).to_be_visible()
    take_picture(admin, "import-progress")
    section.get_by_role("button", name="Stop").click()
    expect(section.get_by_text("was stopped on")).to_be_visible(timeout=JOB_PATIENCE)
    came = read(admin, "/wp/v2/posts?search=Boat&per_page=100")
    assert came
    admin.reload()
    section.get_by_role("button", name="Go on").click()
    expect(section.get_by_text("export.xml was brought in on")).to_be_visible(timeout=JOB_PATIENCE)
    [posts] = [one for one in read(admin, "/wp/v2/site-import")["result"]["resources"] if "posts" in one["resource"]]
    assert posts["unchanged"] >= 100
    assert posts["created"] + posts["unchanged"] == 3000


def test_it_is_read_on_a_phone_in_the_dark_and_in_italian(sign_in: Callable[..., Any], admin_site: AdminSite) -> None:
    page = sign_in(viewport={"width": 320, "height": 640}, color_scheme="dark")
    # The account took the language of the one that it stands for.
    call(page, "POST", "/wp/v2/users/me", {"locale": "it_IT"})
    open_screen(page, admin_site, "/moving")
    expect(page.locator("main h1")).to_have_text("Importazione e confronto")
    assert find_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 320
