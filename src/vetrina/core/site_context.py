"""A site while it runs: its profile and settings, and what it keeps open; handed to everything, changed by nothing.

One transaction of it is a unit of work (core/unit_of_work.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from vetrina.backends.change_log_follower import ChangeLogFollower
from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.backends.file_store import FileStore, NullFileStore
from vetrina.backends.filter_cache import FilterCache
from vetrina.backends.fragment_cache import FragmentCache
from vetrina.backends.http_client import OutboundClient
from vetrina.core.hit_counter import HitCounter
from vetrina.core.option_memory import OptionMemory
from vetrina.core.roles import SiteRoles
from vetrina.core.user import User
from vetrina.kernel.frozen import freeze
from vetrina.kernel.render_budget import RenderBudget
from vetrina.kernel.times import Clock, SystemClock, TimeZone
from vetrina.rest.call import Request, Response
from vetrina.settings import Profile, Settings

if TYPE_CHECKING:
    from vetrina.content.blocks.block_context import BlockRenderFunction
    from vetrina.content.custom_fields.model import CustomField
    from vetrina.content.records.model import Record
    from vetrina.content.types.model import ContentType, Taxonomy
    from vetrina.core.module import Module
    from vetrina.core.unit_of_work import UnitOfWork
    from vetrina.media.attachments.store import MediaFile
    from vetrina.system.site_profile.outline import ProfileOutlines


RouteReader = Callable[["SiteContext", Request, User], Response]
RecordSerializer = Callable[["UnitOfWork", str], "SerializedRecord | None"]
AttachmentHook = Callable[["UnitOfWork", "ContentType", "Record", "MediaFile"], None]


class SiteTexts(Protocol):
    """Translations of the site's own texts into other languages (multilingual/strings/site_texts.py is one)."""

    def is_translatable_option(self, work: UnitOfWork, name: str) -> bool:
        """Return whether an option's texts are translated wherever it is read."""

    def translate_option(self, work: UnitOfWork, name: str, value: Any) -> Any:
        """Return an option's value in the language of the unit of work."""

    def translate_person(self, work: UnitOfWork, id: int, member: str, value: str) -> str:
        """Return an account's name or description in the language of the unit of work."""

    def translate_type_slug(self, work: UnitOfWork, type: str, language: str) -> str:
        """Return the slug of a content type in URLs of a language."""


class VisitorGate(Protocol):
    """Hides a part of the site from visitors until it opens (shop/admin/gate_permissions.py is one).

    cookie: the name of the cookie that lets a visitor in.
    """

    cookie: str

    def list_hidden_types(self, work: UnitOfWork, user: User, request: Request) -> frozenset[str]:
        """Return the types and taxonomies that are hidden from a caller."""


@dataclass(frozen=True)
class SerializedRecord:
    """A record as responses have it. space: first segment of its namespace, in the dialect that was asked for."""

    content: bytes
    space: str


def _list_no_templates(work: UnitOfWork, type: ContentType) -> Sequence[str]:
    return ()


@dataclass(frozen=True, eq=False)
class SiteContext:
    """What a site is while it runs; built once, at startup (system/context_factory.py).

    outbound: asks other servers. files: keeps what is uploaded. decoding: the memory for images that are decoded.
    blocks: what makes the blocks that show something of the site, by their names. list_templates: the names of the
    templates that a record of a type may choose.
    custom_fields: the profile's own fields, by the name of the content type, taxonomy or options page that has them;
    those of users by `user`.
    filter_cache: what the filters of lists found, known from one request to the next. hits: how often redirects were
    followed, not yet written. option_memory: the options that this process knows.
    folder: of the site. modules: those that its profile names.
    roles: those that its profile has, and what modules add to administrators. account_members: members of accounts that
    only some modules ask for.
    texts: what readers of another language see of the site's own texts. gate: what hides a part of the site until it
    opens. on_attachment: called when a file was stored as an attachment.
    serialize_record: (unit of work, path of a route) -> the record as the interface shows it, None where it may not be
    seen; the user and root of the unit of work count. For modules that do not know the routes.
    read_route: (site, request, caller) -> the answer to a GET, in a transaction of its own; None where nothing has the
    routes.
    profiles: says what a profile makes of this site; None where the site was not opened to be served.

    Nothing of it can be changed, however deep it lies, but for what has a state by nature: clock, outbound, files,
    decoding, hits, filter_cache, option_memory, change_log and fragments (tests/units/test_site_context.py).
    """

    profile: Profile
    settings: Settings
    zone: TimeZone
    clock: Clock
    types: Mapping[str, ContentType]
    taxonomies: Mapping[str, Taxonomy]
    custom_fields: Mapping[str, tuple[CustomField, ...]] = field(default_factory=dict)
    outbound: OutboundClient = field(default_factory=OutboundClient)
    files: FileStore = field(default_factory=NullFileStore)
    decoding: DecodingMemory = field(default_factory=DecodingMemory)
    blocks: Mapping[str, BlockRenderFunction] = field(default_factory=dict)
    list_templates: Callable[[UnitOfWork, ContentType], Sequence[str]] = _list_no_templates
    filter_cache: FilterCache = field(default_factory=FilterCache)
    hits: HitCounter = field(default_factory=HitCounter)
    option_memory: OptionMemory = field(default_factory=OptionMemory)
    change_log: ChangeLogFollower = field(default_factory=ChangeLogFollower)
    fragments: FragmentCache[Any] = field(default_factory=FragmentCache)
    folder: Path = Path()
    modules: tuple[Module, ...] = ()
    roles: SiteRoles = field(default_factory=SiteRoles)
    account_members: frozenset[str] = frozenset()
    texts: SiteTexts | None = None
    gate: VisitorGate | None = None
    on_attachment: tuple[AttachmentHook, ...] = ()
    serialize_record: RecordSerializer | None = None
    read_route: RouteReader | None = None
    profiles: ProfileOutlines | None = None

    def __post_init__(self) -> None:
        for name in ("types", "taxonomies", "blocks", "custom_fields"):
            object.__setattr__(self, name, freeze(getattr(self, name)))

    def outline(self) -> SiteContext:
        """Return what the routes of a site are declared from: its profile, and nothing that differs between runs."""
        return replace(
            self, settings=Settings(), clock=SystemClock(), outbound=OutboundClient(), files=NullFileStore(),
            decoding=DecodingMemory(), list_templates=_list_no_templates, filter_cache=FilterCache(), hits=HitCounter(),
            option_memory=OptionMemory(), change_log=ChangeLogFollower(), fragments=FragmentCache(),
            folder=Path(), gate=None, serialize_record=None, read_route=None, profiles=None,
        )  # fmt: skip

    @property
    def origin(self) -> str:
        """Address of the site outside of requests."""
        settings = self.settings
        port = f":{settings.port}" if settings.port != 80 else ""
        return settings.url.rstrip("/") or f"http://{settings.host}{port}"

    def budget(self, request: Request | None = None) -> RenderBudget:
        """Return what may be rendered for a request, or for a unit of work without one."""
        limits = self.profile.limits
        if request is None:
            return RenderBudget(limits.rendered_blocks, limits.rendered_characters)
        of = request.method, request.path
        return RenderBudget(limits.rendered_blocks, limits.rendered_characters, request.inline, of)

    def taxonomies_of(self, type: ContentType) -> Sequence[Taxonomy]:
        """Return the taxonomies of a content type, in the order of its responses."""
        return tuple(self.taxonomies[name] for name in type.taxonomies)
