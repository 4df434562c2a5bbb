"""The roles of a profile: built-in ones by their names, and those that it declares; and what is wrong in these.

Rules: docs/rules/roles.md, 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from vetrina.access.roles.built_in_roles import ADMINISTRATOR, CAPABILITIES, LIMITABLE
from vetrina.access.roles.capability_catalogue import is_capability_name, list_capabilities, list_limited_types
from vetrina.access.roles.role_rights import format_role_label
from vetrina.core.roles import Role, SiteRoles
from vetrina.core.site_context import SiteContext
from vetrina.kernel.struct_faults import Fault, suggest_name
from vetrina.settings import Profile, ProfileRole

NAME_PATTERN: Final = "[a-z][a-z0-9_]{0,59}"


def build_site_roles(profile: Profile) -> SiteRoles:
    """Return the roles that a site has by its profile."""
    declared = {name: _build_role(name, given) for name, given in profile.role_definitions.items()}
    return SiteRoles(tuple(dict.fromkeys((*profile.roles, *declared))), declared)


def _build_role(name: str, given: ProfileRole) -> Role:
    own_name = name if name in CAPABILITIES else ""
    found = (*CAPABILITIES.get(own_name if given.base is None else given.base, ()), *given.capabilities)
    kept = (one for one in dict.fromkeys(found) if one not in given.remove)
    if given.types or given.languages:
        kept = (one for one in kept if one in LIMITABLE)
    return Role(name, given.label or format_role_label(name), tuple(kept), given.types, given.languages)


def find_role_faults(profile: Profile, site: SiteContext) -> Iterator[Fault]:
    """Yield what is wrong in the declared roles. site: the one of the built-in types and those of the modules."""
    capabilities = [one.name for one in list_capabilities(site)]
    types = [*list_limited_types(site), *profile.types]
    for name, given in profile.role_definitions.items():
        path = ("role_definitions", name)
        if name == ADMINISTRATOR:
            yield Fault(path, "administrators may do everything; declare another role")
        elif not re.fullmatch(NAME_PATTERN, name):
            yield Fault(path, f"{name!r} is no name; write a letter, then letters, digits or '_', all lower case")
        elif is_capability_name(name):
            yield Fault(path, f"{name!r} is a capability; choose another name")
        if given.base and (given.base not in CAPABILITIES or given.base == ADMINISTRATOR):
            bases = [one for one in CAPABILITIES if one != ADMINISTRATOR]
            yield Fault((*path, "base"), f"there is no built-in role {given.base!r}; {suggest_name(given.base, bases)}")
        for key, names, known, what in (
            ("capabilities", given.capabilities, capabilities, "capability"),
            ("remove", given.remove, capabilities, "capability"),
            ("types", given.types, types, "content type that a role can be limited to"),
            ("languages", given.languages, list(profile.languages), "language of this profile"),
        ):
            for place, one in enumerate(names):
                if one not in known:
                    yield Fault((*path, key, place), f"there is no {what} {one!r}; {suggest_name(one, known)}")
        if given.types or given.languages:
            for place, one in enumerate(given.capabilities):
                if one in capabilities and one not in LIMITABLE:
                    message = f"{one!r} cannot be limited; leave out types and languages, or give it by another role"
                    yield Fault((*path, "capabilities", place), message)
