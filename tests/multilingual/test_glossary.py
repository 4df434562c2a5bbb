"""The glossary: entries, who may do what, terms in texts, its file, and what machines are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from conftest import Client, Stand, exchange, made
from multilingual import machines
from multilingual.test_local_service import profile
from vetrina.multilingual.glossary import rules, term_matching
from vetrina.multilingual.glossary.store import GlossaryEntry
from vetrina.multilingual.jobs import translators

GLOSSARY = "/mlang/v1/glossary"


def entry(client: Client, term: str, translation: str, **members: Any) -> dict[str, Any]:
    answer = client.post(GLOSSARY, {"term": term, "translation": translation, "language": "it", **members})
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def matches(client: Client, *texts: str) -> list[list[str]]:
    answer = client.post(f"{GLOSSARY}/matches", {"source_language": "en", "language": "it", "texts": list(texts)})
    assert answer.status == 200, answer.json
    return [[one["translation"] for one in found] for found in answer.json["matches"]]


@pytest.mark.every_database
def test_an_entry_is_made_read_changed_and_removed(admin: Client) -> None:
    new = entry(admin, "  opening \n hours ", "orari di apertura", note="of a shop")
    assert (new["term"], new["source_language"], new["case_sensitive"]) == ("opening hours", "en", False)
    path = f"{GLOSSARY}/{new['id']}"
    assert admin.get(path).json["note"] == "of a shop"
    assert admin.post(path, {"translation": "orario"}).json["translation"] == "orario"
    assert admin.delete(f"{path}?force=true").json["deleted"] is True
    assert (admin.get(path).status, admin.get(path).code) == (404, "mlang_glossary_entry_not_found")


@pytest.mark.every_database
def test_the_list_is_ordered_by_term_searched_and_filtered_by_language(admin: Client) -> None:
    for term, translation in (("tree", "albero"), ("Beech", "faggio"), ("ash", "frassino")):
        entry(admin, term, translation)
    entry(admin, "bosco", "wood", source_language="it", language="en")

    def terms(**query: Any) -> list[str]:
        answer = admin.get(GLOSSARY, query=query)
        assert answer.headers["x-cms-total"] == str(len(answer.json))
        return [one["term"] for one in answer.json]

    assert terms() == ["ash", "Beech", "bosco", "tree"]
    assert terms(order="desc", language="it") == ["tree", "Beech", "ash"]
    assert terms(source_language="it") == ["bosco"]
    assert terms(search="FAG") == ["Beech"]
    assert terms(search="as") == ["ash"]


def test_a_term_has_one_entry_for_two_languages(admin: Client) -> None:
    first, other = entry(admin, "ash", "frassino"), entry(admin, "beech", "faggio")
    again = admin.post(GLOSSARY, {"term": "ash", "translation": "cenere", "language": "it"})
    assert (again.status, again.code, again.json["data"]["entry_id"]) == (
        409, "mlang_glossary_entry_exists", first["id"]
    )  # fmt: skip
    moved = admin.post(f"{GLOSSARY}/{other['id']}", {"term": "ash"})
    assert moved.code == "mlang_glossary_entry_exists"
    assert entry(admin, "Ash", "Cenere")["id"] not in (first["id"], other["id"])


@pytest.mark.parametrize(
    ("members", "name"),
    [
        ({"term": " "}, "term"), ({"translation": ""}, "translation"), ({"language": "en"}, "language"),
        ({"language": "xx"}, "language"), ({"term": "x" * 201}, "term"), ({"note": "x" * 1001}, "note"),
        ({"case_sensitive": "perhaps"}, "case_sensitive"),
    ],
)  # fmt: skip
def test_what_is_no_entry_is_refused_by_its_member(admin: Client, members: dict[str, Any], name: str) -> None:
    answer = admin.post(GLOSSARY, {"term": "ash", "translation": "frassino", "language": "it", **members})
    assert (answer.status, list(answer.json["data"]["params"])) == (400, [name])


def test_translators_read_it_and_managers_write_it(site: Stand, admin: Client) -> None:
    id = entry(admin, "ash", "frassino")["id"]
    author, anyone = site.client("author"), site.client()
    assert (author.get(GLOSSARY).status, anyone.get(GLOSSARY).status) == (403, 401)
    me = author.get("/cms/v2/users/me").json["id"]
    with site.site.work() as work:
        user = translators.get_translator(work, me)
        translators.grant_language_pair(work, user, "en", "it")
    assert [one["id"] for one in author.get(GLOSSARY).json] == [id]
    assert author.get(f"{GLOSSARY}/export").status == 200
    assert matches(author, "an ash") == [["frassino"]]
    for method, path, body in (
        ("POST", GLOSSARY, {"term": "x", "translation": "y", "language": "it"}),
        ("POST", f"{GLOSSARY}/{id}", {"note": "x"}), ("DELETE", f"{GLOSSARY}/{id}?force=true", None),
        ("POST", f"{GLOSSARY}/import", {"csv": "term,language,translation\n"}),
    ):  # fmt: skip
        answer = author.ask(method, path, json=body)
        assert (answer.status, answer.code) == (403, "rest_forbidden"), path


def test_terms_are_found_as_words_longer_ones_first(admin: Client) -> None:
    entry(admin, "ash", "frassino")
    entry(admin, "ash tree", "albero di frassino")
    entry(admin, "Rose", "Rosa (nome)", case_sensitive=True)
    assert matches(admin, "An Ash  tree.", "ashes", "a rose by Rose", "a rose", "<b>ash</b>,") == [
        ["albero di frassino", "frassino"], [], ["Rosa (nome)"], [], ["frassino"],
    ]  # fmt: skip


@given(st.text(min_size=1, max_size=20), st.text(max_size=60), st.booleans())
def test_no_term_and_no_text_breaks_the_search(term: str, text: str, case: bool) -> None:
    words = " ".join(term.split())
    if not words:
        return
    one = GlossaryEntry(1, words, "en", "it", "x", "", case, 0, 0)
    assert term_matching.find_matches([one], f"({words})") == [one]
    term_matching.find_matches([one], text)


# -- the file


def test_the_file_comes_back_as_it_went_out(site: Stand, admin: Client) -> None:
    entry(admin, 'a "quoted", one', "uno", note="two\nlines", case_sensitive=True)
    entry(admin, "bosco", "wood", source_language="it", language="en")
    _, _, content = exchange(
        site.site, "GET", f"/en/cms-json{GLOSSARY}/export", headers={"authorization": admin.headers["authorization"]}
    )
    text = content.decode()
    assert text.splitlines()[0] == "term,source_language,language,translation,note,case_sensitive"
    before = admin.get(GLOSSARY).json
    assert admin.post(f"{GLOSSARY}/import", {"csv": text}).json == {"created": 0, "updated": 0, "unchanged": 2}
    for one in before:
        admin.delete(f"{GLOSSARY}/{one['id']}?force=true")
    assert admin.post(f"{GLOSSARY}/import", {"csv": text}).json["created"] == 2
    members = ("term", "source_language", "language", "translation", "note", "case_sensitive")
    assert [[one[name] for name in members] for one in admin.get(GLOSSARY).json] == [
        [one[name] for name in members] for one in before
    ]


def test_a_wrong_line_stores_nothing_and_is_named(admin: Client) -> None:
    entry(admin, "ash", "frassino")
    lines = ("term,translation,language", "beech,faggio,it", "oak,,it", "elm,olmo,xx", "ash,cenere,it")
    answer = admin.post(f"{GLOSSARY}/import", {"csv": "\n".join(lines)})
    assert (answer.status, answer.code) == (400, "mlang_invalid_glossary")
    faults = [(one["line"], one["column"]) for one in answer.json["data"]["faults"]]
    assert faults == [(3, "translation"), (4, "language")]
    assert [one["translation"] for one in admin.get(GLOSSARY).json] == ["frassino"]
    mended = "\n".join((*lines[:2], lines[4]))
    assert admin.post(f"{GLOSSARY}/import", {"csv": mended}).json == {"created": 1, "updated": 1, "unchanged": 0}


@pytest.mark.parametrize(
    "text", ["", "word,language\nx,it\n", "term,language\nx,it\n", 'term,language,translation\n"x']
)
def test_what_is_no_such_file_is_refused(admin: Client, text: str) -> None:
    answer = admin.post(f"{GLOSSARY}/import", {"csv": text})
    assert (answer.status, answer.code) in (
        (400, "mlang_invalid_glossary"), (400, "mlang_glossary_file_missing")
    )  # fmt: skip


def test_a_full_glossary_takes_no_more(site: Stand, admin: Client) -> None:
    rows = "".join(f"word {number},parola {number},it\n" for number in range(rules.MAX_ENTRIES))
    answer = admin.post(f"{GLOSSARY}/import", {"csv": f"term,translation,language\n{rows}"})
    assert answer.json["created"] == rules.MAX_ENTRIES
    answer = admin.post(GLOSSARY, {"term": "one more", "translation": "altro", "language": "it"})
    assert (answer.status, answer.code) == (400, "mlang_glossary_full")


# -- machines


def test_a_machine_is_told_the_terms_of_its_texts(tmp_path: Path) -> None:
    stand = Stand(made(tmp_path, profile("multilingual.machines:obey")))
    admin = stand.client("admin")
    entry(admin, "ash", "frassino")
    entry(admin, "beech", "faggio")
    body = {"source_language": "en", "target_language": "it", "texts": ["an ash", "a book"]}
    assert admin.post("/mlang/tm/v1/machine/texts", body).json == {"texts": ["an frassino", "a book"]}
    assert machines.TOLD == [{"ash": "frassino"}]
    stand.site.close()
