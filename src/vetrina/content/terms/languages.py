"""What a write of a term does about its language: which one a new term has, where it moves, what it is linked to.

As content/records/languages.py for records. Rules: facts of the multilingual layer, 5.3; an edit never moves a term to
the language of its request.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.content.terms import rules as term_rules
from vetrina.content.terms import store as term_store
from vetrina.content.terms import translations
from vetrina.content.terms.store import Term
from vetrina.content.translations import links as translation_links
from vetrina.content.translations.links import Groups
from vetrina.content.translations.modes import Mode, element_of, mode
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import Fault, InvalidParam

__all__ = ["linked", "of_new", "placed"]


def of_new(work: Work, taxonomy: Taxonomy, given: Mapping[str, Any]) -> str:
    """Return the language that is written for a new term, empty for that of the work. Raises InvalidParam."""
    _require_translated(work, taxonomy, given)
    return given.get("lang") or ""


def placed(work: Work, taxonomy: Taxonomy, term: Term, given: Mapping[str, Any]) -> Term:
    """Give a term the language that is written, link it, and return it. Raises InvalidParam."""
    _require_translated(work, taxonomy, given)
    if language := given.get("lang"):
        term = translation_links.placed(lambda: term_rules.move(work, taxonomy, term, language))
    return linked(work, taxonomy, term, given)


def linked(work: Work, taxonomy: Taxonomy, term: Term, given: Mapping[str, Any]) -> Term:
    """Link a term with the translations that are written and return it. Raises InvalidParam."""
    wanted = given.get("translations")
    if not wanted:
        return term

    def find(id: int) -> Term | None:
        found = term_store.by_id(work.tx, id)
        return found if found is not None and found.taxonomy == taxonomy.name else None

    def may(one: Term) -> bool:
        return work.user.can(taxonomy.edit)

    groups = Groups(find, may, translations.members, translations.join, translations.leave)
    return translation_links.linked(work, term, wanted, groups)


def _require_translated(work: Work, taxonomy: Taxonomy, given: Mapping[str, Any]) -> None:
    if mode(work, element_of(taxonomy)) is Mode.NOT_TRANSLATED:
        message = f"Terms of {taxonomy.name} are not translated; every language shows the same."
        if named := [name for name in ("lang", "translations") if given.get(name)]:
            raise InvalidParam({name: Fault("mlang_not_translated", message) for name in named})
