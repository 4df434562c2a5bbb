"""A reader of CSS for tests: rules with their declarations; an error for a sheet that does not end where it began."""

from __future__ import annotations

from dataclasses import dataclass, field

_PAIRS = {"(": ")", "[": "]", "{": "}"}


class BrokenSheet(AssertionError):
    """A bracket, a string or a comment is left open, or closed without having been opened."""


@dataclass
class Rule:
    """A rule: what stands before its block, its declarations, the rules in it."""

    prelude: str
    declarations: dict[str, str] = field(default_factory=dict)
    rules: list[Rule] = field(default_factory=list)


@dataclass
class Sheet(Rule):
    """A whole sheet."""

    def find(self, prelude: str) -> dict[str, str]:
        """The declarations of all rules with a prelude; a later one counts."""
        found: dict[str, str] = {}
        for rule in self.rules:
            if rule.prelude == prelude:
                found |= rule.declarations
        return found

    @property
    def preludes(self) -> list[str]:
        return [rule.prelude for rule in self.rules]


def read_sheet(text: str) -> Sheet:
    """Read a sheet. Raises BrokenSheet."""
    sheet = Sheet("")
    rules: list[Rule] = [sheet]
    brackets: list[str] = []
    part, at = "", 0
    while at < len(text):
        sign = text[at]
        if text.startswith("/*", at):
            end = text.find("*/", at + 2)
            if end < 0:
                raise BrokenSheet(f"an open comment at {at}")
            at = end + 2
            continue
        if sign in "\"'":
            end = _find_string_end(text, at)
            part += text[at:end]
            at = end
            continue
        at += 1
        if sign == "\\":
            part += sign + text[at : at + 1]
            at += 1
        elif sign in "([" or (sign == "{" and brackets):
            brackets.append(_PAIRS[sign])
            part += sign
        elif brackets and sign in ")]}":
            if brackets.pop() != sign:
                raise BrokenSheet(f"the wrong bracket at {at}")
            part += sign
        elif sign in ")]":
            raise BrokenSheet(f"a bracket without its other at {at}")
        elif sign == "{":
            rules[-1].rules.append(Rule(part.strip()))
            rules.append(rules[-1].rules[-1])
            part = ""
        elif sign in ";}" and not brackets:
            name, colon, value = part.partition(":")
            if colon:
                rules[-1].declarations[name.strip()] = value.strip()
            elif part.strip():
                raise BrokenSheet(f"no declaration: {part!r}")
            part = ""
            if sign == "}":
                if len(rules) == 1:
                    raise BrokenSheet(f"a block is closed twice at {at}")
                rules.pop()
        else:
            part += sign
    if brackets or len(rules) > 1 or part.strip():
        raise BrokenSheet(f"it ends inside something: {text[-80:]!r}")
    return sheet


def _find_string_end(text: str, start: int) -> int:
    at = start + 1
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text[at] == "\n":
            break
        elif text[at] == text[start]:
            return at + 1
        else:
            at += 1
    raise BrokenSheet(f"an open string at {start}")
