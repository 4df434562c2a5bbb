"""What webhooks are told of translations: records and terms that become one, and the jobs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conftest import Client, Stand
from content.test_webhooks import Receiver, hook, work_off

from .conftest import Desk


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.host.close()


def test_a_translation_is_told_when_it_is_made(site: Stand, admin: Client, receiver: Receiver) -> None:
    italian = site.client("admin", "/it/cms-json")
    hook(admin, "post.translated", "term.translated")
    of = admin.post("/cms/v2/posts", {"title": "Bread", "status": "publish"}).json
    made = italian.post("/cms/v2/posts", {"title": "Pane", "status": "publish", "translations": {"en": of["id"]}}).json
    term = admin.post("/cms/v2/categories", {"name": "Bread"}).json
    other = italian.post("/cms/v2/categories", {"name": "Pane", "translations": {"en": term["id"]}}).json
    work_off(site, receiver)
    post, category = receiver.told
    assert (post["topic"], post["id"], post["record"]["lang"]) == ("post.translated", made["id"], "it")
    assert f"post-{of['id']}" in post["tags"]
    assert (category["topic"], category["id"]) == ("term.translated", other["id"])


def test_a_job_is_told_until_its_translation_is_there(
    site: Stand, admin: Client, desk: Desk, receiver: Receiver
) -> None:
    page = desk.it.post("/cms/v2/pages", {"title": "Pagina", "content": "<p>Uno</p>", "status": "publish"}).json
    hook(admin, "translation_job.*", "page.translated")
    job = desk.send("post_page", page["id"])
    desk.translate(job)
    work_off(site, receiver)
    assert receiver.topics[0] == "translation_job.created"
    assert {"translation_job.completed", "page.translated"} < set(receiver.topics)
    done = next(one for one in receiver.told if one["topic"] == "translation_job.completed")
    assert (done["id"], done["record"]["jobs"][0]["id"]) == (int(job["id"]), job["id"])
    translated = next(one for one in receiver.told if one["topic"] == "page.translated")
    assert (translated["record"]["lang"], translated["record"]["title"]["rendered"]) == ("en", "EN Pagina")


def test_a_job_is_told_when_its_source_changes(site: Stand, admin: Client, desk: Desk, receiver: Receiver) -> None:
    page = desk.it.post("/cms/v2/pages", {"title": "Pagina", "content": "<p>Uno</p>", "status": "publish"}).json
    desk.translate(desk.send("post_page", page["id"]))
    hook(admin, "translation_job.updated")
    desk.it.post(f"/cms/v2/pages/{page['id']}", {"content": "<p>Due</p>"})
    work_off(site, receiver)
    [payload] = receiver.told
    assert payload["record"]["jobs"][0]["needs_update"] is True
