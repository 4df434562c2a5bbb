"""A site never loses its last administrator, whichever way somebody tries."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import SetClock, Stand
from permissions.test_roles import add_account
from vetrina.access.users import rules as users
from vetrina.core.user import User

from .account_mails import run_jobs
from .conftest import PASSWORD, set_passwords

REFUSED = (409, "rest_last_administrator")
OWN = "/cms/v2/users/me"


def find(stand: Stand, login: str) -> User | None:
    with stand.site.work(read=True) as work:
        return users.find_user_by_login(work.tx, login, work.site.roles)


def get_id(stand: Stand, login: str) -> int:
    found = find(stand, login)
    assert found is not None
    return found.id


def ways_out(stand: Stand) -> list[tuple[str, str, Any, dict[str, Any]]]:
    """Return every request by which an administrator could go: method, path, body, query."""
    id, heir = get_id(stand, "admin"), get_id(stand, "editor")
    gone = {"force": True, "reassign": heir}
    return [
        ("DELETE", OWN, None, gone),
        ("DELETE", f"/cms/v2/users/{id}", None, gone),
        ("POST", OWN, {"roles": ["shop_manager"]}, {}),
        ("PUT", f"/cms/v2/users/{id}", {"roles": ["shop_manager"]}, {}),
        ("PATCH", OWN, {"roles": []}, {}),
    ]


@pytest.mark.every_database
def test_the_last_administrator_goes_by_no_request(shop: Stand) -> None:
    admin = shop.client("admin")
    for method, path, body, query in ways_out(shop):
        answer = admin.ask(method, path, json=body, query=query)
        if body == {"roles": []}:
            assert answer.status == 403, answer.json
        else:
            assert (answer.status, answer.code) == REFUSED, (method, path, answer.json)
            assert "Make another account an administrator first" in answer.json["message"]
    parts = [
        {"method": method, "path": f"{path}?force=true&reassign=2", "body": body or {}}
        for method, path, body, _ in ways_out(shop)
    ]
    batch = admin.post("/batch/v1", {"requests": parts})
    assert all(one["status"] >= 400 for one in batch.json["responses"]), batch.json
    kept = find(shop, "admin")
    assert kept is not None
    assert kept.roles == ("administrator",)


def test_with_another_one_each_of_them_goes(shop: Stand) -> None:
    second = add_account(shop.site, "second", "administrator")
    admin = shop.client("admin")
    assert admin.post(OWN, {"roles": ["shop_manager"]}).status == 200
    refused = second.delete(OWN, query={"force": True, "reassign": get_id(shop, "admin")})
    assert (refused.status, refused.code) == REFUSED


def test_of_two_who_remove_each_other_one_stays(shop: Stand) -> None:
    add_account(shop.site, "second", "administrator")
    ids = {login: get_id(shop, login) for login in ("admin", "second")}
    heir = get_id(shop, "editor")
    first = shop.client("admin").delete(f"/cms/v2/users/{ids['second']}", query={"force": True, "reassign": heir})
    assert first.status == 200
    second = shop.client("admin").delete(OWN, query={"force": True, "reassign": heir})
    assert (second.status, second.code) == REFUSED


def test_who_became_a_manager_meanwhile_is_not_erased(shop: Stand, clock: SetClock) -> None:
    set_passwords(shop, "author")
    author, admin = shop.client("author"), shop.client("admin")
    assert author.post("/access/v1/account/closing", {"current_password": PASSWORD}).status == 202
    id = get_id(shop, "author")
    assert admin.post(f"/cms/v2/users/{id}", {"roles": ["administrator"]}).status == 200
    assert (
        shop.client("author")
        .delete(f"/cms/v2/users/{get_id(shop, 'admin')}", query={"force": True, "reassign": id})
        .status
        == 200
    )
    clock.forward(60 * 86_400)
    run_jobs(shop)
    kept = find(shop, "author")
    assert kept is not None
    assert kept.roles == ("administrator",)
    assert shop.client("author").get("/access/v1/account/closing").code == "rest_no_closing"
