"""Identity crisis: the service has another URL for the site's id, because the site was copied or moved.

It is detected by the service's responses, and by the URL stored at registration. While it lasts, the site is in safe
mode: it sends and serves nothing of sync, and does not report a disconnect. Three ways to resolve it: stay in safe mode
(confirm), move the connection to the new URL (migrate), start fresh (connector/identity/fresh_start.py).
Rules: docs/rules/connector_identity.md, 1, 2, 3, 4 and 6.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.connector import stored_values
from vetrina.connector.connection import state as connection_state
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.keys import generate_letters

_RECORD, _CONFIRMED, _MIGRATE, _HOME = "sync_error_idc", "safe_mode_confirmed", "migrate_for_idc", "registered_home"
_SECRET, _REQUESTERS = "secret_url", "secret_ip_requester"
_MOST_REQUESTERS: Final = 5
_LETTERS: Final = 12
_SECONDS: Final = 300
_CODES: Final = frozenset({"connector_url_mismatch", "connector_home_url_mismatch", "connector_site_url_mismatch"})


class SafeModeAlreadyConfirmed(ApiError):
    """Safe mode was confirmed before; nothing changed."""

    failure, code = Failure.CONFLICT, "error_setting_connector_safe_mode"
    message = "Safe mode was confirmed before; nothing changed."


class UrlSecretNotFound(ApiError):
    """No secret is stored, or it has expired."""

    failure, code = Failure.NOT_FOUND, "missing_url_secret"
    message = "There is no secret of the site's address. Ask idc-url-validation for a new one."


def normalize_address(url: str) -> str:
    """Return host and path of a URL, in a form that is equal for all URLs of one site."""
    parts = urlsplit(url if "//" in url else f"//{url}")
    return ((parts.hostname or "").removeprefix("www.") + parts.path).rstrip("/")


def save_registered_home(work: UnitOfWork) -> None:
    """Store the URL at registration, reversed like those of the service."""
    # Search and replace in a moved database must not change it.
    stored_values.save_value(work, _HOME, normalize_address(stored_values.build_home_address(work))[::-1])


def find_crisis(work: UnitOfWork) -> dict[str, Any] | None:
    """Return the crisis, None for none: the present URLs, and those that the service has."""
    here = normalize_address(stored_values.build_home_address(work))
    record = stored_values.get_value(work, _RECORD)
    if record is not None and record["home"] == here:
        there = record["wpcom_home"][::-1]
        return (
            None
            if {there, record["wpcom_siteurl"][::-1]} == {here}
            else {**record, "wpcom_home": there, "wpcom_siteurl": record["wpcom_siteurl"][::-1]}
        )
    registered = stored_values.get_value(work, _HOME, "")[::-1]
    if not registered or registered == here or connection_state.find_site_id(work) is None:
        return None
    return {
        "home": here, "siteurl": here, "wpcom_home": registered, "wpcom_siteurl": registered, "reversed_url": True,
        "error_code": "connector_home_url_mismatch",
    }  # fmt: skip


def is_in_crisis(work: UnitOfWork) -> bool:
    """Say whether the site is in safe mode."""
    return find_crisis(work) is not None


def record_address_answer(work: UnitOfWork, answer: dict[str, Any]) -> None:
    """Store what the service responded about the site's URL."""
    if answer.get("migrated_for_idc"):
        stored_values.delete_values(work, _MIGRATE, _RECORD)
    found = answer.get("idc_detected")
    if not isinstance(found, dict) or found.get("error_code") not in _CODES:
        return
    here = normalize_address(stored_values.build_home_address(work))
    there, site = (
        normalize_address(str(found.get("wpcom_home", ""))),
        normalize_address(str(found.get("wpcom_siteurl") or found.get("wpcom_home", ""))),
    )
    if {there, site} == {here}:
        # The service has the right URL: the crisis is over, and the next call confirms it.
        stored_values.delete_values(work, _RECORD)
        stored_values.save_value(work, _MIGRATE, True)
        return
    stored_values.save_value(work, _RECORD, {
        "home": here, "siteurl": here, "wpcom_home": there[::-1], "wpcom_siteurl": site[::-1], "reversed_url": True,
        "error_code": found["error_code"],
    })  # fmt: skip


def build_address_parameters(work: UnitOfWork) -> dict[str, str]:
    """Return the parameters about the site's URL that every call to the service has."""
    out = {
        "home": stored_values.build_home_address(work),
        "siteurl": stored_values.build_home_address(work),
        "idc": "1",
    }
    return {**out, "migrate_for_idc": "1"} if stored_values.get_value(work, _MIGRATE) else out


# -- resolving a crisis


def confirm_safe_mode(work: UnitOfWork) -> None:
    """Stay in safe mode without further notice. Raises SafeModeAlreadyConfirmed."""
    if stored_values.get_value(work, _CONFIRMED):
        raise SafeModeAlreadyConfirmed
    stored_values.save_value(work, _CONFIRMED, True)


def migrate_connection(work: UnitOfWork) -> None:
    """Move the connection to the present URL; the service learns of it with the next call."""
    stored_values.delete_values(work, _RECORD)
    if connection_state.find_site_id(work) is not None:
        save_registered_home(work)
    stored_values.save_value(work, _MIGRATE, True)


def forget_crisis(work: UnitOfWork) -> None:
    """Delete the crisis and the decision about it."""
    stored_values.delete_values(work, _RECORD, _CONFIRMED, _MIGRATE, _HOME)


# -- IP addresses by which the site is called


def record_requester(work: UnitOfWork) -> None:
    """Store the host of this request where it is an IP address; the last few, for some time."""
    host = urlsplit(work.origin).hostname or ""
    try:
        address = str(ip_address(host))
    except ValueError:
        return
    expiries = {
        one["ip"]: one["expires_at"]
        for one in stored_values.get_value(work, _REQUESTERS, [])
        if one["expires_at"] > work.now
    }
    expiries.pop(address, None)
    expiries[address] = work.now + _SECONDS
    last = list(expiries.items())[-_MOST_REQUESTERS:]
    stored_values.save_value(work, _REQUESTERS, [{"ip": ip, "expires_at": until} for ip, until in last])


def list_requesters(work: UnitOfWork) -> list[str]:
    """Return the IP addresses by which the site was called recently."""
    return [one["ip"] for one in stored_values.get_value(work, _REQUESTERS, []) if one["expires_at"] > work.now]


# -- the secret that proves that two URLs reach one database


def build_url_validation(work: UnitOfWork) -> dict[str, Any]:
    """Return the site's URLs with a new secret, and the IP addresses by which it was called; no secret offline."""
    home = stored_values.build_home_address(work)
    if connection_state.is_offline(work.site):
        return {"home": home, "siteurl": home, "offline_mode": "1"}
    record_requester(work)
    values: dict[str, Any] = {"home": home, "siteurl": home, "url_secret": create_url_secret(work)}
    if found := list_requesters(work):
        values["ip_requester"] = found
    return values


def create_url_secret(work: UnitOfWork) -> str:
    """Replace the secret and return it."""
    made = generate_letters(_LETTERS)
    stored_values.save_encrypted_value(work, _SECRET, {"secret": made, "expires_at": work.now + _SECONDS})
    return made


def get_url_secret(work: UnitOfWork) -> dict[str, str]:
    """Return the secret with its expiry. Raises UrlSecretNotFound."""
    stored = stored_values.get_decrypted_value(work, _SECRET)
    if stored is None or stored["expires_at"] < work.now:
        raise UrlSecretNotFound
    return {"secret": stored["secret"], "expires_at": str(stored["expires_at"])}


def matches_url_secret(work: UnitOfWork, given: str) -> bool:
    """Say whether a secret is the stored one. Raises TooManyGuesses."""
    work.mark_time_dependent()
    try:
        secret = get_url_secret(work)["secret"]
    except UrlSecretNotFound:
        return False
    return bool(given) and guess_limiter.matches_secret(work, SecretKind.SERVICE_SECRET, "address", given, secret)
