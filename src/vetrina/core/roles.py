"""What a role is, and which roles a site has by its profile.

Those that were changed over the interface are rows (access/roles/store.py); what an account may do by its roles:
access/roles/role_rights.py. Rules: docs/rules/roles.md, 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from vetrina.kernel.frozen import freeze


class Role(msgspec.Struct, frozen=True):
    """A role. types, languages: those of the records that its capabilities count for; empty for all."""

    name: str
    label: str
    capabilities: tuple[str, ...]
    types: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()

    @property
    def is_limited(self) -> bool:
        """Whether its capabilities count for some records only."""
        return bool(self.types or self.languages)


@dataclass(frozen=True, eq=False)
class SiteRoles:
    """The roles that a site has by its profile.

    names: of them, in their order. declared: those that the profile declares, by name; the others are built in.
    added: the capabilities that modules add to those of every administrator.
    """

    names: tuple[str, ...] = ()
    declared: Mapping[str, Role] = field(default_factory=dict)
    added: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "declared", freeze(self.declared))
