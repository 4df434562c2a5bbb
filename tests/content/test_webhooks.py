"""Webhooks for content: what is told, to whom, how it is signed, logged, tried again and stopped."""

from __future__ import annotations

import base64
import hashlib
import hmac
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import orjson
import pytest

from conftest import Client, SetClock, Stand
from foreign_host import Host, outbound_to
from vetrina.system import job_runner

HOOKS = "/cms/v2/webhooks"
POSTS = "/cms/v2/posts"
URL = "http://example.com/hook"
SECRET = "a secret of the test"


class Receiver:
    """A server that receives webhooks; status, location: of its response."""

    def __init__(self) -> None:
        self.status, self.location = 200, ""
        self.host = Host(self._answer)

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(self.status)
        if self.location:
            handler.send_header("Location", self.location)
        body = b"received" if self.status == 200 else b"no room"
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    @property
    def told(self) -> list[dict[str, Any]]:
        """Payloads of the deliveries, without pings."""
        payloads = [orjson.loads(body) for *_, body in self.host.asked]
        return [one for one in payloads if one["topic"] != "ping"]

    @property
    def topics(self) -> list[str]:
        return [one["topic"] for one in self.told]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.host.close()


def hook(client: Client, *topics: str, **members: Any) -> int:
    answer = client.post(HOOKS, {"topics": [*topics], "delivery_url": URL, "secret": SECRET, **members})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def work_off(site: Stand, receiver: Receiver) -> None:
    context = replace(site.site.context, outbound=outbound_to(receiver.host))
    job_runner.build_consumer(context, site.site.database).run_due_jobs()


@pytest.mark.every_database
def test_a_published_post_is_told_signed_as_the_interface_shows_it(
    site: Stand, admin: Client, receiver: Receiver
) -> None:
    id = hook(admin, "post.published")
    made = admin.post(POSTS, {"title": "Bread", "status": "publish"}).json
    work_off(site, receiver)
    [payload] = receiver.told
    assert payload["record"]["title"] == admin.get(f"{POSTS}/{made['id']}").json["title"]
    assert (payload["topic"], payload["type"], payload["id"]) == ("post.published", "post", made["id"])
    assert payload["webhook_id"] == id
    [(headers, body)] = [(one[2], one[3]) for one in receiver.host.asked if b'"ping"' not in one[3]]
    signature = base64.b64encode(hmac.new(SECRET.encode(), body, hashlib.sha256).digest()).decode()
    assert headers["x-cms-webhook-signature"] == signature
    assert headers["x-cms-webhook-topic"] == "post.published"
    assert headers["x-cms-webhook-delivery-id"] == payload["delivery_id"]


def test_each_event_of_a_post_is_told_once(site: Stand, admin: Client, receiver: Receiver) -> None:
    hook(admin, "post.*")
    id = admin.post(POSTS, {"title": "Bread"}).json["id"]
    for change in ({"title": "Rolls"}, {"status": "publish"}, {"status": "draft"}):
        assert admin.put(f"{POSTS}/{id}", change).status == 200
    assert admin.delete(f"{POSTS}/{id}").status == 200
    assert admin.put(f"{POSTS}/{id}", {"status": "draft"}).status == 200
    assert admin.delete(f"{POSTS}/{id}", query={"force": "true"}).status == 200
    work_off(site, receiver)
    assert sorted(receiver.topics) == sorted([
        "post.created", "post.updated", "post.published", "post.updated", "post.unpublished", "post.updated",
        "post.trashed", "post.restored", "post.deleted",
    ])  # fmt: skip
    [deleted] = [one for one in receiver.told if one["topic"] == "post.deleted"]
    assert (deleted["id"], deleted["record"]) == (id, None)


@pytest.mark.parametrize(
    ("topic", "path", "new"),
    [
        ("term.created", "/cms/v2/categories", {"name": "Rye"}),
        ("page.created", "/cms/v2/pages", {"title": "About"}),
        ("menu.created", "/cms/v2/menus", {"name": "Main"}),
        ("user.created", "/cms/v2/users", {"username": "ada", "email": "ada@example.com", "password": "x7-Rye-bread"}),
    ],
)
def test_other_content_is_told(
    site: Stand, admin: Client, receiver: Receiver, topic: str, path: str, new: dict[str, Any]
) -> None:
    hook(admin, topic)
    made = admin.post(path, new)
    assert made.status == 201, made.json
    work_off(site, receiver)
    [payload] = receiver.told
    assert (payload["topic"], payload["id"], payload["record"]["id"]) == (topic, made.json["id"], made.json["id"])


def test_changed_settings_are_told_once(site: Stand, admin: Client, receiver: Receiver) -> None:
    hook(admin, "options.updated")
    assert admin.post("/cms/v2/settings", {"title": "Bakery", "description": "Bread"}).status == 200
    work_off(site, receiver)
    [payload] = receiver.told
    assert (payload["topic"], payload["record"]["title"]) == ("options.updated", "Bakery")


def test_a_comment_is_told(site: Stand, admin: Client, receiver: Receiver) -> None:
    hook(admin, "comment.*")
    post = admin.post(POSTS, {"title": "Bread", "status": "publish"}).json["id"]
    assert admin.post("/cms/v2/comments", {"post": post, "content": "Good."}).status == 201
    work_off(site, receiver)
    assert receiver.topics == ["comment.created"]


def test_a_failed_write_tells_nobody(site: Stand, admin: Client, receiver: Receiver) -> None:
    hook(admin, "*")
    assert admin.post(POSTS, {"title": "Bread", "author": 99_999}).status == 400
    work_off(site, receiver)
    assert receiver.told == []


@pytest.mark.parametrize(("topic", "near"), [("post.publish", "post.published"), ("pots.created", "post.created")])
def test_a_topic_that_nothing_fires_is_refused_with_the_nearest(admin: Client, topic: str, near: str) -> None:
    answer = admin.post(HOOKS, {"topics": ["post.created", topic], "delivery_url": URL, "secret": SECRET})
    assert (answer.status, answer.json["code"]) == (400, "rest_invalid_param")
    message = answer.json["data"]["params"]["topics"]
    assert topic in message
    assert near in message


@pytest.mark.parametrize(
    "members", [{"delivery_url": "ftp://example.com/"}, {"secret": "short"}, {"topics": []}, {"status": "off"}]
)
def test_what_makes_no_webhook_is_refused_by_name(admin: Client, members: dict[str, Any]) -> None:
    answer = admin.post(HOOKS, {"topics": ["*"], "delivery_url": URL, "secret": SECRET, **members})
    assert (answer.status, answer.json["code"]) == (400, "rest_invalid_param")
    assert list(answer.json["data"]["params"]) == list(members)


def test_only_administrators_have_webhooks(site: Stand, admin: Client, editor: Client, anyone: Client) -> None:
    id = hook(admin, "post.*")
    with_log = f"{HOOKS}/{id}/deliveries"
    for client, status in ((editor, 403), (anyone, 401)):
        assert client.post(HOOKS, {"topics": ["*"], "delivery_url": URL, "secret": SECRET}).status == status
        for path in (HOOKS, f"{HOOKS}/{id}", f"{HOOKS}/topics", with_log, f"{with_log}/1"):
            assert client.get(path).status == status, path
        for path in (f"{HOOKS}/{id}/ping", f"{with_log}/1/redeliver"):
            assert client.post(path, {}).status == status, path
        assert client.put(f"{HOOKS}/{id}", {"delivery_url": "http://example.net/"}).status == status
        assert client.delete(f"{HOOKS}/{id}", query={"force": "true"}).status == status


def test_nothing_is_told_to_who_lost_the_right(site: Stand, admin: Client, receiver: Receiver) -> None:
    members = {"username": "second", "email": "second@example.com", "password": "second pass word"}
    second = admin.post("/cms/v2/users", {**members, "roles": ["administrator"]}).json["id"]
    key = admin.post(f"/cms/v2/users/{second}/application-passwords", {"name": "hooks"}).json["password"]
    id = hook(Client(site.site, "second", key), "post.*")
    admin.post(POSTS, {"title": "Told before, sent after"})
    assert admin.put(f"/cms/v2/users/{second}", {"roles": ["subscriber"]}).status == 200
    admin.post(POSTS, {"title": "Not even written"})
    work_off(site, receiver)
    assert receiver.host.asked == []
    log = admin.get(f"{HOOKS}/{id}/deliveries").json
    assert [one["topic"] for one in log] == ["post.created", "ping"]
    assert all("may no longer manage" in one["error"] for one in log)


def test_the_secret_is_never_shown(site: Stand, admin: Client, receiver: Receiver) -> None:
    id = hook(admin, "post.*")
    admin.post(POSTS, {"title": "Bread"})
    work_off(site, receiver)
    for path in (HOOKS, f"{HOOKS}/{id}", f"{HOOKS}/{id}/deliveries"):
        assert SECRET not in admin.get(path, query={"context": "edit"}).content.decode()


def test_a_refused_delivery_is_logged_and_tried_again(
    site: Stand, admin: Client, receiver: Receiver, clock: SetClock
) -> None:
    id = hook(admin, "post.created")
    work_off(site, receiver)
    receiver.status = 503
    admin.post(POSTS, {"title": "Bread"})
    work_off(site, receiver)
    log = f"{HOOKS}/{id}/deliveries"
    [one, _] = admin.get(log).json
    assert (one["state"], one["attempts"], one["response_status"]) == ("waiting", 1, 503)
    assert (one["error"], one["finished_gmt"]) == ("no room", None)
    receiver.status = 200
    clock.forward(61)
    work_off(site, receiver)
    shown = admin.get(f"{log}/{one['id']}", query={"context": "edit"}).json
    assert (shown["state"], shown["attempts"], shown["response_body"]) == ("delivered", 2, "received")
    assert [one["delivery_id"] for one in receiver.told] == [shown["delivery_id"]] * 2
    assert shown["payload"] == receiver.told[0]


def test_who_fails_too_often_is_disabled_with_the_reason(
    site: Stand, admin: Client, receiver: Receiver, clock: SetClock
) -> None:
    id = hook(admin, "post.created")
    work_off(site, receiver)
    receiver.status = 500
    for number in range(5):
        admin.post(POSTS, {"title": f"Bread {number}"})
    for _ in range(6):
        work_off(site, receiver)
        clock.forward(100_000)
    shown = admin.get(f"{HOOKS}/{id}").json
    assert (shown["status"], shown["failures"]) == ("disabled", 5)
    assert shown["reason"] == "5 deliveries in a row failed; the last one: no room"
    refused = admin.post(f"{HOOKS}/{id}/ping", {})
    assert (refused.status, refused.json["code"]) == (400, "rest_webhook_not_active")
    again = admin.put(f"{HOOKS}/{id}", {"status": "active"}).json
    assert (again["status"], again["failures"], again["reason"]) == ("active", 0, "")


def test_a_message_is_sent_again_under_its_name(site: Stand, admin: Client, receiver: Receiver) -> None:
    id = hook(admin, "post.created")
    admin.post(POSTS, {"title": "Bread"})
    work_off(site, receiver)
    [old, _] = admin.get(f"{HOOKS}/{id}/deliveries").json
    answer = admin.post(f"{HOOKS}/{id}/deliveries/{old['id']}/redeliver", {})
    assert (answer.status, answer.json["state"]) == (202, "waiting")
    assert answer.json["id"] != old["id"]
    work_off(site, receiver)
    assert [one["delivery_id"] for one in receiver.told] == [old["delivery_id"]] * 2
    assert admin.post(f"{HOOKS}/{id}/deliveries/99999/redeliver", {}).status == 404


def test_a_ping_says_that_the_webhook_exists(site: Stand, admin: Client, receiver: Receiver) -> None:
    id = hook(admin, "post.created")
    assert admin.post(f"{HOOKS}/{id}/ping", {}).status == 202
    work_off(site, receiver)
    payloads = [orjson.loads(body) for *_, body in receiver.host.asked]
    assert [(one["topic"], one["webhook_id"]) for one in payloads] == [("ping", id)] * 2


def test_nobody_in_the_own_network_is_told(site: Stand, admin: Client, receiver: Receiver) -> None:
    id = hook(admin, "post.created", delivery_url=f"http://127.0.0.1:{receiver.host.port}/")
    admin.post(POSTS, {"title": "Bread"})
    job_runner.build_consumer(site.site.context, site.site.database).run_due_jobs()
    assert receiver.host.asked == []
    log = admin.get(f"{HOOKS}/{id}/deliveries").json
    assert [(one["state"], one["response_status"]) for one in log] == [("waiting", 0)] * 2
    assert all("not" in one["error"] for one in log)


def test_a_redirect_leads_nowhere(site: Stand, admin: Client, receiver: Receiver) -> None:
    inner = Receiver()
    receiver.status, receiver.location = 307, f"http://127.0.0.1:{inner.host.port}/"
    hook(admin, "post.created")
    admin.post(POSTS, {"title": "Bread"})
    work_off(site, receiver)
    inner.host.close()
    assert (len(receiver.told), inner.host.asked) == (1, [])


def test_a_deleted_webhook_takes_its_log_along(site: Stand, admin: Client, receiver: Receiver) -> None:
    id = hook(admin, "post.created")
    assert admin.delete(f"{HOOKS}/{id}").json["code"] == "rest_trash_not_supported"
    assert admin.delete(f"{HOOKS}/{id}", query={"force": "true"}).json["deleted"] is True
    assert admin.get(f"{HOOKS}/{id}/deliveries").status == 404
    work_off(site, receiver)
    assert receiver.host.asked == []


@pytest.mark.parametrize("language", ["python", "js"])
def test_the_guide_verifies_signatures(language: str) -> None:
    guide = (Path(__file__).parents[2] / "docs/webhooks.md").read_text()
    code = guide.split(f"```{language}\n", 1)[1].split("```", 1)[0]
    body = b'{"topic": "post.published"}'
    good = base64.b64encode(hmac.new(SECRET.encode(), body, hashlib.sha256).digest()).decode()
    bad = base64.b64encode(hmac.new(b"another", body, hashlib.sha256).digest()).decode()
    if language == "python":
        space: dict[str, Any] = {}
        exec(code, space)
        assert [space["is_genuine"](SECRET, body, one) for one in (good, bad, "")] == [True, False, False]
        return
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    asked = ", ".join(f"isGenuine({SECRET!r}, {body.decode()!r}, {one!r})" for one in (good, bad, ""))
    script = f"{code}\nconsole.log(JSON.stringify([{asked}]));"
    out = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    assert orjson.loads(out.stdout) == [True, False, False]
