"""What a content type and a taxonomy are; the built-in ones, and those that a profile declares.

A type is data: its routes, arguments and answers follow from what it supports. No other module names a type to give it
behaviour of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from vetrina.settings import Profile

__all__ = [
    "ATTACHMENT",
    "BLOCK",
    "CATEGORY",
    "FONT_FACE",
    "FONT_FAMILY",
    "FORMATS",
    "GLOBAL_STYLES",
    "MENU",
    "MENU_ITEM",
    "NAVIGATION",
    "PAGE",
    "PATTERN_CATEGORY",
    "POST",
    "POST_TAG",
    "TEMPLATE",
    "TEMPLATE_PART",
    "ContentType",
    "Taxonomy",
    "taxonomies_of_profile",
    "types_of_profile",
]

# What a post may be of; the first is the one of those that say nothing.
FORMATS = ("standard", "aside", "chat", "gallery", "link", "image", "quote", "status", "video", "audio")

_GENERAL = (
    "read", "create_posts", "edit_posts", "edit_others_posts", "edit_published_posts", "edit_private_posts",
    "publish_posts", "read_private_posts", "delete_posts", "delete_others_posts", "delete_published_posts",
    "delete_private_posts",
)  # fmt: skip


@dataclass(frozen=True)
class ContentType:
    """A kind of record.

    supports: title, editor, excerpt, author, thumbnail, comments, revisions, post-formats, page-attributes, sticky,
    custom-fields, trackbacks, notes.
    capability: whose rights count, as in `edit_posts` (a post's for types of a profile).
    capability_of_one: the word for one, as in `edit_post`.
    capability_names: what capabilities are called in the type's own answer, where that is not their name.
    rights: capabilities that are called otherwise than these two words make them, by their general name
    (`create_posts`: `upload_files`).
    public: whether its records have a public page and may be listed by everybody.
    icon: the name of its sign in an editor's menu; None for the usual one.
    in_menus: whether an item of a navigation menu may point to its records.
    in_editor: whether an editor's interface lists its records by itself.
    unlisted: what it supports without saying so in its own answer.
    address: how its records are addressed: `dated` (year, month, day, slug), `tree` (the slugs above it), `named`,
    `attached` (beneath the record that they belong to, or at the root).
    texts: what its content and its excerpt are called where they are written and shown, when not so.
    trash: whether its records may wait in the trash.
    statuses: those that filters of its list know; empty for all. listed_status: the one that a list shows.
    wording, labels: the two names that its labels are made of, when not its own, and labels that are not made so.
    room: who has its routes: `records`, or a room of its own (media, menu items, templates …).
    raw_in: the contexts that show title and content as they are stored.
    rendered: whether title and content are shown as HTML too.
    described: whether the content interface tells of it.
    caps: what each general capability is called for this type.
    """

    name: str
    base: str
    label: str
    singular: str
    supports: frozenset[str]
    description: str = ""
    taxonomies: tuple[str, ...] = ()
    hierarchical: bool = False
    capability: str = "posts"
    batch: bool = True
    autosaves: bool = True
    public: bool = True
    comments: str = "closed"
    needs_text: bool = False
    capability_of_one: str = "post"
    capability_names: Mapping[str, str] = field(default_factory=dict, hash=False)
    rights: Mapping[str, str] = field(default_factory=dict, hash=False)
    icon: str | None = None
    in_menus: bool = True
    in_editor: bool = True
    room: str = "records"
    address: str = "named"
    raw_in: tuple[str, ...] = ("edit",)
    rendered: bool = True
    unlisted: frozenset[str] = frozenset()
    texts: Mapping[str, str] = field(default_factory=dict, hash=False)
    trash: bool = True
    statuses: tuple[str, ...] = ()
    listed_status: str = "publish"
    wording: tuple[str, str] | None = None
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)
    described: bool = True
    caps: Mapping[str, str] = field(init=False, hash=False, repr=False, compare=False)
    features: frozenset[str] = field(init=False, hash=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", frozenset(self.supports) | self.unlisted)
        object.__setattr__(self, "caps", {general: self.right(general) for general in _GENERAL})

    def has(self, feature: str) -> bool:
        """Say whether the type supports a feature."""
        return feature in self.features

    def right(self, general: str) -> str:
        """Return what a capability is called for this type; general: what it is for posts, as `edit_others_posts`."""
        verb, _, noun = general.rpartition("_")
        if general in self.rights:
            return self.rights[general]
        if noun not in ("post", "posts"):
            return self.rights.get(general, general)
        own = self.capability_of_one if noun == "post" else self.capability
        return self.rights.get(general, f"{'edit' if verb == 'create' else verb}_{own}")

    @property
    def path(self) -> str:
        """Return the path of its collection."""
        return f"/cms/v2/{self.base}"


@dataclass(frozen=True)
class Taxonomy:
    """A way to group records.

    base: the last part of its route and the member of records that holds its terms' numbers.
    manage, edit, delete, assign: the capabilities that these need.
    capability_names: what the four are called in the taxonomy's own answer, where that is not their name.
    directory: the first part of a term's public address; empty for terms that have no page of their own.
    in_record_lists: whether an editor's list of records has a column for its terms.
    room: who has its routes: `terms`, or a room of its own (menus).
    described: whether the content interface tells of it.
    """

    name: str
    base: str
    label: str
    singular: str
    types: tuple[str, ...]
    description: str = ""
    hierarchical: bool = False
    manage: str = "manage_categories"
    edit: str = "manage_categories"
    delete: str = "manage_categories"
    assign: str = "edit_posts"
    directory: str = ""
    nested_address: bool = False
    default_option: str = ""
    capability_names: tuple[str, str, str, str] | None = None
    in_record_lists: bool = False
    room: str = "terms"
    described: bool = True

    @property
    def path(self) -> str:
        """Return the path of its collection."""
        return f"/cms/v2/{self.base}"


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
    rights={general: "edit_theme_options" for general in _GENERAL if general != "read"},
    in_menus=False,
    address="dated",
    raw_in=("edit", "embed"),
)

_BY_THEME_OPTIONS = dict.fromkeys(_GENERAL, "edit_theme_options")

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

# What is not named here is the right to posts: editors are told that they may publish, and may not write.
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
    rights={general: "edit_theme_options" for general in _GENERAL if general != "read"},
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

# Those who may write posts may make tags; only editors change and remove them.
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


def types_of_profile(profile: Profile) -> dict[str, ContentType]:
    """Return the content types of a deployment by name: the built-in ones, then its own."""
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
            batch=own.batch,
            autosaves=own.autosaves,
        )
    return out


def taxonomies_of_profile(profile: Profile) -> dict[str, Taxonomy]:
    """Return the taxonomies of a deployment by name: the built-in ones, then its own."""
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
