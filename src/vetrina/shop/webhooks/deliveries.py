"""What webhooks are told: written in the transaction of the event, sent by a job, signed, tried again, logged.

A message shows its record as the webhook's account sees it at the moment of the event, in the names that its maker
spoke; one that is removed is told by its number. Anything but 2xx and 3xx is a failure: it is tried again with longer
and longer waits, then given up; who fails too often is disabled (shop/webhooks/rules.py).
Rules: facts, "Taxes, settings, shipping, gateways, data" (webhooks); the headers are those that receivers know.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.http_client import OutboundError
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.webhooks import webhook_delivery as table
from vetrina.core.unit_of_work import Shown, Work
from vetrina.kernel.keys import random_letters
from vetrina.shop.webhooks import rules as webhooks
from vetrina.shop.webhooks.rules import Webhook
from vetrina.shop.webhooks.topics import ACTION, KINDS, resource_and_event

__all__ = ["DELIVER", "Delivery", "act", "forget_old", "keep_sent", "of_webhook", "ping", "sent", "settle", "sweep"]

DELIVER: Final = "shop.deliver"  # kind of the job
ATTEMPTS: Final = 5
WAITING, DELIVERED, FAILED = "waiting", "delivered", "failed"
KEPT: Final = 30 * 86_400  # seconds that the log goes back

_FIRST_DELAY: Final = 60  # seconds; each further one is five times as long
_JSON, _FORM = "application/json", "application/x-www-form-urlencoded"
_SPACE: Final = "shop"
_LONGEST_ERROR: Final = 500  # characters
_PATHS: Final = {"order": "orders", "product": "products", "coupon": "coupons", "customer": "customers"}
_EVENTS: Final = {"created": "created", "changed": "updated", "removed": "deleted", "trashed": "deleted"}
# What is told where one transaction did several things to a record.
_RANKS: Final = ("updated", "restored", "deleted", "created")


class Delivery(msgspec.Struct, frozen=True):
    """One message; its members are the columns of its table."""

    id: int
    webhook: int
    uid: str
    topic: str
    space: str
    kind: str
    body: str
    state: str
    attempts: int
    answer: int
    error: str
    created: int
    finished: int | None


class Sent(msgspec.Struct, frozen=True):
    """What came of an attempt. answer: the receiver's status, 0 for none; error: empty when it arrived."""

    answer: int
    error: str = ""


_NAMES = tuple(column.name for column in table.c)
assert Delivery.__struct_fields__ == _NAMES, "Delivery and its table name the same members in the same order"

_INSERT = Statement(insert(table).values({name: bindparam(name) for name in _NAMES}))
_BY_ID = Statement(select(table).where(table.c.id == bindparam("id")))
_OF_WEBHOOK = Statement(select(table).where(table.c.webhook == bindparam("webhook")).order_by(table.c.id.desc()))
_TRIED = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values({name: bindparam(name) for name in ("state", "attempts", "answer", "error", "finished")})
)
_FORGET = Statement(delete(table).where(table.c.finished < bindparam("before")))


# -- events


def settle(work: Work) -> None:
    """Write what webhooks are told of a work's changes."""
    happened = _happened(work)
    if not happened:
        return
    topics = {f"{resource}.{event}" for (resource, _), event in happened.items()}
    told = [hook for hook in webhooks.active(work) if hook.topic in topics]
    for hook in told:
        for (resource, item), event in happened.items():
            if hook.topic == f"{resource}.{event}":
                _tell(work, hook, resource, item, event)


def act(work: Work, name: str, arguments: Any) -> None:
    """Tell the webhooks of an event that others name; arguments: what it was about."""
    for hook in webhooks.active(work):
        if hook.topic == f"{ACTION}.{name}":
            _write(work, hook, orjson.dumps({"action": name, "arg": arguments}), _SPACE)


def ping(work: Work, hook: Webhook) -> None:
    """Tell a new webhook that it is one; nobody minds when this fails."""
    _write(work, hook, f"webhook_id={hook.id}".encode(), _spoken(work, hook, ""), kind=_FORM)


def _happened(work: Work) -> dict[tuple[str, int], str]:
    """Return what happened to records, one event for each."""
    found: dict[tuple[str, int], str] = {}
    gone: set[tuple[str, int]] = set()
    for kind, item, action in work.noted:
        resource = KINDS.get(kind)
        if resource is None or not item.isdecimal() or item == "0":
            continue
        key = (resource, int(item))
        event = _EVENTS.get(action, action)
        before = found.get(key)
        if action == "removed" and before == "created":
            gone.add(key)
        if before is None or _RANKS.index(event) > _RANKS.index(before):
            found[key] = event
    return {key: event for key, event in found.items() if key not in gone}


def _tell(work: Work, hook: Webhook, resource: str, item: int, event: str) -> None:
    if event == "deleted":
        _write(work, hook, orjson.dumps({"id": item}), _spoken(work, hook, resource))
        return
    shown = _shown(work, hook, f"/shop/v3/{_PATHS[resource]}/{item}")
    if shown is not None:
        _write(work, hook, shown.content, shown.space)


def _shown(work: Work, hook: Webhook, path: str) -> Shown | None:
    """Return a record as a webhook's account sees it, None where it does not."""
    user = users.by_id(work.tx, hook.account, users.has_shop(work.frame))
    show = work.frame.showing.show
    return show(_as(work, hook, user), path) if show is not None and user is not None else None


def _spoken(work: Work, hook: Webhook, resource: str) -> str:
    """Return the first segment of the shop's namespace in the names that a webhook's maker spoke."""
    show = work.frame.showing.show
    user = users.by_id(work.tx, hook.account, users.has_shop(work.frame))
    if show is None or user is None:
        return _SPACE
    found = show(_as(work, hook, user), "")
    return found.space if found is not None else _SPACE


def _as(work: Work, hook: Webhook, user: User) -> Work:
    """Return a unit of work in the same transaction as a webhook's account, under the root of its maker."""
    origin = "/".join(hook.root.split("/")[:3]) if "://" in hook.root else work.origin
    return Work(work.frame, work.tx, user, root=hook.root or work.root, origin=origin)


def _write(work: Work, hook: Webhook, body: bytes, space: str, kind: str = _JSON) -> None:
    id = next_number(work.tx, "webhook_delivery")
    made = Delivery(
        id, hook.id, random_letters(32).lower(), hook.topic, space, kind, body.decode(), WAITING, 0, 0, "", work.now,
        None,
    )  # fmt: skip
    work.tx.run(_INSERT, **msgspec.structs.asdict(made))
    job_queue.put(work.tx, DELIVER, {"delivery": id}, due=work.now, now=work.now)


# -- the log


def of_webhook(work: Work, id: int) -> list[Delivery]:
    """Return what a webhook was told, the latest first."""
    return [Delivery(*row) for row in work.tx.all(_OF_WEBHOOK, webhook=id)]


def sweep(work: Work) -> None:
    """Forget what was told long ago."""
    forget_old(work)


def forget_old(work: Work) -> int:
    """Forget what was told long ago, and return how much that was."""
    return work.tx.run(_FORGET, before=work.now - KEPT)


# -- the errand


def sent(work: Work, arguments: Mapping[str, Any]) -> Callable[[], Sent] | None:
    """Return the call that delivers a message, None when nobody waits for it any more."""
    row = work.tx.first(_BY_ID, id=arguments["delivery"])
    one = Delivery(*row) if row else None
    hook = webhooks.by_id(work, one.webhook) if one is not None else None
    if one is None or one.state != WAITING or hook is None or hook.status != webhooks.ACTIVE:
        return None
    body = one.body.encode()
    headers = {"Content-Type": one.kind, **(_headers(work, hook, one, body) if one.kind == _JSON else {})}
    outbound = work.frame.outbound.allowing(*work.frame.profile.webhook_servers)
    url = hook.delivery_url

    def call() -> Sent:
        try:
            reply = outbound.ask("POST", url, body=body, headers=headers, cut=True)
        except OutboundError as error:
            return Sent(0, str(error)[:_LONGEST_ERROR])
        good = 200 <= reply.status < 400
        return Sent(reply.status, "" if good else reply.text()[:_LONGEST_ERROR] or f"answered {reply.status}")

    return call


def keep_sent(work: Work, arguments: Mapping[str, Any], found: Sent) -> None:
    """Note what came of a delivery, and when it is tried again."""
    row = work.tx.first(_BY_ID, id=arguments["delivery"])
    if row is None:
        return
    one = Delivery(*row)
    hook = webhooks.by_id(work, one.webhook)
    attempts = one.attempts + 1
    over = attempts >= ATTEMPTS or one.kind != _JSON
    state = DELIVERED if not found.error else FAILED if over else WAITING
    finished = None if state == WAITING else work.now
    work.tx.run(_TRIED, of=one.id, state=state, attempts=attempts, answer=found.answer, error=found.error,
                finished=finished)  # fmt: skip
    if state == WAITING:
        due = work.now + _FIRST_DELAY * 5 ** (attempts - 1)
        job_queue.put(work.tx, DELIVER, dict(arguments), due=due, now=work.now)
    elif hook is not None and one.kind == _JSON:
        if found.error:
            webhooks.count_failure(work, hook)
        else:
            webhooks.succeeded(work, hook)


def _headers(work: Work, hook: Webhook, one: Delivery, body: bytes) -> dict[str, str]:
    resource, event = resource_and_event(hook.topic)
    secret = webhooks.secret_of(work, hook).encode()
    told = {
        "Source": f"{work.origin}/",
        "Topic": hook.topic,
        "Resource": resource,
        "Event": event,
        "Signature": base64.b64encode(hmac.new(secret, body, hashlib.sha256).digest()).decode(),
        "ID": str(hook.id),
        "Delivery-ID": one.uid,
    }
    return {f"X-{one.space.upper()}-Webhook-{name}": value for name, value in told.items()}
