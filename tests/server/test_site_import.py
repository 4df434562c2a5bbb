"""A site that comes in over HTTP: looked at first, brought in the background, stopped, gone on with, compared."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import Answer, Client, SetClock, Stand, made
from server.conftest import run_jobs
from transfer.export_files import ExportFile
from vetrina.backends.job_listing import find_keyed_job
from vetrina.settings import load_profile
from vetrina.system import job_runner
from vetrina.system.jobs.long_jobs import SITE_IMPORT_JOB, ProgressNotes
from vetrina.testing import LocalTestServer
from vetrina.transfer.import_job import uploaded_files
from vetrina.transfer.target.writing import SiteWriter
from watched_calls import watch_calls

IMPORT, COMPARISON = "/cms/v2/site-import", "/cms/v2/site-comparison"
PASSWORD = "admin application password"


@pytest.fixture(scope="module")
def old() -> Iterator[LocalTestServer]:
    """A site that is served, with a draft that only its administrator reads."""
    with LocalTestServer("first", dialects=["wordpress"]) as server:
        server.client().posts.create(title="The lock", status="publish")
        server.client().posts.create(title="Unfinished", status="draft")
        yield server


@pytest.fixture
def near(old: LocalTestServer, tmp_path: Path) -> Iterator[Stand]:
    """An empty site that may read the one that is served on this machine."""
    folder = tmp_path / "near"
    folder.mkdir()
    profile = msgspec.structs.replace(load_profile("first"), import_servers=(old.url,))
    site = made(folder, profile, secret="secret of the tests", url="https://new.example")
    yield Stand(site)
    site.close()


@pytest.fixture
def export() -> ExportFile:
    file = ExportFile()
    file.author(2, "anna")
    for number in range(10, 240):
        file.item(number, f"Boat {number}", "<p>It floats.</p>", author="anna")
    return file


def send(client: Client, text: str, name: str = "export.xml") -> Answer:
    head = (
        f'--parts\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: text/xml\r\n\r\n'
    )
    headers = {"content-type": "multipart/form-data; boundary=parts"}
    return client.post(f"{IMPORT}/file", body=f"{head}{text}\r\n--parts--\r\n".encode(), headers=headers)


def bring(site: Stand, client: Client, **members: Any) -> dict[str, Any]:
    started = client.post(IMPORT, {"dry_run": False, "files": False, **members})
    assert started.status == 202, started.json
    run_jobs(site)
    found: dict[str, Any] = client.get(IMPORT).json
    assert not found["running"]
    return found


def count(state: dict[str, Any], resource: str, name: str) -> int:
    return next(int(one[name]) for one in state["result"]["resources"] if one["resource"] == resource)


def read_row(site: Stand) -> str:
    with site.site.work(read=True) as work:
        found = find_keyed_job(work.tx, SITE_IMPORT_JOB)
    assert found is not None
    return json.dumps(dict(found.arguments))


@pytest.mark.every_database
def test_a_file_is_looked_at_first_and_then_comes(site: Stand, admin: Client, export: ExportFile) -> None:
    sent = send(admin, export.text())
    assert (sent.status, sent.json["file"]["name"]) == (200, "export.xml"), sent.json
    dry = bring(site, admin, dry_run=True)
    assert (dry["outcome"], dry["plan"]["dry_run"], dry["plan"]["file"]) == ("done", True, "export.xml")
    assert count(dry, "/cms/v2/posts", "created") == 230
    assert admin.get("/cms/v2/posts?search=Boat").json == []
    whole = bring(site, admin)
    assert (whole["outcome"], whole["reason"], whole["file"]) == ("done", "", None)
    assert count(whole, "/cms/v2/posts", "created") == 230
    assert whole["result"]["accounts_without_password"] == ["anna"]
    assert int(admin.get("/cms/v2/posts?search=Boat").headers["x-cms-total"]) == 230


def test_what_was_stopped_goes_on_where_it_was(site: Stand, admin: Client, export: ExportFile) -> None:
    send(admin, export.text())
    assert admin.post(IMPORT, {"dry_run": False, "files": False}).status == 202
    stopped: list[Answer] = []

    def stop() -> None:
        if not stopped and admin.get("/cms/v2/posts?search=Boat").json:
            stopped.append(admin.post(f"{IMPORT}/stop", {}))
            time.sleep(1.1)  # a job looks once a second

    with watch_calls(SiteWriter.write_batch, then=stop, at="return"):
        run_jobs(site)
    state = admin.get(IMPORT).json
    assert [one.status for one in stopped] == [200]
    assert (state["running"], state["outcome"], state["result"]) == (False, "stopped", None)
    assert state["file"]["name"] == "export.xml", "it is needed to go on"
    came = int(admin.get("/cms/v2/posts?search=Boat").headers["x-cms-total"])
    assert 0 < came < 230
    rest = bring(site, admin)
    assert count(rest, "/cms/v2/posts", "created") == 230 - came
    assert count(rest, "/cms/v2/posts", "unchanged") == came
    nothing = admin.post(f"{IMPORT}/stop", {})
    assert (nothing.status, nothing.code) == (409, "rest_job_not_running")


def test_a_job_that_was_left_in_the_middle_goes_on(site: Stand, admin: Client, export: ExportFile) -> None:
    send(admin, export.text())
    admin.post(IMPORT, {"dry_run": False, "files": False})
    consumer = job_runner.build_consumer(site.site.context, site.site.database)
    with pytest.raises(KeyboardInterrupt), watch_calls(SiteWriter.write_batch, then=_break_off):
        consumer.run_due_jobs()
    assert admin.get(IMPORT).json["running"]
    consumer.reclaim_jobs()
    run_jobs(site)
    assert admin.get(IMPORT).json["outcome"] == "done"


def _break_off() -> None:
    raise KeyboardInterrupt


@pytest.mark.in_process("a job reads the site that is served beside it")
def test_an_address_comes_with_what_only_its_account_reads(near: Stand, old: LocalTestServer) -> None:
    admin = near.client("admin")
    words = {"address": old.url, "login": "admin", "password": PASSWORD}
    assert admin.post(IMPORT, {**words, "dry_run": False}).status == 202
    arguments = read_row(near)
    assert PASSWORD not in arguments
    job = admin.get("/cms/v2/jobs").json[0]
    assert set(job["arguments"].values()) == {"***"}
    run_jobs(near)
    state = admin.get(IMPORT).json
    assert (state["outcome"], state["reason"]) == ("done", "")
    assert (state["plan"]["address"], state["plan"]["login"]) == (old.url, "admin")
    assert {one["title"]["rendered"] for one in admin.get("/cms/v2/posts?status=any").json} >= {
        "The lock",
        "Unfinished",
    }
    assert "sealed" not in read_row(near), "what it was read with is forgotten"

    assert admin.post(COMPARISON, words).status == 202
    run_jobs(near)
    found = admin.get(COMPARISON).json
    assert (found["outcome"], found["address"]) == ("done", old.url)
    posts = next(one for one in found["result"]["collections"] if one["resource"] == "/cms/v2/posts")
    assert (posts["differing"], posts["only_here"], posts["only_there"]) == (0, 0, 0)
    assert posts["same"] >= 2
    assert found["result"]["agrees"]
    admin.post("/cms/v2/posts", {"title": "Only here", "status": "publish"})
    admin.post(COMPARISON, words)
    run_jobs(near)
    different = admin.get(COMPARISON).json["result"]
    assert not different["agrees"]
    [one] = [one for one in different["differences"] if one["resource"] == "/cms/v2/posts"]
    assert (one["only"], one["label"]) == ("here", "only-here")


@pytest.mark.in_process("a job reads the site that is served beside it")
def test_a_refused_account_is_told_and_forgotten(near: Stand, old: LocalTestServer) -> None:
    state = bring(near, near.client("admin"), address=old.url, login="admin", password="wrong wrong wrong")
    assert state["outcome"] == "failed"
    assert "refuses the account" in state["reason"]
    assert "wrong wrong" not in json.dumps(state)
    assert "sealed" not in read_row(near)


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8000", "http://[::1]", "http://169.254.169.254", "http://10.0.0.7"]
)
@pytest.mark.parametrize("path", [IMPORT, COMPARISON])
def test_the_network_behind_the_server_is_not_read(site: Stand, admin: Client, path: str, address: str) -> None:
    assert admin.post(path, {"address": address}).status == 202
    run_jobs(site)
    state = admin.get(path).json
    assert state["outcome"] == "failed"
    assert "import_servers" in state["reason"] or "port" in state["reason"]


def test_only_administrators_have_anything_to_do_with_it(site: Stand, export: ExportFile) -> None:
    for login, status in (("", 401), ("editor", 403)):
        client = site.client(login) if login else site.client()
        for answer in (
            client.get(IMPORT), client.post(IMPORT, {}), client.post(f"{IMPORT}/stop", {}),
            send(client, export.text()), client.get(COMPARISON), client.post(COMPARISON, {"address": "https://a.example"}),
        ):  # fmt: skip
            assert (answer.status, answer.code) == (status, "rest_forbidden")


def test_what_cannot_be_started_is_told_why(site: Stand, admin: Client, export: ExportFile) -> None:
    for members, code in (
        ({}, "rest_import_file_missing"),
        ({"address": "ftp://old.example"}, "rest_transfer_invalid_address"),
        ({"address": "https://anna:secret@old.example"}, "rest_transfer_invalid_address"),
        ({"address": "https://old.example/?key=1"}, "rest_transfer_invalid_address"),
        ({"address": "https://old.example", "login": "anna"}, "rest_transfer_invalid_credentials"),
        ({"address": "https://old.example", "shop_secret": "cs_1"}, "rest_transfer_invalid_credentials"),
        ({"ids": "new"}, "rest_invalid_param"),
    ):  # fmt: skip
        answer = admin.post(IMPORT, members)
        assert (answer.status, answer.code) == (400, code), members
    in_address = admin.post(f"{IMPORT}?password=x", {})
    assert in_address.status == 400
    for name in ("export.zip", "../../vetrina.toml", ""):
        assert send(admin, export.text(), name).status == 400
    assert admin.get(IMPORT).json["file"] is None
    assert not (site.site.folder / "transfers").exists()


def test_a_file_lies_where_nobody_else_reads_it_and_under_a_plain_name(site: Stand, admin: Client) -> None:
    sent = send(admin, "no export", "..\\..\\a/b;c .XML")
    assert sent.json["file"]["name"] == "b_c.xml", sent.json
    folder = site.site.folder / "transfers"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [(one.name, one.stat().st_mode & 0o777) for one in folder.iterdir()] == [("b_c.xml", 0o600)]
    state = bring(site, admin)
    assert state["outcome"] == "failed"
    assert str(site.site.folder) not in json.dumps(state)
    assert send(admin, "name\nScarf", "products.csv").json["file"]["name"] == "products.csv"
    assert [one.name for one in folder.iterdir()] == ["products.csv"]


def test_a_second_one_waits_for_the_first(site: Stand, admin: Client, export: ExportFile) -> None:
    send(admin, export.text())
    assert admin.post(IMPORT, {}).status == 202
    for answer in (admin.post(IMPORT, {}), send(admin, export.text())):
        assert (answer.status, answer.code) == (409, "rest_job_running")


@pytest.mark.in_process("a lease of the test's own is in the way")
def test_a_run_waits_for_one_that_has_not_noticed_its_end(site: Stand, admin: Client, export: ExportFile) -> None:
    send(admin, export.text())
    lease = site.site.database.open_lease("transfer")
    assert lease.acquire()
    held = [lease]

    def release() -> None:
        if held:
            held.pop().close()

    with watch_calls(ProgressNotes.__call__, then=release):
        state = bring(site, admin)
    assert (state["outcome"], state["reason"], held) == ("done", "", [])


def test_a_file_that_nobody_needed_is_deleted_after_a_week(site: Stand, admin: Client, clock: SetClock) -> None:
    send(admin, "no export")
    with site.site.work() as work:
        uploaded_files.delete_old_uploads(work)
    assert admin.get(IMPORT).json["file"] is not None
    clock.forward(8 * 86400)
    with site.site.work() as work:
        uploaded_files.delete_old_uploads(work)
    assert admin.get(IMPORT).json["file"] is None


def test_the_audit_trail_names_who_brought_what_in(site: Stand, admin: Client, export: ExportFile) -> None:
    send(admin, export.text())
    admin.post(IMPORT, {})
    entry = admin.get("/access/v1/audit-entries?kind=site_import").json[0]
    assert (entry["kind"], entry["action"]) == ("site_import", "created")
    assert "export.xml" in json.dumps(entry)
