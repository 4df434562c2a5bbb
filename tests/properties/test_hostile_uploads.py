"""Any upload under any name is stored or refused, and never causes a server error."""

from __future__ import annotations

import io
import shutil
import struct
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis.strategies import binary, integers, lists, sampled_from, text, tuples

from conftest import Answer, Client, made
from memory import peak
from pictures import huge_claim, picture
from sounds import document, m4a, mp3, ogg

MEDIA = "/cms/v2/media"
REFUSED = (400, 412, 413)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    folder = Path(tempfile.mkdtemp(prefix="vetrina-test-"))
    site = made(folder, secret="secret of the tests")
    yield Client(site, "author", "author pass word")
    site.close()
    shutil.rmtree(folder, ignore_errors=True)


def sent(client: Client, content: bytes, disposition: str) -> Answer:
    return client.post(MEDIA, body=content, headers={"content-disposition": disposition})


def in_form(client: Client, content: bytes, header: bytes) -> Answer:
    body = b"--x\r\nContent-Disposition: " + header + b"\r\n\r\n" + content + b"\r\n--x--\r\n"
    return client.post(MEDIA, body=body, headers={"content-type": "multipart/form-data; boundary=x"})


def judged(answer: Answer) -> None:
    """An upload was stored under a harmless name, or refused with a reason."""
    if answer.status == 201:
        path = answer.json["media_details"].get("file") or answer.json["source_url"].partition("/uploads/")[2]
        name = path.rpartition("/")[2]
        assert name
        assert not name.startswith(".")
        assert ".." not in path.split("/")
        assert "\\" not in path
        assert name.rpartition(".")[2].lower() not in ("php", "html", "htm", "svg", "xml", "exe", "js")
    else:
        assert answer.status in REFUSED, (answer.status, answer.json)
        assert answer.code is not None


WHOLE = {
    "a.jpg": picture(90, 60), "a.png": picture(90, 60, "PNG"), "a.gif": picture(90, 60, "GIF"),
    "a.webp": picture(90, 60, "WEBP"), "a.avif": picture(90, 60, "AVIF"), "a.bmp": picture(90, 60, "BMP"),
    "a.tiff": picture(90, 60, "TIFF"), "a.ico": picture(64, 64, "ICO"), "a.mp3": mp3(1, cover=picture(9, 9)),
    "a.ogg": ogg(1), "a.m4a": m4a(1), "a.pdf": document(1, 9, 9),
}  # fmt: skip


@given(name=sampled_from(sorted(WHOLE)), cut=integers(0, 1 << 14))
def test_files_that_end_too_soon(client: Client, name: str, cut: int) -> None:
    content = WHOLE[name]
    judged(sent(client, content[: cut % len(content)], f'attachment; filename="{name}"'))


@given(name=sampled_from(sorted(WHOLE)), at=integers(0, 1 << 14), wrong=binary(min_size=1, max_size=12))
def test_files_with_broken_bytes(client: Client, name: str, at: int, wrong: bytes) -> None:
    content = WHOLE[name]
    at %= min(len(content), 600)
    judged(sent(client, content[:at] + wrong + content[at + len(wrong) :], f'attachment; filename="{name}"'))


def test_a_picture_whose_codec_fails_otherwise(client: Client) -> None:
    whole = WHOLE["a.avif"]
    broken = whole.replace(b"av01", b"av09").replace(b"iloc", b"ilo0")
    assert sent(client, broken, 'attachment; filename="a.avif"').code == "rest_upload_sideload_error"


@given(content=binary(max_size=300), name=sampled_from(sorted(WHOLE)), beginning=sampled_from(sorted(WHOLE)))
def test_files_that_begin_as_something_else(client: Client, content: bytes, name: str, beginning: str) -> None:
    judged(sent(client, WHOLE[beginning][:40] + content, f'attachment; filename="{name}"'))


_SIGNS = text(alphabet="abc.;=\"\\/%*' \t<>|:?&ü漢\x7f", max_size=40)


@given(header=_SIGNS)
@example('attachment; filename="../../../etc/passwd.jpg"')
@example("attachment; filename=..\\..\\boot.jpg")
@example("attachment; filename*=UTF-8''%2e%2e%2f%2e%2e%2fa.jpg")
@example("attachment; filename*=UTF-8''a%00.php%0a.jpg")
@example("attachment; filename*=bogus''a.jpg; filename=b.jpg")
@example("attachment; filename*=UTF-8''%ff%fe.jpg")
@example('attachment; filename="a\\".jpg"; filename=b.jpg')
@example("attachment; filename=" + "a" * 2000 + ".jpg")
@example('attachment; filename=".htaccess"')
@example('attachment; filename="a.php.jpg"')
@example('attachment; filename="CON.jpg"')
@example('attachment; filename="."')
@example("attachment; filename*=utf-16''%61.jpg")
@example("form-data; name=file; filename=\u202ea.jpg")
def test_odd_dispositions(client: Client, header: str) -> None:
    plain = header.encode().decode("latin-1")
    judged(sent(client, WHOLE["a.jpg"], plain))
    judged(in_form(client, WHOLE["a.jpg"], header.encode()))


@given(name=text(min_size=1, max_size=60))
@example("a" * 300 + ".jpg")
@example("../" * 40 + "a.jpg")
@example("a.jpg\0.php")
@example("\u202egpj.a")
@example("aux\u0301.jpg")
def test_odd_names_in_forms(client: Client, name: str) -> None:
    quoted = name.replace("\\", "\\\\").replace('"', '\\"').replace("\r", " ").replace("\n", " ")
    header = b'form-data; name="file"; filename="' + quoted.encode("utf-8", "replace") + b'.jpg"'
    judged(in_form(client, WHOLE["a.jpg"], header))


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_with(*chunks: bytes) -> bytes:
    """Return a PNG with more chunks after its header."""
    whole = WHOLE["a.png"]
    return whole[:33] + b"".join(chunks) + whole[33:]


def jpeg_with(marker: bytes, data: bytes, times: int = 1) -> bytes:
    """Return a JPEG with a data segment after its start."""
    part = marker + struct.pack(">H", len(data) + 2) + data
    return WHOLE["a.jpg"][:2] + part * times + WHOLE["a.jpg"][2:]


def tag(number: int, kind: int, count: int, value: int) -> bytes:
    """Return an entry of a TIFF or Exif directory."""
    return struct.pack(">HHII", number, kind, count, value)


def tiff(*tags: bytes, behind: int = 0) -> bytes:
    """Return a TIFF with a directory of tags and a number of bytes after it."""
    return b"MM\0*\0\0\0\x08" + struct.pack(">H", len(tags)) + b"".join(tags) + bytes(4 + behind)


def icon_of(content: bytes) -> bytes:
    """Return an icon that claims to be small and contains a PNG of any size."""
    return b"\0\0\1\0\1\0" + struct.pack("<BBBBHHII", 64, 64, 0, 0, 1, 32, len(content), 22) + content


def black(side: int) -> bytes:
    """Return a PNG of some kilobytes that really has that many pixels a side."""
    packer = zlib.compressobj(9)
    row = bytes(1 + side)
    pixels = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def pdf_of_objects(count: int, links: int = 1) -> bytes:
    """Return a PDF with so many objects in a compressed table, and again in each table that it links."""
    packed = zlib.compress(b"\1\0\x0f" * count, 9)
    content = b"%PDF-1.5\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    content += b"2 0 obj<</Type/Pages/Kids[]/Count 1/MediaBox[0 0 9 9]>>endobj\n"
    previous = b""
    for number in range(links):
        at = len(content)
        content += b"%d 0 obj<</Type/XRef/Size %d/W[1 1 1]/Root 1 0 R%s" % (3 + number, count, previous)
        content += b"/Length %d/Filter/FlateDecode>>stream\n" % len(packed) + packed + b"\nendstream endobj\n"
        previous = b"/Prev %d" % at
    return content + b"startxref\n%d\n%%%%EOF" % at


def zipped(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return out.getvalue()


_BOMB = zlib.compress(bytes(60 << 20), 9)
_LOOP = b"MM\0*\0\0\0\x08\0\1\x88\x69\0\4\0\0\0\1\0\0\0\x08\0\0\0\x08"  # a directory that is its own next one

HOSTILE = {
    "html as a picture": ("a.jpg", b"<html><script>alert(1)</script></html>"),
    "svg as a picture": ("a.png", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
    "svg by its name": ("a.svg", b"<svg/>"),
    "html as words": ("a.txt", b"<!DOCTYPE html><script>alert(1)</script>"),
    "php as words": ("a.php", b"<?php system($_GET[0]); ?>"),
    "html as a table": ("a.csv", b"  <script>alert(1)</script>"),
    "a script": ("a.txt", b"#!/bin/sh\nrm -rf /\n"),
    "a program": ("a.pdf", b"MZ\x90\0" + bytes(100)),
    "a picture that is a script too": ("a.gif", b"GIF89a/*" + bytes(30) + b"*/=1;alert(1)"),
    "a picture with a script behind it": ("a.gif", WHOLE["a.gif"] + b"<script>alert(1)</script>"),
    "a picture with an archive behind it": ("a.jpg", WHOLE["a.jpg"] + zipped("a.html", b"<script>")),
    "a document that is a page too": ("a.pdf", b"%PDF-1.4\n<html><script>alert(1)</script>"),
    "an office file that is none": ("a.docx", zipped("a.html", b"<script>alert(1)</script>")),
    "an archive that grows": ("a.zip", zipped("a", bytes(50 << 20))),
    "words of a camera that repeat": ("a.jpg", jpeg_with(b"\xff\xe1", b"Exif\0\0" + _LOOP)),
    "words of a camera that are many": ("a.jpg", jpeg_with(b"\xff\xe1", b"Exif\0\0" + bytes(60_000), 300)),
    "words of an editor that are many": ("a.jpg", jpeg_with(b"\xff\xed", b"Photoshop 3.0\0" + b"8BIM" * 15_000, 200)),
    "comments that are many": ("a.jpg", jpeg_with(b"\xff\xfe", bytes(65_000), 300)),
    "a profile of colours that grows": ("a.png", png_with(chunk(b"iCCP", b"a\0\0" + _BOMB))),
    "words that grow": ("a.png", png_with(chunk(b"zTXt", b"Comment\0\0" + _BOMB))),
    "other words that grow": ("a.png", png_with(chunk(b"iTXt", b"Comment\0\1\0\0\0" + _BOMB))),
    "words without end": ("a.png", png_with(*[chunk(b"tEXt", b"a\0" + bytes(60_000))] * 300)),
    "a picture of very many pixels": ("a.png", huge_claim(30_000, 30_000)),
    "a picture without any": ("a.png", huge_claim(0, 0)),
    "a picture of one row": ("a.png", huge_claim(2_000_000, 1)),
    "a bitmap of very many pixels": (
        "a.bmp", b"BM" + bytes(8) + b"\x36\0\0\0\x28\0\0\0" + b"\xff\xff\xff\x7f" * 2 + bytes(40),
    ),
    "an icon of nothing": ("a.ico", b"\0\0\1\0\xff\xff" + bytes(100)),
    "frames without end": ("a.gif", WHOLE["a.gif"][:-1] + WHOLE["a.gif"][-400:-1] * 2000 + b";"),
    "directories in a circle": ("a.tiff", _LOOP),
    "a film of nothing": ("a.mp4", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + b"\0\0\0\x08moov" * 4000),
    "boxes in boxes": ("a.mp4", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + b"\0\0\x10\0moov\0\0\x10\0trak" * 3000),
    "a sound that claims much": ("a.mp3", b"ID3\4\0\0\x7f\x7f\x7f\x7fAPIC\x7f\x7f\x7f\x70\0\0" + bytes(500)),
    "a document of objects in a circle": (
        "a.pdf", b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 1 0 R/Kids[1 0 R]/Count 9>>endobj\nxref\n0 2\n"
        b"0000000000 65535 f \n0000000009 00000 n \ntrailer<</Root 1 0 R/Size 2/Prev 70>>\nstartxref\n70\n%%EOF",
    ),
    "segments without end": ("a.jpg", jpeg_with(b"\xff\xe1", b"Exif\0\0" + bytes(16), 120_000)),
    "words of a camera that overlap": (
        "a.jpg", jpeg_with(b"\xff\xe1", b"Exif\0\0" + tiff(*(tag(n, 7, 60_000, 8) for n in range(5000)))),
    ),
    "words of a picture that overlap": (
        "a.png", png_with(chunk(b"eXIf", tiff(*(tag(n, 7, 4 << 20, 8) for n in range(60_000)), behind=4 << 20))),
    ),
    "tags that overlap": ("a.tiff", tiff(*(tag(n, 7, 4 << 20, 8) for n in range(60_000)), behind=4 << 20)),
    "strips without end": (
        "a.tiff", tiff(tag(256, 4, 1, 9), tag(257, 4, 1, 9), tag(273, 4, 4 << 20, 64), behind=17 << 20),
    ),
    "a picture without a size": ("a.tiff", tiff(tag(256, 4, 1, 0), tag(257, 4, 1, 9))),
    "chunks of nobody": ("a.png", png_with(chunk(b"prVt", bytes(40 << 20)))),
    "chunks of nobody behind the pixels": (
        "a.png", WHOLE["a.png"][:-12] + chunk(b"prVt", bytes(40 << 20)) + WHOLE["a.png"][-12:],
    ),
    "an icon that unpacks to many pixels": ("a.ico", icon_of(black(12_000))),
    "a picture that unpacks to many pixels": ("a.png", black(12_000)),
    "comments in a moving picture": (
        "a.gif", WHOLE["a.gif"][:-1] + b"\x21\xfe" + (b"\xff" + b"a" * 255) * 60_000 + b"\0;",
    ),
    "a document of very many objects": ("a.pdf", pdf_of_objects(1_000_000)),
    "a document of very many tables": ("a.pdf", pdf_of_objects(100_000, 300)),
    "no ending": ("harbour", WHOLE["a.jpg"]),
    "an ending of nobody": ("a.zzz", b"words"),
    "two endings": ("a.php.jpg", WHOLE["a.jpg"]),
}  # fmt: skip


def cost(client: Client, name: str, content: bytes) -> tuple[float, int]:
    """Return the cost of checking a file: seconds of processor time and MiB of memory."""
    start = time.process_time()
    with peak() as taken:
        judged(sent(client, content, f'attachment; filename="{name}"'))
    return time.process_time() - start, taken.grown


def within(found: tuple[float, int], most: int) -> bool:
    return found[0] < 5 and found[1] < most


@pytest.mark.parametrize("what", sorted(HOSTILE))
def test_hostile_files(client: Client, what: str) -> None:
    """They are answered quickly, and take no more memory than the file, twice, and the header of a valid one."""
    name, content = HOSTILE[what]
    most = 64 + 2 * (len(content) >> 20)
    costs = [cost(client, name, content)]
    if not within(costs[0], most):
        # Leaks of an earlier test in the process are counted too, but not twice.
        costs.append(cost(client, name, content))
    assert within(costs[-1], most), costs
    judged(in_form(client, content, f'form-data; name="file"; filename="{name}"'.encode()))


@pytest.mark.parametrize(
    "what",
    [
        "html as a picture", "svg as a picture", "svg by its name", "html as words", "php as words", "html as a table",
        "a script", "a program", "a picture of very many pixels", "no ending", "an ending of nobody",
    ],
)  # fmt: skip
def test_what_nobody_takes(client: Client, what: str) -> None:
    name, content = HOSTILE[what]
    answer = sent(client, content, f'attachment; filename="{name}"')
    assert (answer.status, answer.code) == (400, "rest_upload_sideload_error")
    answer = in_form(client, content, f'form-data; name="file"; filename="{name}"'.encode())
    assert (answer.status, answer.code) == (400, "rest_upload_unknown_error")


@given(
    parts=lists(
        tuples(sampled_from(["file", "title", "post", "status", "date", "meta", ""]), _SIGNS, binary(max_size=60)),
        max_size=5,
    )
)
def test_odd_forms(client: Client, parts: list[tuple[str, str, bytes]]) -> None:
    body = b""
    for name, file, content in parts:
        named = f'; filename="{file}"'.encode() if file else b""
        body += b'--x\r\nContent-Disposition: form-data; name="' + name.encode() + b'"' + named + b"\r\n\r\n"
        body += content + b"\r\n"
    for end in (b"--x--\r\n", b"--x", b""):
        answer = client.post(MEDIA, body=body + end, headers={"content-type": "multipart/form-data; boundary=x"})
        assert answer.status < 500, answer.json
        assert answer.status == 201 or answer.code is not None


def test_a_checksum_of_any_form_is_answered(client: Client) -> None:
    for md5 in ("x", "é", "0" * 5000, ""):
        told = {"content-disposition": "attachment; filename=a.gif", "content-md5": md5.encode().decode("latin-1")}
        answer = client.post(MEDIA, body=WHOLE["a.gif"], headers=told)
        assert answer.status == (412 if md5 else 201), md5


@pytest.fixture(scope="module")
def family(client: Client) -> str:
    admin = Client(client.site, "admin", "admin pass word")
    said = '{"name": "A", "slug": "a", "fontFamily": "A"}'
    made = admin.post("/cms/v2/font-families", {"font_family_settings": said})
    return f"/cms/v2/font-families/{made.json['id']}/font-faces"


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.woff2", zipped("a", bytes(20 << 20)), "rest_font_upload_invalid_file_type"),
        ("a.woff2", b"<svg/>", "rest_font_upload_invalid_file_type"),
        ("a.ttf", b"", "rest_font_upload_invalid_file_type"),
        ("a.ttf", WHOLE["a.jpg"], "rest_font_upload_invalid_file_type"),
        ("a.woff", b"wOFF" + b"\xff" * 40 + _BOMB, None),  # nothing of it is unpacked
        ("../../a.ttf", b"\0\1\0\0" + b"\xff" * 500, None),
        ("a.otf", b"OTTO" + bytes(9 << 20), "rest_request_too_large"),
    ],
)
def test_hostile_fonts(client: Client, family: str, name: str, content: bytes, expected: str | None) -> None:
    admin = Client(client.site, "admin", "admin pass word")
    said = f'{{"fontFamily": "A", "src": "f", "fontWeight": "{100 + zlib.crc32(content + name.encode()) % 800}"}}'
    body = b'--x\r\nContent-Disposition: form-data; name="font_face_settings"\r\n\r\n' + said.encode() + b"\r\n"
    body += b'--x\r\nContent-Disposition: form-data; name="f"; filename="' + name.encode() + b'"\r\n\r\n' + content
    answer = admin.post(
        family, body=body + b"\r\n--x--\r\n", headers={"content-type": "multipart/form-data; boundary=x"}
    )
    assert answer.code == expected
    assert answer.status == (413 if expected == "rest_request_too_large" else 400 if expected else 201)
    if expected is None:
        src = answer.json["font_face_settings"]["src"]
        assert "/uploads/fonts/a" in src
