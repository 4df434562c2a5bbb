"""The XML configuration: read, stored, checked, and its effects."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from conftest import Client
from vetrina.multilingual.xml_config.validation import list_xml_problems

from .conftest import Desk

PATH = "/mlang/v1/custom-xml-config"
WHOLE = """<mlang-config>
 <custom-types><custom-type translate="1">intervento</custom-type><custom-type translate="1" display-as-translated="1">percorso</custom-type></custom-types>
 <taxonomies><taxonomy translate="1">tema</taxonomy></taxonomies>
 <custom-fields><custom-field action="translate" style="line" label="Sottotitolo">sottotitolo</custom-field><custom-field action="copy">prezzo</custom-field></custom-fields>
 <custom-fields-texts><key name="scheda"><key name="voci"><key name="*"><key name="testo"/></key></key></key></custom-fields-texts>
 <admin-texts><key name="opzioni_tema"><key name="piede_pagina"/></key></admin-texts>
 <shortcodes><shortcode><tag>pulsante</tag><attributes><attribute>testo</attribute></attributes></shortcode></shortcodes>
 <shortcode-list>uno,due</shortcode-list>
 <gutenberg-blocks><gutenberg-block type="my/box" translate="1" label="Box"><xpath>//p</xpath><key name="voci"><key name="*"/></key></gutenberg-block>
 <gutenberg-block type="core/quote" translate="0"/></gutenberg-blocks>
 <elementor-widgets><widget name="w"><conditions><condition key="widgetType">w</condition></conditions><fields><field type="t" editor_type="LINE">title</field></fields></widget></elementor-widgets>
 <notices><notice id="n" type="info"><conditions relation="AND"><theme>t</theme></conditions><locations><screenId>s</screenId></locations><content>c</content></notice></notices>
</mlang-config>"""  # noqa: E501


def complaint(code: int, message: str, line: int = 1) -> dict[str, Any]:
    return {"level": 2, "code": code, "column": 0, "message": f"{message}\n", "file": "", "line": line}


def in_fields(inside: str) -> str:
    return f"<mlang-config><custom-fields>{inside}</custom-fields></mlang-config>"


def test_it_is_empty_at_first_and_kept_as_it_was_given(admin: Client) -> None:
    assert admin.get(PATH).json == ""
    assert admin.post(PATH, {"content": "<not valid"}).json == "<not valid"
    assert admin.get(PATH).json == "<not valid"
    assert admin.post(PATH, {}).json is None
    assert admin.get(PATH).json is None


@pytest.mark.parametrize("content, complaints", [
    (WHOLE, []), ("<mlang-config/>", []), ("", []), (" - ", []),
    (in_fields('<custom-field action="traslate">sottotitolo</custom-field>'), [complaint(
        1840, "Element 'custom-field', attribute 'action': [facet 'enumeration'] The value 'traslate' is not an element"
        " of the set {'copy', 'translate', 'ignore', 'copy-once'}.")]),
    (in_fields("<custom-field>x</custom-field>"), [complaint(
        1868, "Element 'custom-field': The attribute 'action' is required but missing.")]),
    (in_fields('<custom-field action="copy" colour="red">x</custom-field>'), [complaint(
        1866, "Element 'custom-field', attribute 'colour': The attribute 'colour' is not allowed.")]),
    ("<mlang-config><nothing/></mlang-config>", [complaint(1871, "Element 'nothing': This element is not expected.")]),
    ("<mlang-config><taxonomies/>\n<taxonomies/></mlang-config>", [complaint(
        1871, "Element 'taxonomies': This element is not expected.", 2)]),
    ("<mlang-config>\n<custom-fields>x</custom-fields><shortcode-list>a<b/></shortcode-list></mlang-config>", [
        complaint(1843, "Element 'custom-fields': Character content other than whitespace is not allowed because the"
                  " content type is 'element-only'.", 2),
        complaint(1842, "Element 'shortcode-list': Element content is not allowed, because the content type is a"
                  " simple type definition.", 2),
    ]),
    ('<seo-config><gutenberg-blocks><gutenberg-block type="a" translate="1"><xpath>//[</xpath></gutenberg-block>'
     '</gutenberg-blocks><allow-translatable-job-fields><f type="a" x="b"/></allow-translatable-job-fields>'
     '</seo-config>', [
        complaint(1866, "Element 'f', attribute 'x': The attribute 'x' is not allowed."),
        complaint(1868, "Element 'f': The attribute 'value' is required but missing."),
        complaint(1839, "Element 'xpath': '//[' is not an XPath expression: Invalid expression."),
    ]),
    ('<seo-config a="1"/>', [complaint(
        1866, "Element 'seo-config', attribute 'a': The attribute 'a' is not allowed.")]),
    ("<other/>", [complaint(
        1845, "Element 'other': No matching global declaration available for the validation root.")]),
    ("ciao", [
        {"level": 3, "code": 4, "column": 1, "message": "Start tag expected, '<' not found\n", "file": "", "line": 1},
        complaint(1872, "The document has no document element.", -1),
    ]),
])  # fmt: skip
def test_what_is_wrong_is_told_as_a_parser_does(admin: Client, content: str, complaints: list[Any]) -> None:
    answer = admin.post(f"{PATH}/validate", {"content": content})
    assert (answer.status, answer.json) == (200, complaints)
    assert admin.get(PATH).json == ""


def test_entities_and_other_documents_are_not_read(admin: Client) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><mlang-config>&b;</mlang-config>'
    outside = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><mlang-config>&a;</mlang-config>'
    for content in (bomb, outside):
        told = admin.post(f"{PATH}/validate", {"content": content}).json
        assert told[0]["level"] == 3
        assert "root:" not in str(told)


def test_a_schema_that_a_text_names_is_not_read(admin: Client, tmp_path: Path) -> None:
    schema = tmp_path / "other.xsd"
    schema.write_text(
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="other" type="xs:string"/></xs:schema>'
    )
    instance = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    content = f'<other {instance} xsi:noNamespaceSchemaLocation="{schema.as_uri()}"/>'
    assert [one["code"] for one in admin.post(f"{PATH}/validate", {"content": content}).json] == [1845]


def test_the_time_of_a_check_grows_with_the_text_and_not_with_its_square() -> None:
    began = time.process_time()
    found = list_xml_problems(in_fields("<custom-field/>" * 100_000))
    assert (len(found), found[0].code, found[0].line) == (100_000, 1868, 0)
    assert time.process_time() - began < 10


def test_types_get_their_modes_and_lose_them_with_the_text(desk: Desk) -> None:
    fallback = WHOLE.replace("percorso", "intervento").replace(
        '<custom-type translate="1">intervento</custom-type>', ""
    )
    desk.it.post(PATH, {"content": fallback})
    made = desk.en.post("/cms/v2/intervento", {"title": "Bridge", "status": "publish"}).json
    assert [one["id"] for one in desk.it.get("/cms/v2/intervento").json] == [made["id"]]
    desk.it.post(PATH, {"content": fallback.replace(' display-as-translated="1"', "")})
    assert desk.it.get("/cms/v2/intervento").json == []


def test_what_a_list_falls_back_to_is_found_in_it_by_number(desk: Desk) -> None:
    area = "/cms/v2/intervento"
    desk.it.post(PATH, {"content": (
        '<mlang-config><custom-types><custom-type translate="1" display-as-translated="1">intervento</custom-type>'
        "</custom-types></mlang-config>"
    )})  # fmt: skip
    alone, waiting, done = (
        desk.en.post(area, {"title": title, "status": "publish"}).json["id"] for title in ("A", "B", "C")
    )
    for original, status in ((waiting, "draft"), (done, "publish")):
        desk.it.post(area, {"title": "I", "status": status, "translations": {"en": original}})
    translated = desk.it.get(area, query={"include": [done]}).json[0]["id"]

    def listed(**query: Any) -> list[int]:
        return sorted(one["id"] for one in desk.it.get(area, query=query).json)

    assert listed() == [alone, waiting, translated]
    assert listed(include=[alone, waiting, done]) == [alone, waiting, translated]
    assert listed(exclude=[waiting]) == [alone, translated]
    assert listed(exclude=[alone, done]) == [waiting]


def test_terms_that_a_list_falls_back_to_are_found_in_it_by_number(desk: Desk) -> None:
    terms = "/cms/v2/categories"
    desk.it.post(PATH, {"content": (
        '<mlang-config><taxonomies><taxonomy translate="1" display-as-translated="1">category</taxonomy>'
        "</taxonomies></mlang-config>"
    )})  # fmt: skip
    alone, done = (desk.en.post(terms, {"name": name}).json["id"] for name in ("A", "C"))
    translated = desk.it.post(terms, {"name": "I", "translations": {"en": done}}).json["id"]

    def listed(**query: Any) -> list[int]:
        return sorted(one["id"] for one in desk.it.get(terms, query=query).json)

    assert listed(include=[alone, done]) == [alone, translated]
    assert alone not in listed(exclude=[alone, done])
    desk.it.post(PATH, {"content": ""})
    assert listed(include=[alone, done]) == [translated]


def test_blocks_and_shortcodes_are_cut_as_it_says(desk: Desk) -> None:
    desk.it.post(PATH, {"content": WHOLE})
    content = (
        '<!-- wp:my/box {"voci":["prima voce"],"altro":"resta"} --><div><p>un testo</p><h3>resta</h3></div>'
        "<!-- /wp:my/box --><!-- wp:quote --><p>resta</p><!-- /wp:quote -->"
        '<!-- wp:paragraph --><p>[pulsante testo="Vai ora" url="resta"]</p><!-- /wp:paragraph -->'
    )
    post = desk.it.post("/cms/v2/posts", {"title": "Uno", "content": content, "status": "publish"}).json["id"]
    job = desk.send("post_post", post)
    file = desk.file(job)
    assert "resta" not in file
    assert 'resname="Box"' in file
    # The rules at the time of sending apply to what comes back.
    desk.it.post(PATH, {"content": ""})
    desk.translate(job)
    [made] = desk.en.get("/cms/v2/posts", query={"context": "edit"}).json
    assert made["content"]["raw"] == (
        content.replace("prima voce", "EN prima voce")
        .replace("un testo", "EN un testo")
        .replace("Vai ora", "EN Vai ora")
    )


def test_the_texts_of_a_structured_field_are_those_it_names(desk: Desk) -> None:
    price = '<custom-field action="copy">prezzo'
    card = '<custom-field action="translate">scheda</custom-field>'
    desk.it.post(PATH, {"content": WHOLE.replace(price, card + price)})
    field = {"voci": [{"testo": "uno", "chiave": "k1"}, {"testo": "due", "chiave": "k2"}], "titolo": "resta"}
    post = desk.it.post("/cms/v2/posts", {"title": "Scheda", "status": "publish", "meta": {"scheda": field}}).json["id"]
    desk.translate(desk.send("post_post", post))
    [made] = desk.en.get("/cms/v2/posts").json
    assert made["meta"]["scheda"] == {
        "voci": [{"testo": "EN uno", "chiave": "k1"}, {"testo": "EN due", "chiave": "k2"}], "titolo": "resta",
    }  # fmt: skip
