"""Routes of the site settings: one object, read and changed by administrators.

Not here: what a changed value becomes (content/site_settings/rules.py). Rules: docs/rules/site_settings.md, 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from vetrina.content.site_settings import rules as site_settings
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import Fault, PermissionDenied
from vetrina.rest.call import Result
from vetrina.rest.field_selection import parse_field_selection
from vetrina.rest.fields import Boolean, Field, Integer, String, ValidationContext
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.rest.serializer import Serializer

_PATH = "/cms/v2/settings"
_OPEN_STATUSES = ("open", "closed")


class CannotManageSiteSettings(PermissionDenied):
    code = "rest_forbidden"
    message = "The settings of the site are for its administrators."


_EMAIL = String(format="email")


def _check_email(value: Any, name: str, context: ValidationContext) -> Fault | None:
    found = _EMAIL.fault(value, name)
    if found is None or found.code != "rest_invalid_email":
        return found
    # Clients compare this message.
    return Fault(found.code, "Invalid email address.")


_FIELDS: dict[str, Field] = {
    "title": String("Title of the site.", title="Title"),
    "description": String("What the site is about, in a few words.", title="Tagline"),
    "url": String("Address of the site; set where the server runs, not here.", title="Site address", format="uri"),
    "email": String(
        "Address of the one who keeps the site.", title="E-mail address", format="email", check=_check_email, alone=True
    ),
    "timezone": String("Zone of the site, as Europe/Rome.", title="Time zone"),
    "date_format": String("How dates are written.", title="Date format"),
    "time_format": String("How times of day are written.", title="Time format"),
    "start_of_week": Integer("First day of the week, 0 for Sunday.", title="First day of the week"),
    "language": String("Locale of the site, as en_US.", title="Language"),
    "use_smilies": Boolean("Whether text smilies are shown as emoji.", title="Smilies as emoji"),
    "default_category": Integer("Category of posts that name none.", title="Default category"),
    "default_post_format": String("Format of posts that name none.", title="Default post format"),
    "posts_per_page": Integer("Most posts of a page of the site.", title="Posts per page"),
    "show_on_front": String("What the home shows: `posts` or `page`.", title="Home shows"),
    "page_on_front": Integer("Number of the page that is the home.", title="Home page"),
    "page_for_posts": Integer("Number of the page that lists the newest posts.", title="Page of posts"),
    "default_ping_status": String("Whether new posts take pings.", title="Pings of new posts", enum=_OPEN_STATUSES),
    "default_comment_status": String(
        "Whether new posts take comments.", title="Comments on new posts", enum=_OPEN_STATUSES
    ),
    "site_logo": Integer("Number of the site's logo.", title="Logo", extra={"type": ["integer", "null"]}),
    "site_icon": Integer("Number of the site's icon.", title="Icon"),
}
_ARGUMENTS = {name: field.replace(early=True, null="null") for name, field in _FIELDS.items()}


def _build_getter(name: str) -> Callable[[Mapping[str, Any], Any], Any]:
    return lambda values, view: values[name]


_SERIALIZER = Serializer(_FIELDS, {name: _build_getter(name) for name in _FIELDS})


def _require_manage_permission(call: Call) -> None:
    """Administrators (`manage_options`)."""
    work = call.work
    if not work.user.can("manage_options"):
        raise CannotManageSiteSettings(bool(work.user))


def _read_settings(call: Call) -> Result:
    """Read the settings of the site."""
    values = site_settings.read_site_settings(call.work)
    return Result(_SERIALIZER.serialize(values, None, "view", parse_field_selection(call.request.raw("_fields"))))


def _update_settings(call: Call) -> Result:
    """Change settings of the site; those that are not sent stay as they are."""
    site_settings.update_site_settings(
        call.work, {name: call.args[name] for name in call.args.given_names if name in _FIELDS}
    )
    return _read_settings(call)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the settings."""
    schema, refusals = partial(_SERIALIZER.schema, "settings"), (CannotManageSiteSettings,)
    return (
        Route(READ, _PATH, _read_settings, {}, _require_manage_permission, schema, errors=refusals),
        Route(CHANGE, _PATH, _update_settings, _ARGUMENTS, _require_manage_permission, schema, errors=refusals),
    )
