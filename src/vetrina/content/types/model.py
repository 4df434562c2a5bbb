"""What a content type and a taxonomy are.

A type is data: its routes, arguments and responses follow from what it supports. No other module gives a type behaviour
by its name. Not here: which types there are (content/types/registry.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from vetrina.kernel.frozen import freeze

# The format of a post; the first is the default.
POST_FORMATS = ("standard", "aside", "chat", "gallery", "link", "image", "quote", "status", "video", "audio")

# Capabilities on records, by their names for posts.
GENERAL_CAPABILITIES = (
    "read", "create_posts", "edit_posts", "edit_others_posts", "edit_published_posts", "edit_private_posts",
    "publish_posts", "read_private_posts", "delete_posts", "delete_others_posts", "delete_published_posts",
    "delete_private_posts",
)  # fmt: skip


@dataclass(frozen=True)
class ContentType:
    """A content type.

    supports: title, editor, excerpt, author, thumbnail, comments, revisions, post-formats, page-attributes, sticky,
    custom-fields, trackbacks, notes.
    capability: plural word in its capabilities, as in `edit_posts` (that of posts for types of a profile).
    capability_of_one: the singular word, as in `edit_post`.
    capability_names: names of capabilities in the type's own response, where they differ.
    rights: capabilities that are not formed from these two words, by general name (`create_posts`: `upload_files`).
    public: whether its records have a public page and everybody may list them.
    icon: the name of its icon in an editor's menu; None for the default.
    in_menus: whether a menu item may point to its records.
    in_editor: whether an editor's interface has a list of its records.
    unlisted: features that it supports without naming them in its own response.
    address: how its permalinks are built: `dated` (year, month, day, slug), `tree` (the slugs of its ancestors),
    `named`, `attached` (below the record that it belongs to, or at the root).
    texts: other names of content and excerpt in requests and responses.
    trash: whether its records can be trashed.
    statuses: those that the filters of its list know; empty for all. listed_status: the default of the list.
    wording, labels: the two names that its labels are made from, if not its own, and labels that are not made so.
    room: which routes serve it: `records`, or those of another subject (media, menu items, templates …).
    raw_in: the contexts that show title and content as they are stored.
    rendered: whether title and content are also shown as HTML.
    described: whether the `types` routes list it.
    admits_comment: returns whether the caller may comment on a record, in addition to the usual rights; None for the
    usual rights only.
    names_author: whether a public record reveals its author to readers.
    orders: further orders of its lists, each with the column that it sorts by.
    left_out: returns the condition of records that the lists of readers leave out, though each can be read by id; None
    for none.
    has_archive: whether a public page lists its records; the last part of its address, if not the type's name.
    caps: the type's own name of each general capability.
    """

    name: str
    base: str
    label: str
    singular: str
    supports: frozenset[str]
    description: str = ""
    taxonomies: tuple[str, ...] = ()
    hierarchical: bool = False
    has_archive: bool | str = False
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
    admits_comment: Callable[..., bool] | None = None
    names_author: bool = True
    orders: Mapping[str, Any] = field(default_factory=dict, hash=False, compare=False)
    left_out: Callable[[], Any] | None = field(default=None, hash=False, compare=False)
    caps: Mapping[str, str] = field(init=False, hash=False, repr=False, compare=False)
    features: frozenset[str] = field(init=False, hash=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", frozenset(self.supports) | self.unlisted)
        object.__setattr__(self, "caps", {general: self.right(general) for general in GENERAL_CAPABILITIES})
        for name in ("capability_names", "rights", "texts", "labels", "orders", "caps"):
            object.__setattr__(self, name, freeze(getattr(self, name)))

    @property
    def archive(self) -> str:
        """The last part of the address of the page that lists its records, empty where there is none."""
        return self.has_archive if isinstance(self.has_archive, str) else self.name if self.has_archive else ""

    def has(self, feature: str) -> bool:
        """Return whether the type supports a feature."""
        return feature in self.features

    def right(self, general: str) -> str:
        """Return the type's own name of a capability; general: its name for posts, as `edit_others_posts`."""
        verb, _, noun = general.rpartition("_")
        if general in self.rights:
            return self.rights[general]
        if noun not in ("post", "posts"):
            return self.rights.get(general, general)
        own = self.capability_of_one if noun == "post" else self.capability
        return self.rights.get(general, f"{'edit' if verb == 'create' else verb}_{own}")

    @property
    def is_searched(self) -> bool:
        """Return whether a search of the site finds its records: they have pages of their own and are not files."""
        return self.public and self.described and self.address != "attached"

    @property
    def path(self) -> str:
        """Return the path of its collection."""
        return f"/cms/v2/{self.base}"


@dataclass(frozen=True)
class Taxonomy:
    """A way to group records.

    base: the last part of its route and the member of records that holds the ids of their terms.
    manage, edit, delete, assign: the capabilities that these need.
    capability_names: the names of the four in the taxonomy's own response, where they differ.
    directory: the first part of a term's public URL; empty for terms without a page.
    in_record_lists: whether an editor's list of records has a column for its terms.
    room: which routes serve it: `terms`, or those of another subject (menus).
    described: whether the `taxonomies` routes list it.
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
