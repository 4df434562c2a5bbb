"""Limits of one request: blocks, characters, bytes; the rest is left out, and members of a batch are refused."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import Client, Stand, standing
from vetrina.content.records import stored_texts
from vetrina.settings import load_profile
from watched_calls import watch_calls

POSTS, PAGES, BLOCKS, BATCH = "/cms/v2/posts", "/cms/v2/pages", "/cms/v2/blocks", "/batch/v1"
FEW = {
    "limits.rendered_blocks": 300, "limits.rendered_characters": 40_000, "limits.inline_characters": 2_000,
    "limits.batch_bytes": 30_000, "limits.answer_bytes": 400_000,
}  # fmt: skip

pytestmark = pytest.mark.in_process("its limits are a profile's of its own")


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    with standing(request, load_profile("first", FEW)) as stand:
        yield stand


def written(client: Client, content: str, path: str = POSTS, **members: Any) -> int:
    answer = client.post(path, {"title": "x", "content": content, "status": "publish", **members})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def lines(caplog: pytest.LogCaptureFixture, start: str) -> list[str]:
    return [one.getMessage() for one in caplog.records if one.name == "vetrina.budget" and start in one.getMessage()]


# -- reading


def test_trees_of_blocks_are_read_to_their_budget(admin: Client, anyone: Client) -> None:
    paragraph = "<!-- wp:paragraph --><p>leaf</p><!-- /wp:paragraph -->"
    deep = "<!-- wp:group --><div>" * 30 + paragraph * 100 + "</div><!-- /wp:group -->" * 30
    for content in (deep, '<!-- wp:latest-posts {"displayPostContent":true} /-->' * 20):
        for _ in range(4):
            written(admin, content)
    answer = anyone.get(POSTS, query={"_fields": "blocks,content.plain,reading_time"})
    assert answer.status == 200
    assert len(answer.content) < FEW["limits.answer_bytes"]


def test_a_fan_of_patterns_is_read_to_its_budget(
    admin: Client, anyone: Client, caplog: pytest.LogCaptureFixture
) -> None:
    inner = written(admin, "<!-- wp:paragraph --><p>leaf</p><!-- /wp:paragraph -->", BLOCKS)
    for _ in range(6):
        inner = written(admin, f'<!-- wp:block {{"ref":{inner}}} /-->' * 10, BLOCKS)
    id = written(admin, f'<!-- wp:block {{"ref":{inner}}} /-->' * 10)
    caplog.clear()
    answer = anyone.get(f"{POSTS}/{id}")
    assert answer.status == 200
    assert 1 <= answer.json["content"]["rendered"].count("leaf") <= 30
    assert len(lines(caplog, f"GET {POSTS}/{id} ")) == 1


def test_lists_of_posts_within_a_text_share_one_budget(admin: Client, anyone: Client) -> None:
    for _ in range(5):
        written(admin, "<p>" + "whole words " * 200 + "</p>")
    block = (
        '<!-- wp:latest-posts {"postsToShow":5,"displayPostContent":true,"displayPostContentRadio":"full_post"} /-->'
    )
    answer = anyone.get(f"{PAGES}/{written(admin, block * 40, PAGES)}")
    assert answer.status == 200
    html = answer.json["content"]["rendered"]
    assert html.count("whole words") > 200
    assert len(html) < 120_000


def test_a_list_of_heavy_records_leaves_out_the_rest(admin: Client, anyone: Client) -> None:
    for _ in range(20):
        written(admin, "<p>" + "kept words " * 3_000 + "</p>")
    answer = anyone.get(POSTS, query={"per_page": 50})
    assert answer.status == 200
    texts = [one["content"]["rendered"] for one in answer.json]
    assert len(texts) == 20
    assert 1 <= sum(map(bool, texts)) < 20
    # Each is complete or left out, and each fits alone.
    assert {len(text) for text in texts if text} == {max(map(len, texts))}
    assert all(anyone.get(f"{POSTS}/{one['id']}").json["content"]["rendered"] for one in answer.json[-2:])


def test_revisions_and_comments_share_the_budget(admin: Client) -> None:
    id = written(admin, "<p>first</p>")
    for number in range(6):
        admin.post(f"{POSTS}/{id}", {"content": f"<p>{number} " + "old words " * 1_500 + "</p>"})
    shown = admin.get(f"{POSTS}/{id}/revisions", query={"per_page": 20}).json
    assert sum(bool(one["content"]["rendered"]) for one in shown) < len(shown) == 6
    for number in range(8):
        admin.post("/cms/v2/comments", {"post": id, "content": f"{number} " + "said " * 10_000})
    said = admin.get("/cms/v2/comments", query={"post": id, "per_page": 20})
    assert said.status == 200
    assert 1 <= sum(bool(one["content"]["rendered"]) for one in said.json) < 8


def test_raw_texts_are_never_cut_and_refused_when_they_are_too_many(admin: Client) -> None:
    for _ in range(5):
        written(admin, "r" * 100_000)
    answer = admin.get(POSTS, query={"context": "edit"})
    assert (answer.status, answer.code) == (413, "rest_answer_too_large")
    one = admin.get(POSTS, query={"context": "edit", "per_page": 1})
    assert (one.status, len(one.json[0]["content"]["raw"])) == (200, 100_000)


def test_blocks_that_nest_too_deep_are_left_out(admin: Client) -> None:
    start, end = "<!-- wp:group --><div>", "</div><!-- /wp:group -->"
    html = admin.get(f"{POSTS}/{written(admin, start * 150 + 'x' + end * 150)}").json["content"]["rendered"]
    assert 120 < html.count("<div") < 135


# -- writing


def test_the_saves_of_a_batch_do_not_cut_one_another(editor: Client, site: Stand) -> None:
    texts = [f"<p>{number} " + "whole " * 600 + "end</p>" for number in range(5)]
    answers = editor.post(
        BATCH, {"requests": [{"path": POSTS, "body": {"title": "x", "content": text}} for text in texts]}
    ).json["responses"]
    kept = [site.stored(one["body"]["id"]) for one in answers if one["status"] == 201]
    assert len(kept) >= 3
    assert all(one is not None and "end</p>" in one.content_html for one in kept)


def test_members_past_what_a_batch_weighs_are_refused_and_not_carried_out(editor: Client) -> None:
    members = [{"path": POSTS, "body": {"title": f"n{number}", "content": "word " * 1_000}} for number in range(10)]
    answer = editor.post(BATCH, {"requests": members})
    assert answer.status == 207
    statuses = [one["status"] for one in answer.json["responses"]]
    done = statuses.count(201)
    assert statuses == [201] * done + [413] * (10 - done)
    assert 1 <= done < 10
    refused = answer.json["responses"][-1]["body"]
    assert refused["code"] == "rest_batch_too_large"
    assert "30000 bytes" in refused["message"]
    drafts = editor.get(POSTS, query={"status": "draft", "context": "edit"}).json
    assert {one["title"]["raw"] for one in drafts} == {f"n{number}" for number in range(done)}


def test_a_body_of_too_many_values_is_refused(editor: Client) -> None:
    answer = editor.post(POSTS, {"title": "x", "meta": {"a": [[]] * 100_001}})
    assert (answer.status, answer.code) == (400, "rest_invalid_json")
    assert "100000 values" in answer.json["message"]


# -- in a thread


def test_what_moves_to_a_thread_is_done_once(editor: Client, site: Stand) -> None:
    before = int(editor.get(POSTS, query={"status": "draft"}).headers["x-cms-total"])
    # Small enough to be read in the event loop, and more than may be rendered there.
    id = editor.post(POSTS, {"title": "once", "content": "<p>words</p>" * 150}).json["id"]
    assert int(editor.get(POSTS, query={"status": "draft"}).headers["x-cms-total"]) == before + 1
    stored = site.stored(id)
    assert stored is not None
    assert stored.version == 1


def test_a_writer_that_finds_another_at_work_lets_others_be_answered(
    editor: Client, anyone: Client, site: Stand
) -> None:
    at_work, done = threading.Event(), threading.Event()

    def hold() -> None:
        with site.site.database.begin_write():
            at_work.set()
            done.wait(60)

    holding = threading.Thread(target=hold)
    holding.start()
    at_work.wait(60)
    answers: list[int] = []
    writing = threading.Thread(target=lambda: answers.append(editor.post(POSTS, {"title": "waits"}).status))
    writing.start()
    try:
        assert anyone.get(POSTS).status == 200
        assert not answers
    finally:
        done.set()
        holding.join()
        writing.join()
    assert answers == [201]


@pytest.mark.in_process("it is watched")
def test_a_long_save_holds_no_writer_up(editor: Client, site: Stand) -> None:
    free: list[bool] = []

    def write() -> None:
        # Another writer gets its turn while the text is rendered.
        with site.site.database.begin_write():
            free.append(True)

    with watch_calls(stored_texts.render_texts, then=write):
        answer = editor.post(POSTS, {"title": "long", "content": "<p>words</p>" * 6_000})
    assert (answer.status, free) == (201, [True])


def test_usual_requests_say_nothing(admin: Client, anyone: Client, caplog: pytest.LogCaptureFixture) -> None:
    id = written(admin, '<p>it\'s a "text"</p>')
    assert anyone.get(f"{POSTS}/{id}").status == 200
    assert not lines(caplog, "")
