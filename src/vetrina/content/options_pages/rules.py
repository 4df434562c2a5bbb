"""Options pages: what is stored of them, in each language, and who may read and write them.

A value of a language that nobody wrote is that of the site's default language. Not here: what a value may be
(content/custom_fields/field_values.py). Rules: docs/rules/custom_fields.md, 9.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vetrina.content.custom_fields import field_values
from vetrina.content.custom_fields.model import CustomField, list_shared_names
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.settings import ProfileOptionsPage


@dataclass(frozen=True)
class OptionsPage:
    """A page with its stored values in one language. fields: those that it has."""

    name: str
    declared: ProfileOptionsPage
    fields: tuple[CustomField, ...]
    values: Mapping[str, Any]


def list_options_pages(work: UnitOfWork) -> list[OptionsPage]:
    """Return every page of the site."""
    return [load_options_page(work, name) for name in work.site.profile.options_pages]


def load_options_page(work: UnitOfWork, name: str) -> OptionsPage:
    """Return a page of the profile by its name."""
    site = work.site
    return OptionsPage(
        name, site.profile.options_pages[name], site.custom_fields.get(name, ()), _load_values(work, name)
    )


def may_read_page(work: UnitOfWork, page: ProfileOptionsPage) -> bool:
    """Return whether the caller may read a page: everybody a public one."""
    return page.public or work.user.can(page.capability)


def may_write_page(work: UnitOfWork, page: ProfileOptionsPage) -> bool:
    """Return whether the caller may write a page."""
    return work.user.can(page.capability)


def update_options_page(work: UnitOfWork, page: OptionsPage, given: Mapping[str, Any]) -> OptionsPage:
    """Store the given values in the language of the work, and return the page.

    given: the written members, of which `meta` and `ext` count. Raises CannotWriteField, InvalidParam.
    """
    stored = _load_stored(work, page.name)
    before = {**stored["shared"], **stored["own"].get(work.language, {})}
    merged = field_values.merge_owned_values(work, page.name, before, given)
    shared = list_shared_names(work.site, page.name)
    new = {
        "shared": {name: value for name, value in merged.items() if name in shared},
        "own": {**stored["own"], work.language: {name: value for name, value in merged.items() if name not in shared}},
    }
    if new != stored:
        work.set_option(_name_option(page.name), new)
    return load_options_page(work, page.name)


def iterate_stored_values(work: UnitOfWork, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the stored values of a page: those that all languages share, and those of each, with its code."""
    stored = _load_stored(work, name)
    yield "", stored["shared"]
    for language, values in stored["own"].items():
        yield f" ({language})", values


def _load_values(work: UnitOfWork, name: str) -> dict[str, Any]:
    stored = _load_stored(work, name)
    own, default = stored["own"], work.site.profile.default_language
    return {**stored["shared"], **own.get(default, {}), **own.get(work.language, {})}


def _load_stored(work: UnitOfWork, name: str) -> dict[str, dict[str, Any]]:
    """Return what is stored of a page: values that all languages share, and those of each."""
    return {"shared": {}, "own": {}, **(work.stored_option(_name_option(name)) or {})}


def _name_option(page: str) -> str:
    return f"options_page_{page}"
