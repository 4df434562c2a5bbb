"""Translation jobs of a demonstration, each left in another state, and the site's own texts in the other language.

Not here: what is translated by hand (demo/content.py). How a round goes: docs/translation.md.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any, Final

from vetrina.demo.seed_client import DAY, Hand

from .content import Written
from .texts import Job, Person, Story

__all__ = ["jobs", "site_texts"]

_UNIT: Final = "{urn:oasis:names:tc:xliff:document:1.2}"
_MADE: Final = 3  # days before the end
_TYPES: Final = {"posts": "post", "pages": "page"}
_OTHER: Final = "it"


def jobs(hand: Hand, found: Iterable[Job], written: Written) -> None:
    """Make the jobs and bring each to its state."""
    for at, job in enumerate(found):
        hand.calendar.go(hand.calendar.last - _MADE * DAY + at * 60)
        _brought(hand, job, written)


def _brought(hand: Hand, job: Job, written: Written) -> None:
    base, number = written.types[job.of], written.records[job.of, "en"]
    asked = {
        "items": [{"type": f"post_{_TYPES.get(base, base)}", "id": number}], "target_languages": [_OTHER],
        "sent_to": job.to, "batch_name": "Autumn round", "deadline": hand.day(-14),
    }  # fmt: skip
    [made] = hand.post("/mlang/tm/v1/jobs", asked)["jobs"]
    if job.to:
        hand.meet(job.to)  # whom a job is sent to becomes a translator
    if job.state == "in progress":
        hand.post("/mlang/tm/v1/jobs/take", {"jobId": _number(made)}, by=job.to)
    elif job.state == "cancelled":
        hand.ask("POST", "/mlang/tm/v1/jobs/cancel", items=[{"id": made["id"], "type": "post"}])
    elif job.state in ("complete", "outdated"):
        _delivered(hand, job, _number(made))
    if job.state == "outdated":
        hand.calendar.back(1)
        hand.post(f"/cms/v2/{base}/{number}", {"content": written.blocks(job.then, "en")})


def _number(made: dict[str, Any]) -> int:
    number: int = made["extra_data"]["icl_translate_job_id"]
    return number


def _delivered(hand: Hand, job: Job, number: int) -> None:
    """Fill the file of a job as its translator does, and send it back."""
    from lxml import etree

    path = f"/mlang/tm/v1/xliff/fetch/{number}"
    root = etree.fromstring(base64.b64decode(hand.get(path, by=job.to)["content"]))
    texts = iter(job.texts)
    for unit in root.iter(f"{_UNIT}trans-unit"):
        target = unit.find(f"{_UNIT}target")
        assert target is not None
        target.text = job.title if unit.get("id") == "title" else next(texts)
    hand.post(path, {"xliff": etree.tostring(root, encoding="unicode")}, by=job.to)


def site_texts(hand: Hand, story: Story) -> None:
    """Translate the site's title and tagline, and what people say of themselves."""
    wanted = {story.title: story.title_it, story.tagline: story.tagline_it, **dict(_biographies(story.people))}
    for text, translation in wanted.items():
        for one in hand.get("/mlang/st/v1/strings", {"search": text}):
            if one["value"] == text:
                hand.post(f"/mlang/st/v1/strings/{one['id']}", {"translations": {_OTHER: translation}})


def _biographies(people: Iterable[Person]) -> Iterable[tuple[str, str]]:
    return ((one.description, one.description_it) for one in people if one.description)
