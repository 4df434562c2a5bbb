"""Strings over HTTP: files in and out, their translations at display, and refusals."""

from __future__ import annotations

import base64
import io
import threading
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from hypothesis import given, strategies as st

from conftest import ORIGIN, Client, SetClock, Stand, exchange
from multilingual.service import filled
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.strings import (
    catalog_import,
    catalogs,
    site_texts,
)
from vetrina.multilingual.strings.model import SiteString
from vetrina.multilingual.strings.states import compute_string_state
from vetrina.multilingual.strings.translations import StringTranslation
from watched_calls import watch_calls

ST = "/mlang/st/v1"
NONE: dict[str, list[str]] = {"plugins": [], "themes": [], "other": []}


def catalogue(entries: list[tuple[Any, Any, str | None]], locale: str = "it_IT") -> bytes:
    catalog = Catalog(locale=locale, charset="utf-8")
    for id, text, context in entries:
        catalog.add(id, text, context=context)
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def put(stand: Stand, place: str, data: bytes) -> Path:
    file = stand.site.folder / "languages" / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


def listed(client: Client, **query: Any) -> list[dict[str, Any]]:
    answer = client.get(f"{ST}/strings", query={"per_page": 100, **query})
    assert answer.status == 200
    found: list[dict[str, Any]] = answer.json
    return found


@pytest.mark.every_database
def test_files_of_named_components_are_imported_with_contexts_and_plurals(site: Stand, admin: Client) -> None:
    entries = [
        ("Send", "Invia", None), ("Send", "Spedisci", "verb of the post"),
        (("%d entry", "%d entries"), ("%d voce", "%d voci"), None), ("Empty", "", None),
    ]  # fmt: skip
    put(site, "plugins/modulo-contatti-it_IT.mo", catalogue(entries))
    put(site, "themes/portico-it_IT.mo", catalogue([("Footer", "Piede", None)]))
    put(site, "it_IT.mo", catalogue([("Hello", "Ciao", None)]))
    put(site, "plugins/modulo-contatti-de_DE.mo", catalogue([("Send", "Senden", None)], "de_DE"))
    words = {"plugins": ["modulo-contatti/modulo-contatti.php"], "themes": [], "other": []}
    first = admin.post(f"{ST}/import_mo_strings", words)
    assert first.status == 200, first.json
    assert (first.json["total"], first.json["remaining"]) == (1, 0)
    assert "%s" in first.json["scan_message"]
    found = {(one["value"], one["gettext_context"]): one for one in listed(admin, domain="modulo-contatti")}
    assert len(found) == 3
    assert found["Send", ""]["translations"]["it"] == {"status": 10, "value": None, "mo_string": "Invia"}
    assert found["Send", "verb of the post"]["translations"]["it"]["mo_string"] == "Spedisci"
    plural = found["%d entry", ""]
    assert (plural["plural"], plural["translations"]["it"]["mo_string"]) == ("%d entries", ["%d voce", "%d voci"])
    assert plural["status"] == 10

    again = admin.post(f"{ST}/import_mo_strings", {**NONE, "themes": ["portico"], "other": ["default"]}).json
    assert (again["total"], again["remaining"]) == (2, 0)
    assert listed(admin, domain="default", search="Hell")[0]["translations"]["it"]["mo_string"] == "Ciao"
    assert admin.post(f"{ST}/import_mo_strings", words).json["total"] == 0


def test_a_file_is_read_again_when_it_changes(site: Stand, admin: Client) -> None:
    put(site, "plugins/m-it_IT.mo", catalogue([("Send", "Invia", None)]))
    words = {**NONE, "plugins": ["m"]}
    assert admin.post(f"{ST}/import_mo_strings", words).json["total"] == 1
    put(site, "plugins/m-it_IT.mo", catalogue([("Send", "Spedisci", None), ("Stop", "Ferma", None)]))
    assert admin.post(f"{ST}/import_mo_strings", words).json["total"] == 1
    texts = {one["value"]: one["translations"]["it"]["mo_string"] for one in listed(admin, domain="m")}
    assert texts == {"Send": "Spedisci", "Stop": "Ferma"}


def test_many_entries_are_imported_call_by_call(site: Stand, admin: Client) -> None:
    put(site, "plugins/m-it_IT.mo", catalogue([(f"text {at}", f"testo {at}", None) for at in range(70)]))
    put(site, "plugins/n-it_IT.mo", catalogue([(f"word {at}", f"parola {at}", None) for at in range(25)]))
    context, named = site.site.context, {"plugin": ["m", "n"]}

    def open(read: bool) -> AbstractContextManager[UnitOfWork]:
        return site.site.work(read=read)

    calls = [catalog_import.import_catalog_files(context, open, named, most_entries=30) for _ in range(4)]
    assert [one.remaining for one in calls] == [2, 2, 1, 0]
    assert (len(listed(admin, domain="m")), len(listed(admin, domain="n"))) == (70, 25)


@pytest.mark.parametrize("data", [b"", b"no catalogue", b"\xde\x12\x04\x95" + b"\xff" * 40, b"\xde\x12\x04\x95\0\0"])
def test_a_broken_file_is_told_and_harms_nothing(site: Stand, admin: Client, data: bytes) -> None:
    put(site, "plugins/m-it_IT.mo", data)
    put(site, "plugins/n-it_IT.mo", catalogue([("Send", "Invia", None)]))
    answer = admin.post(f"{ST}/import_mo_strings", {**NONE, "plugins": ["m", "n"]}).json
    assert (answer["total"], answer["remaining"]) == (2, 0)
    assert [one["file"] for one in answer["faults"]] == ["m-it_IT.mo"]
    assert len(listed(admin, domain="n")) == 1


def test_a_missing_list_is_the_callers_mistake(admin: Client) -> None:
    missing = admin.post(f"{ST}/import_mo_strings", {"plugins": []})
    assert (missing.status, missing.code) == (400, "rest_missing_callback_param")
    assert missing.json["data"]["params"] == ["themes", "other"]
    empty = admin.post(f"{ST}/import_mo_strings", {**NONE, "plugins": None})
    assert (empty.status, empty.json["data"]["params"]) == (400, ["plugins"])
    wrong = admin.post(f"{ST}/import_mo_strings", {**NONE, "plugins": {"a": 1}})
    assert (wrong.status, wrong.code) == (400, "rest_invalid_param")


@pytest.mark.in_process("it is watched")
def test_one_import_at_a_time(site: Stand, admin: Client) -> None:
    put(site, "plugins/m-it_IT.mo", catalogue([("Send", "Invia", None)]))
    reading, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        reading.set()
        assert go_on.wait(60)

    answers: list[int] = []
    words = {**NONE, "plugins": ["m"]}
    first = threading.Thread(target=lambda: answers.append(admin.post(f"{ST}/import_mo_strings", words).status))
    with watch_calls(catalogs.parse_catalog, then=wait):
        first.start()
        assert reading.wait(60)
        refused = site.client("admin").post(f"{ST}/import_mo_strings", words)
        go_on.set()
        first.join()
    assert (refused.status, refused.code, answers) == (409, "mlang_import_running", [200])
    assert admin.post(f"{ST}/import_mo_strings", words).status == 200, "the lock is given back"


@pytest.mark.every_database
def test_own_translations_are_written_to_files(site: Stand, admin: Client) -> None:
    entries = [("Send", "Invia", None), ("Stop", "Ferma", None), (("%d day", "%d days"), ("%d g", "%d gg"), "c")]
    put(site, "plugins/M-it_IT.mo", catalogue(entries))
    admin.post(f"{ST}/import_mo_strings", {**NONE, "plugins": ["M"]})
    found = {one["value"]: one["id"] for one in listed(admin, domain="M")}
    assert admin.post(f"{ST}/strings/{found['Send']}", {"translations": {"it": "Spedisci"}}).status == 200
    assert admin.post(f"{ST}/strings/{found['Stop']}", {"translations": {"it": "Ferma"}}).status == 200
    forms = ["%d giorno", "%d giorni"]
    assert admin.post(f"{ST}/strings/{found['%d day']}", {"translations": {"it": forms}}).status == 200
    assert admin.post(f"{ST}/pre_generate_mo_files", {}).json == {"remaining": 0}
    folder = site.site.folder / "languages" / "mlang"
    assert [file.name for file in folder.iterdir()] == ["m-it_IT.mo"]
    with (folder / "m-it_IT.mo").open("rb") as file:
        catalog = read_mo(file)
    kept = {
        catalogs._convert_to_tuple(message.id): catalogs._convert_to_tuple(message.string)
        for message in catalog
        if message.id
    }
    # Translations that the shipped file contains are left out.
    assert kept == {("Send",): ("Spedisci",), ("%d day", "%d days"): tuple(forms)}
    assert admin.post(f"{ST}/pre_generate_mo_files", {}).json == {"remaining": 0}


def test_a_folder_that_cannot_be_written_is_told(site: Stand, admin: Client) -> None:
    admin.post(f"{ST}/import_mo_strings", NONE)
    title = listed(admin, name="Site Title")[0]["id"]
    admin.post(f"{ST}/strings/{title}", {"translations": {"it": "Titolo"}})
    (site.site.folder / "languages").write_text("no folder")
    assert admin.post(f"{ST}/pre_generate_mo_files", {}).json == {"error": "no access"}
    (site.site.folder / "languages").unlink()
    assert admin.post(f"{ST}/pre_generate_mo_files", {}).json == {"remaining": 0}
    assert (site.site.folder / "languages" / "mlang" / "cms-it_IT.mo").is_file()


@pytest.mark.every_database
def test_title_and_tagline_are_shown_in_the_readers_language(site: Stand, admin: Client) -> None:
    admin.post("/cms/v2/settings", {"title": "Shop window", "description": "Things to see"})
    admin.post(f"{ST}/import_mo_strings", NONE)
    for name, text in (("Site Title", "La vetrina"), ("Tagline", "Cose da vedere")):
        (one,) = listed(admin, name=name)
        assert admin.post(f"{ST}/strings/{one['id']}", {"translations": {"it": text}}).status == 200
    italian, english = site.client(root="/it/cms-json"), site.client()
    assert italian.get("/?_fields=name,description").json == {"name": "La vetrina", "description": "Cose da vedere"}
    assert english.get("/?_fields=name,description").json == {"name": "Shop window", "description": "Things to see"}
    settings = site.client("admin", root="/it/cms-json").get("/cms/v2/settings").json
    assert settings["title"] == "Shop window", "who edits sees what is stored"

    admin.post("/cms/v2/settings", {"title": "Another window"})
    with site.site.work() as work:
        site_texts.run_text_registration(work)
    (one,) = listed(admin, name="Site Title")
    assert (one["value"], one["translations"]["it"]["status"], one["status"]) == ("Another window", 3, 3)
    assert italian.get("/?_fields=name").json == {"name": "Another window"}


def test_what_is_said_of_people_is_translated(site: Stand, admin: Client) -> None:
    admin.post("/cms/v2/users/me", {"description": "Writes here"})
    admin.post(f"{ST}/import_mo_strings", NONE)
    (one,) = listed(admin, domain="authors", search="Writes")
    assert (one["name"], one["type"]) == ("description_1", "AREA")
    admin.post(f"{ST}/strings/{one['id']}", {"translations": {"it": "Scrive qui"}})
    with site.site.work(read=True) as work:
        work.language_for("it")
        assert site_texts.translate_person(work, 1, "description", "Writes here") == "Scrive qui"


def test_settings_are_kept_by_group_and_key(site: Stand, admin: Client) -> None:
    for key, data in (("autoregister", {"enabled": True}), ("limit", 5)):
        answer = admin.post(f"{ST}/settings", {"group": "strings", "key": key, "data": data})
        assert (answer.status, answer.content) == (200, b"null")
    missing = admin.post(f"{ST}/settings", {"group": "strings", "key": "x"})
    assert (missing.code, missing.json["data"]["params"]) == ("rest_missing_callback_param", ["data"])
    assert admin.post(f"{ST}/settings", {"group": ["a"], "key": "x", "data": 1}).code == "rest_invalid_param"
    from vetrina.multilingual import stored_values as multilingual_stored_values

    with site.site.work(read=True) as work:
        assert multilingual_stored_values.load_setting(work, "MLANG(ST-strings)") == {
            "autoregister": {"enabled": True},
            "limit": 5,
        }


def test_a_translation_must_fit(site: Stand, admin: Client) -> None:
    put(site, "plugins/m-it_IT.mo", catalogue([(("%d day", "%d days"), ("%d g", "%d gg"), None)]))
    admin.post(f"{ST}/import_mo_strings", {**NONE, "plugins": ["m"]})
    (one,) = listed(admin, domain="m")
    path = f"{ST}/strings/{one['id']}"
    assert admin.post(path, {"translations": {"it": "one form"}}).code == "mlang_string_wrong_forms"
    assert admin.post(path, {"translations": {"de": "x"}}).code == "rest_invalid_param"
    assert admin.post(path, {"translations": {"en": ["a", "b"]}}).code == "rest_invalid_param"
    assert admin.post(path, {"translations": {"it": [1, 2]}}).code == "rest_invalid_param"
    assert admin.post(f"{ST}/strings/999999", {"translations": {}}).code == "mlang_string_not_found"


def test_the_vendor_may_ask_once_in_two_hours(site: Stand, anyone: Client, clock: SetClock) -> None:
    path = "/vendor/installer/v1/push/fetch-subscription"
    first = anyone.get(path)
    assert (first.status, first.json) == (200, {"message": "OK"})
    clock.forward(1000)
    again = anyone.get(path)
    assert (again.status, again.json) == (403, {"message": "OK"})
    assert again.headers["retry-after"] == str(7200 - 1000 + 1)
    clock.forward(6201)
    assert anyone.get(path).status == 200


@pytest.mark.every_database
def test_strings_are_translated_by_a_job(site: Stand, admin: Client) -> None:
    admin.post("/cms/v2/settings", {"title": "Shop window", "description": "Things to see"})
    put(site, "plugins/m-it_IT.mo", catalogue([(("%d day", "%d days"), ("%d g", "%d gg"), None)]))
    admin.post(f"{ST}/import_mo_strings", {**NONE, "plugins": ["m"]})
    ids = [listed(admin, name="Site Title")[0]["id"], listed(admin, domain="m")[0]["id"]]
    words = {"items": [{"type": "string", "id": id} for id in ids], "target_languages": ["it"]}
    made = admin.post("/mlang/tm/v1/jobs", words)
    assert made.status == 201, made.json
    (job,) = made.json["jobs"]
    assert job["type"] == "st-batch_strings"
    assert listed(admin, name="Site Title")[0]["status"] == 1
    path = f"/mlang/tm/v1/xliff/fetch/{job['extra_data']['icl_translate_job_id']}"
    xliff = base64.b64decode(admin.get(path).json["content"]).decode()
    assert admin.post(path, {"xliff": filled(xliff, "[it] ")}).status == 200
    title = listed(admin, name="Site Title")[0]
    assert (title["status"], title["translations"]["it"]["value"]) == (10, "[it] Shop window")
    assert listed(admin, domain="m")[0]["translations"]["it"]["value"] == ["[it] %d day", "[it] %d days"]
    assert site.client(root="/it/cms-json").get("/?_fields=name").json == {"name": "[it] Shop window"}

    admin.post("/cms/v2/settings", {"title": "Another window"})
    shown = admin.get("/mlang/tm/v1/jobs", query={"needs_update": "include"}).json
    assert [one["id"] for one in shown["jobs"]] == [job["id"]]


def test_a_cancelled_job_of_strings_leaves_them_as_they_were(site: Stand, admin: Client) -> None:
    admin.post(f"{ST}/import_mo_strings", NONE)
    (title,) = listed(admin, name="Site Title")
    words = {"items": [{"type": "string", "id": title["id"]}], "target_languages": ["it"]}
    (job,) = admin.post("/mlang/tm/v1/jobs", words).json["jobs"]
    assert admin.post("/mlang/tm/v1/jobs/cancel", [{"id": job["id"], "type": job["type"]}]).status == 200
    assert listed(admin, name="Site Title")[0]["status"] == 0


def test_texts_of_options_that_the_configuration_names_are_translated(site: Stand, admin: Client) -> None:
    tree = '<key name="date_format"/><key name="footer"><key name="line"/><key name="links"><key name="*"/></key></key>'
    xml = f"<mlang-config><admin-texts>{tree}</admin-texts></mlang-config>"
    with site.site.work() as work:
        links = {"a": "First", "b": "Second"}
        work.set_option("footer", {"line": "All rights", "note": "Not named", "links": links, "on": True})
    assert admin.post("/mlang/v1/custom-xml-config", {"content": xml}).status == 200
    texts = {one["name"]: one for one in listed(admin, domain="admin_texts_footer")}
    assert set(texts) == {"[footer]line", "[footer][links]a", "[footer][links]b"}
    for name, text in (("[footer]line", "Tutti i diritti"), ("[footer][links]b", "Secondo")):
        admin.post(f"{ST}/strings/{texts[name]['id']}", {"translations": {"it": text}})
    (date,) = listed(admin, domain="admin_texts_date_format")
    admin.post(f"{ST}/strings/{date['id']}", {"translations": {"it": "j F Y"}})
    with site.site.work(read=True) as work:
        assert work.option("footer")["line"] == "All rights"
        work.language_for("it")
        assert work.option("date_format") == "j F Y"
        assert work.option("footer") == {
            "line": "Tutti i diritti", "note": "Not named", "links": {"a": "First", "b": "Secondo"}, "on": True
        }  # fmt: skip
    settings = site.client("admin", root="/it/cms-json").get("/cms/v2/settings").json
    assert settings["date_format"] == "F j, Y"


FORMS = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0\x04"), min_size=1), min_size=2, max_size=2)
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0\x04"), min_size=1, max_size=200)


@given(TEXT, TEXT, FORMS, st.sampled_from(["", "a context", "è"]))
def test_a_catalogue_that_is_written_reads_the_same(value: str, plural: str, forms: list[str], context: str) -> None:
    one = SiteString(1, "m", "n", context, "en", value, "", "LINE", 1)
    two = SiteString(2, "m", "n", context, "en", value + "s", plural, "LINE", 1)
    data = catalogs.encode_catalog("m", "it_IT", [(one, (forms[0],)), (two, tuple(forms))])
    found = {(entry.value, entry.plural): (entry.forms, entry.context) for entry in catalogs.parse_catalog(data)}
    assert found == {(value, ""): ((forms[0],), context), (value + "s", plural): (tuple(forms), context)}


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ({}, 0), ({"it": 0}, 0), ({"it": 1, "de": 10}, 1), ({"it": 3, "de": 10}, 3), ({"it": 10, "de": 10}, 10),
        ({"it": 10}, 2), ({"it": 2}, 0), ({"it": 1, "de": 3}, 1), ({"en": 10}, 0),
    ],
)  # fmt: skip
def test_the_state_of_a_string_follows_from_its_translations(statuses: dict[str, int], expected: int) -> None:
    known = [StringTranslation(1, language, status, ("x",), None) for language, status in statuses.items()]
    assert compute_string_state("en", ("en", "it", "de"), known) == expected


def test_types_have_addresses_of_their_language(site: Stand, admin: Client) -> None:
    admin.post(f"{ST}/import_mo_strings", NONE)
    (slug,) = listed(admin, name="URL slug: intervento")
    assert (slug["context"], slug["value"]) == ("default", "intervento")
    admin.post(f"{ST}/strings/{slug['id']}", {"translations": {"it": "Opere pubbliche"}})
    xml = (
        '<mlang-config><custom-types><custom-type translate="1">intervento</custom-type></custom-types></mlang-config>'
    )
    assert admin.post("/mlang/v1/custom-xml-config", {"content": xml}).status == 200
    body = {"title": "Ponte", "status": "publish"}
    made = [admin.post("/cms/v2/intervento", body, query={"mlang_language": one}).json for one in ("en", "it")]
    assert [one["link"] for one in made] == [
        f"{ORIGIN}/en/intervento/ponte/", f"{ORIGIN}/it/opere-pubbliche/ponte/"
    ]  # fmt: skip
    assert exchange(site.site, "GET", "/it/opere-pubbliche/ponte/")[0] == 200
    assert exchange(site.site, "GET", "/it/intervento/ponte/")[0] != 200


def test_people_are_shown_in_the_readers_language(site: Stand, admin: Client) -> None:
    admin.post("/cms/v2/users/me", {"description": "Writes here"})
    admin.post("/cms/v2/posts", {"title": "Pubblicato", "status": "publish"}, query={"mlang_language": "it"})
    (one,) = listed(admin, domain="authors", search="Writes")
    admin.post(f"{ST}/strings/{one['id']}", {"translations": {"it": "Scrive qui"}})
    italian = site.client("admin", root="/it/cms-json")
    assert italian.get("/cms/v2/users/1").json["description"] == "Scrive qui"
    assert italian.get("/cms/v2/users").json[0]["description"] == "Scrive qui"
    assert italian.get("/cms/v2/users/1", query={"context": "edit"}).json["description"] == "Writes here"
    assert admin.get("/cms/v2/users/1").json["description"] == "Writes here"
    assert b"Scrive qui" in exchange(site.site, "GET", "/it/author/admin/")[2]
