"""The extra fields of records, terms and comments, in the names and the form that export files have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from vetrina.rest.dialects.names import DialectNames
from vetrina.transfer.records import Record
from vetrina.transfer.sources.wxr.extension_fields import OWN_MEMBERS, get_language_fields
from vetrina.transfer.sources.wxr.php_values import write_php_value

from .xml_text import clean_text, write_cdata

_EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})


def write_fields(element: str, names: DialectNames, fields: Iterable[tuple[str, Any]]) -> list[str]:
    """Return the elements of extra fields. element: `postmeta`, `termmeta` or `commentmeta`. fields: neutral names."""
    found = dict(fields)
    return [
        f"<wp:{element}>{write_cdata('wp:meta_key', names.word(name))}"
        f"{write_cdata('wp:meta_value', write_php_value(_prepare(value)))}</wp:{element}>"
        for name, value in found.items()
        if value not in _EMPTY or value is False
    ]


def select_own_fields(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Give the extra fields that the interface shows of something."""
    for member in ("meta", "ext"):
        shown = values.get(member)
        for name, value in shown.items() if isinstance(shown, Mapping) else ():
            # What is hidden and not so is what every record has.
            if not (name.startswith("_") and value is False):
                yield name, value


def select_members(values: Mapping[str, Any], names: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Give the field with the members that a file has no element for, if there are any."""
    found = {name: values[name] for name in names if values.get(name) not in _EMPTY and values[name] is not False}
    if found:
        yield OWN_MEMBERS, found


def select_language(record: Record, several: bool) -> Iterator[tuple[str, Any]]:
    """Give the fields with the language of a record or term. several: whether the site has more than one."""
    code = record.values.get("lang") or ("" if "lang" in record.values else record.language)
    if not several or not code:
        return
    names = get_language_fields()
    yield names.code, code
    translations = record.values.get("translations")
    ids = [_get_id(one) for one in translations.values()] if isinstance(translations, Mapping) else []
    if len(ids) > 1:
        yield names.group, f"{record.resource.rpartition('/')[2]}-{min(ids, key=str)}"
        yield names.source, record.values.get("source_language")


def _get_id(translation: Any) -> Any:
    return translation.get("id") if isinstance(translation, Mapping) else translation


def _prepare(value: Any) -> Any:
    """Return a value with its texts as they are stored, and without what no file may hold."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, Mapping):
        if "raw" in value and isinstance(value["raw"], str):
            return clean_text(value["raw"])
        return {clean_text(str(name)): _prepare(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_prepare(item) for item in value]
    return value
