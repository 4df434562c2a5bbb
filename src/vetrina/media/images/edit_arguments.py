"""What an edit of an image asks for: modifiers, or the older members that say a turn and a crop.

Not here: the work on the image (media/images/processing.py). Rules: interface.md, "Media processing"; facts, "Edit".
"""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

from vetrina.kernel.errors import ApiError
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.store import Media
from vetrina.media.images.processing import Crop, Flip, Modifier, Rotate
from vetrina.media.uploads.filetypes import EDITABLE
from vetrina.rest.call import Call

__all__ = ["ERRORS", "MEMBERS", "modifiers_of"]

MEMBERS = frozenset({"title", "caption", "description", "alt_text", "post"})  # what the copy may be given

_OLDER_CROP = ("x", "y", "width", "height")


class UnknownAttachment(ApiError):
    status, code = 404, "rest_unknown_attachment"
    message = "The address in `src` is not one of this image's files."


class NotAnImageToEdit(ApiError):
    code = "rest_cannot_edit_file_type"
    message = "Files of the type {mime} cannot be changed."


class NotEdited(ApiError):
    code = "rest_image_not_edited"
    message = "Nothing would change: send `modifiers`, or `rotation`, or all of `x`, `y`, `width` and `height`."


ERRORS = (UnknownAttachment, NotAnImageToEdit, NotEdited)


def modifiers_of(call: Call, media: Media) -> list[Modifier]:
    """Return what is to be done to an image, in order. Raises the ERRORS."""
    if media.kind != "image" or not _is_file_of(call, media):
        raise UnknownAttachment
    if media.mime_type not in EDITABLE:
        raise NotAnImageToEdit(mime=media.mime_type)
    args = call.args
    found = [_modifier(one) for one in args.get("modifiers") or ()]
    if found:
        return found
    if args.get("rotation"):
        found.append(Rotate(args["rotation"]))
    if all(args.get(name) is not None for name in _OLDER_CROP):
        found.append(Crop(*(args[name] for name in _OLDER_CROP)))
    if not found:
        raise NotEdited
    return found


def _modifier(asked: dict[str, Any]) -> Modifier:
    args = asked["args"]
    match asked["type"]:
        case "flip":
            return Flip(args["flip"]["horizontal"], args["flip"]["vertical"])
        case "rotate":
            return Rotate(args["angle"])
        case _:
            return Crop(args["left"], args["top"], args["width"], args["height"])


def _is_file_of(call: Call, media: Media) -> bool:
    """Say whether `src` is the address of one of an image's files, whatever scheme and query it has."""
    try:
        asked = unquote(urlsplit(call.args["src"]).path)
    except ValueError:
        return False
    own = {urlsplit(attachment_store.url(call.work, path)).path for path in media.paths}
    return bool(asked) and any(asked == unquote(path) for path in own)
