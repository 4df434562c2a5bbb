"""What says a font family and a font face: JSON texts, checked, cleaned and compared.

Not here: who stores them and their files (design/fonts/rules.py), which addresses a face may name (the routes).
Rules: facts of the interface, "Fonts"; the members are those of the public format of theme settings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import orjson

from vetrina.access.users.text_rules import web_address
from vetrina.kernel import slugs
from vetrina.kernel.errors import Fault
from vetrina.kernel.tags import without_scripts, without_tags
from vetrina.rest.fields import AnyOf, Array, Integer, Object, String

__all__ = ["FACE", "FAMILY", "face_fault", "face_of", "face_title", "family_fault", "family_of", "sources"]

_DISPLAYS: Final = ("auto", "block", "fallback", "swap", "optional")
FAMILY: Final = Object(
    "Font family, by the format of theme settings.",
    properties={
        "name": String("Name as people read it."),
        "slug": String("Name as machines read it; it cannot be changed."),
        "fontFamily": String("Names of the family and of those that stand in for it, as CSS writes them."),
        "preview": String("Address of a picture of it.", format="uri"),
    },
    additional=False,
)
FACE: Final = Object(
    "Font face, by the format of theme settings.",
    properties={
        "fontFamily": String("Name of the family, as CSS writes it."),
        "fontStyle": String("Style: normal, italic, oblique with its angles."),
        "fontWeight": AnyOf("Weight, or two that a variable font lies between.", (String(), Integer())),
        "fontDisplay": String("What is shown until it has come.", enum=_DISPLAYS),
        "src": AnyOf("Addresses of its files, or names of files sent along.", (String(), Array(items=String()))),
        "fontStretch": String("Width, or two that a variable font lies between."),
        "ascentOverride": String("Height above the base line."),
        "descentOverride": String("Depth below the base line."),
        "fontVariant": String("Variant."),
        "fontFeatureSettings": String("Features of the font that are on or off."),
        "fontVariationSettings": String("Values of a variable font."),
        "lineGapOverride": String("Space between lines."),
        "sizeAdjust": String("Factor of its size."),
        "unicodeRange": String("Letters that it is used for."),
        "preview": String("Address of a picture of it.", format="uri"),
    },
    additional=False,
)  # fmt: skip

_FAMILY_NEEDS: Final = ("name", "slug", "fontFamily")
_FACE_NEEDS: Final = ("fontFamily", "src")
_PLAIN_NAME = re.compile(r"[A-Za-z-]+|generic\([A-Za-z-]+\)")
_QUOTES: Final = "\"' \t\r\n"
_WEIGHTS: Final = {"": "400", "normal": "400", "bold": "700"}
_WIDTHS: Final = {
    "": "100%", "normal": "100%", "ultra-condensed": "50%", "extra-condensed": "62.5%", "condensed": "75%",
    "semi-condensed": "87.5%", "semi-expanded": "112.5%", "expanded": "125%", "extra-expanded": "150%",
    "ultra-expanded": "200%",
}  # fmt: skip
_WHOLE_RANGE: Final = "U+0-10FFFF"


def family_fault(text: str, name: str, *, changes: bool = False) -> Fault | None:
    """Return why a text does not say a font family, or None; changes: whether it says only what changes of one."""
    given = _decoded(text)
    if given is None or given == "":
        return _bad(f"{name} is not a JSON object; write it as text.")
    if changes and isinstance(given, dict) and "slug" in given:
        return _bad(f"The slug of a family cannot be changed; leave it out of {name}.")
    found = _fault(FAMILY, given, name, () if changes else _FAMILY_NEEDS)
    if found is not None:
        return found
    clean = _cleaned_family(given)
    empty = next((member for member in _FAMILY_NEEDS if clean.get(member) == ""), None)
    return _bad(f"{name}[{empty}] is empty; give it a value.") if empty else None


def family_of(text: str, before: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the cleaned members of a family; before: those that it had."""
    return {"preview": "", **(before or {}), **_cleaned_family(_decoded(text))}


def _cleaned_family(given: Mapping[str, Any]) -> dict[str, str]:
    clean = {"name": _line, "slug": slugs.slugify, "fontFamily": _names, "preview": web_address}
    return {member: clean[member](value) for member, value in given.items()}


def face_fault(text: str, name: str) -> Fault | None:
    """Return why a text does not say a font face, or None; its addresses are not looked at."""
    given = _decoded(text)
    if given is None or given == "":
        return _bad(f"{name} is not a JSON object; write it as text.")
    found = _fault(FACE, given, name, _FACE_NEEDS)
    if found is not None:
        return found
    if not _names(given["fontFamily"]):
        return _bad(f"{name}[fontFamily] is empty; give it a value.")
    if not isinstance(given["src"], (str, list)):
        return _bad(f"{name}[src] is neither a text nor a list; name a file or an address.")
    wanted = sources(given)
    if not wanted or not all(source.strip() for source in wanted):
        return _bad(f"{name}[src] is empty; name a file or an address.")
    return None


def face_of(text: str) -> dict[str, Any]:
    """Return the cleaned members of a face, in the order in which they came; nothing is filled in."""
    out: dict[str, Any] = {}
    for member, value in _decoded(text).items():
        if member == "src":
            out[member] = [_source(source) for source in value] if isinstance(value, list) else _source(value)
        elif member == "fontFamily":
            out[member] = _names(value)
        elif member == "preview":
            out[member] = web_address(value)
        else:
            out[member] = _line(str(value))
    return out


def _source(text: str) -> str:
    """Return an address that is safe to write into a style sheet, or the name of a file."""
    return web_address(text) if ":" in text else text.strip()


def sources(face: Mapping[str, Any]) -> list[str]:
    """Return the addresses of the files of a face."""
    src = face["src"]
    return list(src) if isinstance(src, list) else [src]


def face_title(face: Mapping[str, Any]) -> str:
    """Return what makes a face one and the same, whatever its files: family, style, weight, width, letters."""
    weight, width = face.get("fontWeight", ""), face.get("fontStretch", "")
    letters = face.get("unicodeRange") or _WHOLE_RANGE
    return ";".join(
        (
            face["fontFamily"].replace('"', "").lower(),
            (face.get("fontStyle") or "normal").lower(),
            _WEIGHTS.get(weight.lower(), weight),
            _WIDTHS.get(width.lower(), width),
            ",".join(part.strip().upper() for part in letters.split(",")),
        )
    )


def _decoded(text: str) -> Any:
    """Return what a text says as JSON, a list as an object of numbered members; None where it says nothing."""
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return {str(at): item for at, item in enumerate(found)} if isinstance(found, list) else found


def _fault(of: Object, given: Any, name: str, needs: tuple[str, ...]) -> Fault | None:
    missing = next((member for member in needs if isinstance(given, dict) and member not in given), None)
    if missing is not None:
        return Fault("rest_property_required", f"{missing} is a required property of {name}.", {"status": 400})
    found = of.fault(given, name)
    return Fault(found.code, found.message, {"status": 400}) if found else None


def _bad(message: str) -> Fault:
    return Fault("rest_invalid_param", message, {"status": 400})


def _line(text: str) -> str:
    """Return a text as one line without markup."""
    return " ".join(without_tags(without_scripts(text)).split())


def _names(text: str) -> str:
    """Return names of families as CSS takes them: those that are not plain words stand in quotes."""
    names = (_name(name.strip()) for name in _line(text).split(","))
    return ", ".join(name for name in names if name)


def _name(name: str) -> str:
    if not name or _PLAIN_NAME.fullmatch(name):
        return name
    # What would end the quotes early, or escape their end, is no part of a name.
    bare = name.strip(_QUOTES).replace('"', "").replace("\\", "")
    return f'"{bare}"' if bare else ""
