"""The health of the site, for its administrators: a route for each check, and the sizes of the site.

Rules: docs/rules/root_index.md, 8; docs/rules/global_parameters.md, 10.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.disk_usage import compute_site_sizes
from vetrina.core.person_language import choose_text_language
from vetrina.core.phrases import Phrases
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import PermissionDenied
from vetrina.rest.call import Result
from vetrina.rest.fields import Field, Integer, Object, String
from vetrina.rest.route import READ, Route
from vetrina.system.health import checks as health_checks

_PATH: Final = "/cms-site-health/v1"
_PHRASES: Final = Phrases(__package__)
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


class CannotViewSiteHealth(PermissionDenied):
    """The state of the site is its administrators' business."""

    code = "rest_forbidden"
    message = "You may not see the state of this site."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the checks."""
    checks = (
        Route(
            READ,
            f"{_PATH}/tests/{name}",
            _build_check_handler(name),
            {},
            _require_view_permission,
            _build_check_schema,
            slow=True,
            errors=(CannotViewSiteHealth,),
        )
        for name in health_checks.CHECKS
    )
    return (
        *checks,
        Route(
            READ,
            f"{_PATH}/directory-sizes",
            _read_sizes,
            {},
            _require_view_permission,
            slow=True,
            errors=(CannotViewSiteHealth,),
            answers=_SIZES,
        ),
    )


def _require_view_permission(call: Call) -> None:
    """Administrators (`manage_options`)."""
    user = call.work.user
    if not user.can("manage_options"):
        raise CannotViewSiteHealth(bool(user))


def _build_check_handler(name: str) -> Callable[[Call], Result]:
    kind = health_checks.CHECKS[name]

    def answer(call: Call) -> Result:
        finding = kind.look(call.work, call.request.headers)
        say = partial(_PHRASES.translate, choose_text_language(call))
        description = say(finding.description, **finding.values)
        return Result(
            {
                "label": say(finding.label),
                "status": finding.status,
                "badge": {"label": say(kind.badge), "color": "blue"},
                "description": f"<p>{escape(description, quote=False)}</p>",
                "actions": f"<p>{escape(say(finding.actions), quote=False)}</p>" if finding.actions else "",
                "test": name.replace("-", "_"),
            }
        )

    answer.__doc__ = kind.look.__doc__
    return answer


def _read_sizes(call: Call) -> Result:
    """Measure the database and the uploaded files."""
    finding = compute_site_sizes(call.work)
    total = finding.database + finding.uploads
    parts = {"database_size": finding.database, "uploads_size": finding.uploads, "total_size": total}
    body: dict[str, Any] = {
        name: {"size": _format_size(size), "debug": f"{_format_size(size)} ({size} bytes)", "raw": size}
        for name, size in parts.items()
    }
    return Result({**body, "raw": total})


def _format_size(size: int) -> str:
    value, unit = float(size), 0
    while value >= 1024 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    return f"{value:.2f} {_UNITS[unit]}" if unit else f"{size} {_UNITS[0]}"


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


def _build_check_schema() -> dict[str, Any]:
    return {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "title": "cms-site-health-test",
        "type": "object",
        "properties": {name: field.schema() for name, field in _FIELDS.items()},
    }
