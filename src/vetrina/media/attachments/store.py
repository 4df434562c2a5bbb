"""Attachments: the records of uploaded files, and what is known of each file beside its record.

Not here: the files themselves (media/uploads/rules.py), how an attachment is shown (namespaces), who may
(access/roles/capabilities.py). Rules: facts of the interface, "Media".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, insert, select, update

from vetrina.access.users import rules as users
from vetrina.backends.database import Row, Statement, Tx
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import media as table
from vetrina.content.records import input as record_input
from vetrina.content.records import model as record
from vetrina.content.records import rules as records
from vetrina.content.records.model import Record
from vetrina.content.records.visibility import INHERITED
from vetrina.content.translations import record_translations
from vetrina.content.translations.modes import Mode, element_of, mode
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Work
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError
from vetrina.kernel.tags import without_scripts, without_tags
from vetrina.media.images.sizes import Size
from vetrina.media.uploads import filenames
from vetrina.media.uploads.filetypes import TYPES
from vetrina.media.uploads.rules import Kept, SubSize

__all__ = [
    "TWIN", "InvalidFeaturedMedia", "Media", "NoFeaturedMedia", "WrongParent", "add_sizes", "change", "check_parent",
    "create", "create_edited", "of_record", "of_records", "remove", "twin", "url",
]  # fmt: skip


class Media(msgspec.Struct, frozen=True):
    """What is known of a file beside its record; see the table. The members are its columns, in their order."""

    record: int
    file: str
    original: str
    kind: str
    mime_type: str
    width: int
    height: int
    filesize: int
    alt_text: str
    sizes: dict[str, SubSize]
    details: dict[str, Any]

    @property
    def size(self) -> Size:
        return Size(self.width, self.height)

    @property
    def uploaded(self) -> str:
        """Return the path of the file as it was uploaded."""
        return self.original or self.file

    @property
    def source(self) -> str:
        """Return the path of the largest file of its own type, of which others are made."""
        ending = self.original.rpartition(".")[2].lower()
        return self.original if TYPES.get(ending) == self.mime_type else self.file

    @property
    def paths(self) -> list[str]:
        """Return the paths of all its files in the folder of uploads."""
        folder = self.file.rpartition("/")[0]
        paths = (self.file, self.original, *(f"{folder}/{one.file}" for one in self.sizes.values()))
        return [path for path in dict.fromkeys(paths) if path]


class WrongParent(ApiError):
    """A file hangs on a record; another file is none."""

    code = "rest_invalid_param"
    message = "An attachment cannot hang on another one; name a post, a page or a record of another type."


class NoFeaturedMedia(ApiError):
    """Only what is played has an image to stand for it."""

    code = "rest_no_featured_media"
    message = "Files of the type {mime} have no image that stands for them; leave `featured_media` out."


class InvalidFeaturedMedia(ApiError):
    """The image that is to stand for a new file is none."""

    code = "rest_invalid_featured_media"
    message = "There is no image with the number {id} that could stand for this file."


assert tuple(column.name for column in table.c) == Media.__struct_fields__, "Media and its table have the same members"

_OF = Statement(select(table).where(Among(table.c.record, "ids")))
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_ALT = Statement(update(table).where(table.c.record == bindparam("of")).values(alt_text=bindparam("alt_text")))
_SHARED = Statement(
    select(table.c.record).where(table.c.file == bindparam("file"), table.c.record != bindparam("of")).limit(1)
)
_SIZES = Statement(update(table).where(table.c.record == bindparam("of")).values(sizes=bindparam("sizes")))
_SIZES_OF = msgspec.json.Decoder(dict[str, SubSize]).decode
_TEXTS = {"description": "content", "caption": "excerpt"}
_OWN = frozenset({"alt_text", "post", "description", "caption", "featured_media", "status"})
TWIN: Final = "_mlang_twin"  # the meta of a twin that nobody has changed since it was made
_PLAYED = frozenset({"audio", "video"})  # kinds of files that have an image to stand for them


def of_records(tx: Tx, ids: Sequence[int]) -> dict[int, Media]:
    """Return what is known of the files of some records, by number; asks once."""
    return {row[0]: _of_row(row) for row in tx.all(_OF, ids=listed(ids))} if ids else {}


def of_record(tx: Tx, id: int) -> Media | None:
    """Return what is known of the file of a record."""
    return of_records(tx, [id]).get(id)


def create(
    work: Work,
    type: ContentType,
    kept: Kept,
    given: Mapping[str, Any],
    title: str,
    *,
    details: Mapping[str, Any] = {},
    language: str = "",
) -> Record:
    """Store the record of a file that is kept, and return it.

    given: the written members. title: where none is given. details: further ones beside those of the file.
    language: of the record; when left out that of what it hangs on, or the site's, whatever the request's is.
    Raises what records.create raises, WrongParent, NoFeaturedMedia and InvalidFeaturedMedia.
    """
    if "featured_media" in given:
        _check_featured(work, kept.mime_type, given["featured_media"])
    words = dict(kept.words or {})
    members = _members(work, given, kept.mime_type.partition("/")[0])
    members.setdefault("status", INHERITED)
    members.setdefault("ping_status", "closed")
    if members.get("author") and users.by_id(work.tx, members["author"]) is None:
        del members["author"]
    if not record_input.raw_text("title", members.get("title")):
        own = str(words.get("title", ""))
        members["title"] = title if not own or slugs.slugify(own).isdecimal() else own
    if "excerpt" not in members and words.get("caption"):
        members["excerpt"] = words["caption"]
    above = record.by_id(work.tx, members["parent"]) if members.get("parent") else None
    language = language or (above.language if above and above.language else work.frame.profile.default_language)
    shown = dict(kept.details)
    if kept.cover:
        stands = create(work, type, kept.cover, {}, kept.cover.stem, language=language)
        members.setdefault("featured_media", stands.id)
        shown["image"] = {"mime": kept.cover.mime_type, "width": kept.cover.size.width,
                          "height": kept.cover.size.height}  # fmt: skip
    new = records.create(work, type, members, guid=url(work, kept.original or kept.file), language=language)
    found = {"image_meta": words} if words else shown
    media = Media(
        new.id, kept.file, kept.original, kept.mime_type.partition("/")[0], kept.mime_type, *kept.size, kept.filesize,
        _alt_text(given.get("alt_text", "")), dict(kept.sizes), {**found, **details},
    )  # fmt: skip
    values = msgspec.structs.asdict(media)
    values["sizes"], values["details"] = _written(media.sizes), orjson.dumps(media.details).decode()
    work.tx.run(_INSERT, **values)
    record.store_names(work.tx, new.id, kept.original or kept.file)
    _make_twins(work, type, new, media)
    return new


def _check_featured(work: Work, mime: str, id: int) -> None:
    """Raise NoFeaturedMedia or InvalidFeaturedMedia when a new file cannot have an image that stands for it."""
    if mime.partition("/")[0] not in _PLAYED:
        raise NoFeaturedMedia(mime=mime)
    found = of_record(work.tx, id)
    if id and (found is None or found.kind != "image"):
        raise InvalidFeaturedMedia(id=id)


def _make_twins(work: Work, type: ContentType, of: Record, media: Media) -> None:
    """Give every other language of the site a record of the same file, where files have texts of each language."""
    profile = work.frame.profile
    if "multilingual" not in profile.modules or not work.option("translation_media_twins"):
        return
    if mode(work, element_of(type)) is Mode.NOT_TRANSLATED:
        return
    for language in profile.languages:
        if language != of.language:
            made = twin(work, type, of, media, language)
            marked = msgspec.structs.replace(made, meta={**made.meta, TWIN: True})
            record.store(work.tx, made, marked)
            made = msgspec.structs.replace(marked, version=made.version + 1)
            record_translations.join(work, made, of.translations, of.language)


def twin(work: Work, type: ContentType, source: Record, media: Media, language: str) -> Record:
    """Store a record of the same file in another language, with the texts of its source, and return it."""
    members = {
        "title": source.title, "content": source.content, "excerpt": source.excerpt, "status": INHERITED,
        "author": source.author, "parent": source.parent, "ping_status": source.ping_status,
        "comment_status": source.comment_status,
    }  # fmt: skip
    for name in ("parent", "featured_media"):
        if number := getattr(source, name):
            members[name] = record_translations.in_language(work, number, language)
    new = records.create(work, type, members, guid=source.guid, language=language)
    values = msgspec.structs.asdict(msgspec.structs.replace(media, record=new.id))
    values["sizes"], values["details"] = _written(media.sizes), orjson.dumps(media.details).decode()
    work.tx.run(_INSERT, **values)
    record.store_names(work.tx, new.id, media.uploaded)
    return new


def create_edited(
    work: Work, type: ContentType, kept: Kept, source: Record, of: Media, given: Mapping[str, Any]
) -> Record:
    """Store the record of a changed copy of an image: its texts are those of the source unless others are given."""
    own = {"title": source.title, "description": source.content, "caption": source.excerpt, "alt_text": of.alt_text}
    told = {
        name: value for name, value in given.items() if name == "post" or record_input.raw_text(name, value) is not None
    }
    # What the camera wrote stays true of the copy; only where up is was settled by decoding it.
    words = {**(kept.words or {})}
    for name, value in of.details.get("image_meta", {}).items():
        if value and words.get(name) in ("", "0", [], None):
            words[name] = value
    if words.get("orientation") not in ("", "0", None):
        words["orientation"] = 1
    details = {"image_meta": words, "parent_image": {"attachment_id": str(source.id), "file": of.uploaded}}
    return create(work, type, kept, {**own, **told}, kept.stem, details=details, language=source.language)


def change(work: Work, type: ContentType, old: Record, media: Media, given: Mapping[str, Any]) -> Record:
    """Store the given members of an attachment and return its new state. Raises what records.change raises."""
    if "alt_text" in given:
        work.tx.run(_ALT, of=old.id, alt_text=_alt_text(given["alt_text"]))
    if TWIN in old.meta:
        own = msgspec.structs.replace(old, meta={key: value for key, value in old.meta.items() if key != TWIN})
        record.store(work.tx, old, own)
        old = msgspec.structs.replace(own, version=old.version + 1)
    return records.change(work, type, old, _members(work, given, media.kind))


def add_sizes(work: Work, type: ContentType, id: int, sizes: Mapping[str, SubSize]) -> None:
    """Note sub-sizes that were made later."""
    media = of_record(work.tx, id)
    if media is not None and sizes:
        work.tx.run(_SIZES, of=id, sizes=_written({**media.sizes, **sizes}))
        work.note(type.name, id, "changed")


def remove(work: Work, type: ContentType, old: Record) -> None:
    """Remove an attachment for good, and with an original its twins that nobody has changed.

    Its files go when the transaction is kept, unless another record shows them.
    """
    media = of_record(work.tx, old.id)
    if not old.source_language:
        for one in record_translations.members(work, old).values():
            if one.id != old.id and TWIN in one.meta:
                remove(work, type, one)
    records.remove(work, type, old)
    if media is not None and work.tx.value(_SHARED, file=media.file, of=old.id) is None:
        files = work.frame.files
        names = [filenames.FOLDER + path for path in media.paths]
        work.afterwards(lambda: [files.delete(name) for name in names])


def check_parent(work: Work, id: int) -> None:
    """Raise WrongParent when a file cannot hang on a record; one that is unknown is taken."""
    found = record.by_id(work.tx, id) if id > 0 else None
    type = work.frame.types.get(found.type) if found else None
    if type is not None and type.address == "attached":
        raise WrongParent


def url(work: Work, path: str) -> str:
    """Return the address of a file; path: in the folder of uploads."""
    return work.frame.files.url(filenames.FOLDER + path, work.origin)


def _members(work: Work, given: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return the written members under the names that records have for them."""
    out = {name: value for name, value in given.items() if name not in _OWN}
    for name, own in _TEXTS.items():
        if name in given and (text := record_input.raw_text(name, given[name])) is not None:
            out[own] = text
    if given.get("status"):
        out["status"] = "private" if given["status"] == "private" else INHERITED
    if "post" in given:
        check_parent(work, given["post"])
        out["parent"] = given["post"]
    if "featured_media" in given and kind in _PLAYED:
        out["featured_media"] = given["featured_media"]
    return out


def _alt_text(text: str) -> str:
    return " ".join(without_tags(without_scripts(text)).split())


def _of_row(row: Row) -> Media:
    members = [*row[:-2], _SIZES_OF(row[-2]), orjson.loads(row[-1])]
    return Media(*members)


def _written(sizes: Mapping[str, SubSize]) -> str:
    return orjson.dumps({name: msgspec.structs.asdict(one) for name, one in sizes.items()}).decode()
