"""Own fields of accounts: their members in a response, their arguments, and what a write makes of them.

The routes of accounts are in a lower module, which asks here (access/users/routes.py). Rules:
docs/rules/custom_fields.md, 8.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from vetrina.content.custom_fields import field_values
from vetrina.content.custom_fields.declaration import USERS
from vetrina.content.custom_fields.reference_links import build_reference_links
from vetrina.content.custom_fields.schema import add_field_members, build_field_arguments
from vetrina.content.custom_fields.views import serialize_field_values
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.rest.fields import EDIT, Field, Object
from vetrina.rest.serializer import MemberGetter, Serializer


@dataclass(slots=True)
class AccountView:
    """What the getters of a response about accounts need: its unit of work and its context."""

    work: UnitOfWork
    context: str


def load_account_view(call: Call, found: Sequence[User]) -> AccountView:
    """Return what serializing accounts needs besides them."""
    return AccountView(call.work, call.args.get("context") or EDIT)


def build_account_serializer(site: SiteContext, plain: Serializer) -> Serializer:
    """Return a serializer of accounts with the site's own fields; plain: the one without, of (user, unit of work)."""
    getters: dict[str, MemberGetter] = {name: partial(_read_member, one) for name, one in plain.getters.items()}
    if USERS in site.custom_fields:
        getters |= {"meta": partial(_read_meta, plain.getters["meta"]), "ext": _serialize_own_fields}
    return Serializer(add_field_members(site, USERS, plain.fields), getters)


def add_account_arguments(site: SiteContext, plain: Mapping[str, Field]) -> dict[str, Field]:
    """Return the arguments of a write with those of own fields."""
    own = build_field_arguments(site, USERS)
    if not own:
        return dict(plain)
    known, meta = plain["meta"], own["meta"]
    assert isinstance(known, Object)
    assert isinstance(meta, Object)
    return {**plain, **own, "meta": meta.replace(properties={**known.properties, **meta.properties})}


def merge_account_fields(
    work: UnitOfWork, stored: Mapping[str, Any], given: Mapping[str, Any], known: Collection[str], creating: bool
) -> dict[str, Any] | None:
    """Return the stored meta of an account after a write of own fields; None where the site has none.

    known: names of its registered fields. creating: whether the account is new. Raises CannotWriteField, InvalidParam.
    """
    if USERS not in work.site.custom_fields:
        return None
    return field_values.merge_owned_values(work, USERS, stored, given, creating=creating, others=known)


def build_account_links(work: UnitOfWork, user: User) -> dict[str, list[dict[str, Any]]]:
    """Return the links to what the own fields of an account refer to."""
    return build_reference_links(work, work.site.custom_fields.get(USERS, ()), user.meta)


def _read_member(getter: MemberGetter, user: User, view: AccountView) -> Any:
    return getter(user, view.work)


def _read_meta(getter: MemberGetter, user: User, view: AccountView) -> dict[str, Any]:
    return {**getter(user, view.work), **_serialize_own_fields(user, view)}


def _serialize_own_fields(user: User, view: AccountView) -> dict[str, Any]:
    return serialize_field_values(view.work, view.work.site.custom_fields.get(USERS, ()), user.meta, view.context)
