"""What a profile makes of a site, without opening it: its types, taxonomies and routes. Rules: docs/rules/server.md, 7.

Who reads and checks profiles is above the modules: profile_outlines.py hands itself in by `SiteContext.profiles`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from vetrina.core.site_context import SiteContext


@dataclass(frozen=True)
class SiteOutline:
    """A site that a profile describes. context: for looking at only; routes: its paths, each with its methods."""

    context: SiteContext
    routes: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class ProfileFile:
    """Where the profile of a site comes from.

    name: of its file, or of the built-in profile. text: what it says, without what is secret; None where it cannot be
    read, or not be shown without that.
    """

    name: str
    is_built_in: bool
    text: str | None


class ProfileOutlines(Protocol):
    """Says what profiles make of the site that is running."""

    def find_file(self) -> ProfileFile:
        """Return where the profile of the site comes from, as it stands there now."""

    def outline_current(self, site: SiteContext) -> SiteOutline:
        """Return the outline of the running site."""

    def outline_text(self, site: SiteContext, text: str) -> SiteOutline:
        """Return the outline of the site with another profile, a TOML document.

        What the text has masked is as it is in the file. Raises SettingsError with everything that is wrong.
        """

    def is_stale(self, site: SiteContext) -> bool:
        """Return whether the file says something else than what is in force; also where it cannot be served."""
