"""Schema of the records of a type and arguments of the routes of one record: derived from what the type supports.

Not here: the arguments of lists (content/records/list_arguments.py), the routes (content/records/routes.py), the values
of the members (content/records/views.py). Rules: docs/rules/records.md, 3, 8 and 12; docs/rules/custom_types.md, 1;
docs/rules/markup.md, 16.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.content.custom_fields import schema as custom_field_schema
from vetrina.content.previews.token_permissions import build_token_argument, has_previews
from vetrina.content.records import meta as record_meta, model as record_model, statuses as record_statuses
from vetrina.content.seo.schema import SEO_FIELD, build_seo_argument
from vetrina.content.translations import language_schema
from vetrina.content.types.model import POST_FORMATS, ContentType
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import Fault
from vetrina.rest.common_arguments import (
    build_context_argument,
    build_force_argument,
)
from vetrina.rest.fields import (
    EDIT,
    EMBED,
    VIEW,
    Array,
    Boolean,
    Field,
    Integer,
    Object,
    String,
    ValidationContext,
)

_ALL = (VIEW, EDIT, EMBED)
_SHOWN = (VIEW, EDIT)


_RAW = String("Value as it is stored.", context=(EDIT,))
EXCERPT_LENGTH = Integer("Words of an excerpt that is made from the content.", null="keep")
_OPEN_STATUSES = ("open", "closed")


def _build_date_field(help: str, *context: str, **options: Any) -> String:
    return String(help, format="date-time", context=context, **options)


def _build_rendered_field(help: str, *context: str) -> String:
    return String(help, context=context, readonly=True)


def _build_protected_field(what: str) -> Boolean:
    return Boolean(f"Whether a password protects the {what}.", context=_ALL, readonly=True)


_GUID = Object(
    "Globally unique identifier, fixed when the record is created.",
    properties={
        "raw": String("The identifier as it is stored.", context=(EDIT,), readonly=True),
        "rendered": String("The identifier as it is shown.", context=_SHOWN, readonly=True),
    },
    context=_SHOWN,
    readonly=True,
)
_TITLE = Object(
    "Title of the record.",
    properties={"raw": _RAW, "rendered": _build_rendered_field("Title as it is shown, as HTML.", *_ALL)},
    context=_ALL,
)
_CONTENT = Object(
    "Content of the record.",
    properties={
        "raw": _RAW,
        "rendered": _build_rendered_field("Content as it is shown, as HTML.", *_SHOWN),
        "block_version": Integer("Version of the block format, 0 for none.", context=(EDIT,), readonly=True),
        "protected": _build_protected_field("content"),
    },
    context=_SHOWN,
)
_EXCERPT = Object(
    "Excerpt of the record.",
    properties={
        "raw": _RAW,
        "rendered": _build_rendered_field("Excerpt as it is shown, as HTML.", *_ALL),
        "protected": _build_protected_field("excerpt"),
    },
    context=_ALL,
)

# Only for records with a page of their own.
_PUBLIC_ONLY = frozenset({"permalink_template", "generated_slug", "class_list"})

# Arguments whose null means that nothing was said.
_KEPT_BY_NULL = frozenset(
    {"author", "format", "comment_status", "ping_status", "template", "meta", "ext", "lang", "translations"}
)

# Every member in the order of the API: its name, the feature that a type needs for it, its field.
_MEMBERS: tuple[tuple[str, str, Field], ...] = (
    ("date", "", _build_date_field("When it was published, in the site's time zone.", *_ALL, nullable=True)),
    ("date_gmt", "", _build_date_field("When it was published, in GMT.", *_SHOWN, nullable=True)),
    ("guid", "", _GUID),
    ("id", "", Integer("Number of the record.", context=_ALL, readonly=True)),
    ("link", "", String("Address of the record's page.", format="uri", context=_ALL, readonly=True)),
    ("modified", "", _build_date_field("When it was last changed, in the site's time zone.", *_SHOWN, readonly=True)),
    ("modified_gmt", "", _build_date_field("When it was last changed, in GMT.", *_SHOWN, readonly=True)),
    ("slug", "", String("Name of the record in addresses, unique in its type.", context=_ALL)),
    (
        "status",
        "",
        String(
            "Named status of the record.",
            enum=record_statuses.WRITABLE_STATUSES,
            context=_SHOWN,
            values=record_statuses.STORED_STATUSES,
        ),
    ),
    ("type", "", String("Type of the record.", context=_ALL, readonly=True)),
    ("password", "", String("Password that protects content and excerpt.", context=(EDIT,))),
    ("permalink_template", "", _build_rendered_field("Address with a placeholder for the name.", EDIT)),
    ("generated_slug", "", _build_rendered_field("Slug that the title would give.", EDIT)),
    ("class_list", "", Array("Class names of its container.", items=String(), context=_SHOWN, readonly=True)),
    ("parent", "page-attributes", Integer("Number of the record above.", context=_SHOWN)),
    ("title", "title", _TITLE),
    ("content", "editor", _CONTENT),
    ("author", "author", Integer("Number of the user who wrote it.", context=_ALL)),
    ("excerpt", "excerpt", _EXCERPT),
    ("featured_media", "thumbnail", Integer("Number of the image that stands for it.", context=_ALL)),
    ("comment_status", "comments", String("Whether comments are open.", enum=_OPEN_STATUSES, context=_SHOWN)),
    ("ping_status", "comments", String("Whether pings are open.", enum=_OPEN_STATUSES, context=_SHOWN)),
    ("menu_order", "page-attributes", Integer("Place among its siblings.", context=_SHOWN)),
    ("format", "post-formats", String("Format of the record.", enum=POST_FORMATS, context=_SHOWN)),
    ("meta", "custom-fields", Object("Registered extra fields.", context=_SHOWN)),
    ("sticky", "sticky", Boolean("Whether it stays in front of the others.", context=_SHOWN)),
    ("template", "", String("Theme file that shows it.", context=_SHOWN)),
    ("cms_pattern_sync_status", "sync-status", _build_rendered_field("How its copies follow it.", *_ALL)),
)


def build_record_fields(site: SiteContext, type: ContentType) -> dict[str, Field]:
    """Return the members of a record of a type, with the contexts in which each is shown."""
    out = {name: field for name, feature, field in _MEMBERS if not feature or type.has(feature)}
    if not type.public:
        out = {name: field for name, field in out.items() if name not in _PUBLIC_ONLY}
    # What tells records of several types apart.
    out["type"] = out["type"].replace(values=(type.name,))
    own = site.custom_fields.get(type.name)
    if "meta" in out or own:
        # Types that show no registered fields have `meta` for those of the site.
        registered = record_meta.build_meta_fields(site, type)
        out["meta"] = Object("Registered extra fields.", context=_SHOWN, properties=registered)
        out = custom_field_schema.add_field_members(site, type.name, out)
    _adjust_text_fields(type, out)
    for taxonomy in site.taxonomies_of(type):
        help = f"Numbers of its terms in the taxonomy {taxonomy.name}."
        out[taxonomy.base] = Array(help, items=Integer(), context=_SHOWN)
    if site.profile.seo and has_seo(type):
        out["seo"] = SEO_FIELD
    return out | language_schema.build_language_fields(site.profile.languages)


def has_seo(type: ContentType) -> bool:
    """Return whether search engines are told of the records of a type."""
    return type.public and type.room == "records"


def _adjust_text_fields(type: ContentType, out: dict[str, Field]) -> None:
    """Set in which contexts title and content are shown raw, and whether rendered too."""
    if type.raw_in == (EDIT,) and type.rendered:
        return
    embeds = EMBED in type.raw_in
    for name in ("title", "content"):
        whole = out[name]
        assert isinstance(whole, Object)
        members = {key: member for key, member in whole.properties.items() if key != "rendered" or type.rendered}
        members["raw"] = members["raw"].replace(context=type.raw_in)
        if embeds:
            members = {
                key: member.replace(context=(*dict.fromkeys((*member.context, EMBED)),))
                for key, member in members.items()
            }
        out[name] = whole.replace(properties=members, context=_ALL if embeds else whole.context)
    if embeds:
        out["status"] = out["status"].replace(context=_ALL)


def build_write_arguments(site: SiteContext, type: ContentType, fields: Mapping[str, Field]) -> dict[str, Field]:
    """Return the arguments that write a record; its current status and template are always valid.

    fields: the members of the record.
    """
    out: dict[str, Field] = {}
    for name, field in fields.items():
        if field.readonly:
            continue
        field = field.replace(context=(), early=True)
        if name in ("title", "content", "excerpt") or name in type.texts.values():
            field = field.replace(lenient=True, null="keep")
        elif name in _KEPT_BY_NULL:
            field = field.replace(null="keep")
        elif name in ("date", "date_gmt"):
            field = field.replace(null="null")
        if name == "status":
            field = field.replace(check=_make_status_check(type), alone=True)
        elif name == "template":
            field = field.replace(check=_make_template_check(type))
        elif name in ("meta", "ext"):
            field = field.replace(check=custom_field_schema.check_object, lenient=True)
        out[name] = field
    if has_seo(type):
        out["seo"] = build_seo_argument(declared="seo" in out)
    if type.room == "records" and "meta" not in out:
        # Written and stored, though responses of these types do not show it.
        words = Object(
            "Registered extra fields.", properties=record_meta.build_meta_fields(site, type), early=True, null="keep"
        )
        out["meta"] = words.replace(check=custom_field_schema.check_object, lenient=True)
    return out


def build_item_arguments(type: ContentType) -> dict[str, Field]:
    """Return the arguments that read one record."""
    out: dict[str, Field] = {
        "id": Integer("Number of the record.", early=True, null="keep"),
        "context": build_context_argument(),
    }
    if type.has("excerpt"):
        out["excerpt_length"] = EXCERPT_LENGTH
    if type.has("editor") or type.has("title"):
        out["password"] = String("Password of a protected record.", null="keep")
    if has_previews(type):
        out |= build_token_argument()
    return out


def build_delete_arguments() -> dict[str, Field]:
    """Return the arguments that delete a record."""
    return {"id": Integer("Number of the record.", early=True, null="keep"), "force": build_force_argument()}


# -- rules that need more than the schema


def _make_status_check(type: ContentType) -> Any:
    field = String(enum=record_statuses.WRITABLE_STATUSES)

    def check(value: Any, name: str, context: ValidationContext) -> Fault | None:
        found = field.fault(value, name)
        if found is None or not isinstance(value, str):
            return found
        return None if value == _get_stored_member(context, "status") else found

    return check


def _make_template_check(type: ContentType) -> Any:
    def check(value: Any, name: str, context: ValidationContext) -> Fault | None:
        if value == "" or value == _get_stored_member(context, "template"):
            return None
        if type.public and value in (context.query_store(lambda work: work.site.list_templates(work, type)) or ()):
            return None
        return Fault("rest_invalid_param", f"{value!r} is no template that the theme offers for this type.")

    return check


def _get_stored_member(context: ValidationContext, member: str) -> Any:
    """Return the stored value of a member of the addressed record, None when there is no record."""
    id = Integer().clean(context.raw.get("id", 0)) if "id" in context.raw else None
    if not id:
        return None

    def read_member(work: UnitOfWork) -> Any:
        found = record_model.find_record(work.tx, id)
        return getattr(found, member) if found else None

    return context.query_store(read_member)
