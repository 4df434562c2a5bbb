"""A site as an export file: well-formed, the same bytes each time, and readable again by our own import."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import example, given, strategies as st

from conftest import Stand
from served import founded
from vetrina.cli import main
from vetrina.cli.site_connection import LocalConnection
from vetrina.transfer.compare.comparison import RecordDifference, SourceComparison
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.sources.address.site_source import SiteSource
from vetrina.transfer.sources.wxr.php_values import read_php_value, write_php_value
from vetrina.transfer.sources.wxr.source import ExportFileSource
from vetrina.transfer.wxr_export.export import WxrTotals, export_to_wxr
from vetrina.transfer.wxr_export.xml_text import clean_text, write_cdata

pytestmark = pytest.mark.in_process("the site is read without HTTP")

WP = "{http://wordpress.org/export/1.2/}"
# What an export file has no place for.
_LEFT_OUT = ("/cms/v2/font-families", "/cms/v2/sidebars", "/cms/v2/widgets", "/cms/v2/redirects", "/cms/v2/settings")


def write(site: Stand, path: Path) -> WxrTotals:
    return export_to_wxr(SiteSource(LocalConnection(site.site)), path)


def move(old: Stand, new: Stand, path: Path) -> list[RecordDifference]:
    """Move a site by an export file, and return what is different then."""
    write(old, path)
    uploads = old.site.folder / "media" / "uploads"
    report = import_records(new.site, ExportFileSource(path, uploads), ImportOptions(files=True))
    assert not report.refusals
    found = SourceComparison(*(SiteSource(LocalConnection(one.site)) for one in (old, new))).run()
    return [one for one in found if not one.resource.startswith(_LEFT_OUT)]


def test_a_site_that_moved_by_a_file_agrees_with_the_old_one(old: Stand, new: Stand, tmp_path: Path) -> None:
    admin = old.client("admin")
    found = admin.get("/cms/v2/posts").json[0]
    admin.post("/cms/v2/comments", {"post": found["id"], "content": "So was I", "parent": 1})
    admin.put(f"/cms/v2/posts/{found['id']}", {"format": "aside", "meta": {"footnotes": "]]> and a\r\nline"}})
    admin.post("/cms/v2/posts", {"title": "Locked", "password": "sesame", "status": "publish"})
    differing = move(old, new, tmp_path / "export.xml")
    # A file says no roles, no profiles, and no day on which somebody came.
    assert {one.resource for one in differing} <= {"/cms/v2/users"}
    members = {member.member.partition("[")[0] for one in differing for member in one.members}
    assert members <= {"roles", "registered_date", "description", "url", "locale", "nickname", "slug"}


def test_terms_of_two_languages_may_have_one_slug(old: Stand, new: Stand, tmp_path: Path) -> None:
    admin, italian = old.client("admin"), old.client("admin", "/it/cms-json")
    above = italian.post("/cms/v2/categories", {"name": "Places", "slug": "places"}).json["id"]
    below = italian.post("/cms/v2/categories", {"name": "Porti", "parent": above}).json["id"]
    italian.post("/cms/v2/posts", {"title": "Luoghi", "status": "publish", "categories": [below, above]})
    assert admin.get("/cms/v2/categories?slug=places&lang=all").json
    assert [one.resource for one in move(old, new, tmp_path / "export.xml") if one.resource != "/cms/v2/users"] == []
    places = new.client("admin", "/it/cms-json").get("/cms/v2/categories?slug=places").json
    assert [one["id"] for one in places] == [above]


def test_the_same_site_gives_the_same_bytes(old: Stand, tmp_path: Path) -> None:
    first = write(old, tmp_path / "one.xml")
    assert write(old, tmp_path / "two.xml") == first
    assert (tmp_path / "one.xml").read_bytes() == (tmp_path / "two.xml").read_bytes()
    assert first.items["post"] == 2
    assert [*tmp_path.glob(".*.part")] == []


def test_the_file_has_what_its_readers_look_for(old: Stand, tmp_path: Path) -> None:
    write(old, tmp_path / "export.xml")
    channel = ElementTree.parse(tmp_path / "export.xml").getroot().find("channel")
    assert channel is not None
    assert channel.findtext(f"{WP}wxr_version") == "1.2"
    assert channel.findtext(f"{WP}base_site_url") == channel.findtext("link") == "https://old.example"
    assert {"admin"} <= {one.findtext(f"{WP}author_login") for one in channel.iter(f"{WP}author")}
    assert [
        one.findtext(f"{WP}category_parent") for one in channel.iter(f"{WP}category")
        if one.findtext(f"{WP}category_nicename") == "harbours"
    ] == ["places"]  # fmt: skip
    items = {one.findtext(f"{WP}post_name"): one for one in channel.iter("item")}
    post = items["the-harbour"]
    # Its file in the first of both languages, which share a slug.
    image = next(one for one in channel.iter("item") if one.findtext(f"{WP}post_name") == "harbour")
    assert post.findtext(f"{WP}is_sticky") == "1"
    assert post.findtext(f"{WP}post_date") == "2020-03-29 03:30:00"
    assert post.findtext(f"{WP}post_date_gmt") == "2020-03-29 01:30:00"
    assert post.findtext("pubDate") == "Sun, 29 Mar 2020 01:30:00 +0000"
    assert {(one.get("domain"), one.get("nicename")) for one in post.findall("category")} == {("category", "harbours")}
    assert read_meta(post)["_thumbnail_id"] == image.findtext(f"{WP}post_id")
    assert image.findtext(f"{WP}attachment_url", "").endswith("/harbour.jpg")
    details = read_php_value(read_meta(image)["_wp_attachment_metadata"])
    assert (details["width"], details["sizes"]["thumbnail"]["mime-type"]) == (400, "image/jpeg")
    assert "source_url" not in details["sizes"]["thumbnail"]
    assert [one.findtext(f"{WP}comment_content") for one in post.findall(f"{WP}comment")] == ["I was there"]
    [item] = [one for one in channel.iter("item") if one.findtext(f"{WP}post_type") == "nav_menu_item"]
    assert read_meta(item)["_menu_item_object"] == "page"
    assert read_meta(item)["_menu_item_object_id"] == items["above"].findtext(f"{WP}post_id")


def read_meta(item: ElementTree.Element) -> dict[str, str]:
    return {
        one.findtext(f"{WP}meta_key", ""): one.findtext(f"{WP}meta_value", "") for one in item.iter(f"{WP}postmeta")
    }


@given(st.text(st.characters(codec=None)))
@example("a]]>b]]]>>\r\n\x00\x0b\ud800")
def test_any_text_is_well_formed_and_comes_back(text: str) -> None:
    element = ElementTree.fromstring(write_cdata("title", text).encode())
    assert (element.text or "") == clean_text(text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**17), 10**17) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text("ab_é", min_size=1), inner, min_size=1, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(st.lists(VALUES, max_size=4) | st.dictionaries(st.text("ab", min_size=1), VALUES, min_size=1, max_size=4))
def test_lists_and_objects_are_read_as_they_were_written(value: object) -> None:
    assert read_php_value(write_php_value(value)) == value


def test_the_command_tells_what_it_wrote_and_what_it_left_out(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    site, path = founded(tmp_path / "site"), tmp_path / "export.xml"
    done = CliRunner().invoke(main, ["export", "--site", str(site), "--wxr", str(path)])
    assert done.exit_code == 0
    assert done.output.splitlines()[:2] == [f"'Vetrina' is in {path}:", "  1 author, 1 term, 0 comments"]
    assert "  /cms/v2/widgets" in done.output
    assert ElementTree.parse(path).getroot().tag == "rss"
    assert CliRunner().invoke(main, ["export", "--wxr", str(path), str(tmp_path / "out")]).exit_code == 2
    lost = CliRunner().invoke(main, ["export", "--site", str(site), "--wxr", str(tmp_path / "no" / "export.xml")])
    assert (lost.exit_code, "can't be written: No such file" in lost.output) == (1, True)
