"""Whether a profile means something: its names exist, its parts fit each other. What its values look like: settings.py.

Every fault is found, so that one run names them all. Guide: docs/profiles.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from vetrina import modules
from vetrina.access.roles.built_in_roles import CAPABILITIES, NEVER_REGISTERED
from vetrina.access.roles.profile_roles import build_site_roles, find_role_faults
from vetrina.access.roles.role_rights import compute_role_rights
from vetrina.access.single_sign_on.declaration_checks import find_provider_faults
from vetrina.content.custom_fields.declaration_checks import find_field_faults
from vetrina.content.previews.addresses import PLACEHOLDERS, fill_placeholders, find_placeholders
from vetrina.content.previews.token_permissions import has_previews
from vetrina.core import options
from vetrina.core.site_context import SiteContext
from vetrina.design.themes.model import BUILT_IN as BUILT_IN_THEMES
from vetrina.kernel.frozen import thaw
from vetrina.kernel.struct_faults import Fault, find_struct_faults, omit_faulty_values, suggest_name
from vetrina.kernel.times import UnknownTimeZone, load_time_zone
from vetrina.rest.dialects.names import list_dialects
from vetrina.settings import (
    Profile,
    ProfileType,
    Settings,
    SettingsError,
    convert_profile,
    find_profile_path,
    locate_faults,
    read_toml,
)
from vetrina.system.context_factory import build_site_context

# What a type of a profile can support.
TYPE_FEATURES: Final = (
    "title", "editor", "excerpt", "author", "thumbnail", "comments", "revisions", "page-attributes", "post-formats",
    "sticky", "custom-fields", "trackbacks", "notes",
)  # fmt: skip
# Last parts of routes of `cms/v2` that no type and no taxonomy may have.
RESERVED_BASES: Final = frozenset({
    "backups", "block-directory", "block-patterns", "block-renderer", "block-types", "changes", "comments",
    "edit-locks", "font-collections", "global-styles", "jobs", "menu-locations", "options-pages",
    "pattern-directory", "plugins", "redirects", "search", "settings", "sidebars", "site-check", "site-comparison",
    "site-import", "site-profile", "statuses", "taxonomies", "template-parts", "templates", "themes", "types", "users",
    "webhooks", "widget-types", "widgets",
})  # fmt: skip
_REFERRED: Final = frozenset({"languages", "modules", "roles"})  # keys whose entries others name
_WITH_ENTRY: Final = 2  # parts of the path of an entry of a list
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_BASE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_BASE_PATH: Final = re.compile(r"(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")
# First segments of a site's own addresses: beneath one of them its addresses could be read in two ways.
_OWN_SEGMENTS: Final = frozenset({
    "admin", "admin-json", "cms-content", "cms-json", "docs", "health", "metrics", "openapi", "shop",
})  # fmt: skip
_LIST_SEGMENTS: Final = (
    "author",
    "checkout",
    "embed",
    "feed",
    "page",
    "styles",
)  # what addresses of pages begin or end with
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*")


def load_sound_profile(name: str, sets: Mapping[str, Any] | None = None) -> Profile:
    """Return a profile that can be served, with some keys set. Raises SettingsError with everything that is wrong."""
    path = find_profile_path(name)
    return convert_sound_profile(read_toml(path), str(path), sets)


def convert_sound_profile(
    values: Mapping[str, Any], where: str, sets: Mapping[str, Any] | None = None, text: str | None = None
) -> Profile:
    """Return the profile that the values of a TOML document are, if it can be served, with some keys set.

    where: names the document in messages. text: of the document, read from the file `where` when it is None.
    Raises SettingsError with everything that is wrong.
    """
    try:
        profile = convert_profile(values, where, sets, text)
    except SettingsError as error:
        if not any(fault.where == where for fault in error.faults):
            raise
        faults = [*error.faults, *locate_faults(_find_further_faults(dict(values)), where, text)]
        raise SettingsError(faults=sorted(faults, key=lambda fault: fault.line)) from None
    if found := list(find_profile_faults(profile)):
        raise SettingsError(faults=locate_faults(found, where, text))
    return profile


def _find_further_faults(values: dict[str, Any]) -> list[Fault]:
    """Return what is wrong in a profile beside values of the wrong type, which are left out to find it."""
    faulty = find_struct_faults(values, Profile)
    # What is said of other names would only follow from these.
    if any(len(fault.path) <= _WITH_ENTRY and fault.path[0] in _REFERRED for fault in faulty):
        return []
    try:
        profile = msgspec.convert(omit_faulty_values(values, faulty), Profile)
    except msgspec.ValidationError:
        # What is left lacks a key that has one of several words, as a field lacks its type; that was said already.
        return []
    return list(find_profile_faults(profile))


def require_sound_profile(profile: Profile, name: str) -> None:
    """Raise SettingsError with everything that is wrong in a profile. name: as the settings name it."""
    if faults := list(find_profile_faults(profile)):
        raise SettingsError(faults=locate_faults(faults, str(find_profile_path(name))))


def require_sound_settings(settings: Settings, path: Path, languages: Iterable[str] = ()) -> None:
    """Raise SettingsError with everything that is wrong in a site's settings. path: of its file; languages: its own."""
    if faults := list(find_settings_faults(settings, languages)):
        raise SettingsError(faults=locate_faults(faults, str(path)))


def find_settings_faults(settings: Settings, languages: Iterable[str] = ()) -> Iterator[Fault]:
    """Yield what is wrong in settings whose values have the right types."""
    if settings.url:
        yield from _check_site_url(settings.url, ("url",), languages)
    if settings.media_url:
        yield from _check_url(settings.media_url, ("media_url",))
    if settings.port > 65535:
        yield Fault(("port",), f"{settings.port} is no port; the highest is 65535")
    for name in ("workers", "threads", "backups_kept"):
        if getattr(settings, name) < 1:
            yield Fault((name,), "must be 1 or more")


def find_profile_faults(profile: Profile) -> Iterator[Fault]:
    """Yield what is wrong in a profile whose values have the right types."""
    yield from _check_languages(profile)
    try:
        load_time_zone(profile.time_zone)
    except UnknownTimeZone as error:
        yield Fault(("time_zone",), f"{error}{_suggest_zone(profile.time_zone)}")
    yield from _check_names(profile.modules, modules.MODULES, ("modules",), "module")
    yield from _check_names(profile.dialects, list_dialects(), ("dialects",), "dialect")
    roles = [*profile.roles, *profile.role_definitions]
    yield from _check_names(profile.roles, {**CAPABILITIES, **profile.role_definitions}, ("roles",), "role")
    if profile.default_role not in roles:
        yield Fault(("default_role",), _describe_unknown("role of this profile", profile.default_role, roles))
    yield from _check_names(
        profile.accounts.second_factor_roles, roles, ("accounts", "second_factor_roles"), "role of this profile"
    )
    yield from find_provider_faults(profile)
    yield from _check_theme(profile.theme)
    yield from _check_names(
        profile.public_menu_locations, profile.menu_locations, ("public_menu_locations",), "menu location"
    )
    if profile.images.quality not in range(1, 96):
        yield Fault(("images", "quality"), f"must be 1 to 95, not {profile.images.quality}")
    yield from _check_options(profile)
    yield from _check_registration(profile)
    for path, url in _list_urls(profile):
        yield from _check_url(url, path)
    if set(profile.modules) <= set(modules.MODULES):
        yield from _check_types(profile)


def _check_registration(profile: Profile) -> Iterator[Fault]:
    """Yield what is wrong in who may register: an unknown role, or one that anybody would get too much by."""
    role, roles = profile.accounts.registration_role, build_site_roles(profile)
    if role and role not in roles.names:
        yield Fault(("accounts", "registration_role"), _describe_unknown("role of this profile", role, roles.names))
    elif not NEVER_REGISTERED.isdisjoint(compute_role_rights((role,), roles).everywhere):
        yield Fault(("accounts", "registration_role"), f"{role} manages accounts or the site; nobody gets it by asking")


def _check_options(profile: Profile) -> Iterator[Fault]:
    known: set[str] = set(options.DEFAULTS)
    for module in modules.load_modules(name for name in profile.modules if name in modules.MODULES):
        known.update(module.list_option_names())
    for name, value in profile.options.items():
        usual = options.DEFAULTS.get(name)
        if name not in known:
            from difflib import get_close_matches  # needed only where something is wrong

            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "GET /cms/v2/settings lists those of a site"
            yield Fault(("options", name), f"there is no option of this name; {hint}")
        elif usual is not None and type(thaw(value)) is not type(usual):
            yield Fault(("options", name), f"must be a value like {usual!r}, not {thaw(value)!r}")


def _check_languages(profile: Profile) -> Iterator[Fault]:
    # Imported late: it takes 30 ms, and the workers of a server need no check.
    from babel import localedata
    from babel.core import parse_locale

    if not profile.languages:
        yield Fault(("languages",), 'names no language; write at least one, as in ["en"]')
    for place, code in enumerate(profile.languages):
        if not _LANGUAGE.fullmatch(code):
            yield Fault(("languages", place), f"{code!r} is no language code; write one such as 'de' or 'pt-br'")
        elif not localedata.exists(parse_locale(code, sep="-")[0]):
            yield Fault(("languages", place), f"{code!r} is no language that is known; write its code, such as 'de'")
        if code in profile.languages[:place]:
            yield Fault(("languages", place), f"{code!r} stands there twice")
    if profile.languages and profile.default_language not in profile.languages:
        message = _describe_unknown("language of this profile", profile.default_language, profile.languages)
        yield Fault(("default_language",), message)


def _suggest_zone(name: str) -> str:
    from difflib import get_close_matches
    from zoneinfo import available_timezones

    near = get_close_matches(name, available_timezones(), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _check_names(given: Iterable[str], known: Iterable[str], path: tuple[str, ...], what: str) -> Iterator[Fault]:
    known = list(known)
    for place, name in enumerate(given):
        if name not in known:
            yield Fault((*path, place), _describe_unknown(what, name, known))


def _describe_unknown(what: str, name: str, known: Iterable[str]) -> str:
    return f"there is no {what} {name!r}; {suggest_name(name, known)}"


def _check_theme(name: str) -> Iterator[Fault]:
    if "/" in name:
        if not (Path(name) / "style.css").is_file():
            yield Fault(("theme",), f"{name} is no folder of a theme: it has no style.css")
    elif not (BUILT_IN_THEMES / name / "style.css").is_file():
        known = [head.parent.name for head in sorted(BUILT_IN_THEMES.glob("*/style.css"))]
        yield Fault(("theme",), f"{_describe_unknown('built-in theme', name, known)}; or give the path of a folder")


def _list_urls(profile: Profile) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the addresses of outside services, with where they stand."""
    for table in ("translation", "connector", "shop_services", "accounts"):
        for name, value in msgspec.structs.asdict(getattr(profile, table)).items():
            if name.endswith("_url") and value:
                yield (table, name), value
    for name in ("webhook_servers", "import_servers", "allowed_origins"):
        for place, url in enumerate(getattr(profile, name)):
            yield (name, place), url


def _check_url(url: str, path: tuple[str | int, ...]) -> Iterator[Fault]:
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port >= 0)
    except ValueError:
        sound = False
    if not sound:
        yield Fault(path, f"{url!r} is no address; write one such as 'https://www.example.org'")


def _check_site_url(url: str, path: tuple[str | int, ...], languages: Iterable[str]) -> Iterator[Fault]:
    if faults := list(_check_url(url, path)):
        yield from faults
        return
    parts = urlsplit(url)
    base = parts.path.rstrip("/")
    if parts.query or parts.fragment or "?" in url or "#" in url:
        yield Fault(path, f"{url!r} has a query or a fragment; leave it out")
    elif not _BASE_PATH.fullmatch(base):
        yield Fault(path, f"{url!r} has a path that no site can live under; write letters, digits, '-', '_' and '.'")
    elif (first := base.split("/")[1] if base else "") in (*_OWN_SEGMENTS, *languages):
        yield Fault(path, f"a site cannot live under '/{first}', where its own addresses begin; choose another path")


def _check_types(profile: Profile) -> Iterator[Fault]:
    """Yield what is wrong in types and taxonomies, beside those that the modules bring."""
    bare = msgspec.structs.replace(
        profile, types={}, taxonomies={}, fields={}, options_pages={}, time_zone="UTC", theme=Profile().theme
    )
    site = build_site_context(bare, Settings(), modules.load_modules(profile.modules))
    bases = _list_bases(site)
    types, taxonomies = [*site.types, *profile.types], [*site.taxonomies, *profile.taxonomies]
    archives = dict.fromkeys((*_OWN_SEGMENTS, *_LIST_SEGMENTS, *profile.languages), "an address of the site")
    for name, type in profile.types.items():
        path = ("types", name)
        yield from _check_own_name(name, site.types, path)
        yield from _check_base(type.base or name, path, bases)
        yield from _check_names(type.supports, TYPE_FEATURES, (*path, "supports"), "feature")
        yield from _check_names(type.taxonomies, taxonomies, (*path, "taxonomies"), "taxonomy")
        if type.has_archive is not False:
            yield from _check_archive(name, type, (*path, "has_archive"), archives)
        if type.preview_url:
            yield from _check_preview_url(type.preview_url, (*path, "preview_url"))
    previewed = [*(name for name, one in site.types.items() if has_previews(one)), *profile.types]
    for name, url in profile.preview_urls.items():
        path = ("preview_urls", name)
        if name not in previewed:
            yield Fault(path, _describe_unknown("type with previews", name, previewed))
        yield from _check_preview_url(url, path)
    for name, taxonomy in profile.taxonomies.items():
        path = ("taxonomies", name)
        yield from _check_own_name(name, site.taxonomies, path)
        yield from _check_base(taxonomy.base or name, path, bases)
        yield from _check_names(taxonomy.types, types, (*path, "types"), "content type")
    yield from find_field_faults(profile, site)
    yield from find_role_faults(profile, site)


def _check_archive(name: str, type: ProfileType, path: tuple[str | int, ...], taken: dict[str, str]) -> Iterator[Fault]:
    """Yield what is wrong in the address of the page that lists the records of a type."""
    last = type.has_archive if isinstance(type.has_archive, str) else name
    if not _BASE.fullmatch(last) or last.isdecimal():
        yield Fault(path, f"{last!r} cannot be part of an address; write letters, digits, '-' or '_', not digits alone")
    elif last in taken:
        yield Fault(path, f"{last!r} is {taken[last]} already; choose another one")
    else:
        taken[last] = f"the address of {name!r}"


def _check_preview_url(url: str, path: tuple[str, ...]) -> Iterator[Fault]:
    """Yield what is wrong in the address of a front end's previews."""
    given = find_placeholders(url)
    for name in given:
        if name not in PLACEHOLDERS:
            yield Fault(path, f"{_describe_unknown('placeholder', name, PLACEHOLDERS)}")
    if "token" not in given:
        yield Fault(
            path, "has no {token}, without which the front end can show no draft; add it, as in '?token={token}'"
        )
    yield from _check_url(fill_placeholders(url, dict.fromkeys(given, "1")), path)


def _list_bases(site: SiteContext) -> dict[str, str]:
    """Return the last parts of routes that are taken, each with who has it."""
    taken = {base: f"the route /cms/v2/{base}" for base in sorted(RESERVED_BASES)}
    described: tuple[Mapping[str, Any], ...] = (site.types, site.taxonomies)
    return taken | {one.base: f"{one.name!r}" for each in described for one in each.values()}


def _check_own_name(name: str, brought: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Fault]:
    if name in brought:
        yield Fault(path, f"{name!r} is there already and cannot be declared again; choose another name")
    elif not _NAME.fullmatch(name):
        yield Fault(
            path, f"{name!r} is no name; write a letter, then letters, digits, '-' or '_', all lower case, 32 at most"
        )


def _check_base(base: str, path: tuple[str, ...], taken: dict[str, str]) -> Iterator[Fault]:
    if not _BASE.fullmatch(base):
        yield Fault((*path, "base"), f"{base!r} cannot be part of a route; write letters, digits, '-' or '_'")
    elif base in taken:
        yield Fault((*path, "base"), f"{base!r} is taken by {taken[base]}; choose another base")
    else:
        taken[base] = f"{path[-1]!r}"
