"""Rules of redirects that people write: what one may lead from and to, loops, how many there may be.

Not here: where an address leads (content/redirects/lookup.py), former addresses (content/redirects/record_moves.py).
Rules: docs/rules/redirects.md, 1, 2, 4 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from vetrina.content.redirects import lookup, paths, store
from vetrina.content.redirects.store import GONE, MANUAL, Redirect
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure, Fault, InvalidParam, PermissionDenied

MAX_REDIRECTS: Final = 20_000  # that people wrote
EDIT_CAPABILITY: Final = "edit_others_posts"
OUTSIDE_CAPABILITY: Final = "manage_options"


class RedirectNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_redirect_invalid_id"
    message = "There is no redirect with the number {id}."


class RedirectExists(ApiError):
    """Another redirect leads from the same source; the response tells its id."""

    failure, code = Failure.CONFLICT, "rest_redirect_exists"
    message = "From {source} leads redirect {id}. Change that one, or send another source."


class RedirectLoop(ApiError):
    """A redirect would lead back to its own source."""

    code = "rest_redirect_loop"
    message = "{source} would lead back to itself by way of {target}. Send another target."


class TooManyRedirects(ApiError):
    code = "rest_too_many_redirects"
    message = "There are {count} redirects already. Remove some, or join several in one that ends with /*."


class CannotRedirectOutside(PermissionDenied):
    code = "rest_cannot_redirect_outside"
    message = "Only those who manage the site may lead its addresses to other sites. Send a path of this site."


def get_redirect(work: UnitOfWork, id: int) -> Redirect:
    """Return a redirect. Raises RedirectNotFound."""
    found = store.find_redirect(work, id)
    if found is None:
        raise RedirectNotFound(id=id)
    return found


def create_redirect(work: UnitOfWork, given: Mapping[str, Any], *, count: int | None = None) -> Redirect:
    """Store a redirect that somebody wrote. count: how many there are, where that is known.

    Raises InvalidParam, RedirectExists, RedirectLoop, TooManyRedirects, CannotRedirectOutside.
    """
    count = store.count_redirects(work, MANUAL) if count is None else count
    if count >= MAX_REDIRECTS:
        raise TooManyRedirects(count=count)
    new = _apply_members(work, Redirect(0, "", "", False, "", 0, 301, True, MANUAL, 0, None, 0, 0), given)
    _check_redirect(work, None, new)
    return store.insert_redirect(
        work, new.place, target=new.target, record=0, status=new.status, active=new.active, origin=MANUAL
    )


def update_redirect(work: UnitOfWork, old: Redirect, given: Mapping[str, Any]) -> Redirect:
    """Change a redirect; a former address that gets a target of its own counts as written.

    Raises what `create_redirect` raises.
    """
    new = _apply_members(work, old, given)
    if new.target or new.status == GONE:
        new = msgspec.structs.replace(new, record=0, origin=MANUAL)
    _check_redirect(work, old, new)
    return store.update_redirect(work, old, new)


def is_same_redirect(old: Redirect, new: Redirect) -> bool:
    """Return whether two redirects lead to the same place in the same way."""
    return (old.target, old.status, old.active) == (new.target, new.status, new.active)


def _apply_members(work: UnitOfWork, old: Redirect, given: Mapping[str, Any]) -> Redirect:
    """Return a redirect with the given members. Raises InvalidParam with every fault."""
    faults: dict[str, Fault] = {}
    languages = work.site.profile.languages
    language = given.get("language", old.language) or ""
    source, status = old.place, given.get("status", old.status)
    if language and language not in languages:
        faults["language"] = Fault("rest_not_in_enum", f"language is not one of {', '.join(languages)}.")
    elif "source" in given or "language" in given:
        text = given.get("source", paths.format_source(source))
        try:
            source = paths.parse_source(text, language, languages, work.origin)
        except paths.InvalidPath as error:
            faults["source"] = Fault("rest_invalid_redirect_source", str(error))
    target = given.get("target", old.target) or ""
    if status == GONE:
        if given.get("target"):
            faults["target"] = Fault("rest_invalid_redirect_target", "With status 410 an address leads nowhere.")
        target = ""
    elif target or not old.record:
        try:
            target = paths.parse_target(target, source.prefix)
        except paths.InvalidPath as error:
            faults["target"] = Fault("rest_invalid_redirect_target", str(error))
    if faults:
        raise InvalidParam(faults)
    return msgspec.structs.replace(
        old, language=source.language, source=source.path, prefix=source.prefix, target=target, status=status,
        active=given.get("active", old.active),
    )  # fmt: skip


def _check_redirect(work: UnitOfWork, old: Redirect | None, new: Redirect) -> None:
    taken = store.find_by_source(work, new.place)
    if taken is not None and taken.id != new.id:
        raise RedirectExists(source=paths.format_source(new.place), id=taken.id, data={"redirect_id": taken.id})
    if not new.target:
        return
    own = new.target.startswith((f"{work.origin}/", f"{work.origin}?")) or new.target == work.origin
    led = old is not None and (old.place, old.target) == (new.place, new.target)
    if paths.is_outside(new.target) and not own and not led and not work.user.can(OUTSIDE_CAPABILITY):
        raise CannotRedirectOutside(bool(work.user))
    if lookup.leads_back(work, new):
        raise RedirectLoop(source=paths.format_source(new.place), target=new.target)
