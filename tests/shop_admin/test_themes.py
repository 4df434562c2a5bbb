"""Uploaded themes: checked before anything is written, then installed and activated."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from conftest import Answer, Client, Stand

STYLE = "/*\nTheme Name: Loggia\nVersion: 1.0\n*/\n"
FILES = {
    "loggia/style.css": STYLE,
    "loggia/theme.json": '{"version": 3}',
    "loggia/templates/index.html": "<!-- wp:post-content /-->",
    "loggia/functions.php": "<?php",
}


def packed(files: Mapping[str, str | bytes], links: tuple[str, ...] = ()) -> bytes:
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = ((stat.S_IFLNK if name in links else stat.S_IFREG) | 0o644) << 16
            archive.writestr(info, content)
    return box.getvalue()


def upload(client: Client, archive: bytes) -> Answer:
    head = (
        b'--mark\r\nContent-Disposition: form-data; name="pluginzip"; filename="t.zip"\r\n'
        b"Content-Type: application/zip\r\n\r\n"
    )
    body = head + archive + b"\r\n--mark--\r\n"
    return client.post("/shop-admin/themes", body=body, headers={"content-type": "multipart/form-data; boundary=mark"})


def test_a_theme_is_uploaded_and_activated(admin: Client, site: Stand, tmp_path: Path) -> None:
    made = upload(admin, packed(FILES))
    assert (made.status, made.json["slug"], made.json["status"]) == (200, "loggia", "success")
    assert not (tmp_path / "themes" / "loggia" / "functions.php").exists()
    before = site.client().get("/cms/v2/posts").status
    done = admin.put("/shop-admin/onboarding/themes/activate", {"theme": "loggia"})
    assert done.json == {"slug": "loggia", "name": "Loggia", "status": "success"}
    active = admin.get("/cms/v2/themes", query={"status": "active"}).json
    assert [theme["stylesheet"] for theme in active] == ["loggia"]
    assert admin.get("/shop-admin/options?options=theme_mods_loggia").json == {"theme_mods_loggia": False}
    assert before == site.client().get("/cms/v2/posts").status == 200
    assert admin.post("/shop-admin/onboarding/themes/activate", {"theme": "portico"}).status == 200
    again = upload(admin, packed(FILES))
    assert (again.status, again.code) == (409, "shop_rest_theme_install")


@pytest.mark.parametrize(
    "archive",
    [
        b"",
        b"no archive",
        packed({}),
        packed({**FILES, "loggia/../../out.html": "x"}),
        packed({**FILES, "/etc/out.html": "x"}),
        packed({**FILES, "loggia\\..\\out.html": "x"}),
        packed({**FILES, "other/theme.json": "{}"}),
        packed({**FILES, "loggia/link.html": "/etc/passwd"}, links=("loggia/link.html",)),
        packed({**FILES, "loggia/bomb.css": b"\0" * (65 << 20)}),
        packed({f"loggia/{at}.css": "" for at in range(2_001)}),
        packed({"loggia/style.css": STYLE}),
        packed({**FILES, "loggia/theme.json": "no json"}),
        packed({name.replace("loggia", "Lo ggia"): text for name, text in FILES.items()}),
        packed(FILES)[:-40],
    ],
)
def test_what_is_no_theme_leaves_nothing_behind(admin: Client, tmp_path: Path, archive: bytes) -> None:
    answer = upload(admin, archive)
    assert (answer.status, answer.code) == (400, "shop_rest_invalid_file")
    folder = tmp_path / "themes"
    assert not folder.exists() or list(folder.iterdir()) == []
    assert not (tmp_path / "out.html").exists()


def test_unpacked_bytes_are_counted_whatever_the_archive_says(admin: Client, tmp_path: Path) -> None:
    archive = packed({**FILES, "loggia/bomb.css": b"\0" * (65 << 20)})
    size = (65 << 20).to_bytes(4, "little")
    answer = upload(admin, archive.replace(size, (10).to_bytes(4, "little")))
    assert (answer.status, answer.code) == (400, "shop_rest_invalid_file")
    assert list((tmp_path / "themes").iterdir()) == []


def test_only_administrators_upload(manager: Client, customer: Client) -> None:
    for client in (manager, customer):
        answer = upload(client, packed(FILES))
        assert (answer.status, answer.code) == (403, "shop_rest_cannot_view")


def test_what_is_not_there_is_not_activated(admin: Client) -> None:
    for given in ({"theme": "nothing"}, {}, {"theme": ["portico"]}, {"theme": "../portico"}):
        assert admin.post("/shop-admin/onboarding/themes/activate", given).code == "shop_rest_invalid_theme"
        assert admin.post("/shop-admin/onboarding/themes/install", given).code == "shop_rest_theme_install"


def test_recommended_themes_are_those_of_the_server(admin: Client) -> None:
    told = admin.get("/shop-admin/onboarding/themes/recommended").json
    assert [(one["slug"], one["is_active"]) for one in told["themes"]] == [("portico", True)]
    assert admin.get("/shop-admin/onboarding/themes/recommended?currency=XXX").status == 400
