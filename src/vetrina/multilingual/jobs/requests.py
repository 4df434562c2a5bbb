"""Requests to translate: items by their types and ids, sent to a recipient.

Not here: the jobs that result (multilingual/jobs/creation.py), dispatch to services
(multilingual/services/dispatch.py). Rules: docs/rules/translation_jobs.md, 5 and
docs/rules/translation_routes.md, 11.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from vetrina.access.users import rules as users
from vetrina.content.records.model import Record
from vetrina.content.translations import duplicates as translation_duplicates
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.multilingual.jobs import (
    creation as job_creation,
    model as job_model,
    rules as jobs,
    translators as job_translators,
)
from vetrina.multilingual.jobs.creation import SameTargetLanguage
from vetrina.multilingual.jobs.impersonation import impersonate_author
from vetrina.multilingual.jobs.model import LOCAL, TranslationJob
from vetrina.multilingual.jobs.states import OPEN, TranslationJobEvent, TranslationJobState
from vetrina.multilingual.languages import preferences as language_preferences
from vetrina.multilingual.services import dispatch
from vetrina.multilingual.strings.string_texts import build_string_batches
from vetrina.multilingual.translations.element_types import get_translatable_kind
from vetrina.multilingual.translations.translatables import STRINGS, Translatable, TranslatableNotFound

MACHINE: Final = "machine"
DUPLICATE: Final = "duplicate"


class RecipientNotFound(ApiError):
    """The recipient of the jobs does not exist."""

    code = "mlang_recipient_unknown"
    message = "{name!r} is no translator and no service of this site. Services: {known}."


class CannotDuplicateTranslatable(ApiError):
    """Only records can be duplicated."""

    code = "mlang_not_duplicable"
    message = "{type} cannot be duplicated in another language; send it to be translated."


class JobRecipient(msgspec.Struct, frozen=True):
    """Where jobs go: to a service, to a translator of the site, to the machine, or nowhere when duplicates are made."""

    duplicate: bool = False

    service: str = LOCAL
    editor: str = "mlang"
    automatic: bool = False
    translator: int = 0


def resolve_recipient(work: UnitOfWork, name: str, translator: int = 0) -> JobRecipient:
    """Return the recipient of jobs.

    name: `local`, `machine`, a remote service, or a translator's login or id; empty for `local`, or for the remote
    editor where the site's translation method is set to it.
    translator: an account id, 0 for any. Raises RecipientNotFound, TranslatorNotFound.
    """
    if translator:
        job_translators.get_translator(work, translator)
    name = name or ("ate" if language_preferences.sends_to_editor(work) else LOCAL)
    if name == LOCAL:
        return JobRecipient(translator=translator)
    if name == DUPLICATE:
        return JobRecipient(duplicate=True)
    known = dispatch.list_services(work.site)
    if name == MACHINE and MACHINE in known:
        return JobRecipient(automatic=True)
    if name == "ate" and name in known:
        return JobRecipient(editor="ate", automatic=not translator, translator=translator)
    if name == "agency" and name in known:
        return JobRecipient(service=str(work.site.profile.translation.tp_service))
    user = users.find_user(work.tx, int(name)) if name.isascii() and name.isdecimal() and len(name) < 16 else None
    user = user or users.find_user_by_login(work.tx, name)
    if user is None:
        raise RecipientNotFound(name=name, known=", ".join((LOCAL, DUPLICATE, *known)))
    return JobRecipient(translator=user.id)


def resolve_translatables(work: UnitOfWork, items: Iterable[Mapping[str, Any]]) -> list[Translatable]:
    """Return the items that a request names, each once; strings are gathered into batches.

    items: `{"type": "post_page", "id": 120}`, likewise `tax_…` and `string`.
    Raises TranslatableNotFound, NotTranslatable.
    """
    out: dict[tuple[str, int], Translatable] = {}
    strings: list[int] = []
    for item in items:
        type, id = str(item["type"]), int(item["id"])
        if type == "string":
            strings.append(id)
        elif type == STRINGS or type.startswith(("post_", "tax_")):
            out[type, id] = get_translatable_kind(type).get_translatable(work, type, id)
        else:
            raise TranslatableNotFound(type, id)
    return [*out.values(), *(build_string_batches(work, list(dict.fromkeys(strings))) if strings else ())]


def create_requested_jobs(
    work: UnitOfWork, items: Iterable[Mapping[str, Any]], target_languages: Sequence[str], recipient: JobRecipient, *,
    deadline: int = 0, batch_name: str = "", note: str = "",
) -> list[TranslationJob]:  # fmt: skip
    """Create the jobs of a request, and enqueue those that go to a service.

    Raises what `resolve_translatables` and `create_jobs` raise.
    """
    found = resolve_translatables(work, items)
    if recipient.duplicate:
        return _create_duplicates(work, found, target_languages)
    made = job_creation.create_jobs(
        work, found, list(dict.fromkeys(target_languages)), translator=recipient.translator, deadline=deadline,
        service=recipient.service, editor=recipient.editor, automatic=recipient.automatic, batch_name=batch_name,
        note=note,
    )  # fmt: skip
    return dispatch.dispatch_jobs(work, made)


def _create_duplicates(
    work: UnitOfWork, translatables: Sequence[Translatable], languages: Sequence[str]
) -> list[TranslationJob]:
    """Create duplicates of records in some languages, except where a job is open."""
    out = []
    for thing in translatables:
        if thing.type != "post" or thing.element_type == "post_nav_menu_item":
            raise CannotDuplicateTranslatable(type=thing.element_type)
        if thing.language in languages:
            raise SameTargetLanguage(type=thing.element_type, id=thing.element, language=thing.language)
        source: Record = thing.of
        rows = {
            one.target_language: one
            for one in job_model.list_jobs_of_translatable(work, thing.element_type, thing.element)
        }
        for language in dict.fromkeys(languages):
            row = rows.get(language)
            if row is not None and row.state in OPEN:
                continue
            with impersonate_author(work, source.author, language):
                made = translation_duplicates.create_duplicate(work, work.site.types[source.type], source, language)
            if row is None:
                out.append(
                    job_creation.adopt_translation(work, thing, language, made.id, TranslationJobState.DUPLICATE)
                )
            else:
                out.append(
                    jobs.apply_job_event(
                        work, row, TranslationJobEvent.DUPLICATED, translation=made.id, needs_update=False
                    )
                )
    return out
