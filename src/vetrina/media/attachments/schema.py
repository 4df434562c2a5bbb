"""The schema of an attachment, and the arguments of media routes, beyond those of every record.

Rules: docs/rules/media.md, 4, 6 and 10.
"""

from __future__ import annotations

from typing import Any

from vetrina.content.records import list_arguments, schema as record_schema
from vetrina.content.types.model import ContentType
from vetrina.core.site_context import SiteContext
from vetrina.media.images.edit_arguments import MODIFIERS
from vetrina.media.uploads.filetypes import MEDIA_GROUPS
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Field, Integer, Number, Object, String  # fmt: skip

_ALL = (VIEW, EDIT, EMBED)
_SHOWN = (VIEW, EDIT)
_SUBSIZES = "create-image-subsizes"


def _build_text_field(help: str, *context: str) -> Object:
    return Object(
        help,
        properties={
            "raw": String("Value as it is stored.", context=(EDIT,)),
            "rendered": String("Value as it is shown, as HTML.", context=context, readonly=True),
        },
        context=context,
    )


_OWN: dict[str, Field] = {
    "alt_text": String("What stands for the file where it cannot be seen.", context=_ALL),
    "caption": _build_text_field("Words below the file.", *_ALL),
    "description": _build_text_field("What the file is about.", *_SHOWN),
    "media_type": String(
        "Kind of the file.", enum=("image", "file"), context=_ALL, readonly=True
    ),
    "mime_type": String("Type of the file.", context=_ALL, readonly=True),
    "media_details": Object("What is known of the file, by its kind.", context=_ALL, readonly=True),
    "post": Integer("Number of the record that it hangs on.", context=_SHOWN, unset=(None,)),
    "source_url": String("Address of the file.", format="uri", context=_ALL, readonly=True),
    # Without a getter: it is shown among `media_details`, where one was chosen.
    "focal_point": Object(
        "What stays in sight when the picture is cut: shares of width and height from the upper left corner.",
        properties={"x": Number(minimum=0, maximum=1), "y": Number(minimum=0, maximum=1)},
    ),
    "missing_image_sizes": Array(
        "Names of the sub-sizes that are still to be made.", items=String(), context=(EDIT,), readonly=True
    ),
}  # fmt: skip


def build_media_fields(site: SiteContext, type: ContentType) -> dict[str, Field]:
    """Return the fields of an attachment, each with its contexts."""
    own = record_schema.build_record_fields(site, type)
    del own["password"]
    return {**own, **_OWN}


def build_list_arguments(site: SiteContext, type: ContentType) -> dict[str, Field]:
    """Return the arguments of the attachment list."""
    return {
        **list_arguments.build_list_arguments(site, type),
        "media_type": Array("Only files of these kinds.", items=String(enum=MEDIA_GROUPS), default=None, null="keep"),
        "mime_type": Array("Only files of these types.", items=String(), default=None, null="keep"),
    }


def build_process_arguments() -> dict[str, Field]:
    """Return the arguments that complete an upload whose sub-sizes are missing."""
    action = String("What is to be done.", enum=(_SUBSIZES,), required=True)
    return {"id": Integer("Number of the attachment.", early=True, null="keep"), "action": action}


def build_edit_arguments() -> dict[str, Field]:
    """Return the arguments for an edited copy of an image."""
    turn: dict[str, Any] = {"minimum": 0, "exclusiveMinimum": True, "maximum": 360, "exclusiveMaximum": True}

    def percent(help: str) -> Number:
        return Number(f"{help} Use `modifiers` instead.", minimum=0, maximum=100, null="keep")

    return {
        "id": Integer("Number of the attachment.", early=True, null="keep"),
        "src": String("Address of the file to change.", format="uri", required=True),
        "modifiers": MODIFIERS,
        "rotation": Integer(
            "Degrees, clockwise. Use `modifiers` instead.", minimum=1, maximum=359, extra=turn, null="keep"
        ),
        "x": percent("Where the kept part begins, in percent of the width."),
        "y": percent("Where the kept part begins, in percent of the height."),
        "width": percent("Width of the kept part."),
        "height": percent("Height of the kept part."),
        "caption": _OWN["caption"].replace(context=(), lenient=True, null="keep"),
        "description": _OWN["description"].replace(context=(), lenient=True, null="keep"),
        "title": Object(
            "Title of the copy.",
            properties={
                "raw": String("Value as it is stored.", context=(EDIT,)),
                "rendered": String("Title as it is shown, as HTML.", context=_ALL, readonly=True),
            },
            lenient=True,
            null="keep",
        ),
        "post": Integer("Number of the record that the copy hangs on.", null="keep"),
        "alt_text": String("What stands for the copy where it cannot be seen.", null="keep"),
    }
