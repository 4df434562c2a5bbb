"""Preferences of translation: read and written by those who manage translation, and their effects."""

from __future__ import annotations

import pytest

from conftest import Client, Stand

from .conftest import Desk, number

PATH = "/mlang/tm/v1/settings"


def test_they_are_shown_as_they_are_and_kept_as_they_are_written(site: Stand, desk: Desk) -> None:
    first = desk.it.get(PATH).json
    assert (first["doc_translation_method"], first["translated_document_page_url"]) == (1, "auto-generate")
    assert {"parent", "date", "featured_media"} <= set(first["copied_members"])
    written = {**first, "mails": False, "copied_members": ["parent"], "doc_translation_method": "2"}
    assert desk.it.post(PATH, written).json == {**written, "doc_translation_method": 2}
    assert desk.en.get(PATH).json == {**written, "doc_translation_method": 2}


@pytest.mark.parametrize(
    "name, value", [("doc_translation_method", 7), ("doc_translation_method", True), ("mails", "perhaps"),
                    ("translated_document_page_url", "none"), ("copied_members", ["title"])],
)  # fmt: skip
def test_what_they_cannot_be_is_refused(desk: Desk, name: str, value: object) -> None:
    answer = desk.it.post(PATH, {name: value})
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert name in "".join(answer.json["data"]["params"])


def test_only_who_manages_translation_sees_them(anyone: Client, editor: Client) -> None:
    assert anyone.get(PATH).status == 401
    assert editor.post(PATH, {"mails": False}).status == 403


@pytest.mark.parametrize("way, slug", [
    ("auto-generate", "en-chi-siamo"), ("translate", "en-chi-siamo-davvero"), ("copy-encoded", "chi-siamo-davvero"),
])  # fmt: skip
def test_slugs_of_translations_come_whence_it_is_said(desk: Desk, way: str, slug: str) -> None:
    desk.it.post(PATH, {"translated_document_page_url": way})
    page = desk.it.post(
        "/cms/v2/pages", {"title": "Chi siamo", "slug": "chi-siamo-davvero", "status": "publish"}
    ).json["id"]  # fmt: skip
    job = desk.send("post_page", page)
    assert ('id="URL"' in desk.file(job)) is (way == "translate")
    desk.translate(job)
    [made] = desk.en.get("/cms/v2/pages", query={"search": "Chi siamo"}).json
    assert made["slug"] == slug


def test_new_translations_may_wait_as_drafts(desk: Desk) -> None:
    desk.it.post(PATH, {"translated_document_status": False})
    page = desk.it.post("/cms/v2/pages", {"title": "Uno", "status": "publish"}).json["id"]
    job = desk.send("post_page", page)
    desk.translate(job)
    assert desk.row(job)["element"]["status"] == "draft"


def test_translations_go_together_where_it_is_said(desk: Desk) -> None:
    def pair(path: str, type: str, body: dict[str, str]) -> tuple[int, int]:
        made = desk.it.post(path, body).json["id"]
        desk.translate(desk.send(type, made))
        return made, desk.it.get(f"{path}/{made}").json["translations"]["en"]["id"]

    page, its = pair("/cms/v2/pages", "post_page", {"title": "Uno", "status": "publish"})
    other, others = pair("/cms/v2/pages", "post_page", {"title": "Due", "status": "publish"})
    term, terms = pair("/cms/v2/categories", "tax_category", {"name": "Ponti"})
    desk.it.delete(f"/cms/v2/pages/{page}", query={"force": "true"})
    assert desk.en.get(f"/cms/v2/pages/{its}").status == 200
    desk.it.post(PATH, {"posts_removed_together": True, "terms_removed_together": True})
    desk.it.delete(f"/cms/v2/pages/{other}")
    assert desk.en.get(f"/cms/v2/pages/{others}", query={"context": "edit"}).json["status"] == "trash"
    desk.en.delete(f"/cms/v2/pages/{others}", query={"force": "true"})
    assert desk.it.get(f"/cms/v2/pages/{other}").status == 404
    desk.en.delete(f"/cms/v2/categories/{terms}", query={"force": "true"})
    assert desk.it.get(f"/cms/v2/categories/{term}").status == 404


def test_the_method_opens_and_closes_the_remote_editor(serviced: Stand, boss: Client) -> None:
    page = boss.post("/cms/v2/pages", {"title": "One", "status": "publish"}).json["id"]
    body = {"items": [{"type": "post_page", "id": page}], "target_languages": ["it"]}
    assert boss.post("/mlang/tm/v1/jobs", body).json["jobs"][0]["is_ate_job"] is False
    assert boss.get(PATH).json["doc_translation_method"] == "ATE"
    boss.post(PATH, {"doc_translation_method": 1})
    refused = boss.post("/mlang/tm/v1/ate/jobs/store", {"mlang_job_id": "1", "ate_job_data": {}})
    assert (refused.status, refused.code) == (403, "rest_forbidden")
    boss.post(PATH, {"doc_translation_method": "ATE"})
    job = boss.post("/mlang/tm/v1/jobs", body).json["jobs"][0]
    assert job["is_ate_job"] is True
    stored = boss.post("/mlang/tm/v1/ate/jobs/store", {"mlang_job_id": str(number(job)), "ate_job_data": {}})
    assert stored.json is True


def test_files_get_a_record_in_every_language_or_not(desk: Desk) -> None:
    def uploaded() -> dict[str, dict[str, int]]:
        answer = desk.it.ask(
            "POST", "/cms/v2/media", body=b"a text",
            headers={"content-disposition": 'attachment; filename="nota.txt"', "content-type": "text/plain"},
        )  # fmt: skip
        assert answer.status == 201
        found: dict[str, dict[str, int]] = answer.json["translations"]
        return found

    assert sorted(uploaded()) == ["en", "it"]
    assert desk.it.get("/mlang/tm/v1/jobs").json["total"] == 0
    desk.it.post(PATH, {"media_in_every_language": False})
    assert len(uploaded()) == 1


def test_a_twin_goes_with_its_original_unless_somebody_changed_it(desk: Desk) -> None:
    def uploaded() -> tuple[int, int, str]:
        answer = desk.en.ask(
            "POST", "/cms/v2/media", body=b"a text",
            headers={"content-disposition": 'attachment; filename="note.txt"', "content-type": "text/plain"},
        ).json  # fmt: skip
        return answer["translations"]["en"]["id"], answer["translations"]["it"]["id"], answer["source_url"]

    here, there, address = uploaded()
    assert [one["id"] for one in desk.it.get("/cms/v2/media").json] == [there]
    assert desk.it.get(f"/cms/v2/media/{there}").json["source_url"] == address
    desk.en.delete(f"/cms/v2/media/{here}", query={"force": "true"})
    assert desk.it.get("/cms/v2/media").json == []
    here, there, _ = uploaded()
    desk.it.post(f"/cms/v2/media/{there}", {"title": "Nota"})
    desk.en.delete(f"/cms/v2/media/{here}", query={"force": "true"})
    [left] = desk.it.get("/cms/v2/media").json
    assert (left["id"], left["title"]["rendered"], list(left["translations"])) == (there, "Nota", ["it"])
