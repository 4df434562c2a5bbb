"""What a content type and a taxonomy are.

A type is data: its routes, arguments and answers follow from what it supports. No other module names a type to give it
behaviour of its own. Not here: which there are (content/types/registry.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["FORMATS", "GENERAL", "ContentType", "Taxonomy"]

# What a post may be of; the first is the one of those that say nothing.
FORMATS = ("standard", "aside", "chat", "gallery", "link", "image", "quote", "status", "video", "audio")

# What may be done with records, by the names that it has for posts.
GENERAL = (
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
    admits_comment: says whether the caller of a work may comment on a record, beside the usual rights; None for those
    alone.
    names_author: whether a public record makes its author known to readers.
    orders: further orders of its lists, each with the column that it sorts by.
    left_out: returns the condition of records that lists for readers leave out, though each is there for who names it;
    None where there are none.
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
    admits_comment: Callable[..., bool] | None = None
    names_author: bool = True
    orders: Mapping[str, Any] = field(default_factory=dict, hash=False, compare=False)
    left_out: Callable[[], Any] | None = field(default=None, hash=False, compare=False)
    caps: Mapping[str, str] = field(init=False, hash=False, repr=False, compare=False)
    features: frozenset[str] = field(init=False, hash=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", frozenset(self.supports) | self.unlisted)
        object.__setattr__(self, "caps", {general: self.right(general) for general in GENERAL})

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
    def searched(self) -> bool:
        """Say whether a search of the whole site finds its records: they have pages of their own and are no files."""
        return self.public and self.described and self.address != "attached"

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
