"""Front ends that sign in with tokens, on a site whose accounts have passwords of their own."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Answer, Client, Stand
from vetrina.access.users import rules as users

PASSWORD = "a long own password"
TOKENS = "/access/v1/tokens"


class FrontEnd:
    """A program that signs in with tokens and keeps them."""

    def __init__(self, site: Stand, client: Client | None = None) -> None:
        self.client = client or site.client()
        self.tokens: dict[str, Any] = {}

    def sign_in(self, login: str = "author", **members: Any) -> Answer:
        answer = self.client.post(TOKENS, {"login": login, "password": PASSWORD, **members})
        if answer.status == 200:
            self.tokens = answer.json
        return answer

    def refresh(self, token: str = "") -> Answer:
        answer = self.client.post(f"{TOKENS}/refresh", {"refresh_token": token or self.tokens["refresh_token"]})
        if answer.status == 200 and not token:
            self.tokens = answer.json
        return answer

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.tokens['access_token']}"}

    def ask(self, method: str, path: str, **words: Any) -> Answer:
        return self.client.ask(method, path, headers={**self.headers, **words.pop("headers", {})}, **words)

    def get(self, path: str, **words: Any) -> Answer:
        return self.ask("GET", path, **words)

    def post(self, path: str, json: Any = None, **words: Any) -> Answer:
        return self.ask("POST", path, json=json, **words)

    def delete(self, path: str, **words: Any) -> Answer:
        return self.ask("DELETE", path, **words)


def give_passwords(site: Stand, *logins: str) -> None:
    """Give accounts passwords of their own."""
    with site.site.work() as work:
        for login in logins:
            user = users.find_user_by_login(work.tx, login)
            assert user is not None
            users.update_user(work, user, password=PASSWORD)


@pytest.fixture
def house(site: Stand) -> Stand:
    give_passwords(site, "author", "admin", "subscriber")
    return site


@pytest.fixture
def front_end(house: Stand) -> FrontEnd:
    """A front end that its author is signed in to."""
    made = FrontEnd(house)
    assert made.sign_in(name="phone").status == 200
    return made
