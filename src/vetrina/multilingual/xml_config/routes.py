"""The configuration of translation as XML: read, stored, and checked without being stored.

Rules: facts of the multilingual layer, "Routes of `mlang/v1`" and "Custom XML configuration".
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from vetrina.core.unit_of_work import Frame
from vetrina.multilingual.permissions import Forbidden, options
from vetrina.multilingual.xml_config import effects as xml_config_effects
from vetrina.multilingual.xml_config.validation import complaints
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Field, Integer, Object, String
from vetrina.rest.route import READ, WRITE, Route

__all__ = ["routes"]

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


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the configuration."""
    text: dict[str, Field] = {"content": String("The configuration as XML.", null="null")}
    return (
        Route(READ, _PATH, _read, {}, options, errors=(Forbidden,), answers=_TEXT),
        Route(WRITE, _PATH, _stored, text, options, errors=(Forbidden,), answers=_TEXT),
        Route(WRITE, f"{_PATH}/validate", _checked, text, options, read=True, errors=(Forbidden,), answers=_COMPLAINTS),
    )


def _read(call: Call) -> Result:
    """Read the translation configuration of the site, which is XML."""
    return Result(call.work.option(xml_config_effects.CONFIGURATION))


def _stored(call: Call) -> Result:
    """Keep the translation configuration; what it says takes effect at once."""
    content = call.args.get("content")
    xml_config_effects.put(call.work, content)
    return Result(content)


def _checked(call: Call) -> Result:
    """Check a translation configuration and list what is wrong with it, by line."""
    found = complaints(call.args.get("content") or "")
    return Result([_shown(one) for one in found])


def _shown(one: Any) -> dict[str, Any]:
    out = msgspec.structs.asdict(one)
    return {name: out[name] for name in ("level", "code", "column", "message", "file", "line")}
