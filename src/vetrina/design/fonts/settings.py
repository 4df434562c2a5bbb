"""The JSON settings of font families and faces: validated, sanitized, and as responses have them.

Which URLs a face may name is checked by the routes. Rules: docs/rules/fonts.md, 3 and 6; the members are those of the
public format of theme settings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import orjson

from vetrina.access.users.text_rules import sanitize_url
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.kernel.errors import Failure, Fault
from vetrina.kernel.tags import strip_scripts, strip_tags
from vetrina.rest.fields import AnyOf, Array, Integer, Object, String

_DISPLAYS: Final = ("auto", "block", "fallback", "swap", "optional")
FAMILY_SETTINGS: Final = Object(
    "Font family, by the format of theme settings.",
    properties={
        "name": String("Name as people read it."),
        "slug": String("Name as machines read it; it cannot be changed."),
        "fontFamily": String("Names of the family and of those that stand in for it, as CSS writes them."),
        "preview": String("Address of a picture of it.", format="uri", optional=True),
    },
    additional=False,
)
FACE_SETTINGS: Final = Object(
    "Font face, by the format of theme settings.",
    properties={
        "fontFamily": String("Name of the family, as CSS writes it."),
        "fontStyle": String("Style: normal, italic, oblique with its angles.", optional=True),
        "fontWeight": AnyOf("Weight, or two that a variable font lies between.", (String(), Integer()), optional=True),
        "fontDisplay": String("What is shown until it has come.", enum=_DISPLAYS, optional=True),
        "src": AnyOf("Addresses of its files, or names of files sent along.", (String(), Array(items=String()))),
        "fontStretch": String("Width, or two that a variable font lies between.", optional=True),
        "ascentOverride": String("Height above the base line.", optional=True),
        "descentOverride": String("Depth below the base line.", optional=True),
        "fontVariant": String("Variant.", optional=True),
        "fontFeatureSettings": String("Features of the font that are on or off.", optional=True),
        "fontVariationSettings": String("Values of a variable font.", optional=True),
        "lineGapOverride": String("Space between lines.", optional=True),
        "sizeAdjust": String("Factor of its size.", optional=True),
        "unicodeRange": String("Letters that it is used for.", optional=True),
        "preview": String("Address of a picture of it.", format="uri", optional=True),
    },
    additional=False,
)  # fmt: skip

_FAMILY_REQUIRED: Final = ("name", "slug", "fontFamily")
_FACE_REQUIRED: Final = ("fontFamily", "src")
_PLAIN_NAME = re.compile(r"[A-Za-z-]+|generic\([A-Za-z-]+\)")
_QUOTES: Final = "\"' \t\r\n"


def find_family_fault(text: str, name: str, *, changes: bool = False) -> Fault | None:
    """Return why a text is not a valid font family, or None; changes: accept a partial family."""
    given = _decode_settings(text)
    if given is None or given == "":
        return _build_fault(f"{name} is not a JSON object; write it as text.")
    if changes and isinstance(given, dict) and "slug" in given:
        return _build_fault(f"The slug of a family cannot be changed; leave it out of {name}.")
    found = _find_settings_fault(FAMILY_SETTINGS, given, name, () if changes else _FAMILY_REQUIRED)
    if found is not None:
        return found
    clean = _clean_family(given)
    empty = next((member for member in _FAMILY_REQUIRED if clean.get(member) == ""), None)
    return _build_fault(f"{name}[{empty}] is empty; give it a value.") if empty else None


def parse_family(text: str, before: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the sanitized members of a family; before: its previous ones."""
    return {"preview": "", **(before or {}), **_clean_family(_decode_settings(text))}


def _clean_family(given: Mapping[str, Any]) -> dict[str, str]:
    clean = {"name": _clean_line, "slug": slugs.slugify, "fontFamily": _format_family_names, "preview": sanitize_url}
    return {member: clean[member](value) for member, value in given.items()}


def find_face_fault(text: str, name: str) -> Fault | None:
    """Return why a text is not a valid font face, or None; its URLs are not checked."""
    given = _decode_settings(text)
    if given is None or given == "":
        return _build_fault(f"{name} is not a JSON object; write it as text.")
    found = _find_settings_fault(FACE_SETTINGS, given, name, _FACE_REQUIRED)
    if found is not None:
        return found
    if not _format_family_names(given["fontFamily"]):
        return _build_fault(f"{name}[fontFamily] is empty; give it a value.")
    if not isinstance(given["src"], (str, list)):
        return _build_fault(f"{name}[src] is neither a text nor a list; name a file or an address.")
    wanted = list_sources(given)
    if not wanted or not all(source.strip() for source in wanted):
        return _build_fault(f"{name}[src] is empty; name a file or an address.")
    return None


def parse_face(text: str) -> dict[str, Any]:
    """Return the sanitized members of a face, in the order sent; no defaults are added."""
    out: dict[str, Any] = {}
    for member, value in _decode_settings(text).items():
        if member == "src":
            out[member] = (
                [_clean_source(source) for source in value] if isinstance(value, list) else _clean_source(value)
            )
        elif member == "fontFamily":
            out[member] = _format_family_names(value)
        elif member == "preview":
            out[member] = sanitize_url(value)
        else:
            out[member] = _clean_line(str(value))
    return out


def _clean_source(text: str) -> str:
    """Return a URL that is safe in a style sheet, or a file name."""
    return sanitize_url(text) if ":" in text else text.strip()


def load_font_settings(work: UnitOfWork, font: Record) -> dict[str, Any]:
    """Return the settings of a family or a face; uploaded files of a face as URLs."""
    found: dict[str, Any] = orjson.loads(font.content)
    if own := font.meta.get("files"):
        files, origin = work.site.files, work.origin
        sources = [files.url(source, origin) if source in own else source for source in list_sources(found)]
        found["src"] = sources if isinstance(found["src"], list) else sources[0]
    return found


def list_sources(face: Mapping[str, Any]) -> list[str]:
    """Return the URLs of a face's files."""
    src = face["src"]
    return list(src) if isinstance(src, list) else [src]


def _decode_settings(text: str) -> Any:
    """Decode JSON, a list as an object with numbered members; None if it cannot be decoded."""
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return {str(at): item for at, item in enumerate(found)} if isinstance(found, list) else found


def _find_settings_fault(of: Object, given: Any, name: str, needs: tuple[str, ...]) -> Fault | None:
    missing = next((member for member in needs if isinstance(given, dict) and member not in given), None)
    if missing is not None:
        return Fault(
            "rest_property_required", f"{missing} is a required property of {name}.", {"status": Failure.INVALID}
        )
    found = of.fault(given, name)
    return Fault(found.code, found.message, {"status": Failure.INVALID}) if found else None


def _build_fault(message: str) -> Fault:
    return Fault("rest_invalid_param", message, {"status": Failure.INVALID})


def _clean_line(text: str) -> str:
    """Return a text as one line without markup."""
    return " ".join(strip_tags(strip_scripts(text)).split())


def _format_family_names(text: str) -> str:
    """Return font family names in CSS syntax: names that are not plain identifiers are quoted."""
    names = (_format_family_name(name.strip()) for name in _clean_line(text).split(","))
    return ", ".join(name for name in names if name)


def _format_family_name(name: str) -> str:
    if not name or _PLAIN_NAME.fullmatch(name):
        return name
    # Characters that would end the quotes early, or escape their end, are removed.
    bare = name.strip(_QUOTES).replace('"', "").replace("\\", "")
    return f'"{bare}"' if bare else ""
