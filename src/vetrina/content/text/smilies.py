"""Text smilies as emoji: `:)` becomes U+1F642 between blanks or at the ends of a text.

Rules: docs/rules/markup.md, 10; smilies in code, preformatted text, scripts, styles and text areas stay.
"""

import re
from typing import Final

from vetrina.kernel.chunked_regex import has_match

_EMOJI: Final = {
    ":mrgreen:": "\U0001f601", ":neutral:": "\U0001f610", ":twisted:": "\U0001f608", ":arrow:": "\u27a1",
    ":shock:": "\U0001f62f", ":smile:": "\U0001f642", ":???:": "\U0001f615", ":cool:": "\U0001f60e",
    ":evil:": "\U0001f47f", ":grin:": "\U0001f600", ":idea:": "\U0001f4a1", ":oops:": "\U0001f633",
    ":razz:": "\U0001f61b", ":roll:": "\U0001f644", ":wink:": "\U0001f609", ":cry:": "\U0001f625",
    ":eek:": "\U0001f62e", ":lol:": "\U0001f606", ":mad:": "\U0001f621", ":sad:": "\U0001f641",
    "8-)": "\U0001f60e", "8-O": "\U0001f62f", ":-(": "\U0001f641", ":-)": "\U0001f642", ":-?": "\U0001f615",
    ":-D": "\U0001f600", ":-P": "\U0001f61b", ":-o": "\U0001f62e", ":-x": "\U0001f621", ":-|": "\U0001f610",
    ";-)": "\U0001f609", "8O": "\U0001f62f", ":(": "\U0001f641", ":)": "\U0001f642", ":?": "\U0001f615",
    ":D": "\U0001f600", ":P": "\U0001f61b", ":o": "\U0001f62e", ":x": "\U0001f621", ":|": "\U0001f610",
    ";)": "\U0001f609", ":!:": "\u2757", ":?:": "\u2753",
}  # fmt: skip

_ANY: Final = "|".join(re.escape(smiley) for smiley in sorted(_EMOJI, key=len, reverse=True))
_ANYWHERE: Final = re.compile(_ANY)
_START: Final = re.compile("[:;8]")
_SMILEY: Final = re.compile(rf"(?:^|(?<=[ \t\r\n\xa0])|(?<=&nbsp;))(?:{_ANY})(?=$|[ \t\r\n\xa0]|&nbsp;)", re.MULTILINE)
_VERBATIM: Final = re.compile(r"<(code|pre|style|script|textarea)")


def may_have_smilies(text: str) -> bool:
    """Return whether a text has the characters of a smiley anywhere."""
    return has_match(_ANYWHERE, text, _START)


def replace_smilies(html: str) -> str:
    """Return `html` with the smilies of its text replaced by emoji.

    Source: observed; `:roll:` and `:mrgreen:`, which have no exact emoji, become the nearest one.
    """
    if not may_have_smilies(html):
        return html
    done: list[str] = []
    inside = ""
    for number, line in enumerate(html.split("\n")):
        if number:
            done.append("\n")
        at = 0
        while at < len(line):
            start = line.find("<", at)
            end = line.find(">", start) if start >= 0 else -1
            # A `<` without a `>` on the same line is text, like all that follows on the line.
            stop = start if end >= 0 else len(line)
            done.append(line[at:stop] if inside else _SMILEY.sub(_get_emoji, line[at:stop]))
            if end < 0:
                break
            tag = line[start : end + 1]
            done.append(tag)
            at = end + 1
            if inside:
                inside = "" if tag == f"</{inside}>" else inside
            elif opened := _VERBATIM.match(tag):
                inside = opened[1]
    return "".join(done)


def _get_emoji(match: re.Match[str]) -> str:
    return _EMOJI[match[0]]
