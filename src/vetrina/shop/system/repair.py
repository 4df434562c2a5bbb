"""What keeps a shop whole: its pages, its roles, the theme as it is now, its tables and their form.

Not here: which tool does what (shop/system/tools.py). Rules: the tools of the system status.
"""

from __future__ import annotations

from sqlalchemy import text

from vetrina.access.roles import roles
from vetrina.backends import database_schema
from vetrina.backends.database import Statement
from vetrina.content.records import checks as record_checks
from vetrina.core.integrity import background_checks, storage_checks
from vetrina.core.unit_of_work import Work
from vetrina.design.themes import rules as themes
from vetrina.shop import onboarding
from vetrina.shop.products import checks as product_checks

__all__ = ["Cannot", "check_tables", "check_version", "make_pages", "read_theme", "settle_roles"]

_VERSION = Statement(text("SELECT version_num FROM alembic_version"))
_ROLES = ("administrator", "shop_manager", "customer")


_RULES = tuple(
    one
    for one in (*storage_checks.RULES, *record_checks.RULES, *background_checks.RULES, *product_checks.RULES)
    if one.quick
)


class Cannot(Exception):
    """A tool has nothing to do, or cannot do it; the message says why."""


def make_pages(work: Work) -> str:
    """Make those pages of the shop that are missing."""
    made = onboarding.missing_pages(work)
    names = ", ".join(onboarding.PAGES[option][1] for option in made)
    return f"{len(made)} pages were made: {names}." if made else f"All {len(onboarding.PAGES)} pages are there."


def settle_roles(work: Work) -> str:
    """Let what is kept of the rights of accounts be made anew; what a role may do stands in the program."""
    work.note("user", 0, "changed")
    told = ", ".join(f"{name} {len(roles.capabilities_of((name,), shop=True))}" for name in _ROLES)
    return f"The roles have the capabilities that the program gives them: {told}."


def read_theme(work: Work) -> str:
    """Read the theme's files anew, in every process of the site."""
    themes.forget(work.frame)
    work.note("theme", 0, "changed")
    try:
        found = themes.active(work.frame)
    except ValueError as why:
        raise Cannot(f"The theme cannot be read: {why}") from None
    return (
        f"The theme {found.title} was read anew: {len(found.templates)} templates, {len(found.parts)} parts, "
        f"{len(found.patterns)} patterns."
    )


def check_version(work: Work) -> str:
    """Say whether the tables have the form that this program needs. Raises Cannot."""
    stands = str(work.tx.value(_VERSION) or "")
    if stands != database_schema.HEAD:
        raise Cannot(
            f"The database stands at {stands}, this program needs {database_schema.HEAD}: run `vetrina migrate`."
        )
    return f"The database stands at {stands}, which is what this program needs; nothing was to be changed."


def check_tables(work: Work) -> str:
    """Say whether all tables are there and their rows fit together. Raises Cannot."""
    wanted = set(database_schema.METADATA.tables)
    missing = sorted(wanted - database_schema.table_names(work.tx))
    if missing:
        raise Cannot(f"Tables are missing: {', '.join(missing)}. Put a backup back.")
    wrong = [line for rule in _RULES for line in rule.broken(work)]
    if wrong:
        raise Cannot(f"{len(wrong)} rows do not fit together; `vetrina check` names them.")
    return f"All {len(wanted)} tables are there, and {len(_RULES)} rules hold for their rows."
