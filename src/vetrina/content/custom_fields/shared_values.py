"""Values that all translations of a record or a term share. Rules: docs/rules/custom_fields.md, 7.

Not here: whose values count, and how they are written (content/translations/shared_fields.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.core.site_context import SiteContext


def list_shared_names(site: SiteContext, owner: str) -> list[str]:
    """Return the names of the own fields of a type or a taxonomy that all translations share."""
    return [one.name for one in site.custom_fields.get(owner, ()) if one.shared]


def replace_shared_values(
    site: SiteContext, owner: str, meta: Mapping[str, Any], others: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the stored fields of a translation with the shared values of another one."""
    names = list_shared_names(site, owner)
    kept = {name: value for name, value in meta.items() if name not in names}
    return {**kept, **{name: others[name] for name in names if name in others}}
