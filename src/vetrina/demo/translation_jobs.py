"""Translation jobs of a demonstration, each left in another state, and the site's own texts in the other language.

The workflow: docs/translation.md. Records with translations: demo/content.py.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any, Final

from vetrina.demo.seed_client import DAY, SeedClient

from .content import CreatedContent
from .texts import GlossaryText, PersonText, SiteStory, TranslationJobText

_UNIT: Final = "{urn:oasis:names:tc:xliff:document:1.2}"
_DAYS_BEFORE_END: Final = 3  # days before the end of the period
_TYPES: Final = {"posts": "post", "pages": "page"}
_SECOND_LANGUAGE: Final = "it"


def create_translation_jobs(client: SeedClient, jobs: Iterable[TranslationJobText], written: CreatedContent) -> None:
    """Create the jobs and bring each to its state."""
    for at, job in enumerate(jobs):
        client.clock.move_to(client.clock.last - _DAYS_BEFORE_END * DAY + at * 60)
        _create_job(client, job, written)


def _create_job(client: SeedClient, job: TranslationJobText, written: CreatedContent) -> None:
    base, number = written.types[job.of], written.records[job.of, "en"]
    members = {
        "items": [{"type": f"post_{_TYPES.get(base, base)}", "id": number}], "target_languages": [_SECOND_LANGUAGE],
        "sent_to": job.to, "batch_name": "Autumn round", "deadline": client.day(-14),
    }  # fmt: skip
    [created] = client.post("/mlang/tm/v1/jobs", members)["jobs"]
    if job.to:
        client.add_account(job.to)  # the assignee of a job becomes a translator
    if job.state == "in progress":
        client.post("/mlang/tm/v1/jobs/take", {"jobId": _get_job_number(created)}, by=job.to)
    elif job.state == "cancelled":
        client.ask("POST", "/mlang/tm/v1/jobs/cancel", items=[{"id": created["id"], "type": "post"}])
    elif job.state in ("complete", "outdated"):
        _deliver_job(client, job, _get_job_number(created))
    if job.state == "outdated":
        client.clock.move_before_end(1)
        client.post(f"/cms/v2/{base}/{number}", {"content": written.render_blocks(job.then, "en")})


def _get_job_number(job: dict[str, Any]) -> int:
    number: int = job["extra_data"]["icl_translate_job_id"]
    return number


def _deliver_job(client: SeedClient, job: TranslationJobText, number: int) -> None:
    """Fill in the file of a job as its translator would, and return it."""
    from lxml import etree

    path = f"/mlang/tm/v1/xliff/fetch/{number}"
    root = etree.fromstring(base64.b64decode(client.get(path, by=job.to)["content"]))
    texts = iter(job.texts)
    for unit in root.iter(f"{_UNIT}trans-unit"):
        target = unit.find(f"{_UNIT}target")
        assert target is not None
        target.text = job.title if unit.get("id") == "title" else next(texts)
    client.post(path, {"xliff": etree.tostring(root, encoding="unicode")}, by=job.to)


def translate_site_texts(client: SeedClient, story: SiteStory) -> None:
    """Translate the site's title and tagline, and the users' biographies."""
    wanted = {story.title: story.title_it, story.tagline: story.tagline_it, **dict(_iterate_biographies(story.people))}
    for text, translation in wanted.items():
        for one in client.get("/mlang/st/v1/strings", {"search": text}):
            if one["value"] == text:
                client.post(f"/mlang/st/v1/strings/{one['id']}", {"translations": {_SECOND_LANGUAGE: translation}})


def create_glossary(client: SeedClient, entries: Iterable[GlossaryText]) -> None:
    """Agree on some words."""
    for one in entries:
        body = {"term": one.term, "language": _SECOND_LANGUAGE, "translation": one.it, "note": one.note}
        client.post("/mlang/v1/glossary", body)


def _iterate_biographies(people: Iterable[PersonText]) -> Iterable[tuple[str, str]]:
    return ((one.description, one.description_it) for one in people if one.description)
