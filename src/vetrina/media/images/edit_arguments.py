"""The arguments of an image edit: modifiers, or the older parameters for a rotation and a crop.

The edit itself: media/images/processing.py. Rules: docs/rules/images.md, 6, 7 and 8.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

from vetrina.core.call import Call
from vetrina.kernel.errors import ApiError, Failure
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.store import MediaFile
from vetrina.media.images.processing import CropModifier, FlipModifier, ImageModifier, RotateModifier
from vetrina.media.uploads.filetypes import EDITABLE_TYPES

WRITABLE_MEMBERS = frozenset({"title", "caption", "description", "alt_text", "post"})  # settable fields of the copy

_LEGACY_CROP_MEMBERS = ("x", "y", "width", "height")


class UnknownAttachmentFile(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_unknown_attachment"
    message = "The address in `src` is not one of this image's files."


class ImageTypeNotEditable(ApiError):
    code = "rest_cannot_edit_file_type"
    message = "Files of the type {mime} cannot be changed."


class ImageNotEdited(ApiError):
    code = "rest_image_not_edited"
    message = "Nothing would change: send `modifiers`, or `rotation`, or all of `x`, `y`, `width` and `height`."


ERRORS = (UnknownAttachmentFile, ImageTypeNotEditable, ImageNotEdited)


def build_modifiers(call: Call, media: MediaFile) -> list[ImageModifier]:
    """Return the requested modifiers, in order. Raises the ERRORS."""
    if media.kind != "image" or not _is_own_file(call, media):
        raise UnknownAttachmentFile
    if media.mime_type not in EDITABLE_TYPES:
        raise ImageTypeNotEditable(mime=media.mime_type)
    args = call.args
    found = [_build_modifier(one) for one in args.get("modifiers") or ()]
    if found:
        return found
    if args.get("rotation"):
        found.append(RotateModifier(args["rotation"]))
    if all(args.get(name) is not None for name in _LEGACY_CROP_MEMBERS):
        found.append(CropModifier(*(args[name] for name in _LEGACY_CROP_MEMBERS)))
    if not found:
        raise ImageNotEdited
    return found


def _build_modifier(modifier: dict[str, Any]) -> ImageModifier:
    args = modifier["args"]
    match modifier["type"]:
        case "flip":
            return FlipModifier(args["flip"]["horizontal"], args["flip"]["vertical"])
        case "rotate":
            return RotateModifier(args["angle"])
        case _:
            return CropModifier(args["left"], args["top"], args["width"], args["height"])


def _is_own_file(call: Call, media: MediaFile) -> bool:
    """Return whether `src` is the URL of one of an image's files, whatever its scheme and query."""
    try:
        path_of_src = unquote(urlsplit(call.args["src"]).path)
    except ValueError:
        return False
    own = {urlsplit(attachment_store.build_file_url(call.work, path)).path for path in media.paths}
    return bool(path_of_src) and any(path_of_src == unquote(path) for path in own)
