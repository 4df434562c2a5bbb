"""The route that says where a file is used. Rules: docs/rules/media.md, 12."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vetrina.content.records import permalinks
from vetrina.core.call import Call
from vetrina.kernel.errors import ApiError
from vetrina.media.attachments.store import MediaFile
from vetrina.media.attachments.usage import FileUse, find_file_usage
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Boolean, Integer, Object, String
from vetrina.rest.route import READ, Route

_ANSWER = Object(
    properties={
        "records": Array(
            "Records that use the file and that the caller may read, newest first.",
            items=Object(
                properties={
                    "id": Integer("Number of the record."),
                    "type": String("Its type."),
                    "title": String("Its title."),
                    "status": String("Its status."),
                    "lang": String("Its language."),
                    "link": String("Its address.", format="uri"),
                    "ways": Array("How it uses the file.", items=String(enum=("featured_media", "content"))),
                }
            ),
        ),
        "settings": Array("Settings of the site that name the file.", items=String()),
        "partial": Boolean("Whether there may be more records than were looked at."),
    }
)


def build_usage_route(
    item: str,
    require_edit: Callable[[Call], None],
    find_media: Callable[[Call], MediaFile],
    errors: tuple[type[ApiError], ...],
) -> Route:
    """Return the route of one type of files. item: the path of one. errors: of changing it."""

    def show_usage(call: Call) -> Result:
        """Tell where a file is used: records that feature it or name its address, and settings of the site."""
        usage = find_file_usage(call.work, find_media(call))
        return Result(
            {
                "records": [_serialize_use(call, use) for use in usage.uses],
                "settings": list(usage.settings),
                "partial": usage.is_partial,
            }
        )

    id = Integer("Number of the attachment.", early=True, null="keep")
    return Route(READ, f"{item}/usage", show_usage, {"id": id}, require_edit, answers=_ANSWER, slow=True, errors=errors)


def _serialize_use(call: Call, use: FileUse) -> dict[str, Any]:
    record = use.record
    return {
        "id": record.id,
        "type": record.type,
        "title": record.title,
        "status": record.status,
        "lang": record.language,
        "link": permalinks.build_permalink(call.work, call.work.site.types[record.type], record),
        "ways": list(use.ways),
    }
