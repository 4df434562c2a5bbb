"""Where a change comes from, and what its rule tells of it to those who look after the site.

The unit of work carries both to what runs before its commit (access/audit/recording.py). Rules: docs/rules/audit.md, 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgspec

_MAX_TEXT: Final = 80  # characters of a title and of a told value
_MAX_LIST: Final = 20  # entries of a told list
_MAX_AGENT: Final = 200


class SourceKind(StrEnum):
    """By what somebody was signed in who changed something, or what did it without anybody."""

    NOBODY = "nobody"  # a visitor
    SESSION = "session"
    APP_PASSWORD = "app_password"
    CONSUMER_KEY = "consumer_key"
    TOKEN = "token"
    SERVICE = "service"  # the connector's, by its signature
    COMMAND = "command"
    IMPORT = "import"
    JOB = "job"


class ChangeSource(NamedTuple):
    """Where a change comes from. credential: which one of its kind; address, agent: empty outside of requests."""

    kind: SourceKind = SourceKind.COMMAND
    credential: str = ""
    address: str = ""
    agent: str = ""


COMMAND_SOURCE: Final = ChangeSource()
IMPORT_SOURCE: Final = ChangeSource(SourceKind.IMPORT)


class Told(NamedTuple):
    """The value of a member before and after a change, where it is no secret and nobody's own text."""

    old: Any = None
    new: Any = None


class ChangeNote(msgspec.Struct):
    """What a rule tells of a change beside the change log.

    title: what people call the item. account, login: who did it, where the unit of work has no caller yet (signing in).
    members: those that changed, by name; None where their values are not told. hidden: the change follows from another
    one, which says enough. event: what happened, where the change log has no word for it: trashed, restored.
    """

    title: str = ""
    account: int = 0
    login: str = ""
    members: dict[str, Told | None] = {}
    hidden: bool = False
    event: str = ""


def shorten_text(text: str, most: int = _MAX_TEXT) -> str:
    """Return a text on one line, without what no database keeps."""
    line = " ".join(text.replace("\0", " ").split()).encode(errors="replace").decode()
    return line if len(line) <= most else f"{line[: most - 1]}…"


def shorten_agent(agent: str) -> str:
    """Return the name of a client's program as it is kept."""
    return shorten_text(agent, _MAX_AGENT)


def shorten_value(value: Any) -> Any:
    """Return a told value as JSON has it: short texts, numbers, flags, and lists of such; None for any other."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Decimal):
        # As stored and as computed an amount has more or fewer zeros.
        whole, _, rest = format(value.normalize(), "f").partition(".")
        return f"{whole}.{rest.ljust(2, '0')}"
    if isinstance(value, str):
        return shorten_text(value)
    if isinstance(value, Sequence | frozenset | set):
        return [shorten_value(one) for one in list(value)[:_MAX_LIST]]
    return None
