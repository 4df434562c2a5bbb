"""A request to translate: things by their types and numbers, and to whom they are sent.

Not here: the jobs that come of it (multilingual/jobs/rules.py), the ways to services
(multilingual/services/dispatch.py). Rules: the issue of the multilingual layer, "Making a job, and filling it", for
which the reference has no route.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from vetrina.access.users import rules as users
from vetrina.content.records.model import Record
from vetrina.content.translations import duplicates as translation_duplicates
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.multilingual.jobs import model as job_model
from vetrina.multilingual.jobs import rules as jobs
from vetrina.multilingual.jobs import translators as job_translators
from vetrina.multilingual.jobs.impersonation import trusted
from vetrina.multilingual.jobs.model import LOCAL, Job
from vetrina.multilingual.jobs.rules import SameLanguage
from vetrina.multilingual.jobs.states import OPEN, Event, State
from vetrina.multilingual.languages import preferences as language_preferences
from vetrina.multilingual.services import dispatch
from vetrina.multilingual.strings.string_texts import batched
from vetrina.multilingual.translations.element_types import kind_of
from vetrina.multilingual.translations.translatables import STRINGS, ItemUnknown, Thing

__all__ = ["DUPLICATE", "MACHINE", "NotDuplicable", "Recipient", "RecipientUnknown", "recipient", "sent", "things"]

MACHINE: Final = "machine"
DUPLICATE: Final = "duplicate"


class RecipientUnknown(ApiError):
    """Jobs are to go to somebody or something that is not there."""

    code = "mlang_recipient_unknown"
    message = "{name!r} is no translator and no service of this site. Services: {known}."


class NotDuplicable(ApiError):
    """Duplicates are made of records only."""

    code = "mlang_not_duplicable"
    message = "{type} cannot be duplicated in another language; send it to be translated."


class Recipient(msgspec.Struct, frozen=True):
    """Where jobs go: to a service, and in the house to a translator, to a machine, or nowhere: duplicates are made."""

    duplicate: bool = False

    service: str = LOCAL
    editor: str = "mlang"
    automatic: bool = False
    translator: int = 0


def recipient(work: Work, name: str, translator: int = 0) -> Recipient:
    """Return where jobs go.

    name: `local`, `machine`, a remote service, or a translator's login or number; empty for `local`, or for the remote
    editor where somebody chose that as the method.
    translator: an account's number, 0 for any. Raises RecipientUnknown, TranslatorUnknown.
    """
    if translator:
        job_translators.require(work, translator)
    name = name or ("ate" if language_preferences.sends_to_editor(work) else LOCAL)
    if name == LOCAL:
        return Recipient(translator=translator)
    if name == DUPLICATE:
        return Recipient(duplicate=True)
    known = dispatch.services(work.frame)
    if name == MACHINE and MACHINE in known:
        return Recipient(automatic=True)
    if name == "ate" and name in known:
        return Recipient(editor="ate", automatic=not translator, translator=translator)
    if name == "agency" and name in known:
        return Recipient(service=str(work.frame.profile.translation.tp_service))
    user = users.by_id(work.tx, int(name)) if name.isascii() and name.isdecimal() and len(name) < 16 else None
    user = user or users.by_login_or_email(work.tx, name)
    if user is None:
        raise RecipientUnknown(name=name, known=", ".join((LOCAL, DUPLICATE, *known)))
    return Recipient(translator=user.id)


def things(work: Work, items: Iterable[Mapping[str, Any]]) -> list[Thing]:
    """Return what some items name, each once; strings are gathered into batches.

    items: `{"type": "post_page", "id": 120}`, likewise `tax_…` and `string`. Raises ItemUnknown, NotTranslatable.
    """
    out: dict[tuple[str, int], Thing] = {}
    strings: list[int] = []
    for item in items:
        type, id = str(item["type"]), int(item["id"])
        if type == "string":
            strings.append(id)
        elif type == STRINGS or type.startswith(("post_", "tax_")):
            out[type, id] = kind_of(type).found(work, type, id)
        else:
            raise ItemUnknown(type, id)
    return [*out.values(), *(batched(work, list(dict.fromkeys(strings))) if strings else ())]


def sent(
    work: Work, items: Iterable[Mapping[str, Any]], target_languages: Sequence[str], to: Recipient, *,
    deadline: int = 0, batch_name: str = "", note: str = "",
) -> list[Job]:  # fmt: skip
    """Make the jobs of a request, and note those that a service is to get.

    Raises what things and jobs.create raise.
    """
    found = things(work, items)
    if to.duplicate:
        return _duplicated(work, found, target_languages)
    made = jobs.create(
        work, found, list(dict.fromkeys(target_languages)), translator=to.translator, deadline=deadline,
        service=to.service, editor=to.editor, automatic=to.automatic, batch_name=batch_name, note=note,
    )  # fmt: skip
    return dispatch.hand_over(work, made)


def _duplicated(work: Work, found: Sequence[Thing], languages: Sequence[str]) -> list[Job]:
    """Make duplicates of records in some languages; where a job is open, it is left alone."""
    out = []
    for thing in found:
        if thing.type != "post" or thing.element_type == "post_nav_menu_item":
            raise NotDuplicable(type=thing.element_type)
        if thing.language in languages:
            raise SameLanguage(type=thing.element_type, id=thing.element, language=thing.language)
        source: Record = thing.of
        rows = {one.target_language: one for one in job_model.of_thing(work, thing.element_type, thing.element)}
        for language in dict.fromkeys(languages):
            row = rows.get(language)
            if row is not None and row.state in OPEN:
                continue
            with trusted(work, source.author, language):
                made = translation_duplicates.make(work, work.frame.types[source.type], source, language)
            if row is None:
                out.append(jobs.adopt(work, thing, language, made.id, State.DUPLICATE))
            else:
                out.append(jobs.move(work, row, Event.DUPLICATED, translation=made.id, needs_update=False))
    return out
