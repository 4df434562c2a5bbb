"""The people of whom the translation service is told: the translators with their languages, and the managers.

Rules: docs/rules/translation_services.md, 12.
"""

from __future__ import annotations

from typing import Any

from vetrina.core.site_context import SiteContext
from vetrina.core.user import User
from vetrina.multilingual import stored_values as multilingual_stored_values
from vetrina.multilingual.jobs import translators as job_translators
from vetrina.multilingual.services.account import OpenUnitOfWork, build_client, load_account
from vetrina.multilingual.services.service import TranslationServiceError


def synchronize_people(site: SiteContext, open: OpenUnitOfWork, group: str) -> Any:
    """Send the service the translators or managers, and return its response; None where there are none.

    group: translators or managers. Raises TranslationServiceError.
    """
    with open(True) as work:
        account = load_account(work)
        if group == "translators":
            people = [serialize_translator(user) for user in job_translators.list_translators(work)]
        else:
            people = [serialize_person(user) for user in job_translators.list_managers(work)]
    if not people:
        return None
    member = "translators" if group == "translators" else "translation_managers"
    answer = build_client(site, account).ask("POST", f"/{group}", {member: people})
    marks = answer.get(member) if isinstance(answer, dict) else None
    if not isinstance(marks, list):
        raise TranslationServiceError(f"The translation service did not say who its {group} are.")
    with open(False) as work:
        # The e-mail addresses are those of the site's own accounts, so no new personal data is stored.
        multilingual_stored_values.save_setting(work, f"ams.{group}", {
            str(one["email"]): bool((one.get("subscription") or {}).get("active"))
            for one in marks if isinstance(one, dict) and "email" in one and isinstance(one.get("subscription"), dict)
        })  # fmt: skip
    return answer


def serialize_person(user: User) -> dict[str, Any]:
    """Return what the service is told of an account."""
    return {
        "id": user.id, "email": user.email, "login": user.login, "first_name": user.first_name,
        "last_name": user.last_name, "name": user.name, "roles": list(user.roles),
    }  # fmt: skip


def serialize_translator(user: User) -> dict[str, Any]:
    """Return what the service is told of a translator."""
    return {**serialize_person(user), "language_pairs": job_translators.get_language_pairs(user)}
