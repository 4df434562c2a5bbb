"""The audit trail of a site: what leaves an entry, what it says, who reads it, how long it stays.

Rules: docs/rules/audit.md. The shop's part: tests/shop/test_audited_shop.py.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest

from audit_trail import ENTRIES, ask_trail, read_trail, say, told, trail_of, watch_trail
from conftest import ROLES, Answer, Client, SetClock, Stand, standing
from vetrina.access.audit import retention
from vetrina.access.users import rules as users
from vetrina.content.records import rules as records
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Request
from vetrina.settings import load_profile
from vetrina.system import job_runner

AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
EDITOR, AUTHOR = 2, 3
USERS, POSTS, HOOKS = "/cms/v2/users", "/cms/v2/posts", "/cms/v2/webhooks"
NEW = {"username": "wanda", "email": "wanda@example.org", "password": "a word for wanda", "roles": ["author"]}


def made(client: Client, path: str, **given: Any) -> Any:
    answer = client.post(path, given)
    assert answer.status == 201, answer.json
    return answer.json["id"]


@pytest.mark.every_database
def test_an_entry_says_who_did_what_from_where(site: Stand, admin: Client) -> None:
    admin.remote, admin.headers["user-agent"] = "203.0.113.9", AGENT
    uuid = admin.get(f"{USERS}/me/application-passwords/introspect").json["uuid"]
    (entry,) = trail_of(site, lambda: admin.post(f"{USERS}/{AUTHOR}", {"roles": ["editor"]}))
    assert say(entry) == ("changed", "user", str(AUTHOR))
    assert (entry["account"], entry["login"], entry["title"]) == (1, "admin", "author")
    assert (entry["source"], entry["credential"]) == ("app_password", uuid)
    assert (entry["address"], entry["agent"]) == ("203.0.113.9", AGENT)
    assert told(entry) == {"roles": (["author"], ["editor"])}
    shown = ask_trail(admin).json[0]
    assert shown["id"] == entry["id"]
    assert shown["changes"] == [{"member": "roles", "old": ["author"], "new": ["editor"]}]
    assert admin.get(f"{ENTRIES}/{entry['id']}").json["login"] == "admin"


@pytest.mark.parametrize(
    "given, said",
    [
        ({"password": "another word for all"}, {"password": None}),
        ({"email": "elsewhere@example.org"}, {"email": None}),
        ({"name": "Somebody", "description": "Likes reeds."}, {"name": None, "description": None}),
        ({"roles": ["author"], "url": "https://reeds.example"}, {"url": None}),
        ({"roles": ["editor", "author"], "password": "a third one"}, {"roles": (["author"], ["editor", "author"]),
                                                                       "password": None}),
    ],
)  # fmt: skip
def test_of_a_changed_account_roles_are_told_and_the_rest_by_name(
    site: Stand, admin: Client, given: dict[str, Any], said: dict[str, Any]
) -> None:
    (entry,) = [one for one in trail_of(site, lambda: admin.post(f"{USERS}/{AUTHOR}", given)) if one["kind"] == "user"]
    assert told(entry) == said


def test_an_account_is_made_and_removed(site: Stand, admin: Client) -> None:
    (entry,) = trail_of(site, lambda: admin.post(USERS, NEW))
    assert (entry["action"], entry["kind"], entry["title"]) == ("created", "user", "wanda")
    assert told(entry) == {"roles": (None, ["author"])}
    path = f"{USERS}/{entry['item']}?force=true&reassign=1"
    (gone,) = trail_of(site, lambda: admin.delete(path))
    assert (gone["action"], gone["title"], told(gone)) == ("removed", "wanda", {"roles": (["author"], None)})


def test_the_trail_of_a_removed_account_stays(site: Stand, admin: Client) -> None:
    editor = site.client("editor")
    assert editor.post(f"{USERS}/me/application-passwords", {"name": "Phone"}).status == 201
    assert admin.delete(f"{USERS}/{EDITOR}?force=true&reassign=1").status == 200
    (entry,) = [one for one in read_trail(site) if one["title"] == "Phone"]
    assert (entry["account"], entry["login"]) == (EDITOR, "editor")
    assert [one["id"] for one in ask_trail(admin, account=[EDITOR], action=["created"]).json] == [entry["id"]]


def test_application_passwords_are_made_renamed_and_revoked(site: Stand, admin: Client) -> None:
    path = f"{USERS}/{EDITOR}/application-passwords"
    (first,) = trail_of(site, lambda: admin.post(path, {"name": "Phone"}))
    assert (first["action"], first["kind"], first["title"]) == ("created", "app_password", "Phone")
    assert told(first) == {"account": (EDITOR, EDITOR)}
    (second,) = trail_of(site, lambda: admin.post(f"{path}/{first['item']}", {"name": "Old phone"}))
    assert told(second)["name"] == ("Phone", "Old phone")
    (third,) = trail_of(site, lambda: admin.delete(f"{path}/{first['item']}"))
    assert say(third) == ("removed", "app_password", first["item"])
    assert [say(one)[:2] for one in trail_of(site, lambda: admin.delete(path))] == [("removed", "app_password")]


def test_the_use_of_an_application_password_is_told_once_a_day(site: Stand, admin: Client, clock: SetClock) -> None:
    editor = site.client("editor")
    editor.remote = "203.0.113.9"
    for _ in range(3):
        editor.get(POSTS)
    (used,) = ask_trail(admin, account=[EDITOR], action=["used"]).json
    assert (used["kind"], used["source"], used["address"]) == ("app_password", "app_password", "203.0.113.9")
    assert used["item"] == used["credential"]
    clock.forward(86_401)
    editor.get(POSTS)
    assert len(ask_trail(admin, account=[EDITOR], action=["used"]).json) == 2


def test_wrong_guesses_at_an_account_are_told_when_they_reach_their_limit(site: Stand, admin: Client) -> None:
    thief = Client(site.site, "author", "a wrong word")
    thief.remote = "198.51.100.4"
    most = site.site.context.profile.limits.sign_in_failures
    for number in range(most + 3):
        thief.headers = Client(site.site, "author", f"a wrong word {number}").headers
        thief.get(POSTS)
    stranger = Client(site.site, "a password typed as a name", "word")
    stranger.remote = "198.51.100.5"
    for number in range(most + 1):
        stranger.headers = Client(site.site, "a password typed as a name", f"word {number}").headers
        stranger.get(POSTS)
    found = ask_trail(admin, action=["blocked"]).json
    assert [(one["kind"], one["item"], one["title"], one["address"]) for one in found] == [
        ("user", str(AUTHOR), "author", "198.51.100.4")
    ]
    assert "typed as a name" not in str(read_trail(site))


def test_settings_are_told_by_name_and_numbers_by_value(site: Stand, admin: Client) -> None:
    given = {"title": "Reeds", "posts_per_page": 3, "timezone": "Asia/Tokyo", "use_smilies": False}
    found = trail_of(site, lambda: admin.post("/cms/v2/settings", given))
    assert {one["item"]: told(one)["value"] for one in found} == {
        "title": None, "posts_per_page": (10, 3), "timezone": ("Europe/Rome", "Asia/Tokyo"),
        "use_smilies": (True, False),
    }  # fmt: skip
    assert {one["kind"] for one in found} == {"option"}
    assert trail_of(site, lambda: admin.post("/cms/v2/settings", given)) == []
    (reset,) = trail_of(site, lambda: admin.post("/cms/v2/settings", {"posts_per_page": None}))
    assert told(reset) == {"value": (3, None)}


def test_webhooks_are_told_without_address_and_secret(site: Stand, admin: Client) -> None:
    given = {
        "name": "Builds",
        "topics": ["post.*"],
        "delivery_url": "https://b.example/zqpqz",
        "secret": "zqsecretqz 01234",
    }
    (first,) = trail_of(site, lambda: admin.post(HOOKS, given))
    path = f"{HOOKS}/{first['item']}"
    assert (first["action"], first["kind"], first["title"]) == ("created", "webhook", "Builds")
    new = {"delivery_url": "https://b.example/zqotherqz", "secret": "zqnewqz 0123456789"}
    (second,) = trail_of(site, lambda: admin.post(path, new))
    assert told(second) == {"delivery_url": None, "secret": None}
    (third,) = trail_of(site, lambda: admin.delete(path, query={"force": True}))
    assert say(third) == ("removed", "webhook", first["item"])
    assert "zq" not in str(read_trail(site))


def test_records_are_published_trashed_restored_and_removed(site: Stand, admin: Client) -> None:
    draft = trail_of(site, lambda: admin.post(POSTS, {"title": "Reeds"}))
    assert draft == []
    id = admin.get(POSTS, query={"status": "draft"}).json[0]["id"]
    path = f"{POSTS}/{id}"
    assert trail_of(site, lambda: admin.post(path, {"title": "Reeds and herons"})) == []
    steps: list[tuple[Callable[[], Answer], str]] = [
        (lambda: admin.post(path, {"status": "publish"}), "published"),
        (lambda: admin.post(path, {"status": "draft"}), "unpublished"),
        (lambda: admin.delete(path), "trashed"),
        (lambda: admin.post(path, {"status": "draft"}), "restored"),
        (lambda: admin.delete(path, query={"force": True}), "removed"),
    ]
    for act, action in steps:
        (entry,) = trail_of(site, act)
        assert say(entry) == (action, "post", str(id))
        assert (entry["title"], entry["changes"]) == ("Reeds and herons", [])
    (entry,) = trail_of(site, lambda: admin.post(POSTS, {"title": "At once", "status": "publish"}))
    assert (entry["action"], entry["title"]) == ("published", "At once")


def test_comments_are_told_without_their_text_and_not_with_their_record(site: Stand, admin: Client) -> None:
    post = made(admin, POSTS, title="Reeds", status="publish")
    ids = [made(admin, "/cms/v2/comments", post=post, content=f"zqtextqz {number}") for number in range(2)]
    (entry,) = trail_of(site, lambda: admin.delete(f"/cms/v2/comments/{ids[0]}"))
    assert say(entry) == ("trashed", "comment", str(ids[0]))
    (entry,) = trail_of(site, lambda: admin.delete(f"/cms/v2/comments/{ids[0]}", query={"force": True}))
    assert say(entry) == ("removed", "comment", str(ids[0]))
    (entry,) = trail_of(site, lambda: admin.delete(f"{POSTS}/{post}", query={"force": True}))
    assert say(entry) == ("removed", "post", str(post))
    assert "zqtextqz" not in str(read_trail(site))


@pytest.mark.parametrize(
    "path, given, kind",
    [
        ("/cms/v2/categories", {"name": "Birds"}, "category"),
        ("/cms/v2/redirects", {"source": "/old", "target": "/new"}, "redirect"),
        ("/cms/v2/menus", {"name": "Main"}, "nav_menu"),
    ],
)
def test_whatever_is_removed_is_told(site: Stand, admin: Client, path: str, given: dict[str, Any], kind: str) -> None:
    id = made(admin, path, **given)
    (entry,) = trail_of(site, lambda: admin.delete(f"{path}/{id}", query={"force": True}))
    assert say(entry) == ("removed", kind, str(id))


def test_links_to_drafts_are_told_without_their_token(site: Stand, admin: Client) -> None:
    draft = made(admin, POSTS, title="Not yet")
    answer = admin.post(f"{POSTS}/{draft}/preview-links", {})
    assert answer.status == 201, answer.json
    (entry,) = [one for one in read_trail(site) if one["kind"] == "preview_link"]
    assert entry["action"] == "created"
    path = f"{POSTS}/{draft}/preview-links/{entry['item']}"
    (gone,) = trail_of(site, lambda: admin.delete(path, query={"force": True}))
    assert say(gone) == ("removed", "preview_link", entry["item"])


def test_backups_are_asked_for_fetched_and_removed(site: Stand, admin: Client) -> None:
    assert admin.post(f"{USERS}/me", {"password": "Grey heron 27 reeds"}).status == 200
    (entry,) = trail_of(site, lambda: admin.post("/cms/v2/backups", {"media": False}))
    assert (entry["action"], entry["kind"], told(entry)) == (
        "created", "backup", {"media": (None, False), "secrets": (None, False)},
    )  # fmt: skip
    job_runner.build_consumer(site.site.context, site.site.database).run_due_jobs()
    path = f"/cms/v2/backups/{admin.get('/cms/v2/backups').json[0]['name']}"
    with watch_trail(site) as found:
        assert admin.post(f"{path}/link", {"password": "wrong"}).status >= 400
        token = admin.post(f"{path}/link", {"password": "Grey heron 27 reeds"}).json["token"]
    assert [say(one) for one in found] == [("downloaded", "backup", path.rpartition("/")[2])]
    assert token not in str(read_trail(site))
    (gone,) = trail_of(site, lambda: admin.delete(path, query={"force": True}))
    assert say(gone) == ("removed", "backup", path.rpartition("/")[2])


# -- what leaves none, and how many


@pytest.mark.every_database
def test_a_request_that_is_refused_leaves_none(site: Stand, admin: Client) -> None:
    taken = {**NEW, "email": "editor@example.org"}
    with watch_trail(site) as found:
        assert admin.post(USERS, taken).status == 400
        assert admin.post(f"{USERS}/{AUTHOR}", {"roles": ["editor"], "email": "editor@example.org"}).status == 400
        assert site.client("author").delete(f"{USERS}/{EDITOR}?force=true&reassign=1").status == 403
    assert found == []


def test_a_rollback_takes_the_entry_along(site: Stand) -> None:
    class Failing(Exception):
        pass

    with watch_trail(site) as found:
        try:
            with site.site.work() as work:
                author = users.find_user(work.tx, AUTHOR)
                assert author is not None
                users.update_user(work, author, roles=("administrator",))
                raise Failing
        except Failing:
            pass
    assert found == []


def test_a_batch_leaves_one_for_each_member_that_was_done(site: Stand, admin: Client) -> None:
    ids = [made(admin, POSTS, title=f"Number {number}") for number in range(3)]
    requests = [{"method": "DELETE", "path": f"{POSTS}/{id}"} for id in ids]
    requests.insert(1, {"method": "DELETE", "path": f"{POSTS}/999999"})
    with watch_trail(site) as found:
        answer = admin.post("/batch/v1", {"requests": requests})
        assert answer.status == 207, answer.json
    assert [say(one) for one in found] == [("trashed", "post", str(id)) for id in ids]
    assert [one["title"] for one in found] == ["Number 0", "Number 1", "Number 2"]


def test_a_member_of_a_batch_that_is_undone_leaves_none(site: Stand) -> None:
    """What happened before the refusal is rolled back with the member, while the others are committed."""
    with site.site.work(read=True) as work:
        author = users.find_user(work.tx, AUTHOR)
    assert author is not None
    with watch_trail(site) as found, site.site.work() as work:
        try:
            with work.part(Request("POST", "/")) as part:
                users.update_user(part, author, roles=("administrator",))
                raise KeyError
        except KeyError:
            pass
        users.update_user(work, author, name="Somebody")
    assert [(say(one), told(one)) for one in found] == [(("changed", "user", str(AUTHOR)), {"name": None})]


def test_commands_and_jobs_are_told_as_such(site: Stand, admin: Client, clock: SetClock) -> None:
    (first,) = [one for one in read_trail(site) if say(one) == ("created", "user", "1")]
    assert (first["source"], first["account"], first["address"]) == ("command", 0, "")
    with site.site.work(read=True) as work:
        later = work.site.zone.to_local(work.now + 3600)
    id = made(admin, POSTS, title="Later", status="future", date=format_iso(later))
    clock.forward(3700)
    with watch_trail(site) as found:
        job_runner.build_consumer(site.site.context, site.site.database).run_due_jobs()
    assert [(say(one), one["source"], one["title"]) for one in found] == [
        (("published", "post", str(id)), "job", "Later")
    ]


def test_what_an_import_brings_leaves_no_entry_of_publishing(site: Stand) -> None:
    type = site.site.context.types["post"]
    with site.site.work(read=True) as work:
        admin = users.find_user(work.tx, 1)
    assert admin is not None
    with watch_trail(site) as found, site.site.work(admin, quiet=True) as work:
        records.create_record(work, type, {"title": "From elsewhere", "status": "publish"})
        users.create_user(work, "wanda", "wanda@example.org")
    assert [(one["action"], one["kind"], one["source"]) for one in found] == [("created", "user", "import")]


# -- reading


@pytest.mark.parametrize("role", [*ROLES, ""])
def test_only_administrators_read_it(site: Stand, role: str) -> None:
    login = {"administrator": "admin"}.get(role, role)
    client = site.client(login) if login else site.client()
    wanted = 200 if role == "administrator" else 403 if role else 401
    id = read_trail(site)[0]["id"]
    for path in (ENTRIES, f"{ENTRIES}/{id}", f"{ENTRIES}/export"):
        assert client.get(path).status == wanted, path


def test_it_takes_both_rights(site: Stand) -> None:
    with site.site.work() as work:
        editor = users.find_user(work.tx, EDITOR)
        assert editor is not None
        users.grant_capability(work, editor, "manage_options")
    assert site.client("editor").get(ENTRIES).status == 403
    with site.site.work() as work:
        editor = users.find_user(work.tx, EDITOR)
        assert editor is not None
        users.grant_capability(work, editor, "list_users")
    assert site.client("editor").get(ENTRIES).status == 200
    assert told(read_trail(site)[-1]) == {"capabilities": (None, ["list_users"])}


def test_nothing_of_it_is_written_over_the_interface(admin: Client) -> None:
    id = ask_trail(admin).json[0]["id"]
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        for path in (ENTRIES, f"{ENTRIES}/{id}"):
            answer = admin.ask(method, path, json={"login": "somebody"})
            assert (answer.status, answer.code) == (404, "rest_no_route")


@pytest.mark.every_database
def test_it_is_filtered_ordered_and_paged(site: Stand, admin: Client, clock: SetClock) -> None:
    admin.remote = "203.0.113.9"
    post = made(admin, POSTS, title="Herons", status="publish")
    clock.forward(3600)
    admin.remote = "203.0.113.77"
    admin.delete(f"{POSTS}/{post}")
    trail = read_trail(site)
    (trashed,) = [one for one in trail if one["action"] == "trashed"]

    def ids(**query: Any) -> list[int]:
        answer = ask_trail(admin, **query)
        assert answer.status == 200, answer.json
        return [one["id"] for one in answer.json]

    assert ids(kind=["post"], item=str(post)) == [trashed["id"], *[one["id"] for one in trail
                                                                     if one["action"] == "published"]]  # fmt: skip
    assert ids(action=["trashed"]) == ids(address="203.0.113.77", action=["trashed"]) == [trashed["id"]]
    assert trashed["id"] in ids(search="heRONs")
    assert ids(search="no such thing") == []
    assert ids(account=[0], kind=["user"], per_page=1, order="asc") == [trail[0]["id"]]
    assert ids(source=["command"], kind=["user"]) == ids(account=[0], kind=["user"])
    moment = ask_trail(admin, action=["trashed"]).json[0]["date_gmt"]
    assert ids(after=moment, kind=["post"]) == []
    assert ids(before=moment, action=["trashed"]) == []
    assert len(ids(before=moment, kind=["post"])) == 1
    first = ask_trail(admin, per_page=2)
    assert int(first.headers["x-cms-total"]) == len(ids(per_page=100))
    assert [one["id"] for one in first.json] + ids(per_page=2, page=2) == ids(per_page=4)
    assert admin.get(f"{ENTRIES}/999999").code == "rest_audit_entry_invalid_id"
    assert admin.get(f"{ENTRIES}/{10**30}").status in (400, 404)


def test_it_is_exported_as_csv_that_no_spreadsheet_computes(site: Stand, admin: Client) -> None:
    admin.headers["user-agent"] = '=HYPERLINK("https://evil.example")'
    made(admin, POSTS, title="+1 heron; \u201creeds\u201d, and more", status="publish")
    answer = admin.get(f"{ENTRIES}/export", query={"kind": ["post"]})
    assert answer.headers["content-type"].startswith("text/csv")
    assert "audit.csv" in answer.headers["content-disposition"]
    (row,) = csv.DictReader(io.StringIO(answer.content.decode(), newline=""))
    assert row["title"] == "'+1 heron; \u201creeds\u201d, and more"
    assert row["agent"].startswith("'=HYPERLINK")
    assert (row["login"], row["action"], row["kind"]) == ("admin", "published", "post")


# -- how long


def test_old_entries_are_deleted_in_steps(site: Stand, admin: Client, clock: SetClock) -> None:
    old = len(read_trail(site))
    # The site was prepared at the beginning of the run, some minutes or an hour ago.
    clock.forward(364 * 86_400)
    made(admin, POSTS, title="New", status="publish")
    with site.site.work() as work:
        retention.delete_old_entries(work)
    assert len(read_trail(site)) == old + 1
    clock.forward(86_400 + 60)
    while len(left := read_trail(site)) > 1:
        with site.site.work() as work:
            retention.delete_old_entries(work, 4)
        assert len(left) - len(read_trail(site)) <= 4
    assert [one["title"] for one in left] == ["New"]


def test_the_consumer_of_jobs_deletes_them(site: Stand, admin: Client, clock: SetClock) -> None:
    clock.forward(400 * 86_400)
    job_runner.build_consumer(site.site.context, site.site.database).run_due_jobs()
    assert [one for one in read_trail(site) if one["source"] == "command"] == []


def test_a_site_may_keep_none(request: pytest.FixtureRequest, kind: str) -> None:
    profile = load_profile("first", {"accounts.audit_days": 0})
    with standing(request, profile) as stand:
        admin = stand.client("admin")
        with stand.site.work() as work:
            retention.delete_old_entries(work)
        made(admin, POSTS, title="New", status="publish")
        assert read_trail(stand) == []
        assert ask_trail(admin).json == []
