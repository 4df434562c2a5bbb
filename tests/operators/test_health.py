"""Liveness and readiness of the server, outside the interface's roots."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import object_store
from cli.conftest import Made, Server
from conftest import Client, Stand, made
from postgres_server import Postgres
from vetrina.settings import SettingsError

PARTS = {"database": "ok", "migrations": "ok", "files": "ok"}


@pytest.fixture
def outside(site: Stand) -> Client:
    return site.client(root="")


def test_a_process_that_answers_is_live(outside: Client) -> None:
    answer = outside.get("/health/live")
    assert (answer.status, answer.json) == (200, {"status": "live"})
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.every_database
def test_a_site_whose_parts_answer_is_ready(outside: Client) -> None:
    answer = outside.get("/health/ready")
    assert (answer.status, answer.json) == (200, {"status": "ready", "parts": PARTS})
    assert outside.head("/health/ready").content == b""
    assert outside.post("/health/ready").status == 405


def test_a_site_of_another_version_is_not_ready_and_says_no_more(site: Stand, outside: Client) -> None:
    with site.site.database.begin_write() as tx:
        tx.command("UPDATE alembic_version SET version_num = '0000'")
    answer = outside.get("/health/ready")
    assert (answer.status, answer.json) == (503, {"status": "not ready", "parts": {**PARTS, "migrations": "failed"}})
    assert outside.get("/health/live").status == 200


def test_a_store_that_does_not_answer_is_named_without_its_keys(tmp_path: Path) -> None:
    query = "endpoint=http://127.0.0.1:9&region=eu&access_key_id=a&secret_access_key=word"
    site = made(tmp_path, media=f"s3://nowhere/site?{query}")
    answer = Stand(site).client(root="").get("/health/ready")
    site.close()
    assert answer.status == 503
    assert answer.json["parts"]["files"] in ("failed", "does not answer")
    assert answer.json["parts"]["database"] == "ok"
    assert b"word" not in answer.content


def test_a_store_is_asked(tmp_path: Path) -> None:
    with object_store.bucket() as address:
        site = made(tmp_path, media=object_store.store(address, "health"))
        answer = Stand(site).client(root="").get("/health/ready")
        site.close()
    assert (answer.status, answer.json["parts"]) == (200, PARTS)


def test_a_database_that_is_gone_is_named(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new()
    site = made(tmp_path, database=url)
    outside = Stand(site).client(root="")
    assert outside.get("/health/ready").status == 200
    postgres.drop(url)
    site.app._observability.ops_endpoints._health._checked_at = -10.0  # a check is valid for one second
    answer = outside.get("/health/ready")
    site.close()
    assert answer.status == 503
    assert answer.json["parts"]["database"] != "ok"


def test_one_look_serves_many_who_ask(site: Stand, outside: Client) -> None:
    assert outside.get("/health/ready").status == 200
    with site.site.database.begin_write() as tx:
        tx.command("UPDATE alembic_version SET version_num = '0000'")
    assert outside.get("/health/ready").status == 200


def test_the_path_is_a_setting(tmp_path: Path) -> None:
    site = made(tmp_path, health="/internal/")
    outside = Stand(site).client(root="")
    assert outside.get("/internal/ready").status == 200
    assert outside.get("/health/ready").status == 404
    site.close()


def test_it_can_be_off(tmp_path: Path) -> None:
    site = made(tmp_path, health="")
    assert Stand(site).client(root="").get("/health/live").status == 404
    site.close()


def test_a_path_without_a_stroke_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="'health' is no path"):
        made(tmp_path, health="health")


def test_a_page_of_that_name_is_shown(site: Stand, admin: Client, outside: Client) -> None:
    above = admin.post("/cms/v2/pages", {"title": "Health", "slug": "health", "status": "publish"}).json
    page = admin.post(
        "/cms/v2/pages", {"title": "Live", "slug": "live", "parent": above["id"], "status": "publish"}
    ).json
    path = page["link"].partition("vetrina.test")[2]
    shown = outside.get(path)
    assert shown.status == 200
    assert b"<h1" in shown.content
    assert b"Live" in shown.content


def test_a_server_that_stops_is_not_ready_and_sends_clients_away(serving: Callable[..., Server], made: Made) -> None:
    server = serving("--site", made.folder, "--workers", "2", "--set", "drain_wait=2")
    kept_open = server.connect()
    kept_open.request("GET", "/health/ready")
    answer = kept_open.getresponse()
    answer.read()
    assert answer.status == 200
    server.process.terminate()
    for _ in range(200):
        other = server.connect()
        other.request("GET", "/health/ready")
        ready = other.getresponse()
        content = ready.read()
        other.close()
        if ready.status == 503:
            break
    assert (ready.status, content) == (503, b'{"status":"stopping"}')
    kept_open.request("GET", "/en/cms-json/cms/v2/tags")
    answer = kept_open.getresponse()
    answer.read()
    assert (answer.status, answer.headers["Connection"]) == (200, "close")
    kept_open.close()
    assert server.process.wait(40) == 0
