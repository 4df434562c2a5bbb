"""The members `meta` and `ext` of what has own fields: their schema, and their arguments in a write.

Not here: a field as a member of an object (json_fields.py beside this). Rules: docs/rules/custom_fields.md, 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.content.custom_fields.json_fields import build_json_fields
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import Fault
from vetrina.rest.fields import EDIT, VIEW, Field, Object, ValidationContext

_SHOWN = (VIEW, EDIT)


def check_object(value: Any, name: str, context: ValidationContext) -> Fault | None:
    """Return why a value is no object of fields, or None; an empty list is an empty object."""
    return None if isinstance(value, (dict, list)) else Fault("", "Invalid parameter.")


def build_field_arguments(site: SiteContext, owner: str) -> dict[str, Field]:
    """Return the arguments that write own fields; their values are checked by field_values.py beside this."""
    out = {}
    for name, member in add_field_members(site, owner, {}).items():
        out[name] = member.replace(context=(), lenient=True, null="keep", early=True, check=check_object)
    return out


def add_field_members(site: SiteContext, owner: str, members: Mapping[str, Field]) -> dict[str, Field]:
    """Return the members of a record, with own fields added to `meta`, and `ext` where the profile has it.

    owner: the content type, taxonomy or options page, or `user`.
    """
    fields = site.custom_fields.get(owner, ())
    if not fields:
        return dict(members)
    own = build_json_fields(fields)
    held = members.get("meta", Object("Registered extra fields.", context=_SHOWN))
    known = held.properties if isinstance(held, Object) else {}
    if any(one.context for one in known.values()):
        # Where some members of an object name their contexts, those without any are in none.
        own = {name: one.replace(context=_SHOWN) for name, one in own.items()}
    out: dict[str, Field] = {}
    for name, member in {**members, "meta": held}.items():
        out[name] = member.replace(properties={**known, **own}) if name == "meta" else member
        if name == "meta" and site.profile.ext_fields:
            out["ext"] = Object("The site's own fields, as under `meta`.", own, context=_SHOWN)
    return out
