"""The capabilities that there are on a site: what each allows, of which types, and which of them a role may limit.

Rules: docs/rules/roles.md, 3 and 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from vetrina.access.roles.built_in_roles import CAPABILITIES, LIMITABLE, SHOP_CAPABILITIES
from vetrina.core.site_context import SiteContext

_TRANSLATION: Final = ("translate", "manage_translations")
_LIMITED_ROOMS: Final = ("records", "media")
_OF_ALL: Final = ("administrator", "editor", "author", "contributor", "subscriber")
_SENTENCES: Final = {
    "activate_plugins": "Switch parts of the server on and off.",
    "create_customers": "Add customers.",
    "create_users": "Add accounts.",
    "delete_users": "Remove accounts.",
    "edit_dashboard": "Arrange the first page of the administration.",
    "edit_theme_options": "Design the site: menus, templates, widgets.",
    "edit_users": "Change accounts, their passwords included.",
    "export": "Take the content of the site along in a file.",
    "import": "Bring content in from a file.",
    "install_plugins": "Install parts of the server.",
    "install_themes": "Add themes.",
    "list_users": "See all accounts.",
    "manage_categories": "Add, change and remove terms of any taxonomy.",
    "manage_options": "Change the settings of the site.",
    "manage_shop": "Run the shop: orders, settings, payments.",
    "manage_translations": "Send out translations, and say who translates what.",
    "moderate_comments": "Approve, change and remove comments anywhere.",
    "promote_users": "Say which roles an account has.",
    "read": "Sign in, and read what the public reads.",
    "remove_users": "Remove accounts from the site.",
    "switch_themes": "Choose the theme.",
    "translate": "Take and return translations.",
    "unfiltered_html": "Write any markup, scripts included.",
    "upload_files": "Upload files, and change the own ones.",
    "view_shop_reports": "Read the reports of the shop.",
}
_RECORD_SENTENCES: Final = {
    "edit_posts": "Write {what}, and change the own ones until they are published.",
    "edit_others_posts": "Change {what} of others.",
    "edit_published_posts": "Change {what} that are published.",
    "edit_private_posts": "Change private {what} of others.",
    "publish_posts": "Publish {what}, schedule them, make them private.",
    "read_private_posts": "Read private {what} of others.",
    "delete_posts": "Remove the own {what} until they are published.",
    "delete_others_posts": "Remove {what} of others.",
    "delete_published_posts": "Remove {what} that are published.",
    "delete_private_posts": "Remove private {what} of others.",
}
_UNDESCRIBED: Final = "Named by clients; nothing of its own depends on it here."
_OF_FIELDS: Final = "See or write what the profile keeps for those who have it."


class Capability(msgspec.Struct, frozen=True):
    """A capability. types: the content types that it is about. limitable: whether a role may limit it to some."""

    name: str
    description: str
    types: tuple[str, ...]
    limitable: bool


def list_capabilities(site: SiteContext) -> list[Capability]:
    """Return the capabilities that somebody may have on a site, by name."""
    types = _collect_types(site)
    declared = set(_iterate_declared(site))
    names = {name for role in _OF_ALL for name in CAPABILITIES[role]}.union(
        site.roles.added, types, declared, _TRANSLATION
    )
    return [_build_capability(site, name, types.get(name, ()), name in declared) for name in sorted(names)]


def _build_capability(site: SiteContext, name: str, types: tuple[str, ...], is_declared: bool) -> Capability:
    return Capability(name, _describe(site, name, types, is_declared), types, name in LIMITABLE)


def list_limited_types(site: SiteContext) -> tuple[str, ...]:
    """Return the names of the content types that a role may be limited to."""
    return tuple(
        name
        for name, type in site.types.items()
        if type.room in _LIMITED_ROOMS and type.caps["edit_posts"] in LIMITABLE
    )


def is_capability_name(name: str) -> bool:
    """Return whether a name is that of a capability that any site may have."""
    return any(name in names for names in (*CAPABILITIES.values(), SHOP_CAPABILITIES, _TRANSLATION))


def _collect_types(site: SiteContext) -> dict[str, tuple[str, ...]]:
    """Return the types that each capability on records is about."""
    found: dict[str, dict[str, None]] = {}
    for name in list_limited_types(site):
        for general in (*_RECORD_SENTENCES, "create_posts"):
            found.setdefault(site.types[name].caps[general], {})[name] = None
    for taxonomy in site.taxonomies.values():
        if taxonomy.room == "terms":
            for capability in (taxonomy.edit, taxonomy.delete, taxonomy.assign):
                found.setdefault(capability, {}).update(dict.fromkeys(taxonomy.types))
    return {name: tuple(types) for name, types in found.items()}


def _describe(site: SiteContext, name: str, types: Iterable[str], is_declared: bool) -> str:
    if name in _SENTENCES:
        return _SENTENCES[name]
    for general, sentence in _RECORD_SENTENCES.items():
        about = [
            type.label.lower()
            for type in site.types.values()
            if type.described and type.caps[general] == name and type.name in types
        ]
        if about:
            return sentence.format(what=", ".join(about))
    return _OF_FIELDS if is_declared else _UNDESCRIBED


def _iterate_declared(site: SiteContext) -> Iterator[str]:
    """Yield the capabilities that own fields and options pages of the profile ask for."""
    for fields in site.custom_fields.values():
        for one in fields:
            yield from (name for name in (one.read, one.write) if name)
    yield from (page.capability for page in site.profile.options_pages.values() if page.capability)
