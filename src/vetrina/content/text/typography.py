"""Typography of rendered text: curly quotes, apostrophes, primes, dashes, ellipses, × and bare ampersands.

Rules: docs/rules/markup.md, 10. All characters are written as decimal entities. Tags, comments, known shortcodes, and
the text of code, keyboard, preformatted, script, style and teletype elements stay; only `&` in tags is encoded. Each
text between two tags is treated on its own: its ends count as ends of the text. A straight quote mark is classified by
its neighbours. If it is neither an opening mark nor an apostrophe, it may close a quotation or be a prime (feet,
inches, minutes): that is decided per sentence, which reaches from one opening mark to the next.
"""

import re
from collections.abc import Sequence
from typing import Final

from vetrina.content.text.shortcodes import KNOWN_SHORTCODES
from vetrina.kernel.chunked_regex import LONG_TEXT_LENGTH, has_match, iterate_matches, iterate_pieces

OPEN_DOUBLE, CLOSE_DOUBLE, DOUBLE_PRIME = "&#8220;", "&#8221;", "&#8243;"
OPEN_SINGLE, CLOSE_SINGLE, PRIME, APOSTROPHE = "&#8216;", "&#8217;", "&#8242;", "&#8217;"
EN_DASH, EM_DASH, TIMES = "&#8211;", "&#8212;", "&#215;"

_ELIDED: Final = ("tain't", "twere", "twas", "tis", "twill", "til", "bout", "nuff", "round", "cause", "em")
# In this order: two apostrophes are a closing mark before one of them can begin a word.
_FIXED: Final = (
    ("...", "&#8230;"),
    ("``", OPEN_DOUBLE),
    ("''", CLOSE_DOUBLE),
    (" (tm)", " &#8482;"),
    *(("'" + word, APOSTROPHE + word.replace("'", APOSTROPHE)) for word in _ELIDED),
)

_TOKEN: Final = re.compile(
    r"<!(?=--)(?s:.*?)(?:-->|\Z)|<[^>]*>?"
    rf"|\[[/\[]?(?:{'|'.join(KNOWN_SHORTCODES)})(?=[\s\]/])(?:[^\[\]<>]++|<[^\[\]>]*>)*+\]\]?",
    re.ASCII,
)
_TOKEN_START: Final = re.compile(r"[<\[]")
_SPECIAL_START: Final = re.compile(r"['\"&.` \d-]", re.ASCII)
_SPECIAL: Final = re.compile(r"['\"&-]|\.\.\.|``| \(tm\)|\dx\d", re.ASCII)
_BARE_AMPERSAND: Final = re.compile(r"&(?!#[0-9]+;|#[xX][0-9a-fA-F]+;|[A-Za-z1-4]{1,8};)")
_VERBATIM: Final = frozenset(("pre", "code", "kbd", "style", "script", "tt"))

_SINGLE: Final = re.compile("'")
_DOUBLE: Final = re.compile('"')
_YEAR: Final = re.compile(r"'\d\d(?![%\d]|[.,]\d)", re.ASCII)
_QUOTED_NUMBER: Final = re.compile(r"\d[.,\d]*", re.ASCII)
_BLANK: Final = re.compile(r"[ \t\r\n\xa0]|&nbsp;")
_MAY_CLOSE: Final = re.compile(r"[ \t\r\n\xa0.,:;!?)}\]-]|&nbsp;|&gt;|\Z")
_NO_WORD: Final = re.compile(r"[ \t\r\n\xa0.,:;!?\"'(){}\[\]-]|&nbsp;|&[lg]t;|\Z")
_DASHES: Final = re.compile("-+")
_PRODUCT: Final = re.compile(r"\dx\d", re.ASCII)
_TIMES: Final = re.compile(r"(?<=[\d.,])x(?=\d++(?!\w))", re.ASCII)

_DIGITS: Final = frozenset("0123456789")
_BLANKS: Final = frozenset(" \t\r\n\xa0")


def typeset_markup(html: str) -> str:
    """Return `html` with typographic text.

    html: markup or plain text; broken markup is tolerated (a `<` without `>` is a tag up to the end).
    """
    if not has_match(_SPECIAL, html, _SPECIAL_START):
        return html
    done: list[str] = []
    verbatim: list[str] = []
    at = 0
    for token in iterate_matches(_TOKEN, html, _TOKEN_START):
        if token.start() > at:
            text = html[at : token.start()]
            done.append(text if verbatim else _typeset_text(text))
        at = token.end()
        delimiter = token[0]
        if delimiter[0] == "<" and not delimiter.startswith("<!--"):
            delimiter = _BARE_AMPERSAND.sub("&#038;", delimiter)
            _track_verbatim(delimiter, verbatim)
        done.append(delimiter)
    text = html[at:]
    done.append(text if verbatim else _typeset_text(text))
    return "".join(done)


def encode_ampersands(html: str) -> str:
    """Return `html` with the bare ampersands that typography leaves, those in code, as entities."""
    return _BARE_AMPERSAND.sub("&#038;", html) if "&" in html else html


def _track_verbatim(tag: str, verbatim: list[str]) -> None:
    closing = tag.startswith("</") or len(tag) == 1
    if closing and not verbatim:
        return
    # The name ends at the first blank; without one only the last character is cut, so `<code\tx>` opens nothing.
    name = tag[2 if closing else 1 :].partition(" ")[0] if " " in tag else tag[2 if closing else 1 : -1]
    if name not in _VERBATIM:
        return
    if not closing:
        verbatim.append(name)
    elif verbatim[-1] == name:
        verbatim.pop()


def _typeset_text(text: str) -> str:
    if len(text) > LONG_TEXT_LENGTH:
        # Very long text without a tag is handled in parts: the marks of all of it take a hundred times its memory.
        return "".join([_typeset_text(piece) for piece in iterate_pieces(text, "\n ")])
    if not _SPECIAL.search(text):
        return text
    for plain, typographic in _FIXED:
        if plain in text:
            text = text.replace(plain, typographic)
    if "'" in text:
        text = _replace_single_marks(text)
    if '"' in text:
        text = _replace_double_marks(text)
    if "-" in text:
        text = _DASHES.sub(_replace_dashes, text)
    if _PRODUCT.search(text):
        text = _replace_times(text)
    return _BARE_AMPERSAND.sub("&#038;", text) if "&" in text else text


def _replace_single_marks(text: str) -> str:
    marks = [found.start() for found in _SINGLE.finditer(text)]
    years = {at for at in marks if _YEAR.match(text, at)}
    replacements: dict[int, str] = {}
    openings: list[int] = []
    closings: list[int] = []
    for at in marks:
        if at in replacements:
            continue
        if at in years:
            replacements[at] = APOSTROPHE
            # '99' and '99" may be a year at the end of a quotation: the second mark closes it.
            if text[at + 3 : at + 4] in ("'", '"') and _MAY_CLOSE.match(text, at + 4):
                replacements[at + 3] = CLOSE_SINGLE if text[at + 3] == "'" else CLOSE_DOUBLE
                closings += [at + 3] * (text[at + 3] == "'")
        elif _may_open_quote(text, at, '([{-"'):
            openings.append(at)
            replacements[at] = OPEN_SINGLE
            end = _find_number_end(text, at, "'")
            if end and end not in years:
                replacements[end] = CLOSE_SINGLE
                closings.append(end)
        elif not _is_after_blank(text, at) and not _NO_WORD.match(text, at + 1):
            replacements[at] = APOSTROPHE
    pending = [at for at in marks if at not in replacements]
    _classify_marks(text, pending, openings, closings, (CLOSE_SINGLE, PRIME), replacements)
    return _insert_signs(text, replacements)


def _replace_double_marks(text: str) -> str:
    marks = [found.start() for found in _DOUBLE.finditer(text)]
    replacements: dict[int, str] = {}
    openings: list[int] = []
    closings: list[int] = []
    for at in marks:
        if at in replacements:
            continue
        end = _find_number_end(text, at, '"')
        if end:
            replacements[end] = CLOSE_DOUBLE
            closings.append(end)
        if end or (_may_open_quote(text, at, "([{-") and not _BLANK.match(text, at + 1)):
            replacements[at] = OPEN_DOUBLE
            openings.append(at)
    pending = [at for at in marks if at not in replacements]
    _classify_marks(text, pending, openings, closings, (CLOSE_DOUBLE, DOUBLE_PRIME), replacements)
    for at in pending:
        replacements.setdefault(at, CLOSE_DOUBLE)
    return _insert_signs(text, replacements)


def _classify_marks(
    text: str,
    pending: Sequence[int],
    openings: Sequence[int],
    closings: Sequence[int],
    kinds: tuple[str, str],
    replacements: dict[int, str],
) -> None:
    """Add to `replacements` which of the `pending` marks close and which are primes; the others stay as they are.

    All sequences hold ascending indexes in `text`. kinds: the closing character and the prime.
    """
    close, prime = kinds
    bounds = [*openings, len(text)]
    sentence, closed, at = 0, 0, 0
    while at < len(pending):
        while bounds[sentence] < pending[at]:
            sentence += 1
        start, stop = (bounds[sentence - 1] if sentence else 0), bounds[sentence]
        beyond = at
        while beyond < len(pending) and pending[beyond] < stop:
            beyond += 1
        marks = pending[at:beyond]
        at = beyond
        while closed < len(closings) and closings[closed] < start:
            closed += 1
        already = (closed < len(closings) and closings[closed] < stop) or text.find(close, start, stop) >= 0
        chosen = _choose_closing_marks(text, marks) if sentence and not already else None
        for mark in marks:
            after_digit = mark > 0 and text[mark - 1] in _DIGITS
            # Within an open quotation a closing mark is more likely than a unit; elsewhere the unit comes first.
            if chosen is not None and mark in chosen:
                replacements[mark] = close
            elif after_digit:
                replacements[mark] = prime
            elif chosen is None and _MAY_CLOSE.match(text, mark + 1):
                replacements[mark] = close


def _choose_closing_marks(text: str, marks: Sequence[int]) -> set[int]:
    """Return the marks that close an open quotation.

    A single candidate is chosen. Of several, those that follow no digit; else the last before a full stop; else the
    last.
    """
    candidates = [mark for mark in marks if _MAY_CLOSE.match(text, mark + 1)]
    if len(candidates) < 2:
        return set(candidates)
    behind_words = {mark for mark in candidates if text[mark - 1] not in _DIGITS}
    if behind_words:
        return behind_words
    before_stops = [mark for mark in candidates if text.startswith(".", mark + 1)]
    return {(before_stops or candidates)[-1]}


def _insert_signs(text: str, replacements: dict[int, str]) -> str:
    done: list[str] = []
    at = 0
    for mark in sorted(replacements):
        done.append(text[at:mark])
        done.append(replacements[mark])
        at = mark + 1
    done.append(text[at:])
    return "".join(done)


def _is_after_blank(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] in _BLANKS or text.endswith("&nbsp;", 0, at)


def _may_open_quote(text: str, at: int, openers: str) -> bool:
    return _is_after_blank(text, at) or text[at - 1] in openers or text.endswith("&lt;", 0, at)


def _find_number_end(text: str, at: int, mark: str) -> int:
    """Return the index of the mark that ends a quoted number ("4,242.00") which begins at `at`, or 0."""
    number = _QUOTED_NUMBER.match(text, at + 1) if _is_after_blank(text, at) else None
    return number.end() if number and text.startswith(mark, number.end()) else 0


def _replace_dashes(run: re.Match[str]) -> str:
    """Return a run of hyphens as dashes: threes are em dashes, the rest depends on what is around it."""
    text, count = run.string, run.end() - run.start()
    threes, rest = divmod(count, 3)
    if threes:
        return EM_DASH * threes + (EN_DASH if rest == 2 else "-" * rest)
    alone = _is_after_blank(text, run.start()) and (run.end() == len(text) or _BLANK.match(text, run.end()))
    if rest == 2:
        # Encoded host names (xn--…) keep theirs.
        return EM_DASH if alone else run[0] if text.endswith("xn", 0, run.start()) else EN_DASH
    return EN_DASH if alone else run[0]


def _replace_times(text: str) -> str:
    def times(match: re.Match[str]) -> str:
        return TIMES if _is_factor(text, match.start()) else "x"

    return _TIMES.sub(times, text)


def _is_factor(text: str, end: int) -> bool:
    """Return whether a number ends at `end`; a lone 0 does not count, for 0x1F is one number."""
    start = end
    while start and (text[start - 1] in _DIGITS or text[start - 1] in ".,"):
        start -= 1
        first = text[start] in _DIGITS and (
            start == 0 or not (text[start - 1].isascii() and _is_word_character(text[start - 1]))
        )
        if first and (text[start] != "0" or start + 1 < end):
            return True
    return False


def _is_word_character(character: str) -> bool:
    return character.isalnum() or character == "_"
