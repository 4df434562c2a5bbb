"""Other forms of a record's content, shown where `_fields` names them: a tree of blocks, plain text, reading time.

Rules: docs/rules/content_forms.md, 1 to 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from vetrina.content.blocks import dynamic_rendering
from vetrina.content.blocks.block_types import find_block_type
from vetrina.content.blocks.grammar import Block
from vetrina.content.blocks.marks import BlockMarks, RenderedBlock
from vetrina.content.blocks.rendering import is_hidden
from vetrina.content.blocks.sourced_attributes import read_sourced_attributes
from vetrina.content.records.model import Record
from vetrina.content.text.output_filter import filter_rendering
from vetrina.content.text.plain_text import convert_to_plain_text
from vetrina.content.text.reading_time import compute_reading_time
from vetrina.content.types.model import ContentType
from vetrina.rest.fields import EDIT, VIEW, Array, Field, Integer, Object, String, Untyped
from vetrina.rest.response_fields import Free, RecordOf
from vetrina.rest.serializer import RequestedMember

if TYPE_CHECKING:
    from vetrina.content.records.views import RecordView

FREEFORM: Final = "core/freeform"  # markup that is in no block
_SHOWN: Final = (VIEW, EDIT)
_EDITORS_OWN: Final = ("lock", "metadata")  # attributes that say something to an editor and nothing to a reader
_MAX_ATTRIBUTE_DEPTH: Final = 60  # levels of lists and objects; JSON that is nested deeper cannot be written

_SCHEMA: Final = "ContentBlock"  # the name of a block's schema in the OpenAPI document, which refers to itself
_BLOCK_MEMBERS: Final[dict[str, Field]] = {
    "name": String(f"Name with its namespace; `{FREEFORM}` for markup that is in no block."),
    "attributes": Free("Its attributes, as its type has them."),
    "inner_blocks": Array("The blocks inside.", items=Untyped(extra={"$ref": f"#/components/schemas/{_SCHEMA}"})),
    "rendered": String("Its HTML, with that of the blocks inside."),
}


def _build_block_schema() -> dict[str, Any]:
    members = {name: field.schema() for name, field in _BLOCK_MEMBERS.items()}
    return {"title": _SCHEMA, "type": "object", "properties": members}


_BLOCKS: Final = Array(
    "The content as a tree of blocks; only where `_fields` names it.",
    items=RecordOf(record=_build_block_schema),
    context=_SHOWN,
    readonly=True,
)
_PLAIN: Final = String("Content as plain text; only where `_fields` names it.", context=_SHOWN, readonly=True)
_READING_TIME: Final = Object(
    "How long the content takes to read; only where `_fields` names it.",
    properties={
        "minutes": Integer("Whole minutes, at least one where there are words."),
        "words": Integer("Words; in scripts that part none, characters."),
    },
    context=_SHOWN,
    readonly=True,
)


def build_requested_members(type: ContentType) -> dict[str, RequestedMember]:
    """Return the members that records of a type have where they are asked for."""
    if not type.has("editor") or not type.rendered:
        return {}
    return {
        "blocks": RequestedMember(_BLOCKS, _list_blocks),
        "content.plain": RequestedMember(_PLAIN, _get_plain_text),
        "reading_time": RequestedMember(_READING_TIME, _get_reading_time),
    }


def _get_plain_text(record: Record, view: RecordView) -> str:
    if (found := view.plain_texts.get(record.id)) is not None:
        return found
    html = "" if view.is_hidden(record) else dynamic_rendering.render_record_content(view.work, record)
    plain = view.plain_texts[record.id] = convert_to_plain_text(html) if view.work.budget.pay_copied(len(html)) else ""
    return plain


def _get_reading_time(record: Record, view: RecordView) -> dict[str, int]:
    return compute_reading_time(_get_plain_text(record, view))._asdict()


def _list_blocks(record: Record, view: RecordView) -> list[dict[str, Any]]:
    if view.is_hidden(record):
        return []
    work = view.work
    html = view.complete_html(dynamic_rendering.render_record_content(work, record), record)
    marks = BlockMarks()
    marked = view.complete_html(dynamic_rendering.render_live_content(work, record.content, record, marks), record)
    found = marks.take_apart(marked) if marks.strip(marked) == html else None
    if found is None:
        found = [RenderedBlock(None, html)] if html.strip() else []
    return _serialize_blocks(record, view, found)


def _serialize_blocks(record: Record, view: RecordView, blocks: Iterable[RenderedBlock]) -> list[dict[str, Any]]:
    return [
        _serialize_block(record, view, one)
        for one in blocks
        # What an editor hid is in the text of no reader.
        if one.block is None or not is_hidden(one.block)
    ]


def _serialize_block(record: Record, view: RecordView, one: RenderedBlock) -> dict[str, Any]:
    if one.block is None:
        return {"name": FREEFORM, "attributes": {}, "inner_blocks": [], "rendered": one.html}
    # The HTML of a block is also in that of the blocks around it.
    paid = view.work.budget.pay_copied(len(one.html) + len(one.block.attributes_text))
    return {
        "name": one.block.name,
        "attributes": _build_attributes(record, one.block) if paid else {},
        "inner_blocks": _serialize_blocks(record, view, one.inner),
        "rendered": one.html if paid else "",
    }


def _build_attributes(record: Record, block: Block) -> dict[str, Any]:
    """Return the attributes of a block as its type has them, filtered as its rendering is."""
    type = find_block_type(block.name)
    given: Mapping[str, Any] = block.attributes
    if type is not None:
        given = {**type.resolve_attributes(given), **read_sourced_attributes(type, block)}
    return {
        _clean_text(name, record.content): _clean_value(value, record.content, _MAX_ATTRIBUTE_DEPTH)
        for name, value in given.items()
        if name not in _EDITORS_OWN
    }


def _clean_value(value: Any, raw: str, depth: int) -> Any:
    """Return a value of an attribute as an answer can have it; depth: levels that it may have, null beyond them."""
    if isinstance(value, str):
        return _clean_text(value, raw)
    if isinstance(value, Mapping):
        if depth == 0:
            return None
        return {_clean_text(str(key), raw): _clean_value(one, raw, depth - 1) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean_value(one, raw, depth - 1) for one in value] if depth else None
    return value


def _clean_text(text: str, raw: str) -> str:
    """Return a text without lone surrogates, which no JSON has, and without markup that its author may not write."""
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return filter_rendering(raw, text) if "<" in text else text
