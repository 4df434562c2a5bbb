"""The built files of the administration over HTTP: caches, compressed copies, and nothing but them."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Stand, exchange, standing
from vetrina.settings import load_profile

pytestmark = pytest.mark.in_process  # other processes have the files of the package

SCRIPT = b"export const answer = 42;\n" * 40
COMPRESSED = gzip.compress(SCRIPT)


@pytest.fixture
def build(tmp_path: Path) -> Path:
    folder = tmp_path / "admin_files"
    (folder / "lists").mkdir(parents=True)
    (folder / "lists" / "deep").mkdir()
    for name, content in {
        "main-ABCD1234.js": SCRIPT, "main-ABCD1234.js.br": b"brotli of it", "main-ABCD1234.js.gz": COMPRESSED,
        "main-ABCD1234.css": b"b{}", "lists/chunk-EFGH5678.js": b"0", "lists/deep/x-ABCD1234.js": b"0",
        "licenses.txt": b"MIT", "manifest.json": b"{}", ".building": b"x", ".hidden-ABCD1234.js": b"0",
        "icon-0123456789ab.svg": b"<svg/>", "program-ABCD1234.exe": b"MZ",
    }.items():  # fmt: skip
        (folder / name).write_bytes(content)
    (tmp_path / "secret-ABCD1234.js").write_bytes(b"a secret")
    return folder


@pytest.fixture
def office(request: pytest.FixtureRequest, kind: str, build: Path) -> Iterator[Stand]:
    with standing(request, load_profile("first"), admin_folder=build) as stand:
        yield stand


def fetch(stand: Stand, name: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    status, pairs, content = exchange(stand.site, method, f"/admin/files/{name}", b"", named)
    return status, dict(pairs), content


@pytest.mark.parametrize(
    "name, kind",
    [
        ("main-ABCD1234.js", "text/javascript; charset=utf-8"), ("main-ABCD1234.css", "text/css; charset=utf-8"),
        ("lists/chunk-EFGH5678.js", "text/javascript; charset=utf-8"), ("icon-0123456789ab.svg", "image/svg+xml"),
    ],
)  # fmt: skip
def test_a_file_named_by_its_content_is_kept_for_ever(office: Stand, build: Path, name: str, kind: str) -> None:
    status, headers, content = fetch(office, name)
    assert (status, content) == (200, (build / name).read_bytes())
    assert headers["content-type"] == kind
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["vary"] == "Accept-Encoding"
    assert headers["content-length"] == str(len(content))
    assert "content-encoding" not in headers


def test_a_file_without_a_hash_is_asked_for_again(office: Stand) -> None:
    status, headers, content = fetch(office, "licenses.txt")
    assert (status, headers["cache-control"], content) == (200, "no-cache", b"MIT")


@pytest.mark.parametrize(
    "accepted, encoding",
    [
        ("gzip, deflate, br", "br"), ("gzip", "gzip"), ("gzip;q=0.5, br;q=0", "gzip"), ("identity", ""), ("", ""),
        ("br;q=0.0, gzip;q=0", ""), ("BR", "br"), ("zstd;q=x", ""),
    ],
)  # fmt: skip
def test_a_compressed_copy_goes_to_those_who_take_it(office: Stand, accepted: str, encoding: str) -> None:
    _, headers, content = fetch(office, "main-ABCD1234.js", accept_encoding=accepted)
    assert headers.get("content-encoding", "") == encoding
    assert content == {"br": b"brotli of it", "gzip": COMPRESSED, "": SCRIPT}[encoding]
    assert headers["content-type"] == "text/javascript; charset=utf-8"
    assert headers["vary"] == "Accept-Encoding"


def test_an_unchanged_file_is_not_sent_again(office: Stand, build: Path) -> None:
    _, headers, _ = fetch(office, "main-ABCD1234.css")
    etag = headers["etag"]
    status, again, content = fetch(office, "main-ABCD1234.css", if_none_match=f'"x", W/{etag}')
    assert (status, content, again["etag"]) == (304, b"", etag)
    assert "max-age" in again["cache-control"]
    (build / "main-ABCD1234.css").write_bytes(b"i{}")
    status, changed, content = fetch(office, "main-ABCD1234.css", if_none_match=etag)
    assert (status, content) == (200, b"i{}")
    assert changed["etag"] != etag
    _, packed, _ = fetch(office, "main-ABCD1234.js", accept_encoding="br")
    _, plain, _ = fetch(office, "main-ABCD1234.js")
    assert packed["etag"] != plain["etag"]


def test_a_head_has_the_length_alone(office: Stand) -> None:
    status, headers, content = fetch(office, "main-ABCD1234.js", "HEAD")
    assert (status, headers["content-length"], content) == (200, str(len(SCRIPT)), b"")
    status, headers, _ = fetch(office, "main-ABCD1234.js", "POST")
    assert (status, headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    "name",
    [
        "", "none-ABCD1234.js", "../secret-ABCD1234.js", "%2e%2e/secret-ABCD1234.js", "lists/../../secret-ABCD1234.js",
        "..%2fsecret-ABCD1234.js", "/secret-ABCD1234.js", "lists", "lists/", "lists/deep/x-ABCD1234.js",
        "manifest.json", ".building", ".hidden-ABCD1234.js", "program-ABCD1234.exe", "main-ABCD1234.js%00",
        "main-ABCD1234.js.br", "main-ABCD1234.js%0a", "C:/x-ABCD1234.js", "x" * 5000 + ".js",
    ],
)  # fmt: skip
def test_nothing_else_is_there(office: Stand, name: str) -> None:
    status, headers, content = fetch(office, name)
    assert (status, content) == (404, b"There is no such file.\n")
    assert headers["cache-control"] == "no-store"


def test_the_files_are_there_for_everybody_and_need_no_session(office: Stand) -> None:
    assert fetch(office, "main-ABCD1234.js")[0] == 200
