"""The site's registration at the translation service: what it sends, and the account that it gets.

Rules: docs/rules/translation_services.md, 11.
"""

from __future__ import annotations

from typing import Any

import msgspec

from vetrina.core.site_context import SiteContext
from vetrina.kernel.keys import generate_key, generate_uuid
from vetrina.multilingual.jobs import translators as job_translators
from vetrina.multilingual.services.account import ENABLED, OpenUnitOfWork, ServiceAccount, load_account, save_account
from vetrina.multilingual.services.account_people import serialize_person, serialize_translator
from vetrina.multilingual.services.remote import TranslationServiceClient
from vetrina.multilingual.services.service import TranslationServiceError


def register_account(site: SiteContext, open: OpenUnitOfWork) -> ServiceAccount:
    """Register the site, with the caller as manager. Raises TranslationServiceError."""
    with open(False) as work:
        known = load_account(work)
        if not known.uuid or not known.site_key:
            known = msgspec.structs.replace(known, uuid=generate_uuid(), site_key=generate_key())
            save_account(work, known)
        members: dict[str, Any] = {
            "manager": serialize_person(work.user),
            "translators": [serialize_translator(user) for user in job_translators.list_translators(work)],
            "managers": [serialize_person(user) for user in job_translators.list_managers(work)],
            "site_url": work.origin,
            "site_key": known.site_key,
        }
    try:
        answer = TranslationServiceClient(site, "ams").ask("POST", "/sites", {**members, "site_uuid": known.uuid})
    except TranslationServiceError as error:
        if error.status != 409:
            raise
        # The service knows this id from another site, maybe a copy of this one: retry once with a new id.
        known = msgspec.structs.replace(known, uuid=generate_uuid())
        answer = TranslationServiceClient(site, "ams").ask("POST", "/sites", {**members, "site_uuid": known.uuid})
    made = _parse_account(known, answer)
    with open(False) as work:
        save_account(work, made)
    return made


def _parse_account(known: ServiceAccount, answer: Any) -> ServiceAccount:
    """Return the account with what the service sent. Raises TranslationServiceError."""
    try:
        given = msgspec.convert(answer, _AccountAnswer)
    except msgspec.ValidationError as error:
        raise TranslationServiceError(f"The translation service made no account that can be used: {error}") from None
    return msgspec.structs.replace(
        known, user_id=given.user_id, secret=given.secret, shared=given.shared_key, state=ENABLED
    )


class _AccountAnswer(msgspec.Struct):
    user_id: int
    secret: str
    shared_key: str = msgspec.field()
