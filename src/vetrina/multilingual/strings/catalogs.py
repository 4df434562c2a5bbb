"""Catalogues of translations as MO files, in and out: contexts, plural forms and their rule are kept.

Not here: which files there are (multilingual/strings/catalog_files.py), what becomes of their entries
(multilingual/strings/rules.py). Rules: the GNU gettext manual, "The Format of GNU MO Files".
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable
from typing import Final

from vetrina.multilingual.strings.rules import Entry, Text

__all__ = ["CannotRead", "read", "written"]

LARGEST: Final = 32 << 20  # bytes of a file


class CannotRead(ValueError):
    """The file is no MO file, or is broken; the message says where."""


def read(data: bytes) -> list[Entry]:
    """Return the entries of an MO file that have a translation, in its order. Raises CannotRead."""
    # Loaded late: few requests read catalogues, and it takes its time.
    from babel.messages.mofile import read_mo

    if len(data) > LARGEST:
        raise CannotRead(f"it has more than {LARGEST} bytes")
    try:
        catalog = read_mo(io.BytesIO(data))
        return [
            Entry(texts[0], forms, texts[1] if len(texts) > 1 else "", _text(message.context))
            for message in catalog
            if (texts := _tuple(message.id))[0] and any(forms := _tuple(message.string))
        ]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, struct.error) as error:
        raise CannotRead(f"it cannot be read: {error}") from None


def written(domain: str, locale: str, entries: Iterable[tuple[Text, tuple[str, ...]]]) -> bytes:
    """Return an MO file of texts with their forms in a locale."""
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


def _tuple(value: object) -> tuple[str, ...]:
    if isinstance(value, (list, tuple)):
        return tuple(str(item) for item in value)
    return (str(value),)


def _text(context: object) -> str:
    return context.decode() if isinstance(context, bytes) else str(context or "")
