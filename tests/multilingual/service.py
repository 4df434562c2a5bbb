"""A translation service on this machine: editor, accounts and agencies as docs/translation-service.md describes them.

It listens on the loopback interface, checks every signature, fills files by a single rule (each text gets a prefix),
and can be made to fail: refuse, respond slowly, respond with nonsense, hang up.
"""

from __future__ import annotations

import base64
import copy
import json
import re
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from xml.etree import ElementTree

from vetrina.multilingual.services.remote import compute_call_signature

TP_KEY = "key of the project"
_NAMESPACE = "urn:oasis:names:tc:xliff:document:1.2"
ElementTree.register_namespace("", _NAMESPACE)


def filled(xliff: str, mark: str = "*") -> str:
    """Return a file with every target filled: the source with a prefix."""
    root = ElementTree.fromstring(xliff)
    for unit in root.iter(f"{{{_NAMESPACE}}}trans-unit"):
        source = unit.find(f"{{{_NAMESPACE}}}source")
        target = unit.find(f"{{{_NAMESPACE}}}target")
        assert source is not None
        assert target is not None
        for child in list(target):
            target.remove(child)
        target.attrib.clear()
        target.text = mark + (source.text or "")
        for child in source:
            target.append(copy.deepcopy(child))
    return ElementTree.tostring(root, encoding="unicode")


@dataclass
class Job:
    """A job at the service."""

    number: int
    own: int  # the site's id of the job
    xliff: str
    status: int = 1
    state: str = "received"
    delivered: str = ""
    confirmed: int = 0
    hidden: bool = False


@dataclass
class Service:
    """A running service. asked: requests, as method and path; fail: path pattern → how to fail."""

    base: str = ""
    asked: list[tuple[str, str]] = field(default_factory=list)
    jobs: dict[int, Job] = field(default_factory=dict)
    agency_jobs: dict[int, Job] = field(default_factory=dict)
    sites: dict[str, dict[str, Any]] = field(default_factory=dict)
    queued: list[int] = field(default_factory=list)
    engines: list[dict[str, Any]] = field(
        default_factory=lambda: [{"name": "engine_a", "enabled": True}, {"name": "engine_b", "enabled": False}]
    )
    fail: dict[str, str] = field(default_factory=dict)
    taken_uuids: int = 0  # how many registrations are refused because the id is taken
    page_size: int = 0  # jobs per page of the synchronization; 0: all at once
    told: Any = None  # the last request body with translators or managers
    _next: int = 990_000

    def __post_init__(self) -> None:
        service = self

        class Handler(BaseHTTPRequestHandler):
            def _answer(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                body = self.rfile.read(length)
                path = self.path.partition("?")[0]
                service.asked.append((self.command, path))
                mode = next((how for pattern, how in service.fail.items() if re.search(pattern, path)), "")
                if mode == "slow":
                    time.sleep(3)
                if mode == "hang up":
                    self.close_connection = True
                    self.connection.close()
                    return
                if mode == "nonsense":
                    self._send(200, b"<html>no JSON")
                    return
                if mode == "refuse":
                    self._send(422, b'{"message": "This job cannot be taken."}')
                    return
                if mode == "broken":
                    self._send(500, b"")
                    return
                status, answer = service.answer(self.command, self.path, body, dict(self.headers.items()))
                if isinstance(answer, str):
                    self._send(status, answer.encode(), "application/x-xliff+xml")
                else:
                    self._send(status, json.dumps(answer).encode())

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _answer  # noqa: N815 - the names of the library

            def _send(self, status: int, body: bytes, kind: str = "application/json") -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}/api"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    # -- what people at the service do

    def translate(self, number: int, mark: str = "*") -> None:
        """Fill a job and deliver it."""
        job = self.jobs.get(number) or self.agency_jobs[number]
        job.delivered, job.status, job.state = filled(job.xliff, mark), 8, "translation_ready"

    # -- what it answers

    def answer(self, method: str, target: str, body: bytes, headers: dict[str, str]) -> tuple[int, Any]:
        path = target.partition("?")[0].removeprefix("/api")
        told = json.loads(body) if body[:1] in (b"{", b"[") else None
        part, _, rest = path.strip("/").partition("/")
        if (part, rest) == ("ams", "sites"):
            return self._register(told)
        if not self._signed(method, target, body, {name.lower(): value for name, value in headers.items()}, part):
            return 401, {"message": "The signature is wrong."}
        return {"ams": self._ams, "ate": self._ate, "tp": self._tp}[part](method, rest, told)

    def _signed(self, method: str, target: str, body: bytes, headers: dict[str, str], part: str) -> bool:
        site = self.sites.get(headers.get("x-site", ""), {})
        key = TP_KEY if part == "tp" else site.get("shared_key", "")
        if not key:
            return False
        wanted = compute_call_signature(key, method, target, headers.get("x-timestamp", ""), body)
        return headers.get("x-signature") == wanted

    def _register(self, told: dict[str, Any]) -> tuple[int, Any]:
        if self.taken_uuids > 0:
            self.taken_uuids -= 1
            return 409, {"message": "Another site has this uuid."}
        given = {"user_id": 17, "secret": "secret-of-17", "shared_key": "shared-" + told["site_uuid"]}
        self.sites[told["site_uuid"]] = {**told, **given}
        return 200, given

    def _ams(self, method: str, rest: str, told: Any) -> tuple[int, Any]:
        if rest in ("translators", "managers"):
            self.told = told
            member, people = next(iter(told.items()))
            return 200, {member: [{"email": one["email"], "subscription": {"active": True}} for one in people]}
        if rest == "status":
            return 200, {"activated": True}
        if rest == "engines" and method == "GET":
            return 200, self.engines
        if rest == "engines":
            self.engines = told
            return 200, {"success": True}
        return 404, {}

    def _ate(self, method: str, rest: str, told: Any) -> tuple[int, Any]:
        if rest == "echo":
            return 200, {"method": method, "told": told}
        if rest == "jobs" and method == "POST":
            given = {}
            for one in told["jobs"]:
                self._next += 1
                xliff = base64.b64decode(one["file"]["content"]).decode()
                self.jobs[self._next] = Job(self._next, one["id"], xliff)
                given[str(one["id"])] = self._next
            return 200, {"jobs": given}
        if rest == "jobs/sync":
            found = [self._shown(self.jobs[number]) for number in told["jobs"] if number in self.jobs]
            if self.page_size and len(found) > self.page_size:
                self._pages = [found[at : at + self.page_size] for at in range(0, len(found), self.page_size)]
                return 200, {"jobs": [], "ateToken": "token", "numberOfPages": len(self._pages)}
            return 200, {"jobs": found, "eta": {"seconds": 5}}
        if rest == "jobs/sync/page":
            return 200, {"jobs": self._pages[told["page"] - 1]}
        if rest in ("jobs/confirm", "jobs/hide"):
            for number in told["jobs"]:
                if rest.endswith("hide"):
                    self.jobs[number].hidden = True
                else:
                    self.jobs[number].confirmed += 1
            return 200, {}
        if found_file := re.fullmatch(r"x/(\d+)\.xliff", rest):
            job = self.jobs[int(found_file[1])]
            return 200, job.delivered
        if (found_job := re.fullmatch(r"jobs/(\d+)", rest)) and int(found_job[1]) in self.jobs:
            job = self.jobs[int(found_job[1])]
            shown = {"ate_job_id": job.number, "status_id": job.status, "translated_xliff": self._file(job)}
            return 200, {str(job.number): shown}
        return 404, {"message": "There is no such thing here."}

    def _file(self, job: Job) -> str:
        return f"{self.base}/ate/x/{job.number}.xliff" if job.delivered else ""

    def _shown(self, job: Job) -> dict[str, Any]:
        return {"ate_job_id": job.number, "status_id": job.status, "url": self._file(job)}

    def _tp(self, method: str, rest: str, told: Any) -> tuple[int, Any]:
        if rest == "batches":
            given = {}
            for one in told["jobs"]:
                self._next += 1
                xliff = base64.b64decode(one["file"]).decode()
                self.agency_jobs[self._next] = Job(self._next, one["id"], xliff)
                given[str(one["id"])] = self._next
            return 200, {"batch": 812, "jobs": given}
        if rest == "batches/sync":
            if method == "POST":
                self.queued = told["batches"]
            return 200, {"batches": self.queued}
        found = re.fullmatch(r"jobs/(\d+)(?:/(xliff|cancel))?", rest)
        if found is None or int(found[1]) not in self.agency_jobs:
            return 404, {"message": "There is no such job."}
        job = self.agency_jobs[int(found[1])]
        if found[2] == "xliff":
            return 200, job.delivered
        if found[2] == "cancel":
            job.state = "cancelled"
        return 200, {"state": job.state}
