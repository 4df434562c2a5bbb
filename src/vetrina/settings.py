"""The configuration of a site: its profile (what it is) and its settings (where and how it runs).

Values come from a TOML file, then from the environment (`VETRINA_NAME`), then from `--set KEY=VALUE`; the last wins.
Every key has its unit and one sentence. Unknown keys are refused: a typo must not pass for a default.
"""

from __future__ import annotations

import copy
import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from vetrina.account_settings import AccountSettings
from vetrina.image_settings import ImageSettings
from vetrina.kernel.frozen import freeze
from vetrina.kernel.struct_faults import Fault, find_struct_faults
from vetrina.kernel.toml_lines import find_key_line
from vetrina.service_settings import ConnectorService, ShopServices, TranslationService

_BUILT_IN_PROFILES = Path(__file__).parent / "profiles"
T = TypeVar("T", bound=msgspec.Struct)
TranslationSetting = Literal["translated", "fallback", "shared"]


class SettingFault(NamedTuple):
    """One thing that is wrong in a file of settings. line: from 1; 0 where there is no file."""

    where: str
    line: int
    key: str
    message: str

    def __str__(self) -> str:
        place = f"{self.where}:{self.line}" if self.line else self.where
        return f"{place}: {self.key}: {self.message}" if self.key else f"{place}: {self.message}"


class SettingsError(ValueError):
    """Settings cannot be used; the message names every fault, a line each."""

    def __init__(self, message: str = "", faults: Sequence[SettingFault] = ()) -> None:
        super().__init__(message or "\n".join(map(str, faults)))
        self.faults = tuple(faults)


def _freeze_members(of: msgspec.Struct, *names: str) -> None:
    """Make the tables of a frozen structure unchangeable, too."""
    for name in names:
        msgspec.structs.force_setattr(of, name, freeze(getattr(of, name)))


class SiteLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much one request may ask for."""

    body_bytes: int = 8 << 20  # bytes; a larger body is refused with 413
    body_depth: int = 64  # levels of lists and objects in a JSON body
    body_values: int = 100_000  # values of a JSON body, nested ones included; more are refused
    target_bytes: int = 16 << 10  # bytes of path and query
    list_items: int = 1_000  # entries of a list argument for which the interface names no maximum; more are refused
    written_items: int = 10_000  # entries of a list or object in a write that is a record's data, as `meta_data` is
    read_body_bytes: int = 64 << 10  # bytes of the body of a GET, HEAD or OPTIONS; a larger one is refused with 413
    filter_terms: int = 100  # terms that one filter may ask for all at once
    rendered_blocks: int = 20_000  # blocks rendered for one request; one that shows something of the site counts as ten
    rendered_characters: int = 2_000_000  # characters rendered for one request; cached renderings count as an eighth
    inline_characters: int = 20_000  # characters rendered in the event loop; a request for more runs in a thread
    answer_bytes: int = 64 << 20  # bytes of the response to a read; a larger one is refused with 413
    batch_bytes: int = 16 << 20  # bytes that the responses of a batch's members may have; later members are refused
    sign_in_failures: int = 20  # failed attempts at one secret from one address before a wait; twice as many of a kind
    sign_in_wait: int = 60  # seconds that it must wait then
    outbound_seconds: float = 5.0  # seconds for a whole call to another server, redirects included
    outbound_bytes: int = 2 << 20  # bytes of another server's response
    outbound_redirects: int = 3  # redirects that are followed
    upload_bytes: int = 512 << 20  # bytes of an uploaded file; a larger one is refused with 413
    image_pixels: int = 100_000_000  # pixels of an image; one with more is refused before it is decoded
    preview_seconds: int = 30 * 86400  # seconds that a preview link may be valid


FieldType = Literal[
    "text", "rich_text", "integer", "number", "boolean", "date", "date_time", "choice", "colour", "url", "email",
    "file", "image", "gallery", "relation", "group", "repeater", "blocks",
]  # fmt: skip


class ProfileField(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A field of the site's own, which records, terms, users or options pages have under `meta`."""

    type: FieldType
    label: str = ""  # its name, as people read it; its key when empty
    help: str = ""  # one sentence on what to write
    required: bool = False  # whether something must be written before a record is public, a term or user is made
    default: Any = None  # value of a field that nobody wrote
    minimum: int | float | str | None = None  # smallest number, or the earliest date in quotes
    maximum: int | float | str | None = None  # largest number, or the latest date
    max_length: int | None = None  # characters of a text
    pattern: str = ""  # regular expression that a whole text must match
    choices: tuple[str, ...] | Mapping[str, str] = ()  # what a choice can be: values, or a table value → label
    multiple: bool = False  # whether it holds a list of such values
    to: str = ""  # what a relation points to: the name of a content type or taxonomy, or `user`
    fields: Mapping[str, ProfileField] = {}  # members of a group, or of each item of a repeater
    min_items: int | None = None  # items of a list, a gallery or a repeater
    max_items: int | None = None
    translation: Literal["own", "shared"] = "own"  # whether each translation has its value, or all have one
    read: str = ""  # capability that it takes to see it; empty: whoever sees the thing
    write: str = ""  # capability that it takes to write it; empty: whoever edits the thing

    def __post_init__(self) -> None:
        _freeze_members(self, "default", "choices", "fields")


class ProfileOptionsPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of values that the site has once, such as the address of a company."""

    label: str  # its name, as people read it
    description: str = ""
    capability: str = "manage_options"  # that it takes to write it, and to read it where it is not public
    public: bool = False  # whether visitors may read it
    fields: Mapping[str, ProfileField] = {}

    def __post_init__(self) -> None:
        _freeze_members(self, "fields")


class ProfileType(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A content type of the site's own."""

    label: str  # its name in the plural, as people read it
    singular: str = ""  # its name in the singular; the label when empty
    description: str = ""
    base: str = ""  # last part of its route; its name when empty
    supports: tuple[str, ...] = ("title", "editor")  # title, editor, excerpt, author, thumbnail, revisions, autosaves …
    taxonomies: tuple[str, ...] = ()
    hierarchical: bool = False
    batch: bool = True  # whether a batch may include its routes
    autosaves: bool = True
    revisions: bool = False
    has_archive: bool | str = False  # whether a public page lists its records; its address ends with the name, or this
    translation: TranslationSetting = (
        "shared"  # among languages: translated, fallback (default language) or shared by all
    )
    fields: Mapping[str, ProfileField] = {}  # fields of its own
    preview_url: str = ""  # where the front end shows a preview; {type}, {id}, {slug}, {lang} and {token} are filled in

    def __post_init__(self) -> None:
        _freeze_members(self, "fields")


class ProfileTaxonomy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A taxonomy of the site's own."""

    label: str
    singular: str = ""
    description: str = ""
    base: str = ""  # last part of its route; its name when empty
    types: tuple[str, ...] = ()
    hierarchical: bool = False
    translation: TranslationSetting = (
        "shared"  # among languages: translated, fallback (default language) or shared by all
    )
    fields: Mapping[str, ProfileField] = {}  # fields of its own

    def __post_init__(self) -> None:
        _freeze_members(self, "fields")


class ProfileSidebar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A widget area. In `before_widget`, `%1$s` stands for a widget's name and `%2$s` for its class."""

    name: str  # as people read it
    description: str = ""
    css_class: str = ""
    before_widget: str = ""  # markup around each widget and around its title; a `div` and an `h2` when empty
    after_widget: str = ""
    before_title: str = ""
    after_title: str = ""


class ProfileRole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A role of the site's own, or what the site makes of a built-in one."""

    label: str = ""  # its name, as people read it
    base: str | None = None  # the built-in role whose capabilities it has; by default the one of its own name, or none
    capabilities: tuple[str, ...] = ()  # that it has besides
    remove: tuple[str, ...] = ()  # that it has not
    types: tuple[str, ...] = ()  # content types that its capabilities count for; all when empty
    languages: tuple[str, ...] = ()  # languages likewise


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a deployment is: languages, modules, content types, roles, initial values of its options."""

    name: str = "first"
    title: str = "Vetrina"
    description: str = ""
    languages: tuple[str, ...] = ("en", "it")
    default_language: str = ""  # the first of the languages when empty
    media_translation: Literal["translated", "shared"] = "translated"  # whether files have texts of each language
    time_zone: str = "Europe/Rome"
    modules: tuple[str, ...] = ("content",)
    dialects: tuple[str, ...] = ("neutral",)
    theme: str = "portico"  # a built-in theme's name, or the path of a theme's folder
    roles: tuple[str, ...] = ("administrator", "editor", "author", "contributor", "subscriber")
    role_definitions: Mapping[str, ProfileRole] = {}  # further roles, and changed built-in ones, by their names
    default_role: str = "subscriber"
    notice_prefix: str = ""  # an HTML fragment in front of the JSON text, as some deployments send it
    one_sign_in_error: bool = False  # one wording for an unknown login and a wrong password
    cache_control: str = ""  # Cache-Control of anonymous responses, for a CDN in front; empty: none is sent
    cache_tags: bool = True  # whether anonymous answers name in Cache-Tag what they were made from, for a CDN in front
    allowed_origins: tuple[str, ...] = ()  # origins whose pages may read answers to cookies; empty: all may
    menu_locations: Mapping[str, str] = {}  # menu locations: name → label
    public_menu_locations: tuple[str, ...] = ()  # those of them whose menus visitors may read over the interface
    seo: bool = False  # whether records and terms always show the member `seo`, not only where `_fields` names it
    options: Mapping[str, Any] = {}  # initial values of the site's options
    limits: SiteLimits = SiteLimits()
    images: ImageSettings = msgspec.field(default_factory=ImageSettings)
    files_cache_control: str = "public, max-age=86400"  # Cache-Control of uploaded files
    types: Mapping[str, ProfileType] = {}
    taxonomies: Mapping[str, ProfileTaxonomy] = {}
    fields: Mapping[str, Mapping[str, ProfileField]] = {}  # of built-in types and taxonomies and of `user`, by its name
    options_pages: Mapping[str, ProfileOptionsPage] = {}
    ext_fields: bool = False  # whether own fields are shown and written under `ext`, too
    ext_changed: bool = False  # whether `meta` has `_ext_changed`, as on sites with the custom-field extension
    translation: TranslationService = TranslationService()
    connector: ConnectorService = ConnectorService()
    sidebars: Mapping[str, ProfileSidebar] = {}  # widget areas, by their names
    shop_services: ShopServices = ShopServices()
    preview_urls: Mapping[str, str] = {}  # of other types: type → its `preview_url`
    accounts: AccountSettings = AccountSettings()
    webhook_servers: tuple[str, ...] = ()  # URLs in the private network that webhooks may be delivered to
    import_servers: tuple[str, ...] = ()  # URLs in the private network that the administration may import and compare

    def __post_init__(self) -> None:
        _freeze_members(
            self, "menu_locations", "options", "types", "taxonomies", "sidebars", "fields", "options_pages",
            "preview_urls", "role_definitions",
        )  # fmt: skip
        if not self.default_language and self.languages:
            msgspec.structs.force_setattr(self, "default_language", self.languages[0])


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where and how a site runs."""

    profile: str = "first"  # a built-in profile's name, or the path of a TOML file
    database: str = ""  # URL; empty: site.sqlite in the site's folder
    database_direct: str = ""  # URL of the same server past a pool, for what keeps a connection; empty: there is none
    database_replicas: tuple[str, ...] = ()  # URLs of streaming replicas, which answer reads
    database_replica_lag: float = 10.0  # seconds by which a replica may be behind; one further behind is left out
    database_replica_wait: float = 0.1  # seconds that a read waits for a replica to have what its client wrote
    media: str = ""  # URL of the store of files, s3://BUCKET/PREFIX; empty: the folder media in the site's folder
    media_url: str = ""  # URL under which readers get the files, where that is not the site itself
    url: str = ""  # address of the site: scheme, host and the path it lives under; empty: the host the client wrote
    host: str = "127.0.0.1"  # address to listen on
    port: int = 8000
    workers: int = 1  # processes
    threads: int = 4  # threads of a process for routes that wait, and as many for those that decode images
    decoding_megapixels: int = 100  # millions of pixels (of four bytes) decoded at once; further images wait their turn
    cache_bytes: int = 32 << 20  # bytes of anonymous responses that a process caches; 0 caches none
    cache_leases: bool = True  # whether kept answers are served for milliseconds without asking a database server
    fragment_bytes: int = 16 << 20  # bytes of records as answers show them that a process keeps; 0 keeps none
    secret: str = ""  # key of the digests of application passwords; generated with the site
    log: str = "info"  # debug, info, warning, error
    log_format: Literal["console", "json"] = "console"  # how log lines are written: for people, or as JSON
    log_requests: bool = False  # a line for each request at every level of `log`; debug has one anyway
    health: str = "/health"  # path below which `live` and `ready` are answered; empty: they are not
    metrics: str = ""  # who may read `/metrics`: `local`, or clients with this bearer token; empty: nobody
    rate_per_address: int = 0  # requests a minute that one address may send, as many of them at once; 0: no limit
    rate_per_key: int = 0  # requests a minute of one application password, consumer key or account, likewise
    event_streams: int = 200  # event streams (the change feed) that a process keeps open at once; 0: none
    event_streams_per_caller: int = 10  # of them, those of one address or account
    event_stream_seconds: int = 900  # seconds after which a stream ends, so that its client connects again
    drain_wait: int = 0  # seconds between the stop and the closed port: readiness fails, requests are still answered
    backups_kept: int = 5  # backups made over the interface that stay in the site's folder; the oldest are deleted
    smtp_url: str = ""  # server that sends mails, smtp://USER:PASSWORD@HOST:PORT; empty: the folder outbox of the site
    mail_from: str = ""  # sender address of mails; empty: that of the site's own account
    provider_secrets: Mapping[str, str] = {}  # secrets by which providers of sign-in know the site, by provider
    trust_proxy: bool = False  # take scheme, host and the client's address from X-Forwarded-*

    def __post_init__(self) -> None:
        _freeze_members(self, "provider_secrets")


def load_profile(name: str, sets: Mapping[str, Any] | None = None) -> Profile:
    """Return a built-in profile, or the one of a TOML file, with some keys set.

    Raises SettingsError when there is none or when a key is invalid.
    """
    path = find_profile_path(name)
    return convert_profile(read_toml(path), str(path), sets)


def convert_profile(
    values: Mapping[str, Any], where: str, sets: Mapping[str, Any] | None = None, text: str | None = None
) -> Profile:
    """Return the profile that the values of a TOML document are, with some keys set.

    where: names the document in messages. text: of the document, read from the file `where` when it is None.
    Raises SettingsError when a key is invalid.
    """
    own = copy.deepcopy(dict(values))
    profile = _convert_values(own, Profile, where, text)
    return _convert_values(_apply_sets(own, sets), Profile, "--set") if sets else profile


def find_profile_path(name: str) -> Path:
    """Return the file of a profile, by a built-in profile's name or its own path. Raises SettingsError for none."""
    path = _BUILT_IN_PROFILES / f"{name}.toml" if "/" not in name and not name.endswith(".toml") else Path(name)
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in _BUILT_IN_PROFILES.glob("*.toml")))
        raise SettingsError(f"there is no profile {name!r}; built in: {known}; or give the path of a TOML file")
    return path


def load_settings(folder: Path | None, sets: Mapping[str, Any] | None = None) -> Settings:
    """Return the settings of a site's folder (`vetrina.toml`), of the environment and of `sets`."""
    values: dict[str, Any] = {}
    path = folder / "vetrina.toml" if folder else None
    if path is not None and path.is_file():
        values = read_toml(path)
        _convert_values(values, Settings, str(path))
    for name in Settings.__struct_fields__:
        if (text := os.environ.get(f"VETRINA_{name.upper()}")) is not None:
            values[name] = text if Settings.__annotations__[name] == "str" else _parse_literal(text)
    return _convert_values(_apply_sets(values, sets or {}), Settings, "the environment or --set")


def parse_sets(texts: Iterable[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the keys that `--set KEY=VALUE` sets in the settings and in the profile; a dot leads into a table."""
    # The names alone: to learn the types, too, every annotation is evaluated.
    own, known = set(Settings.__struct_fields__), set(Profile.__struct_fields__)
    settings: dict[str, Any] = {}
    profile: dict[str, Any] = {}
    for text in texts:
        key, found, value = text.partition("=")
        head = key.split(".")[0]
        if not found or head not in own | known:
            raise SettingsError(f"--set {text!r}: write KEY=VALUE; KEY is one of {', '.join(sorted(own | known))}")
        (settings if head in own else profile)[key] = _parse_literal(value)
    return settings, profile


def read_toml(path: Path) -> dict[str, Any]:
    """Return the values of a TOML file. Raises SettingsError if it cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from None


def _parse_literal(text: str) -> Any:
    """Return the TOML value that a text says, or the text itself."""
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return text


def _apply_sets(values: dict[str, Any], sets: Mapping[str, Any]) -> dict[str, Any]:
    for key, value in sets.items():
        *parents, last = key.split(".")
        node = values
        for parent in parents:
            node = node.setdefault(parent, {})
            if not isinstance(node, dict):
                raise SettingsError(f"{key}: {parent} is a value and has no parts")
        node[last] = value
    return values


def _convert_values(values: dict[str, Any], kind: type[T], where: str, text: str | None = None) -> T:
    if found := find_struct_faults(values, kind):
        raise SettingsError(faults=locate_faults(found, where, text))
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{where}: {error}") from None


def locate_faults(found: Iterable[Fault], where: str, text: str | None = None) -> list[SettingFault]:
    """Return faults with their lines.

    where: the path of a TOML file, or what else the values are of. text: of that document, None to read the file.
    """
    if text is None:
        path = Path(where)
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return [
        SettingFault(where, find_key_line(text, fault.path) if text else 0, _format_path(fault.path), fault.message)
        for fault in found
    ]


def _format_path(path: Iterable[str | int]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
