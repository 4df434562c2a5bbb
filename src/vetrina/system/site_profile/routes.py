"""Routes of the site's profile: the one in force, and what another would change. Rules: docs/rules/server.md, 1 and 7.

None of them changes it: a profile names programs, files and addresses that the server's account may use, and whoever
gets hold of a session must not.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError
from vetrina.kernel.redaction import redact_text
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Boolean, Integer, Object, String
from vetrina.rest.route import READ, WRITE, Route
from vetrina.settings import SettingFault, SettingsError
from vetrina.system.jobs.permissions import CannotRunServer, require_server_permission
from vetrina.system.site_profile import comparison
from vetrina.system.site_profile.comparison import ACTIONS, PARTS, ProfileChange
from vetrina.system.site_profile.outline import ProfileOutlines

_PATH: Final = "/cms/v2/site-profile"
_MAX_LENGTH: Final = 200_000  # characters of a profile
_PROFILE: Final = Object(
    properties={
        "name": String("Name that the profile gives itself."),
        "file": String("Name of its file, or of the built-in profile."),
        "built_in": Boolean("Whether it is a profile that comes with the program."),
        "text": String(
            "What the file says, with `***` for keys and passwords; null where it cannot be shown without them.",
            nullable=True,
        ),
        "stale": Boolean("Whether the file says something else than what is in force since the start of the server."),
    }
)
_STORED: Final = Object(
    properties={"what": String("What it is, in the plural."), "count": Integer("How many there are.")}
)
_KEY: Final = Object(
    properties={
        "key": String("The key."),
        "before": String("Its value in force; empty where it is not there."),
        "after": String("Its value in the other profile; empty where it is not there."),
    }
)
_CHANGE: Final = Object(
    properties={
        "part": String("Which part of a site changes.", enum=PARTS),
        "name": String("Its name; that of an own field after that of what has it."),
        "action": String("What becomes of it.", enum=ACTIONS),
        "keys": Array("The keys whose values change.", items=_KEY),
        "out_of_reach": Array("What is stored and cannot be reached afterwards.", items=_STORED),
    }
)
_ROUTES: Final = Object(
    properties={name: Array(f"Paths of the routes that are {name}.", items=String()) for name in ACTIONS}
)
_PREVIEW: Final = Object(
    properties={
        "name": String("Name that the other profile gives itself."),
        "changes": Array("What changes; empty where both say the same.", items=_CHANGE),
        "routes": _ROUTES,
    }
)
_ARGUMENTS: Final = {
    "text": String(
        "The other profile, a TOML document; `***` in the place of a key is as in the file of the site.",
        required=True,
        min_length=1,
        max_length=_MAX_LENGTH,
    )
}


class InvalidProfile(ApiError):
    """The profile cannot be served. `data.faults` has everything that is wrong, each with its line and key."""

    code = "rest_invalid_param"
    message = "Invalid parameter(s): text."

    def __init__(self, error: SettingsError) -> None:
        faults = [{"line": one.line, "key": one.key, "message": _redact_fault(one)} for one in error.faults]
        said = "\n".join(_describe_fault(one) for one in faults) or str(error)
        super().__init__(data={"params": {"text": said}, "faults": faults or [{"line": 0, "key": "", "message": said}]})


def _redact_fault(fault: SettingFault) -> str:
    # The folder of the theme in force is shown masked, and so it is in what is said of it.
    return redact_text(fault.message) if fault.key == "theme" else fault.message


def _describe_fault(fault: dict[str, Any]) -> str:
    place = f"line {fault['line']}: " if fault["line"] else ""
    return f"{place}{fault['key']}: {fault['message']}" if fault["key"] else f"{place}{fault['message']}"


def _get_profiles(call: Call) -> ProfileOutlines:
    profiles = call.work.site.profiles
    assert profiles is not None, "a site that is served has them"
    return profiles


def _read_profile(call: Call) -> Result:
    """Read the profile of the site as its file says it."""
    call.work.forbid_storing()
    site, profiles = call.work.site, _get_profiles(call)
    file = profiles.find_file()
    return Result(
        {
            "name": site.profile.name, "file": file.name, "built_in": file.is_built_in, "text": file.text,
            "stale": profiles.is_stale(site),
        }
    )  # fmt: skip


def _preview_profile(call: Call) -> Result:
    """Tell what another profile would change, without changing anything."""
    work, profiles = call.work, _get_profiles(call)
    try:
        new = profiles.outline_text(work.site, call.args["text"])
    except SettingsError as error:
        raise InvalidProfile(error) from None
    old = profiles.outline_current(work.site)
    return Result(
        {
            "name": new.context.profile.name,
            "changes": [_build_change(one) for one in comparison.list_changes(work, old, new)],
            "routes": comparison.list_route_changes(old, new),
        }
    )


def _build_change(change: ProfileChange) -> dict[str, Any]:
    return {
        "part": change.part,
        "name": change.name,
        "action": change.action,
        "keys": [one._asdict() for one in change.keys],
        "out_of_reach": [{"what": what, "count": count} for what, count in change.stored.items() if count],
    }


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the profile."""
    return (
        Route(
            READ, _PATH, _read_profile, {}, require_server_permission, slow=True, errors=(CannotRunServer,),
            answers=_PROFILE,
        ),
        Route(
            WRITE, f"{_PATH}/preview", _preview_profile, _ARGUMENTS, require_server_permission, slow=True, read=True,
            errors=(CannotRunServer, InvalidProfile), answers=_PREVIEW, status=200,
        ),
    )  # fmt: skip
