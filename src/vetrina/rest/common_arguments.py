"""Arguments that many routes share, declared once: context, paging, order, language."""

from __future__ import annotations

from collections.abc import Mapping

from vetrina.rest.fields import ABSENT, Array, Boolean, Field, Integer, String

_CONTEXTS = ("view", "embed", "edit")


def build_context_argument(*contexts: str, default: str | None = "view") -> String:
    """Return the argument that chooses which members a response has."""
    return String(
        "Scope under which the request is made; it decides which members an answer has.",
        enum=contexts or _CONTEXTS,
        default=ABSENT if default is None else default,
        early=True,
        null="keep",
    )


def build_paging_arguments(per_page: int | None = 10) -> Mapping[str, Field]:
    """Return the arguments that choose a page of a collection; per_page: its default, None for all on one page."""
    return {
        "page": Integer("Page of the collection.", default=1, minimum=1, early=True, null="keep"),
        "per_page": Integer(
            "Most items that the answer may hold.",
            default=ABSENT if per_page is None else per_page,
            minimum=1,
            maximum=100,
            early=True,
            null="keep",
        ),
        "search": String("Keep only what matches this text.", early=True, null="keep"),
    }


def build_ordering_arguments(
    orders: tuple[str, ...], default: str = "date", direction: str = "desc"
) -> Mapping[str, Field]:
    """Return the arguments that choose the order of a collection."""
    return {
        "order": String("Order of the items.", default=direction, enum=("asc", "desc"), null="keep"),
        "orderby": String("Sort the items by this.", default=default, enum=orders, null="keep"),
    }


def build_number_list(help: str, **words: object) -> Array:
    """Return a list of ids as a filter; an empty one filters nothing."""
    return Array(help, items=Integer(), default=[], null="keep", **words)  # type: ignore[arg-type]


def build_force_argument() -> Boolean:
    """Return the argument that deletes permanently."""
    return Boolean("Whether to remove for good instead of moving to the trash.", default=False, early=True)


def build_language_argument(codes: tuple[str, ...]) -> String:
    """Return the argument that selects by language, for every route of a site."""
    return String("Code of the language to select by.", enum=codes, null="keep")
