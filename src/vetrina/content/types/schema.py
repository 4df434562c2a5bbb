"""Schemas of a content type, a status and a taxonomy: members, contexts, and where each value comes from.

Not here: who may see them (content/types/routes.py). Rules: docs/rules/types.md, 1, 3 and 4.
"""

from __future__ import annotations

from typing import Any

from vetrina.content.types import labels_schema as type_labels_schema
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.rest.fields import EDIT, EMBED, VIEW, AnyOf, Array, Boolean, Object, String
from vetrina.rest.serializer import Serializer

NAMESPACE = "cms/v2"

_ALL = (VIEW, EDIT, EMBED)
_FULL = (VIEW, EDIT)
_RIGHTS = (
    "edit_post", "read_post", "delete_post", "edit_posts", "edit_others_posts", "delete_posts", "publish_posts",
    "read_private_posts", "read", "delete_private_posts", "delete_published_posts", "delete_others_posts",
    "edit_private_posts", "edit_published_posts", "create_posts",
)  # fmt: skip


_HIDDEN_FEATURES = frozenset({"sticky", "notes", "sync-status"})


def _build_supported_features(type: ContentType) -> dict[str, Any]:
    """Return the features of a type; the value of `editor` tells what else the editor can do."""
    out: dict[str, Any] = {name: True for name in sorted(type.supports) if name not in _HIDDEN_FEATURES}
    if type.has("editor") and type.has("notes"):
        out["editor"] = [{"notes": True}]
    if type.autosaves:
        out["autosave"] = True
    return out


TYPE_SERIALIZER = Serializer(
    {
        "capabilities": Object("Capabilities that its records need, by general name.", context=(EDIT,), readonly=True),
        "description": String("What its records are.", context=_FULL, readonly=True),
        "hierarchical": Boolean("Whether its records have parents.", context=_FULL, readonly=True),
        "has_archive": AnyOf("Whether its records have a common page, or the name of that page.",
                             (String(), Boolean()), context=_FULL, readonly=True),
        "visibility": Object(
            "Where an editor's interface shows it.",
            {"show_ui": Boolean("Whether it is shown at all."),
             "show_in_nav_menus": Boolean("Whether items of menus may point to its records.")},
            context=(EDIT,), readonly=True,
        ),
        "viewable": Boolean("Whether its records have public pages.", context=(EDIT,), readonly=True),
        "labels": Object("Names for an editor's interface.", context=(EDIT,), readonly=True),
        "name": String("Name as people read it.", context=_ALL, readonly=True),
        "slug": String("Name as machines read it.", context=_ALL, readonly=True),
        "icon": String("Name of its sign.", context=_ALL, readonly=True, nullable=True),
        "supports": Object("Features of its records.", context=(EDIT,), readonly=True),
        "taxonomies": Array("Taxonomies of its records.", String(), context=_FULL, readonly=True),
        "rest_base": String("Last part of its route.", context=_ALL, readonly=True),
        "rest_namespace": String("Namespace of its route.", context=_ALL, readonly=True),
        "template": Array("Blocks that a new record starts with.", context=_ALL, readonly=True),
        "template_lock": AnyOf("Whether these blocks are fixed.", (String(enum=("all", "insert", "contentOnly")),
                               Boolean()), context=_ALL, readonly=True),
    },
    {
        "capabilities": lambda type, view: {
            right: type.capability_names.get(right, type.right(right)) for right in _RIGHTS
        },
        "description": lambda type, view: type.description,
        "hierarchical": lambda type, view: type.hierarchical,
        "has_archive": lambda type, view: type.has_archive,
        "visibility": lambda type, view: {"show_in_nav_menus": type.in_menus, "show_ui": type.in_editor},
        "viewable": lambda type, view: type.public,
        "labels": lambda type, view: type_labels_schema.build_type_labels(type),
        "name": lambda type, view: type.label,
        "slug": lambda type, view: type.name,
        "icon": lambda type, view: type.icon,
        "supports": lambda type, view: _build_supported_features(type),
        "taxonomies": lambda type, work: [one.name for one in work.site.taxonomies_of(type) if one.described],
        "rest_base": lambda type, view: type.base,
        "rest_namespace": lambda type, view: NAMESPACE,
        "template": lambda type, view: [],
        "template_lock": lambda type, view: False,
    },
)  # fmt: skip


STATUS_SERIALIZER = Serializer(
    {
        "name": String("Name as people read it.", context=_ALL, readonly=True),
        "private": Boolean("Whether only some readers see its records.", context=(EDIT,), readonly=True),
        "protected": Boolean("Whether only editors see its records.", context=(EDIT,), readonly=True),
        "public": Boolean("Whether everybody sees its records.", context=_FULL, readonly=True),
        "queryable": Boolean("Whether everybody may ask for its records.", context=_FULL, readonly=True),
        "show_in_list": Boolean("Whether an editor's list of everything has it.", context=(EDIT,), readonly=True),
        "slug": String("Name as machines read it.", context=_ALL, readonly=True),
        "date_floating": Boolean("Whether the date moves until one is given.", context=_FULL, readonly=True),
    },
    {
        "name": lambda status, view: status.label,
        "private": lambda status, view: status.private,
        "protected": lambda status, view: status.protected,
        "public": lambda status, view: status.public,
        "queryable": lambda status, view: status.public,
        "show_in_list": lambda status, view: status.listed,
        "slug": lambda status, view: status.name,
        "date_floating": lambda status, view: status.date_floating,
    },
)


def _build_capability_names(taxonomy: Taxonomy) -> dict[str, str]:
    names = taxonomy.capability_names or (taxonomy.manage, taxonomy.edit, taxonomy.delete, taxonomy.assign)
    return dict(zip(("manage_terms", "edit_terms", "delete_terms", "assign_terms"), names, strict=True))


def _is_shown_in_editor(taxonomy: Taxonomy) -> bool:
    """Return whether an editor's interface lists the terms; a menu is no term that one gives to records."""
    return taxonomy.room != "menus"


def _build_visibility(taxonomy: Taxonomy) -> dict[str, bool]:
    public = bool(taxonomy.directory)
    return {
        "public": public,
        "publicly_queryable": public,
        "show_admin_column": taxonomy.in_record_lists,
        "show_in_nav_menus": public,
        "show_in_quick_edit": _is_shown_in_editor(taxonomy),
        "show_ui": _is_shown_in_editor(taxonomy),
    }


TAXONOMY_SERIALIZER = Serializer(
    {
        "name": String("Name as people read it.", context=_ALL, readonly=True),
        "slug": String("Name as machines read it.", context=_ALL, readonly=True),
        "capabilities": Object("Capabilities that its terms need.", context=(EDIT,), readonly=True),
        "description": String("What its terms are.", context=_FULL, readonly=True),
        "labels": Object("Names for an editor's interface.", context=(EDIT,), readonly=True),
        "types": Array("Types whose records have its terms.", String(), context=_FULL, readonly=True),
        "show_cloud": Boolean("Whether a cloud of its terms makes sense.", context=(EDIT,), readonly=True),
        "hierarchical": Boolean("Whether its terms have parents.", context=_FULL, readonly=True),
        "rest_base": String("Last part of the route of its terms.", context=_ALL, readonly=True),
        "rest_namespace": String("Namespace of that route.", context=_ALL, readonly=True),
        "visibility": Object(
            "Where it is shown.",
            {
                "public": Boolean("Whether its terms have public pages."),
                "publicly_queryable": Boolean("Whether everybody may ask for these pages."),
                "show_admin_column": Boolean("Whether an editor's list of records has a column for its terms."),
                "show_in_nav_menus": Boolean("Whether items of menus may point to its terms."),
                "show_in_quick_edit": Boolean("Whether its terms may be assigned in an editor's list."),
                "show_ui": Boolean("Whether an editor's interface shows it."),
            },
            context=(EDIT,),
            readonly=True,
        ),
    },
    {
        "name": lambda taxonomy, view: taxonomy.label,
        "slug": lambda taxonomy, view: taxonomy.name,
        "capabilities": lambda taxonomy, view: _build_capability_names(taxonomy),
        "description": lambda taxonomy, view: taxonomy.description,
        "labels": lambda taxonomy, view: type_labels_schema.build_taxonomy_labels(taxonomy),
        "types": lambda taxonomy, view: list(taxonomy.types),
        "show_cloud": lambda taxonomy, work: _is_shown_in_editor(taxonomy),
        "hierarchical": lambda taxonomy, view: taxonomy.hierarchical,
        "rest_base": lambda taxonomy, view: taxonomy.base,
        "rest_namespace": lambda taxonomy, view: NAMESPACE,
        "visibility": lambda taxonomy, view: _build_visibility(taxonomy),
    },
)
