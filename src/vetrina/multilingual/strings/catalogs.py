"""Catalogs of translations as MO files, read and written with contexts, plural forms and plural rules.

Not here: which files exist (multilingual/strings/catalog_files.py), what their entries become
(multilingual/strings/rules.py). Rules: the GNU gettext manual, "The Format of GNU MO Files".
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable
from typing import Final

from vetrina.multilingual.strings.model import SiteString
from vetrina.multilingual.strings.rules import CatalogEntry

LARGEST: Final = 32 << 20  # bytes of a file


class CannotReadCatalog(ValueError):
    """The file is not an MO file, or is broken; the message says where."""


def parse_catalog(data: bytes) -> list[CatalogEntry]:
    """Return the translated entries of an MO file in its order. Raises CannotReadCatalog."""
    # Imported late: few requests read catalogs, and the import is slow.
    from babel.messages.mofile import read_mo

    if len(data) > LARGEST:
        raise CannotReadCatalog(f"it has more than {LARGEST} bytes")
    try:
        catalog = read_mo(io.BytesIO(data))
        return [
            CatalogEntry(texts[0], forms, texts[1] if len(texts) > 1 else "", _decode_context(message.context))
            for message in catalog
            if (texts := _convert_to_tuple(message.id))[0] and any(forms := _convert_to_tuple(message.string))
        ]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, struct.error) as error:
        raise CannotReadCatalog(f"it cannot be read: {error}") from None


def encode_catalog(domain: str, locale: str, entries: Iterable[tuple[SiteString, tuple[str, ...]]]) -> bytes:
    """Return an MO file of strings with their forms in a locale."""
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo

    catalog = Catalog(locale=locale, project=domain, version="1", charset="utf-8", fuzzy=False)
    for text, forms in entries:
        if text.plural:
            catalog.add((text.value, text.plural), forms, context=text.context or None)
        else:
            catalog.add(text.value, forms[0], context=text.context or None)
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def _convert_to_tuple(value: object) -> tuple[str, ...]:
    if isinstance(value, (list, tuple)):
        return tuple(str(item) for item in value)
    return (str(value),)


def _decode_context(context: object) -> str:
    return context.decode() if isinstance(context, bytes) else str(context or "")
