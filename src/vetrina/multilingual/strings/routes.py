"""Routes of strings: catalog import and export, settings, and (our addition) the strings themselves, for jobs to name.

Rules: docs/rules/strings.md, 3, 5, 7 and 8.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import Fault, InvalidParam, MissingParam
from vetrina.multilingual import stored_values as multilingual_stored_values
from vetrina.multilingual.permissions import TranslationForbidden, require_options_permission
from vetrina.multilingual.strings import (
    catalog_import,
    catalog_writing,
    rules as strings,
    site_texts,
    translations as string_translations,
)
from vetrina.multilingual.strings.catalog_files import CatalogFolderNotWritable
from vetrina.multilingual.strings.catalog_import import CatalogImportResult, CatalogImportRunning
from vetrina.multilingual.strings.model import SiteString
from vetrina.multilingual.strings.rules import SiteStringNotFound, StringQuery
from vetrina.multilingual.strings.states import STATES, compute_string_state
from vetrina.multilingual.strings.translations import PluralFormsMismatch, StringTranslation
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Field, Integer, Object, String, Untyped, ValidationContext
from vetrina.rest.paging import build_page_headers
from vetrina.rest.response_fields import Either, Nothing
from vetrina.rest.route import READ, WRITE, Route

_PATH: Final = "/mlang/st/v1"
_IMPORTED: Final = Object(properties={
    "total": Integer("Files that are new or changed."), "remaining": Integer("Those that are left."),
    "scan_message": String(),
    "faults": Array(
        "What is wrong with some.", items=Object(properties={"file": String(), "message": String()}), optional=True
    ),
})  # fmt: skip
_GENERATED: Final = Object(properties={
    "remaining": Integer("Files that are left."), "error": String("Why none could be written.", optional=True),
})  # fmt: skip
_FORMS: Final = Either("The text, or the list of its plural forms.", (String(), Array(items=String()), Nothing()))
_TEXT: Final = Object("A text of the site and what it is in other languages.", properties={
    "id": Integer("Number of the string."), "language": String(), "context": String("Its domain."), "name": String(),
    "value": String(), "plural": String("Its plural; empty for none."), "type": String(),
    "gettext_context": String(), "status": Integer("How far its translations are."), "word_count": Integer(),
    "translations": Object("By language.", additional=Object(properties={
        "status": Integer("How far it is."), "value": _FORMS, "mo_string": _FORMS,
    })),
})  # fmt: skip
_KINDS: Final = {"plugins": "plugin", "themes": "theme", "other": "other"}
_FOUND: Final = "Vetrina found %s new or updated .mo files. Their texts were added to the translations table."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of strings."""
    names = {
        name: Array(help, items=Untyped(), lenient=True, check=_check_list)
        for name, help in (
            ("plugins", "Modules whose files are read, by folder or by folder and file."),
            ("themes", "Themes whose files are read, by folder."),
            ("other", "Domains whose files are read."),
        )
    }
    setting: dict[str, Field] = {
        "group": Untyped("Group of the setting.", required=True),
        "key": Untyped("Name of the setting in its group.", required=True),
        "data": Untyped("Its value.", required=True),
    }
    filters: dict[str, Field] = {
        "page": Integer("Page of the list.", default=1, minimum=1),
        "per_page": Integer("Most strings that the answer holds.", default=50, minimum=1, maximum=100),
        "domain": String("Only strings of this domain.", null="keep"),
        "name": String("Only strings of this name.", null="keep"),
        "search": String("Only strings whose text has this in it.", null="keep"),
        "status": Array("Only strings in one of these states.", items=Integer(enum=STATES), null="keep"),
    }
    written: dict[str, Field] = {
        "id": Integer("Number of the string."),
        "translations": Object(
            "By language: the text, the list of its plural forms, or null to remove it.", required=True
        ),
    }
    return (
        Route(
            WRITE, f"{_PATH}/import_mo_strings", _import_catalogs, names, require_options_permission, slow=True,
            read=True, prepare=_prepare_import, errors=(TranslationForbidden, CatalogImportRunning), answers=_IMPORTED,
        ),
        Route(
            WRITE, f"{_PATH}/pre_generate_mo_files", _generate_catalogs, {}, require_options_permission, slow=True,
            read=True, prepare=_prepare_generation, errors=(TranslationForbidden,), answers=_GENERATED,
        ),
        Route(
            WRITE, f"{_PATH}/settings", _update_setting, setting, require_options_permission,
            errors=(TranslationForbidden,), answers=Nothing(),
        ),
        Route(
            READ, f"{_PATH}/strings", _list_strings, filters, require_options_permission,
            errors=(TranslationForbidden,), answers=Array(items=_TEXT),
        ),
        Route(
            READ, f"{_PATH}/strings/{{id}}", _read_string, {"id": written["id"]}, require_options_permission,
            errors=(TranslationForbidden, SiteStringNotFound), answers=_TEXT,
        ),
        Route(
            WRITE, f"{_PATH}/strings/{{id}}", _translate_string, written, require_options_permission,
            errors=(TranslationForbidden, SiteStringNotFound, PluralFormsMismatch), answers=_TEXT,
        ),
    )  # fmt: skip


def _check_list(value: Any, name: str, asked: ValidationContext) -> Fault | None:
    # Here a single name is not accepted as a list, unlike elsewhere: the reference refuses it.
    if isinstance(value, list):
        return None
    return Fault("rest_invalid_type", f"{name} is not of type array.", {"param": name})


# -- catalog files


def _prepare_import(call: Call) -> AbstractContextManager[CatalogImportResult]:
    # A missing list is an error: it could mean none or all (docs/rules/strings.md, 3).
    missing = [name for name in _KINDS if call.raw.get(name) is None]
    if missing:
        raise MissingParam(missing)
    named = {_KINDS[name]: [str(one) for one in call.args[name]] for name in _KINDS}
    return _run_import(call, named)


@contextmanager
def _run_import(call: Call, named: Mapping[str, list[str]]) -> Iterator[CatalogImportResult]:
    assert call.open is not None
    with call.open(False) as work:
        site_texts.register_changed_texts(work)
    yield catalog_import.import_catalog_files(call.work.site, call.open, named)


def _import_catalogs(call: Call) -> Result:
    """Import strings from the MO files of modules and themes, some files per call."""
    done: CatalogImportResult = call.prepared
    body: dict[str, Any] = {"total": done.total, "remaining": done.remaining, "scan_message": _FOUND}
    if done.faults:
        body["faults"] = [{"file": name, "message": message} for name, message in done.faults]
    return Result(body)


def _prepare_generation(call: Call) -> AbstractContextManager[dict[str, Any]]:
    return _run_generation(call)


@contextmanager
def _run_generation(call: Call) -> Iterator[dict[str, Any]]:
    assert call.open is not None
    try:
        body: dict[str, Any] = {"remaining": catalog_writing.write_catalog_files(call.work.site, call.open)}
    except CatalogFolderNotWritable:
        body = {"error": "no access"}
    yield body


def _generate_catalogs(call: Call) -> Result:
    """Write MO files for every language with strings."""
    return Result(call.prepared)


# -- settings


def _update_setting(call: Call) -> Result:
    """Store one of the settings of strings."""
    work = call.work
    group, key = call.args["group"], call.args["key"]
    wrong = {
        name: Fault("rest_invalid_type", f"{name} must be a word.", {"param": name})
        for name, value in (("group", group), ("key", key))
        if isinstance(value, (list, dict)) or not str(value)
    }
    if wrong:
        raise InvalidParam(wrong)
    name = f"MLANG(ST-{group})"
    known = multilingual_stored_values.load_setting(work, name, {})
    multilingual_stored_values.save_setting(work, name, {**known, str(key): call.args["data"]})
    return Result(None)


# -- the strings themselves


def _list_strings(call: Call) -> Result:
    """List the strings of the interface, a page at a time, with their translations."""
    work = call.work
    size, page = call.args["per_page"], call.args["page"]
    filters: dict[str, Any] = {name: call.args.get(name) or "" for name in ("domain", "name", "search")}
    states = tuple(call.args.get("status") or ())
    query = StringQuery(**filters, states=states, limit=size, offset=(page - 1) * size)
    found, total = strings.list_strings(work, query)
    known = string_translations.list_translations(work, [text.id for text in found])
    headers, links = build_page_headers(call, total, size, page)
    return Result([_serialize_string(work, text, known[text.id]) for text in found], headers=headers, links=links)


def _read_string(call: Call) -> Result:
    """Read one string with its translations."""
    work = call.work
    text = strings.get_string(work, call.args["id"])
    return Result(_serialize_string(work, text, string_translations.list_translations(work, (text.id,))[text.id]))


def _translate_string(call: Call) -> Result:
    """Set or remove translations of one string, by language."""
    work = call.work
    text = strings.get_string(work, call.args["id"])
    languages = work.site.profile.languages
    wrong = {}
    for language, given in call.args["translations"].items():
        forms = given if isinstance(given, list) else [given]
        if language not in languages or language == text.language:
            wrong[f"translations[{language}]"] = Fault(
                "rest_not_in_enum", f"{language} is no other language of the site.", None
            )
        elif _is_empty_translation(given):
            string_translations.remove_translation(work, text, language)
        elif not all(isinstance(form, str) and form for form in forms):
            wrong[f"translations[{language}]"] = Fault(
                "rest_invalid_type", f"{language} is not a text, nor a list of texts.", None
            )
        else:
            string_translations.translate_string(work, text, language, forms)
    if wrong:
        raise InvalidParam(wrong)
    return Result(_serialize_string(work, text, string_translations.list_translations(work, (text.id,))[text.id]))


def _is_empty_translation(given: Any) -> bool:
    return all(form is None or form == "" for form in (given if isinstance(given, list) else [given]))


def _serialize_string(work: UnitOfWork, text: SiteString, translations: list[StringTranslation]) -> dict[str, Any]:
    return {
        "id": text.id,
        "language": text.language,
        "context": text.domain,
        "name": text.name,
        "value": text.value,
        "plural": text.plural,
        "type": text.kind,
        "gettext_context": text.context,
        "status": compute_string_state(text.language, work.site.profile.languages, translations),
        "word_count": text.words,
        "translations": {
            one.language: {
                "status": one.status,
                "value": _serialize_forms(text, one.value),
                "mo_string": _serialize_forms(text, one.shipped),
            }
            for one in translations
        },
    }


def _serialize_forms(text: SiteString, forms: tuple[str, ...] | None) -> Any:
    if forms is None:
        return None
    return list(forms) if text.plural else forms[0]
