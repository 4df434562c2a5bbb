"""Large collections from neutral names into a dialect's, in the bytes of their JSON.

Walking a list of ten posts costs a quarter of making it; looking for the few beginnings that names have costs a
twentieth. What this cannot tell for sure (a name in a list of names, in an address, under a member that means different
things in different answers) makes it give up, and turning.py does it. Both agree on every answer; tests compare them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .names import Names
from .positions import NAMES, PLUGINS

__all__ = ["Encoded"]

_MOST_KNOWN = 4096
_WORD = re.compile(r"[A-Za-z]+")
_UNSURE_MEMBERS = ("code", "slug", *sorted(PLUGINS))
_GROUPS = 4  # a text, then what each of the three groups of a pattern matched


class _Tokens(dict[bytes | None, bytes]):
    """What follows a stem, with the stem and itself turned; before: what stands in front of the stem and stays."""

    def __init__(self, names: Names, before: str, stem: str, known: dict[bytes, bytes]) -> None:
        super().__init__()
        self[None] = b""
        self.update(known.items())
        self._names, self._before, self._stem, self._first = names, before, stem, dict(self)

    def __missing__(self, token: bytes | None) -> bytes:
        assert token is not None
        if len(self) >= _MOST_KNOWN:
            self.clear()
            self.update(self._first)
        found = self._names.word(self._before + self._stem + token.decode())
        if not found.startswith(self._before):
            raise ValueError(f"{found} does not begin with {self._before}")
        self[token] = found[len(self._before) :].encode()
        return self[token]


class Encoded:
    """Turns encoded answers of one site.

    prefix: the segment of the dialect's API root. vocabulary: all that the site's routes declare, as text; beginnings
    that it does not have are not looked for. spaces: the namespaces of the site.
    """

    def __init__(self, names: Names, prefix: str, vocabulary: str, spaces: Iterable[str]) -> None:
        self._names = names
        stems = [stem for stem in _stems(names) if stem in vocabulary or stem == names.curie[0]]
        self._passes = [
            (stem.encode(), self._pattern(stem, prefix, spaces), *self._tokens(stem, spaces)) for stem in stems
        ]

    def __call__(self, content: bytes) -> bytes | None:
        """Return JSON text turned; None where that is not sure to be right."""
        for stem, pattern, plain, underscored in self._passes:
            if stem in content:
                parts: list[bytes | None] = pattern.split(content)
                if len(parts) > 1:
                    if any(parts[3::_GROUPS]):
                        return None
                    parts[1::_GROUPS] = map(plain.__getitem__, parts[1::_GROUPS])
                    parts[2::_GROUPS] = map(underscored.__getitem__, parts[2::_GROUPS])
                    parts[3::_GROUPS] = [b""] * len(parts[3::_GROUPS])
                    content = b"".join(parts)  # type: ignore[arg-type]
        return content

    def _tokens(self, stem: str, spaces: Iterable[str]) -> tuple[_Tokens, _Tokens]:
        pairs = [self._names.curie, *self._names.relation_addresses]
        pairs += [(space, self._names.word(space)) for space in spaces]
        known: dict[bytes, bytes] = {}
        for one, other in pairs:
            at = one.find(stem)
            if at >= 0 and one[:at] == other[:at]:
                known[one[at + len(stem) :].rstrip("/").encode()] = other[at:].rstrip("/").encode()
        return _Tokens(self._names, "", stem, known), _Tokens(self._names, "_", stem, {})

    def _pattern(self, stem: str, prefix: str, spaces: Iterable[str]) -> re.Pattern[bytes]:
        """Return the pattern of a beginning: what is sure, what is sure behind an underscore, what is not sure."""
        curie, rest = self._names.curie[0], '[^"\\\\]'
        sure = [f'(?<="{stem}){rest}*(?=":)']
        sure += [
            _at(space, stem, f"/{prefix}/", r'(?=[/?"\\])') for space in spaces if self._names.word(space) != space
        ]
        sure += [_at(address.rstrip("/"), stem, '"', "(?=/)") for address, _ in self._names.relation_addresses]
        members = "|".join(f'(?<="{name}":"{stem})' for name in sorted(NAMES))
        sure += [f'(?<=:"{stem})(?:{members}){rest}+(?=")']
        if stem == curie:
            sure += [f'(?<="name":"{stem})(?=","href":"{re.escape(self._names.relation_addresses[0][0])})']
        underscored = "|".join(f'(?<="{name}":"_{stem})' for name in sorted(NAMES))
        behind = [f'(?<="_{stem}){rest}*(?=":)', f'(?<=:"_{stem})(?:{underscored}){rest}+(?=")']
        unsure = [f'(?<=[\\[,]"{stem}){rest}+(?=")', f'(?<=[\\[,]"_{stem}){rest}+(?=")']
        unsure += [f'(?<="{name}":"{stem}){rest}+(?=")' for name in _UNSURE_MEMBERS]
        unsure += self._inside(stem)
        # The stem stands in front of the groups, so that it is looked for as fast as in a plain search.
        groups = "|".join(f"({'|'.join(filter(None, group))})" for group in (sure, behind, unsure))
        return re.compile(f"{stem}(?:{groups})".encode())

    def _inside(self, stem: str) -> list[str]:
        """Return what finds the whole names of the tables in an address, or with something else in front."""
        out = []
        for name in sorted(self._names.neutral):
            at = name.find(stem)
            tail = re.escape(name[at + len(stem) :])
            if not tail:
                continue
            if at == 0:
                out.append(f'(?<=[/?&]{stem}){tail}(?=[/?&="%\\[])')
            elif at > 0 and name[:at] != "_":
                out.append(f'(?<={re.escape(name[: at + len(stem)])}){tail}(?=[/?&="%\\[])')
        return out


def _at(name: str, stem: str, before: str, after: str) -> str:
    """Return what finds a name by the beginning inside it, or nothing where it has none."""
    at = name.find(stem)
    if at < 0:
        return ""
    return f"(?<={re.escape(before + name[: at + len(stem)])}){re.escape(name[at + len(stem) :])}{after}"


def _stems(names: Names) -> list[str]:
    """Return the first word of each neutral name that its counterpart has not; none begins with another."""
    found: set[str] = set()
    for name in (*names.neutral, *names.pairs.prefixes, names.curie[0]):
        other = set(_WORD.findall(names.word(name) if name in names.neutral else names.pairs.prefixes.get(name, "")))
        found.update([word for word in _WORD.findall(name) if word not in other][:1])
    return sorted(stem for stem in found if not any(stem != one and stem.startswith(one) for one in found))
