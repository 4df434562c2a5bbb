"""The health of the site, for its administrators: one route a check, and what the site takes up.

Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities".
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any, Final

from vetrina.core.disk_usage import sizes
from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import Refused
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Field, Integer, Object, String
from vetrina.rest.route import READ, Route
from vetrina.system.health import checks as health_checks

__all__ = ["routes"]

_PATH: Final = "/cms-site-health/v1"
_SIZE: Final = Object(properties={"size": String(), "debug": String(), "raw": Integer("In bytes.")})
_SIZES: Final = Object(
    properties={
        "database_size": _SIZE,
        "uploads_size": _SIZE,
        "total_size": _SIZE,
        "raw": Integer("All of it, in bytes."),
    }
)
_UNITS: Final = ("bytes", "KB", "MB", "GB", "TB")


class CannotSee(Refused):
    """The state of the site is its administrators' business."""

    code = "rest_forbidden"
    message = "You may not see the state of this site."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the checks."""
    checks = (
        Route(READ, f"{_PATH}/tests/{name}", _checked(name), {}, _may_see, _schema, slow=True, errors=(CannotSee,))
        for name in health_checks.CHECKS
    )
    return (
        *checks,
        Route(READ, f"{_PATH}/directory-sizes", _sizes, {}, _may_see, slow=True, errors=(CannotSee,), answers=_SIZES),
    )


def _may_see(call: Call) -> None:
    """Administrators (`manage_options`)."""
    user = call.work.user
    if not user.can("manage_options"):
        raise CannotSee(bool(user))


def _checked(name: str) -> Callable[[Call], Result]:
    kind = health_checks.CHECKS[name]

    def answer(call: Call) -> Result:
        found = kind.look(call.work, call.request.headers)
        return Result(
            {
                "label": found.label,
                "status": found.status,
                "badge": {"label": kind.badge, "color": "blue"},
                "description": f"<p>{escape(found.description, quote=False)}</p>",
                "actions": f"<p>{escape(found.actions, quote=False)}</p>" if found.actions else "",
                "test": name.replace("-", "_"),
            }
        )

    answer.__doc__ = kind.look.__doc__
    return answer


def _sizes(call: Call) -> Result:
    """Measure the database and the uploaded files."""
    found = sizes(call.work)
    total = found.database + found.uploads
    parts = {"database_size": found.database, "uploads_size": found.uploads, "total_size": total}
    body: dict[str, Any] = {
        name: {"size": _readable(size), "debug": f"{_readable(size)} ({size} bytes)", "raw": size}
        for name, size in parts.items()
    }
    return Result({**body, "raw": total})


def _readable(size: int) -> str:
    shown, unit = float(size), 0
    while shown >= 1024 and unit < len(_UNITS) - 1:
        shown, unit = shown / 1024, unit + 1
    return f"{shown:.2f} {_UNITS[unit]}" if unit else f"{size} {_UNITS[0]}"


_FIELDS: Final[dict[str, Field]] = {
    "test": String("Name of the check.", readonly=True),
    "label": String("What was found, in one line.", readonly=True),
    "status": String("How grave it is.", enum=("good", "recommended", "critical"), readonly=True),
    "badge": Object(
        "Which part of the site it is about.",
        properties={
            "label": String(),
            "color": String(enum=("blue", "orange", "red", "green", "purple", "gray")),
        },
        readonly=True,
    ),
    "description": String("What was found, as HTML.", readonly=True),
    "actions": String("What to do, as HTML.", readonly=True),
}


def _schema() -> dict[str, Any]:
    return {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "title": "cms-site-health-test",
        "type": "object",
        "properties": {name: field.schema() for name, field in _FIELDS.items()},
    }
