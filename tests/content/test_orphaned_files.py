"""Orphaned files: only those without a record that no request may still be working on."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Client, SetClock, Stand
from pictures import picture
from sounds import mp3
from vetrina.media.uploads import orphan_files
from vetrina.system.integrity_rules import RULES

WOFF2 = b"wOF2\0\1\0\0" + bytes(40)


def found(site: Stand) -> list[str]:
    with site.site.work(read=True) as work:
        return list(orphan_files.iterate_orphaned_files(work))


def folder(site: Stand) -> Path:
    return site.site.folder / "media"


@pytest.fixture
def fonts(admin: Client) -> None:
    family = admin.post(
        "/cms/v2/font-families", {"font_family_settings": '{"name": "A", "slug": "a", "fontFamily": "A"}'}
    ).json["id"]
    body = (
        b'--x\r\ncontent-disposition: form-data; name="font_face_settings"\r\n\r\n'
        b'{"fontFamily": "A", "src": "f"}\r\n'
        b'--x\r\ncontent-disposition: form-data; name="f"; filename="a.woff2"\r\n\r\n' + WOFF2 + b"\r\n--x--\r\n"
    )
    answer = admin.post(
        f"/cms/v2/font-families/{family}/font-faces", body=body,
        headers={"content-type": "multipart/form-data; boundary=x"},
    )  # fmt: skip
    assert answer.status == 201, answer.json


@pytest.mark.in_process("it looks into the folder of files")
def test_what_records_have_is_none(site: Stand, admin: Client, fonts: None, clock: SetClock) -> None:
    for content, name in ((picture(2600, 900), "a.jpg"), (mp3(1, cover=picture(300, 300)), "b.mp3"), (b"a", "c.txt")):
        answer = admin.post(
            "/cms/v2/media", body=content, headers={"content-disposition": f'attachment; filename="{name}"'}
        )
        assert answer.status == 201
    clock.forward(7200)
    assert sum(1 for path in folder(site).rglob("*") if path.is_file()) > 10
    assert found(site) == []


@pytest.mark.in_process("it looks into the folder of files")
def test_what_nobody_has_is_one_after_an_hour(site: Stand, admin: Client, clock: SetClock) -> None:
    answer = admin.post(
        "/cms/v2/media", body=picture(400, 300), headers={"content-disposition": 'attachment; filename="a.jpg"'}
    )
    with site.site.work() as work:
        # The state after a crash between storing files and recording them.
        for one in answer.json["translations"].values():
            work.tx.run(_forget(), record=one["id"])
    names = sorted(str(path.relative_to(folder(site))) for path in (folder(site) / "uploads").rglob("*.jpg"))
    assert found(site) == []
    clock.forward(3700)
    assert found(site) == names
    with site.site.work(read=True) as work:
        assert [line for rule in RULES for line in rule.broken(work) if "belongs to no record" in line]
    assert orphan_files.delete_orphaned_files(site.site.context, names) == 3
    assert found(site) == []


@pytest.mark.in_process("it looks into the folder of files")
def test_a_face_that_is_removed_takes_its_file_along_when_that_is_kept(site: Stand, admin: Client, fonts: None) -> None:
    assert list(folder(site).rglob("*.woff2"))
    family = admin.get("/cms/v2/font-families").json[0]
    admin.delete(f"/cms/v2/font-families/{family['id']}/font-faces/{family['font_faces'][0]}", query={"force": "true"})
    assert not list(folder(site).rglob("*.woff2"))


def _forget() -> object:
    from sqlalchemy import bindparam, delete

    from vetrina.backends.database import Statement
    from vetrina.backends.tables.records import media

    return Statement(delete(media).where(media.c.record == bindparam("record")))
