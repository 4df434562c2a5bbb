"""Fixtures of the translation tests: clients in both languages, files to fill, an outside service."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from lxml import etree

from conftest import Answer, Client, Stand, standing
from multilingual.service import TP_KEY, Service
from vetrina.multilingual.jobs import creation as job_creation
from vetrina.multilingual.jobs.model import TranslationJob
from vetrina.multilingual.translations import element_types
from vetrina.service_settings import TranslationService
from vetrina.settings import load_profile

XLIFF = "{urn:oasis:names:tc:xliff:document:1.2}"


def filled(xliff: str, translate: Callable[[str], str]) -> bytes:
    """Return a file with a translation in every target."""
    root = etree.fromstring(xliff.encode())
    for unit in root.iter(f"{XLIFF}trans-unit"):
        source, target = unit.find(f"{XLIFF}source"), unit.find(f"{XLIFF}target")
        assert source is not None
        assert target is not None
        target.text = translate("".join(source.itertext()))
    return etree.tostring(root, encoding="utf-8")


class Desk:
    """An administrator of the Italian site who sends items to be translated and fills the files."""

    def __init__(self, site: Stand) -> None:
        self.it: Client = site.client("admin", "/it/cms-json")
        self.en: Client = site.client("admin", "/en/cms-json")

    def send(self, type: str, id: int, **words: Any) -> dict[str, Any]:
        """Send one item to be translated into English, and return its job."""
        answer = self.it.post(
            "/mlang/tm/v1/jobs", {"items": [{"type": type, "id": id}], "target_languages": ["en"], **words}
        )
        assert answer.status == 201, answer.json
        job: dict[str, Any] = answer.json["jobs"][0]
        return job

    def file(self, job: dict[str, Any], query: str = "") -> str:
        answer = self.it.get(f"/mlang/tm/v1/xliff/fetch/{number(job)}{query}")
        assert answer.status == 200, answer.json
        return base64.b64decode(answer.json["content"]).decode()

    def deliver(self, job: dict[str, Any], content: bytes, caller: Client | None = None) -> Answer:
        return (caller or self.it).ask(
            "POST", f"/mlang/tm/v1/xliff/fetch/{number(job)}", body=content,
            headers={"content-type": "application/xliff+xml"},
        )  # fmt: skip

    def translate(self, job: dict[str, Any], translate: Callable[[str], str] = lambda text: f"EN {text}") -> None:
        answer = self.deliver(job, filled(self.file(job), translate))
        assert answer.status == 200, answer.json

    def row(self, job: dict[str, Any]) -> dict[str, Any]:
        """Return a job as the list has it now."""
        [found] = self.it.get("/mlang/tm/v1/jobs", query={"id": job["id"]}).json["jobs"]
        shown: dict[str, Any] = found
        return shown


def number(job: dict[str, Any]) -> int:
    """Return the job's own id."""
    found: int = job["extra_data"]["icl_translate_job_id"]
    return found


@pytest.fixture
def desk(site: Stand) -> Desk:
    return Desk(site)


# -- a site with an outside service


@pytest.fixture
def service() -> Iterator[Service]:
    running = Service()
    yield running
    running.close()


@pytest.fixture
def serviced(request: pytest.FixtureRequest, kind: str, service: Service) -> Iterator[Stand]:
    """A test site whose profile names the service."""
    told = TranslationService(service_url=service.base, tp_key=TP_KEY, seconds=1.0)
    with standing(request, msgspec.structs.replace(load_profile("first"), translation=told)) as stand:
        yield stand


@pytest.fixture
def boss(serviced: Stand) -> Client:
    """The administrator of the site with a service and an account."""
    client = serviced.client("admin")
    assert client.post("/mlang/tm/v1/ams/register_manager").json == {"enabled": True}
    return client


Made = Callable[..., TranslationJob]


@pytest.fixture
def made(serviced: Stand, boss: Client) -> Made:
    """Creates a job of a new post."""

    def make(
        title: str = "Hello", *, editor: str = "ate", service: str = "local", automatic: bool = False
    ) -> TranslationJob:
        post = boss.post("/cms/v2/posts", {"title": title, "content": "<p>The text</p>", "status": "publish"}).json
        with serviced.site.work() as work:
            thing = element_types.get_translatable_kind("post_post").get_translatable(work, "post_post", post["id"])
            return job_creation.create_jobs(work, [thing], ["it"], editor=editor, service=service, automatic=automatic)[
                0
            ]

    return make
