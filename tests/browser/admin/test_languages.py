"""Translating in the administration: side by side, jobs, strings. Rules: docs/rules/translation_routes.md, 2 and 11."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.interface import call
from browser.admin.quiet import wait_until_quiet
from browser.admin.test_typed_meanwhile import save_while

PARAGRAPHS = (
    "<!-- wp:paragraph -->\n<p>We carry <strong>stones</strong>.</p>\n<!-- /wp:paragraph -->\n\n"
    '<!-- wp:image -->\n<figure class="wp-block-image"><img src="/wall.png" alt="A wall"/></figure>\n<!-- /wp:image -->'
)
TRANSLATED = PARAGRAPHS.replace("We carry <strong>stones</strong>.", "Portiamo <strong>pietre</strong>.").replace(
    'alt="A wall"', 'alt="Un muro"'
)


def _write(admin: Any, collection: str = "pages", **members: Any) -> int:
    made = call(admin, "POST", f"/wp/v2/{collection}", {"status": "publish", "content": PARAGRAPHS, **members})
    return int(made["id"])


def _open(page: Any, path: str) -> None:
    root = re.match(r"\w+://[^/]+", page.url)
    assert root
    page.goto(f"{root[0]}/admin{path}")


def _fill(page: Any, place: int, text: str) -> None:
    page.locator("[data-translation-field]").nth(place).fill(text)


def test_a_record_is_translated_text_by_text_and_published_beside_its_original(admin: Any) -> None:
    category = call(admin, "POST", "/wp/v2/categories", {"name": "Masonry"})["id"]
    post = _write(admin, "posts", title="Stones", categories=[category])
    _open(admin, f"/translate/post/{post}?from=en&to=it")
    admin.get_by_text("0 of 5 translated").wait_for()
    _fill(admin, 0, "Pietre")
    # From field to field by the keyboard alone; the slug is left to the server.
    admin.keyboard.press("Control+Enter")
    admin.keyboard.press("Control+Enter")
    expect(admin.locator(":focus")).to_have_attribute("aria-label", "Paragraph")
    admin.get_by_role("button", name="Start from the original: Paragraph").click()
    admin.get_by_text("same as the original").wait_for()
    # The text is written over, its bold word stays bold.
    field = admin.locator("[data-unit=text-0] [contenteditable]")
    field.locator("strong").dblclick()
    admin.keyboard.type("pietre")
    field.evaluate("field => getSelection().setBaseAndExtent(field.firstChild, 0, field.firstChild, 8)")
    admin.keyboard.type("Portiamo")
    # A reload loses nothing.
    admin.reload()
    admin.get_by_text("2 of 5 translated").wait_for()
    _fill(admin, 3, "Un muro")
    _fill(admin, 4, "Muratura")
    admin.get_by_role("button", name="Publish").click()
    admin.get_by_text("The translation is published.").wait_for()

    original = call(admin, "GET", f"/wp/v2/posts/{post}")
    translation = call(admin, "GET", f"/wp/v2/posts/{original['translations']['it']['id']}?context=edit")
    assert (translation["status"], translation["lang"]) == ("publish", "it")
    assert translation["title"]["raw"] == "Pietre"
    assert translation["content"]["raw"] == TRANSLATED
    [own] = translation["categories"]
    assert call(admin, "GET", f"/wp/v2/categories/{own}")["translations"]["en"]["id"] == category
    assert admin.refused == []


def test_a_changed_original_is_told_and_its_new_paragraph_is_not_translated(admin: Any) -> None:
    post = _write(admin, title="Walls")
    made = call(
        admin, "POST", "/wp/v2/pages",
        {"title": "Muri", "content": TRANSLATED, "status": "publish", "lang": "it", "translations": {"en": post}},
    )  # fmt: skip
    added = "<!-- wp:paragraph -->\n<p>Every Saturday.</p>\n<!-- /wp:paragraph -->\n\n" + PARAGRAPHS
    call(admin, "POST", f"/wp/v2/pages/{post}", {"content": added})
    _open(admin, f"/translate/page/{post}?from=en&to=it")
    admin.get_by_text("The original").first.wait_for()
    states = admin.locator("[data-unit^=text-] .unit-label > span")
    expect(states).to_have_text(["not translated", "translated", "translated"])
    _fill(admin, 2, "Ogni sabato.")
    admin.get_by_role("button", name="Save").click()
    admin.get_by_text("The translation is saved.").wait_for()
    content = call(admin, "GET", f"/wp/v2/pages/{made['id']}?context=edit")["content"]["raw"]
    assert content == added.replace("Every Saturday.", "Ogni sabato.").replace(PARAGRAPHS, TRANSLATED)


def test_what_is_typed_while_a_translation_is_saved_stays(admin: Any) -> None:
    post = _write(admin, title="Gates")
    _open(admin, f"/translate/page/{post}?from=en&to=it")
    title, text = (admin.locator(f"[data-unit={one}] [data-translation-field]") for one in ("title", "text-0"))
    title.fill("Cancelli")
    save = admin.get_by_role("button", name="Save as draft", exact=True)
    save_while(admin, "/wp/v2/pages", save.click, lambda: text.fill("Portiamo pietre."))
    admin.get_by_text("The translation is saved.").wait_for()
    expect(text).to_have_text("Portiamo pietre.")
    with admin.expect_response(lambda answer: answer.request.method == "POST" and "/wp/v2/pages/" in answer.url):
        save.click()
    translation = call(admin, "GET", f"/wp/v2/pages/{post}")["translations"]["it"]["id"]
    made = call(admin, "GET", f"/wp/v2/pages/{translation}?context=edit")
    assert (made["title"]["raw"], "Portiamo pietre." in made["content"]["raw"]) == ("Cancelli", True)


def test_a_translation_that_is_built_like_its_original_keeps_its_own_links(admin: Any) -> None:
    link = '<!-- wp:paragraph -->\n<p>See <a href="/en/map/">the map</a>.</p>\n<!-- /wp:paragraph -->'
    own = link.replace("See", "Vedi").replace("/en/map/", "/it/carta/").replace("the map", "la mappa")
    page = _write(admin, title="Maps", content=link)
    members = {"title": "Carte", "content": own, "lang": "it", "status": "publish", "translations": {"en": page}}
    made = call(admin, "POST", "/wp/v2/pages", members)
    _open(admin, f"/translate/page/{page}?to=it")
    field = admin.locator("[data-unit=text-0] [contenteditable]")
    field.locator("a").dblclick()
    admin.keyboard.press("End")
    admin.keyboard.type(" Presto.")
    admin.get_by_role("button", name="Save").click()
    admin.get_by_text("The translation is saved.").wait_for()
    content = call(admin, "GET", f"/wp/v2/pages/{made['id']}?context=edit")["content"]["raw"]
    assert content == own.replace("</a>.", "</a>. Presto.")


def test_a_translator_sees_and_does_only_what_is_theirs(admin: Any, sign_in: Callable[..., Any]) -> None:
    mine, other = _write(admin, title="For Ada"), _write(admin, title="For somebody else")
    account = {"username": "ada", "email": "ada@example.org", "password": "a-long-password", "roles": ["subscriber"]}
    call(admin, "POST", "/wp/v2/users", account)
    for post, to in ((mine, "ada"), (other, "admin")):
        job = {"items": [{"type": "post_page", "id": post}], "target_languages": ["it"], "sent_to": to}
        call(admin, "POST", "/wpml/tm/v1/jobs", job)

    page = sign_in("ada", "a-long-password")
    page.get_by_role("link", name="For Ada").wait_for()  # on the dashboard
    page.get_by_role("link", name="Translations", exact=True).click()
    page.get_by_role("link", name="For Ada").wait_for()
    expect(page.get_by_text("For somebody else")).to_have_count(0)
    expect(page.get_by_role("link", name="Pages")).to_have_count(0)
    page.get_by_role("link", name="For Ada").click()
    page.get_by_text("0 of 3 translated").wait_for()
    assert page.refused == []
    for place, text in enumerate(("Per Ada", "Portiamo pietre.", "Un muro")):
        _fill(page, place, text)
    page.get_by_role("button", name="Deliver").click()
    page.get_by_text("The job is delivered.").wait_for()
    translation = call(admin, "GET", f"/wp/v2/pages/{mine}")["translations"]["it"]["id"]
    assert call(admin, "GET", f"/wp/v2/pages/{translation}")["title"]["rendered"] == "Per Ada"


def test_records_are_sent_to_translation_from_their_list(admin: Any) -> None:
    _write(admin, title="To be sent")
    account = {"username": "bruno", "email": "bruno@example.org", "password": "a-long-password"}
    bruno = str(call(admin, "POST", "/wp/v2/users", account)["id"])
    _open(admin, "/content/page")
    admin.get_by_role("row", name=re.compile("To be sent")).get_by_role("checkbox").check()
    admin.get_by_role("button", name="Send to translation").first.click()
    admin.get_by_label("Deadline").fill("2031-01-31")
    admin.get_by_label("Name of the batch").fill("January")
    # Somebody new becomes a translator by the first job, and is offered from then on.
    recipients = admin.get_by_label("Who translates")
    expect(recipients.locator(f"option[value='{bruno}']")).to_have_count(0)
    recipients.select_option(label="Somebody else …")
    admin.get_by_role("combobox", name="Person").fill("bru")
    admin.get_by_role("option", name="bruno").click()
    admin.get_by_role("button", name="Send", exact=True).click()
    admin.get_by_text("1 translation job is made.").wait_for()
    admin.get_by_role("row", name=re.compile("To be sent")).get_by_role("checkbox").check()
    admin.get_by_role("button", name="Send to translation").first.click()
    expect(recipients.locator(f"option[value='{bruno}']")).to_have_text("bruno")
    [job] = call(admin, "GET", "/wpml/tm/v1/jobs?title=To be sent")["jobs"]
    assert (job["language_codes"], job["deadline"], job["batch"]["name"]) == (
        {"source": "en", "target": "it"}, "2031-01-31", "January",
    )  # fmt: skip
    assert str(job["translator_id"]) == bruno


def test_a_file_goes_out_and_comes_back_with_a_report(admin: Any, tmp_path: Any) -> None:
    post = _write(admin, title="By file")
    job = {"items": [{"type": "post_page", "id": post}], "target_languages": ["it"]}
    call(admin, "POST", "/wpml/tm/v1/jobs", job)
    _open(admin, "/languages")
    with admin.expect_download() as started:
        row = admin.get_by_role("row", name=re.compile("By file"))
        row.get_by_role("button", name="Actions").click()
        admin.get_by_role("menuitem", name="Download as XLIFF").click()
    file = tmp_path / started.value.suggested_filename
    started.value.save_as(file)
    text = file.read_text()
    filled = re.sub(r"<target><!\[CDATA\[\]\]></target>", "<target>Tradotto</target>", text)
    file.write_text(filled)
    foreign = tmp_path / "foreign.xliff"
    foreign.write_text("<xliff/>")
    admin.get_by_role("button", name="Read files in").click()
    admin.locator("input[type=file]").set_input_files([str(file), str(foreign)])
    admin.get_by_role("button", name="Read in").click()
    admin.get_by_text("It names no job of this site.").wait_for()
    expect(admin.locator(".import-applied")).to_have_text([f"Applied {file.name}: The translation is made."])
    assert "it" in call(admin, "GET", f"/wp/v2/pages/{post}")["translations"]


def test_what_a_job_translates_is_named_in_the_language_of_the_person(admin: Any, sign_in: Callable[..., Any]) -> None:
    job = {"items": [{"type": "post_page", "id": _write(admin, title="Of a kind")}], "target_languages": ["it"]}
    call(admin, "POST", "/wpml/tm/v1/jobs", job)
    page = sign_in(locale="it-IT")
    _open(page, "/languages")
    row = page.get_by_role("row", name=re.compile("Of a kind"))
    expect(row.get_by_text("Pagina", exact=True)).to_be_visible()
    expect(row.get_by_text("Page", exact=True)).to_have_count(0)


def test_a_term_of_the_glossary_is_offered_beside_its_text_and_put_in(admin: Any) -> None:
    _open(admin, "/records/glossary/new")
    admin.get_by_role("textbox", name="Term").fill("chestnut flour")
    admin.get_by_label("Translated into").select_option("it")
    admin.get_by_role("textbox", name="Translation").fill("farina di castagne")
    admin.get_by_role("button", name="Save").click()
    admin.get_by_text("Saved.").wait_for()
    _open(admin, "/records/glossary")
    admin.get_by_role("link", name="chestnut flour").wait_for()
    page = _write(admin, title="About Chestnut Flour")
    _open(admin, f"/translate/page/{page}?to=it")
    admin.get_by_role("list", name="Glossary: Title").get_by_role("button", name="farina di castagne").click()
    expect(admin.get_by_role("textbox", name="Title")).to_have_value("farina di castagne")


def test_a_string_is_translated_where_it_stands_and_taken_back(admin: Any) -> None:
    _open(admin, "/languages/strings?search=Forty")
    field = admin.get_by_role("textbox", name=re.compile("^Forty kilometres"))
    before = field.input_value()
    field.fill("Quaranta chilometri")
    field.press("Tab")
    admin.get_by_text("Saved: Quaranta chilometri").wait_for()
    assert _tagline(admin) == "Quaranta chilometri"
    admin.get_by_role("button", name="Undo").click()
    expect(field).to_have_value(before)
    assert _tagline(admin) == before


def test_an_emptied_string_is_removed_and_listed_as_not_translated(admin: Any) -> None:
    _open(admin, "/languages/strings?search=Forty")
    field = admin.get_by_role("textbox", name=re.compile("^Forty kilometres"))
    before = field.input_value()
    field.fill("")
    field.press("Tab")
    admin.get_by_text("The translation is removed.").wait_for()
    assert _tagline(admin) == "None"
    admin.get_by_role("combobox", name="State").select_option("Not translated")
    field.wait_for()
    admin.get_by_role("combobox", name="State").select_option("Translated")
    admin.get_by_text("Nothing fits this search.").wait_for()
    admin.get_by_role("combobox", name="State").select_option("All")
    field.fill(before)
    field.press("Tab")
    admin.get_by_text(f"Saved: {before}").wait_for()
    assert _tagline(admin) == before


def _tagline(admin: Any) -> str:
    [found] = [one for one in call(admin, "GET", "/wpml/st/v1/strings?search=Forty") if one["name"] == "Tagline"]
    return str(found["translations"]["it"]["value"])


def test_every_screen_is_accessible_in_both_themes_and_fits_a_phone(admin: Any) -> None:
    page = _write(admin, title="Read aloud")
    faults = []
    for theme, width in (("light", 1280), ("dark", 320)):
        admin.emulate_media(color_scheme=theme)
        admin.set_viewport_size({"width": width, "height": 800})
        paths = ("/", f"/translate/page/{page}?to=it", "/languages", "/languages/strings")
        for path in paths:
            _open(admin, path)
            admin.wait_for_selector("main h1")
            wait_until_quiet(admin)
            faults += [f"{path} ({theme}): {one}" for one in find_violations(admin)]
            assert admin.evaluate("document.documentElement.scrollWidth") == width, path
    assert faults == []
    assert admin.refused == []
    assert admin.foreign == []
