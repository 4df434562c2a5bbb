"""`vetrina check`: every kind of damage is found and named, and a sound site passes."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from click.testing import Result

from vetrina.content.records import deletion, model as record_model, rules as records
from vetrina.content.revisions import rules as revisions
from vetrina.content.types.registry import PAGE, POST
from vetrina.site_factory import open_site

from .conftest import Made

Vetrina = Callable[..., Result]


def damage(made: Made, statement: str) -> None:
    with closing(sqlite3.connect(made.folder / "site.sqlite")) as connection:
        assert connection.execute(statement).rowcount != 0
        connection.commit()


def test_values_of_own_fields_that_no_longer_fit_are_named_and_stay(vetrina: Vetrina, tmp_path: Path) -> None:
    profile = tmp_path / "own.toml"
    declared = '[fields.post]\nminutes = {type = "integer", maximum = 90}\nnext = {type = "relation", to = "post"}\n'
    profile.write_text(declared)
    folder = tmp_path / "site"
    assert vetrina("init", folder, "--profile", profile, "--empty").exit_code == 0
    site = open_site(folder)
    with site.work() as work:
        post = records.create_record(work, POST, {"title": "One", "meta": {"minutes": 80}})
        stored = msgspec.structs.replace(post, meta={**post.meta, "next": 999})
        record_model.update_record_row(work, post, stored)
    site.close()
    only = ("check", "--site", folder, "--only", "own-fields", "--only", "own-relations")
    found = vetrina(*only)
    assert found.exit_code == 1
    assert f"post {post.id}: next names post 999, which is not there" in found.output
    profile.write_text(declared.replace("90", "60"))
    again = vetrina(*only, "--repair")
    assert again.exit_code == 1
    assert f"post {post.id}: minutes must be at most 60." in again.output
    with closing(sqlite3.connect(folder / "site.sqlite")) as connection:
        [[kept]] = connection.execute("SELECT meta FROM record WHERE id = ?", (post.id,)).fetchall()
    assert '"minutes":80' in kept


def test_a_new_site_is_sound(vetrina: Vetrina, made: Made) -> None:
    result = vetrina("check", "--site", made.folder)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.output.endswith("Everything fits together.\n")
    assert "WRONG" not in result.output


def test_a_site_that_was_worked_on_is_sound(vetrina: Vetrina, made: Made) -> None:
    site = open_site(made.folder)
    with site.work() as work:
        from vetrina.access.users import rules as users

        admin = users.find_user_by_login(work.tx, "admin")
        assert admin is not None
    with site.work(admin) as work:
        post = records.create_record(work, POST, {"title": "One", "status": "publish"})
        post = records.update_record(work, POST, post, {"title": "Öne", "content": "More"})
        post = records.update_record(work, POST, post, {"title": "Öne", "content": "Still more"})
        found = revisions.find_revision(work.tx, post.last_revision)
        assert found is not None
        revisions.delete_revision(work, post, found)
        above = records.create_record(work, PAGE, {"title": "Above", "status": "publish"})
        records.create_record(work, PAGE, {"title": "Beneath", "status": "draft", "parent": above.id})
        deletion.delete_record(work, PAGE, above)
    with site.work(admin) as work:
        found_post = records.get_record(work, POST, post.id)
        records.trash_record(work, POST, found_post)
    site.close()
    assert vetrina("check", "--site", made.folder).exit_code == 0


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE record SET author = 77 WHERE id = 1", "record 1 is by 77"),
        ("UPDATE record SET parent = 88 WHERE id = 1", "record 1 stands under 88"),
        ("UPDATE record SET revisions = 3 WHERE id = 1", "record 1 counts 3 with 0 as the last; there are 0 and 0"),
        ("UPDATE record SET title_key = 'x' WHERE id = 1", "record 1 is sorted by 'x'"),
        ("DELETE FROM searchable WHERE record = 1", "record 1 is not found by any search"),
        (
            "UPDATE record SET translations = 1, language = id, type = 'x' || id WHERE id IN (1, 2)",
            "group 1 of records has 2 originals",
        ),
        (
            "UPDATE record SET translations = 1, language = id, type = 'x' || id WHERE id IN (1, 2)",
            "group 1 of records has members of post and of x2",
        ),
        ("UPDATE term SET source_language = 'it' WHERE id = 1", "group 1 of terms has 0 originals"),
        ("UPDATE record SET meta = 'no' WHERE id = 1", "the meta of record 1 is no JSON"),
        ("UPDATE account SET roles = '{\"a\": 1}'", 'the roles of account 1 is {"a": 1}'),
        ("UPDATE term SET parent = 99 WHERE id = 1", "term 1 stands under 99"),
        ("UPDATE term SET count = 5 WHERE id = 1", "term 1 counts 5; there are 0"),
        (
            "UPDATE tally SET count = 70 WHERE type = 'page' AND language = 'it'",
            "70 records page publish it by 1 are known",
        ),
        (
            "DELETE FROM tally WHERE type = 'page' AND language = 'it'",
            "0 records page publish it by 1 are known; there",
        ),
        ("UPDATE record SET type = 'page' WHERE id = 1", "records of the type page have terms of category"),
        (
            "INSERT INTO option VALUES ('default_category', '2000')",
            "the option default_category says 2000, which is no category",
        ),
        ("UPDATE counter SET value = 2 WHERE name = 'record'", "the counter record stands at 2, the highest number is"),
        ("INSERT INTO record_term VALUES (1, 4000, 'post', 'publish', 'en', 0)", "record_term: row"),
        ("UPDATE record_term SET status = 'draft' WHERE record = 1", "the link of record 1 to term 3 says otherwise"),
    ],
)
def test_damage_is_found_and_named(vetrina: Vetrina, made: Made, statement: str, told: str) -> None:
    damage(made, statement)
    result = vetrina("check", "--site", made.folder)
    assert result.exit_code == 1
    assert told in result.output
    assert " found in " in result.stderr


def test_a_file_with_a_broken_page_is_told(vetrina: Vetrina, made: Made) -> None:
    path = made.folder / "site.sqlite"
    content = bytearray(path.read_bytes())
    # An index page: reads of the table stay intact.
    with closing(sqlite3.connect(path)) as connection:
        page = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'record_by_slug'").fetchone()[0]
    content[(page - 1) * 4096 + 100 : page * 4096] = b"\xff" * 3996
    path.write_bytes(content)
    result = vetrina("check", "--site", made.folder)
    assert result.exit_code == 1
    assert "WRONG  The database file is whole." in result.output


def test_a_long_list_is_cut(vetrina: Vetrina, made: Made) -> None:
    with closing(sqlite3.connect(made.folder / "site.sqlite")) as connection:
        connection.executemany(
            "INSERT INTO record_term SELECT id, ?, type, status, language, date FROM record WHERE id = 1",
            [(number,) for number in range(1000, 1030)],
        )
        connection.commit()
    result = vetrina("check", "--site", made.folder)
    assert "and 10 more" in result.output
    assert "30 faults found" in result.stderr


def test_files_of_no_record_are_named_and_swept_when_they_are_old(vetrina: Vetrina, made: Made) -> None:
    folder = made.folder / "media/uploads/2026/11"
    folder.mkdir(parents=True)
    for name, age in (("old.jpg", 7200), ("young.jpg", 60)):
        (folder / name).write_bytes(b"x")
        os.utime(folder / name, (time.time() - age,) * 2)
    named = vetrina("check", "--site", made.folder)
    assert named.exit_code == 1
    assert "the file uploads/2026/11/old.jpg belongs to no record" in named.output
    assert "young.jpg" not in named.output
    swept = vetrina("check", "--site", made.folder, "--repair")
    assert (swept.exit_code, swept.stderr) == (0, "")
    assert "mended:\nok     Files belong to records." in swept.output
    assert [path.name for path in folder.iterdir()] == ["young.jpg"]
