"""Roles over the interface: made, changed, removed, and never more than who gives them has."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from audit_trail import say, told, trail_of
from conftest import Answer, Client, Stand, made
from served import Server, founded
from vetrina.access.roles.role_rights import list_roles
from vetrina.access.users import rules as users
from vetrina.settings import load_profile
from vetrina.site import Site

ROLES, USERS = "/access/v1/roles", "/cms/v2/users"


def add_account(site: Site, login: str, *roles: str) -> Client:
    """Make an account with roles, and return a client that is signed in as it."""
    with site.work() as work:
        users.create_user(work, login, f"{login}@example.org", roles=roles, password=f"{login} pass word")
        account = users.find_user_by_login(work.tx, login)
        assert account is not None
    password = Client(site, "admin", "admin pass word").post(
        f"{USERS}/{account.id}/application-passwords", {"name": "test"}
    )
    assert password.status == 201, password.json
    return Client(site, login, password.json["password"])


def add_role(site: Stand, name: str, *capabilities: str, **more: Any) -> Answer:
    return site.client("admin").post(ROLES, {"name": name, "label": name, "capabilities": [*capabilities], **more})


@pytest.mark.every_database
def test_a_role_is_made_changed_and_removed(site: Stand) -> None:
    admin = site.client("admin")
    made_role = admin.post(
        ROLES, {"name": "translator_it", "label": "Translator of Italian", "base": "author", "languages": ["it"]}
    )
    assert made_role.status == 201, made_role.json
    assert made_role.json["languages"] == ["it"]
    assert "edit_posts" in made_role.json["capabilities"]
    assert "level_2" not in made_role.json["capabilities"]  # cannot be limited
    assert made_role.json["origin"] == "stored"
    changed = admin.patch(f"{ROLES}/translator_it", {"label": "Italian"})
    assert (changed.status, changed.json["label"]) == (200, "Italian")
    assert [one["name"] for one in admin.get(ROLES).json][-1] == "translator_it"
    gone = admin.delete(f"{ROLES}/translator_it")
    assert gone.json["previous"]["label"] == "Italian"
    assert admin.get(f"{ROLES}/translator_it").code == "rest_role_invalid_name"


def test_the_audit_trail_tells_what_a_role_got_and_lost(site: Stand) -> None:
    admin = site.client("admin")
    given = {"name": "sorter", "label": "Sorter", "capabilities": ["read", "edit_posts"]}
    (entry,) = trail_of(site, lambda: admin.post("/access/v1/roles", given))
    assert (say(entry), entry["title"]) == (("created", "role", "sorter"), "Sorter")
    assert told(entry) == {"capabilities": ([], ["edit_posts", "read"])}
    changed = {"capabilities": ["read", "publish_posts"], "languages": ["it"]}
    (entry,) = trail_of(site, lambda: admin.patch("/access/v1/roles/sorter", changed))
    assert told(entry) == {"capabilities": (["edit_posts"], ["publish_posts"]), "languages": ([], ["it"])}
    (entry,) = trail_of(site, lambda: admin.delete("/access/v1/roles/sorter"))
    assert say(entry) == ("removed", "role", "sorter")
    assert told(entry)["languages"] == (["it"], [])


def test_who_may_see_and_change_roles(site: Stand) -> None:
    for path in (ROLES, f"{ROLES}/author", "/access/v1/capabilities"):
        assert site.client().get(path).status == 401
        assert site.client("editor").get(path).code == "rest_cannot_view_roles"
        assert site.client("admin").get(path).status == 200
    lister = add_account(site.site, "lister", "subscriber")
    add_role(site, "lists", "read", "list_users")
    site.client("admin").patch(f"{USERS}/{_find_id(site, 'lister')}", {"roles": ["lists"]})
    assert lister.get(ROLES).status == 200
    for answer in (
        lister.post(ROLES, {"name": "more", "label": "More"}),
        lister.patch(f"{ROLES}/lists", {"label": "Lists"}),
        lister.delete(f"{ROLES}/lists"),
    ):
        assert (answer.status, answer.code) == (403, "rest_cannot_manage_roles")


def _find_id(site: Stand, login: str) -> int:
    with site.site.work(read=True) as work:
        found = users.find_user_by_login(work.tx, login)
    assert found is not None
    return found.id


def make_manager(site: Stand) -> Client:
    """Return a client who may manage roles, and otherwise only write posts."""
    assert add_role(
        site, "manager", "read", "promote_users", "manage_options", "edit_users", "create_users", "list_users",
        "edit_posts",
    ).status == 201  # fmt: skip
    return add_account(site.site, "manager", "manager")


def test_nobody_gives_a_role_more_than_they_have(site: Stand) -> None:
    manager = make_manager(site)
    fine = manager.post(ROLES, {"name": "writer", "label": "Writer", "capabilities": ["read", "edit_posts"]})
    assert fine.status == 201, fine.json
    more = {"name": "boss", "label": "Boss", "capabilities": ["read", "delete_users"]}
    for answer in (
        manager.post(ROLES, more),
        manager.post(ROLES, {"name": "boss", "label": "Boss", "base": "editor"}),
        manager.post(ROLES, {"name": "boss", "label": "Boss", "base": "editor", "types": ["post"]}),
        manager.post(ROLES, {"name": "boss", "label": "Boss", "base": "administrator"}),
        manager.patch(f"{ROLES}/writer", {"capabilities": ["publish_posts"]}),
        manager.patch(f"{ROLES}/writer", {"capabilities": ["publish_posts"], "types": ["post"], "languages": ["it"]}),
        manager.patch(f"{ROLES}/manager", {"capabilities": ["promote_users", "manage_options", "delete_users"]}),
        manager.patch(f"{ROLES}/editor", {"capabilities": ["edit_posts"]}),
        manager.delete(f"{ROLES}/editor"),
    ):
        assert (answer.status, answer.code) == (403, "rest_role_beyond_caller"), answer.json
    assert manager.patch(f"{ROLES}/administrator", {"label": "Boss"}).code == "rest_role_fixed"
    batch = manager.post(
        "/batch/v1", {"requests": [{"method": "POST", "path": ROLES, "body": more}]},
    )  # fmt: skip
    assert [one["status"] for one in batch.json["responses"]] == [400]
    assert site.client("admin").get(f"{ROLES}/boss").status == 404
    assert site.client("admin").get(f"{ROLES}/boss").status == 404


def test_nobody_assigns_a_role_with_more_than_they_have(site: Stand) -> None:
    manager = make_manager(site)
    own = _find_id(site, "manager")
    new = {"username": "new", "email": "new@example.org", "password": "a long pass word"}
    for roles in (["administrator"], ["editor"], ["manager", "author"]):
        for answer in (
            manager.patch(f"{USERS}/{own}", {"roles": roles}),
            manager.post(f"{USERS}/{_find_id(site, 'subscriber')}", {"roles": roles}),
            manager.post(USERS, {**new, "roles": roles}),
        ):
            assert answer.status == 403, answer.json
            assert answer.code in ("rest_role_beyond_caller", "rest_user_invalid_role", "rest_cannot_edit_roles")
    made_user = manager.post(USERS, {**new, "roles": ["manager"]})
    assert made_user.status == 201, made_user.json
    sent = manager.post(f"{USERS}/{own}", {"capabilities": {"delete_users": True}, "extra_capabilities": {"x": True}})
    assert "delete_users" not in sent.json["capabilities"]


def test_an_account_with_more_rights_is_out_of_reach(site: Stand) -> None:
    manager = make_manager(site)
    for login in ("admin", "editor"):
        id = _find_id(site, login)
        for answer in (
            manager.post(f"{USERS}/{id}", {"password": "a long pass word"}),
            manager.post(f"{USERS}/{id}", {"roles": ["subscriber"]}),
            manager.post(f"{USERS}/{id}/application-passwords", {"name": "mine"}),
        ):
            assert answer.status == 403, (login, answer.json)


def test_the_last_administrator_stays_one(site: Stand) -> None:
    admin = site.client("admin")
    add_role(site, "almost", "read", "edit_users", "promote_users")
    kept = admin.post(f"{USERS}/me", {"roles": ["almost"]})
    assert (kept.status, kept.code) == (409, "rest_last_administrator")
    add_account(site.site, "second", "administrator")
    assert admin.post(f"{USERS}/me", {"roles": ["almost"]}).status == 200


def test_a_role_in_use_needs_another_one(site: Stand) -> None:
    admin = site.client("admin")
    add_role(site, "guest_writer", "read", "edit_posts")
    add_account(site.site, "guest", "guest_writer", "subscriber")
    refused = admin.delete(f"{ROLES}/guest_writer")
    assert (refused.status, refused.code) == (409, "rest_role_in_use")
    assert admin.delete(f"{ROLES}/guest_writer", query={"reassign": "nothing"}).code == "rest_user_invalid_role"
    assert admin.delete(f"{ROLES}/guest_writer", query={"reassign": "subscriber"}).status == 200
    assert admin.get(f"{USERS}/{_find_id(site, 'guest')}", query={"context": "edit"}).json["roles"] == ["subscriber"]


def test_a_role_of_the_profile_is_changed_and_reset(site: Stand) -> None:
    admin, author = site.client("admin"), site.client("author")
    assert admin.delete(f"{ROLES}/author").code == "rest_role_of_profile"
    before = admin.get(f"{ROLES}/author").json
    assert author.post("/cms/v2/posts", {"title": "a", "status": "publish"}).status == 201
    assert admin.patch(f"{ROLES}/author", {"capabilities": ["read", "edit_posts"]}).json["changed"] is True
    assert author.post("/cms/v2/posts", {"title": "b", "status": "publish"}).code == "rest_cannot_publish"
    assert admin.delete(f"{ROLES}/author").status == 200
    assert admin.get(f"{ROLES}/author").json == before
    assert author.post("/cms/v2/posts", {"title": "c", "status": "publish"}).status == 201


def test_the_name_of_a_role_gives_nothing(site: Stand) -> None:
    named = add_role(site, "manage_options", "read")
    assert (named.status, named.json["data"]["params"].keys()) == (400, {"name"})
    with site.site.work() as work:
        users.create_user(work, "odd", "odd@example.org", roles=("delete_everything",))
        found = users.find_user_by_login(work.tx, "odd", work.site.roles)
    assert found is not None
    assert not found.can("delete_everything")


@pytest.mark.parametrize(
    ("sent", "param"),
    [
        ({"capabilities": ["edit_post"]}, "capabilities"),
        ({"capabilities": ["manage_options"], "languages": ["it"]}, "capabilities"),
        ({"types": ["recipes"]}, "types"),
        ({"types": ["cms_navigation"]}, "types"),
        ({"languages": ["xx"]}, "languages"),
        ({"name": "Upper"}, "name"),
        ({"name": "a" * 100}, "name"),
    ],
)
def test_what_is_wrong_is_named(site: Stand, sent: dict[str, Any], param: str) -> None:
    answer = site.client("admin").post(ROLES, {"name": "odd", "label": "Odd", "capabilities": [], **sent})
    assert answer.status == 400, answer.json
    assert param in answer.json["data"]["params"], answer.json


def test_an_editor_of_one_type_writes_nothing_else(site: Stand) -> None:
    assert add_role(site, "interventions", base="editor", types=["intervento"]).status == 201
    editor = add_account(site.site, "narrow", "interventions")
    assert editor.post("/cms/v2/intervento", {"title": "a", "status": "publish"}).status == 201
    assert editor.post("/cms/v2/posts", {"title": "a"}).code == "rest_cannot_create"
    assert editor.get("/cms/v2/posts", query={"context": "edit"}).code == "rest_forbidden_context"
    assert editor.get("/cms/v2/types/intervento", query={"context": "edit"}).status == 200
    for path in ("/cms/v2/settings", "/cms/v2/users", "/cms/v2/plugins", "/cms/v2/redirects"):
        assert editor.get(path, query={"context": "edit"}).status == 403, path
    for path in ("/cms/v2/templates", "/cms/v2/menus", "/cms/v2/navigation"):
        assert editor.post(path, {"name": "a", "title": "a", "slug": "a"}).status == 403, path
    me = editor.get(f"{USERS}/me", query={"context": "edit"}).json
    assert me["roles"] == ["interventions"]
    assert "edit_posts" not in me["capabilities"]


def test_who_writes_in_one_language_moves_nothing_into_another(site: Stand) -> None:
    assert add_role(site, "italian", base="editor", languages=["it"]).status == 201
    writer = add_account(site.site, "italian", "italian")
    writer.root = "/it/cms-json"
    post = writer.post("/cms/v2/posts", {"title": "uno"})
    assert (post.status, post.json["lang"]) == (201, "it")
    path = f"/cms/v2/posts/{post.json['id']}"
    assert writer.post(path, {"lang": "en"}).code == "rest_cannot_edit"
    assert writer.post("/cms/v2/posts", {"title": "one", "lang": "en"}).code == "rest_cannot_create"
    term = writer.post("/cms/v2/categories", {"name": "Primi"})
    assert term.status == 201, term.json
    assert writer.post(f"/cms/v2/categories/{term.json['id']}", {"lang": "en"}).code == "rest_cannot_update"
    assert writer.post("/cms/v2/categories", {"name": "First", "lang": "en"}).code == "rest_cannot_create"


def test_brand_names_get_round_nothing(tmp_path: Path) -> None:
    second = msgspec.structs.replace(load_profile("second"), dialects=("neutral", "wordpress"))
    site = made(tmp_path, second)
    stand = Stand(site)
    manager = make_manager(stand)
    manager.root = "/wp-json"
    for capability, status in (("manage_woocommerce", 400), ("manage_shop", 403), ("unfiltered_html", 403)):
        sent = {"name": f"role_{capability}", "label": "Boss", "capabilities": [capability]}
        assert manager.post(ROLES, sent).status == status, capability
    named = manager.post(ROLES, {"name": "manage_woocommerce", "label": "Boss", "capabilities": []})
    assert named.status == 201
    account = add_account(site, "named", "manage_woocommerce")
    assert account.get("/shop/v3/orders").status == 403
    with site.work(read=True) as work:
        assert "manage_shop" not in list_roles(work.tx, site.context.roles)
    site.close()


@pytest.fixture
def folder(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    database = request.getfixturevalue("postgres").new() if kind == "postgresql" else ""
    yield founded(tmp_path, database)
    if database:
        request.getfixturevalue("postgres").drop(database)


@pytest.mark.every_database
def test_a_changed_role_counts_at_the_next_request_of_another_process(folder: Path) -> None:
    with Server(folder) as one, Server(folder) as other:
        admin, writer = one.line(), other.line()
        status, _ = admin.ask("POST", ROLES, {"name": "writer", "label": "W", "capabilities": ["read", "edit_posts"]})
        assert status == 201
        account = {"username": "writer", "email": "w@example.org", "password": "a long pass word", "roles": ["writer"]}
        _, made_account = admin.ask("POST", USERS, account)
        _, password = admin.ask("POST", f"{USERS}/{made_account['id']}/application-passwords", {"name": "test"})
        pair = base64.b64encode(f"writer:{password['password']}".encode()).decode()
        writer.signed = {"Authorization": f"Basic {pair}"}
        for capabilities, status in ([["read"], 403], [["read", "edit_posts"], 201]) * 10:
            assert admin.ask("PATCH", f"{ROLES}/writer", {"capabilities": capabilities})[0] == 200
            assert writer.ask("POST", "/cms/v2/posts", {"title": "a"})[0] == status


def test_what_belongs_to_a_record_follows_it(site: Stand) -> None:
    admin = site.client("admin")
    assert add_role(site, "posts_only", base="editor", types=["post"]).status == 201
    editor = add_account(site.site, "narrow", "posts_only")
    post = admin.post("/cms/v2/posts", {"title": "a", "content": "one", "status": "draft"}).json["id"]
    page = admin.post("/cms/v2/pages", {"title": "a", "content": "one", "status": "draft"}).json["id"]
    for path, id in (("/cms/v2/posts", post), ("/cms/v2/pages", page)):
        admin.post(f"{path}/{id}", {"content": "two"})
        mine = path.endswith("posts")
        for answer in (
            editor.get(f"{path}/{id}"),
            editor.get(f"{path}/{id}", query={"context": "edit"}),
            editor.get(f"{path}/{id}/revisions"),
            editor.get(f"{path}/{id}/autosaves"),
            editor.post(f"{path}/{id}/autosaves", {"title": "b", "content": "three"}),
            editor.post(f"{path}/{id}/preview-links", {}),
            editor.post(f"/cms/v2/edit-locks/{id}", {}),
            editor.delete(f"{path}/{id}"),
        ):
            assert (answer.status < 300) == mine, (path, answer.json)
            assert mine or answer.status == 403
    assert {one["id"] for one in editor.get("/cms/v2/posts", query={"context": "edit", "status": "trash"}).json} == {
        post
    }


def test_who_uploads_within_a_type_keeps_to_the_own_files(site: Stand) -> None:
    assert add_role(site, "posts_only", base="editor", types=["post"]).status == 201
    editor = add_account(site.site, "narrow", "posts_only")
    sent = {"content-disposition": 'attachment; filename="a.txt"', "content-type": "text/plain"}
    own = editor.ask("POST", "/cms/v2/media", body=b"text", headers=sent)
    assert own.status == 201, own.json
    other = site.client("admin").ask("POST", "/cms/v2/media", body=b"text", headers=sent)
    for id, status in ((own.json["id"], 200), (other.json["id"], 403)):
        assert editor.post(f"/cms/v2/media/{id}", {"title": "b"}).status == status
        assert editor.delete(f"/cms/v2/media/{id}", query={"force": True}).status == status


def test_the_comments_of_a_record_are_for_who_may_edit_it(site: Stand) -> None:
    admin = site.client("admin")
    assert add_role(site, "italian", base="editor", languages=["it"]).status == 201
    editor = add_account(site.site, "narrow", "italian")
    for language, status in (("it", 200), ("en", 403)):
        writer = site.client("admin", f"/{language}/cms-json")
        post = writer.post("/cms/v2/posts", {"title": "a", "status": "publish"}).json["id"]
        comment = admin.post("/cms/v2/comments", {"post": post, "content": "Ciao"}).json["id"]
        assert editor.post(f"/cms/v2/comments/{comment}", {"status": "hold"}).status == status
        assert editor.delete(f"/cms/v2/comments/{comment}", query={"force": True}).status == status


def test_the_role_of_who_registers_runs_nothing(site: Stand) -> None:
    answer = site.client("admin").patch(f"{ROLES}/subscriber", {"capabilities": ["read", "edit_users"]})
    assert (answer.status, answer.json["data"]["params"].keys()) == (400, {"capabilities"})
