"""How an entry of the audit trail is shown. Rules: docs/rules/audit.md, 3."""

from __future__ import annotations

from typing import Final

from vetrina.access.audit.model import ACTIONS, SOURCES
from vetrina.kernel.times import format_iso
from vetrina.rest.fields import EDIT, EMBED, VIEW, AnyOf, Array, Boolean, Field, Integer, Number, Object, String
from vetrina.rest.serializer import Serializer, read_attributes

_EVERY: Final = (VIEW, EDIT, EMBED)


def _declare_value(help: str) -> AnyOf:
    scalars = (String(), Boolean(), Number())
    types = [*(one.kind for one in scalars), "array", "null"]
    return AnyOf(help, (*scalars, Array(items=AnyOf("", scalars))), optional=True, extra={"type": types})


ENTRY_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the entry.", context=_EVERY, readonly=True),
    "date_gmt": String("When it was done, in GMT.", context=_EVERY, format="date-time", readonly=True),
    "account": Integer(
        "Number of the account that did it, 0 for none; the account may be gone.", context=_EVERY, readonly=True
    ),
    "login": String("User name of that account at that time.", context=_EVERY, readonly=True),
    "source": String(
        "By what the caller was signed in, or what did it without anybody.", context=_EVERY, enum=SOURCES, readonly=True
    ),
    "credential": String(
        "Which one that was: UUID of an application password, number of a consumer key; never the secret.",
        context=_EVERY, readonly=True,
    ),
    "address": String("IP address that it came from; empty outside of requests.", context=_EVERY, readonly=True),
    "agent": String("Name that the client's program gave itself.", context=_EVERY, readonly=True),
    "action": String("What was done.", context=_EVERY, enum=ACTIONS, readonly=True),
    "kind": String("What it was done to, as the change log names it.", context=_EVERY, readonly=True),
    "item": String("Number or name of that.", context=_EVERY, readonly=True),
    "title": String("What people called it at that time; may be empty.", context=_EVERY, readonly=True),
    "changes": Array(
        "Which members changed.",
        items=Object(
            properties={
                "member": String("Name of the member."),
                "old": _declare_value("Its value before; absent where values are not told."),
                "new": _declare_value("Its value after; absent where values are not told."),
            }
        ),
        context=_EVERY, readonly=True,
    ),
}  # fmt: skip
ENTRY_SERIALIZER: Final = Serializer(
    ENTRY_FIELDS,
    {
        **read_attributes(*(name for name in ENTRY_FIELDS if name != "date_gmt")),
        "date_gmt": lambda one, work: format_iso(one.at),
    },
)
