"""The style sheet of the site over HTTP: its address, how long it is kept, when it changes, and the pages that link it.

Rules: docs/rules/global_styles.md, 8 to 11.
"""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from conftest import Client, Stand, exchange
from css_reader import read_sheet
from vetrina.design.themes import active_theme, model as themes

_LINK = re.compile(r'<link rel="stylesheet" href="(http://vetrina\.test)(/styles/[0-9a-f]{20}\.css)"')
_GRID = (
    '<!-- wp:group {"layout":{"type":"grid","columnCount":3}} --><div class="wp-block-group"></div><!-- /wp:group -->'
)


@pytest.fixture
def own(admin: Client) -> str:
    """The path of the owner's styles."""
    theme = admin.get("/cms/v2/themes", query={"status": "active"}).json[0]
    return "/cms/v2/global-styles/" + theme["_links"]["cms:user-global-styles"][0]["href"].rpartition("/")[2]


def linked(visitor: Any, page: str = "/en/") -> str:
    """The path of the sheet that a page links."""
    found = _LINK.search(visitor.get(page).text)
    assert found is not None
    return found[2]


def test_a_page_links_a_sheet_that_is_kept_for_ever(visitor):
    answer = visitor.get(linked(visitor))
    assert (answer.status, answer.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["vary"] == "Accept-Encoding"
    assert read_sheet(answer.text).find(":root")["--wp--preset--color--accent"] == "#8a3b2a"
    again = visitor.get(linked(visitor), **{"if-none-match": answer.headers["etag"]})
    assert (again.status, again.content) == (304, b"")
    assert visitor.ask("HEAD", linked(visitor)).content == b""


def test_the_policy_of_a_page_lets_its_sheets_in(visitor, write):
    answer = visitor.get("/en/")
    assert "style-src 'sha256-" in answer.headers["content-security-policy"]
    assert " 'self';" in answer.headers["content-security-policy"]


def test_a_changed_style_is_on_the_next_view_of_a_page(visitor, admin, own):
    before = linked(visitor)
    assert admin.post(own, {"styles": {"color": {"text": "#123456"}}}).status == 200
    after = linked(visitor)
    assert after != before
    assert read_sheet(visitor.get(after).text).find("body")["color"] == "#123456"


def test_an_address_of_before_gives_the_sheet_of_now_and_is_not_kept(visitor, admin, own):
    before = linked(visitor)
    assert admin.post(own, {"styles": {"color": {"text": "#123456"}}}).status == 200
    answer = visitor.get(before)
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
    assert answer.text == visitor.get(linked(visitor)).text
    assert visitor.get("/styles/theme.css").status == 404


def test_pages_that_others_make_have_an_address_that_stays(visitor, admin, own):
    answer = visitor.get("/styles/site.css")
    assert answer.text == visitor.get(linked(visitor)).text
    assert answer.headers["cache-control"] == "public, no-cache"
    asked = {"if-none-match": answer.headers["etag"]}
    assert visitor.get("/styles/site.css", **asked).status == 304
    assert admin.post(own, {"styles": {"color": {"text": "#123456"}}}).status == 200
    again = visitor.get("/styles/site.css", **asked)
    assert (again.status, read_sheet(again.text).find("body")["color"]) == (200, "#123456")


def test_a_style_variation_that_is_chosen_replaces_the_themes_colours(visitor, admin, own):
    variations = admin.get("/cms/v2/global-styles/themes/portico/variations").json
    night = next(one for one in variations if one["title"] == "Notte")
    assert admin.post(own, {"settings": night["settings"], "styles": night["styles"]}).status == 200
    made = read_sheet(visitor.get(linked(visitor)).text)
    assert made.find(":root")["--wp--preset--color--base"] == "#14181d"
    assert made.find("body")["color"] == "var(--wp--preset--color--contrast)"


def test_styles_in_the_names_of_clients_are_those_of_markup(visitor, admin, own):
    assert admin.post(own, {"styles": {"color": {"text": "var(--cms--preset--color--muted)"}}}).status == 200
    assert read_sheet(visitor.get(linked(visitor)).text).find("body")["color"] == "var(--wp--preset--color--muted)"


def test_what_is_stored_cannot_break_out_of_the_sheet(visitor, admin, own):
    css = "@import 'https://evil.test/a.css'; .a{background:url(https://evil.test/b.png);top:0} }"
    styles = {"css": css, "color": {"text": "red;} body{display:none"}}
    assert admin.post(own, {"styles": styles}).status == 200
    text = visitor.get(linked(visitor)).text
    assert "evil.test" not in text
    made = read_sheet(text)
    assert made.find(".a") == {"top": "0"}
    assert "display" not in made.find("body")
    assert made.find("body")["background-color"] == "var(--wp--preset--color--base)"


def test_a_font_of_the_library_is_in_the_sheet_once_it_is_activated(visitor, admin, own):
    family = '{"name":"Lato","slug":"lato","fontFamily":"Lato, sans-serif"}'
    made = admin.post("/cms/v2/font-families", {"font_family_settings": family})
    assert made.status == 201
    source = "http://vetrina.test/cms-content/uploads/fonts/lato.woff2"
    face = f'{{"fontFamily":"Lato","fontWeight":"400","src":"{source}"}}'
    path = f"/cms/v2/font-families/{made.json['id']}/font-faces"
    assert admin.post(path, {"font_face_settings": face}).status == 201
    assert "@font-face" not in visitor.get(linked(visitor)).text
    families = [{"name": "Lato", "slug": "lato", "fontFamily": "Lato, sans-serif"}]
    assert admin.post(own, {"settings": {"typography": {"fontFamilies": families}}}).status == 200
    before = linked(visitor)
    found = read_sheet(visitor.get(before).text)
    assert found.find("@font-face")["src"] == f'url("{source}") format("woff2")'
    assert found.find(":root")["--wp--preset--font-family--lato"] == "Lato, sans-serif"
    bold = f'{{"fontFamily":"Lato","fontWeight":"700","src":"{source}"}}'
    assert admin.post(path, {"font_face_settings": bold}).status == 201
    assert linked(visitor) != before


@pytest.fixture
def loggia(site: Stand) -> Path:
    """The folder of a second theme, which is active."""
    folder = site.site.folder / "themes" / "loggia"
    (folder / "assets").mkdir(parents=True)
    (folder / "style.css").write_text("/*\nTheme Name: Loggia\n*/")
    (folder / "assets" / "loggia.woff2").write_bytes(b"wOF2 and more")
    faces = [{"fontFamily": "Loggia", "src": ["file:./assets/loggia.woff2"]}]
    families = [{"slug": "loggia", "fontFamily": "Loggia", "fontFace": faces}]
    settings = {"typography": {"fontFamilies": families}}
    theme = {"version": 3, "settings": settings, "styles": {"color": {"text": "teal"}}}
    (folder / "theme.json").write_text(json.dumps(theme))
    active_theme.activate_theme(site.site, "loggia")
    with site.site.work() as work:
        work.note("option", "theme", "changed")
    return folder


def test_another_theme_is_another_sheet_with_its_own_fonts(visitor, site: Stand, loggia):
    made = read_sheet(visitor.get(linked(visitor)).text)
    assert made.find("body")["color"] == "teal"
    address = "http://vetrina.test/cms-content/themes/loggia/assets/loggia.woff2"
    assert made.find("@font-face")["src"] == f'url("{address}") format("woff2")'
    status, headers, content = exchange(site.site, "GET", urlsplit(address).path)
    assert (status, content) == (200, b"wOF2 and more")
    assert dict(headers)["content-type"] == "font/woff2"


def test_a_theme_may_have_styles_of_some_blocks_in_files_of_their_own(visitor, admin, loggia):
    (loggia / "styles").mkdir()
    dark = {
        "title": "Dark",
        "slug": "dark-part",
        "blockTypes": ["core/group", "core/columns"],
        "styles": {"shadow": "none"},
    }
    (loggia / "styles" / "dark.json").write_text(json.dumps(dark))
    (loggia / "styles" / "warm.json").write_text('{"title":"Warm"}')
    themes.load_theme.cache_clear()
    made = read_sheet(visitor.get(linked(visitor)).text)
    for block in ("group", "columns"):
        assert made.find(f":root :where(.wp-block-{block}.is-style-dark-part)") == {"box-shadow": "none"}
    variations = admin.get("/cms/v2/global-styles/themes/loggia/variations").json
    assert [one["title"] for one in variations] == ["Warm"]


@pytest.mark.parametrize(
    "path",
    [
        "loggia/theme.json", "loggia/style.css", "loggia/assets/", "loggia/assets/missing.woff2", "nowhere/a.woff2",
        "../media/a.woff2", "loggia/../../secret.woff2", "loggia/.hidden.woff2", "loggia", "",
    ],
)  # fmt: skip
def test_nothing_else_of_a_theme_is_sent(site: Stand, loggia, path):
    (loggia / ".hidden.woff2").write_bytes(b"x")
    (site.site.folder / "secret.woff2").write_bytes(b"x")
    assert exchange(site.site, "GET", f"/cms-content/themes/{path}")[0] == 404


def test_a_page_has_the_rules_of_its_blocks_and_its_policy_names_them(visitor, write):
    plain, grid = write(title="Plain"), write(title="Grid", content=_GRID * 2)
    assert "repeat(3," not in visitor.get(plain["link"]).text
    answer = visitor.get(grid["link"])
    styles = re.findall(r"<style>(.*?)</style>", answer.text)
    name = re.search(r"wp-container-core-group-is-layout-[0-9a-f]{8}", grid["content"]["rendered"])
    assert name is not None
    assert styles[0].count(f".{name[0]}{{grid-template-columns:repeat(3,minmax(0,1fr))}}") == 1
    digest = b64encode(sha256(styles[0].encode()).digest()).decode()
    assert f"'sha256-{digest}'" in answer.headers["content-security-policy"]
    assert answer.text.index('rel="stylesheet"') < answer.text.index(styles[0])


def test_rules_of_what_a_page_includes_are_there_too(visitor, write, admin):
    synced = admin.post("/cms/v2/blocks", {"title": "Shared", "content": _GRID, "status": "publish"}).json
    outer = write(title="Outer", content=f'<!-- wp:block {{"ref":{synced["id"]}}} /-->')
    assert "repeat(3,minmax(0,1fr))" in visitor.get(outer["link"]).text
    inner = write(title="Inner", content=_GRID)
    query = {"query": {"include": [inner["id"]], "perPage": 5, "postType": "post"}}
    body = "<!-- wp:post-template --><!-- wp:post-content /--><!-- /wp:post-template -->"
    listing = write(
        "pages", content=f"<!-- wp:query {str(query).replace(chr(39), chr(34))} -->{body}<!-- /wp:query -->"
    )
    assert "repeat(3,minmax(0,1fr))" in visitor.get(listing["link"]).text


def test_live_containers_have_their_layout_on_pages_only(visitor, write, admin):
    write("pages", title="Above")
    content = '<!-- wp:navigation {"layout":{"type":"flex","justifyContent":"right"}} /-->'
    one = write(content=content)
    assert "wp-container" not in one["content"]["rendered"]
    text = visitor.get(one["link"]).text
    name = re.search(r"wp-container-core-navigation-is-layout-[0-9a-f]{8}", text)
    assert name is not None
    assert text.count(f".{name[0]}{{justify-content:flex-end}}") == 1
    assert f"is-layout-flex {name[0]}" in text


def test_colours_of_links_in_a_block_are_rules_of_the_page(visitor, write):
    elements = {"link": {"color": {"text": "var:preset|color|accent"}, ":hover": {"color": {"text": "#111111"}}}}
    bad = {"heading": {"color": {"text": "red;} body{display:none", "background": "url(https://evil.test/x)"}}}
    attributes = json.dumps({"style": {"elements": {**elements, **bad}}})
    text = '<p class="has-link-color">a <a href="/">b</a></p><!-- /wp:paragraph -->'
    one = write(content=f"<!-- wp:paragraph {attributes} -->{text}")
    assert "wp-elements" not in one["content"]["rendered"]
    text = visitor.get(one["link"]).text
    name = re.search(r'<p class="has-link-color (wp-elements-[0-9a-f]{8})">', text)
    assert name is not None
    preludes = read_sheet(re.findall(r"<style>(.*?)</style>", text)[0]).preludes
    assert [one for one in preludes if "wp-elements" in one] == [
        f".{name[1]} a:where(:not(.wp-element-button))", f".{name[1]} a:where(:not(.wp-element-button)):hover",
    ]  # fmt: skip
    assert f".{name[1]} a:where(:not(.wp-element-button)){{color:var(--wp--preset--color--accent)}}" in text
    assert "evil.test" not in text


def test_a_duotone_of_a_picture_is_a_rule_of_the_page(visitor, write):
    image = '<figure class="wp-block-image"><img src="/x.png" alt=""/></figure><!-- /wp:image -->'
    one = write(content=f'<!-- wp:image {{"style":{{"color":{{"duotone":"var:preset|duotone|blue-red"}}}}}} -->{image}')
    text = visitor.get(one["link"]).text
    assert re.search(r"\.wp-duotone-[0-9a-f]{8} img\{filter:var\(--wp--preset--duotone--blue-red\)\}", text)
    assert re.search(r'<figure class="wp-block-image wp-duotone-[0-9a-f]{8}">', text)


def test_a_page_follows_the_change_of_its_blocks(visitor, write, admin):
    one = write(content=_GRID)
    assert "repeat(3," in visitor.get(one["link"]).text
    assert admin.post(f"/cms/v2/posts/{one['id']}", {"content": _GRID.replace("3}", "4}")}).status == 200
    text = visitor.get(one["link"]).text
    assert "repeat(4," in text
    assert "repeat(3," not in text


def test_a_gallery_has_its_own_gap(visitor, write):
    gallery = (
        '<!-- wp:gallery {"style":{"spacing":{"blockGap":{"top":"3rem","left":"var:preset|spacing|20"}}}} -->'
        '<figure class="wp-block-gallery has-nested-images columns-default is-cropped"></figure><!-- /wp:gallery -->'
    )
    text = visitor.get(write(content=gallery)["link"]).text
    [name] = set(re.findall(r"wp-gallery-[0-9a-f]{8}", text))
    rule = f".{name}{{--gallery-gap:3rem;--gallery-column-gap:var(--wp--preset--spacing--20)}}"
    assert rule in text
    assert re.search(rf'<figure class="[^"]*\b{name}\b', text)


def test_a_gap_that_is_none_makes_no_rule(visitor, write):
    gallery = (
        '<!-- wp:gallery {"style":{"spacing":{"blockGap":"1px;position:fixed"}}} -->'
        '<figure class="wp-block-gallery"></figure><!-- /wp:gallery -->'
    )
    assert "wp-gallery-" not in visitor.get(write(content=gallery)["link"]).text


def test_a_picture_has_a_duotone_of_its_own_colours(visitor, write):
    image = (
        '<!-- wp:image {"style":{"color":{"duotone":["#ff0000"]}}} --><figure class="wp-block-image">'
        '<img src="/a.png" alt=""/></figure><!-- /wp:image -->'
    )
    text = visitor.get(write(content=image)["link"]).text
    [name] = set(re.findall(r"wp-duotone-[0-9a-f]{8}", text))
    assert f'.{name} img{{filter:url("data:image/svg+xml,' in text
    assert "tableValues='1 1'" in unquote(text)


def test_colours_that_cannot_be_read_make_no_filter(visitor, write):
    image = '<!-- wp:image {"style":{"color":{"duotone":["red","}x{"]}}} --><figure></figure><!-- /wp:image -->'
    assert "wp-duotone-" not in visitor.get(write(content=image)["link"]).text


def test_the_sheet_is_sent_compressed_to_who_takes_that(visitor):
    plain = visitor.get("/styles/site.css")
    small = visitor.get("/styles/site.css", **{"accept-encoding": "br, gzip;q=0.5"})
    assert small.headers["content-encoding"] == "gzip"
    assert gzip.decompress(small.content) == plain.content
    assert len(small.content) < len(plain.content) / 3
    assert plain.headers["vary"] == small.headers["vary"] == "Accept-Encoding"
    assert plain.headers["etag"] != small.headers["etag"]
    for asked in ("identity", "gzip;q=0", "*"):
        assert "content-encoding" not in visitor.get("/styles/site.css", **{"accept-encoding": asked}).headers
    kept = {"if-none-match": small.headers["etag"]}
    assert visitor.get("/styles/site.css", **kept).status == 200
    assert visitor.get("/styles/site.css", **kept, **{"accept-encoding": "gzip"}).status == 304
