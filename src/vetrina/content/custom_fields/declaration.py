"""The fields that a profile declares, as values. Rules: docs/rules/custom_fields.md, 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vetrina.content.custom_fields.model import CustomField, parse_seconds
from vetrina.settings import Profile, ProfileField

USERS = "user"


def build_custom_fields(profile: Profile) -> dict[str, tuple[CustomField, ...]]:
    """Return the fields of each content type, taxonomy and options page that has some, and of users, by name."""
    return {owner: build_fields(fields) for owner, _, fields in iterate_declared_fields(profile) if fields}


def iterate_declared_fields(profile: Profile) -> Iterator[tuple[str, tuple[str, ...], Mapping[str, ProfileField]]]:
    """Yield who has fields, where in the profile they stand, and the fields as they are declared."""
    for name, fields in profile.fields.items():
        yield name, ("fields", name), fields
    for name, type in profile.types.items():
        yield name, ("types", name, "fields"), type.fields
    for name, taxonomy in profile.taxonomies.items():
        yield name, ("taxonomies", name, "fields"), taxonomy.fields
    for name, page in profile.options_pages.items():
        yield name, ("options_pages", name, "fields"), page.fields


def build_fields(declared: Mapping[str, ProfileField]) -> tuple[CustomField, ...]:
    """Return declared fields as values, in their order."""
    return tuple(_build_field(name, one) for name, one in declared.items())


def _build_field(name: str, of: ProfileField) -> CustomField:
    return CustomField(
        name=name,
        type=of.type,
        label=of.label or name,
        help=of.help,
        required=of.required,
        default=of.default,
        minimum=_read_bound(of.minimum),
        maximum=_read_bound(of.maximum),
        max_length=of.max_length,
        pattern=of.pattern,
        choices=of.choices if isinstance(of.choices, Mapping) else {value: value for value in of.choices},
        multiple=of.multiple,
        to=of.to,
        fields=build_fields(of.fields),
        min_items=of.min_items,
        max_items=of.max_items,
        shared=of.translation == "shared",
        read=of.read,
        write=of.write,
    )


def _read_bound(bound: float | str | None) -> float | None:
    return parse_seconds(bound) if isinstance(bound, str) else bound
