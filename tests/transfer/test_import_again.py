"""An import that is run again: it goes on where it was killed, doubles nothing, and brings what has changed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import vetrina
from conftest import Client, Stand
from vetrina.backends.change_log import get_latest_sequence
from vetrina.cli import main

from .conftest import ImportCall
from .export_files import ExportFile, comment

SOURCE = Path(vetrina.__file__).parents[1]
RUN = [sys.executable, "-m", "vetrina.cli"]
_TABLES = ("record", "term", "record_term", "comment", "account", "menu_item", "searchable", "tally", "option")


@pytest.fixture
def old() -> ExportFile:
    """A small export."""
    file = ExportFile()
    file.author(47, "anna")
    file.category(31, "local", "Local")
    file.item(500, "One", "First text", author="anna", terms=(("category", "local"),), comments=(comment(7, "Yes"),))
    file.item(501, "Two", "Second text", author="anna", post_type="page", post_parent=502)
    file.item(502, "Three", "Third text", author="anna", post_type="page")
    return file


def count_changes(site: Stand) -> int:
    with site.site.work(read=True) as work:
        return get_latest_sequence(work.tx)


@pytest.mark.every_database
def test_nothing_changes_where_nothing_has(bring: ImportCall, old: ExportFile, site: Stand) -> None:
    bring(old)
    before = count_changes(site)
    report = bring(old)
    assert count_changes(site) == before
    assert all(not (one.created or one.updated or one.skipped) for one in report.resources.values())
    assert report.get_resource("/cms/v2/pages").unchanged == 2


@pytest.mark.every_database
def test_what_has_changed_is_brought(bring: ImportCall, old: ExportFile, admin: Client) -> None:
    bring(old)
    again = ExportFile()
    again.parts = [*old.parts]
    again.parts[2] = (
        again.parts[2].replace("First text", "Other text").replace("Yes", "No").replace("item-500", "moved")
    )
    report = bring(again)
    assert report.get_resource("/cms/v2/posts").updated == 1
    assert report.get_resource("/cms/v2/comments").updated == 1
    post = admin.get("/cms/v2/posts/500?context=edit").json
    assert (post["content"]["raw"], post["slug"]) == ("Other text", "moved")
    assert admin.get("/cms/v2/comments/7?context=edit").json["content"]["raw"] == "No"
    assert len(admin.get("/cms/v2/posts/500/revisions").json) == 1


def test_what_was_removed_here_comes_only_when_it_changes_there(
    bring: ImportCall, old: ExportFile, admin: Client
) -> None:
    bring(old)
    admin.delete("/cms/v2/posts/500?force=true")
    bring(old)
    assert admin.get("/cms/v2/posts/500").status == 404


def test_a_dry_run_writes_nothing(bring: ImportCall, old: ExportFile, site: Stand, admin: Client) -> None:
    before = count_changes(site)
    report = bring(old, dry_run=True)
    assert report.get_resource("/cms/v2/pages").created == 2
    assert (count_changes(site), admin.get("/cms/v2/posts").json) == (before, [])
    bring(old)
    assert bring(old, dry_run=True).get_resource("/cms/v2/pages").unchanged == 2


def test_a_killed_import_goes_on(tmp_path: Path) -> None:
    path = _build_large().write(tmp_path)
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    _call("init", "--empty", str(whole))
    shutil.copytree(whole, killed)
    _call("import", str(path), "--site", str(whole), "--no-files")
    random = Random(26)
    for least in (20, 200):
        _kill_after(path, killed, least, random.random() / 10)
    _call("import", str(path), "--site", str(killed), "--no-files")
    assert _dump(killed) == _dump(whole)
    _call("check", "--site", str(killed))


def _kill_after(path: Path, folder: Path, least: int, seconds: float) -> None:
    """Start an import and kill it some time after so many records have come."""
    process = subprocess.Popen(
        [*RUN, "import", str(path), "--site", str(folder), "--no-files"], env={**os.environ, "PYTHONPATH": str(SOURCE)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    with closing(sqlite3.connect(folder / "site.sqlite")) as connection:
        while process.poll() is None and connection.execute("SELECT count(*) FROM transferred").fetchone()[0] < least:
            time.sleep(0.002)
    time.sleep(seconds)
    assert process.poll() is None, "it ended before it could be killed"
    process.kill()
    process.wait()


def _build_large() -> ExportFile:
    file = ExportFile()
    file.author(47, "anna")
    for at in range(150):
        file.item(1000 + at, f"Number {at}", "Text", author="anna", post_type="page" if at % 3 else "post",
                  post_parent=1001 + at if at % 3 == 1 else 0, terms=(("post_tag", f"tag-{at % 7}"),),
                  comments=(comment(10_000 + at, "Yes", parent=10_001 + at if at % 2 else 0),))  # fmt: skip
    return file


def _call(*arguments: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output


def _dump(folder: Path) -> dict[str, list[Any]]:
    """Return what a site has stored, without what is drawn by chance or tells when it was written."""
    with closing(sqlite3.connect(folder / "site.sqlite")) as connection:
        connection.row_factory = sqlite3.Row
        out: dict[str, list[Any]] = {}
        for table in _TABLES:
            rows = [dict(row) for row in connection.execute(f"SELECT * FROM {table}")]
            for row in rows:
                for name in ("password", "registered", "version"):
                    row.pop(name, None)
            out[table] = sorted(rows, key=repr)
        return out
