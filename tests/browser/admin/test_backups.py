"""Backups in the administration: one is made, downloaded, restored and deleted; and a look at another profile."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite
from browser.admin.screens import open_screen, read
from vetrina.cli import main

TITLES = "SELECT type, title, status FROM record ORDER BY id"


def list_titles(folder: Path) -> list[tuple[str, str, str]]:
    with closing(sqlite3.connect(folder / "site.sqlite")) as database:
        return database.execute(TITLES).fetchall()


def list_media(folder: Path) -> dict[str, int]:
    return {
        path.relative_to(folder).as_posix(): path.stat().st_size
        for path in (folder / "media").rglob("*")
        if path.is_file() and not path.relative_to(folder / "media").parts[0].startswith(".")
    }


def test_a_backup_is_made_downloaded_and_restored(admin: Any, admin_site: AdminSite, tmp_path: Path) -> None:
    open_screen(admin, admin_site, "/backups")
    assert find_violations(admin) == []
    expect(admin.get_by_text("There is none yet.")).to_be_visible()
    admin.get_by_role("button", name="Make a backup now").click()
    admin.get_by_role("button", name="Download").wait_for()
    [made] = read(admin, "/wp/v2/backups")
    assert (made["media"], made["secrets"]) == (True, False)
    assert find_violations(admin) == []
    admin.get_by_role("button", name="Download").click()
    dialog = admin.get_by_role("dialog")
    dialog.get_by_label("Your password").fill("not this one")
    dialog.get_by_role("button", name="Download").click()
    expect(dialog.get_by_role("alert")).to_contain_text("not the password")
    dialog.get_by_label("Your password").fill(admin_site.password)
    with admin.expect_download() as download:
        dialog.get_by_role("button", name="Download").click()
    file, again = tmp_path / "downloaded.tar.gz", tmp_path / "again"
    download.value.save_as(file)
    assert download.value.suggested_filename == made["name"]
    assert file.stat().st_size == made["size"]
    restored = CliRunner().invoke(main, ["restore", str(file), str(again)])
    assert restored.exit_code == 0, restored.output
    assert list_titles(again) == list_titles(admin_site.folder)
    assert list_media(again) == list_media(admin_site.folder) != {}
    assert CliRunner().invoke(main, ["check", "--site", str(again)]).exit_code == 0


def test_a_backup_is_deleted(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/backups")
    admin.get_by_role("button", name="Delete").first.click()
    admin.get_by_role("button", name="Remove for good").click()
    admin.get_by_text("The backup is deleted.").wait_for()
    expect(admin.get_by_text("There is none yet.")).to_be_visible()
    assert read(admin, "/wp/v2/backups") == []


def test_another_profile_is_looked_at_and_its_faults_are_told(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/site-profile")
    admin.get_by_role("button", name="Begin with the one in force").click()
    text = admin.get_by_label("The other profile")
    expect(text).to_have_value(re.compile("types.percorso"))
    whole = text.input_value()
    show = admin.get_by_role("button", name="Show what changes")
    show.click()
    expect(admin.get_by_text("Nothing: both say the same.")).to_be_visible()
    text.fill(whole.replace('label = "Percorsi"', 'labl = "Percorsi"'))
    show.click()
    faults = admin.get_by_role("alert")
    expect(faults).to_contain_text("types.percorso.labl there is no such key; did you mean 'label'?")
    before = whole.partition('label = "Percorsi"')[0]
    expect(faults).to_contain_text(f"Line {before.count(chr(10)) + 1}")
    assert find_violations(admin) == []
    removed = whole[: whole.index("[types.percorso]")] + whole[whole.index("[taxonomies.") :]
    text.fill(removed.replace('["en", "it"]', '["en", "it", "de"]'))
    show.click()
    preview = admin.get_by_role("status").filter(has_text="What changes")
    total = sum(kind == "percorso" for kind, _, _ in list_titles(admin_site.folder))
    expect(preview).to_contain_text("Content type percorso")
    expect(preview).to_contain_text("Language de")
    expect(preview).to_contain_text(f"Out of reach: {total} records")
    expect(preview).to_contain_text("vetrina profile apply")
    preview.get_by_text("Routes that go").click()
    expect(preview).to_contain_text("/cms/v2/percorso")
    assert find_violations(admin) == []
