"""What of a CSS text may stand in the site's style sheet: whole declarations and rules, brackets in pairs.

Whatever was stored, what comes out ends where it began: no bracket, string or comment is left open, none is closed that
was not opened, no `<` could end a style element, nothing is imported, and only addresses of the site are loaded. What
does not fit is left out, with the declaration or the rule that it is in. Rules: docs/rules/global_styles.md, 9.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from vetrina.design.styles.css.addresses import AddressPolicy
from vetrina.design.styles.css.tokens import CssToken, quote, tokenize

MAX_VALUE_LENGTH: Final = 10_000  # characters of a value; nobody writes more by hand
MAX_CSS_LENGTH: Final = 500_000  # characters of a piece of custom CSS
_MAX_DEPTH: Final = 12  # nested rules
_CLOSING: Final = {"(": ")", "[": "]"}
# Strings in them are addresses.
_ADDRESS_FUNCTIONS: Final = frozenset(("url", "src", "image", "image-set", "-webkit-image-set"))
# What they give is known to browsers only.
_SUBSTITUTIONS: Final = frozenset(("var", "env", "attr", "if", "inherit"))
_AT_RULES: Final = frozenset((
    "@container", "@counter-style", "@font-face", "@keyframes", "@layer", "@media", "@page", "@property", "@scope",
    "@starting-style", "@supports",
))  # fmt: skip
_OWN_PREFIX: Final = "--cms--"
_PREFIX: Final = "--wp--"


def clean_value(text: str, policy: AddressPolicy) -> str:
    """Return the value of a declaration, empty for one that may not stand in the sheet."""
    if len(text) > MAX_VALUE_LENGTH:
        return ""
    return _clean_tokens(list(tokenize(rename_properties(text))), policy)


def clean_rules(text: str, policy: AddressPolicy, *, nested: bool = False) -> str:
    """Return the rules of a piece of custom CSS that may stand in the sheet.

    nested: it is the inside of a rule, so that it may have declarations, and `&` is what that rule selects.
    """
    if len(text) > MAX_CSS_LENGTH:
        return ""
    return _RuleReader(tokenize(rename_properties(text)), policy).read(declarations=nested)


def rename_properties(text: str) -> str:
    """Return a CSS text with the custom properties of the site under the name that markup calls them by."""
    return text.replace(_OWN_PREFIX, _PREFIX)


class _RuleReader:
    def __init__(self, tokens: Iterator[CssToken], policy: AddressPolicy) -> None:
        self._tokens, self._policy = tokens, policy

    def read(self, *, declarations: bool, depth: int = 0) -> str:
        """Return what stands up to the bracket that closes this block, or to the end."""
        out: list[str] = []
        part: list[CssToken] = []
        for token in self._tokens:
            match token.text if token.kind == "mark" else "":
                case "}":
                    if depth:
                        break
                case ";":
                    out.append(self._clean_declaration(part) if declarations else "")
                    part = []
                case "{":
                    out.append(self._read_rule(part, depth))
                    part = []
                case _:
                    part.append(token)
        # At the end of the text, or before the closing bracket, no semicolon is needed.
        out.append(self._clean_declaration(part) if declarations else "")
        return "".join(out)

    def _read_rule(self, prelude: Sequence[CssToken], depth: int) -> str:
        if depth >= _MAX_DEPTH:
            self._skip_block()
            return ""
        prelude = _strip_spaces(prelude)
        first = prelude[0] if prelude else None
        inside = self.read(declarations=True, depth=depth + 1)
        if first is None or (first.kind == "at" and first.value not in _AT_RULES):
            return ""
        if first.value.startswith("--"):
            return ""  # the value of a custom property, which would be taken for a rule
        selected = _clean_tokens(prelude, self._policy, prelude=True)
        return f"{selected}{{{inside}}}" if selected and inside else ""

    def _skip_block(self) -> None:
        level = 1
        for token in self._tokens:
            if token.kind == "mark" and token.text in "{}":
                level += 1 if token.text == "{" else -1
                if not level:
                    return

    def _clean_declaration(self, part: Sequence[CssToken]) -> str:
        part = _strip_spaces(part)
        if not part or part[0].kind != "ident":
            return ""
        rest = _strip_spaces(part[1:])
        if not rest or rest[0].text != ":":
            return ""
        value = _clean_tokens(rest[1:], self._policy)
        return f"{part[0].text.strip()}:{value};" if value else ""


def _strip_spaces(tokens: Sequence[CssToken]) -> Sequence[CssToken]:
    start, end = 0, len(tokens)
    while start < end and tokens[start].kind in ("space", "comment"):
        start += 1
    while end > start and tokens[end - 1].kind in ("space", "comment"):
        end -= 1
    return tokens[start:end]


def _clean_tokens(tokens: Sequence[CssToken], policy: AddressPolicy, *, prelude: bool = False) -> str:
    """Return a value, or the prelude of a block; empty where a part of it may not stay."""
    out: list[str] = []
    inside: list[tuple[str, bool]] = []  # the bracket that closes each open one, and whether strings are addresses
    # By tokens and not by letters: the last blank may belong to an escape, which would take what follows without it.
    tokens = _strip_spaces(tokens)
    for number, token in enumerate(tokens):
        addresses = bool(inside) and inside[-1][1]
        match token.kind:
            case "space":
                out.append(" ")
            case "comment":
                out.append("/**/")
            case "string":
                text = policy.resolve(token.value) if addresses else token.value
                if addresses and not text:
                    return ""
                out.append(quote(text))
            case "address":
                text = policy.resolve(token.value)
                if not text:
                    return ""
                out.append(f"url({quote(text)})")
            case "function":
                if addresses and token.value in _SUBSTITUTIONS:
                    return ""
                inside.append((")", token.value in _ADDRESS_FUNCTIONS))
                out.append(token.text)
            case "mark":
                if not _may_stand(token.text, tokens[number + 1 :], inside):
                    return ""
                out.append(token.text)
            case "at" if number or not prelude:
                return ""
            case "bad":
                return ""
            case _:
                out.append(token.text)
    return "" if inside else "".join(out)


def _may_stand(mark: str, after: Sequence[CssToken], inside: list[tuple[str, bool]]) -> bool:
    """Return whether a mark may stand where it is, and keep the list of open brackets."""
    if mark in _CLOSING:
        # Brackets within a function of addresses do not make its strings texts again.
        inside.append((_CLOSING[mark], bool(inside) and inside[-1][1]))
        return True
    if mark in (")", "]"):
        return bool(inside) and inside.pop()[0] == mark
    if mark == "<":
        # Comparisons of a media query; anything else could be read as markup.
        return bool(after) and (after[0].kind in ("space", "number") or after[0].text == "=")
    return mark not in "{};\\" and mark.isprintable()
