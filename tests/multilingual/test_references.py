"""References by id in content: a translation refers to the same item in its language."""

from __future__ import annotations

from typing import Any

import pytest

from vetrina.content.translations import ids_in_values

from .conftest import Desk


def translated(desk: Desk, type: str, path: str, body: dict[str, Any]) -> tuple[int, int]:
    """Create an Italian item with its translation; return both ids."""
    made = desk.it.post(path, body).json["id"]
    desk.translate(desk.send(type, made))
    return made, desk.it.get(f"{path}/{made}").json["translations"]["en"]["id"]


def english(desk: Desk, content: str) -> str:
    """Return some Italian content translated into English."""
    post = desk.it.post("/cms/v2/posts", {"title": "Prova", "content": content, "status": "publish"}).json["id"]
    desk.translate(desk.send("post_post", post), lambda text: text)
    number = desk.it.get(f"/cms/v2/posts/{post}").json["translations"]["en"]["id"]
    raw: str = desk.en.get(f"/cms/v2/posts/{number}", query={"context": "edit"}).json["content"]["raw"]
    return raw


@pytest.fixture
def page(desk: Desk) -> tuple[int, int]:
    return translated(desk, "post_page", "/cms/v2/pages", {"title": "Orari", "status": "publish"})


def test_a_pattern_and_a_navigation_are_those_of_the_language(desk: Desk) -> None:
    pattern = translated(
        desk, "post_cms_block", "/cms/v2/blocks", {"title": "Cornice", "content": "<p>x</p>", "status": "publish"}
    )
    text = '<!-- wp:block {{"ref":{0}}} /-->\n\n<!-- wp:block {{"ref":999999,"x":"\\u0026"}} /-->'
    assert english(desk, text.format(pattern[0])) == text.format(pattern[1])


def test_entries_of_a_navigation_lead_to_the_pages_and_terms_of_the_language(desk: Desk, page: tuple[int, int]) -> None:
    term = translated(desk, "tax_category", "/cms/v2/categories", {"name": "Ponti"})
    text = (
        '<!-- wp:navigation-link {{"label":"Orari","type":"page","id":{page},"url":"http://vetrina.test/{at}/",'
        '"kind":"post-type"}} /-->'
        '<!-- wp:navigation-link {{"label":"Ponti","type":"category","id":{term},"kind":"taxonomy"}} /-->'
    )
    # The page and the term may well have the same id.
    expected = text.format(page=page[1], at="en/en-orari", term=term[1])
    assert english(desk, text.format(page=page[0], at="it/orari", term=term[0])) == expected


def test_a_query_asks_for_the_terms_and_pages_of_the_language(desk: Desk, page: tuple[int, int]) -> None:
    term = translated(desk, "tax_category", "/cms/v2/categories", {"name": "Ponti"})
    text = (
        '<!-- wp:query {{"queryId":{page},"query":{{"perPage":{page},"parents":[{page}],"exclude":[{page},7777],'
        '"taxQuery":{{"category":[{term}]}}}}}} --><div></div><!-- /wp:query -->'
    )
    before = text.format(page=page[0], term=term[0])
    after = text.format(page=page[1], term=term[1]).replace(
        f'"queryId":{page[1]},"query":{{"perPage":{page[1]}', f'"queryId":{page[0]},"query":{{"perPage":{page[0]}'
    )
    assert english(desk, before) == after


def test_the_configuration_says_which_attributes_name_what(desk: Desk, page: tuple[int, int]) -> None:
    term = translated(desk, "tax_category", "/cms/v2/categories", {"name": "Ponti"})
    desk.it.post("/mlang/v1/custom-xml-config", {"content": (
        '<mlang-config><gutenberg-blocks><gutenberg-block type="my/box" translate="1"><key name="title"/>'
        '<key name="page" type="post-ids" sub-type="page"/><key name="terms" type="taxonomy-ids"/>'
        '<key name="more"><key name="*"><key name="to" type="link"/></key></key></gutenberg-block></gutenberg-blocks>'
        '<shortcodes><shortcode><tag>box</tag><attributes><attribute type="post-ids">page</attribute>'
        "<attribute>label</attribute></attributes></shortcode></shortcodes></mlang-config>"
    )})  # fmt: skip
    text = (
        '<!-- wp:my/box {{"page":"{0}","terms":[{1},"{1}, 5555"],"title":"{2}","more":[{{"to":"/{3}/"}}]}} /-->'
        '<!-- wp:paragraph -->\n<p>[box page="{0}" label="{2}"]</p>\n<!-- /wp:paragraph -->'
    )
    before = text.format(page[0], term[0], page[0], "it/orari")
    assert english(desk, before) == text.format(page[1], term[1], page[0], "en/en-orari")


def test_files_are_the_twins_of_the_language(desk: Desk) -> None:
    answer = desk.it.ask(
        "POST", "/cms/v2/media", body=b"a text",
        headers={"content-type": "text/plain", "content-disposition": 'attachment; filename="ponte.txt"'},
    ).json  # fmt: skip
    # Whether or not uploaded in Italian, the file is the default language's; each language has its own record of it.
    here, there = (answer["translations"][code]["id"] for code in ("it", "en"))
    assert there != here
    text = (
        '<!-- wp:image {{"id":{0},"sizeSlug":"full"}} -->\n<figure class="wp-block-image"><img src="a.png" '
        'class="wp-image-{0}" data-id="{0}"/></figure>\n<!-- /wp:image -->\n\n'
        '<!-- wp:shortcode -->\n[gallery ids="{0},8888"]\n<!-- /wp:shortcode -->'
    )
    assert english(desk, text.format(here)) == text.format(there)


def test_a_copied_field_that_names_others_names_those_of_the_language(desk: Desk, page: tuple[int, int]) -> None:
    desk.it.post("/mlang/v1/custom-xml-config", {"content": (
        '<mlang-config><custom-fields><custom-field action="copy" type="post-ids">vedi</custom-field>'
        '<custom-field action="translate" type="post-ids">anche</custom-field></custom-fields></mlang-config>'
    )})  # fmt: skip
    post = desk.it.post("/cms/v2/posts", {
        "title": "Prova", "status": "publish", "meta": {"vedi": str(page[0]), "anche": f"{page[0]},9999"},
    }).json["id"]  # fmt: skip
    job = desk.send("post_post", post)
    assert "anche" not in desk.file(job)
    desk.translate(job)
    number = desk.it.get(f"/cms/v2/posts/{post}").json["translations"]["en"]["id"]
    meta = desk.en.get(f"/cms/v2/posts/{number}").json["meta"]
    assert (meta["vedi"], meta["anche"]) == (str(page[1]), f"{page[1]},9999")


@pytest.mark.parametrize("value", [True, 0, -3, "x", "5x", "1.5", None, {"a": 5}, "", [None, "a"]])
def test_what_is_no_number_names_nothing(value: Any) -> None:
    assert ids_in_values.extract_ids(value) == set()
    assert ids_in_values.replace_ids(value, {5: 6}) == value
