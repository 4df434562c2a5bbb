"""Which file types may be uploaded, and the type of a file by its bytes.

Nothing that a browser would run as part of the site is accepted (HTML, SVG, scripts), whoever sends it. The client's
claims are ignored: images are what their bytes say, other files must match their extension. Rules: docs/rules/media.md,
2; the signatures are from the formats' own specifications.
"""

from __future__ import annotations

import re
from typing import Final

from vetrina.kernel.errors import ApiError

HEAD_BYTES: Final = 4096  # bytes at the beginning of a file that are examined

# MIME type → its file extensions, the usual one first.
_EXTENSIONS_OF_TYPE: Final = {
    "image/jpeg": "jpg jpeg jpe",
    "image/png": "png",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/avif": "avif",
    "image/bmp": "bmp",
    "image/tiff": "tiff tif",
    "image/x-icon": "ico",
    "image/heic": "heic",
    "image/heif": "heif",
    "video/mp4": "mp4 m4v",
    "video/quicktime": "mov qt",
    "video/webm": "webm",
    "video/x-matroska": "mkv",
    "video/ogg": "ogv",
    "video/mpeg": "mpeg mpg mpe",
    "video/avi": "avi divx",
    "video/x-ms-asf": "asf asx",
    "video/x-ms-wmv": "wmv",
    "video/x-flv": "flv",
    "video/3gpp": "3gp 3gpp",
    "text/plain": "txt asc srt",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "text/calendar": "ics",
    "text/vtt": "vtt",
    "audio/mpeg": "mp3 m4a m4b",
    "audio/aac": "aac",
    "audio/wav": "wav",
    "audio/ogg": "ogg oga opus",
    "audio/flac": "flac",
    "audio/midi": "mid midi",
    "audio/x-ms-wma": "wma",
    "audio/x-matroska": "mka",
    "application/pdf": "pdf",
    "application/rtf": "rtf",
    "application/zip": "zip",
    "application/gzip": "gz gzip",
    "application/rar": "rar",
    "application/x-7z-compressed": "7z",
    "application/x-tar": "tar",
    "application/octet-stream": "psd",
    "application/msword": "doc",
    "application/vnd.ms-excel": "xls xla xlt xlw",
    "application/vnd.ms-powerpoint": "ppt pps pot",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
    "application/vnd.openxmlformats-officedocument.presentationml.slideshow": "ppsx",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/vnd.oasis.opendocument.graphics": "odg",
    "application/epub+zip": "epub",
    "application/vnd.apple.keynote": "key",
    "application/vnd.apple.numbers": "numbers",
    "application/vnd.apple.pages": "pages",
}

TYPE_OF_EXTENSION: Final = {ending: mime for mime, endings in _EXTENSIONS_OF_TYPE.items() for ending in endings.split()}
# MIME type → the usual extension.
EXTENSION_OF_TYPE: Final = {mime: endings.split()[0] for mime, endings in _EXTENSIONS_OF_TYPE.items()}
MEDIA_GROUPS: Final = ("image", "video", "text", "application", "audio")

# Image types that have sub-sizes and can be rotated and cropped.
EDITABLE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp", "image/avif"})

# The detected type of a file's bytes, for types with the same signature.
_EXPECTED_SIGNATURES: Final = {
    "video/mp4": "iso", "video/quicktime": "iso", "video/3gpp": "iso", "video/webm": "matroska",
    "video/x-matroska": "matroska", "audio/x-matroska": "matroska", "video/ogg": "ogg", "audio/ogg": "ogg",
    "video/x-ms-asf": "asf", "video/x-ms-wmv": "asf", "audio/x-ms-wma": "asf", "application/msword": "ole",
    "application/vnd.ms-excel": "ole", "application/vnd.ms-powerpoint": "ole",
    "application/octet-stream": "photoshop",
}  # fmt: skip

# Types that also have a second form.
_ALTERNATIVE_SIGNATURES: Final = {
    "audio/mpeg": ("iso",),
    "application/msword": ("application/rtf", "zip"),
    "video/quicktime": ("quicktime",),
}

_SIGNATURES: Final = (
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (0, b"II*\0", "image/tiff"),
    (0, b"MM\0*", "image/tiff"),
    (0, b"\0\0\1\0", "image/x-icon"),
    (0, b"%PDF-", "application/pdf"),
    (0, b"PK\3\4", "zip"),
    (0, b"PK\5\6", "zip"),
    (0, b"{\\rtf", "application/rtf"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole"),
    (0, b"\x1f\x8b", "application/gzip"),
    (0, b"Rar!\x1a\7", "application/rar"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (257, b"ustar", "application/x-tar"),
    (0, b"8BPS", "photoshop"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"OggS", "ogg"),
    (0, b"MThd", "audio/midi"),
    (0, b"\x1aE\xdf\xa3", "matroska"),
    (0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", "asf"),
    (0, b"FLV\1", "video/x-flv"),
    (0, b"\0\0\1\xba", "video/mpeg"),
    (0, b"\0\0\1\xb3", "video/mpeg"),
    (4, b"moov", "quicktime"),
    (4, b"mdat", "quicktime"),
    (0, b"MZ", "program"),
    (0, b"\x7fELF", "program"),
    (0, b"#!", "program"),
)
_RIFF: Final = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/avi"}
_BRANDS: Final = {
    b"avif": "image/avif", b"avis": "image/avif", b"heic": "image/heic", b"heix": "image/heic",
    b"hevc": "image/heic", b"hevx": "image/heic", b"mif1": "image/heif", b"msf1": "image/heif",
}  # fmt: skip
_MARKUP: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype|!--|\?|html|head|body|script|svg|iframe|style|title|meta|link|a\b|div|p\b|img)",
    re.IGNORECASE,
)
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")


class FileRefused(ApiError):
    """The file cannot be stored. Its code depends on the way of upload, so the routes set it."""

    code = "rest_upload_sideload_error"
    message = "The file cannot be kept: {reason}."

    def __init__(self, reason: str) -> None:
        super().__init__(reason=reason)
        self.reason = reason


def resolve_file_type(ending: str, head: bytes) -> tuple[str, str]:
    """Return the extension and the MIME type under which a file is stored.

    ending: the extension of its name, in lower case, without a dot. head: its first HEAD_BYTES bytes.
    Raises FileRefused.
    """
    claimed = TYPE_OF_EXTENSION.get(ending)
    if claimed is None:
        raise FileRefused(reason=f"files that end in .{ending} are not taken" if ending else "its name has no ending")
    found = detect_file_type(head)
    if found.startswith("image/"):
        if not claimed.startswith("image/"):
            raise FileRefused(reason=f"it is an image, and its name ends in .{ending}")
        if found == claimed or (found, claimed) in (("image/heif", "image/heic"), ("image/heic", "image/heif")):
            return ending, claimed
        return EXTENSION_OF_TYPE[found], found
    if claimed.startswith("text/"):
        if found != "text":
            raise FileRefused(reason=f"it is no plain text, and its name ends in .{ending}")
        return ending, claimed
    if found != _EXPECTED_SIGNATURES.get(
        claimed, _normalize_zip_type(claimed)
    ) and found not in _ALTERNATIVE_SIGNATURES.get(claimed, ()):
        raise FileRefused(reason=f"its content is not what a name that ends in .{ending} promises")
    return ending, claimed


def detect_file_type(head: bytes) -> str:
    """Return the type of a file by its first bytes: a MIME type, or a name for several types such as `text`.

    Empty if unknown.
    """
    for at, sign, found in _SIGNATURES:
        if head.startswith(sign, at):
            return found
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12], "")
    if head[4:8] == b"ftyp":
        return _detect_iso_brand(head)
    if head[:2] == b"BM" and head[6:10] == b"\0\0\0\0":
        return "image/bmp"
    if len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0 and not head.startswith(_UTF16):
        return "audio/aac" if head[1] & 0x06 == 0 else "audio/mpeg"
    if _MARKUP.match(head):
        return "markup"
    return "text" if head.startswith(_UTF16) or b"\0" not in head else ""


def _detect_iso_brand(head: bytes) -> str:
    """Return the type of an ISO base media file by the brands at its beginning."""
    size = min(int.from_bytes(head[:4], "big"), 256)
    brands = [head[8:12], *(head[at : at + 4] for at in range(16, size - 3, 4))]
    found = [_BRANDS[brand] for brand in brands if brand in _BRANDS]
    # `mif1` accompanies the codec's brand, which says more.
    return next((one for one in found if one != "image/heif"), found[0] if found else "iso")


def _normalize_zip_type(mime: str) -> str:
    packed = ("application/vnd.openxml", "application/vnd.oasis", "application/vnd.apple", "application/epub")
    return "zip" if mime == "application/zip" or mime.startswith(packed) else mime
