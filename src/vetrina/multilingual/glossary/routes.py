"""Routes of the glossary: list, read, create, change, delete, and which entries some texts have.

Our own addition; translators read it, who manages translations writes it. Not here: its file
(multilingual/glossary/file_routes.py). Rules: docs/rules/glossary.md, 2 to 4.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel import times
from vetrina.multilingual.glossary import rules, store, term_matching
from vetrina.multilingual.glossary.store import GlossaryEntry
from vetrina.multilingual.permissions import (
    TranslationForbidden,
    require_any_translator_permission,
    require_manager_permission,
)
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_number_list, build_ordering_arguments, build_paging_arguments
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.resource import ListPage, Operation, Resource, TrashUnsupported, build_write_arguments
from vetrina.rest.route import WRITE, Route
from vetrina.rest.serializer import Serializer, read_attributes

PATH: Final = "/mlang/v1/glossary"
_EVERY: Final = (VIEW, EDIT, EMBED)
_MAX_TEXTS: Final = 500
_GETTERS: Final = {
    **read_attributes("id", *rules.MEMBERS),
    "date_gmt": lambda one, work: times.format_iso(one.created),
    "modified_gmt": lambda one, work: times.format_iso(one.modified),
}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the glossary."""
    languages = site.profile.languages
    args = {
        "source_language": String("Language of the texts.", enum=languages, required=True),
        "language": String("Language that they are translated into.", enum=languages, required=True),
        "texts": Array("The texts.", items=String(), required=True, min_items=1, max_items=_MAX_TEXTS),
    }
    found = Object(properties={
        "matches": Array(
            "Of each text the entries whose term it has, longer terms first.",
            items=Array(items=Object(properties={
                "id": Integer("Number of the entry."), "term": String(), "translation": String(), "note": String(),
            })),
        ),
    })  # fmt: skip
    return (
        *_build_resource(site).build_routes(),
        Route(
            WRITE, f"{PATH}/matches", _find_matches, args, require_any_translator_permission, read=True, slow=True,
            errors=(TranslationForbidden,), answers=found, status=200,
        ),
    )  # fmt: skip


def _build_resource(site: SiteContext) -> Resource[GlossaryEntry]:
    languages = site.profile.languages
    fields: dict[str, Field] = {
        "id": Integer("Number of the entry.", context=_EVERY, readonly=True),
        "term": String("The word or words.", context=_EVERY, max_length=rules.MAX_TERM),
        "source_language": String("Language of the term; the site's own at first.", context=_EVERY, enum=languages),
        "language": String("Language of the translation.", context=_EVERY, enum=languages),
        "translation": String("What it is called there.", context=_EVERY, max_length=rules.MAX_TERM),
        "note": String("What a translator should know about it.", context=_EVERY, max_length=rules.MAX_NOTE),
        "case_sensitive": Boolean("Whether it is another word in another case.", context=_EVERY),
        "date_gmt": String("When it was made, in GMT.", context=_EVERY, format="date-time", readonly=True),
        "modified_gmt": String("When it was last changed, in GMT.", context=_EVERY, format="date-time", readonly=True),
    }
    filters: dict[str, Field] = {
        **build_paging_arguments(),
        "exclude": build_number_list("None of these numbers."),
        "include": build_number_list("Only these numbers."),
        "source_language": String("Only terms of this language.", enum=languages, null="keep"),
        "language": String("Only translations into this language.", enum=languages, null="keep"),
        **build_ordering_arguments(store.ORDERS, default="term", direction="asc"),
    }
    forbidden = (TranslationForbidden,)
    missing = (TranslationForbidden, rules.GlossaryEntryNotFound)
    return Resource(
        title="glossary_entry",
        path=PATH,
        key={"id": Integer("Number of the entry.")},
        serializer=Serializer(fields, _GETTERS),
        find=_get_entry,
        list=Operation(_list_entries, require_any_translator_permission, filters, forbidden),
        create=Operation(
            _create_entry, require_manager_permission,
            build_write_arguments(fields, required=("term", "language", "translation")),
            (*forbidden, rules.GlossaryEntryExists, rules.GlossaryFull),
        ),
        read=Operation(_get_entry, require_any_translator_permission, errors=missing),
        update=Operation(
            _update_entry, require_manager_permission, build_write_arguments(fields),
            (*missing, rules.GlossaryEntryExists),
        ),
        delete=Operation(_delete_entry, require_manager_permission, errors=missing),
        trash_unsupported=TrashUnsupported,
        deleted="previous",
        batch=True,
    )  # fmt: skip


def _get_entry(call: Call) -> GlossaryEntry:
    return rules.get_entry(call.work, call.args["id"])


def _list_entries(call: Call) -> ListPage[GlossaryEntry]:
    args = call.args
    query = store.GlossaryQuery(
        include=tuple(args["include"]), exclude=tuple(args["exclude"]), search=args.get("search") or "",
        source_language=args.get("source_language") or "", language=args.get("language") or "",
        orderby=args["orderby"], descending=args["order"] == "desc", limit=args["per_page"],
        offset=compute_page_offset(args),
    )  # fmt: skip
    return ListPage(*store.list_entries(call.work, query))


def _select_given(call: Call) -> dict[str, Any]:
    return {name: call.args[name] for name in call.args.given_names if name != "id"}


def _create_entry(call: Call) -> GlossaryEntry:
    return rules.create_entry(call.work, _select_given(call))


def _update_entry(call: Call, old: GlossaryEntry) -> GlossaryEntry:
    return rules.update_entry(call.work, old, _select_given(call))


def _delete_entry(call: Call, old: GlossaryEntry) -> None:
    store.delete_entry(call.work, old)


def _find_matches(call: Call) -> Result:
    """Find the entries of the glossary whose terms some texts have."""
    args = call.args
    entries = store.list_entries_of_pair(call.work, args["source_language"], args["language"])
    # Few of all entries are in the texts at all.
    among = term_matching.find_matches(entries, "\n".join(args["texts"]))
    return Result(
        {"matches": [[_show_match(one) for one in term_matching.find_matches(among, text)] for text in args["texts"]]}
    )


def _show_match(one: GlossaryEntry) -> dict[str, Any]:
    return {"id": one.id, "term": one.term, "translation": one.translation, "note": one.note}
