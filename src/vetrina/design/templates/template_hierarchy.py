"""Which template shows a public page: the most specific of its hierarchy that the site or its theme has.

Not here: what the lookup of the interface answers (design/templates/fallbacks.py). Rules:
docs/rules/templates.md, 12.
"""

from __future__ import annotations

from collections.abc import Iterable

from vetrina.content.records.model import Record
from vetrina.content.terms.store import Term
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import ATTACHMENT, CATEGORY, PAGE, POST_TAG, TEMPLATE
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.design.templates import rules as templates
from vetrina.design.templates.rules import BlockTemplate

INDEX = "index"
POSTS = ("home", INDEX)
FRONT = ("front-page", *POSTS)
SEARCH = ("search", INDEX)
DATE = ("date", "archive", INDEX)
PAGE_TEMPLATES = ("page", "singular", INDEX)  # of any page, whatever it shows
NOT_FOUND = ("404", INDEX)


def find_page_template(work: UnitOfWork, names: Iterable[str]) -> BlockTemplate | None:
    """Return the first of some templates that has content, None where there is none."""
    known = {one.slug: one for one in templates.list_templates(work, TEMPLATE)}
    return next((known[name] for name in names if name in known and known[name].content.strip()), None)


def list_record_templates(type: ContentType, record: Record, *, front: bool = False) -> list[str]:
    """Return the templates that may show a record, the most specific first. front: whether it is the home page."""
    names = ["front-page"] if front else []
    if record.template:
        names.append(record.template)
    if type.name == PAGE.name:
        names += [f"page-{record.slug}", f"page-{record.id}", "page"]
    elif type.name == ATTACHMENT.name:
        names += ["attachment", f"single-{type.name}", "single"]
    else:
        names += [f"single-{type.name}-{record.slug}", f"single-{type.name}", "single"]
    return [*names, "singular", INDEX]


def list_term_templates(term: Term) -> list[str]:
    """Return the templates that may list the records of a term, the most specific first."""
    kind = {CATEGORY.name: "category", POST_TAG.name: "tag"}.get(term.taxonomy)
    if kind is None:
        names = [f"taxonomy-{term.taxonomy}-{term.slug}", f"taxonomy-{term.taxonomy}", "taxonomy"]
    else:
        names = [f"{kind}-{term.slug}", f"{kind}-{term.id}", kind]
    return [*names, "archive", INDEX]


def list_author_templates(author: User) -> list[str]:
    """Return the templates that may list the records of an author, the most specific first."""
    return [f"author-{author.slug}", f"author-{author.id}", "author", "archive", INDEX]


def list_archive_templates(type: ContentType) -> list[str]:
    """Return the templates that may list the records of a type, the most specific first."""
    return [f"archive-{type.name}", "archive", INDEX]
