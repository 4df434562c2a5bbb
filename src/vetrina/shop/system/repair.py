"""Repairs a shop: its pages, its roles, the current theme, its tables and their schema.

Not here: which tool does what (shop/system/tools.py). Rules: docs/rules/shop_settings.md, 6.
"""

from __future__ import annotations

from sqlalchemy import text

from vetrina.access.roles import built_in_roles
from vetrina.backends import database_schema
from vetrina.backends.database import Statement
from vetrina.content.records import integrity_rules as record_integrity
from vetrina.core.integrity import background_checks, storage_checks
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.themes import active_theme
from vetrina.shop import onboarding
from vetrina.shop.products import integrity_rules as product_integrity

_VERSION = Statement(text("SELECT version_num FROM alembic_version"))
_ROLES = ("administrator", "shop_manager", "customer")


_RULES = tuple(
    one
    for one in (*storage_checks.RULES, *record_integrity.RULES, *background_checks.RULES, *product_integrity.RULES)
    if one.quick
)


class ToolFailed(Exception):
    """A tool has nothing to do or failed; the message says why."""


def create_missing_pages(work: UnitOfWork) -> str:
    """Create the missing pages of the shop."""
    created = onboarding.create_missing_pages(work)
    names = ", ".join(onboarding.PAGES[option][1] for option in created)
    return f"{len(created)} pages were made: {names}." if created else f"All {len(onboarding.PAGES)} pages are there."


def refresh_roles(work: UnitOfWork) -> str:
    """Invalidate cached user rights; the rights of a role are defined in code."""
    work.note("user", 0, "changed")
    summary = ", ".join(
        f"{name} {len(built_in_roles.build_role_capabilities((name,), built_in_roles.SHOP_CAPABILITIES))}"
        for name in _ROLES
    )
    return f"The roles have the capabilities that the program gives them: {summary}."


def reload_theme(work: UnitOfWork) -> str:
    """Reload the theme's files, in every process of the site."""
    active_theme.invalidate_theme_cache(work.site)
    active_theme.forget_active_theme(work)
    work.note("theme", 0, "changed")
    try:
        found = active_theme.get_active_theme(work.site)
    except ValueError as why:
        raise ToolFailed(f"The theme cannot be read: {why}") from None
    return (
        f"The theme {found.title} was read again: {len(found.templates)} templates, {len(found.parts)} parts, "
        f"{len(found.patterns)} patterns."
    )


def check_schema_version(work: UnitOfWork) -> str:
    """Check whether the database schema is the one that this version needs. Raises ToolFailed."""
    version = str(work.tx.value(_VERSION) or "")
    if version != database_schema.HEAD_REVISION:
        raise ToolFailed(
            f"The database stands at {version}, this program needs {database_schema.HEAD_REVISION}: "
            "run `vetrina migrate`."
        )
    return f"The database stands at {version}, which is what this program needs; nothing was to be changed."


def check_schema_tables(work: UnitOfWork) -> str:
    """Check whether all tables exist and their rows are consistent. Raises ToolFailed."""
    from vetrina.backends.tables.all_tables import METADATA  # with tables of modules that the site may lack

    wanted = set(METADATA.tables)
    missing = sorted(wanted - database_schema.list_table_names(work.tx))
    if missing:
        raise ToolFailed(f"Tables are missing: {', '.join(missing)}. Put a backup back.")
    wrong = [line for rule in _RULES for line in rule.broken(work)]
    if wrong:
        raise ToolFailed(f"{len(wrong)} rows do not fit together; `vetrina check` names them.")
    return f"All {len(wanted)} tables are there, and {len(_RULES)} rules hold for their rows."
