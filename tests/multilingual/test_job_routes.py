"""Routes of jobs: permissions, filters and members of lists, and refused transitions."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from conftest import Client, Stand
from markup_judge import dangers
from vetrina.multilingual.jobs import model as job_model, translators as job_translators

from .conftest import Desk, filled, number

JOBS = "/mlang/tm/v1/jobs"


def pages(desk: Desk, *titles: str) -> list[int]:
    return [desk.it.post("/cms/v2/pages", {"title": title, "status": "publish"}).json["id"] for title in titles]


def listed(desk: Desk, **query: Any) -> list[str]:
    answer = desk.it.get(JOBS, query=query)
    assert answer.status == 200, answer.json
    return [one["element"]["name"] for one in answer.json["jobs"]]


@pytest.mark.parametrize("method, path", [
    ("GET", JOBS), ("POST", f"{JOBS}/cancel"), ("GET", "/mlang/v1/custom-xml-config"),
    ("GET", "/mlang/tm/v1/xliff/fetch/1"), ("POST", "/mlang/v1/custom-xml-config/validate"),
])  # fmt: skip
def test_nobody_and_plain_users_are_refused(site: Stand, method: str, path: str) -> None:
    for client, status in ((site.client(), 401), (site.client("author"), 403)):
        answer = client.ask(method, path)
        assert (answer.status, answer.code) == (status, "rest_forbidden")


def test_parameters_are_told_before_rights(anyone: Client) -> None:
    assert anyone.post(f"{JOBS}/assign", {"jobId": 1}).code == "rest_missing_callback_param"
    assert anyone.get(JOBS, query={"scope": "mine"}).code == "rest_invalid_param"


def test_an_empty_list_says_so(desk: Desk) -> None:
    assert desk.it.get(JOBS).json == {"jobs": [], "total": 0, "last_picked_up_date": False}


@pytest.mark.parametrize("query", [
    {"scope": "mine"}, {"limit": "abc"}, {"offset": "x"}, {"sent_from": "01-07-2025"}, {"deadline_to": "2025-02-30"},
    {"needs_update": "yes"}, {"sorting": "title"},
])  # fmt: skip
def test_a_wrong_filter_is_named(desk: Desk, query: dict[str, str]) -> None:
    answer = desk.it.get(JOBS, query=query)
    assert answer.status == 400
    assert answer.json["data"]["params"] == dict.fromkeys(query, "Invalid parameter.")


def test_a_list_is_filtered_and_sorted(desk: Desk) -> None:
    first, second, third = pages(desk, "Alfa", "Beta", "Gàmma")
    one = desk.send("post_page", first, deadline="2030-01-31", batch_name="Zeta")
    two = desk.send("post_page", second, sent_to="author", batch_name="Eta")
    three = desk.send("post_page", third)
    desk.translate(three)
    assert listed(desk, sorting={"title": "asc"}) == ["Alfa", "Beta", "Gàmma"]
    assert listed(desk, sorting={"title": "desc"}, limit=2) == ["Gàmma", "Beta"]
    assert listed(desk, sorting={"title": "asc"}, limit=1, offset=1) == ["Beta"]
    assert listed(desk, sorting={"batch_name": "asc"})[-1] == "Alfa"
    assert listed(desk, sorting={"language": "asc", "id": "asc"}) == ["Alfa", "Beta", "Gàmma"]
    assert listed(desk, sorting={"deadline_date": "desc"})[0] == "Alfa"
    assert listed(desk, title="alf,gamma", sorting={"title": "asc"}) == ["Alfa", "Gàmma"]
    assert listed(desk, status="10") == ["Gàmma"]
    assert listed(desk, status="complete") == []
    assert listed(desk, status="1,2", sorting={"status": "asc", "title": "asc"}) == ["Alfa", "Beta"]
    assert listed(desk, deadline_from="2030-01-31", deadline_to="2030-01-31") == ["Alfa"]
    assert len(listed(desk, deadline_from="2030-02-01", deadline_to="2030-01-01")) == 3
    assert listed(desk, scope="local", translated_by=two["translator_id"]) == ["Beta"]
    assert listed(desk, batch_name="zet") == ["Alfa"]
    assert listed(desk, id=two["id"]) == ["Beta"]
    assert listed(desk, local_job_ids=f"{one['id']},{three['id']}", sorting={"id": "asc"}) == ["Alfa", "Gàmma"]
    assert listed(desk, target_language="it") == []
    assert listed(desk, source_language="it", needs_update="include") == []
    assert listed(desk, scope="remote") == listed(desk, scope="ate") == listed(desk, element_type="post_post") == []
    assert desk.it.get(JOBS, query={"limit": 1}).json["total"] == 3


def test_a_job_is_shown_as_clients_know_it(desk: Desk) -> None:
    [page] = pages(desk, "Chi siamo")
    desk.send("post_page", page, deadline="2030-07-15", sent_to="author", batch_name="Pagine di luglio")
    [shown] = desk.it.get(JOBS).json["jobs"]
    assert set(shown) == {
        "id", "original_element_id", "type", "tp_id", "status", "needs_update", "review_status", "language_codes",
        "languages", "translation_service_id", "translation_service", "sent_date", "deadline", "ts_status", "element",
        "translator_name", "translator_id", "is_ate_job", "automatic", "progress", "batch", "extra_data", "edit_url",
        "view_url", "view_original_url",
    }  # fmt: skip
    assert shown["original_element_id"] == str(page)
    assert shown["languages"] == {"source": "Italiano", "target": "Inglese"}
    assert shown["deadline"] == "2030-07-15"
    assert shown["translator_name"] == "author"
    assert shown["batch"]["name"] == "Pagine di luglio"
    assert shown["batch"]["tp_id"] is None
    assert shown["element"]["type"] == {"value": "post_page", "label": "Page"}


def test_a_request_names_what_is_wrong(desk: Desk) -> None:
    [page] = pages(desk, "Uno")

    def code(**words: Any) -> str | None:
        body = {"items": [{"type": "post_page", "id": page}], "target_languages": ["en"], **words}
        return desk.it.post(JOBS, body).code

    assert code(items=[]) == "rest_invalid_param"
    assert code(target_languages=["fr"]) == "rest_invalid_param"
    assert code(deadline="soon") == "rest_invalid_param"
    assert code(items=[{"type": "post_page", "id": 999}]) == "mlang_item_not_found"
    assert code(items=[{"type": "post_post", "id": page}]) == "mlang_item_not_found"
    assert code(items=[{"type": "comment", "id": 1}]) == "mlang_item_not_found"
    assert code(items=[{"type": "string", "id": 999999}]) == "mlang_item_not_found"
    assert code(target_languages=["it"]) == "mlang_same_language"
    assert code(sent_to="nobody") == "mlang_recipient_unknown"
    assert code(translator_id=999) == "mlang_translator_not_found"
    desk.it.post("/mlang/v1/custom-xml-config", {"content": (
        '<mlang-config><custom-types><custom-type translate="0">intervento</custom-type></custom-types></mlang-config>'
    )})  # fmt: skip
    area = desk.it.post("/cms/v2/intervento", {"title": "X", "status": "publish"}).json["id"]
    assert code(items=[{"type": "post_intervento", "id": area}]) == "mlang_not_translatable"
    assert listed(desk) == []


def test_assigning_makes_a_translator_who_may_fill_the_file(site: Stand, desk: Desk) -> None:
    [page] = pages(desk, "Uno")
    job = desk.send("post_page", page)
    author = site.client("author")
    me = author.get("/cms/v2/users/me").json["id"]
    assert author.get(f"/mlang/tm/v1/xliff/fetch/{number(job)}").status == 403
    assert desk.it.post(f"{JOBS}/assign", {"jobId": str(number(job)), "translatorId": me}).json == {"assigned": True}
    assert desk.row(job)["translator_id"] == me
    file = desk.file(job)
    assert author.get(f"/mlang/tm/v1/xliff/fetch/{number(job)}").status == 200
    editor = site.client("editor")
    other = desk.send("post_page", pages(desk, "Due")[0], sent_to="editor")
    assert editor.get(f"/mlang/tm/v1/xliff/fetch/{number(job)}").code == "not_your_job"
    assert desk.deliver(job, filled(file, str), editor).code == "not_your_job"
    assert desk.deliver(job, filled(file, lambda text: "One"), author).status == 200
    assert desk.row(other)["status"] == 1


def test_a_finished_job_may_be_assigned_again_and_be_taken_back(desk: Desk) -> None:
    job = desk.send("post_page", pages(desk, "Uno")[0])
    desk.translate(job)
    me = desk.it.get("/cms/v2/users", query={"search": "editor", "context": "edit"}).json[0]["id"]
    assert desk.it.post(f"{JOBS}/assign", {"jobId": number(job), "translatorId": me}).json == {"assigned": True}
    assert desk.row(job)["status"] == 1
    desk.it.post(f"{JOBS}/cancel", [{"id": job["id"], "type": "post"}])
    assert desk.row(job)["status"] == 10


def test_an_unknown_job_or_translator_is_assigned_to_nobody(desk: Desk) -> None:
    job = desk.send("post_page", pages(desk, "Uno")[0])
    for body in ({"jobId": 58_000, "translatorId": 1}, {"jobId": number(job), "translatorId": 9999}):
        answer = desk.it.post(f"{JOBS}/assign", body)
        assert (answer.status, answer.json) == (200, None)
    assert desk.it.post(f"{JOBS}/assign", {"jobId": "x", "translatorId": 7}).code == "rest_invalid_param"
    assert desk.it.post(f"{JOBS}/assign", {"jobId": 1, "translatorId": 7, "type": "foo"}).code == "rest_invalid_param"


def test_cancelling_leaves_out_what_it_does_not_know(desk: Desk) -> None:
    job = desk.send("post_page", pages(desk, "Uno")[0])
    body = [{"id": job["id"], "type": "post"}, {"id": 9000, "type": "post"}, {"id": 1, "type": "foo"}, 7]
    assert desk.it.post(f"{JOBS}/cancel", body).json == [{"id": job["id"], "type": "post"}]
    assert listed(desk) == []
    assert desk.it.post(f"{JOBS}/cancel", []).json == []
    assert desk.it.post(f"{JOBS}/cancel").json == []
    assert desk.it.post(f"{JOBS}/cancel", {"id": 1}).code == "mlang_list_expected"
    assert desk.deliver(job, filled(desk.file(job), str)).code == "mlang_job_state"


def test_cancelling_a_second_round_gives_the_first_back(desk: Desk) -> None:
    [page] = pages(desk, "Uno")
    first = desk.send("post_page", page)
    desk.translate(first)
    desk.it.post(f"/cms/v2/pages/{page}", {"title": "Primo"})
    second = desk.send("post_page", page, sent_to="author")
    assert desk.row(first)["status"] == 1
    desk.it.post(f"{JOBS}/cancel", [{"id": second["id"], "type": "post"}])
    row = desk.row(first)
    assert (row["status"], row["needs_update"], number(row)) == (10, True, number(first))
    assert row["translator_name"] == "admin"


def test_a_new_request_takes_the_place_of_an_open_one(desk: Desk) -> None:
    [page] = pages(desk, "Uno")
    first, second = desk.send("post_page", page), desk.send("post_page", page)
    assert (second["id"], listed(desk)) == (first["id"], ["Uno"])
    assert desk.deliver(first, filled(desk.file(first), str)).code == "mlang_job_outdated"


def test_an_illegal_move_names_the_state(desk: Desk) -> None:
    job = desk.send("post_page", pages(desk, "Uno")[0])
    desk.translate(job)
    answer = desk.it.post(f"{JOBS}/cancel", [{"id": job["id"], "type": "post"}])
    assert (answer.status, answer.code) == (409, "mlang_job_state")
    assert answer.json["data"]["state_name"] == "complete"
    assert "complete (10)" in answer.json["message"]


def test_a_job_is_saved_unfinished(desk: Desk) -> None:
    page = desk.it.post("/cms/v2/pages", {"title": "Uno", "content": "<p>due</p>", "status": "publish"}).json["id"]
    job = desk.send("post_page", page)
    half = desk.file(job).replace("<![CDATA[Uno]]></source><target><![CDATA[]]>", "<![CDATA[Uno]]></source><target>One")
    path = f"/mlang/tm/v1/xliff/fetch/{number(job)}"
    answer = desk.it.post(path, {"xliff": half, "complete": False})
    assert (answer.json["status"], answer.json["progress"]) == (2, "50% completed")
    refused = desk.it.post(path, {"xliff": half})
    assert (refused.code, refused.json["data"]["fields"]) == ("mlang_job_incomplete", ["body"])
    assert "One" in desk.file(job)


def test_what_no_file_asks_for_is_taken_from_the_source(desk: Desk) -> None:
    words = {"title": "Uno", "content": "<p>Testo</p>", "excerpt": "…", "status": "publish"}
    page = desk.it.post("/cms/v2/pages", words).json["id"]
    job = desk.send("post_page", page)
    assert 'id="excerpt"' not in desk.file(job)
    desk.translate(job)
    [made] = desk.en.get("/cms/v2/pages", query={"context": "edit"}).json
    assert (made["title"]["raw"], made["excerpt"]["raw"]) == ("EN Uno", "…")


def test_a_file_that_is_none_or_anothers_is_refused(desk: Desk) -> None:
    one, two = (desk.send("post_page", page) for page in pages(desk, "Uno", "Due"))
    assert desk.deliver(one, b"ciao").code == "not_xml_file"
    assert desk.deliver(one, b"<html/>").code == "xliff_invalid"
    assert desk.deliver(one, b'<!DOCTYPE x [<!ENTITY a "b">]><xliff>&a;</xliff>').code == "not_xml_file"
    assert desk.deliver(one, desk.file(two).encode()).code == "xliff_does_not_match"
    without = desk.file(one).replace("<target><![CDATA[]]></target>", "").encode()
    assert desk.deliver(one, without).code == "xliff_invalid"
    assert desk.it.post(f"/mlang/tm/v1/xliff/fetch/{number(one)}").code == "mlang_xliff_missing"
    assert desk.it.get("/mlang/tm/v1/xliff/fetch/x").code == "rest_no_route"


def test_a_number_without_a_job_is_told_only_where_a_remote_editor_is(desk: Desk) -> None:
    path = "/mlang/tm/v1/xliff/fetch/999999"
    closed = desk.it.get(path)
    assert (closed.status, closed.code) == (403, "rest_forbidden")
    assert desk.it.post("/mlang/tm/v1/settings", {"doc_translation_method": "ATE"}).status == 200
    missing = desk.it.get(path)
    assert (missing.status, missing.code, missing.json["data"]["number"]) == (404, "mlang_job_not_found", 400)


def test_a_file_in_other_languages_is_refused(desk: Desk) -> None:
    job = desk.send("post_page", pages(desk, "Uno")[0])
    file = filled(desk.file(job), lambda text: f"EN {text}").decode()
    for other in ('target-language="de"', 'target-language="it-IT"'):
        answer = desk.deliver(job, file.replace('target-language="en"', other).encode())
        assert (answer.status, answer.code) == (400, "xliff_does_not_match"), other
    source = desk.deliver(job, file.replace('source-language="it"', 'source-language="fr"').encode())
    assert (source.status, source.code) == (400, "xliff_does_not_match")
    assert desk.row(job)["status"] == 1
    regional = file.replace('target-language="en"', 'target-language="EN_us"')
    assert desk.deliver(job, regional.encode()).status == 200


def test_a_file_that_names_no_target_language_is_taken(desk: Desk) -> None:
    job = desk.send("post_page", pages(desk, "Uno")[0])
    file = filled(desk.file(job), lambda text: f"EN {text}").replace(b' target-language="en"', b"")
    assert desk.deliver(job, file).status == 200


def test_a_translator_may_not_bring_in_markup_that_he_may_not_write(site: Stand, desk: Desk) -> None:
    page = desk.it.post("/cms/v2/pages", {
        "title": "Uno", "content": '<iframe src="https://example.org/"></iframe><p>due</p>', "status": "publish",
    }).json["id"]  # fmt: skip
    job = desk.send("post_page", page, sent_to="author")
    answer = desk.deliver(job, filled(desk.file(job), lambda text: text + "<script>x</script>"), site.client("author"))
    assert answer.status == 200, answer.json
    [made] = desk.en.get("/cms/v2/pages", query={"context": "edit"}).json
    assert "<script" not in made["content"]["raw"]


def test_an_administrator_who_translates_by_hand_is_a_translator_of_these_languages(site: Stand, desk: Desk) -> None:
    def translates(client: Client) -> bool:
        rights = client.get("/cms/v2/users/me", query={"context": "edit"}).json["capabilities"]
        return "translate" in rights

    [page] = pages(desk, "Uno")
    assert not translates(desk.en)
    desk.en.post("/cms/v2/pages", {"title": "One", "status": "publish", "translations": {"it": page}})
    assert translates(desk.en)
    [row] = desk.it.get(JOBS).json["jobs"]
    with site.site.work(read=True) as work:
        [translator] = job_translators.list_translators(work)
        assert (translator.id, job_translators.get_language_pairs(translator)) == (row["translator_id"], {"it": ["en"]})
    editor = site.client("editor", "/en/cms-json")
    second = pages(desk, "Due")[0]
    assert editor.post("/cms/v2/pages", {"title": "Two", "translations": {"it": second}}).status == 201
    assert not translates(editor), "others are made translators by those who manage them"


def test_a_translation_linked_by_hand_is_known_and_flagged(desk: Desk) -> None:
    [page] = pages(desk, "Uno")
    english = desk.en.post("/cms/v2/pages", {"title": "One", "status": "publish", "translations": {"it": page}})
    assert english.status == 201, english.json
    [row] = desk.it.get(JOBS).json["jobs"]
    assert (row["status"], row["original_element_id"], row["view_url"]) == (10, str(page), english.json["link"])
    desk.it.post(f"/cms/v2/pages/{page}", {"title": "Primo"})
    assert desk.row(row)["needs_update"] is True
    desk.en.post(f"/cms/v2/pages/{english.json['id']}", {"title": "First"})
    assert desk.row(row)["needs_update"] is False


def test_what_is_removed_for_good_takes_its_jobs_along(desk: Desk) -> None:
    [page] = pages(desk, "Uno")
    desk.translate(desk.send("post_page", page))
    desk.it.delete(f"/cms/v2/pages/{page}", query={"force": True})
    assert listed(desk) == []


def test_two_items_in_one_request_are_one_batch(desk: Desk) -> None:
    one, two = pages(desk, "Uno", "Due")
    answer = desk.it.post(JOBS, {
        "items": [{"type": "post_page", "id": one}, {"type": "post_page", "id": two}, {"type": "post_page", "id": one}],
        "target_languages": ["en"],
    })  # fmt: skip
    assert answer.json["total"] == 2
    assert len({job["batch"]["id"] for job in answer.json["jobs"]}) == 1
    assert answer.json["jobs"][0]["batch"]["name"].startswith("Manual Translations from ")


@pytest.mark.every_database
def test_a_span_of_days_finds_the_same_however_many_there_are(desk: Desk) -> None:
    [first, second, third] = pages(desk, "Uno", "Due", "Tre")
    jobs = [desk.send("post_page", page, deadline=day)["id"] for page, day in (
        (first, "2031-01-01"), (second, "2031-01-02"), (third, "2031-02-01"))]  # fmt: skip

    def ask(query: dict[str, Any]) -> tuple[list[int], int]:
        answer = desk.it.get(JOBS, query=query).json
        return [one["id"] for one in answer["jobs"]], answer["total"]

    january = {"deadline_from": "2031-01-01", "deadline_to": "2031-01-31"}
    assert ask(january) == ([jobs[1], jobs[0]], 2)
    since = {"deadline_from": "2031-01-02", "sent_from": "2020-01-01"}
    assert ask({**since, "limit": 1}) == ([jobs[2]], 2)
    assert ask({"deadline_to": "2031-01-31", "sorting": {"id": "asc"}, "offset": 1, "limit": 5}) == ([jobs[1]], 2)
    with desk.it.site.work() as work:
        last = job_model.find_job(work, jobs[2])
        assert last is not None
        for at in range(1, 2001):
            many = replace(last, rid=last.rid + at, number=last.number + at, element=last.element + at)
            job_model.insert_status_row(work, many)
    assert ask(january) == ([jobs[1], jobs[0]], 2)
    assert ask({**since, "limit": 1}) == ([jobs[2] + 2000], 2002)
    assert ask({**since, "sorting": {"id": "asc"}, "limit": 3}) == ([jobs[1], jobs[2], jobs[2] + 1], 2002)
    assert ask({**since, "sorting": {"id": "asc"}, "offset": 2001, "limit": 3}) == ([jobs[2] + 2000], 2002)


def test_a_duplicate_that_somebody_writes_into_is_a_translation_from_then_on(desk: Desk) -> None:
    [page] = pages(desk, "Uno")
    job = desk.send("post_page", page, sent_to="duplicate")
    [made] = desk.en.get("/cms/v2/pages").json
    desk.en.post(f"/cms/v2/pages/{made['id']}", {"comment_status": "open"})
    assert desk.row(job)["status"] == 9
    desk.en.post(f"/cms/v2/pages/{made['id']}", {"title": "One"})
    assert desk.row(job)["status"] == 10
    desk.it.post(f"/cms/v2/pages/{page}", {"title": "Primo"})
    assert desk.en.get(f"/cms/v2/pages/{made['id']}").json["title"]["rendered"] == "One"
    assert desk.row(job)["needs_update"] is True


def test_a_duplicate_is_made_at_once_and_follows_its_original(desk: Desk) -> None:
    [page] = pages(desk, "Uno")
    job = desk.send("post_page", page, sent_to="duplicate")
    assert (job["status"], job["element"]["status"]) == (9, "publish")
    [made] = desk.en.get("/cms/v2/pages").json
    assert made["title"]["rendered"] == "Uno"
    desk.it.post(f"/cms/v2/pages/{page}", {"title": "Primo"})
    assert desk.en.get(f"/cms/v2/pages/{made['id']}").json["title"]["rendered"] == "Primo"
    again = desk.send("post_page", page)
    desk.translate(again)
    assert desk.row(job)["status"] == 10
    desk.it.post(f"/cms/v2/pages/{page}", {"title": "Ancora"})
    assert desk.en.get(f"/cms/v2/pages/{made['id']}").json["title"]["rendered"] == "EN Primo"
    body = {"items": [{"type": "tax_category", "id": 1}], "target_languages": ["it"], "sent_to": "duplicate"}
    assert desk.it.post(JOBS, body).code == "mlang_not_duplicable"


@pytest.mark.parametrize(
    "text",
    ["<script>x</script>", "[embed]jav&#x09;ascript:alert(1)[/embed]",
     '<img src=x alt="\nhttp://x.y/a.mp3\n onerror=alert(1) ">',
     '<img src=x title="[playlist x" class=\']\' alt=" onerror=alert(1) ">'],
)  # fmt: skip
def test_what_a_translator_brings_in_runs_nowhere(site: Stand, desk: Desk, text: str) -> None:
    desk.it.post("/mlang/v1/custom-xml-config", {"content": (
        '<mlang-config><custom-fields><custom-field action="translate">lead</custom-field>'
        "</custom-fields></mlang-config>"
    )})  # fmt: skip
    page = desk.it.post("/cms/v2/pages", {
        "title": "Uno", "excerpt": "tre", "status": "publish", "meta": {"lead": "quattro"},
        "content": '<!-- wp:paragraph --><p title="uno">due <img alt="logo"></p><!-- /wp:paragraph -->',
    }).json["id"]  # fmt: skip
    job = desk.send("post_page", page, sent_to="subscriber")
    answer = desk.deliver(job, filled(desk.file(job), lambda source: source + text), site.client("subscriber"))
    assert answer.status == 200, answer.json
    [made] = desk.en.get("/cms/v2/pages", query={"context": "edit"}).json
    for one in (made["title"], made["content"], made["excerpt"]):
        assert dangers(one["rendered"]) == []
        assert "<script" not in one["raw"]
    assert made["meta"]["lead"].startswith("quattro")
    assert "<script" not in made["meta"]["lead"]
