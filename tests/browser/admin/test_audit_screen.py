"""The audit trail in the administration: found, filtered, read, taken along. Rules: docs/rules/audit.md, 5 and 6."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite
from browser.admin.screens import open_screen
from vetrina.access.users import rules as users
from vetrina.site_factory import open_site


def test_a_change_of_rights_is_found_read_and_exported(admin: Any, admin_site: AdminSite) -> None:
    site = open_site(admin_site.folder)
    with site.work() as work:
        wanda = users.create_user(work, "wanda", "wanda@example.org", roles=("author",))
    with site.work() as work:
        users.update_user(work, wanda, roles=("editor",), password="seven grey herons")
    site.close()
    open_screen(admin, admin_site, "/")
    admin.get_by_role("link", name="Audit trail").click()
    admin.get_by_role("button", name="Accounts and rights").click()
    row = admin.get_by_role("row").filter(has_text="Account: wanda").filter(has_text="Changed")
    expect(row).to_contain_text("roles: author → editor; password")
    expect(row).to_contain_text("command on the server")
    assert find_violations(admin) == []
    admin.get_by_role("searchbox").fill("wanda")
    # What is taken along is what was searched for, though the list has not asked for it yet.
    with admin.expect_download() as download:
        admin.get_by_role("button", name="Export CSV").click()
    expect(admin.get_by_role("row").filter(has_text="Account: wanda")).to_have_count(2)
    # Others' rows are gone.
    expect(admin.get_by_role("row").filter(has_text="Account:")).to_have_count(2)
    row.get_by_role("button", name="Show everything").click()
    dialog = admin.get_by_role("dialog")
    expect(dialog).to_contain_text("roles: author → editor")
    expect(dialog).not_to_contain_text("herons")
    admin.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("id,date_gmt,account,login")
    assert len(lines) == 3
    assert all("wanda" in line for line in lines[1:])
    # The person's own signing in is there, with the address that it came from.
    admin.get_by_role("searchbox").fill("")
    admin.get_by_role("button", name="Sign-ins and keys").click()
    signed = admin.get_by_role("row").filter(has_text="Session").filter(has_text=admin_site.login)
    expect(signed.first).to_contain_text("127.0.0.1")
    assert admin.refused == []
