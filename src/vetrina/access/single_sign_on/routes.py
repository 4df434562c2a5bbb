"""Routes of sign-in by providers: which there are, and the identities of one's own account.

How people sign in by one: pages/provider_page.py. Rules: docs/rules/single_sign_on.md, 7 and 8.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.single_sign_on import rules, store
from vetrina.access.single_sign_on.flow import find_provider
from vetrina.access.single_sign_on.model import Identity
from vetrina.access.single_sign_on.rules import IdentityNotFound, LastWayIn
from vetrina.access.users.routes import AuthenticationRequired
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Boolean, Object, String
from vetrina.rest.route import READ, REMOVE, Route, allow_anyone

_PROVIDER: Final = Object(
    properties={
        "name": String("Name of the provider in addresses."),
        "label": String("Its name, as people read it."),
        "url": String("Page that begins a sign-in; `redirect_to` is the local address that it leads to.", format="uri"),
    }
)
_IDENTITY: Final = Object(
    properties={
        "id": String("UUID of the identity.", format="uuid"),
        "provider": String("Name of the provider."),
        "label": String("The provider's name, as people read it; its plain name where the profile has it no more."),
        "email": String("Mail address that the provider gave last; may be empty."),
        "created_gmt": String("When it was connected, in GMT.", format="date-time"),
        "last_used_gmt": String("When it last signed in, in GMT.", format="date-time"),
        "made_account": Boolean("Whether the account was made for it; the provider may then decide on its roles."),
    }
)
_DELETED: Final = Object(properties={"deleted": Boolean("Whether it was removed."), "previous": _IDENTITY})


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of providers and identities."""
    path = "/access/v1/identities"
    return (
        Route(
            READ, "/access/v1/providers", _list_providers, {}, allow_anyone,
            answers=Array("The providers by which people may sign in.", items=_PROVIDER),
        ),
        Route(
            READ, path, _list_identities, {}, _require_account, errors=(AuthenticationRequired,),
            answers=Array("The identities of the own account, the oldest first.", items=_IDENTITY),
        ),
        Route(
            REMOVE, f"{path}/{{id:[0-9a-f-]{{36}}}}", _unlink_identity, {"id": String("UUID of the identity.")},
            _require_account, errors=(AuthenticationRequired, IdentityNotFound, LastWayIn), answers=_DELETED,
        ),
    )  # fmt: skip


def _require_account(call: Call) -> None:
    """Whoever is signed in, for the own account."""
    if not call.work.user:
        raise AuthenticationRequired


def _list_providers(call: Call) -> Result:
    """List the providers by which people may sign in."""
    work = call.work
    return Result(
        [
            {"name": one.name, "label": one.label or one.name, "url": f"{work.origin}/admin/sign-in/{one.name}"}
            for one in work.site.profile.accounts.providers
        ]
    )


def _list_identities(call: Call) -> Result:
    """List the accounts of providers that sign in to the own account."""
    work = call.work
    return Result([_show_identity(work.site, one) for one in store.list_identities(work.tx, work.user.id)])


def _unlink_identity(call: Call) -> Result:
    """Remove an account of a provider from the own account, unless it is the only way in."""
    work = call.work
    gone = rules.unlink_identity(work, work.user, call.args["id"])
    return Result({"deleted": True, "previous": _show_identity(work.site, gone)})


def _show_identity(site: SiteContext, one: Identity) -> dict[str, Any]:
    provider = find_provider(site, one.provider)
    return {
        "id": one.id,
        "provider": one.provider,
        "label": (provider.label if provider is not None else "") or one.provider,
        "email": one.email,
        "created_gmt": format_iso(one.created),
        "last_used_gmt": format_iso(one.last_used),
        "made_account": one.made_account,
    }
