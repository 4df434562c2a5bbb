"""The arguments of an image edit: modifiers, or the older parameters for a rotation and a crop.

The edit itself: media/images/processing.py. Rules: docs/rules/images.md, 6, 7 and 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from vetrina.core.call import Call
from vetrina.kernel.errors import ApiError, Failure, Fault
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.store import MediaFile
from vetrina.media.images.processing import CropModifier, FlipModifier, ImageModifier, RotateModifier
from vetrina.media.uploads.filetypes import EDITABLE_TYPES
from vetrina.rest.fields import Array, Boolean, Field, Number, Object, String

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


@dataclass(frozen=True)
class _ModifierField(Object):
    """A change of an image: exactly one of several forms, with all their fields."""

    forms: tuple[Object, ...] = ()
    _: KW_ONLY

    def _keywords(self) -> dict[str, Any]:
        required = [name for name, member in self.properties.items() if member.required]
        forms = []
        for form in self.forms:
            out: dict[str, Any] = {"title": form.title}
            out |= {
                name: value
                for name, value in _list_required_members(form.schema()).items()
                if name not in ("type", "title")
            }
            forms.append(out)
        return {"type": "object", "required": required, "oneOf": forms}

    def _fault(self, value: Any, name: str) -> Fault | None:
        fitting = [form for form in self.forms if form.fault(value, name) is None]
        if not fitting:
            return Fault("rest_no_matching_schema", f"{name} is none of the changes that can be made to an image.")
        if len(fitting) > 1:
            return Fault("rest_one_of_multiple_matches", f"{name} could mean several changes; give its type.")
        return super()._fault(value, name)

    def clean(self, value: Any) -> Any:
        return next(form for form in self.forms if form.fault(value, "") is None).clean(value)


def _list_required_members(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that lists the required fields beside the others, as newer drafts of JSON Schema do."""
    out = dict(schema)
    members = out.get("properties")
    if members:
        required = [name for name, member in members.items() if member.get("required") is True]
        out["properties"] = {
            name: _list_required_members({key: item for key, item in member.items() if key != "required"})
            for name, member in members.items()
        }
        if required:
            out["required"] = required
    return out


def _build_modifier_form(title: str, type: str, help: str, args: Mapping[str, Field]) -> Object:
    return Object(
        title=title, properties={"type": String(help, enum=(type,)), "args": Object("How it is done.", properties=args)}
    )


def _make_required(field: Field) -> Field:
    needed: Field = field.replace(required=True)
    return needed


_FLIP = Object(
    "Which sides change places.",
    properties={
        "horizontal": _make_required(Boolean("Whether left and right change places.")),
        "vertical": _make_required(Boolean("Whether top and bottom change places.")),
    },
    required=True,
)
MODIFIERS = Array(
    "Changes of the image, one after the other.",
    items=_ModifierField(
        properties={"type": String(required=True), "args": Object(required=True)},
        forms=(
            _build_modifier_form("Flip", "flip", "Mirror the image.", {"flip": _FLIP}),
            _build_modifier_form(
                "Rotation", "rotate", "Turn the image.", {"angle": _make_required(Number("Degrees, clockwise."))}
            ),
            _build_modifier_form(
                "Crop",
                "crop",
                "Keep a part of the image.",
                {
                    "left": _make_required(Number("Where the part begins, in percent of the width.")),
                    "top": _make_required(Number("Where the part begins, in percent of the height.")),
                    "width": _make_required(Number("Width of the part, in percent of the image's.")),
                    "height": _make_required(Number("Height of the part, in percent of the image's.")),
                },
            ),
        ),
    ),
    min_items=1,
    null="keep",
)


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
