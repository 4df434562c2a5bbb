"""Webhooks as rows, and their secrets. What failures do to them: core/webhooks/failure_limit.py.

Rules: docs/rules/webhooks.md, 5.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import claim_id
from vetrina.backends.store import Store
from vetrina.backends.tables.webhooks import webhook as table
from vetrina.core.change_source import Told
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.webhooks.model import ACTIVE, WEBHOOK_KIND, Webhook
from vetrina.kernel.encryption import CannotDecrypt, decrypt_text, encrypt_text
from vetrina.kernel.keys import generate_letters

SECRET_CONTEXT: Final = "webhook"
_SECRET_LENGTH: Final = 50

_STORE: Final = Store(table, Webhook)
_OF_FAMILY = Statement(select(*_STORE.columns).where(table.c.family == bindparam("family")).order_by(table.c.id))
_ACTIVE_OF_FAMILY = Statement(
    select(*_STORE.columns).where(table.c.status == ACTIVE, table.c.family == bindparam("family")).order_by(table.c.id)
)


def list_webhooks(work: UnitOfWork, family: str) -> list[Webhook]:
    """Return all webhooks of a family, the oldest first."""
    work.uses(WEBHOOK_KIND)
    return _STORE.of_rows(work.tx.all(_OF_FAMILY, family=family))


def list_active_webhooks(work: UnitOfWork, family: str) -> list[Webhook]:
    """Return the active webhooks of a family."""
    found: list[Webhook] | None = work.tx.recall(table, family)
    if found is None:
        found = _STORE.of_rows(work.tx.all(_ACTIVE_OF_FAMILY, family=family))
        work.tx.keep(table, family, found)
    return found


def expect_active_webhooks(work: UnitOfWork, family: str) -> None:
    """Have the active webhooks of a family read with what is asked of the database next."""
    if work.tx.recall(table, family) is None:
        work.tx.expect(_ACTIVE_OF_FAMILY, family=family)


def find_webhook(work: UnitOfWork, id: int, family: str = "") -> Webhook | None:
    """Return a webhook, None where there is none. family: empty for any."""
    work.uses(WEBHOOK_KIND)
    found = _STORE.find(work.tx, id)
    return found if found is not None and family in ("", found.family) else None


def insert_webhook(
    work: UnitOfWork, family: str, *, name: str, topic: str, url: str, secret: str, status: str = ACTIVE,
    id: int = 0, created: int | None = None,
) -> Webhook:  # fmt: skip
    """Store a webhook of the calling account.

    secret: empty for one that is made up. id: a free one that it takes, 0 for the next one. created: None for now.
    """
    made = Webhook(
        claim_id(work.tx, id, WEBHOOK_KIND), work.user.id, name, status, topic, url,
        encrypt_secret(work, secret or generate_letters(_SECRET_LENGTH)), work.public_root, 0,
        work.now if created is None else created, None, family,
    )  # fmt: skip
    _STORE.insert(work.tx, made)
    work.note(WEBHOOK_KIND, made.id, "created")
    work.describe(
        WEBHOOK_KIND, made.id, made.name, {"topic": Told(None, made.topic), "status": Told(None, made.status)}
    )
    return made


def update_webhook(work: UnitOfWork, old: Webhook, members: dict[str, Any]) -> Webhook:
    """Change members of a webhook; activating it resets its failures. secret: plain."""
    if members.get("secret"):
        members = {**members, "secret": encrypt_secret(work, members["secret"])}
    if members.get("status") == ACTIVE:
        members = {**members, "failures": 0, "reason": ""}
    new = msgspec.structs.replace(old, **members, modified=work.now)
    _STORE.update(work.tx, old, new)
    work.note(WEBHOOK_KIND, new.id, "changed")
    work.describe(WEBHOOK_KIND, new.id, new.name, _describe_members(old, new))
    return new


def delete_webhook(work: UnitOfWork, hook: Webhook) -> None:
    """Delete a webhook with its delivery log."""
    _STORE.delete(work.tx, hook.id)
    work.note(WEBHOOK_KIND, hook.id, "removed")
    work.describe(WEBHOOK_KIND, hook.id, hook.name)


def encrypt_secret(work: UnitOfWork, secret: str) -> str:
    """Return a signing secret as it is stored."""
    return encrypt_text(work.site.settings.secret, SECRET_CONTEXT, secret)


def decrypt_secret(work: UnitOfWork, hook: Webhook) -> str:
    """Return the signing secret; empty where it cannot be decrypted any more."""
    try:
        return decrypt_text(work.site.settings.secret, SECRET_CONTEXT, hook.secret)
    except CannotDecrypt:
        return ""


def save_failures(work: UnitOfWork, old: Webhook, new: Webhook) -> None:
    """Store how many deliveries of a webhook failed, and whether that disabled it."""
    _STORE.update(work.tx, old, new)
    if new.status != old.status:
        work.note(WEBHOOK_KIND, old.id, "changed")
        work.describe(WEBHOOK_KIND, old.id, old.name, {"status": Told(old.status, new.status)})


def _describe_members(old: Webhook, new: Webhook) -> dict[str, Told | None]:
    """Return what is told of a changed webhook; its address may hold a key of who receives, as its secret is one."""
    names = _STORE.list_changed(old, new)
    told = {name: Told(getattr(old, name), getattr(new, name)) for name in ("name", "topic", "status") if name in names}
    return {**told, **{name: None for name in ("delivery_url", "secret") if name in names}}


def is_delivery_url(url: str) -> bool:
    """Return whether something can be delivered to a URL, as far as its form says."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and not any(one.isspace() for one in url)
    except ValueError:
        return False
