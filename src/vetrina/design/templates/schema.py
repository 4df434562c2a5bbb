"""The schema of templates and template parts, and the arguments of their routes.

Rules: docs/rules/templates.md, 2 and 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from vetrina.access.roles.capabilities import may_publish_records, may_write_unfiltered_html
from vetrina.content.records import statuses as record_statuses
from vetrina.content.revisions.rules import Revision
from vetrina.content.text import rendering as text_rendering
from vetrina.content.translations import language_schema, record_translations
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import TEMPLATE_PART
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design import site_records
from vetrina.design.templates.rules import BlockTemplate
from vetrina.design.themes import active_theme
from vetrina.kernel.times import format_iso
from vetrina.rest.common_arguments import build_context_argument
from vetrina.rest.fields import EDIT, EMBED, VIEW, AnyOf, Boolean, Field, Integer, Object, String
from vetrina.rest.resource import Links
from vetrina.rest.serializer import CURIES, Serializer

# A theme and a slug separated by one or two slashes; the pattern is exposed in the index as it is.
ID = r'([^\/:<>\*\?"\|]+(?:\/[^\/:<>\*\?"\|]+)?)[\/\w%-]+'
# The same in linear time: up to the last character that only a theme's name may have, then the slug. Slugs with
# non-ASCII letters are stored percent-encoded, but URLs come decoded, so such letters are accepted.
ID_MATCHED = (
    r'(?=[^\/:<>*?"|][\s\S])(?:[^\/:<>*?"|]+\/(?:[LETTERS]*[^\/:<>*?"|LETTERS])+|(?:[LETTERS]*[^\/:<>*?"|LETTERS])*)'
    r"[\/LETTERS]+"
).replace("LETTERS", r"\w%\x80-\U0010ffff-")

_ALL = (VIEW, EDIT, EMBED)
_SHOWN = (VIEW, EDIT)

_CONTENT = AnyOf(
    "Content of the template.",
    (
        Object(
            properties={
                "raw": String("Content as it is stored.", context=_SHOWN),
                "block_version": Integer("Version of the block format, 0 for none.", context=(EDIT,), readonly=True),
            }
        ),
        String(),
    ),
    context=_ALL,
)


def build_title_field(help: str) -> AnyOf:
    """Return a title field that accepts a text or an object."""
    members = {
        "raw": String("Title as it is stored.", context=_ALL),
        "rendered": String("Title as it is shown, as HTML.", context=_ALL, readonly=True),
    }
    return AnyOf(help, (Object(properties=members), String()), context=_ALL)


_TITLE = build_title_field("Title of the template.")
# Its pattern is documented and not enforced: an invalid slug is sanitized.
_SLUG = String("Name of the template within its theme.", min_length=1, extra={"pattern": "[a-zA-Z0-9_%-]+"})
_THEME = String("Name of the theme that it belongs to.")
_TYPE = String("Kind of the template.")
_DESCRIPTION = String("What it is for.")
_STATUS = String(
    "Status; every template is published.",
    enum=record_statuses.WRITABLE_STATUSES,
    values=record_statuses.STORED_STATUSES,
)
_AUTHOR = Integer("Number of the user who wrote it.")
_LANG = String("Code of the language that is meant; a version of its own is kept for each.")
_AREA = String("Where the part is meant to stand, such as header or footer.")
_SUGGESTED = Boolean("Whether the site looks for this slug itself, as for a single page; then no record chooses it.")


def build_list_arguments() -> dict[str, Field]:
    """Return the arguments that list templates."""
    return {
        "context": build_context_argument(),
        "wp_id": Integer("Only the one that is kept under this number.", null="keep"),
        "area": String("Only parts of this area.", null="keep"),
        "post_type": String("Only those that records of this type may choose.", null="keep"),
    }


def build_lookup_arguments() -> dict[str, Field]:
    """Return the arguments that look a template up."""
    return {
        "slug": String("Slug of the nearest template.", required=True),
        "is_custom": Boolean("Whether somebody chose it for a single record.", null="keep"),
        "template_prefix": String("Kind of the template: the slug without the name at its end.", null="keep"),
    }


def build_write_arguments(type: ContentType, *, create: bool) -> dict[str, Field]:
    """Return the arguments that write a template or a part."""
    first = {"default": ""} if create else {}
    out: dict[str, Field] = {
        "slug": _SLUG.replace(required=create),
        "theme": _THEME,
        "type": _TYPE,
        "content": _CONTENT.replace(context=(), **first),
        "title": _TITLE.replace(context=(), **first),
        "description": _DESCRIPTION.replace(**first),
        "status": _STATUS.replace(**({"default": "publish"} if create else {})),
        "author": _AUTHOR,
    }
    if type is TEMPLATE_PART:
        out["area"] = _AREA
    elif create:
        out["is_wp_suggestion"] = _SUGGESTED
    out["lang"] = _LANG
    return {name: field.replace(null="keep") for name, field in out.items()}


@dataclass(frozen=True, slots=True)
class TemplateState:
    """What is serialized: a template, or a revision of it."""

    template: BlockTemplate
    revision: Revision | None = None

    @property
    def source(self) -> BlockTemplate | Revision:
        return self.revision or self.template

    @property
    def author(self) -> int:
        stored = self.revision or self.template.stored
        return stored.author if stored else 0

    @property
    def description(self) -> str:
        return self.revision.excerpt if self.revision else self.template.description

    @property
    def status(self) -> str:
        if self.revision:
            return "inherit"
        return self.template.stored.status if self.template.stored else "publish"

    @property
    def number(self) -> int:
        stored = self.revision or self.template.stored
        return stored.id if stored else 0

    @property
    def modified(self) -> str | bool:
        stored = self.revision or self.template.stored
        return format_iso(stored.modified) if stored else False


@dataclass(frozen=True, slots=True)
class TemplateView:
    """What serializing templates needs beside them. authors: names of the authors of customized templates."""

    work: UnitOfWork
    type: ContentType
    authors: Mapping[int, str]


def build_template_view(work: UnitOfWork, type: ContentType, states: Iterable[TemplateState]) -> TemplateView:
    """Return the view of some templates or revisions."""
    authors = {one.author for one in states if one.template.file is None}
    return TemplateView(work, type, site_records.load_author_names(work, authors))


def build_template_serializer(type: ContentType, *, revision: bool = False) -> Serializer:
    """Return the serializer of a template or part; revision: of its revisions."""
    part = type is TEMPLATE_PART
    content, title = _CONTENT.kinds[0], _TITLE.kinds[0]
    fields: dict[str, Field] = {
        "id": String("What names it among all templates: theme and slug.", context=_ALL, readonly=True),
        "theme": _THEME.replace(context=_ALL),
        "content": content.replace(help=_CONTENT.help, context=_ALL),
        "slug": _SLUG.replace(context=_ALL),
        "source": String("Whether it is a file of the theme or somebody's own.", context=_ALL, readonly=True),
        "origin": String("What it was copied from.", context=_ALL, readonly=True, nullable=True),
        "type": _TYPE.replace(context=_ALL),
        "description": _DESCRIPTION.replace(context=_ALL),
        "title": title.replace(help=_TITLE.help, context=_ALL),
        "status": _STATUS.replace(context=_ALL),
        "wp_id": Integer("Number of its record, 0 for a file of the theme.", context=_ALL, readonly=True),
        "has_theme_file": Boolean("Whether the theme has a file of this name.", context=_ALL, readonly=True),
        "author": _AUTHOR.replace(context=_ALL),
        **(
            {"area": _AREA.replace(context=_ALL)}
            if part
            else {"is_custom": Boolean("Whether it is chosen by name.", context=_ALL, readonly=True)}
        ),
        "modified": String("When it was last changed, in the site's time zone; false for a file.", format="date-time",
                           context=_SHOWN, readonly=True, unset=(False,)),
        "author_text": String("Who made it, as people read it.", context=_ALL, readonly=True),
        "original_source": String("Where it came from: theme or user.", enum=("theme", "plugin", "site", "user"),
                                  context=_ALL, readonly=True),
        **language_schema.build_language_fields(),
    }  # fmt: skip
    fields["translations"] = fields["translations"].replace(readonly=True)
    getters: dict[str, Any] = {
        "id": lambda s, v: s.template.id,
        "theme": lambda s, v: s.template.theme,
        "content": lambda s, v: {
            "raw": s.source.content,
            "block_version": text_rendering.compute_block_version(s.source.content),
        },
        "slug": lambda s, v: s.template.slug,
        "source": lambda s, v: "custom" if s.template.stored else "theme",
        "origin": lambda s, v: s.template.origin,
        "type": lambda s, v: v.type.name,
        "description": lambda s, v: s.description,
        "title": lambda s, v: {
            "raw": s.source.title,
            "rendered": text_rendering.render_title(s.source.title, v.work.budget),
        },
        "status": lambda s, v: s.status,
        "wp_id": lambda s, v: s.number,
        "has_theme_file": lambda s, v: s.template.file is not None,
        "author": lambda s, v: s.author,
        "area": lambda s, v: s.template.area,
        "is_custom": lambda s, v: s.template.is_custom,
        "modified": lambda s, v: s.modified,
        "author_text": _get_author_text,
        "original_source": lambda s, v: "theme" if s.template.file else "user",
        "lang": lambda s, v: s.template.stored.language if s.template.stored else "",
        "translations": _serialize_translations,
    }
    if revision:
        fields["parent"] = Integer("Number of the template's record.", context=_ALL, readonly=True)
        getters["parent"] = lambda s, v: s.template.stored.id
    return Serializer(fields, getters)


def _serialize_translations(state: TemplateState, view: TemplateView) -> dict[str, Any]:
    """Return the versions per language; none for a theme file, which is for all."""
    stored, work = state.template.stored, view.work
    if stored is None:
        return {}
    href = work.api(f"{view.type.path}/{state.template.id}")
    return {
        code: {"id": one.id, "status": one.status, "link": f"{href}?mlang_language={code}"}
        for code, one in record_translations.load_light_groups(work, [stored])[stored.translations].items()
    }


def _get_author_text(state: TemplateState, view: TemplateView) -> str:
    if state.template.file is not None:
        return active_theme.get_active_theme(view.work.site).title
    return view.authors.get(state.author, "")


def build_template_links(work: UnitOfWork, type: ContentType, template: BlockTemplate) -> Links:
    """Return the `_links` of a template."""
    user, api = work.user, work.root
    self_href = f"{api}{type.path}/{template.id}"
    methods = ["GET"]
    if may_publish_records(user, type, None):
        methods += ["POST", "PUT", "PATCH", "DELETE"]
    out: Links = {
        "self": [{"href": self_href, "targetHints": {"allow": methods}}],
        "collection": [{"href": f"{api}{type.path}"}],
        "about": [{"href": f"{api}/cms/v2/types/{type.name}"}],
    }
    stored = template.stored
    if stored is not None and stored.status != "trash":
        out["version-history"] = [{"count": stored.revisions, "href": f"{self_href}/revisions"}]
        if stored.revisions:
            last = stored.last_revision
            out["predecessor-version"] = [{"id": last, "href": f"{self_href}/revisions/{last}"}]
    actions = [
        *(("publish",) if may_publish_records(user, type, None) else ()),
        *(("unfiltered-html",) if may_write_unfiltered_html(user) else ()),
    ]
    if actions:
        out.update({f"cms:action-{action}": [{"href": self_href}] for action in actions})
        out["curies"] = CURIES
    return out
