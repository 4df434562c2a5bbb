"""Routes of the autosaves of menu items, which keep the title alone.

Rules: docs/rules/menus.md, 10.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from vetrina.content.menus import item_schema, permissions
from vetrina.content.records.model import Record
from vetrina.content.revisions import routes as revision_routes
from vetrina.content.translations.language_schema import remove_language_arguments
from vetrina.content.types.registry import MENU_ITEM
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.route import Route

# Its autosaves hold the title only: an item has no other text that takes long to write.
_AUTOSAVED_TYPE = replace(MENU_ITEM, supports=frozenset({"title"}))


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the autosaves of menu items."""
    writes = remove_language_arguments(item_schema.build_write_arguments(site))
    return revision_routes.build_routes(site, _AUTOSAVED_TYPE, writes, _AutosavedItems())


class _AutosavedItems:
    """What the autosaves of items need to know of the items."""

    def require_update_permission(self, call: Call) -> None:
        permissions.require_item_update_permission(call)

    def get_record(self, call: Call) -> Record:
        return permissions.get_item_record(call)

    def extract_written_members(self, call: Call) -> dict[str, Any]:
        return {name: call.args[name] for name in ("title",) if name in call.args.given_names}
