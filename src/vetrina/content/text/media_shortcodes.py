"""What captions, sound, film and embeds in content become, and addresses that stand alone on a line.

Not here: the grammar of shortcodes (content/text/shortcodes.py), asking another site how it wants to be embedded.
Rules: observed on rendered content. Files are judged by the ending of their address. A foreign page gives no embed
here, so an embed shortcode becomes a link, and an address alone on a line stays text.
"""

import re
from collections.abc import Callable, Mapping
from html import escape
from typing import Final

from vetrina.content.text.tag_attributes import TOKEN, open_end
from vetrina.content.text.url_protocols import is_harmless

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
_NOT_IN_ADDRESSES: Final = re.compile(r"[^a-zA-Z0-9\-~+_.?#=!&;,/:%@$|*'()\[\]\x80-\U0010ffff]")
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_SCHEMES: Final = frozenset(
    ("http", "https", "ftp", "ftps", "mailto", "news", "irc", "irc6", "ircs", "gopher", "nntp", "feed", "telnet",
     "mms", "rtsp", "sms", "svn", "tel", "fax", "xmpp", "webcal", "urn")
)  # fmt: skip
_LONELY: Final = re.compile(r"^(\s*)(https?://[^\s<>\"]+)(\s*)$", re.IGNORECASE | re.ASCII)
_LONELY_PARAGRAPH: Final = re.compile(
    r"(<p(?: [^<>]*)?>[ \t\r\n]*+)(https?://[^\s<>\"]++)([ \t\r\n]*+</p>)", re.IGNORECASE | re.ASCII
)


def caption(given: Mapping[str, str], content: str, expanded: Callable[[str], str]) -> str:
    """Return the figure of a caption shortcode, or its content when no width or no words are given.

    content: an image, maybe linked, and the words behind it. expanded: replaces shortcodes inside the content.
    """
    words = given.get("caption")
    if words is None and (image := _IMAGE.search(content)):
        words, content = content[image.end() :].strip(), image[0]
    elif words is not None and (opened := open_end(words)) >= 0:
        # The quote that ends the words may stand within a tag: what is left of it would take in what follows.
        words = words[:opened] + escape(words[opened:], quote=False)
    width = _whole(given.get("width", ""))
    if width < 1 or not words:
        return content
    identity = _name(given.get("id", ""))
    described = _name(given.get("caption_id", "")) or (f"caption-{identity.replace('_', '-')}" if identity else "")
    classes = f"wp-caption {given.get('align', 'alignnone')} {given.get('class', '')}".strip()
    return (
        "<figure "
        + (f'id="{identity}" ' if identity else "")
        + (f'aria-describedby="{described}" ' if described else "")
        + f'style="width: {width}px" class="{attribute(classes)}">{expanded(content)}<figcaption '
        + (f'id="{described}" ' if described else "")
        + f'class="wp-caption-text">{words}</figcaption></figure>'
    )


def player(kind: str, given: Mapping[str, str], content: str) -> str:
    """Return the player of a sound or film shortcode: a link for another kind of file, nothing without a file.

    kind: "audio" or "video". given: the file as `src`, or by its ending (`mp3="…"`).
    """
    types = _SOUNDS if kind == "audio" else _FILMS
    source = given.get("src", "")
    if source and not (_ending(source) in types or (kind == "video" and _FILM_SITES.match(source))):
        return f'<a class="wp-embedded-{kind}" href="{address(source)}">{attribute(source)}</a>'
    files = [given[name] for name in ("src", *types) if given.get(name)]
    if not files:
        return ""
    switches = [name for name in ("loop", "autoplay", "muted") if given.get(name, "").lower() in ("on", "1", "true")]
    sources = "".join(
        f'<source type="{types.get(_ending(file), "video/youtube" if "youtu" in file else "video/vimeo")}"'
        f' src="{address(file + ("&" if "?" in file else "?") + "_=1")}" />'
        for file in files
    )
    link = f'<a href="{address(files[0])}">{address(files[0])}</a>'
    if kind == "audio":
        facts = ['class="wp-audio-shortcode" id="audio-0-1"', *switches, 'preload="none" style="width: 100%;"']
        return f'<audio {" ".join(facts)} controls="controls">{sources}{link}</audio>'
    width, height = _whole(given.get("width", "640")), _whole(given.get("height", "360"))
    facts = [f'class="wp-video-shortcode" id="video-0-1" width="{width}" height="{height}"']
    if given.get("poster"):
        facts.append(f'poster="{address(given["poster"])}"')
    facts += [*switches, f'preload="{attribute(given.get("preload", "metadata"))}"']
    film = f'<video {" ".join(facts)} controls="controls">{sources}{content.strip()}{link}</video>'
    return f'<div style="width: {width}px;" class="wp-video">{film}</div>'


def embed(given: Mapping[str, str], content: str) -> str:
    """Return what an embed shortcode becomes: a shortcode for a sound or film, else a link, nothing without address."""
    target = (content or given.get("src", "")).replace("&amp;", "&")
    return _file_shortcode(target) or (f'<a href="{address(target)}">{attribute(target)}</a>' if target else "")


def embed_lonely_addresses(html: str) -> str:
    """Return `html` where an address that fills a line or paragraph is a player if it names a sound or film."""
    if "://" not in html:
        return html
    # Line ends within tags and comments end no line of the text.
    plain = TOKEN.sub(lambda token: token[0].replace("\n", " "), html) if "<" in html else html
    lines: list[str] = []
    at = 0
    for line in plain.split("\n"):
        found = _LONELY.match(line) if "://" in line else None
        lines.append(_lonely(found) if found else html[at : at + len(line)])
        at += len(line) + 1
    return _LONELY_PARAGRAPH.sub(_lonely, "\n".join(lines))


def attribute(value: str) -> str:
    """Return `value` as text of an attribute or element; entities that stand in it stay."""
    kept = _ENTITY.sub("&amp;", value)
    return escape(kept.replace("&", "\0"), quote=True).replace("\0", "&").replace("&#x27;", "&#039;")


def address(value: str) -> str:
    """Return `value` as an address in an attribute: foreign signs dropped, `&` as entity, unknown schemes emptied.

    value: its entities count as what browsers read them as, so that none of them hides a scheme.
    """
    kept = _NOT_IN_ADDRESSES.sub("", value.strip().replace(" ", "%20"))
    if not kept:
        return ""
    scheme = _SCHEME.match(kept)
    if scheme is None and kept[0] not in "/#?" and ":" not in kept:
        kept = f"http://{kept}"
    elif scheme is not None and scheme[1].lower() not in _SCHEMES:
        return ""
    if not is_harmless(kept):
        return ""
    return _ENTITY.sub("&#038;", kept.replace("&amp;", "&#038;")).replace("'", "&#039;")


def _lonely(found: re.Match[str]) -> str:
    target = found[2].replace("&amp;", "&")
    return f"{found[1]}{_file_shortcode(target) or target}{found[3]}"


def _file_shortcode(target: str) -> str:
    if not target.lower().startswith(("http://", "https://")):
        return ""
    ending = _ending(target)
    kind = "audio" if ending in _SOUNDS else "video" if ending in _FILMS else ""
    if not kind or "?" in target:
        return ""
    return f'[{kind} {"" if kind == "audio" else " "}src="{address(target)}" /]'


def _ending(target: str) -> str:
    return target.partition("?")[0].rpartition(".")[2].lower()


def _name(value: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "", re.sub(r"%[a-fA-F0-9]{2}", "", value))


def _whole(value: str) -> int:
    digits = re.match(r"\s*(\d{1,9})", value)
    return int(digits[1]) if digits else 0
