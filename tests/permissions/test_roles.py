"""Roles over the interface: made, changed, removed, and never more than who gives them has."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Answer, Client, Stand, made
from vetrina.access.users import rules as users
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
