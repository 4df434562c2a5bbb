"""Backups over HTTP: made in the background, listed, handed out to who knows the password, restored, deleted."""

from __future__ import annotations

import shutil
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from conftest import Answer, Client, SetClock, Stand
from server.conftest import run_jobs
from vetrina import __version__
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.job_listing import find_keyed_job
from vetrina.cli import main
from vetrina.system.backups import archive, folder as backup_folder
from vetrina.system.backups.folder import write_into_folder
from vetrina.system.jobs.long_jobs import SITE_BACKUP_JOB
from watched_calls import watch_calls

BACKUPS = "/cms/v2/backups"
OWN_PASSWORD = "Grey heron 27 reeds"
PICTURE = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b")


@pytest.fixture
def owner(site: Stand, admin: Client) -> Client:
    """The administrator, with a password of the account itself."""
    assert admin.post("/cms/v2/users/me", {"password": OWN_PASSWORD}).status == 200
    return site.client("admin")


def make(site: Stand, client: Client, **options: Any) -> dict[str, Any]:
    started = client.post(BACKUPS, options)
    assert started.status == 202, started.json
    run_jobs(site)
    job = client.get(f"/cms/v2/jobs/{started.json['id']}").json
    assert (job["state"], job["error"]) == ("done", "")
    found: dict[str, Any] = client.get(BACKUPS).json[0]
    return found


def download(client: Client, name: str, password: str = OWN_PASSWORD, **words: Any) -> Answer:
    link = client.post(f"{BACKUPS}/{name}/link", {"password": password})
    assert link.status == 200, link.json
    return client.get(f"{BACKUPS}/{name}/file", query={"token": link.json["token"]}, **words)


def test_only_administrators_have_anything_to_do_with_them(site: Stand, owner: Client) -> None:
    name = make(site, owner)["name"]
    for login, status in (("", 401), ("subscriber", 403), ("editor", 403)):
        client = site.client(login) if login else site.client()
        for answer in (
            client.get(BACKUPS), client.post(BACKUPS, {}), client.get(f"{BACKUPS}/{name}"),
            client.post(f"{BACKUPS}/{name}/link", {"password": "editor pass word"}),
            client.get(f"{BACKUPS}/{name}/file?token=1"), client.delete(f"{BACKUPS}/{name}?force=true"),
        ):  # fmt: skip
            assert (answer.status, answer.code) == (status, "rest_forbidden")


@pytest.mark.every_database
def test_a_backup_says_what_it_holds(site: Stand, owner: Client) -> None:
    made = make(site, owner, media=False)
    place = site.site.folder / "backups"
    assert made == {
        "name": made["name"], "date_gmt": made["date_gmt"], "size": (place / made["name"]).stat().st_size,
        "version": __version__, "media": False, "secrets": False, "_links": made["_links"],
    }  # fmt: skip
    assert place.stat().st_mode & 0o777 == 0o700
    assert (place / made["name"]).stat().st_mode & 0o777 == 0o600
    assert owner.get(f"{BACKUPS}/{made['name']}").json["size"] == made["size"]
    assert "/" not in made["name"]


@pytest.mark.every_database
def test_what_is_downloaded_is_restored_whole(site: Stand, owner: Client, tmp_path: Path) -> None:
    (site.site.folder / "media" / "2026").mkdir(parents=True)
    (site.site.folder / "media" / "2026" / "heron.txt").write_text("a heron")
    post = owner.post("/cms/v2/posts", {"title": "Reed warbler", "status": "publish"}).json["id"]
    made = make(site, owner)
    answer = download(owner, made["name"])
    assert answer.status == 200
    assert len(answer.content) == made["size"] == int(answer.headers["content-length"])
    assert answer.headers["content-type"] == "application/gzip"
    assert answer.headers["content-disposition"] == f'attachment; filename="{made["name"]}"'
    assert "no-store" in answer.headers["cache-control"]
    file, again = tmp_path / "downloaded.tar.gz", tmp_path / "again"
    file.write_bytes(answer.content)
    restored = CliRunner().invoke(main, ["restore", str(file), str(again)])
    assert restored.exit_code == 0, restored.output
    assert (again / "media" / "2026" / "heron.txt").read_text() == "a heron"
    with closing(sqlite3.connect(again / "site.sqlite")) as copy:
        assert copy.execute("SELECT title FROM record WHERE id = ?", (post,)).fetchall() == [("Reed warbler",)]
    checked = CliRunner().invoke(main, ["check", "--site", str(again)])
    assert checked.exit_code == 0, checked.output


def test_a_download_goes_on_where_it_was_cut(site: Stand, owner: Client) -> None:
    name = make(site, owner)["name"]
    whole = download(owner, name).content
    part = download(owner, name, headers={"range": "bytes=100-199"})
    assert (part.status, part.content) == (206, whole[100:200])
    assert part.headers["content-range"] == f"bytes 100-199/{len(whole)}"
    assert download(owner, name, headers={"range": f"bytes={len(whole)}-"}).status == 416


def test_a_link_takes_the_password_and_is_one_persons(site: Stand, owner: Client, clock: SetClock) -> None:
    name = make(site, owner)["name"]
    wrong = owner.post(f"{BACKUPS}/{name}/link", {"password": "admin pass word"})
    assert (wrong.status, wrong.code) == (403, "rest_incorrect_password")
    assert owner.post(f"{BACKUPS}/{name}/link", {}).code == "rest_missing_callback_param"
    token = owner.post(f"{BACKUPS}/{name}/link", {"password": OWN_PASSWORD}).json["token"]
    other = owner.post("/cms/v2/users", {
        "username": "second", "email": "second@example.org", "password": "Marsh tit 4 alders",
        "roles": ["administrator"],
    }).json["id"]  # fmt: skip
    key = owner.post(f"/cms/v2/users/{other}/application-passwords", {"name": "x"}).json["password"]
    second = Client(site.site, "second", key)
    path = f"{BACKUPS}/{name}/file"
    assert second.get(BACKUPS).status == 200
    assert second.get(path, query={"token": token}).code == "rest_backup_invalid_link"
    for bad in ("", "0-0", f"{token}0", f"9{token}", "x" * 5000):
        assert owner.get(path, query={"token": bad}).status in (400, 403)
    assert owner.get(path, query={"token": token}).status == 200
    clock.forward(601)
    late = owner.get(path, query={"token": token})
    assert (late.status, late.code) == (403, "rest_backup_invalid_link")


def test_guesses_at_the_password_are_counted(site: Stand, owner: Client) -> None:
    name = make(site, owner)["name"]
    tried = [owner.post(f"{BACKUPS}/{name}/link", {"password": f"guess {at}"}).status for at in range(21)]
    assert tried[0] == 403
    assert tried[-1] == 429


def test_only_one_is_made_at_a_time(site: Stand, owner: Client) -> None:
    first = owner.post(BACKUPS, {})
    second = owner.post(BACKUPS, {})
    assert (second.status, second.code) == (409, "rest_job_running")
    assert str(first.json["id"]) in second.json["message"]
    with write_into_folder(site.site.folder / "backups", 0) as (part, _):
        part.write_bytes(b"of another process")
        run_jobs(site)
    job = owner.get(f"/cms/v2/jobs/{first.json['id']}").json
    assert (job["state"], job["attempts"]) == ("waiting", 1)
    assert "another process" in job["error"]


def test_one_that_waits_is_taken_away(site: Stand, owner: Client) -> None:
    job = owner.post(BACKUPS, {}).json
    assert job["can_cancel"]
    assert owner.delete(f"/cms/v2/jobs/{job['id']}?force=true").status == 200
    run_jobs(site)
    assert owner.get(BACKUPS).json == []


@pytest.mark.every_database
def test_one_that_is_called_off_while_it_is_written_leaves_nothing(site: Stand, owner: Client) -> None:
    job = owner.post(BACKUPS, {}).json
    seen: list[int] = []

    def call_off() -> None:
        seen.append(owner.delete(f"/cms/v2/jobs/{job['id']}?force=true").status)

    with watch_calls(archive.write_backup, then=call_off):
        run_jobs(site)
    assert seen == [200]
    assert owner.get(BACKUPS).json == []
    assert [path.name for path in (site.site.folder / "backups").iterdir()] == [".lock"]
    make(site, owner)


@pytest.mark.every_database
def test_progress_is_told_while_it_runs(site: Stand, owner: Client) -> None:
    job = owner.post(BACKUPS, {}).json
    seen: list[Any] = []

    def look() -> None:
        seen.append(owner.get(f"/cms/v2/jobs/{job['id']}").json["progress"])

    with watch_calls(archive.write_backup, then=look, at="return"):
        run_jobs(site)
    assert [one["step"] for one in seen] == ["database"]
    assert seen[0]["of"] > 0
    assert owner.get(f"/cms/v2/jobs/{job['id']}").json["progress"] is None


@pytest.mark.every_database
def test_a_full_disk_is_told_before_anything_is_written(site: Stand, owner: Client) -> None:
    named = {"content-type": "image/gif", "content-disposition": "attachment; filename=a.gif"}
    sent = owner.post("/cms/v2/media", body=PICTURE, headers=named)
    assert sent.status == 201, sent.json
    with site.site.work() as work:
        work.tx.run(Statement(text("UPDATE media SET filesize = 4000000000000000")))
    answer = owner.post(BACKUPS, {})
    assert (answer.status, answer.code) == (409, "rest_backup_no_room")
    assert "MB are free" in answer.json["message"]
    assert owner.get("/cms/v2/jobs?kind[]=site.backup").json == []
    assert owner.post(BACKUPS, {"media": False}).status == 202


def test_writes_of_others_do_not_begin_the_copy_again(site: Stand, owner: Client) -> None:
    """The database is copied in parts; each write between two of them would begin the copy again without a snapshot."""
    with site.site.work() as work:
        work.tx.run(Statement(text("INSERT INTO option VALUES ('large', :filling)")), filling="x" * (40 << 20))
    done: list[int] = []

    def tell(step: archive.ArchiveStep) -> None:
        done.append(step.done)
        if len(done) == 1:
            owner.post("/cms/v2/posts", {"title": "Meanwhile", "status": "publish"})

    source = archive.ArchivedSite(site.site.folder, "first", site.site.database, site.site.files)
    with (site.site.folder / "copy.tar.gz").open("wb") as out:
        archive.write_backup(out, source, site.site.folder, tell, media=False)
    assert len(done) > 2
    assert done == sorted(done)
    with tarfile.open(site.site.folder / "copy.tar.gz") as tar:
        tar.extract("site.sqlite", site.site.folder / "copy", filter="data")
    with closing(sqlite3.connect(site.site.folder / "copy" / "site.sqlite")) as copy:
        assert copy.execute("SELECT count(*) FROM record WHERE title = 'Meanwhile'").fetchone() == (0,)


@pytest.mark.every_database
def test_the_last_few_are_kept(site: Stand, owner: Client, clock: SetClock) -> None:
    names = []
    for _ in range(7):
        names.append(make(site, owner, media=False)["name"])
        clock.forward(2)
    assert len(set(names)) == 7
    place = site.site.folder / "backups"
    (place / "mine.tar.gz").write_bytes(b"no backup at all")
    found = owner.get(BACKUPS).json
    assert len(found) == 6
    [mine] = [one for one in found if one["name"] == "mine.tar.gz"]
    assert (mine["version"], mine["media"]) == ("", False)


def test_secrets_are_in_it_only_where_they_are_asked_for(site: Stand, owner: Client, tmp_path: Path) -> None:
    (site.site.folder / "vetrina.toml").write_text('secret = "the secret of the site"\nlog = "info"\n')
    for secrets in (True, False):
        name = make(site, owner, secrets=secrets)["name"]
        with tarfile.open(site.site.folder / "backups" / name) as tar:
            member = tar.extractfile("vetrina.toml")
            assert member is not None
            text = member.read().decode()
        assert ("the secret of the site" in text) is secrets
        assert "info" in text
        shutil.rmtree(site.site.folder / "backups")


@pytest.mark.every_database
def test_a_backup_is_deleted(site: Stand, owner: Client) -> None:
    name = make(site, owner)["name"]
    gone = owner.delete(f"{BACKUPS}/{name}?force=true")
    assert (gone.status, gone.json["previous"]["name"]) == (200, name)
    assert owner.get(BACKUPS).json == []
    assert owner.get(f"{BACKUPS}/{name}").code == "rest_backup_invalid_name"


@pytest.mark.parametrize(
    "name", ["..", "..%2F..%2Fvetrina.toml", ".lock", "site.sqlite", "x.tar.gz", "a" * 300 + ".tar.gz"]
)
def test_names_that_are_no_backups_lead_nowhere(site: Stand, owner: Client, name: str) -> None:
    make(site, owner)
    for path in (f"{BACKUPS}/{name}", f"{BACKUPS}/{name}/file?token=1"):
        answer = owner.get(path)
        assert answer.status == 404
        assert str(site.site.folder) not in str(answer.json)


def test_a_link_that_points_out_of_the_folder_is_no_backup(site: Stand, owner: Client) -> None:
    name = make(site, owner)["name"]
    place = site.site.folder / "backups"
    (place / "out.tar.gz").symlink_to(place / name)
    assert [one["name"] for one in owner.get(BACKUPS).json] == [name]
    assert backup_folder.find_backup(place, "out.tar.gz") is None


def test_the_last_backups_job_is_kept_when_others_are_forgotten(site: Stand, owner: Client, clock: SetClock) -> None:
    make(site, owner)
    clock.forward(8 * 86400)
    run_jobs(site)
    with site.site.work() as work:
        found = find_keyed_job(work.tx, SITE_BACKUP_JOB)
        assert found is not None
        assert found.arguments["report"]["name"].startswith("backup-")
        assert job_queue.delete_ended_jobs(work.tx, "done", work.now) >= 0
        assert find_keyed_job(work.tx, SITE_BACKUP_JOB) is not None
