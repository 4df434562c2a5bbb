"""Texts that the program writes to people, by name: English ones in the code, other languages in gettext catalogs.

A text is looked up by its context, which is its name: first in the site's own catalogs (`vetrina-mails-LOCALE.po` or
`.mo` in `languages/mlang` and `languages` of its folder), then in those of the program, then in English the same way. A
site's file counts from the next text on; one that cannot be read counts as absent, and a line is logged. Not here: the
texts (shop/mail/texts.py, access/passwords/reset_mail.py). Rules: docs/rules/mails.md, 1.
"""

from __future__ import annotations

import io
import logging
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final, Protocol

DOMAIN: Final = "vetrina-mails"
_SITE_FOLDERS: Final = ("languages/mlang", "languages")  # in the site's folder; translated here, brought along
_ENDINGS: Final = (".po", ".mo")
_MAX_BYTES: Final = 1_000_000  # of a site's own file
_ENGLISH: Final = "en"
_PLACEHOLDER = re.compile(r"\{(\w+)\}", re.ASCII)
_LOG = logging.getLogger("vetrina.mails")

Texts = Mapping[str, str]


class Translator(Protocol):
    """Returns a text with the values of its {placeholders} filled in; others stay as they are."""

    def __call__(self, name: str, /, **values: object) -> str: ...


@dataclass(frozen=True)
class TextCatalog:
    """Texts by name. package: its folder `catalogs` has the program's translations; english: the texts in English."""

    package: str
    english: Texts

    def build_translator(self, folder: Path, language: str) -> Translator:
        """Return the translator of a language. folder: of the site. It raises KeyError for an unknown name."""
        codes = dict.fromkeys((language, _ENGLISH))
        catalogs = [one for code in codes for one in _list_catalogs(self.package, folder, code)]

        def say(name: str, /, **values: object) -> str:
            text = self.english[name]
            text = next((found for one in catalogs if (found := one.get(name))), text)
            return _PLACEHOLDER.sub(lambda found: str(values.get(found[1], found[0])), text)

        return say

    def list_translations(self, folder: Path, language: str) -> Texts:
        """Return the texts that a language has, by name, without the English ones that stand in for others."""
        found: dict[str, str] = {}
        for one in reversed(tuple(_list_catalogs(self.package, folder, language))):
            found |= one
        return {name: found[name] for name in self.english if name in found}


def _list_catalogs(package: str, folder: Path, language: str) -> Iterator[Texts]:
    """Yield the catalogs of a language, in the order in which they are asked."""
    for name in _SITE_FOLDERS:
        yield from _load_site_catalogs(folder / name, language)
    for locale in dict.fromkeys((_normalize_locale(language), _get_head(language))):
        yield _load_built_in(package, locale)


def parse_texts(data: bytes, ending: str) -> Texts:
    """Return the translated texts of a catalog by their contexts. ending: .po, .mo. Raises ValueError."""
    # Imported late: it takes a tenth of a second, and few processes write mails.
    from babel.messages.mofile import read_mo
    from babel.messages.pofile import PoFileError, read_po

    try:
        stream = io.BytesIO(data)
        catalog = read_mo(stream) if ending == ".mo" else read_po(stream, abort_invalid=True)
    except (PoFileError, OSError, LookupError, TypeError, AttributeError, struct.error) as error:
        raise ValueError(str(error)) from None
    found = {}
    for message in catalog:
        name = _decode_context(message.context)
        if name and isinstance(message.string, str) and message.string and not message.fuzzy:
            found[name] = message.string
    return found


def format_catalog(texts: Texts, translated: Texts, language: str) -> str:
    """Return a PO file of English texts with the translations that there are. translated: by name."""
    from babel.messages.pofile import normalize

    header = "".join(f"{line}\\n" for line in ("Content-Type: text/plain; charset=utf-8", f"Language: {language}"))
    entries = [f'msgid ""\nmsgstr "{header}"']
    entries += [
        f'msgctxt "{name}"\nmsgid {normalize(text, width=0)}\nmsgstr {normalize(translated.get(name, ""), width=0)}'
        for name, text in texts.items()
    ]
    return "\n\n".join(entries) + "\n"


def _decode_context(context: object) -> str:
    return context.decode() if isinstance(context, bytes) else str(context or "")


def _load_site_catalogs(folder: Path, language: str) -> Iterator[Texts]:
    """Yield the texts of a site's own files for a language, the nearest locale first."""
    if not folder.is_dir():
        return
    ranked = sorted(
        (rank, path.name, path)
        for ending in _ENDINGS
        for path in folder.glob(f"{DOMAIN}-*{ending}")
        if (rank := _rank_locale(path.stem.removeprefix(f"{DOMAIN}-"), language)) is not None
    )
    for _, _, path in ranked:
        try:
            stat = path.stat()
            yield _load_file(path, stat.st_mtime_ns, stat.st_size)
        except OSError as error:
            _LOG.warning("%s cannot be read, its texts are left out: %s", path.name, error)


@lru_cache(maxsize=64)
def _load_file(path: Path, modified: int, size: int) -> Texts:
    """Return the texts of a site's file, none if it is unusable; modified, size: change with it."""
    try:
        if size > _MAX_BYTES:
            raise ValueError(f"it has more than {_MAX_BYTES} bytes")
        return parse_texts(path.read_bytes(), path.suffix)
    except ValueError as error:
        said = " ".join(str(error).split())
        _LOG.warning("%s cannot be read, its texts are left out: %s", path.name, said[:300])
        return {}


@lru_cache(maxsize=64)
def _load_built_in(package: str, locale: str) -> Texts:
    try:
        data = (files(package) / "catalogs" / f"{locale}.po").read_bytes()
    except FileNotFoundError:
        return {}
    return parse_texts(data, ".po")


def _rank_locale(locale: str, language: str) -> int | None:
    """Return how near a file's locale is to a language, 0 the nearest, None if it is of another one."""
    wanted, head = _normalize_locale(language), _get_head(language)
    if _normalize_locale(locale) == wanted:
        return 0
    if _normalize_locale(locale) == head:
        return 1
    return 2 if wanted == head == _get_head(locale) else None


def _normalize_locale(code: str) -> str:
    return code.replace("-", "_").lower()


def _get_head(code: str) -> str:
    """Return the language of a code without its region."""
    return _normalize_locale(code).partition("_")[0]
