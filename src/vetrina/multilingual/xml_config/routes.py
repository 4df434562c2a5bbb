"""Routes of the XML configuration of translation: read, update, check.

Rules: docs/rules/xml_config.md, 1.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.multilingual.permissions import TranslationForbidden, require_options_permission
from vetrina.multilingual.xml_config import effects as xml_config_effects
from vetrina.multilingual.xml_config.validation import list_xml_problems
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Field, Integer, Object, String
from vetrina.rest.route import READ, WRITE, Route

_PATH: Final = "/mlang/v1/custom-xml-config"
_TEXT: Final = String("The configuration as it is stored.", nullable=True)
_COMPLAINTS: Final = Array(
    items=Object(
        properties={
            "level": Integer("1 warning, 2 error, 3 fatal."),
            "code": Integer(),
            "column": Integer(),
            "message": String(),
            "file": String(),
            "line": Integer(),
        }
    )
)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the configuration."""
    text: dict[str, Field] = {"content": String("The configuration as XML.", null="null")}
    return (
        Route(
            READ, _PATH, _read_configuration, {}, require_options_permission, errors=(TranslationForbidden,),
            answers=_TEXT,
        ),
        Route(
            WRITE, _PATH, _update_configuration, text, require_options_permission, errors=(TranslationForbidden,),
            answers=_TEXT,
        ),
        Route(
            WRITE, f"{_PATH}/validate", _check_configuration, text, require_options_permission, read=True,
            errors=(TranslationForbidden,), answers=_COMPLAINTS,
        ),
    )  # fmt: skip


def _read_configuration(call: Call) -> Result:
    """Read the translation configuration of the site, which is XML."""
    return Result(call.work.option(xml_config_effects.CONFIGURATION))


def _update_configuration(call: Call) -> Result:
    """Store the translation configuration, and apply it at once."""
    content = call.args.get("content")
    xml_config_effects.apply_configuration(call.work, content)
    return Result(content)


def _check_configuration(call: Call) -> Result:
    """Check a translation configuration and list its problems by line."""
    found = list_xml_problems(call.args.get("content") or "")
    return Result([_serialize_problem(one) for one in found])


def _serialize_problem(problem: Any) -> dict[str, Any]:
    out = msgspec.structs.asdict(problem)
    return {name: out[name] for name in ("level", "code", "column", "message", "file", "line")}
