"""An export file that means ill ends an import with a sentence, or comes as far as it can."""

from __future__ import annotations

from pathlib import Path
from xml.parsers import expat

import pytest
from hypothesis import given, strategies as st

from conftest import Client, Stand
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.records import SourceError
from vetrina.transfer.sources.wxr import scanning
from vetrina.transfer.sources.wxr.source import ExportFileSource
from vetrina.transfer.sources.wxr.xml_bytes import XmlByteReplacer, replace_bad_bytes

from .conftest import ImportCall
from .export_files import ExportFile


def describe(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.xml"
    path.write_bytes(content)
    ExportFileSource(path).describe()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no element found"),
        (b"<html></html>", "begins with <html>"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><rss>&b;</rss>', "document type"),
        (b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><rss>&b;</rss>', "document type"),
        (b"<rss>" + b"<a>" * 1000, "inside each other"),
        ("<?xml version='1.0' encoding='UTF-16'?><rss></rss>".encode("utf-16"), "written in UTF-16"),
        (b"<?xml version='1.0' encoding='utf-7'?><rss></rss>", "written in utf-7"),
        (b"<rss><channel>\n<title></titel></channel></rss>", "line 2"),
        (b"<rss><channel><title>&#xD800;</title></channel></rss>", "invalid character"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_export_is_told(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        describe(tmp_path, content)


def test_a_tag_without_an_end_does_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "MAX_PART", 1 << 20)
    with pytest.raises(SourceError, match="a tag does not end"):
        describe(tmp_path, b"<rss><channel><item a='" + b"x" * (4 << 20) + b"'/></channel></rss>")


def test_a_part_that_would_fill_the_memory_is_left_out(
    bring: ImportCall, anyone: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning, "MAX_PART", 1 << 18)
    file = ExportFile()
    file.item(500, "Large", "x" * (1 << 19))
    file.item(501, "Small", "Text")
    report = bring(file)
    assert "all but 500" in report.to_text()
    assert [one["id"] for one in anyone.get("/cms/v2/posts").json] == [501]


def test_parts_that_say_nothing_are_passed_over(bring: ImportCall, anyone: Client) -> None:
    file = ExportFile()
    file.parts += ["<item/>", "<wp:category/>", "<wp:tag/>", "<wp:term/>", "<wp:author/>", "<item></item>"]
    file.item(501, "Small", "Text")
    bring(file)
    assert anyone.get("/cms/v2/posts/501").status == 200


@pytest.mark.parametrize("url", ["http://[bad/x.png", "file:///etc/passwd", "http://127.0.0.1/x.png", "x" * 5000, ""])
def test_a_file_from_where_none_may_come_is_told(site: Stand, anyone: Client, tmp_path: Path, url: str) -> None:
    file = ExportFile()
    file.item(500, "Picture", "", post_type="attachment", status="inherit", attachment_url=url)
    file.item(501, "Small", "Text")
    report = import_records(site.site, ExportFileSource(file.write(tmp_path)), ImportOptions(files=True))
    assert [(where, id) for where, id, _ in report.refusals] == [("/cms/v2/media", 500)]
    assert anyone.get("/cms/v2/posts/501").status == 200


def test_bytes_that_are_no_text_end_nothing(site: Stand, anyone: Client, tmp_path: Path) -> None:
    file = ExportFile()
    file.item(500, "Broken BAD title", "A text with BAD\uffff in it, and an é.")
    file.item(501, "Small", "Text")
    path = file.write(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"BAD", b"\x02\xc3\xff"))
    report = import_records(site.site, ExportFileSource(path), ImportOptions(files=False))
    assert "9 bytes that are no text" in report.to_text()
    post = anyone.get("/cms/v2/posts/500").json
    assert post["title"]["rendered"] == "Broken ??? title"
    assert "A text with ?????? in it, and an é." in post["content"]["rendered"]
    assert anyone.get("/cms/v2/posts/501").status == 200


@given(pieces=st.lists(st.binary(max_size=12) | st.text(max_size=6).map(str.encode), max_size=8))
def test_bytes_are_replaced_alike_in_whatever_pieces_they_come(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    replacer = XmlByteReplacer("utf-8")
    found = b"".join([*map(replacer.replace, pieces), replacer.replace(b"", last=True)])
    assert found == replace_bad_bytes(whole, "utf-8")
    assert len(found) == len(whole)
    assert replacer.replaced == sum(a != b for a, b in zip(found, whole, strict=True))
    # What is markup among them is not looked at here: `]]>` is none that a text may have, either.
    expat.ParserCreate().Parse(b"<a>" + found.translate(None, b"<&>") + b"</a>", True)
