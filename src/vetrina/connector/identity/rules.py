"""Identity crisis: the site's address is not the one that the service has for its number (a copied or moved site).

Two things tell it: the service's answers, and the address that the site itself kept when it registered. While it lasts
the site is in safe mode: nothing is sent, nothing handed out, and the service is not told of a disconnect. Three ways
lead out: stay (confirm), move the connection to the new address (migrate), begin anew
(connector/connection/registration.py, `start_fresh`). Rules: facts of the connector, 12.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import Secret
from vetrina.connector.connection import state as connection_state
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import random_letters

__all__ = [
    "AlreadyConfirmed", "NoUrlSecret", "compare", "confirm", "forget", "heard", "in_crisis", "migrate", "new_secret",
    "note_requester", "record", "register_home", "requesters", "secret", "told",
]  # fmt: skip

_RECORD, _CONFIRMED, _MIGRATE, _HOME = "sync_error_idc", "safe_mode_confirmed", "migrate_for_idc", "registered_home"
_SECRET, _REQUESTERS = "secret_url", "secret_ip_requester"
_MOST_REQUESTERS: Final = 5
_LETTERS: Final = 12
_SECONDS: Final = 300
_CODES: Final = frozenset({"connector_url_mismatch", "connector_home_url_mismatch", "connector_site_url_mismatch"})


class AlreadyConfirmed(ApiError):
    """Safe mode was confirmed before; nothing changed."""

    status, code = 409, "error_setting_connector_safe_mode"
    message = "Safe mode was confirmed before; nothing changed."


class NoUrlSecret(ApiError):
    """No secret is stored, or its time is over."""

    status, code = 404, "missing_url_secret"
    message = "There is no secret of the site's address. Ask idc-url-validation for a new one."


def plain(url: str) -> str:
    """Return host and path of an address, as two addresses of one site have them alike."""
    parts = urlsplit(url if "//" in url else f"//{url}")
    return ((parts.hostname or "").removeprefix("www.") + parts.path).rstrip("/")


def register_home(work: Work) -> None:
    """Keep the address under which the site registers; written backwards, as the service's are."""
    # A database that is moved by search and replace must not have this one replaced too.
    connection_state.put(work, _HOME, plain(connection_state.home(work))[::-1])


def record(work: Work) -> dict[str, Any] | None:
    """Return the crisis, None for none: the present addresses and those that the service has."""
    here = plain(connection_state.home(work))
    kept = connection_state.get(work, _RECORD)
    if kept is not None and kept["home"] == here:
        there = kept["wpcom_home"][::-1]
        return (
            None
            if {there, kept["wpcom_siteurl"][::-1]} == {here}
            else {**kept, "wpcom_home": there, "wpcom_siteurl": kept["wpcom_siteurl"][::-1]}
        )
    registered = connection_state.get(work, _HOME, "")[::-1]
    if not registered or registered == here or connection_state.site_id(work) is None:
        return None
    return {
        "home": here, "siteurl": here, "wpcom_home": registered, "wpcom_siteurl": registered, "reversed_url": True,
        "error_code": "connector_home_url_mismatch",
    }  # fmt: skip


def in_crisis(work: Work) -> bool:
    """Say whether the site is in safe mode."""
    return record(work) is not None


def heard(work: Work, answer: dict[str, Any]) -> None:
    """Keep what the service said about the address."""
    if answer.get("migrated_for_idc"):
        connection_state.drop(work, _MIGRATE, _RECORD)
    found = answer.get("idc_detected")
    if not isinstance(found, dict) or found.get("error_code") not in _CODES:
        return
    here = plain(connection_state.home(work))
    there, site = (
        plain(str(found.get("wpcom_home", ""))),
        plain(str(found.get("wpcom_siteurl") or found.get("wpcom_home", ""))),
    )
    if {there, site} == {here}:
        # The service has it right: the crisis is over, and it is told so with the next call.
        connection_state.drop(work, _RECORD)
        connection_state.put(work, _MIGRATE, True)
        return
    connection_state.put(work, _RECORD, {
        "home": here, "siteurl": here, "wpcom_home": there[::-1], "wpcom_siteurl": site[::-1], "reversed_url": True,
        "error_code": found["error_code"],
    })  # fmt: skip


def told(work: Work) -> dict[str, str]:
    """Return what every call to the service says about the site's address."""
    out = {"home": connection_state.home(work), "siteurl": connection_state.home(work), "idc": "1"}
    return {**out, "migrate_for_idc": "1"} if connection_state.get(work, _MIGRATE) else out


# -- ways out


def confirm(work: Work) -> None:
    """Stay in safe mode without further notice. Raises AlreadyConfirmed."""
    if connection_state.get(work, _CONFIRMED):
        raise AlreadyConfirmed
    connection_state.put(work, _CONFIRMED, True)


def migrate(work: Work) -> None:
    """Take the connection along to the present address; the service hears of it with the next call."""
    connection_state.drop(work, _RECORD)
    if connection_state.site_id(work) is not None:
        register_home(work)
    connection_state.put(work, _MIGRATE, True)


def forget(work: Work) -> None:
    """Forget the crisis and what was decided about it."""
    connection_state.drop(work, _RECORD, _CONFIRMED, _MIGRATE, _HOME)


# -- the addresses by which the site calls itself where its host is a number


def note_requester(work: Work) -> None:
    """Keep the address under which this request came, where its host is an IP address; the last few, for a while."""
    host = urlsplit(work.origin).hostname or ""
    try:
        address = str(ip_address(host))
    except ValueError:
        return
    kept = {
        one["ip"]: one["expires_at"]
        for one in connection_state.get(work, _REQUESTERS, [])
        if one["expires_at"] > work.now
    }
    kept.pop(address, None)
    kept[address] = work.now + _SECONDS
    last = list(kept.items())[-_MOST_REQUESTERS:]
    connection_state.put(work, _REQUESTERS, [{"ip": ip, "expires_at": until} for ip, until in last])


def requesters(work: Work) -> list[str]:
    """Return the IP addresses by which the site was called lately."""
    return [one["ip"] for one in connection_state.get(work, _REQUESTERS, []) if one["expires_at"] > work.now]


# -- the secret by which the service sees that two addresses reach one database


def new_secret(work: Work) -> str:
    """Make the secret anew and return it."""
    made = random_letters(_LETTERS)
    connection_state.put_sealed(work, _SECRET, {"secret": made, "expires_at": work.now + _SECONDS})
    return made


def secret(work: Work) -> dict[str, str]:
    """Return the secret with its end. Raises NoUrlSecret."""
    kept = connection_state.opened_value(work, _SECRET)
    if kept is None or kept["expires_at"] < work.now:
        raise NoUrlSecret
    return {"secret": kept["secret"], "expires_at": str(kept["expires_at"])}


def compare(work: Work, given: str) -> bool:
    """Say whether a secret is the stored one. Raises TooManyGuesses."""
    work.passes()
    try:
        kept = secret(work)["secret"]
    except NoUrlSecret:
        return False
    return bool(given) and guess_limiter.opens(work, Secret.SERVICE_SECRET, "address", given, kept)
