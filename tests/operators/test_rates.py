"""Rate limits: counted by address and by key, reported in headers, exact over all workers, and off by default."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from cli.conftest import Made, Server
from conftest import Client, Stand, made
from vetrina.http.rate_limiter import PERIOD_SECONDS, RateLimiter
from vetrina.settings import load_profile


@pytest.fixture
def limited(tmp_path: Path) -> Callable[..., Stand]:
    sites = []

    def limit(**settings: object) -> Stand:
        sites.append(made(tmp_path, **settings))
        return Stand(sites[-1])

    yield limit
    for site in sites:
        site.close()


def test_without_a_limit_nothing_is_told(site: Stand) -> None:
    assert not [name for name in site.client().get("/cms/v2/tags").headers if name.startswith("ratelimit")]


def test_an_address_is_stopped_and_told_when_to_come_again(limited: Callable[..., Stand]) -> None:
    stand = limited(rate_per_address=3)
    anyone = stand.client()
    answers = [anyone.get("/cms/v2/tags") for _ in range(4)]
    assert [answer.status for answer in answers] == [200, 200, 200, 429]
    assert [answer.headers["ratelimit-remaining"] for answer in answers] == ["2", "1", "0", "0"]
    assert {answer.headers["ratelimit-limit"] for answer in answers} == {"3"}
    assert 0 < int(answers[0].headers["ratelimit-reset"]) <= 20
    refused = answers[-1]
    assert refused.code == "rest_too_many_requests"
    assert refused.json["data"] == {"status": 429}
    assert 0 < int(refused.headers["retry-after"]) <= 20
    assert "RateLimit-Limit" in refused.headers["access-control-expose-headers"]


def test_pages_are_limited_and_health_is_not(limited: Callable[..., Stand]) -> None:
    stand = limited(rate_per_address=1)
    outside = stand.client(root="")
    assert outside.get("/en/").status != 429
    assert outside.get("/en/").status == 429
    assert {outside.get("/health/ready").status for _ in range(3)} == {200}


def test_a_dialect_names_the_refusal_too(tmp_path: Path) -> None:
    site = made(tmp_path, load_profile("first", {"dialects": ["wordpress"]}), rate_per_address=1)
    client = Stand(site).client(root="/wp-json")
    assert [client.get("/wp/v2/tags").status, client.get("/wp/v2/tags").code] == [200, "rest_too_many_requests"]
    site.close()


def test_each_key_has_an_allowance_of_its_own(limited: Callable[..., Stand]) -> None:
    stand = limited(rate_per_key=2)
    admin, author, anyone = stand.client("admin"), stand.client("author"), stand.client()
    assert [admin.get("/cms/v2/users/me").status for _ in range(3)] == [200, 200, 429]
    assert author.get("/cms/v2/users/me").status == 200
    assert {anyone.get("/cms/v2/tags").status for _ in range(5)} == {200}


def test_a_second_password_of_an_account_counts_for_itself(limited: Callable[..., Stand]) -> None:
    stand = limited(rate_per_key=3)
    admin = stand.client("admin")
    made_now = admin.post("/cms/v2/users/me/application-passwords", {"name": "second"}).json
    second = Client(stand.site, "admin", made_now["password"])
    assert [admin.get("/cms/v2/users/me").status for _ in range(3)] == [200, 200, 429]
    assert second.get("/cms/v2/users/me").status == 200


def test_a_batch_counts_as_its_parts(limited: Callable[..., Stand]) -> None:
    stand = limited(rate_per_address=10)
    admin = stand.client("admin")
    parts = {"requests": [{"path": "/cms/v2/tags", "body": {"name": f"tag {n}"}} for n in range(6)]}
    answer = admin.post("/batch/v1", parts)
    assert (answer.status, answer.headers["ratelimit-remaining"]) == (207, "4")
    refused = admin.post("/batch/v1", parts)
    assert (refused.status, refused.code) == (429, "rest_too_many_requests")
    assert len(stand.client().get("/cms/v2/tags").json) == 6


def test_only_a_trusted_proxy_says_who_asks(limited: Callable[..., Stand]) -> None:
    stand = limited(rate_per_address=1)
    anyone = stand.client()
    answers = [anyone.get("/cms/v2/tags", headers={"x-forwarded-for": f"203.0.113.{n}"}).status for n in range(3)]
    assert answers == [200, 429, 429]


def test_behind_a_trusted_proxy_each_reader_counts_for_himself(limited: Callable[..., Stand]) -> None:
    stand = limited(rate_per_address=1, trust_proxy=True)
    anyone = stand.client()
    sent = ["203.0.113.1", "203.0.113.2", "6.6.6.6, 203.0.113.1"]
    assert [anyone.get("/cms/v2/tags", headers={"x-forwarded-for": one}).status for one in sent] == [200, 200, 429]


class Hand:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


def test_an_allowance_fills_up_at_an_even_pace() -> None:
    now = Hand()
    rates = RateLimiter(6, 0, "s", now=now)
    assert [rates.count_address("a").wait for _ in range(6)] == [0] * 6  # type: ignore[union-attr]
    assert rates.count_address("a").wait == 10  # type: ignore[union-attr]
    now.at += 10
    assert [rates.count_address("a").wait for _ in range(2)] == [0, 10]  # type: ignore[union-attr]
    now.at += PERIOD_SECONDS
    assert rates.count_address("a").remaining == 5  # type: ignore[union-attr]


@given(st.lists(st.tuples(st.floats(0, 30), st.integers(1, 5)), max_size=60), st.integers(1, 20))
def test_no_minute_lets_more_through_than_twice_the_limit(steps: list[tuple[float, int]], limit: int) -> None:
    now = Hand()
    rates = RateLimiter(limit, 0, "s", now=now)
    allowed: list[tuple[float, int]] = []
    for pause, requests in steps:
        now.at += pause
        standing = rates.count_address("x", requests)
        assert standing is not None
        assert 0 <= standing.remaining < limit
        if not standing.wait:
            allowed.append((now.at, min(requests, limit)))
    for start, _ in allowed:
        assert sum(count for at, count in allowed if start <= at < start + PERIOD_SECONDS) <= 2 * limit


def test_networks_of_the_sixth_version_count_as_one() -> None:
    rates = RateLimiter(1, 0, "s")
    assert rates.count_address("2001:db8:1:2::1").wait == 0  # type: ignore[union-attr]
    assert rates.count_address("2001:db8:1:2:ffff::9").wait > 0  # type: ignore[union-attr]
    assert rates.count_address("2001:db8:1:3::1").wait == 0  # type: ignore[union-attr]
    assert rates.count_address("::ffff:192.0.2.1").wait == 0  # type: ignore[union-attr]
    assert rates.count_address("192.0.2.1").wait > 0  # type: ignore[union-attr]


def test_a_table_that_is_full_goes_on_limiting() -> None:
    now = Hand()
    rates = RateLimiter(1, 0, "s", now=now)
    for number in range(80_000):
        rates.count_address(f"10.{number}")
    assert rates.count_address("late").wait == 0  # type: ignore[union-attr]
    assert rates.count_address("late").wait > 0  # type: ignore[union-attr]


def _spend(folder: Path, times: int, out: multiprocessing.Queue[int]) -> None:
    rates = RateLimiter(1000, 0, "s", folder)
    out.put(sum(rates.count_address("a").wait == 0 for _ in range(times)))  # type: ignore[union-attr]


def test_processes_count_together_to_the_last_request(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    out: multiprocessing.Queue[int] = context.Queue()
    workers = [context.Process(target=_spend, args=(tmp_path, 800, out)) for _ in range(2)]
    begun = time.monotonic()
    for worker in workers:
        worker.start()
    allowed = sum(out.get(timeout=60) for _ in workers)
    for worker in workers:
        worker.join()
    # Refill while they spend: a sixtieth of the limit each second.
    assert 1000 <= allowed <= 1000 + (time.monotonic() - begun) * 1000 / 60


@pytest.fixture
def server(serving: Callable[..., Server], made: Made) -> Server:
    return serving("--site", made.folder, "--workers", "2", "--set", "rate_per_address=30")


def test_workers_count_together(server: Server) -> None:
    statuses = [server.ask("GET", "/cms/v2/tags")[0] for _ in range(40)]
    assert statuses[:30] == [200] * 30
    # Half a request is refilled each second.
    assert statuses.count(429) >= 5
    assert server.stop() == 0
