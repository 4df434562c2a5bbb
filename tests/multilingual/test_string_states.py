"""Strings by their state, and translations that are removed again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec
import pytest

from conftest import Client, Stand, standing
from multilingual.test_strings import NONE, ST, catalogue, listed, put
from vetrina.multilingual.strings import rules as strings, translations as string_translations
from vetrina.settings import load_profile

STATES = (0, 1, 2, 3, 10)


@pytest.fixture
def three(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    """A site in three languages."""
    with standing(request, msgspec.structs.replace(load_profile("first"), languages=("en", "it", "de"))) as stand:
        yield stand


def states(client: Client, *wanted: int) -> set[str]:
    answer = client.get(f"{ST}/strings", query={"domain": "d", "per_page": 100, "status": list(wanted)})
    assert answer.status == 200, answer.json
    assert answer.headers["x-cms-total"] == str(len(answer.json))
    assert {one["status"] for one in answer.json} <= set(wanted)
    return {one["name"] for one in answer.json}


@pytest.mark.every_database
def test_each_string_is_listed_under_the_state_that_it_has(three: Stand) -> None:
    admin = three.client("admin")
    with three.site.work() as work:
        for source, first, second in product(("en", "fr"), STATES, STATES):
            name = f"{source} {first} {second}"
            id = strings.register_string(work, "d", name, name, language=source)
            for language, status in (("it", first), ("de", second), ("en", 10)):
                text = strings.get_string(work, id)
                string_translations.translate_string(work, text, language, (name,), status)
    known = listed(admin, domain="d")
    assert {one["status"] for one in known} == set(STATES)
    for state in STATES:
        assert states(admin, state) == {one["name"] for one in known if one["status"] == state}
    assert states(admin, 0, 2) == states(admin, 0) | states(admin, 2)


def test_a_page_of_a_state_is_full(site: Stand, admin: Client) -> None:
    with site.site.work() as work:
        for number in range(6):
            id = strings.register_string(work, "d", f"n{number}", "x")
            if number % 2:
                string_translations.translate_string(work, strings.get_string(work, id), "it", ("y",))
    pages = [
        admin.get(f"{ST}/strings", query={"domain": "d", "status": 0, "per_page": 2, "page": page}) for page in (1, 2)
    ]
    assert [[one["name"] for one in answer.json] for answer in pages] == [["n0", "n2"], ["n4"]]
    assert [answer.headers["x-cms-totalpages"] for answer in pages] == ["2", "2"]


def test_an_unknown_state_is_refused(admin: Client) -> None:
    answer = admin.get(f"{ST}/strings", query={"status": "7"})
    assert (answer.status, list(answer.json["data"]["params"])) == (400, ["status"])


@pytest.mark.every_database
@pytest.mark.parametrize("empty", [None, "", [], [""]])
def test_a_removed_translation_is_not_shown_any_more(site: Stand, admin: Client, empty: Any) -> None:
    italian = site.client(root="/it/cms-json")
    admin.post("/cms/v2/settings", {"title": "Shop window"})
    (title,) = listed(admin, domain="cms", name="Site Title")
    path = f"{ST}/strings/{title['id']}"
    admin.post(path, {"translations": {"it": "Vetrina"}})
    assert italian.get("/").json["name"] == "Vetrina"
    removed = admin.post(path, {"translations": {"it": empty}})
    assert (removed.status, removed.json["status"]) == (200, 0)
    assert removed.json["translations"]["it"] == {"status": 0, "value": None, "mo_string": None}
    assert italian.get("/").json["name"] == "Shop window"


def test_the_text_of_a_file_is_back_when_the_own_one_is_removed(site: Stand, admin: Client) -> None:
    put(site, "plugins/m-it_IT.mo", catalogue([(("%d day", "%d days"), ("%d g", "%d gg"), None)]))
    admin.post(f"{ST}/import_mo_strings", {**NONE, "plugins": ["m"]})
    (one,) = listed(admin, domain="m")
    path = f"{ST}/strings/{one['id']}"
    admin.post(path, {"translations": {"it": ["a", "b"]}})
    admin.post(f"{ST}/pre_generate_mo_files")
    file = site.site.folder / "languages/mlang/m-it_IT.mo"
    assert b"a\0b" in file.read_bytes()
    answer = admin.post(path, {"translations": {"it": ["", None]}}).json
    assert answer["translations"]["it"] == {"status": 10, "value": None, "mo_string": ["%d g", "%d gg"]}
    admin.post(f"{ST}/pre_generate_mo_files")
    assert not file.exists() or b"a\0b" not in file.read_bytes()


def test_a_half_empty_plural_is_refused(site: Stand, admin: Client) -> None:
    put(site, "plugins/m-it_IT.mo", catalogue([(("%d day", "%d days"), ("%d g", "%d gg"), None)]))
    admin.post(f"{ST}/import_mo_strings", {**NONE, "plugins": ["m"]})
    (one,) = listed(admin, domain="m")
    answer = admin.post(f"{ST}/strings/{one['id']}", {"translations": {"it": ["a", ""]}})
    assert (answer.status, list(answer.json["data"]["params"])) == (400, ["translations[it]"])


def test_what_was_removed_while_a_job_waits_is_gone_when_the_job_is_cancelled(site: Stand, admin: Client) -> None:
    admin.post("/cms/v2/settings", {"description": "Things to see"})
    (line,) = listed(admin, domain="cms", name="Tagline")
    path = f"{ST}/strings/{line['id']}"
    admin.post(path, {"translations": {"it": "Cose da vedere"}})
    with site.site.work() as work:
        string_translations.mark_strings_waiting(work, (line["id"],), "it")
    assert admin.post(path, {"translations": {"it": None}}).json["status"] == 1
    with site.site.work() as work:
        string_translations.release_strings(work, (line["id"],), "it")
    assert admin.get(path).json["status"] == 0
