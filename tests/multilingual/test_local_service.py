"""The local translation service: machines that fill jobs in the background, and people who review them."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import Stand, made
from vetrina.service_settings import TranslationService
from vetrina.settings import Profile, load_profile
from vetrina.system import job_runner

from .conftest import Desk, filled


def profile(machine: str, review: str = "after") -> Profile:
    told = TranslationService(machine=machine, review=review)  # type: ignore[arg-type]
    return msgspec.structs.replace(load_profile("first"), translation=told)


def work_off(desk: Desk) -> None:
    site = desk.it.site
    job_runner.build_consumer(site.context, site.database).run_due_jobs()


def a_desk(tmp_path: Path, machine: str, review: str = "after") -> Desk:
    return Desk(Stand(made(tmp_path, profile(machine, review))))


@pytest.mark.parametrize("review, status, needs", [
    ("none", "publish", None), ("after", "publish", "NEEDS_REVIEW"), ("before", "draft", "NEEDS_REVIEW"),
])  # fmt: skip
def test_a_machine_fills_what_is_sent_to_it(tmp_path: Path, review: str, status: str, needs: str | None) -> None:
    desk = a_desk(tmp_path, "multilingual.machines:shout", review)
    page = desk.it.post("/cms/v2/pages", {"title": "Uno", "status": "publish"}).json["id"]
    job = desk.send("post_page", page, sent_to="machine")
    assert (job["status"], job["automatic"], job["progress"]) == (2, True, "0% completed")
    work_off(desk)
    row = desk.row(job)
    assert (row["status"], row["review_status"], row["element"]["status"]) == (10, needs, status)
    [made_page] = desk.en.get("/cms/v2/pages", query={"status": status, "context": "edit"}).json
    assert made_page["title"]["raw"] == "en: Uno"
    if needs:
        waiting = desk.it.get("/mlang/tm/v1/jobs", query={"status": "30"}).json["jobs"]
        assert [one["id"] for one in waiting] == [job["id"]]
        assert desk.deliver(job, filled(desk.file(job), lambda text: "One")).status == 200
        row = desk.row(job)
        assert (row["review_status"], row["element"]["status"]) == ("ACCEPTED", "publish")
    desk.it.site.close()


def test_a_machine_may_be_another_server(tmp_path: Path) -> None:
    asked: list[dict[str, Any]] = []

    class Machine(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told = json.loads(self.rfile.read(int(self.headers["content-length"])))
            asked.append(told)
            body = json.dumps({"texts": [text.upper() for text in told["texts"]]}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Machine)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    desk = a_desk(tmp_path, f"http://127.0.0.1:{server.server_port}/translate", "none")
    page = desk.it.post("/cms/v2/pages", {"title": "Uno", "content": "<p>due</p>", "status": "publish"}).json["id"]
    job = desk.send("post_page", page, sent_to="machine")
    work_off(desk)
    assert desk.row(job)["status"] == 10
    assert asked == [{"source_language": "it", "target_language": "en", "texts": ["Uno", "<p>due</p>"]}]
    [translated] = desk.en.get("/cms/v2/pages").json
    assert translated["title"]["rendered"] == "UNO"
    desk.it.site.close()
    server.shutdown()
    server.server_close()


def test_a_machine_that_fails_leaves_the_job_to_people(tmp_path: Path) -> None:
    desk = a_desk(tmp_path, "multilingual.machines:forget")
    page = desk.it.post("/cms/v2/pages", {"title": "Uno", "status": "publish"}).json["id"]
    job = desk.send("post_page", page, sent_to="machine")
    work_off(desk)
    assert desk.row(job)["status"] == 2
    desk.translate(job)
    assert desk.row(job)["status"] == 10
    work_off(desk)
    desk.it.site.close()


def test_without_a_machine_nothing_can_be_sent_to_one(desk: Desk) -> None:
    page = desk.it.post("/cms/v2/pages", {"title": "Uno", "status": "publish"}).json["id"]
    body = {"items": [{"type": "post_page", "id": page}], "target_languages": ["en"], "sent_to": "machine"}
    assert desk.it.post("/mlang/tm/v1/jobs", body).code == "mlang_recipient_unknown"
