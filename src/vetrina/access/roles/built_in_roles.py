"""Roles and their capabilities by the standard names.

Checks on records: access/roles/capabilities.py. Rules: docs/rules/rights.md, 1.
"""

from __future__ import annotations

from typing import Final

ADMINISTRATOR: Final = "administrator"
_SUBSCRIBER = ("read", "level_0")
_CONTRIBUTOR = ("edit_posts", "read", "level_1", "level_0", "delete_posts")
_AUTHOR = (
    "upload_files", "edit_posts", "edit_published_posts", "publish_posts", "read", "level_2", "level_1", "level_0",
    "delete_posts", "delete_published_posts",
)  # fmt: skip
_EDITOR = (
    "moderate_comments", "manage_categories", "manage_links", "upload_files", "unfiltered_html", "edit_posts",
    "edit_others_posts", "edit_published_posts", "publish_posts", "edit_pages", "read",
    "level_7", "level_6", "level_5", "level_4", "level_3", "level_2", "level_1", "level_0",
    "edit_others_pages", "edit_published_pages", "publish_pages", "delete_pages", "delete_others_pages",
    "delete_published_pages", "delete_posts", "delete_others_posts", "delete_published_posts",
    "delete_private_posts", "edit_private_posts", "read_private_posts", "delete_private_pages",
    "edit_private_pages", "read_private_pages",
)  # fmt: skip
_ADMINISTRATOR = (
    "switch_themes", "edit_themes", "activate_plugins", "edit_plugins", "edit_users", "edit_files", "manage_options",
    "import", *_EDITOR, "level_10", "level_9", "level_8", "delete_users", "create_users", "unfiltered_upload",
    "edit_dashboard", "update_plugins", "delete_plugins", "install_plugins", "update_themes", "install_themes",
    "update_core", "list_users", "remove_users", "promote_users", "edit_theme_options", "delete_themes", "export",
)  # fmt: skip
_SINGULAR_VERBS = ("edit", "read", "delete")
_PLURAL_VERBS = (
    "edit", "edit_others", "publish", "read_private", "delete", "delete_private", "delete_published", "delete_others",
    "edit_private", "edit_published",
)  # fmt: skip
_TERMS = ("manage", "edit", "delete", "assign")
_SHOP = tuple(
    name
    for thing in ("product", "shop_order", "shop_coupon")
    for name in (
        *(f"{verb}_{thing}" for verb in _SINGULAR_VERBS),
        *(f"{verb}_{thing}s" for verb in _PLURAL_VERBS),
        *(f"{verb}_{thing}_terms" for verb in _TERMS),
    )
)

# Those that nobody gets by registering.
NEVER_REGISTERED: Final = frozenset({"create_users", "delete_users", "edit_users", "manage_options", "promote_users"})
# Those that a role may limit to content types or languages: of records, their terms and files, and of translations.
LIMITABLE: Final = frozenset(
    {"read", "level_0", "upload_files", "manage_categories", "translate"}
    | {f"{verb}_{noun}" for verb in _PLURAL_VERBS for noun in ("posts", "pages")}
)
SHOP_CAPABILITIES = ("manage_shop", "view_shop_reports", "create_customers", *_SHOP)  # of a shop's administrators

CAPABILITIES: dict[str, tuple[str, ...]] = {
    "administrator": _ADMINISTRATOR,
    "editor": _EDITOR,
    "author": _AUTHOR,
    "contributor": _CONTRIBUTOR,
    "subscriber": _SUBSCRIBER,
    "customer": ("read",),
    "shop_manager": (
        *(name for name in _EDITOR if name != "unfiltered_html"), "level_9", "level_8", "list_users",
        "edit_theme_options", "import", "export", "edit_users", "create_customers", "manage_shop",
        "view_shop_reports", *_SHOP,
    ),
}  # fmt: skip


def build_role_capabilities(roles: tuple[str, ...], added: tuple[str, ...] = ()) -> dict[str, bool]:
    """Return the capabilities of accounts with these roles; added: those of administrators that modules bring."""
    out: dict[str, bool] = {}
    for role in roles:
        out.update(dict.fromkeys(CAPABILITIES.get(role, ()), True))
        if role == ADMINISTRATOR:
            out.update(dict.fromkeys(added, True))
    return out
