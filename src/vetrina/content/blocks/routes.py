"""The types of blocks, and blocks that the server renders for an editor.

Not here: the types themselves (content/blocks/block_types.py), what makes their markup
(content/blocks/dynamic_blocks.py). Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.access.roles.capabilities import may_edit
from vetrina.content.blocks import dynamic_rendering, feed_block
from vetrina.content.blocks.block_types import BlockType, block_type, block_types
from vetrina.content.feeds import rules as feeds
from vetrina.content.feeds.rules import Feed
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Fault, InvalidParam, Refused
from vetrina.rest.call import Call, Result
from vetrina.rest.common_arguments import context
from vetrina.rest.fields import (
    ABSENT,
    EDIT,
    EMBED,
    VIEW,
    Array,
    Asked,
    Boolean,
    Field,
    Integer,
    Object,
    String,
    Untyped,
)
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import CURIES, Choice, Shape, choice

__all__ = ["routes"]

_PATH: Final = "/cms/v2/block-types"
_RENDERER: Final = "/cms/v2/block-renderer"
_ALL = (VIEW, EDIT, EMBED)
_PART: Final = "[a-zA-Z0-9_-]+"
_NAME: Final = "[a-z0-9-]+/[a-z0-9-]+"


class CannotViewTypes(Refused):
    """Only those who write need to know the types of blocks."""

    code = "rest_block_type_cannot_view"
    message = "You may not see the types of blocks; that needs the right to write."


class TypeUnknown(ApiError):
    """No type of block has the name."""

    status, code = 404, "rest_block_type_invalid"
    message = "There is no type of block with the name {name!r}."


class CannotRender(Refused):
    """Rendering shows what an editor sees, so it is for those who may write, or change the record that is named."""

    code = "block_cannot_read"
    message = "You may not have blocks rendered here."


class BlockUnknown(ApiError):
    """No block that the server renders has the name."""

    status, code = 404, "block_invalid"
    message = "There is no block {name!r} that the server renders."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the types of blocks and of their renderer."""
    namespace = String("Keep the types of this namespace.")
    name = String("Name of the block, without its namespace.")
    errors = (CannotViewTypes,)
    rendering = {
        "name": String("Name of the block, with its namespace."),
        "context": String("Scope of the request; blocks are rendered for editing.", enum=(EDIT,), default=VIEW),
        "attributes": Object("Attributes of the block.", default={}, check=_fits),
        "post_id": Integer("Number of the record in which the block stands."),
    }
    return (
        Route(
            READ,
            _PATH,
            _listed,
            {"context": context(), "namespace": namespace},
            _may_view,
            _schema,
            errors=errors,
            answers="many",
        ),
        Route(
            READ,
            f"{_PATH}/{{namespace:{_PART}}}",
            _listed,
            {"context": context(), "namespace": namespace},
            _may_view,
            _schema,
            errors=errors,
            answers="many",
        ),
        Route(
            READ,
            f"{_PATH}/{{namespace:{_PART}}}/{{name:{_PART}}}",
            _read,
            {"name": name, "namespace": namespace, "context": context()},
            _may_view_one,
            _schema,
            errors=(*errors, TypeUnknown),
        ),
        Route(
            ("GET", "POST"),
            f"{_RENDERER}/{{name:{_NAME}}}",
            _rendered,
            rendering,
            _may_render,
            _renderer_schema,
            read=True,
            slow=True,
            prepare=_prepared,
            errors=(CannotRender, BlockUnknown),
        ),
    )


# -- the types


def _may_view(call: Call) -> None:
    """Those who write posts or pages (`edit_posts`, `edit_pages`)."""
    user = call.work.user
    if not (user.can("edit_posts") or user.can("edit_pages")):
        raise CannotViewTypes(bool(user))


def _may_view_one(call: Call) -> None:
    """Those who write posts or pages (`edit_posts`, `edit_pages`)."""
    _may_view(call)
    _type_of(call)


def _type_of(call: Call) -> BlockType:
    name = f"{call.args.get('namespace')}/{call.args.get('name')}"
    found = block_type(name)
    if found is None:
        raise TypeUnknown(name=name)
    return found


def _listed(call: Call) -> Result:
    wanted = choice(call.request.raw("_fields"))
    namespace = call.args.get("namespace")
    found = [one for one in block_types().values() if not namespace or one.namespace == namespace]
    return Result([_members(call, one, wanted, linked=True) for one in found])


def _read(call: Call) -> Result:
    found = _type_of(call)
    return Result(_members(call, found, choice(call.request.raw("_fields"))), rels=_links(call.work, found))


def _members(call: Call, type: BlockType, wanted: Choice | None, linked: bool = False) -> dict[str, Any]:
    out = _SHAPE.members(type, call.work, call.args["context"], wanted)
    if wanted is not None and "id" not in wanted.tree:
        out.pop("id", None)
    if linked and (wanted is None or wanted.names_links()):
        out["_links"] = _links(call.work, type)
    return out


def _links(work: Work, type: BlockType) -> dict[str, Any]:
    short = type.name.partition("/")[2]
    out: dict[str, Any] = {
        "collection": [{"href": work.api(_PATH)}],
        "self": [{"href": work.api(f"{_PATH}/{type.namespace}/{short}"), "targetHints": {"allow": ["GET"]}}],
        "up": [{"href": work.api(f"{_PATH}/{type.namespace}")}],
    }
    if type.server:
        out["cms:render-block"] = [{"href": work.api(f"{_RENDERER}/{type.name}?context=edit")}]
        out["curies"] = CURIES
    return out


def _text(help: str, **words: Any) -> String:
    return String(help, context=_ALL, readonly=True, **words)


def _names(help: str, **words: Any) -> Array:
    return Array(help, items=String(), context=_ALL, readonly=True, **words)


def _words(help: str) -> Object:
    return Object(help, context=_ALL, readonly=True)


_FIELDS: Final[dict[str, Field]] = {
    "attributes": Object("Attributes of the block, as JSON schema.", context=_ALL, readonly=True),
    "is_dynamic": Boolean("Whether the server renders the block.", context=_ALL, readonly=True),
    "api_version": Integer("Version of the interface of blocks.", context=_ALL, readonly=True),
    "name": _text("Name of the type, unique, with its namespace."),
    "title": _text("Title of the type."),
    "description": _text("What blocks of the type are for."),
    "icon": _text("Sign of the type.", nullable=True),
    "category": _text("Category in an editor.", nullable=True),
    "keywords": _names("Words by which the type is found."),
    "parent": _names("Types directly inside which it may stand."),
    "ancestor": _names("Types somewhere inside which it may stand."),
    "allowed_blocks": _names("Types that may stand directly inside."),
    "provides_context": _words("Attributes that blocks inside may read, by the name under which they do."),
    "uses_context": _names("Names of what it reads of the blocks around it."),
    "selectors": _words("CSS selectors of its parts."),
    "supports": _words("Features that it supports."),
    "styles": Array("Styles that an editor offers.", items=Object(), context=_ALL, readonly=True),
    "textdomain": _text("Where its words are translated.", nullable=True),
    "example": Untyped("An example.", context=_ALL, readonly=True),
    **{
        f"{kind}_handles": _names("Handles of files that it needs.")
        for kind in ("editor_script", "script", "view_script")
    },
    "view_script_module_ids": _names("Names of modules that it needs."),
    **{
        f"{kind}_handles": _names("Handles of styles that it needs.")
        for kind in ("editor_style", "style", "view_style")
    },
    "variations": Array("Variations that an editor offers.", items=Object(), context=_ALL, readonly=True),
    "block_hooks": _words("Blocks beside which it puts itself."),
    **{
        kind: _text("Handle of a file that it needs.", nullable=True)
        for kind in ("editor_script", "script", "view_script", "editor_style", "style")
    },
}


def _listed_or_none(names: tuple[str, ...] | None) -> list[str] | None:
    return None if names is None else list(names)


_SHAPE = Shape(
    _FIELDS,
    {
        "attributes": lambda type, work: type.attributes,
        "is_dynamic": lambda type, work: type.server,
        "api_version": lambda type, work: 3,
        "name": lambda type, work: type.name,
        "title": lambda type, work: type.title,
        "description": lambda type, work: type.about,
        "icon": lambda type, work: None,
        "category": lambda type, work: type.category,
        "keywords": lambda type, work: list(type.keywords),
        "parent": lambda type, work: _listed_or_none(type.parent),
        "ancestor": lambda type, work: _listed_or_none(type.ancestor),
        "allowed_blocks": lambda type, work: _listed_or_none(type.allowed),
        "provides_context": lambda type, work: type.provides,
        "uses_context": lambda type, work: list(type.uses),
        "selectors": lambda type, work: {},
        "supports": lambda type, work: type.supports,
        "textdomain": lambda type, work: None,
        "example": lambda type, work: None,
        "block_hooks": lambda type, work: {},
        **{
            name: lambda type, work: []
            for name in (
                "styles", "variations", "view_script_module_ids", "editor_script_handles", "script_handles",
                "view_script_handles", "view_style_handles",
            )
        },
        **{name: lambda type, work: None for name in ("editor_script", "script", "view_script")},
        "editor_style_handles": lambda type, work: [type.editor_style_sheet] if type.editor_style_sheet else [],
        "style_handles": lambda type, work: [type.style_sheet] if type.style_sheet else [],
        "editor_style": lambda type, work: type.editor_style_sheet,
        "style": lambda type, work: type.style_sheet,
    },
)  # fmt: skip


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("block-type")


# -- rendering


def _fits(value: Any, name: str, asked: Asked) -> Fault | None:
    """Say what is wrong with the attributes of the block that the request names."""
    type = block_type(str(asked.raw.get("name")))
    return type.fields.fault(value, name) if type is not None else None


def _may_render(call: Call) -> None:
    """Those who may change the record that is named; without one, those who write posts (`edit_posts`)."""
    work: Work = call.work
    if call.args.get("context") != EDIT:
        raise InvalidParam({"context": Fault("rest_not_in_enum", "context is not one of edit.")})
    post = call.args.get("post_id", ABSENT)
    if isinstance(post, int) and post > 0:
        found = record_model.by_id(work.tx, post)
        type = work.frame.types.get(found.type) if found is not None else None
        if found is None or type is None or not may_edit(work.user, type, found):
            raise CannotRender(bool(work.user))
        call.kept["record"] = found
    elif not work.user.can("edit_posts"):
        raise CannotRender(bool(work.user))


@contextmanager
def _reading(ask: Callable[[], Feed] | None) -> Iterator[Feed | None]:
    """Read a feed before the transaction is opened, so that nobody waits for it."""
    yield ask() if ask is not None else None


def _prepared(call: Call) -> AbstractContextManager[Feed | None]:
    address = call.args["attributes"].get("feedURL") if call.args["name"] == "core/rss" else None
    return _reading(feeds.read_now(call.work, address) if isinstance(address, str) and address else None)


def _rendered(call: Call) -> Result:
    """Render a block whose HTML is made by the server, with the given attributes."""
    type = block_type(call.args["name"])
    if type is None or not type.server:
        raise BlockUnknown(name=call.args["name"])
    if call.prepared is not None:
        feed_block.show_instead(call.work, call.prepared)
    of: Record | None = call.kept.get("record")
    attributes = type.fields.clean(call.args["attributes"])
    return Result({"rendered": dynamic_rendering.block_shown(call.work, type, attributes, of)})


def _renderer_schema() -> dict[str, Any]:
    return {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "title": "rendered-block",
        "type": "object",
        "properties": {
            "rendered": {"description": "The rendered block.", "type": "string", "required": True, "context": [EDIT]}
        },
    }
