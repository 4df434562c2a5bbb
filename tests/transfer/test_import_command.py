"""`vetrina import`, as its user runs it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner, Result

from pictures import picture
from vetrina.cli import import_progress, main
from vetrina.testing import LocalTestServer
from vetrina.transfer.events import ImportProgress, ImportStarted
from vetrina.transfer.records import Record
from vetrina.transfer.sources.wxr.source import ExportFileSource

from .export_files import ExportFile


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of an empty site."""
    found = tmp_path / "site"
    assert run("init", "--empty", "--url", "https://new.example", str(found)).exit_code == 0
    return found


@pytest.fixture
def old() -> ExportFile:
    file = ExportFile()
    file.author(47, "anna")
    file.item(500, "One", "Text", author="anna")
    file.item(501, "Shoes", "Text", post_type="product")
    return file


class _PictureHandler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = picture(60, 40) if self.path == "/uploads/a.jpg" else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def old_server() -> Iterator[str]:
    """A server of this machine that has one picture."""
    server = HTTPServer(("127.0.0.1", 0), _PictureHandler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_it_tells_what_came_and_what_did_not(folder: Path, old: ExportFile, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    result = run("import", str(old.write(tmp_path)), "--site", str(folder), "--report", str(report))
    assert result.exit_code == 0
    assert "2 records" not in result.stderr
    assert "of 'Old site'; their ids are kept" in result.stderr
    assert "1 new account without a password; each sets one by a reset link:\n  anna" in result.stdout
    assert "/shop/v3/products 501: the profile has no type 'product'" in result.stdout
    told = json.loads(report.read_text())
    assert told["resources"]["/cms/v2/posts"]["created"] == 1
    assert told["skipped"] == [
        {"resource": "/shop/v3/products", "id": 501, "reason": "the profile has no type 'product'"}
    ]
    assert (told["accounts_without_password"], told["ids"]) == (["anna"], "kept")


def test_a_dry_run_only_tells(folder: Path, old: ExportFile, tmp_path: Path) -> None:
    path = str(old.write(tmp_path))
    assert run("import", path, "--site", str(folder), "--dry-run").exit_code == 0
    assert "anna" not in run("user", "list", "--site", str(folder)).stdout


def test_a_source_that_cannot_be_read_is_a_failure(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "bad.xml"
    path.write_text("<rss>")
    result = run("import", str(path), "--site", str(folder))
    assert result.exit_code == 1
    assert "line 1" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--map-author", "anna"], "OLD=NEW"),
        (["--files", ".", "--no-files"], "leave one of them out"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(
    folder: Path, old: ExportFile, tmp_path: Path, arguments: list[str], said: str
) -> None:
    result = run("import", str(old.write(tmp_path)), "--site", str(folder), *arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_an_account_that_is_not_there_is_told_before_anything_is_written(
    folder: Path, old: ExportFile, tmp_path: Path
) -> None:
    result = run("import", str(old.write(tmp_path)), "--site", str(folder), "--author", "nobody")
    assert result.exit_code == 1
    assert "no account 'nobody'" in result.stderr


def test_files_of_a_private_network_take_leave(folder: Path, old: ExportFile, old_server: str, tmp_path: Path) -> None:
    old.item(600, "Picture", post_type="attachment", status="inherit", attachment_url=f"{old_server}/uploads/a.jpg")
    old.item(601, "Gone", post_type="attachment", status="inherit", attachment_url=f"{old_server}/uploads/b.jpg")
    path = str(old.write(tmp_path))
    refused = run("import", path, "--site", str(folder))
    assert "/cms/v2/media 600, 601: its file is not to be had (2 records)" in refused.stdout
    allowed = run("import", path, "--site", str(folder), "--allow-private")
    assert "/cms/v2/media 601: its file is not to be had" in allowed.stdout
    assert [one.name for one in (folder / "media" / "uploads").rglob("a.jpg")] == ["a.jpg"]


def test_a_file_outside_of_the_folder_is_not_taken(folder: Path, old: ExportFile, tmp_path: Path) -> None:
    uploads = tmp_path / "uploads"
    uploads.mkdir()
    (tmp_path / "secret.jpg").write_bytes(picture(60, 40))
    old.item(600, "Picture", post_type="attachment", status="inherit",
             attachment_url="https://old.example/uploads/../secret.jpg",
             meta={"_wp_attached_file": "../secret.jpg"})  # fmt: skip
    result = run("import", str(old.write(tmp_path)), "--site", str(folder), "--files", str(uploads))
    assert "/cms/v2/media 600: its file is not to be had" in result.stdout


def test_an_export_in_a_folder_is_a_source(folder: Path, tmp_path: Path) -> None:
    assert run("init", str(tmp_path / "old")).exit_code == 0
    assert run("export", "--site", str(tmp_path / "old"), str(tmp_path / "out")).exit_code == 0
    result = run("import", str(tmp_path / "out"), "--site", str(folder))
    assert result.exit_code == 0, result.output
    assert "Did not come" not in result.output
    wrong = run("import", str(tmp_path / "out"), "--site", str(folder), "--files", str(tmp_path))
    assert wrong.exit_code == 2
    assert "--files belongs to an export file" in wrong.output
    nowhere = run("import", str(tmp_path / "nowhere"), "--site", str(folder))
    assert nowhere.exit_code == 1
    assert "neither an address that begins with https:// nor anything on this machine" in nowhere.output


def test_an_address_is_a_source_of_who_is_named_in_a_file(folder: Path, tmp_path: Path) -> None:
    password = tmp_path / "password"
    password.write_text("admin:admin application password\n", encoding="utf-8")
    with LocalTestServer("first", dialects=["wordpress"]) as server:
        server.client().posts.create(title="Unfinished", status="draft")
        words = ("import", server.url, "--site", str(folder))
        refused = run(*words)
        assert refused.exit_code == 1
        assert "allow-private" in refused.output
        public = run(*words, "--allow-private", "--dry-run")
        assert public.exit_code == 0, public.output
        brought, _, left_out = public.output.partition("Left out:\n")
        assert "/cms/v2/settings" not in brought
        assert "  /cms/v2/settings: The settings of the site are for its administrators." in left_out
        report = tmp_path / "report.json"
        result = run(*words, "--allow-private", "--auth-file", str(password), "--report", str(report))
        assert result.exit_code == 0, result.output
    assert json.loads(report.read_text(encoding="utf-8"))["resources"]["/cms/v2/posts"]["created"] == 1


def test_a_profile_is_made_of_what_a_file_holds_and_takes_it(old: ExportFile, tmp_path: Path) -> None:
    old.item(502, "Gull", "Text", post_type="boat", meta={"crew": "three"})
    profile, site = tmp_path / "boats.toml", tmp_path / "boats"
    made = run("import", str(old.write(tmp_path)), "--profile-out", str(profile))
    assert made.exit_code == 0, made.output
    assert "vetrina init --profile" in made.output
    assert run("init", "--profile", str(profile), "--empty", str(site)).exit_code == 0
    report = tmp_path / "report.json"
    run("import", str(old.write(tmp_path)), "--site", str(site), "--report", str(report))
    found = json.loads(report.read_text(encoding="utf-8"))
    assert found["resources"]["/cms/v2/boat"]["created"] == 1
    assert not [note for note in found["notes"] if "crew" in note["text"]]


def test_ctrl_c_leaves_a_report_and_the_next_run_goes_on(
    folder: Path, old: ExportFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop_at_posts(source: ExportFileSource, resource: str, since: datetime | None = None) -> Iterator[Record]:
        if resource == "/cms/v2/posts":
            raise KeyboardInterrupt
        return read(source, resource, since)

    path, file = str(old.write(tmp_path)), tmp_path / "report.json"
    read = ExportFileSource.read_records
    with monkeypatch.context() as patched:
        patched.setattr(ExportFileSource, "read_records", stop_at_posts)
        stopped = run("import", path, "--site", str(folder), "--report", str(file))
    assert stopped.exit_code == 130
    assert "run it again, and it goes on" in stopped.stderr
    assert "/cms/v2/users" in stopped.stdout
    assert json.loads(file.read_text())["finished"] is False
    again = run("import", path, "--site", str(folder), "--report", str(file))
    assert again.exit_code == 0
    told = json.loads(file.read_text())
    assert (told["finished"], told["resources"]["/cms/v2/posts"]["created"]) == (True, 1)


def test_the_progress_says_what_is_done_and_left_beside_what_only_reading_counts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_progress, "_LINE_PAUSE", 0)
    progress = import_progress.ProgressLine()
    progress.show(ImportStarted("Old", 2000, False, keep_ids=True))
    progress.show(ImportProgress("/shop/v3/orders", 500, 1500))
    progress.show(ImportProgress("/shop/v3/orders/{order_id}/notes", 1200, None))
    progress.show(ImportProgress("/shop/v3/products/reviews", 500, 500))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "At least 2,000 records of 'Old'; their ids are kept."
    assert lines[1].startswith("500 of 2,000 done, 1,500 left, about ")
    assert lines[2].startswith("500 of 2,000 done")
    assert lines[2].endswith("(and 1,200 notes)")
    assert lines[3].startswith("1,000 of 2,000 done, 1,000 left")
