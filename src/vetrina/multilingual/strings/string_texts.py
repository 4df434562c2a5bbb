"""Strings as texts of jobs: a batch of strings is one item, identified by the job that it was sent with.

Rules: docs/rules/strings.md, 1.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from vetrina.backends.id_sequences import allocate_id
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import parse_digits
from vetrina.multilingual.jobs import model as job_model
from vetrina.multilingual.jobs.impersonation import sanitize_translation
from vetrina.multilingual.jobs.model import TranslationJob, TranslationJobField
from vetrina.multilingual.strings import rules as strings, translations as string_translations
from vetrina.multilingual.strings.model import SiteString
from vetrina.multilingual.translations.translatables import STRINGS, Translatable, TranslatableNotFound

_PREFIX: Final = "string-"


def build_string_batches(work: UnitOfWork, ids: Sequence[int]) -> list[Translatable]:
    """Return strings as new items, one batch per source language. Raises TranslatableNotFound."""
    found = strings.list_strings_by_ids(work, ids)
    missing = set(ids) - {one.id for one in found}
    if missing:
        raise TranslatableNotFound("string", min(missing))
    by_language: dict[str, list[SiteString]] = {}
    for one in found:
        by_language.setdefault(one.language, []).append(one)
    return [
        _build_string_batch(allocate_id(work.tx, "mlang_string_batch"), language, texts)
        for language, texts in by_language.items()
    ]


def release_job_strings(work: UnitOfWork, job: TranslationJob) -> None:
    """Release the strings of a job that was cancelled."""
    numbers = dict.fromkeys(_parse_string_id(one.name) for one in job_model.list_job_fields(work, job) if one.wanted)
    string_translations.release_strings(work, numbers, job.target_language)


class _TranslatableStringBatches:
    """Batches of strings."""

    def get_translatable(self, work: UnitOfWork, element_type: str, id: int) -> Translatable:
        jobs = job_model.list_jobs_of_translatable(work, STRINGS, id)
        if not jobs:
            raise TranslatableNotFound(element_type, id)
        numbers = dict.fromkeys(
            _parse_string_id(one.name) for one in job_model.list_job_fields(work, jobs[0]) if one.wanted
        )
        texts = strings.list_strings_by_ids(work, list(numbers))
        return _build_string_batch(id, jobs[0].source_language, texts)

    def texts(self, work: UnitOfWork, item: Translatable, language: str) -> list[TranslationJobField]:
        out = []
        for one in item.of:
            forms = string_translations.count_plural_forms(language) if one.plural else 1
            for number in range(forms):
                name = f"{_PREFIX}{one.id}" + (f"-{number}" if one.plural else "")
                out.append(
                    TranslationJobField(name, one.plural if number else one.value, label="string", format="text")
                )
        string_translations.mark_strings_waiting(work, [one.id for one in item.of], language)
        return out

    def fingerprint(self, work: UnitOfWork, item: Translatable) -> str:
        parts = [f"{one.id};{one.value};{one.plural}" for one in item.of]
        return hashlib.md5(";".join(parts).encode(), usedforsecurity=False).hexdigest()

    def translation(self, work: UnitOfWork, item: Translatable, language: str) -> int:
        return 0

    def apply(
        self, work: UnitOfWork, job: TranslationJob, texts: Sequence[TranslationJobField], *, draft: bool | None
    ) -> int:
        thing = self.get_translatable(work, job.element_type, job.element)
        by_name = {
            one.name: sanitize_translation(work.user, one.source, one.target)
            for one in texts
            if one.wanted and one.target
        }
        for one in thing.of:
            count = string_translations.count_plural_forms(job.target_language) if one.plural else 1
            names = [f"{_PREFIX}{one.id}-{number}" for number in range(count)] if one.plural else [f"{_PREFIX}{one.id}"]
            forms = [by_name[name] for name in names if name in by_name]
            if len(forms) == count:
                string_translations.translate_string(work, one, job.target_language, forms)
        return job.element


STRING_BATCHES = _TranslatableStringBatches()


def _build_string_batch(id: int, language: str, texts: list[SiteString]) -> Translatable:
    first = texts[0].value if texts else ""
    title = first if len(texts) == 1 else f"{first} (+{len(texts) - 1})"
    return Translatable(STRINGS, STRINGS, id, language, title[:200], texts)


def _parse_string_id(name: str) -> int:
    return parse_digits(name.removeprefix(_PREFIX).partition("-")[0]) or 0
