"""What a profile would make of a running site: read, checked and declared, without opening a second site.

What changes by it: system/site_profile/. What is wrong in a profile: profile_checks.py. Rules: docs/rules/server.md, 7.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from vetrina import modules
from vetrina.core.site_context import SiteContext
from vetrina.profile_checks import convert_sound_profile
from vetrina.settings import Profile, SettingsError, find_profile_path, read_toml
from vetrina.system.context_factory import build_site_context
from vetrina.system.site_profile.masking import mask_text, restore_masked
from vetrina.system.site_profile.outline import ProfileFile, SiteOutline

_WHERE: Final = "the text"


@dataclass(frozen=True)
class OutlinedProfiles:
    """What profiles make of a site. name: of its own, as the settings say it; sets: its keys of the command line."""

    name: str
    sets: Mapping[str, Any]

    def find_file(self) -> ProfileFile:
        """Return where the profile of the site comes from, as it stands there now."""
        path = Path(self.name)
        is_built_in = path.suffix != ".toml"
        try:
            text = mask_text(find_profile_path(self.name).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            # It is gone, or no TOML any more, since the server was started.
            text = None
        return ProfileFile(path.name, is_built_in, text)

    def outline_current(self, site: SiteContext) -> SiteOutline:
        """Return the outline of the running site."""
        return _outline(site, site.profile)

    def outline_text(self, site: SiteContext, text: str) -> SiteOutline:
        """Return the outline of the site with another profile. Raises SettingsError with everything that is wrong."""
        try:
            values = restore_masked(tomllib.loads(text), self._read_values())
            return _outline(site, convert_sound_profile(values, _WHERE, self.sets, text))
        except RecursionError:
            raise SettingsError("The text is nested too deeply to be a profile.") from None
        except SettingsError:
            raise
        except ValueError as error:
            # No TOML, or parts that each are sound and do not go together.
            raise SettingsError(str(error)) from None

    def is_stale(self, site: SiteContext) -> bool:
        """Return whether the file says something else than what is in force; also where it cannot be served."""
        try:
            path = find_profile_path(self.name)
            return convert_sound_profile(read_toml(path), str(path), self.sets) != site.profile
        except SettingsError:
            return True

    def _read_values(self) -> dict[str, Any]:
        """Return what the file of the site has, nothing where it cannot be read now."""
        try:
            return read_toml(find_profile_path(self.name))
        except SettingsError:
            return {}


def _outline(site: SiteContext, profile: Profile) -> SiteOutline:
    # The files of a theme make no difference to what is compared, and another folder is none of a browser's business.
    seen = msgspec.structs.replace(profile, theme=site.profile.theme)
    context = build_site_context(seen, site.settings, modules.load_modules(profile.modules))
    table, _ = modules.build_route_table(context)
    routes = {place.pattern: tuple(place.methods) for place in table.endpoints.values()}
    return SiteOutline(replace(context, profile=profile), routes)
