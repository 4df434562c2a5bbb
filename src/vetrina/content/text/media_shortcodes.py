"""Rendering of captions, audio, video and embeds in content, and of URLs alone on a line.

Not here: the grammar of shortcodes (content/text/shortcodes.py), fetching embeds (media/oembed/).
Rules: docs/rules/markup.md, 12. The kind of a file follows from the ending of its URL. Pages of other sites are not
embedded here, so an embed shortcode becomes a link, and a URL alone on a line stays text.
"""

import re
from collections.abc import Callable, Mapping
from html import escape
from typing import Final

from vetrina.content.text.tag_attributes import MARKUP_TOKEN, find_unclosed_tag
from vetrina.content.text.url_protocols import has_safe_protocol

_SOUNDS: Final = {
    "mp3": "audio/mpeg", "ogg": "audio/ogg", "flac": "audio/flac", "m4a": "audio/mpeg", "wav": "audio/wav",
}  # fmt: skip
_FILMS: Final = {
    "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "ogv": "video/ogg", "flv": "video/x-flv",
}  # fmt: skip
_FILM_SITES: Final = re.compile(
    r"https?://(?:www\.)?(?:youtube\.com|youtu\.be|(?:player\.)?vimeo\.com)/", re.IGNORECASE
)

_IMAGE: Final = re.compile(r"(?:<a\s[^<>]+>\s*+)?<img\s[^<>]+>(?:\s*+</a>)?", re.IGNORECASE)
_ENTITY: Final = re.compile(r"&(?!#\d+;|#[xX][0-9a-fA-F]+;|[A-Za-z][A-Za-z0-9]*;)")
_NOT_IN_ADDRESSES: Final = re.compile(r"[\x00-\x20\"<>\\^`{}\x7f]")
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_SCHEMES: Final = frozenset(
    ("http", "https", "ftp", "ftps", "mailto", "news", "irc", "irc6", "ircs", "gopher", "nntp", "feed", "telnet",
     "mms", "rtsp", "sms", "svn", "tel", "fax", "xmpp", "webcal", "urn")
)  # fmt: skip
_STANDALONE_URL: Final = re.compile(r"^(\s*)(https?://[^\s<>\"]+)(\s*)$", re.IGNORECASE | re.ASCII)
_STANDALONE_URL_PARAGRAPH: Final = re.compile(
    r"(<p(?: [^<>]*)?>[ \t\r\n]*+)(https?://[^\s<>\"]++)([ \t\r\n]*+</p>)", re.IGNORECASE | re.ASCII
)


def render_caption(given: Mapping[str, str], content: str, expanded: Callable[[str], str]) -> str:
    """Return the figure of a caption shortcode, or its content when width or caption are missing.

    content: an image, possibly linked, and the caption after it. expanded: expands shortcodes inside the content.
    """
    words = given.get("caption")
    if words is None and (image := _IMAGE.search(content)):
        words, content = content[image.end() :].strip(), image[0]
    elif words is not None and (opened := find_unclosed_tag(words)) >= 0:
        # A quote in the caption may end a tag: the rest of that tag would take in what follows.
        words = words[:opened] + escape(words[opened:], quote=False)
    width = _parse_whole_number(given.get("width", ""))
    if width < 1 or not words:
        return content
    identity = _sanitize_id(given.get("id", ""))
    described = _sanitize_id(given.get("caption_id", "")) or (
        f"caption-{identity.replace('_', '-')}" if identity else ""
    )
    classes = f"wp-caption {given.get('align', 'alignnone')} {given.get('class', '')}".strip()
    return (
        "<figure "
        + (f'id="{identity}" ' if identity else "")
        + (f'aria-describedby="{described}" ' if described else "")
        + f'style="width: {width}px" class="{escape_attribute(classes)}">{expanded(content)}<figcaption '
        + (f'id="{described}" ' if described else "")
        + f'class="wp-caption-text">{words}</figcaption></figure>'
    )


def render_player(kind: str, given: Mapping[str, str], content: str) -> str:
    """Return the player of an audio or video shortcode: a link for another kind of file, nothing without a file.

    kind: "audio" or "video". given: the file as `src`, or by its ending (`mp3="…"`).
    """
    types = _SOUNDS if kind == "audio" else _FILMS
    source = given.get("src", "")
    if source and not (_get_extension(source) in types or (kind == "video" and _FILM_SITES.match(source))):
        return f'<a class="wp-embedded-{kind}" href="{escape_url(source)}">{escape_attribute(source)}</a>'
    files = [given[name] for name in ("src", *types) if given.get(name)]
    if not files:
        return ""
    switches = [name for name in ("loop", "autoplay", "muted") if given.get(name, "").lower() in ("on", "1", "true")]
    sources = "".join(
        f'<source type="{types.get(_get_extension(file), "video/youtube" if "youtu" in file else "video/vimeo")}"'
        f' src="{escape_url(file + ("&" if "?" in file else "?") + "_=1")}" />'
        for file in files
    )
    link = f'<a href="{escape_url(files[0])}">{escape_url(files[0])}</a>'
    if kind == "audio":
        attrs = ['class="wp-audio-shortcode" id="audio-0-1"', *switches, 'preload="none" style="width: 100%;"']
        return f'<audio {" ".join(attrs)} controls="controls">{sources}{link}</audio>'
    width, height = _parse_whole_number(given.get("width", "640")), _parse_whole_number(given.get("height", "360"))
    attrs = [f'class="wp-video-shortcode" id="video-0-1" width="{width}" height="{height}"']
    if given.get("poster"):
        attrs.append(f'poster="{escape_url(given["poster"])}"')
    attrs += [*switches, f'preload="{escape_attribute(given.get("preload", "metadata"))}"']
    player = f'<video {" ".join(attrs)} controls="controls">{sources}{content.strip()}{link}</video>'
    return f'<div style="width: {width}px;" class="wp-video">{player}</div>'


def render_embed(given: Mapping[str, str], content: str) -> str:
    """Return the rendering of an embed shortcode: a player shortcode for audio or video, else a link; nothing without a
    URL.
    """
    target = (content or given.get("src", "")).replace("&amp;", "&")
    return _build_file_shortcode(target) or (
        f'<a href="{escape_url(target)}">{escape_attribute(target)}</a>' if target else ""
    )


def embed_standalone_urls(html: str) -> str:
    """Return `html` where a URL that fills a line or paragraph becomes a player if it is an audio or video file."""
    if "://" not in html:
        return html
    # Line ends within tags and comments do not end a line of the text.
    plain = MARKUP_TOKEN.sub(lambda token: token[0].replace("\n", " "), html) if "<" in html else html
    lines: list[str] = []
    at = 0
    for line in plain.split("\n"):
        found = _STANDALONE_URL.match(line) if "://" in line else None
        lines.append(_embed_standalone_url(found) if found else html[at : at + len(line)])
        at += len(line) + 1
    return _STANDALONE_URL_PARAGRAPH.sub(_embed_standalone_url, "\n".join(lines))


def escape_attribute(value: str) -> str:
    """Return `value` escaped for an attribute or element; its entities stay."""
    kept = _ENTITY.sub("&amp;", value)
    return escape(kept.replace("&", "\0"), quote=True).replace("\0", "&").replace("&#x27;", "&#039;")


def escape_url(value: str) -> str:
    """Return `value` as a URL in an attribute: invalid characters dropped, `&` as entity, empty for an unknown scheme.

    Entities in `value` are decoded as browsers do, so that none of them hides a scheme.
    """
    kept = _NOT_IN_ADDRESSES.sub("", value.strip().replace(" ", "%20"))
    if not kept:
        return ""
    scheme = _SCHEME.match(kept)
    if scheme is None and kept[0] not in "/#?" and ":" not in kept:
        kept = f"http://{kept}"
    elif scheme is not None and scheme[1].lower() not in _SCHEMES:
        return ""
    if not has_safe_protocol(kept):
        return ""
    return _ENTITY.sub("&#038;", kept.replace("&amp;", "&#038;")).replace("'", "&#039;")


def _embed_standalone_url(match: re.Match[str]) -> str:
    target = match[2].replace("&amp;", "&")
    return f"{match[1]}{_build_file_shortcode(target) or target}{match[3]}"


def _build_file_shortcode(target: str) -> str:
    if not target.lower().startswith(("http://", "https://")):
        return ""
    ending = _get_extension(target)
    kind = "audio" if ending in _SOUNDS else "video" if ending in _FILMS else ""
    if not kind or "?" in target:
        return ""
    return f'[{kind} {"" if kind == "audio" else " "}src="{escape_url(target)}" /]'


def _get_extension(target: str) -> str:
    return target.partition("?")[0].rpartition(".")[2].lower()


def _sanitize_id(value: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "", re.sub(r"%[a-fA-F0-9]{2}", "", value))


def _parse_whole_number(value: str) -> int:
    digits = re.match(r"\s*(\d{1,9})", value)
    return int(digits[1]) if digits else 0
