"""What changes when another profile takes the place of the one in force, and what it puts out of reach.

Nothing that is stored is deleted by a profile: what it leaves out has no routes until it comes back. Rules:
docs/rules/server.md, 7.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from vetrina.content.custom_fields.declaration import USERS, iterate_declared_fields
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.settings import Profile
from vetrina.system.site_profile import stored_counts
from vetrina.system.site_profile.masking import mask_value
from vetrina.system.site_profile.outline import SiteOutline

PARTS: Final = (
    "module", "language", "type", "taxonomy", "field", "options_page", "role", "setting",
)  # fmt: skip
ACTIONS: Final = ("added", "removed", "changed")

# Keys of a profile that are compared as parts of their own.
_OWN_PARTS: Final = frozenset({"modules", "languages", "types", "taxonomies", "fields", "options_pages", "roles"})
_MAX_LENGTH: Final = 500  # characters of a value that are shown
Stored = dict[str, int]


class KeyChange(NamedTuple):
    """A key whose value changes. before, after: as a profile would say it, empty for a key that is not there."""

    key: str
    before: str
    after: str


class ProfileChange(NamedTuple):
    """One thing that changes. stored: what it puts out of reach, by what it is in the plural."""

    part: str
    name: str
    action: str
    keys: tuple[KeyChange, ...] = ()
    stored: Mapping[str, int] = {}


def list_changes(work: UnitOfWork, old: SiteOutline, new: SiteOutline) -> list[ProfileChange]:
    """Return what changes from one outline of the site to another, in the order of PARTS."""
    return [
        *_compare_names("module", _get(old).modules, _get(new).modules, lambda name: _count_module(work, name)),
        *_compare_languages(work, _get(old), _get(new)),
        *_compare_types(work, old, new),
        *_compare_taxonomies(work, old, new),
        *_compare_fields(work, old, new),
        *_compare_pages(work, _get(old), _get(new)),
        *_compare_names("role", _get(old).roles, _get(new).roles, lambda name: _count_role(work, name)),
        *_compare_settings(_get(old), _get(new)),
    ]  # fmt: skip


def list_route_changes(old: SiteOutline, new: SiteOutline) -> dict[str, list[str]]:
    """Return the paths of the routes that are added, removed and changed in their methods."""
    return {
        "added": [path for path in new.routes if path not in old.routes],
        "removed": [path for path in old.routes if path not in new.routes],
        "changed": [
            path for path, methods in new.routes.items() if path in old.routes and set(old.routes[path]) != set(methods)
        ],
    }


def _get(outline: SiteOutline) -> Profile:
    return outline.context.profile


def _compare_names(
    part: str, old: Collection[str], new: Collection[str], count: Callable[[str], Stored]
) -> Iterator[ProfileChange]:
    yield from (ProfileChange(part, name, "removed", stored=count(name)) for name in old if name not in new)
    yield from (ProfileChange(part, name, "added") for name in new if name not in old)


def _count_module(work: UnitOfWork, name: str) -> Stored:
    return {
        what: count for one in work.site.modules if one.name == name for what, count in one.count_stored(work).items()
    }


def _count_role(work: UnitOfWork, name: str) -> Stored:
    return {"accounts": stored_counts.count_accounts(work, name)}


def _compare_languages(work: UnitOfWork, old: Profile, new: Profile) -> Iterator[ProfileChange]:
    yield from _compare_names(
        "language", old.languages, new.languages, lambda code: stored_counts.count_in_language(work, code)
    )
    for code in new.languages:
        if code in old.languages and (code == old.default_language) != (code == new.default_language):
            before, after = code == old.default_language, code == new.default_language
            yield ProfileChange(
                "language", code, "changed", (KeyChange("default", _show("", before), _show("", after)),)
            )


def _compare_types(work: UnitOfWork, old: SiteOutline, new: SiteOutline) -> Iterator[ProfileChange]:
    yield from _compare_names(
        "type", old.context.types, new.context.types, lambda name: {"records": stored_counts.count_records(work, name)}
    )
    for name, type in new.context.types.items():
        if name not in old.context.types:
            continue
        left = [one for one in old.context.types[name].taxonomies if one not in type.taxonomies]
        sorted_by = {one: stored_counts.count_sorted_records(work, name, one) for one in left}
        stored = {f"records sorted by {one}": count for one, count in sorted_by.items()}
        keys = _compare_structs(_get(old).types.get(name), _get(new).types.get(name))
        if not keys and left:
            keys = (KeyChange("taxonomies", *(_show("", one.taxonomies) for one in (old.context.types[name], type))),)
        if keys:
            yield ProfileChange("type", name, "changed", keys, stored)


def _compare_taxonomies(work: UnitOfWork, old: SiteOutline, new: SiteOutline) -> Iterator[ProfileChange]:
    yield from _compare_names(
        "taxonomy", old.context.taxonomies, new.context.taxonomies,
        lambda name: {"terms": stored_counts.count_terms(work, name)},
    )  # fmt: skip
    for name in new.context.taxonomies:
        keys = _compare_structs(_get(old).taxonomies.get(name), _get(new).taxonomies.get(name))
        if keys and name in old.context.taxonomies:
            yield ProfileChange("taxonomy", name, "changed", keys)


def _compare_fields(work: UnitOfWork, old: SiteOutline, new: SiteOutline) -> Iterator[ProfileChange]:
    """Yield the own fields that change of what stays; those of what comes or goes do so with it."""
    before = {owner: fields for owner, _, fields in iterate_declared_fields(_get(old))}
    after = {owner: fields for owner, _, fields in iterate_declared_fields(_get(new))}
    for owner in dict.fromkeys((*before, *after)):
        if not (_has_owner(old, owner) and _has_owner(new, owner)):
            continue
        was, becomes = before.get(owner, {}), after.get(owner, {})
        for name in dict.fromkeys((*was, *becomes)):
            full = f"{owner}.{name}"
            if name not in becomes:
                stored = {"values": stored_counts.count_field_values(work, owner, name)}
                yield ProfileChange("field", full, "removed", stored=stored)
            elif name not in was:
                yield ProfileChange("field", full, "added")
            elif keys := _compare_structs(was[name], becomes[name], ()):
                yield ProfileChange("field", full, "changed", keys)


def _has_owner(outline: SiteOutline, owner: str) -> bool:
    context = outline.context
    return owner == USERS or any(
        owner in those for those in (context.types, context.taxonomies, _get(outline).options_pages)
    )


def _compare_pages(work: UnitOfWork, old: Profile, new: Profile) -> Iterator[ProfileChange]:
    yield from _compare_names(
        "options_page", old.options_pages, new.options_pages,
        lambda name: {"values": stored_counts.count_page_values(work, name)},
    )  # fmt: skip
    for name in new.options_pages:
        if name in old.options_pages and (keys := _compare_structs(old.options_pages[name], new.options_pages[name])):
            yield ProfileChange("options_page", name, "changed", keys)


def _compare_settings(old: Profile, new: Profile) -> Iterator[ProfileChange]:
    """Yield every other key of the profile that changes; the entries of a table one by one."""
    for key in Profile.__struct_fields__:
        if key in _OWN_PARTS:
            continue
        before, after = _list_entries(key, getattr(old, key)), _list_entries(key, getattr(new, key))
        for name in dict.fromkeys((*before, *after)):
            if before.get(name) == after.get(name) and (name in before) == (name in after):
                continue
            action = "changed" if name in before and name in after else "added" if name in after else "removed"
            last = name.rpartition(".")[2]
            was, becomes = (_show(last, those[name]) if name in those else "" for those in (before, after))
            yield ProfileChange("setting", name, action, (KeyChange(name, was, becomes),))


def _list_entries(key: str, value: Any) -> dict[str, Any]:
    if isinstance(value, msgspec.Struct):
        return {f"{key}.{name}": getattr(value, name) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        return {f"{key}.{name}": one for name, one in value.items()}
    return {key: value}


def _compare_structs(
    old: msgspec.Struct | None, new: msgspec.Struct | None, left_out: Collection[str] = ("fields",)
) -> tuple[KeyChange, ...]:
    """Return the keys whose values differ; none where one of the two is not declared by the profile."""
    if old is None or new is None:
        return ()
    return tuple(
        KeyChange(name, _show(name, getattr(old, name)), _show(name, getattr(new, name)))
        for name in new.__struct_fields__
        if name not in left_out and getattr(old, name) != getattr(new, name)
    )


def _show(key: str, value: object) -> str:
    shown = [mask_value(key, one) for one in value] if isinstance(value, tuple) else mask_value(key, value)
    text = msgspec.json.encode(shown, enc_hook=dict).decode()
    return text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}…"
