"""What the audit trail says of those who sign in with tokens. Rules: docs/rules/audit.md, 2."""

from __future__ import annotations

from audit_trail import say, told, trail_of, watch_trail
from conftest import SetClock, Stand

from .conftest import TOKENS, FrontEnd


def test_who_signed_in_with_a_token_and_what_was_done_with_it(house: Stand, front_end: FrontEnd) -> None:
    made = FrontEnd(house)
    made.client.remote = "203.0.113.9"
    me = front_end.get("/cms/v2/users/me").json["id"]
    (begun,) = trail_of(house, lambda: made.sign_in(name="phone"))
    assert say(begun) == ("created", "session", made.tokens["session"])
    assert (begun["account"], begun["login"], begun["title"], begun["address"]) == (
        me,
        "author",
        "phone",
        "203.0.113.9",
    )
    assert told(begun)["kind"] == (None, "token")
    (changed,) = trail_of(house, lambda: made.post("/cms/v2/users/me", {"name": "Ann"}))
    assert (changed["source"], changed["credential"]) == ("token", made.tokens["session"])
    (ended,) = trail_of(house, lambda: made.delete(TOKENS))
    assert say(ended) == ("removed", "session", made.tokens["session"])
    for secret in (made.tokens["access_token"], made.tokens["refresh_token"]):
        assert secret not in str((begun, changed, ended))


def test_a_copied_refresh_token_leaves_an_entry(house: Stand, front_end: FrontEnd, clock: SetClock) -> None:
    first = front_end.tokens["refresh_token"]
    assert front_end.refresh().status == 200
    clock.forward(10)
    with watch_trail(house) as found:
        front_end.client.remote = "198.51.100.7"
        assert front_end.refresh(first).code == "rest_refresh_token_reused"
    (entry,) = found
    assert (*say(entry), entry["address"]) == ("removed", "session", front_end.tokens["session"], "198.51.100.7")


def test_guesses_at_a_password_are_told_once(house: Stand) -> None:
    client = house.client()
    with watch_trail(house) as found:
        for number in range(21):
            client.post(TOKENS, {"login": "author", "password": f"wrong {number}"})
    assert [(one["action"], one["kind"], one["title"]) for one in found] == [("blocked", "user", "author")]
