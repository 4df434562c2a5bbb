"""Strings as texts of jobs: a batch of them is one thing, known by the job that it was sent with.

Rules: facts of the multilingual layer, "Strings model".
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from vetrina.backends.id_sequences import next_number
from vetrina.core.unit_of_work import Work
from vetrina.kernel.integers import whole
from vetrina.multilingual.jobs import model as job_model
from vetrina.multilingual.jobs.impersonation import allowed
from vetrina.multilingual.jobs.model import Job, JobField
from vetrina.multilingual.strings import rules as strings
from vetrina.multilingual.strings.rules import Text
from vetrina.multilingual.translations.translatables import STRINGS, ItemUnknown, Thing

__all__ = ["STRING_BATCHES", "batched", "released"]

_PREFIX: Final = "string-"


def batched(work: Work, ids: Sequence[int]) -> list[Thing]:
    """Return strings as new things, a batch for each language that they are in. Raises ItemUnknown."""
    found = strings.by_ids(work, ids)
    missing = set(ids) - {one.id for one in found}
    if missing:
        raise ItemUnknown("string", min(missing))
    by_language: dict[str, list[Text]] = {}
    for one in found:
        by_language.setdefault(one.language, []).append(one)
    return [
        _thing(next_number(work.tx, "mlang_string_batch"), language, texts) for language, texts in by_language.items()
    ]


def released(work: Work, job: Job) -> None:
    """Note that a job of strings was called off."""
    numbers = dict.fromkeys(_number(one.name) for one in job_model.fields(work, job) if one.wanted)
    strings.release(work, numbers, job.target_language)


class _StringBatches:
    """Batches of strings."""

    def found(self, work: Work, element_type: str, id: int) -> Thing:
        jobs = job_model.of_thing(work, STRINGS, id)
        if not jobs:
            raise ItemUnknown(element_type, id)
        numbers = dict.fromkeys(_number(one.name) for one in job_model.fields(work, jobs[0]) if one.wanted)
        texts = strings.by_ids(work, list(numbers))
        return _thing(id, jobs[0].source_language, texts)

    def texts(self, work: Work, thing: Thing, language: str) -> list[JobField]:
        out = []
        for one in thing.of:
            forms = strings.forms_of(language) if one.plural else 1
            for number in range(forms):
                name = f"{_PREFIX}{one.id}" + (f"-{number}" if one.plural else "")
                out.append(JobField(name, one.plural if number else one.value, label="string", format="text"))
        strings.mark_waiting(work, [one.id for one in thing.of], language)
        return out

    def fingerprint(self, work: Work, thing: Thing) -> str:
        parts = [f"{one.id};{one.value};{one.plural}" for one in thing.of]
        return hashlib.md5(";".join(parts).encode(), usedforsecurity=False).hexdigest()

    def translation(self, work: Work, thing: Thing, language: str) -> int:
        return 0

    def apply(self, work: Work, job: Job, texts: Sequence[JobField], *, draft: bool | None) -> int:
        thing = self.found(work, job.element_type, job.element)
        by_name = {one.name: allowed(work.user, one.source, one.target) for one in texts if one.wanted and one.target}
        for one in thing.of:
            count = strings.forms_of(job.target_language) if one.plural else 1
            names = [f"{_PREFIX}{one.id}-{number}" for number in range(count)] if one.plural else [f"{_PREFIX}{one.id}"]
            forms = [by_name[name] for name in names if name in by_name]
            if len(forms) == count:
                strings.translate(work, one, job.target_language, forms)
        return job.element


STRING_BATCHES = _StringBatches()


def _thing(id: int, language: str, texts: list[Text]) -> Thing:
    first = texts[0].value if texts else ""
    title = first if len(texts) == 1 else f"{first} (+{len(texts) - 1})"
    return Thing(STRINGS, STRINGS, id, language, title[:200], texts)


def _number(name: str) -> int:
    return whole(name.removeprefix(_PREFIX).partition("-")[0]) or 0
