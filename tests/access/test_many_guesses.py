"""Ten thousand guesses over HTTP at the passwords of an account open nothing, not even the right one among them."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Callable

import pytest

from conftest import Answer, Client, SetClock, Stand

from .conftest import PASSWORD

GUESSES = 5_000  # at each of two ways in
MOST = 20  # wrong ones from one address before all wait
WAIT = 60  # seconds

Attempt = Callable[[Client, str], Answer]


def enter_by_token(client: Client, password: str) -> Answer:
    return client.post("/access/v1/tokens", {"login": "author", "password": password})


def enter_by_header(client: Client, password: str) -> Answer:
    words = base64.b64encode(f"author:{password}".encode()).decode()
    return client.get("/cms/v2/users/me", headers={"authorization": f"Basic {words}"})


@pytest.mark.parametrize(
    ("enter", "right"),
    [(enter_by_token, PASSWORD), (enter_by_header, "author pass word")],
    ids=["password for tokens", "application password"],
)
def test_ten_thousand_guesses_open_nothing(house: Stand, clock: SetClock, enter: Attempt, right: str) -> None:
    anyone, answers = house.client(), Counter[int]()
    for number in range(GUESSES):
        # The right one is among them, after others have used up what may be guessed.
        answers[enter(anyone, right if number == GUESSES // 2 else f"guess {number}").status] += 1
    assert answers[200] == 0
    assert answers == {401: MOST, 429: GUESSES - MOST}
    clock.forward(WAIT + 1)
    assert enter(anyone, right).status == 200
