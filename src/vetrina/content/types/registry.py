"""The content types and taxonomies of a site: the built-in ones, and those that its profile declares.

A new built-in type is one more value here. Not here: the fields of a type (content/types/model.py). Rules:
docs/rules/blocks.md, 1 and 6; docs/rules/custom_types.md, 1.
"""

from __future__ import annotations

from dataclasses import replace

from vetrina.content.types.model import GENERAL_CAPABILITIES, ContentType, Taxonomy
from vetrina.settings import Profile

POST = ContentType(
    name="post",
    base="posts",
    label="Posts",
    singular="Post",
    supports=frozenset(
        {
            "title", "editor", "excerpt", "author", "thumbnail", "comments", "revisions", "post-formats", "sticky",
            "custom-fields", "trackbacks", "notes",
        }
    ),
    taxonomies=("category", "post_tag"),
    comments="open",
    needs_text=True,
    address="dated",
    icon="dashicons-admin-post",
)  # fmt: skip

PAGE = ContentType(
    name="page",
    base="pages",
    label="Pages",
    singular="Page",
    supports=frozenset(
        {
            "title", "editor", "excerpt", "author", "thumbnail", "comments", "revisions", "page-attributes",
            "custom-fields", "notes",
        }
    ),
    hierarchical=True,
    capability="pages",
    capability_of_one="page",
    address="tree",
    icon="dashicons-admin-page",
)  # fmt: skip

ATTACHMENT = ContentType(
    name="attachment",
    base="media",
    label="Media",
    singular="Media",
    supports=frozenset({"title", "author", "comments"}),
    unlisted=frozenset({"custom-fields", "thumbnail"}),
    rights={"create_posts": "upload_files"},
    comments="open",
    batch=False,
    autosaves=False,
    in_menus=False,
    icon="dashicons-admin-media",
    room="media",
    address="attached",
    texts={"content": "description", "excerpt": "caption"},
    trash=False,
    statuses=("inherit", "private", "trash"),
    listed_status="inherit",
    wording=("Posts", "Post"),
    labels={
        "name": "Media", "singular_name": "Media", "add_new": "Add Media File", "add_new_item": "Add Media File",
        "edit_item": "Edit Media", "view_item": "View Media File", "all_items": "Media", "archives": "Media",
        "attributes": "Attachment Attributes", "menu_name": "Media", "name_admin_bar": "Media",
        "template_name": "Single item: Media",
    },
)  # fmt: skip

BLOCK = ContentType(
    name="cms_block",
    base="blocks",
    label="Patterns",
    singular="Pattern",
    supports=frozenset({"title", "editor", "excerpt", "revisions", "custom-fields", "sync-status"}),
    taxonomies=("cms_pattern_category",),
    needs_text=True,
    public=False,
    rights={
        "read": "edit_posts", "create_posts": "publish_posts", "edit_posts": "edit_posts",
        "edit_published_posts": "edit_published_posts", "edit_others_posts": "edit_others_posts",
        "delete_published_posts": "delete_published_posts", "delete_others_posts": "delete_others_posts",
    },
    capability="posts",
    capability_names={
        "edit_post": "edit_block", "read_post": "read_block", "delete_post": "delete_block",
        "publish_posts": "publish_blocks", "read_private_posts": "read_private_blocks",
        "delete_private_posts": "delete_private_blocks", "edit_private_posts": "edit_private_blocks",
    },
    in_menus=False,
    address="dated",
    raw_in=("view", "edit"),
    rendered=False,
)  # fmt: skip

NAVIGATION = ContentType(
    name="cms_navigation",
    base="navigation",
    label="Navigation Menus",
    singular="Navigation Menu",
    description="Navigation menus that can be inserted into your site.",
    supports=frozenset({"title", "editor", "revisions"}),
    public=False,
    rights={general: "edit_theme_options" for general in GENERAL_CAPABILITIES if general != "read"},
    in_menus=False,
    address="dated",
    raw_in=("edit", "embed"),
)

_BY_THEME_OPTIONS = dict.fromkeys(GENERAL_CAPABILITIES, "edit_theme_options")

TEMPLATE = ContentType(
    name="cms_template",
    base="templates",
    label="Templates",
    singular="Template",
    description="Templates that show the records of the site.",
    supports=frozenset({"title", "slug", "excerpt", "editor", "revisions", "author"}),
    public=False,
    needs_text=True,
    rights=_BY_THEME_OPTIONS,
    in_menus=False,
    in_editor=False,
    room="templates",
)

TEMPLATE_PART = replace(
    TEMPLATE,
    name="cms_template_part",
    base="template-parts",
    label="Template Parts",
    singular="Template Part",
    description="Parts that several templates share.",
)

# Capabilities that are not named here are those of posts: editors see that they may publish, and may not write.
GLOBAL_STYLES = ContentType(
    name="cms_global_styles",
    base="global-styles",
    label="Global Styles",
    singular="Global Styles",
    description="Styles of the site over those of its theme.",
    supports=frozenset({"title", "editor", "revisions"}),
    autosaves=False,
    public=False,
    rights={
        "read": "edit_posts", "create_posts": "edit_theme_options", "edit_posts": "edit_theme_options",
        "edit_published_posts": "edit_theme_options", "edit_others_posts": "edit_theme_options",
        "delete_published_posts": "edit_theme_options", "delete_others_posts": "edit_theme_options",
    },
    in_menus=False,
    in_editor=False,
    room="styles",
    trash=False,
)  # fmt: skip

FONT_FAMILY = ContentType(
    name="cms_font_family",
    base="font-families",
    label="Font Families",
    singular="Font Family",
    supports=frozenset({"title"}),
    autosaves=False,
    public=False,
    rights={
        general: right
        for general, right in _BY_THEME_OPTIONS.items()
        if general not in ("edit_private_posts", "delete_private_posts")
    },
    in_menus=False,
    in_editor=False,
    room="fonts",
    trash=False,
)

FONT_FACE = replace(
    FONT_FAMILY,
    name="cms_font_face",
    base=r"font-families/(?P<font_family_id>[\d]+)/font-faces",
    label="Font Faces",
    singular="Font Face",
)

MENU_ITEM = ContentType(
    name="nav_menu_item",
    base="menu-items",
    label="Navigation Menu Items",
    singular="Navigation Menu Item",
    supports=frozenset({"title", "editor"}),
    taxonomies=("nav_menu",),
    public=False,
    rights={general: "edit_theme_options" for general in GENERAL_CAPABILITIES if general != "read"},
    in_menus=False,
    in_editor=False,
    address="dated",
    room="menu-items",
)

CATEGORY = Taxonomy(
    name="category",
    base="categories",
    label="Categories",
    singular="Category",
    types=("post",),
    hierarchical=True,
    directory="category",
    nested_address=True,
    default_option="default_category",
    capability_names=("manage_categories", "edit_categories", "delete_categories", "assign_categories"),
    in_record_lists=True,
)

# Everybody who may write posts may create tags; only editors change and remove them.
POST_TAG = Taxonomy(
    name="post_tag",
    base="tags",
    label="Tags",
    singular="Tag",
    types=("post",),
    directory="tag",
    capability_names=("manage_post_tags", "edit_post_tags", "delete_post_tags", "assign_post_tags"),
    in_record_lists=True,
)


MENU = Taxonomy(
    name="nav_menu",
    base="menus",
    label="Navigation Menus",
    singular="Navigation Menu",
    types=("nav_menu_item",),
    manage="edit_theme_options",
    edit="edit_theme_options",
    delete="edit_theme_options",
    assign="edit_theme_options",
    room="menus",
)

PATTERN_CATEGORY = Taxonomy(
    name="cms_pattern_category",
    base="cms_pattern_category",
    label="Pattern Categories",
    singular="Pattern Category",
    types=("cms_block",),
)


_BUILT_IN = (
    POST, PAGE, ATTACHMENT, MENU_ITEM, BLOCK, TEMPLATE, TEMPLATE_PART, GLOBAL_STYLES, NAVIGATION, FONT_FAMILY,
    FONT_FACE,
)  # fmt: skip


def build_profile_types(profile: Profile) -> dict[str, ContentType]:
    """Return the content types of a profile by name: the built-in ones, then its own."""
    out = {type.name: type for type in _BUILT_IN}
    for name, own in profile.types.items():
        supports = {*own.supports, "custom-fields", *(("revisions",) if own.revisions else ())}
        out[name] = ContentType(
            name=name,
            base=own.base or name,
            label=own.label,
            singular=own.singular or own.label,
            description=own.description,
            supports=frozenset(supports),
            taxonomies=own.taxonomies,
            hierarchical=own.hierarchical,
            has_archive=own.has_archive,
            batch=own.batch,
            autosaves=own.autosaves,
        )
    return out


def build_profile_taxonomies(profile: Profile) -> dict[str, Taxonomy]:
    """Return the taxonomies of a profile by name: the built-in ones, then its own."""
    out = {taxonomy.name: taxonomy for taxonomy in (CATEGORY, POST_TAG, MENU, PATTERN_CATEGORY)}
    for name, own in profile.taxonomies.items():
        out[name] = Taxonomy(
            name=name,
            base=own.base or name,
            label=own.label,
            singular=own.singular or own.label,
            description=own.description,
            types=own.types,
            hierarchical=own.hierarchical,
            directory=name,
        )
    return out
