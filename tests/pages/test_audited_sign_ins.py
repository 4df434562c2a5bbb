"""Signing in and out on the pages leaves entries in the audit trail. Rules: docs/rules/audit.md, 1."""

from __future__ import annotations

from audit_trail import read_trail, told, watch_trail
from conftest import Stand

from .conftest import PASSWORD, Visitor

AUTHOR = 3


def test_signing_in_and_out_is_told_with_the_address(visitor: Visitor, house: Stand) -> None:
    with watch_trail(house) as found:
        assert visitor.sign_in().status == 303
    (entry,) = found
    assert (entry["action"], entry["kind"]) == ("created", "session")
    assert (entry["account"], entry["login"], entry["address"]) == (AUTHOR, "author", "127.0.0.1")
    assert told(entry) == {"account": (None, AUTHOR), "kind": (None, "browser")}
    with watch_trail(house) as found:
        form = visitor.get("/admin/sign-out").form
        assert visitor.post("/admin/sign-out", form).status == 303
    assert [(one["action"], one["item"], one["login"]) for one in found] == [("removed", entry["item"], "author")]
    assert found[0]["credential"] == entry["item"]


def test_a_wrong_password_is_no_entry_until_there_are_too_many(visitor: Visitor, house: Stand) -> None:
    most = house.site.context.profile.limits.sign_in_failures
    with watch_trail(house) as found:
        for _ in range(most - 1):
            visitor.sign_in("author", "wrong, and never the same")
    assert found == []
    with watch_trail(house) as found:
        for number in range(3):
            visitor.sign_in("author", f"wrong {number}")
    assert [(one["action"], one["kind"], one["title"]) for one in found] == [("blocked", "user", "author")]


def test_what_a_session_does_names_it_and_not_its_key(visitor: Visitor, house: Stand) -> None:
    visitor.sign_in()
    nonce = visitor.get("/admin/nonce").text
    id, _, key = visitor.cookies["cms_session"].partition(".")
    with watch_trail(house) as found:
        path = "/en/cms-json/cms/v2/users/me/application-passwords"
        assert visitor.post(path, {"name": "Phone"}, **{"x-cms-nonce": nonce}).status == 201
    (entry,) = found
    assert (entry["source"], entry["credential"], entry["login"]) == ("session", id, "author")
    whole = str(read_trail(house))
    assert key not in whole
    assert nonce not in whole
    assert PASSWORD not in whole
