"""Pictures in other sizes and formats over HTTP: what may be asked for, what comes, and what stays."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from hypothesis import example, given, strategies as st
from PIL import Image

from conftest import Client, Stand, exchange
from pictures import picture, quarters
from vetrina.media.images.pixel_sizes import PixelSize
from vetrina.media.images.rendition_cuts import FocalPoint, compute_rendition_cut
from vetrina.media.images.rendition_files import sweep_renditions
from vetrina.media.images.rendition_parameters import FITS, PIXEL_RATIOS, RenditionParameters

MEDIA = "/cms/v2/media"


def uploaded(client: Client, content: bytes, name: str = "bay.jpg") -> dict[str, Any]:
    answer = client.post(MEDIA, body=content, headers={"content-disposition": f'attachment; filename="{name}"'})
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def fetch(
    site: Stand, url: str, query: dict[str, Any] | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    parts = urlsplit(url)
    text = "&".join(filter(None, (parts.query, urlencode(query or {}))))
    status, pairs, content = exchange(site.site, "GET", f"{parts.path}?{text}", b"", headers)
    return status, dict(pairs), content


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


def kept(site: Stand) -> list[str]:
    return sorted(one.name for one in site.site.files.list_files("renditions/"))


@pytest.mark.parametrize(
    ("query", "size", "format"),
    [
        ({"w": 320}, (320, 200), "JPEG"),
        ({"h": 320}, (512, 320), "JPEG"),
        ({"w": 128, "dpr": 2}, (256, 160), "JPEG"),
        ({"w": 2560}, (640, 400), "JPEG"),
        ({"w": 320, "h": 320}, (320, 320), "JPEG"),
        ({"w": 2560, "h": 2560}, (400, 400), "JPEG"),
        ({"w": 320, "h": 320, "fit": "inside"}, (320, 200), "JPEG"),
        ({"w": 320, "h": 320, "fit": "contain"}, (320, 320), "JPEG"),
        ({"w": 320, "format": "avif"}, (320, 200), "AVIF"),
        ({"w": 320, "format": "webp"}, (320, 200), "WEBP"),
        ({"format": "png"}, (640, 400), "PNG"),
    ],
)
def test_a_picture_comes_as_its_url_asks(
    site: Stand, admin: Client, query: dict[str, Any], size: tuple[int, int], format: str
) -> None:
    url = uploaded(admin, picture(640, 400))["source_url"]
    status, headers, content = fetch(site, url, query)
    image = opened(content)
    assert (status, headers["content-type"]) == (200, f"image/{format.lower()}")
    assert (image.size, image.format) == (size, format)
    assert fetch(site, url, query, **{"if-none-match": headers["etag"]})[0] == 304


@pytest.mark.parametrize(
    ("query", "name", "says"),
    [
        ({"w": 321}, "w", "320"),
        ({"w": 0}, "w", "320"),
        ({"w": "1e3"}, "w", "320"),
        ({"h": 99999}, "h", "320"),
        ({"w": 320, "fit": "fill"}, "fit", "cover"),
        ({"w": 320, "format": "bmp"}, "format", "avif"),
        ({"w": 320, "dpr": 100}, "dpr", "3"),
        ({"w": 320, "q": 50}, "q", "signed"),
        ({"w": 320, "s": "0" * 32}, "s", "signature"),
    ],
)
def test_what_is_not_allowed_is_refused_with_what_is(
    site: Stand, admin: Client, query: dict[str, Any], name: str, says: str
) -> None:
    url = uploaded(admin, picture(640, 400))["source_url"]
    status, headers, content = fetch(site, url, query)
    assert (status, headers["content-type"]) == (400, "application/json; charset=UTF-8")
    assert b'"rest_invalid_param"' in content
    assert f'"{name}":"'.encode() in content
    assert says.encode() in content
    assert kept(site) == []


def test_a_signed_url_gives_any_size_and_only_that(site: Stand, admin: Client) -> None:
    found = uploaded(admin, picture(640, 400))
    path = f"{MEDIA}/{found['id']}/renditions"
    signed = admin.post(path, {"w": 123, "h": 77, "fit": "cover", "format": "webp", "q": 40})
    assert (signed.status, signed.json["width"], signed.json["height"]) == (200, 123, 77)
    status, headers, content = fetch(site, signed.json["url"])
    assert (status, opened(content).size, opened(content).format) == (200, (123, 77), "WEBP")
    assert "immutable" in headers["cache-control"]
    assert fetch(site, signed.json["url"].replace("w=123", "w=124"))[0] == 400
    other = uploaded(admin, picture(640, 400), "other.jpg")["source_url"]
    assert fetch(site, f"{other}?{urlsplit(signed.json['url']).query}")[0] == 400


def test_only_those_who_may_edit_a_file_have_urls_signed(anyone: Client, admin: Client, subscriber: Client) -> None:
    found = uploaded(admin, picture(64, 40))
    path = f"{MEDIA}/{found['id']}/renditions"
    assert [one.post(path, {"w": 9}).status for one in (anyone, subscriber)] == [401, 403]
    shown = anyone.get(path)
    assert (shown.status, shown.json["width"], shown.json["focal_point"]) == (200, 64, {"x": 0.5, "y": 0.5})
    assert shown.json["srcset"]["webp"].endswith("w=64&format=webp&v=" + shown.json["version"] + " 64w")


def test_the_best_format_that_a_client_takes(site: Stand, admin: Client) -> None:
    url = uploaded(admin, picture(640, 400))["source_url"]
    kinds = {
        "image/avif,image/webp,*/*": "image/avif", "image/avif;q=0, image/webp": "image/webp", "*/*": "image/jpeg",
    }  # fmt: skip
    for accept, kind in kinds.items():
        _, headers, _ = fetch(site, url, {"w": 64, "format": "auto"}, accept=accept)
        assert (headers["content-type"], headers["vary"]) == (kind, "Accept")


@pytest.mark.parametrize(("point", "colour"), [((0, 0), "red"), ((1, 0), "lime"), ((0, 1), "red"), ((1, 1), "lime")])
def test_the_focal_point_stays_in_sight(site: Stand, admin: Client, point: tuple[int, int], colour: str) -> None:
    found = uploaded(admin, quarters(400, 200), "parts.png")
    given = {"x": point[0], "y": point[1]}
    changed = admin.patch(f"{MEDIA}/{found['id']}", {"focal_point": given})
    assert changed.json["media_details"]["focal_point"] == given
    _, _, content = fetch(site, found["source_url"], {"w": 64, "h": 64})
    wanted = Image.new("RGB", (1, 1), colour).getpixel((0, 0))
    assert opened(content).convert("RGB").getpixel((20, 8)) == wanted
    cleared = admin.patch(f"{MEDIA}/{found['id']}", {"focal_point": None})
    assert "focal_point" not in cleared.json["media_details"]


def test_another_focal_point_is_another_version(admin: Client) -> None:
    found = uploaded(admin, picture(64, 40))
    path = f"{MEDIA}/{found['id']}"
    before = admin.get(f"{path}/renditions").json["version"]
    refused = admin.patch(path, {"focal_point": {"x": 2, "y": 0}})
    assert (refused.status, refused.code) == (400, "rest_invalid_param")
    admin.patch(path, {"focal_point": {"x": 0.25, "y": 0}})
    assert admin.get(f"{path}/renditions").json["version"] != before


@pytest.mark.in_process("it looks into the folder of files")
def test_a_rendition_is_made_once_and_goes_with_its_image(site: Stand, admin: Client) -> None:
    found = uploaded(admin, picture(640, 400))
    url = found["source_url"]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: fetch(site, url, {"w": 320}), range(8)))
    assert {(status, headers["etag"]) for status, headers, _ in answers} == {(200, answers[0][1]["etag"])}
    # What leads to the same pixels is one file, whatever was asked.
    assert fetch(site, url, {"w": 320, "h": 320, "fit": "inside"})[1]["etag"] == answers[0][1]["etag"]
    assert len(kept(site)) == 1
    assert admin.delete(f"{MEDIA}/{found['id']}?force=true").status == 200
    assert kept(site) == []
    assert fetch(site, url, {"w": 320})[0] == 400


@pytest.mark.in_process("it looks into the folder of files")
def test_the_oldest_renditions_go_when_there_are_too_many(site: Stand, admin: Client) -> None:
    url = uploaded(admin, picture(640, 400))["source_url"]
    for width in (64, 128, 256, 320):
        assert fetch(site, url, {"w": width})[0] == 200
    assert sweep_renditions(site.site.files, 4) == 0
    assert sweep_renditions(site.site.files, 2) == 2
    assert len(kept(site)) == 2


def test_nothing_beside_the_pixels_leaves_the_site(site: Stand, admin: Client) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "Secret Camera"
    exif.get_ifd(0x8825)[1] = "N"
    url = uploaded(admin, picture(640, 400, exif=exif, comment=b"Secret words"))["source_url"]
    for format in ("jpeg", "png", "webp", "avif"):
        _, _, content = fetch(site, url, {"w": 128, "format": format})
        assert opened(content).size == (128, 205)
        assert b"Secret" not in content
        assert not dict(opened(content).getexif())


def test_what_is_seen_through_is_white_in_a_jpeg(site: Stand, admin: Client) -> None:
    out = io.BytesIO()
    Image.new("RGBA", (100, 100), (0, 0, 0, 0)).save(out, "PNG")
    url = uploaded(admin, out.getvalue(), "clear.png")["source_url"]
    assert opened(fetch(site, url, {"w": 64, "format": "jpeg"})[2]).getpixel((9, 9)) == (255, 255, 255)
    # A pixel with transparency is a tuple; the library's type allows a number for other modes.
    assert opened(fetch(site, url, {"w": 64})[2]).getpixel((9, 9))[3] == 0  # type: ignore[index]


def test_other_files_and_other_parameters_are_sent_as_they_are(site: Stand, admin: Client) -> None:
    content = picture(640, 400)
    found = uploaded(admin, content)
    assert fetch(site, found["source_url"], {"ver": 3})[2] == content
    words = uploaded(admin, b"plain words\n", "words.txt")
    assert fetch(site, words["source_url"], {"w": 320})[2] == b"plain words\n"
    refused = admin.get(f"{MEDIA}/{words['id']}/renditions")
    assert (refused.status, refused.code) == (400, "rest_no_rendition")
    part = found["media_details"]["sizes"]["medium"]["source_url"]
    assert fetch(site, part, {"w": 64})[0] == 400


_SIDES = st.integers(1, 5000)


@given(
    st.builds(PixelSize, _SIDES, _SIDES),
    st.builds(
        RenditionParameters, st.integers(0, 4096), st.integers(0, 4096), st.sampled_from(FITS), st.just(""),
        st.just(0), st.sampled_from(PIXEL_RATIOS),
    ),
    st.builds(FocalPoint, st.floats(0, 1), st.floats(0, 1)),
)  # fmt: skip
@example(PixelSize(1, 5000), RenditionParameters(4096, 1, "cover"), FocalPoint(1, 1))
def test_a_cut_lies_in_its_image_and_enlarges_nothing(
    size: PixelSize, wanted: RenditionParameters, focal_point: FocalPoint
) -> None:
    (target, box), canvas = compute_rendition_cut(size, wanted, focal_point)
    assert 0 <= box[0] < box[2] <= size.width
    assert 0 <= box[1] < box[3] <= size.height
    assert 1 <= target.width <= box[2] - box[0] <= 5000
    assert 1 <= target.height <= box[3] - box[1]
    assert target.width <= canvas.width <= 4096
    assert target.height <= canvas.height <= 4096
