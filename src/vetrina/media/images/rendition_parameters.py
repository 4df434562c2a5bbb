"""What a picture's URL may ask for: size, fit, format, quality; from the sizes of the profile, or signed by the site.

Reading and checking only. Which part of the image that is: media/images/rendition_cuts.py. Making it:
media/images/renditions.py. Rules: docs/rules/pictures.md, 1 and 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, cast
from urllib.parse import urlencode

from vetrina.image_settings import RenditionSettings
from vetrina.kernel.errors import Fault, InvalidParam
from vetrina.kernel.keys import compute_digest, is_equal_secret

Fit = Literal["cover", "contain", "inside"]

FITS: Final[tuple[Fit, ...]] = ("cover", "contain", "inside")
PIXEL_RATIOS: Final = (1.0, 1.5, 2.0, 3.0)
MAX_SIDE: Final = 4096  # pixels; no rendition is wider or higher, whoever signed it
AUTO_FORMAT: Final = "auto"
TYPE_OF_FORMAT: Final = {"avif": "image/avif", "webp": "image/webp", "jpeg": "image/jpeg", "png": "image/png"}
_SIGNED_NAMES: Final = ("w", "h", "fit", "format", "q", "dpr")
_ASKING_NAMES: Final = frozenset({"w", "h", "format"})  # any other name alone asks for the file as it is
_SIGNATURE_LENGTH: Final = 32  # hexadecimal digits; 128 bits
_MAX_DIGITS: Final = 6


class RenditionParameters(NamedTuple):
    """What is asked for.

    width, height: pixels, 0 for free. format: empty for the image's own. quality: 0 for the site's. ratio: pixels of
    the screen for each of the page.
    """

    width: int = 0
    height: int = 0
    fit: Fit = "inside"
    format: str = ""
    quality: int = 0
    ratio: float = 1.0


def asks_for_rendition(query: Mapping[str, str]) -> bool:
    """Return whether a file's URL asks for another size or format of it."""
    return not _ASKING_NAMES.isdisjoint(query)


def parse_parameters(
    query: Mapping[str, str], file: str, secret: str, settings: RenditionSettings
) -> RenditionParameters:
    """Return what the query of a file's URL asks for. Raises InvalidParam, which says what is allowed.

    file: its path in the uploads folder.
    """
    signature = query.get("s", "")
    signed = bool(signature) and is_equal_secret(signature, sign_query(query, file, secret))
    faults: dict[str, Fault] = {}
    if signature and not signed:
        faults["s"] = Fault("rest_invalid_signature", "It is not this site's signature of the other parameters.")
    for name in ("w", "h"):
        if (fault := _find_side_fault(query.get(name), signed, settings.widths)) is not None:
            faults[name] = fault
    formats = (*settings.formats, AUTO_FORMAT)
    if query.get("fit", FITS[0]) not in FITS:
        faults["fit"] = _build_choice_fault(FITS)
    if query.get("format", formats[0]) not in formats:
        faults["format"] = _build_choice_fault(formats)
    if "q" in query and not (signed and _is_whole_number(query["q"]) and 1 <= int(query["q"]) <= 95):
        faults["q"] = Fault("rest_invalid_param", "A whole number from 1 to 95, in signed addresses only.")
    ratios = {f"{one:g}": one for one in PIXEL_RATIOS}
    if query.get("dpr", "1") not in ratios:
        faults["dpr"] = _build_choice_fault(tuple(ratios))
    if faults:
        raise InvalidParam(faults)
    return RenditionParameters(
        int(query.get("w", 0)),
        int(query.get("h", 0)),
        cast(Fit, query.get("fit", "cover" if "w" in query and "h" in query else "inside")),
        query.get("format", ""),
        int(query.get("q", 0)),
        ratios[query.get("dpr", "1")],
    )


def sign_query(query: Mapping[str, str], file: str, secret: str) -> str:
    """Return the signature of what a URL asks for of a file."""
    text = urlencode([(name, query[name]) for name in _SIGNED_NAMES if name in query])
    return compute_digest(secret, f"rendition:{file}\n{text}")[:_SIGNATURE_LENGTH]


def _is_whole_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS


def _find_side_fault(text: str | None, signed: bool, widths: tuple[int, ...]) -> Fault | None:
    if text is None:
        return None
    if signed and _is_whole_number(text) and 1 <= int(text) <= MAX_SIDE:
        return None
    if _is_whole_number(text) and int(text) in widths:
        return None
    allowed = ", ".join(map(str, widths)) or "no size"
    return Fault("rest_not_in_enum", f"Without a signature: {allowed}; with one, 1 to {MAX_SIDE}.")


def _build_choice_fault(allowed: tuple[str, ...]) -> Fault:
    return Fault("rest_not_in_enum", f"One of {', '.join(allowed)}.")
