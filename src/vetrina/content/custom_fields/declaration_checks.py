"""Whether the fields that a profile declares mean something: names, types, what each type needs.

What their keys look like: settings.py. Rules: docs/rules/custom_fields.md, 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from vetrina.access.roles.built_in_roles import CAPABILITIES, SHOP_CAPABILITIES
from vetrina.content.custom_fields.declaration import USERS, build_fields, iterate_declared_fields
from vetrina.content.custom_fields.field_values import list_stored_faults
from vetrina.content.custom_fields.model import parse_seconds
from vetrina.core.site_context import SiteContext
from vetrina.kernel.frozen import thaw
from vetrina.kernel.struct_faults import Fault, Path, suggest_name
from vetrina.settings import Profile, ProfileField

# Names of fields of `meta` that the server itself keeps there.
TAKEN_NAMES: Final = frozenset({
    "footnotes", "_ext_changed", "cms_pattern_sync_status", "persisted_preferences", "shop_meta", "language_pairs",
})  # fmt: skip
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_PAGE_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_HOLDERS: Final = ("group", "repeater")
_NUMBERS: Final = ("integer", "number")
_DATES: Final = ("date", "date_time")
_TEXTS: Final = ("text", "rich_text", "blocks", "url")
_SINGLE_ONLY: Final = ("rich_text", "boolean", "gallery", "group", "repeater", "blocks")
_MAX_DEPTH: Final = 5  # groups and repeaters inside each other
_OF_WHOLE_FIELDS: Final = ("read", "write")


def find_field_faults(profile: Profile, site: SiteContext) -> Iterator[Fault]:
    """Yield what is wrong in the declared fields. site: the one of the built-in types and those of the modules."""
    yield from _check_owners(profile, site)
    targets = [*site.types, *profile.types, *site.taxonomies, *profile.taxonomies, USERS]
    targets = [name for name in targets if _is_shown(site, name)]
    capabilities = {*SHOP_CAPABILITIES, *site.roles.added}
    capabilities.update(name for names in CAPABILITIES.values() for name in names)
    check = _FieldCheck(targets, sorted(capabilities))
    for _, path, fields in iterate_declared_fields(profile):
        yield from check.check_fields(fields, path, ())
    for name, page in profile.options_pages.items():
        yield from check.check_capability(page.capability, ("options_pages", name, "capability"))


def _check_owners(profile: Profile, site: SiteContext) -> Iterator[Fault]:
    known = [name for name, one in site.types.items() if one.room in ("records", "media")]
    known += [name for name, one in site.taxonomies.items() if one.room == "terms"]
    known.append(USERS)
    for name in profile.fields:
        own = next((table for table in ("types", "taxonomies") if name in getattr(profile, table)), "")
        if own:
            yield Fault(("fields", name), f"{name!r} is one of this profile; write its fields in {own}.{name}.fields")
        elif name not in known:
            yield Fault(("fields", name), f"nothing called {name!r} can have fields; {suggest_name(name, known)}")
    for name in profile.types:
        if name in profile.taxonomies and profile.types[name].fields and profile.taxonomies[name].fields:
            yield Fault(("taxonomies", name), f"{name!r} is a content type with fields, too; choose another name")
    for name in profile.options_pages:
        if not _PAGE_NAME.fullmatch(name):
            message = f"{name!r} is no name; write a letter, then letters, digits, '-' or '_', all lower case"
            yield Fault(("options_pages", name), message)
        elif name in {*site.types, *site.taxonomies, *profile.types, *profile.taxonomies, USERS}:
            yield Fault(("options_pages", name), f"{name!r} is something else already; choose another name")


def _is_shown(site: SiteContext, name: str) -> bool:
    """Return whether a type or taxonomy has routes by which a relation can be followed."""
    of = site.types.get(name) or site.taxonomies.get(name)
    return of is None or (of.described and of.room in ("records", "media", "terms", "products"))


class _FieldCheck:
    """Checks fields one by one. targets: what a relation may point to. capabilities: that somebody may have."""

    def __init__(self, targets: Sequence[str], capabilities: Sequence[str]) -> None:
        self.targets, self.capabilities = targets, capabilities

    def check_fields(self, fields: Mapping[str, ProfileField], path: Path, above: tuple[str, ...]) -> Iterator[Fault]:
        """Yield what is wrong in fields that stand together. above: the names of those that hold them."""
        for name, field in fields.items():
            here = (*path, name)
            if name in TAKEN_NAMES and not above:
                yield Fault(here, f"{name!r} is a field of the server's own; choose another name")
            elif not _NAME.fullmatch(name):
                yield Fault(here, f"{name!r} is no name; write a letter, then letters, digits or '_', all lower case")
            found = [*self._check_field(field, here, above)]
            yield from found
            if field.default is not None and not found:
                yield from _check_default(name, field, here)

    def check_capability(self, name: str, path: Path) -> Iterator[Fault]:
        """Yield a fault where nobody can have a capability."""
        if name and name not in self.capabilities:
            yield Fault(path, f"there is no capability {name!r}; {suggest_name(name, self.capabilities)}")

    def _check_field(self, field: ProfileField, path: Path, above: tuple[str, ...]) -> Iterator[Fault]:
        for key in _OF_WHOLE_FIELDS:
            yield from self.check_capability(getattr(field, key), (*path, key))
        if above:
            for key in _OF_WHOLE_FIELDS:
                if getattr(field, key):
                    yield Fault((*path, key), f"belongs to the whole field {above[0]!r}; write it there")
            if field.translation == "shared":
                yield Fault((*path, "translation"), f"belongs to the whole field {above[0]!r}; write it there")
        yield from _check_keys(field, path)
        yield from _check_bounds(field, path)
        if field.type == "relation" and field.to not in self.targets:
            what = f"nothing is called {field.to!r}" if field.to else "a relation needs to know what it points to"
            yield Fault((*path, "to") if field.to else path, f"{what}; {suggest_name(field.to, self.targets)}")
        if field.type in _HOLDERS:
            if not field.fields:
                yield Fault(path, f"a {field.type} needs fields; write them in a table `fields`")
            elif len(above) + 1 >= _MAX_DEPTH:
                yield Fault(path, f"groups and repeaters may lie {_MAX_DEPTH} deep in each other, not deeper")
            else:
                yield from self.check_fields(field.fields, (*path, "fields"), (*above, str(path[-1])))


def _check_keys(field: ProfileField, path: Path) -> Iterator[Fault]:
    """Yield keys that a field of this type needs, or does not know."""
    is_list = field.multiple or field.type in ("gallery", "repeater")
    allowed = {
        "choices": (field.type == "choice", "choice"),
        "to": (field.type == "relation", "relation"),
        "fields": (field.type in _HOLDERS, "group or repeater"),
        "multiple": (field.type not in _SINGLE_ONLY, "kind that can be a list"),
        "minimum": (field.type in (*_NUMBERS, *_DATES), "number or date"),
        "maximum": (field.type in (*_NUMBERS, *_DATES), "number or date"),
        "max_length": (field.type in _TEXTS, "text"),
        "pattern": (field.type == "text", "text"),
        "min_items": (is_list, "list"),
        "max_items": (is_list, "list"),
    }
    for key, (fits, what) in allowed.items():
        if getattr(field, key) not in (None, "", (), False) and not fits and (key != "fields" or field.fields):
            yield Fault((*path, key), f"is for a {what}, and this field is of the type {field.type!r}")
    if field.type == "choice" and not field.choices:
        yield Fault(path, "a choice needs choices; write a list of values, or a table of values and labels")
    try:
        re.compile(field.pattern)
    except re.error as error:
        yield Fault((*path, "pattern"), f"is no regular expression: {error}")


def _check_bounds(field: ProfileField, path: Path) -> Iterator[Fault]:
    bounds: dict[str, Any] = {}
    for key in ("minimum", "maximum"):
        bound = getattr(field, key)
        if bound is None:
            continue
        if field.type in _DATES:
            bounds[key] = parse_seconds(bound)
            if bounds[key] is None:
                yield Fault((*path, key), f"{bound!r} is no date; write one in quotes, as '2026-01-31'")
        elif isinstance(bound, str) or (field.type == "integer" and bound != int(bound)):
            what = "a whole number" if field.type == "integer" else "a number"
            yield Fault((*path, key), f"must be {what}, not {bound!r}")
        else:
            bounds[key] = bound
    bounds |= {"min_items": field.min_items, "max_items": field.max_items}
    for low, high in (("minimum", "maximum"), ("min_items", "max_items")):
        if bounds.get(low) is not None and bounds.get(high) is not None and bounds[low] > bounds[high]:
            yield Fault((*path, low), f"is more than {high}, so no value would do")
    for key in ("min_items", "max_items", "max_length"):
        if (getattr(field, key) or 0) < 0:
            yield Fault((*path, key), f"must be 0 or more, not {getattr(field, key)}")


def _check_default(name: str, field: ProfileField, path: Path) -> Iterator[Fault]:
    if isinstance(field.default, date):
        yield Fault((*path, "default"), "is a date of TOML; write it in quotes")
        return
    [built] = build_fields({name: field})
    for part, message in list_stored_faults(built, thaw(field.default)):
        yield Fault((*path, "default"), f"does not fit: {message.replace(part, 'it', 1)}")
