"""Signing in with tokens is in the audit trail, and what is done with them names their session.

Rules: docs/rules/audit.md, 1 and 2.
"""

from __future__ import annotations

from audit_trail import read_trail, told, watch_trail
from conftest import Stand

from .conftest import PASSWORD, FrontEnd

AUTHOR = 3


def test_a_session_of_tokens_is_told_and_names_what_it_does(house: Stand) -> None:
    front_end = FrontEnd(house)
    with watch_trail(house) as found:
        signed = front_end.sign_in(name="phone").json
    (entry,) = [one for one in found if one["kind"] == "session"]
    assert (entry["action"], entry["item"], entry["title"]) == ("created", signed["session"], "phone")
    assert (entry["account"], entry["login"], entry["address"]) == (AUTHOR, "author", "127.0.0.1")
    assert told(entry) == {"account": (None, AUTHOR), "kind": (None, "token")}
    with watch_trail(house) as found:
        answer = front_end.post("/cms/v2/posts", {"title": "Reeds", "status": "publish"})
        assert answer.status == 201, answer.json
    assert [(one["action"], one["source"], one["credential"]) for one in found] == [
        ("published", "token", signed["session"])
    ]
    whole = str(read_trail(house))
    for secret in (signed["access_token"], signed["refresh_token"], PASSWORD):
        assert secret not in whole


def test_wrong_passwords_are_told_when_they_are_too_many(house: Stand) -> None:
    most = house.site.context.profile.limits.sign_in_failures
    with watch_trail(house) as found:
        for number in range(most + 2):
            FrontEnd(house).sign_in(password=f"wrong {number}")
    assert [(one["action"], one["kind"], one["title"]) for one in found] == [("blocked", "user", "author")]
