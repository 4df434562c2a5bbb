"""Devices that an account is used from: what counts as one, and whether it was seen lately.

A device is a program on a system (`Firefox (Windows)`, whatever their versions) in a network (the first 24 bits of an
IPv4 address, 48 of an IPv6 one). Kept is a digest of both, of the account's own. Rules: docs/rules/account_notices.md,
2.
"""

from __future__ import annotations

import re
from ipaddress import ip_address, ip_network
from typing import Final

from sqlalchemy import bindparam, delete, func, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.single_sign_on import known_device
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.keys import compute_digest

_NEW_AFTER_SECONDS: Final = 90 * 86400  # seconds after which a device that was not used is a new one
_KEPT_SECONDS: Final = 400 * 86400  # longer than that, so that a forgotten account still has a device to differ from
_MAX_AGENT_LENGTH: Final = 60  # characters of a program that is not known

# The first that is found counts: most programs name others that they resemble.
_PROGRAMS: Final = (
    ("Edge", r"Edg(?:e|A|iOS)?/"),
    ("Opera", r"OPR/|Opera"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("Firefox", r"Firefox/|FxiOS/"),
    ("Chrome", r"Chrome/|Chromium/|CriOS/"),
    ("Safari", r"Safari/"),
)
_SYSTEMS: Final = (
    ("Android", r"Android"),
    ("iPhone", r"iPhone|iPod"),
    ("iPad", r"iPad"),
    ("Windows", r"Windows"),
    ("macOS", r"Macintosh|Mac OS X"),
    ("ChromeOS", r"CrOS"),
    ("Linux", r"Linux|X11"),
)

_TABLE: Final = known_device.c
_SELECT_SEEN = Statement(
    select(
        func.count(),
        func.max(_TABLE.seen).filter(_TABLE.digest == bindparam("digest")),
    ).where(_TABLE.account == bindparam("account"))
)
_UPSERT = Statement(
    build_upsert(
        known_device,
        keys=("account", "digest"),
        values={name: bindparam(name) for name in ("account", "digest", "seen")},
        changes={"seen": bindparam("seen")},
    )
)
_DELETE_OLD = Statement(delete(known_device).where(_TABLE.seen <= bindparam("until")))


def describe_agent(agent: str) -> str:
    """Return the program and the system that a client names, as people know them; empty for a client without a name."""
    program = next((name for name, pattern in _PROGRAMS if re.search(pattern, agent)), "")
    system = next((name for name, pattern in _SYSTEMS if re.search(pattern, agent)), "")
    if program:
        return f"{program} ({system})" if system else program
    return "".join(one for one in agent.strip()[:_MAX_AGENT_LENGTH] if one.isprintable())


def remember_device(work: UnitOfWork, account: int, address: str, agent: str) -> bool:
    """Store that an account is used from a device now; return whether that is new for it, and not its first."""
    text = f"device\n{account}\n{describe_agent(agent)}\n{_widen_address(address)}"
    digest = compute_digest(work.site.settings.secret, text)
    row = work.tx.first(_SELECT_SEEN, account=account, digest=digest)
    count, seen = row or (0, None)
    work.tx.run(_UPSERT, account=account, digest=digest, seen=work.now)
    return bool(count) and (seen is None or seen <= work.now - _NEW_AFTER_SECONDS)


def delete_old_devices(work: UnitOfWork) -> None:
    """Delete what was not used for so long that nothing is compared with it."""
    work.tx.run(_DELETE_OLD, until=work.now - _KEPT_SECONDS)


def _widen_address(address: str) -> str:
    """Return the network that an address counts as; the text itself for what is none."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((found, 24 if found.version == 4 else 48), strict=False))
