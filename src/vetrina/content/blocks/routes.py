"""Routes of block types, and of the renderer of dynamic blocks for editors.

Not here: the types themselves (content/blocks/block_types.py), the render functions (content/blocks/dynamic_blocks.py).
Rules: docs/rules/themes.md, 4 and 5.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

from vetrina.access.roles.capabilities import may_edit_record
from vetrina.content.blocks import dynamic_rendering, feed_block
from vetrina.content.blocks.block_types import BlockType, find_block_type, load_block_types
from vetrina.content.feeds import rules as feeds
from vetrina.content.feeds.rules import Feed
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure, Fault, InvalidParam, PermissionDenied
from vetrina.rest.call import Result, defer
from vetrina.rest.common_arguments import build_context_argument
from vetrina.rest.fields import (
    ABSENT,
    EDIT,
    EMBED,
    VIEW,
    Array,
    Boolean,
    Field,
    Integer,
    Object,
    String,
    Untyped,
    ValidationContext,
)  # fmt: skip
from vetrina.rest.resource import Links, ListPage, Operation, Resource
from vetrina.rest.route import Route
from vetrina.rest.serializer import CURIES, Serializer, read_attributes

_PATH: Final = "/cms/v2/block-types"
_RENDERER: Final = "/cms/v2/block-renderer"
_ALL = (VIEW, EDIT, EMBED)
_PART: Final = "[a-zA-Z0-9_-]+"
_NAME: Final = "[a-z0-9-]+/[a-z0-9-]+"


class CannotViewBlockTypes(PermissionDenied):
    """Only those who write need to know the block types."""

    code = "rest_block_type_cannot_view"
    message = "You may not see the types of blocks; that needs the right to write."


class BlockTypeNotFound(ApiError):
    """No block type has the name."""

    failure, code = Failure.NOT_FOUND, "rest_block_type_invalid"
    message = "There is no type of block with the name {name!r}."


class CannotRenderBlock(PermissionDenied):
    """A rendering shows what editors see, so it is for those who may write, or change the given record."""

    code = "block_cannot_read"
    message = "You may not have blocks rendered here."


class RenderedBlockNotFound(ApiError):
    """No block that the server renders has the name."""

    failure, code = Failure.NOT_FOUND, "block_invalid"
    message = "There is no block {name!r} that the server renders."


# -- block types


def _require_view_permission(call: Call) -> None:
    """Those who write posts or pages (`edit_posts`, `edit_pages`)."""
    user = call.work.user
    if not (user.can_somewhere("edit_posts") or user.can_somewhere("edit_pages")):
        raise CannotViewBlockTypes(bool(user))


def _require_read_permission(call: Call) -> None:
    """Those who write posts or pages (`edit_posts`, `edit_pages`)."""
    _require_view_permission(call)
    _get_block_type(call)


def _get_block_type(call: Call) -> BlockType:
    name = f"{call.args.get('namespace')}/{call.args.get('name')}"
    found = find_block_type(name)
    if found is None:
        raise BlockTypeNotFound(name=name)
    return found


def _list_block_types(call: Call) -> ListPage[BlockType]:
    namespace = call.args.get("namespace")
    return ListPage([one for one in load_block_types().values() if not namespace or one.namespace == namespace])


def _build_links(call: Call, type: BlockType) -> Links:
    work, short = call.work, type.name.partition("/")[2]
    out: Links = {
        "collection": [{"href": work.api(_PATH)}],
        "self": [{"href": work.api(f"{_PATH}/{type.namespace}/{short}"), "targetHints": {"allow": ["GET"]}}],
        "up": [{"href": work.api(f"{_PATH}/{type.namespace}")}],
    }
    if type.server:
        out["cms:render-block"] = [{"href": work.api(f"{_RENDERER}/{type.name}?context=edit")}]
        out["curies"] = CURIES
    return out


def _build_text_field(help: str, **options: Any) -> String:
    return String(help, context=_ALL, readonly=True, **options)


def _build_name_list_field(help: str, **options: Any) -> Array:
    return Array(help, items=String(), context=_ALL, readonly=True, **options)


def _build_object_field(help: str) -> Object:
    return Object(help, context=_ALL, readonly=True)


_FIELDS: Final[dict[str, Field]] = {
    "attributes": Object("Attributes of the block, as JSON schema.", context=_ALL, readonly=True),
    "is_dynamic": Boolean("Whether the server renders the block.", context=_ALL, readonly=True),
    "api_version": Integer("Version of the interface of blocks.", context=_ALL, readonly=True),
    "name": _build_text_field("Name of the type, unique, with its namespace."),
    "title": _build_text_field("Title of the type."),
    "description": _build_text_field("What blocks of the type are for."),
    "icon": _build_text_field("Sign of the type.", nullable=True),
    "category": _build_text_field("Category in an editor.", nullable=True),
    "keywords": _build_name_list_field("Words by which the type is found."),
    "parent": _build_name_list_field("Types directly inside which it may stand.", unset=(None,)),
    "ancestor": _build_name_list_field("Types somewhere inside which it may stand.", unset=(None,)),
    "allowed_blocks": _build_name_list_field("Types that may stand directly inside.", unset=(None,)),
    "provides_context": _build_object_field("Attributes that blocks inside may read, by the name under which they do."),
    "uses_context": _build_name_list_field("Names of what it reads of the blocks around it."),
    "selectors": _build_object_field("CSS selectors of its parts."),
    "supports": _build_object_field("Features that it supports."),
    "styles": Array("Styles that an editor offers.", items=Object(), context=_ALL, readonly=True),
    "textdomain": _build_text_field("Where its words are translated.", nullable=True),
    "example": Untyped("An example.", context=_ALL, readonly=True),
    **{
        f"{kind}_handles": _build_name_list_field("Handles of files that it needs.")
        for kind in ("editor_script", "script", "view_script")
    },
    "view_script_module_ids": _build_name_list_field("Names of modules that it needs."),
    **{
        f"{kind}_handles": _build_name_list_field("Handles of styles that it needs.")
        for kind in ("editor_style", "style", "view_style")
    },
    "variations": Array("Variations that an editor offers.", items=Object(), context=_ALL, readonly=True),
    "block_hooks": _build_object_field("Blocks beside which it puts itself."),
    **{
        kind: _build_text_field("Handle of a file that it needs.", nullable=True)
        for kind in ("editor_script", "script", "view_script", "editor_style", "style")
    },
}


def _list_or_none(names: tuple[str, ...] | None) -> list[str] | None:
    return None if names is None else list(names)


_SERIALIZER = Serializer(
    _FIELDS,
    {
        **read_attributes(
            "title", "attributes", "name", "category", "supports", is_dynamic="server", description="about",
            editor_style="editor_style_sheet", style="style_sheet",
        ),
        "api_version": lambda type, work: 3,
        "icon": lambda type, work: None,
        "keywords": lambda type, work: list(type.keywords),
        "parent": lambda type, work: _list_or_none(type.parent),
        "ancestor": lambda type, work: _list_or_none(type.ancestor),
        "allowed_blocks": lambda type, work: _list_or_none(type.allowed),
        "provides_context": lambda type, work: type.provides,
        "uses_context": lambda type, work: list(type.uses),
        "selectors": lambda type, work: {},
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
    },
)  # fmt: skip


_NAMESPACE: Final = String("Keep the types of this namespace.")

BLOCK_TYPES: Final = Resource(
    title="block-type",
    path=_PATH,
    item=f"{{namespace:{_PART}}}/{{name:{_PART}}}",
    key={"name": String("Name of the block, without its namespace."), "namespace": _NAMESPACE},
    serializer=_SERIALIZER,
    find=_get_block_type,
    build_links=_build_links,
    list=Operation(
        _list_block_types, _require_view_permission, {"context": build_context_argument(), "namespace": _NAMESPACE},
        (CannotViewBlockTypes,),
    ),
    read=Operation(_get_block_type, _require_read_permission, errors=(CannotViewBlockTypes, BlockTypeNotFound)),
)  # fmt: skip


# -- rendering


def _check_attributes(value: Any, name: str, context: ValidationContext) -> Fault | None:
    """Return the fault of the attributes, by the block that the request names."""
    type = find_block_type(str(context.raw.get("name")))
    return type.fields.fault(value, name) if type is not None else None


def _require_render_permission(call: Call) -> None:
    """Those who may change the given record; without one, those who write posts (`edit_posts`)."""
    work = call.work
    if call.args.get("context") != EDIT:
        raise InvalidParam({"context": Fault("rest_not_in_enum", "context is not one of edit.")})
    post = call.args.get("post_id", ABSENT)
    if isinstance(post, int) and post > 0:
        found = record_model.find_record(work.tx, post)
        type = work.site.types.get(found.type) if found is not None else None
        if found is None or type is None or not may_edit_record(work.user, type, found):
            raise CannotRenderBlock(bool(work.user))
        call.lookups["record"] = found
    elif not work.user.can_somewhere("edit_posts"):
        raise CannotRenderBlock(bool(work.user))


def _prepare_feed(call: Call) -> AbstractContextManager[Feed | None]:
    address = call.args["attributes"].get("feedURL") if call.args["name"] == "core/rss" else None
    fetch = feeds.prepare_first_fetch(call.work, address) if isinstance(address, str) and address else None
    return nullcontext() if fetch is None else defer(fetch)


def _render_block(call: Call) -> Result:
    """Render a block on the server, with the given attributes."""
    type = find_block_type(call.args["name"])
    if type is None or not type.server:
        raise RenderedBlockNotFound(name=call.args["name"])
    if call.prepared is not None:
        feed_block.override_feed(call.work, call.prepared)
    of: Record | None = call.lookups.get("record")
    attributes = type.fields.clean(call.args["attributes"])
    return Result({"rendered": dynamic_rendering.render_single_block(call.work, type, attributes, of)})


def _build_renderer_schema() -> dict[str, Any]:
    return {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "title": "rendered-block",
        "type": "object",
        "properties": {
            "rendered": {"description": "The rendered block.", "type": "string", "required": True, "context": [EDIT]}
        },
    }


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of block types and of their renderer."""
    types = BLOCK_TYPES.build_routes_by_operation()
    rendering = {
        "name": String("Name of the block, with its namespace."),
        "context": String("Scope of the request; blocks are rendered for editing.", enum=(EDIT,), default=VIEW),
        "attributes": Object("Attributes of the block.", default={}, check=_check_attributes),
        "post_id": Integer("Number of the record in which the block stands."),
    }
    return (
        types["list"],
        types["list"].replace(path=f"{_PATH}/{{namespace:{_PART}}}"),
        types["read"],
        Route(
            ("GET", "POST"), f"{_RENDERER}/{{name:{_NAME}}}", _render_block, rendering, _require_render_permission,
            _build_renderer_schema, read=True, slow=True, prepare=_prepare_feed,
            errors=(CannotRenderBlock, RenderedBlockNotFound),
        ),
    )  # fmt: skip
