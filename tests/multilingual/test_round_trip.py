"""The whole way over HTTP: an item is sent, its file filled, its translation written; again for a changed source."""

from __future__ import annotations

import os
from pathlib import Path

import orjson
import pytest
from lxml import etree
from translate.storage import xliff as toolkit

from .conftest import XLIFF, Desk, filled, number

CONTENT = """<!-- wp:paragraph -->
<p>Siamo <strong>qui</strong>, vedi <a href="http://vetrina.test/it/orari/">gli orari</a>.</p>
<!-- /wp:paragraph -->

<!-- wp:gallery {"linkTo":"none"} -->
<figure class="wp-block-gallery"><!-- wp:image {"id":5} -->
<figure class="wp-block-image"><img src="a.jpg" alt="Un &quot;ponte&quot;" class="wp-image-5"/><figcaption>Il ponte<br>vecchio</figcaption></figure>
<!-- /wp:image --></figure>
<!-- /wp:gallery -->

<!-- wp:search {"label":"Cerca \\u0026 trova","buttonText":"Vai"} /-->"""  # noqa: E501


def a_post(desk: Desk) -> tuple[int, int]:
    """Create an Italian post with everything translatable; return its id and that of its category."""
    category = desk.it.post("/cms/v2/categories", {"name": "Notizie & altro"}).json["id"]
    answer = desk.it.post("/cms/v2/posts", {
        "title": "Chi siamo", "content": CONTENT, "excerpt": "In breve", "status": "publish", "categories": [category],
        "meta": {"footnotes": orjson.dumps([{"id": "n1", "content": "Una nota"}]).decode()},
    })  # fmt: skip
    assert answer.status == 201
    return answer.json["id"], category


def test_a_post_is_translated_and_found_in_its_language_alone(desk: Desk) -> None:
    post, category = a_post(desk)
    job = desk.send("post_post", post)
    assert (job["status"], job["element"]["status"], job["view_url"]) == (1, "draft", "")
    assert desk.en.get("/cms/v2/posts").json == []
    desk.translate(job)

    [made] = desk.en.get("/cms/v2/posts", query={"context": "edit"}).json
    assert made["title"]["raw"] == "EN Chi siamo"
    assert made["status"] == "publish"
    assert made["excerpt"]["raw"] == "EN In breve"
    assert orjson.loads(made["meta"]["footnotes"]) == [{"id": "n1", "content": "EN Una nota"}]
    assert made["translations"]["it"]["id"] == post
    assert [one["id"] for one in desk.it.get("/cms/v2/posts").json] == [post]
    assert made["link"].startswith("http://vetrina.test/en/")

    [english] = [one for one in desk.en.get("/cms/v2/categories").json if one["id"] in made["categories"]]
    assert english["name"] == "EN Notizie &amp; altro"
    assert english["translations"]["it"]["id"] == category

    row = desk.row(job)
    assert (row["status"], row["needs_update"], row["element"]["status"]) == (10, False, "publish")
    assert row["view_url"] == made["link"]


def test_blocks_stay_blocks_and_only_their_texts_change(desk: Desk) -> None:
    post, _ = a_post(desk)
    desk.translate(desk.send("post_post", post))
    [made] = desk.en.get("/cms/v2/posts", query={"context": "edit"}).json
    expected = (
        CONTENT.replace("<p>Siamo", "<p>EN Siamo")
        .replace("Un &quot;ponte&quot;", "EN Un &quot;ponte&quot;")
        .replace("Il ponte<br>", "EN Il ponte<br>")
        .replace('"Cerca', '"EN Cerca')
        .replace('"Vai"', '"EN Vai"')
    )
    assert made["content"]["raw"] == expected


def test_a_translation_that_equals_its_source_has_the_very_same_content(desk: Desk) -> None:
    post, _ = a_post(desk)
    desk.translate(desk.send("post_post", post), lambda text: text)
    [made] = desk.en.get("/cms/v2/posts", query={"context": "edit"}).json
    assert made["content"]["raw"] == CONTENT


def test_links_to_the_site_lead_to_the_translation(desk: Desk) -> None:
    hours = desk.it.post("/cms/v2/pages", {"title": "Orari", "status": "publish"}).json["id"]
    desk.translate(desk.send("post_page", hours), lambda text: "Hours")
    post, _ = a_post(desk)
    desk.translate(desk.send("post_post", post))
    [made] = desk.en.get("/cms/v2/posts", query={"context": "edit"}).json
    assert '<a href="http://vetrina.test/en/hours/">' in made["content"]["raw"]


def test_a_changed_source_asks_for_a_second_round_which_lends_what_still_holds(desk: Desk) -> None:
    post, _ = a_post(desk)
    first = desk.send("post_post", post)
    desk.translate(first)
    made = desk.row(first)["view_url"]
    desk.it.post(f"/cms/v2/posts/{post}", {"title": "Chi siamo davvero"})
    assert desk.row(first)["needs_update"] is True
    flagged = desk.it.get("/mlang/tm/v1/jobs", query={"needs_update": "include"}).json
    assert [one["id"] for one in flagged["jobs"]] == [first["id"]]

    second = desk.send("post_post", post)
    assert second["id"] == first["id"]
    assert number(second) > number(first)
    assert (second["status"], second["needs_update"]) == (1, False)
    lent = desk.file(second, "?memory=true")
    states = {
        unit.get("id"): unit.find(f"{XLIFF}target")
        for unit in etree.fromstring(lent.encode()).iter(f"{XLIFF}trans-unit")
    }
    assert states["title"].get("state-qualifier") == "leveraged-tm"
    assert states["excerpt"].get("state-qualifier") == "tm-suggestion"
    assert states["excerpt"].text == "EN In breve"
    # The old file belongs to a job that was replaced.
    assert desk.deliver(first, filled(desk.file(first), str)).code == "mlang_job_outdated"

    desk.translate(second, lambda text: f"New {text}")
    row = desk.row(second)
    assert (row["status"], row["needs_update"], row["view_url"]) == (10, False, made)
    [page] = desk.en.get("/cms/v2/posts").json
    assert page["title"]["rendered"] == "New Chi siamo davvero"


def test_a_source_that_changes_while_it_is_translated_is_flagged_at_the_end(desk: Desk) -> None:
    post, _ = a_post(desk)
    job = desk.send("post_post", post)
    file = desk.file(job)
    desk.it.post(f"/cms/v2/posts/{post}", {"title": "Intanto cambiato"})
    assert desk.row(job)["needs_update"] is False
    assert desk.deliver(job, filled(file, lambda text: f"EN {text}")).status == 200
    assert desk.row(job)["needs_update"] is True


def test_a_change_of_what_nobody_translates_flags_nothing(desk: Desk) -> None:
    post, _ = a_post(desk)
    job = desk.send("post_post", post)
    desk.translate(job)
    desk.it.post(f"/cms/v2/posts/{post}", {"comment_status": "closed", "sticky": True})
    assert desk.row(job)["needs_update"] is False


def test_whole_content_travels_as_one_text(desk: Desk) -> None:
    page = desk.it.post("/cms/v2/pages", {"title": "Nota", "content": "<p>Siamo qui</p>", "status": "draft"}).json["id"]
    job = desk.send("post_page", page)
    assert "<source><![CDATA[<p>Siamo qui</p>]]></source>" in desk.file(job)
    desk.translate(job, lambda text: text.replace("Siamo qui", "We are here"))
    [made] = desk.en.get("/cms/v2/pages", query={"context": "edit", "status": "draft"}).json
    assert made["content"]["raw"] == "<p>We are here</p>"


def test_a_custom_field_goes_as_the_configuration_says(desk: Desk) -> None:
    desk.it.post("/mlang/v1/custom-xml-config", {"content": (
        '<mlang-config><custom-fields><custom-field action="translate">sottotitolo</custom-field>'
        '<custom-field action="copy">prezzo</custom-field><custom-field action="copy-once">nota</custom-field>'
        "</custom-fields></mlang-config>"
    )})  # fmt: skip
    post = desk.it.post("/cms/v2/posts", {
        "title": "Sedia", "status": "publish", "meta": {"sottotitolo": "Comoda", "prezzo": "10", "nota": "prima"},
    }).json  # fmt: skip
    assert post["meta"]["sottotitolo"] == "Comoda"
    desk.translate(desk.send("post_post", post["id"]))
    [made] = desk.en.get("/cms/v2/posts").json
    fields = {name: made["meta"].get(name) for name in ("sottotitolo", "prezzo", "nota")}
    assert fields == {"sottotitolo": "EN Comoda", "prezzo": "10", "nota": "prima"}
    desk.it.post(f"/cms/v2/posts/{post['id']}", {"meta": {"prezzo": "12", "nota": "dopo"}})
    [made] = desk.en.get("/cms/v2/posts").json
    assert (made["meta"]["prezzo"], made["meta"]["nota"]) == ("12", "prima")


def test_a_term_is_translated_by_itself(desk: Desk) -> None:
    above = desk.it.post("/cms/v2/categories", {"name": "Luoghi"}).json["id"]
    term = desk.it.post("/cms/v2/categories", {"name": "Ponti", "description": "Sul fiume", "parent": above}).json["id"]
    parent_job, job = desk.send("tax_category", above), desk.send("tax_category", term)
    assert (job["type"], job["element"]["type"]["value"]) == ("tax", "tax_category")
    desk.translate(parent_job, lambda text: "Places")
    desk.translate(job)
    [made] = desk.en.get("/cms/v2/categories", query={"search": "Ponti"}).json
    assert (made["name"], made["description"]) == ("EN Ponti", "EN Sul fiume")
    assert made["translations"]["it"]["id"] == term
    [place] = desk.en.get("/cms/v2/categories", query={"search": "Places"}).json
    assert made["parent"] == place["id"]
    desk.it.post(f"/cms/v2/categories/{term}", {"name": "Ponti vecchi"})
    assert desk.row(job)["needs_update"] is True


def test_an_item_of_a_menu_goes_into_the_menu_of_its_language(desk: Desk) -> None:
    page = desk.it.post("/cms/v2/pages", {"title": "Orari", "status": "publish"}).json["id"]
    desk.translate(desk.send("post_page", page), lambda text: "Hours")
    menu = desk.it.post("/cms/v2/menus", {"name": "Principale"}).json["id"]
    item = desk.it.post("/cms/v2/menu-items", {
        "title": "Gli orari", "type": "post_type", "object": "page", "object_id": page, "menus": menu,
        "status": "publish",
    }).json["id"]  # fmt: skip
    desk.translate(desk.send("post_nav_menu_item", item), lambda text: "The hours")
    [made] = desk.en.get("/cms/v2/menu-items").json
    assert made["title"]["rendered"] == "The hours"
    english = desk.en.get(f"/cms/v2/pages/{made['object_id']}").json
    assert english["lang"] == "en"
    assert english["title"]["rendered"] == "Hours"
    [own] = desk.en.get("/cms/v2/menus").json
    assert made["menus"] == own["id"]
    assert own["translations"]["it"]["id"] == menu


def test_strings_travel_in_one_job(desk: Desk) -> None:
    known = desk.it.get("/mlang/st/v1/strings").json
    strings = known["strings"] if isinstance(known, dict) else known
    numbers = [one["id"] for one in strings if one["language"] == "en"][:2]
    assert numbers
    answer = desk.it.post("/mlang/tm/v1/jobs", {
        "items": [{"type": "string", "id": id} for id in numbers], "target_languages": ["it"],
    })  # fmt: skip
    assert answer.status == 201, answer.json
    [job] = answer.json["jobs"]
    assert job["type"] == "st-batch_strings"
    desk.translate(job, lambda text: f"IT {text}")
    assert desk.row(job)["status"] == 10
    shown = desk.it.get(f"/mlang/st/v1/strings/{numbers[0]}").json
    assert "IT " in orjson.dumps(shown).decode()


def test_a_file_fits_the_strict_schema(desk: Desk) -> None:
    folder = Path(os.environ.get("VETRINA_CONTRACT", "")) / "schemas"
    if not (folder / "xliff-core-1.2-strict.xsd").is_file():
        pytest.skip("no schema: VETRINA_CONTRACT names no folder with one")
    post, _ = a_post(desk)
    job = desk.send("post_post", post, note="Tono formale")
    schema = etree.XMLSchema(etree.parse(folder / "xliff-core-1.2-strict.xsd"))
    for query in ("", "?segments=true"):
        root = etree.fromstring(desk.file(job, query).encode())
        for element in root.iter():
            for name in [name for name in element.attrib if "custom-attributes" in str(name)]:
                del element.attrib[name]
        schema.assertValid(root)


def test_a_file_opens_in_translators_tools_without_loss(desk: Desk) -> None:
    post, _ = a_post(desk)
    job = desk.send("post_post", post)
    opened = toolkit.xlifffile.parsestring(desk.file(job).encode())
    sources = [unit.source for unit in opened.units]
    assert 'Siamo <strong>qui</strong>, vedi <a href="http://vetrina.test/it/orari/">gli orari</a>.' in sources
    for unit in opened.units:
        unit.target = f"TK {unit.source}"
    assert desk.deliver(job, bytes(opened)).status == 200
    [made] = desk.en.get("/cms/v2/posts", query={"context": "edit"}).json
    assert made["title"]["raw"] == "TK Chi siamo"
    assert "<p>TK Siamo <strong>qui</strong>, vedi" in made["content"]["raw"]


def test_sentences_may_come_back_one_by_one(desk: Desk) -> None:
    content = "<!-- wp:paragraph --><p>Prima frase. Seconda <b>frase</b>.</p><!-- /wp:paragraph -->"
    page = desk.it.post("/cms/v2/pages", {"title": "Uno", "content": content, "status": "publish"}).json["id"]
    job = desk.send("post_page", page)
    root = etree.fromstring(desk.file(job, "?segments=true").encode())
    for unit in root.iter(f"{XLIFF}trans-unit"):
        target, source = unit.find(f"{XLIFF}target"), unit.find(f"{XLIFF}seg-source")
        assert target is not None
        assert source is not None
        target.text = None
        for part in source:
            target.append(part)
            part.text = f"EN {part.text}"
    assert desk.deliver(job, etree.tostring(root, encoding="utf-8")).status == 200
    [made] = desk.en.get("/cms/v2/pages", query={"context": "edit"}).json
    assert "<p>EN Prima frase. EN Seconda <b>frase</b>.</p>" in made["content"]["raw"]
