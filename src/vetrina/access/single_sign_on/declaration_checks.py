"""Whether the providers of a profile can work: names, addresses, roles. Rules: docs/rules/single_sign_on.md, 2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from vetrina.account_settings import SignInProvider
from vetrina.kernel.struct_faults import Fault, suggest_name
from vetrina.settings import Profile

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
_LOCAL_HOSTS: Final = frozenset(("localhost", "127.0.0.1", "::1"))


def find_provider_faults(profile: Profile) -> Iterator[Fault]:
    """Yield what is wrong in the providers of a profile."""
    names: set[str] = set()
    for place, one in enumerate(profile.accounts.providers):
        path = ("accounts", "providers", place)
        if not _NAME.fullmatch(one.name):
            yield Fault((*path, "name"), f"{one.name!r} is no name; write lower-case letters, digits and '-'")
        elif one.name in names:
            yield Fault((*path, "name"), f"there is another provider {one.name!r}; choose another name")
        names.add(one.name)
        if not _is_issuer(one.issuer):
            yield Fault(
                (*path, "issuer"),
                f"{one.issuer!r} is no issuer; write the address that the provider names itself by, with https",
            )
        if not one.client_id:
            yield Fault((*path, "client_id"), "must not be empty; the provider gives it when the site is registered")
        yield from _find_role_faults(profile, one, path)
        for at, url in enumerate(one.servers):
            if not urlsplit(url).hostname or not url.startswith(("https://", "http://")):
                yield Fault((*path, "servers", at), f"{url!r} is no address; write one such as 'https://keys.example'")


def _find_role_faults(profile: Profile, one: SignInProvider, path: tuple[str | int, ...]) -> Iterator[Fault]:
    given: list[tuple[tuple[str, ...], str]] = [(("roles", value), role) for value, role in one.roles.items()]
    if one.default_role:
        given.append((("default_role",), one.default_role))
    known = [*profile.roles, *profile.role_definitions]
    for key, role in given:
        if role not in known:
            yield Fault((*path, *key), f"there is no role of this profile {role!r}; {suggest_name(role, known)}")
    if one.roles and not one.role_claim:
        yield Fault((*path, "role_claim"), "must name the claim that `roles` is about")


def _is_issuer(url: str) -> bool:
    """Return whether an address may be an issuer: https, but for this machine; neither query nor fragment."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    secure = parts.scheme == "https" or (parts.scheme == "http" and host in _LOCAL_HOSTS)
    return secure and bool(host) and not parts.username and "?" not in url and "#" not in url and url.isascii()
