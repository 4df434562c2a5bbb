"""Metadata of uploaded audio, documents and phone pictures, and cover art."""

from __future__ import annotations

import io
import struct
import sys
from typing import Any

import pytest

from conftest import Answer, Client, Stand
from pictures import picture, quarters
from sounds import document, m4a, mp3, ogg
from vetrina.media.images import headers as image_headers

MEDIA = "/cms/v2/media"


def sent(client: Client, content: bytes, name: str) -> Answer:
    return client.post(MEDIA, body=content, headers={"content-disposition": f'attachment; filename="{name}"'})


def uploaded(client: Client, content: bytes, name: str) -> dict[str, Any]:
    answer = sent(client, content, name)
    assert answer.status == 201, answer.json
    return answer.json  # type: ignore[no-any-return]


def test_a_sound_says_what_it_is(admin: Client) -> None:
    found = uploaded(admin, mp3(61, TIT2="Wind", TPE1="Anna"), "wind.mp3")
    assert (found["mime_type"], found["media_type"]) == ("audio/mpeg", "file")
    details = found["media_details"]
    assert {name: details[name] for name in ("dataformat", "channels", "sample_rate", "bitrate", "length")} == {
        "dataformat": "mp3", "channels": 2, "sample_rate": 44_100, "bitrate": 128_000, "length": 61,
    }  # fmt: skip
    assert (details["length_formatted"], details["fileformat"], details["mime_type"]) == ("1:01", "mp3", "audio/mpeg")
    assert (details["title"], details["artist"], details["sizes"]) == ("Wind", "Anna", {})


@pytest.mark.parametrize(
    ("content", "name", "fileformat", "length"),
    [(ogg(9), "a.ogg", "ogg", "0:09"), (m4a(70), "a.m4a", "mp4", "1:10")],
)
def test_other_sounds_too(admin: Client, content: bytes, name: str, fileformat: str, length: str) -> None:
    details = uploaded(admin, content, name)["media_details"]
    assert (details["fileformat"], details["length_formatted"]) == (fileformat, length)


@pytest.mark.in_process("it looks into the folder of files")
def test_the_picture_of_a_sound_stands_for_it(site: Stand, admin: Client, anyone: Client) -> None:
    found = uploaded(admin, mp3(2, cover=picture(640, 400)), "song.mp3")
    cover = anyone.get(f"{MEDIA}/{found['featured_media']}").json
    assert (cover["mime_type"], cover["title"]["rendered"]) == ("image/jpeg", "song-mp3-image")
    assert set(cover["media_details"]["sizes"]) == {"medium", "thumbnail", "full"}
    assert found["media_details"]["image"] == {"mime": "image/jpeg", "width": 640, "height": 400}
    assert (site.site.folder / "media/uploads" / cover["media_details"]["file"]).is_file()


@pytest.mark.parametrize("cover", [b"no picture at all", picture(64, 64)[:200], b"<svg onload=alert(1)>"])
def test_a_broken_picture_is_left_where_it_is(admin: Client, cover: bytes) -> None:
    found = uploaded(admin, mp3(2, cover=cover), "song.mp3")
    assert found["featured_media"] == 0
    assert len(admin.get(MEDIA).json) == 1


@pytest.mark.in_process("it looks into the folder of files")
def test_a_refused_sound_leaves_no_picture(site: Stand, admin: Client) -> None:
    answer = admin.post(
        f"{MEDIA}?author=1&post=1&status=nothing", body=mp3(1, cover=picture(9, 9)),
        headers={"content-disposition": 'attachment; filename="a.mp3"'},
    )  # fmt: skip
    assert answer.status == 400
    assert not list((site.site.folder / "media").rglob("*.jpg"))


def test_a_document_says_how_many_pages_it_has(admin: Client) -> None:
    details = uploaded(admin, document(2, 595, 842, "Tides", "Harbour"), "tides.pdf")["media_details"]
    details.pop("filesize")
    assert details == {
        "pages": 2, "page_width": 595, "page_height": 842, "title": "Tides", "author": "Harbour", "sizes": {},
    }  # fmt: skip


# -- pictures of phones


def heic(width: int, height: int) -> bytes:
    pillow_heif = pytest.importorskip("pillow_heif")
    from PIL import Image

    pillow_heif.register_heif_opener()
    out = io.BytesIO()
    Image.open(io.BytesIO(quarters(width, height))).save(out, "HEIF", quality=60)
    return out.getvalue()


@pytest.mark.in_process("it looks into the folder of files")
def test_a_picture_of_a_phone_is_shown_as_one_that_browsers_know(site: Stand, admin: Client, anyone: Client) -> None:
    found = uploaded(admin, heic(1200, 800), "bay.heic")
    details = found["media_details"]
    assert (found["mime_type"], found["media_type"]) == ("image/jpeg", "image")
    assert (details["file"].rpartition("/")[2], details["original_image"]) == ("bay.jpg", "bay.heic")
    assert (details["width"], details["height"]) == (1200, 800)
    assert details["sizes"]["medium"]["file"] == "bay-300x200.jpg"
    assert {one["mime_type"] for one in details["sizes"].values()} == {"image/jpeg"}
    folder = site.site.folder / "media/uploads" / details["file"]
    assert folder.read_bytes()[:3] == b"\xff\xd8\xff"
    assert folder.with_name("bay.heic").is_file()
    assert found["missing_image_sizes"] == []
    assert anyone.get(MEDIA, query={"media_type": "image"}).json[0]["id"] == found["id"]


def test_a_large_one_is_scaled_and_edits_begin_with_what_is_shown(admin: Client) -> None:
    found = uploaded(admin, heic(3000, 2000), "bay.heic")
    assert found["media_details"]["file"].endswith("/bay-scaled.jpg")
    turned = {"modifiers": [{"type": "rotate", "args": {"angle": 90}}], "src": found["source_url"]}
    edited = admin.post(f"{MEDIA}/{found['id']}/edit", turned)
    assert (edited.status, edited.json["mime_type"]) == (201, "image/jpeg")
    assert edited.json["media_details"]["height"] == 2560
    admin.delete(f"{MEDIA}/{found['id']}", query={"force": "true"})
    again = uploaded(admin, heic(1200, 800), "bay.heic")
    assert again["media_details"]["original_image"] == "bay.heic"


def test_without_the_library_it_is_kept_as_it_came(admin: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    content = heic(200, 100)
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    image_headers._has_heif_support.cache_clear()
    try:
        found = uploaded(admin, content, "bay.heic")
    finally:
        image_headers._has_heif_support.cache_clear()
    assert (found["mime_type"], found["media_details"]["sizes"]) == ("image/heic", {})


def test_a_broken_one_is_refused(admin: Client) -> None:
    content = heic(600, 400)
    assert sent(admin, content[: len(content) // 2], "bay.heic").status == 400
    assert sent(admin, content[:40] + bytes(400), "bay.heic").status == 400


def element(kind: int, *inside: bytes) -> bytes:
    """An EBML element: its id, its size in eight bytes, its contents."""
    content = b"".join(inside)
    return kind.to_bytes((kind.bit_length() + 7) // 8, "big") + (len(content) | 1 << 56).to_bytes(8, "big") + content


def webm(seconds: float, width: int, height: int) -> bytes:
    info = element(0x1549A966, element(0x2AD7B1, b"\x0f\x42\x40"), element(0x4489, struct.pack(">d", seconds * 1000)),
                   element(0x7BA9, b"Mare <b>mosso</b>"))  # fmt: skip
    film = element(0xAE, element(0x83, b"\1"), element(0x86, b"V_VP9"),
                   element(0xE0, element(0xB0, width.to_bytes(2)), element(0xBA, height.to_bytes(2))))  # fmt: skip
    sound = element(0xAE, element(0x83, b"\2"), element(0x86, b"A_OPUS"),
                    element(0xE1, element(0xB5, struct.pack(">d", 48_000)), element(0x9F, b"\2")))  # fmt: skip
    head = element(0x1A45DFA3, element(0x4282, b"webm"))
    unknown = b"\x18\x53\x80\x67" + b"\xff"  # a segment whose size was unknown when it was written
    return head + unknown + info + element(0x1654AE6B, film, sound) + element(0x1F43B675, bytes(5000))


def test_a_film_of_the_web_says_how_long_and_how_large_it_is(admin: Client) -> None:
    found = uploaded(admin, webm(3661.4, 1280, 720), "mare.webm")
    details = found["media_details"]
    names = ("fileformat", "dataformat", "width", "height", "length", "length_formatted", "title", "audio")
    assert (found["mime_type"], {name: details[name] for name in names}) == (
        "video/webm",
        {
            "fileformat": "webm", "dataformat": "vp9", "width": 1280, "height": 720, "length": 3661,
            "length_formatted": "1:01:01", "title": "Mare mosso",
            "audio": {"channels": 2, "sample_rate": 48_000, "channelmode": "stereo"},
        },
    )  # fmt: skip


@pytest.mark.parametrize("cut", [5, 12, 40, 90, 150, 200])
def test_a_film_that_is_cut_off_is_kept_as_it_is(admin: Client, cut: int) -> None:
    details = uploaded(admin, webm(2, 64, 64)[:cut], "corto.webm")["media_details"]
    assert "length" not in details or details["length"] == 2
