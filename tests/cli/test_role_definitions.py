"""Roles that a profile declares: what is wrong in them, and what they make of a site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import Client, made
from vetrina.access.users import rules as users
from vetrina.profile_checks import find_profile_faults
from vetrina.settings import Profile, ProfileRole, load_profile


def declare(**roles: dict[str, Any]) -> Profile:
    """Return the first profile with some declared roles."""
    return msgspec.structs.replace(
        load_profile("first"), role_definitions=msgspec.convert(roles, dict[str, ProfileRole])
    )


@pytest.mark.parametrize(
    ("name", "given", "path"),
    [
        ("administrator", {}, ()),
        ("Upper", {}, ()),
        ("manage_options", {}, ()),
        ("odd", {"base": "administrator"}, ("base",)),
        ("odd", {"base": "nobody"}, ("base",)),
        ("odd", {"capabilities": ["read", "fly"]}, ("capabilities", 1)),
        ("odd", {"remove": ["fly"]}, ("remove", 0)),
        ("odd", {"types": ["nothing"]}, ("types", 0)),
        ("odd", {"types": ["product"]}, ("types", 0)),
        ("odd", {"languages": ["xx"]}, ("languages", 0)),
        ("odd", {"languages": ["it"], "capabilities": ["manage_options"]}, ("capabilities", 0)),
    ],
)
def test_what_is_wrong_in_a_role_is_said(name: str, given: dict[str, Any], path: tuple[str | int, ...]) -> None:
    faults = list(find_profile_faults(declare(**{name: given})))
    assert [fault.path for fault in faults] == [("role_definitions", name, *path)]


def test_a_declared_role_counts(tmp_path: Path) -> None:
    profile = declare(
        writer={"label": "Writer", "base": "author", "remove": ["publish_posts"]},
        author={"capabilities": ["moderate_comments"]},
    )
    assert list(find_profile_faults(profile)) == []
    site = made(tmp_path, profile)
    admin = Client(site, "admin", "admin pass word")
    listed = {one["name"]: one for one in admin.get("/access/v1/roles").json}
    assert (listed["writer"]["origin"], listed["writer"]["label"]) == ("profile", "Writer")
    assert "publish_posts" not in listed["writer"]["capabilities"]
    assert {"moderate_comments", "publish_posts"} <= {*listed["author"]["capabilities"]}
    with site.work() as work:
        users.create_user(work, "one", "one@example.org", roles=("writer",))
        found = users.find_user_by_login(work.tx, "one", site.context.roles)
    assert found is not None
    assert found.can("edit_posts")
    assert not found.can("publish_posts")
    site.close()
