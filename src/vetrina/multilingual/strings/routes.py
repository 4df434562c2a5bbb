"""Strings: files in and out, settings, and (beyond interface.md) the strings themselves, so that jobs can name them.

Rules: facts of the multilingual layer, "Routes of mlang/st/v1".
A list of components that is missing is told (OVERRIDES, 6).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import Fault, InvalidParam, MissingParam
from vetrina.multilingual import stored_values as multilingual_stored_values
from vetrina.multilingual.permissions import Forbidden, options
from vetrina.multilingual.strings import catalog_import, site_texts
from vetrina.multilingual.strings import rules as strings
from vetrina.multilingual.strings.catalog_files import NoAccess
from vetrina.multilingual.strings.catalog_import import Imported, ImportRunning
from vetrina.multilingual.strings.rules import StringUnknown, Text, WrongForms
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Asked, Field, Integer, Object, String, Untyped
from vetrina.rest.paging import page_headers
from vetrina.rest.response_fields import Either, Nothing
from vetrina.rest.route import READ, WRITE, Route

__all__ = ["routes"]

_PATH: Final = "/mlang/st/v1"
_IMPORTED: Final = Object(properties={
    "total": Integer("Files that are new or changed."), "remaining": Integer("Those that are left."),
    "scan_message": String(),
    "faults": Array("What is wrong with some.", items=Object(properties={"file": String(), "message": String()})),
})  # fmt: skip
_GENERATED: Final = Object(properties={
    "remaining": Integer("Files that are left."), "error": String("Why none could be written."),
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


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of strings."""
    names = {
        name: Array(help, items=Untyped(), lenient=True, check=_is_list)
        for name, help in (
            ("plugins", "Modules whose files are read, by folder or by folder and file."),
            ("themes", "Themes whose files are read, by folder."),
            ("other", "Domains whose files are read."),
        )
    }
    kept: dict[str, Field] = {
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
    }
    written: dict[str, Field] = {
        "id": Integer("Number of the string."),
        "translations": Object("By language: the text, or the list of its plural forms.", required=True),
    }
    return (
        Route(WRITE, f"{_PATH}/import_mo_strings", _imported, names, options, slow=True, read=True,
              prepare=_import, errors=(Forbidden, ImportRunning), answers=_IMPORTED),
        Route(WRITE, f"{_PATH}/pre_generate_mo_files", _generated, {}, options, slow=True, read=True,
              prepare=_generate, errors=(Forbidden,), answers=_GENERATED),
        Route(WRITE, f"{_PATH}/settings", _set, kept, options, errors=(Forbidden,), answers=Nothing()),
        Route(READ, f"{_PATH}/strings", _listed, filters, options, errors=(Forbidden,),
              answers=Array(items=_TEXT)),
        Route(READ, f"{_PATH}/strings/{{id}}", _read, {"id": written["id"]}, options,
              errors=(Forbidden, StringUnknown), answers=_TEXT),
        Route(WRITE, f"{_PATH}/strings/{{id}}", _translate, written, options,
              errors=(Forbidden, StringUnknown, WrongForms), answers=_TEXT),
    )  # fmt: skip


def _is_list(value: Any, name: str, asked: Asked) -> Fault | None:
    # One name is no list of names here, unlike elsewhere: the reference refuses it.
    if isinstance(value, list):
        return None
    return Fault("rest_invalid_type", f"{name} is not of type array.", {"param": name})


# -- files


def _import(call: Call) -> AbstractContextManager[Imported]:
    # Without a list nobody knows whether none or all are meant.
    missing = [name for name in _KINDS if call.raw.get(name) is None]
    if missing:
        raise MissingParam(missing)
    named = {_KINDS[name]: [str(one) for one in call.args[name]] for name in _KINDS}
    return _importing(call, named)


@contextmanager
def _importing(call: Call, named: Mapping[str, list[str]]) -> Iterator[Imported]:
    assert call.open is not None
    with call.open(False) as work:
        site_texts.bring_up(work)
    yield catalog_import.import_files(call.work.frame, call.open, named)


def _imported(call: Call) -> Result:
    """Read the texts of modules and themes from their MO files, a part at a call."""
    done: Imported = call.prepared
    body: dict[str, Any] = {"total": done.total, "remaining": done.remaining, "scan_message": _FOUND}
    if done.faults:
        body["faults"] = [{"file": name, "message": message} for name, message in done.faults]
    return Result(body)


def _generate(call: Call) -> AbstractContextManager[dict[str, Any]]:
    return _generating(call)


@contextmanager
def _generating(call: Call) -> Iterator[dict[str, Any]]:
    assert call.open is not None
    try:
        body: dict[str, Any] = {"remaining": catalog_import.write_files(call.work.frame, call.open)}
    except NoAccess:
        body = {"error": "no access"}
    yield body


def _generated(call: Call) -> Result:
    """Write MO files for every language with strings."""
    return Result(call.prepared)


# -- settings


def _set(call: Call) -> Result:
    """Keep one value of the settings of strings."""
    work: Work = call.work
    group, key = call.args["group"], call.args["key"]
    wrong = {
        name: Fault("rest_invalid_type", f"{name} must be a word.", {"param": name})
        for name, value in (("group", group), ("key", key))
        if isinstance(value, (list, dict)) or not str(value)
    }
    if wrong:
        raise InvalidParam(wrong)
    name = f"MLANG(ST-{group})"
    known = multilingual_stored_values.read(work, name, {})
    multilingual_stored_values.write(work, name, {**known, str(key): call.args["data"]})
    return Result(None)


# -- the strings themselves


def _listed(call: Call) -> Result:
    """List the strings of the interface, a page at a time, with their translations."""
    work: Work = call.work
    size, page = call.args["per_page"], call.args["page"]
    asked = {name: call.args.get(name) for name in ("domain", "name", "search")}
    found, total = strings.found(work, asked, size, (page - 1) * size)
    known = strings.translations(work, [text.id for text in found])
    headers, links = page_headers(call, total, size, page)
    return Result([_shown(work, text, known[text.id]) for text in found], headers=headers, links=links)


def _read(call: Call) -> Result:
    """Read one string with its translations."""
    work: Work = call.work
    text = strings.by_id(work, call.args["id"])
    return Result(_shown(work, text, strings.translations(work, (text.id,))[text.id]))


def _translate(call: Call) -> Result:
    """Set translations of one string, by language."""
    work: Work = call.work
    text = strings.by_id(work, call.args["id"])
    languages = work.frame.profile.languages
    wrong = {}
    for language, given in call.args["translations"].items():
        forms = given if isinstance(given, list) else [given]
        if language not in languages or language == text.language:
            wrong[f"translations[{language}]"] = Fault(
                "rest_not_in_enum", f"{language} is no other language of the site.", None
            )
        elif not forms or not all(isinstance(form, str) and form for form in forms):
            wrong[f"translations[{language}]"] = Fault(
                "rest_invalid_type", f"{language} is not a text, nor a list of texts.", None
            )
        else:
            strings.translate(work, text, language, forms)
    if wrong:
        raise InvalidParam(wrong)
    return Result(_shown(work, text, strings.translations(work, (text.id,))[text.id]))


def _shown(work: Work, text: Text, known: list[strings.Translation]) -> dict[str, Any]:
    return {
        "id": text.id,
        "language": text.language,
        "context": text.domain,
        "name": text.name,
        "value": text.value,
        "plural": text.plural,
        "type": text.kind,
        "gettext_context": text.context,
        "status": strings.state(text.language, work.frame.profile.languages, known),
        "word_count": text.words,
        "translations": {
            one.language: {
                "status": one.status,
                "value": _forms(text, one.value),
                "mo_string": _forms(text, one.shipped),
            }
            for one in known
        },
    }


def _forms(text: Text, forms: tuple[str, ...] | None) -> Any:
    if forms is None:
        return None
    return list(forms) if text.plural else forms[0]
