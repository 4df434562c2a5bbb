"""Prometheus metrics: bounded, exact over all workers, and restricted."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from cli.conftest import Made, Server
from conftest import Stand, made
from vetrina.settings import SettingsError

TOKEN = "a token of the tests"


@pytest.fixture
def counted(tmp_path: Path) -> Iterator[Stand]:
    site = made(tmp_path, metrics="local")
    yield Stand(site)
    site.close()


def samples(text: str) -> dict[tuple[str, ...], float]:
    """Return the samples of a page by name and label values."""
    return {
        (sample.name, *(value for name, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def read(stand: Stand, **words: str) -> dict[tuple[str, ...], float]:
    answer = stand.client(root="").get("/metrics", headers=words)
    assert answer.status == 200
    return samples(answer.content.decode())


def test_requests_are_counted_by_route_and_never_by_address(counted: Stand) -> None:
    anyone = counted.client()
    for number in (1, 2, 3, 99):
        anyone.get(f"/cms/v2/posts/{number}")
    anyone.get("/cms/v2/posts")
    anyone.get("/cms/v2/posts")
    anyone.ask("BREW", "/nowhere/at/all")
    counted.client(root="").get("/en/a-page-that-is-not-there/")
    found = read(counted)
    assert found["vetrina_requests_total", "GET", "/cms/v2/posts/{id}", "4xx"] == 4
    assert found["vetrina_requests_total", "GET", "/cms/v2/posts", "2xx"] == 2
    assert found["vetrina_requests_total", "OTHER", "(none)", "4xx"] == 1
    assert found["vetrina_requests_total", "GET", "(page)", "4xx"] == 1
    assert found["vetrina_kept_answers_total",] == 1
    assert found["vetrina_request_seconds_count", "GET", "/cms/v2/posts"] == 2
    assert found["vetrina_request_seconds_bucket", "+Inf", "GET", "/cms/v2/posts"] == 2
    assert 0 < found["vetrina_request_seconds_sum", "GET", "/cms/v2/posts"] < 60
    assert found["vetrina_requests_in_flight",] == 0
    assert not any("99" in name for key in found for name in key[1:])


def test_figures_of_the_site_are_there(counted: Stand) -> None:
    admin = counted.client("admin")
    before = read(counted)["vetrina_search_lag_changes",]
    admin.post("/cms/v2/posts", {"title": "Later", "status": "future", "date": "2999-01-01T00:00:00"})
    found = read(counted)
    assert found["vetrina_jobs", "scheduled"] == 1
    assert found["vetrina_jobs", "failed"] == 0
    assert found["vetrina_search_lag_changes",] > before
    assert found["vetrina_database_bytes",] > 100_000
    assert found["vetrina_database_up",] == 1
    assert any(key[0] == "vetrina_build_info" and "sqlite" in key for key in found)


def test_the_page_comes_in_the_form_of_openmetrics_too(counted: Stand) -> None:
    answer = counted.client(root="").get("/metrics", headers={"accept": "application/openmetrics-text; version=1.0.0"})
    assert answer.headers["content-type"].startswith("application/openmetrics-text")
    assert answer.content.endswith(b"# EOF\n")


def test_it_is_off_by_default(site: Stand) -> None:
    assert site.client(root="").get("/metrics").status == 404


def test_a_proxy_of_this_machine_hands_nobody_in(counted: Stand) -> None:
    outside = counted.client(root="")
    assert outside.get("/metrics", headers={"x-forwarded-for": "203.0.113.9"}).status == 404
    assert outside.get("/metrics", headers={"forwarded": "for=203.0.113.9"}).status == 404


@pytest.mark.parametrize("sent", ["", f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer", "Bearer "])
def test_without_the_token_nothing_is_told(tmp_path: Path, sent: str) -> None:
    site = made(tmp_path, metrics=TOKEN)
    outside = Stand(site).client(root="")
    answer = outside.get("/metrics", headers={"authorization": sent} if sent else {})
    assert (answer.status, answer.headers["www-authenticate"]) == (401, 'Bearer realm="metrics"')
    assert b"vetrina_" not in answer.content
    assert outside.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"}).status == 200
    site.close()


def test_guesses_at_the_token_are_slowed(tmp_path: Path) -> None:
    site = made(tmp_path, metrics=TOKEN)
    outside = Stand(site).client(root="")
    for number in range(20):
        assert outside.get("/metrics", headers={"authorization": f"Bearer guess {number}"}).status == 401
    for token in ("guess", TOKEN):
        answer = outside.get("/metrics", headers={"authorization": f"Bearer {token}"})
        assert answer.status == 429
        assert 50 < int(answer.headers["retry-after"]) <= 60
    site.close()


def test_the_token_is_taken_while_the_database_is_away(tmp_path: Path) -> None:
    site = made(tmp_path, metrics=TOKEN)
    with site.database.begin_write() as tx:
        tx.command("DROP TABLE failure")
    outside = Stand(site).client(root="")
    assert outside.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"}).status == 200
    assert outside.get("/metrics", headers={"authorization": "Bearer wrong"}).status == 401
    site.close()


def test_a_short_token_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="16 letters or more"):
        made(tmp_path, metrics="letmein")


def test_a_database_that_fails_leaves_the_counters(counted: Stand) -> None:
    counted.client().get("/cms/v2/posts")
    with counted.site.database.begin_write() as tx:
        tx.command("ALTER TABLE job RENAME TO gone")
    found = read(counted)
    assert found["vetrina_database_up",] == 0
    assert found["vetrina_requests_total", "GET", "/cms/v2/posts", "2xx"] == 1


def requests(server: Server) -> float:
    connection = server.connect()
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    return samples(text).get(("vetrina_requests_total", "GET", "/cms/v2/tags", "2xx"), 0)


def test_workers_are_added_up_and_one_that_dies_loses_nothing(serving: Callable[..., Server], made: Made) -> None:
    server = serving("--site", made.folder, "--workers", "2", "--set", "metrics=local")
    end = time.monotonic() + 30
    while len(server.workers()) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    for _ in range(20):
        assert server.ask("GET", "/cms/v2/tags")[0] == 200
    assert [requests(server) for _ in range(4)] == [20] * 4
    os.kill(server.workers()[0], signal.SIGKILL)
    end = time.monotonic() + 30
    while len(server.workers()) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    for _ in range(5):
        assert server.ask("GET", "/cms/v2/tags")[0] == 200
    assert [requests(server) for _ in range(4)] == [25] * 4
    assert server.stop() == 0
