"""Large collections from neutral names into a dialect's, in the bytes of their JSON.

Walking a list of ten posts costs half of what making it costs; looking for the few beginnings that names have, each
with the quote or the root in front, costs a fifteenth. What the bytes cannot tell for sure (a name in a list of names,
or under a member that means different things in different answers) makes them give up, and
rest/dialects/name_translation.py does it. Both agree on every answer; tests compare them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from vetrina.rest.dialects.name_positions import NAMES, PLUGINS
from vetrina.rest.dialects.names import Names

__all__ = ["Encoded"]

_MOST_KNOWN = 4096
_WORD = re.compile(r"[A-Za-z]+")
_UNSURE_MEMBERS = ("code", "slug", *sorted(PLUGINS))
_REST = r'[^"\\]'


class _Tokens(dict[bytes | None, bytes]):
    """What follows a stem in JSON text, with the stem and itself turned; the mark in front of the stem stays."""

    def __init__(self, names: Names, mark: str, stem: str, known: dict[bytes, bytes]) -> None:
        super().__init__()
        self._names, self._mark, self._stem = names, mark, stem
        self._first: dict[bytes | None, bytes] = {None: b"", **known}  # type: ignore[dict-item]
        self.update(self._first)

    def __missing__(self, token: bytes | None) -> bytes:
        assert token is not None
        if len(self) >= _MOST_KNOWN:
            # One by one: threads look up here too, and the first ones must never be missing.
            for known in [*self]:
                if known not in self._first:
                    self.pop(known, None)
        turned = self._names.word(self._mark + self._stem + token.decode())
        if not turned.startswith(self._mark):
            raise _Unsure
        self[token] = turned[len(self._mark) :].encode()
        return self[token]


class _Unsure(Exception):
    """The bytes do not tell what becomes of a name."""


class _Pass:
    """One way through a text, for all that begins with one stem.

    marks: what may stand between a quote and the stem. root: the start of addresses that ends in the stem, and what
    it becomes; two empty texts for none.
    """

    def __init__(self, names: Names, stem: str, marks: Iterable[str], root: tuple[str, str]) -> None:
        marks, (one, other) = list(marks), root
        # The stem stands in front of the groups, so that it is looked for as fast as in a plain search.
        self._pattern = re.compile(f"{stem}(?:{'|'.join(_groups(names, stem, marks, one))})".encode())
        turned = other[len(one) - len(stem) :].encode()
        self._tokens: list[dict[bytes | None, bytes]] = [
            _Tokens(names, mark, stem, _curie(mark + stem, names)) for mark in marks
        ]
        if one:
            self._tokens.append({None: b"", **{bytes((sign,)): turned + bytes((sign,)) for sign in range(256)}})
        self._step = len(self._tokens) + 2

    def __call__(self, content: bytes) -> bytes:
        """Return JSON text with the names of this stem turned. Raises _Unsure."""
        parts: list[bytes | None] = self._pattern.split(content)
        step = self._step
        if len(parts) > 1:
            if any(parts[step - 1 :: step]):
                raise _Unsure
            for at, tokens in enumerate(self._tokens, 1):
                parts[at::step] = map(tokens.__getitem__, parts[at::step])
            parts[step - 1 :: step] = [b""] * len(parts[step - 1 :: step])
            content = b"".join(parts)  # type: ignore[arg-type]
        return content


class Encoded:
    """Turns the encoded answers of one route.

    prefix: the segment of the dialect's API root. vocabulary: what the route says of its records, as text; beginnings
    that it does not have are not looked for. spaces: namespaces that addresses in the answer may lead into.
    places: paths whose last segment is a name, up to that segment.
    """

    def __init__(
        self, names: Names, prefix: str, vocabulary: str, spaces: Iterable[str], places: Iterable[str]
    ) -> None:
        stems = [stem for stem in _stems(names) if stem in vocabulary or stem == names.curie[0]]
        spaces = list(dict.fromkeys(spaces))
        roots = {pair for space in spaces if len(set(pair := _root(names, prefix, space))) > 1}
        self._passes = []
        for stem in stems:
            marks = [mark for mark in ("", "_") if _begins(mark + stem, vocabulary, names)]
            root = next((pair for pair in roots if pair[0].endswith(f"/{stem}")), ("", ""))
            roots.discard(root)
            if marks or root[0]:
                self._passes.append(_Pass(names, stem, marks, root))
        self._relations = names.relation_addresses[0][0].encode()
        self._replaced = [(one.encode(), other.encode()) for one, other in sorted(roots)]
        prefixes = tuple(names.pairs.prefixes)
        said = [name for name in sorted(names.neutral) if name.startswith(prefixes) and name in vocabulary]
        places = list(places)
        self._ends = [
            (f"/{name}".encode(), f"?{name}".encode(), list(_addresses(names, prefix, name, spaces, places)))
            for name in said
        ]

    def __call__(self, content: bytes) -> bytes | None:
        """Return JSON text turned; None where that is not sure to be right."""
        try:
            for turn in self._passes:
                content = turn(content)
        except _Unsure:
            return None
        if self._relations in content:
            # Somebody wrote the address of the relations where a name may stand.
            return None
        for one, other in self._replaced:
            content = content.replace(one, other)
        for end, parameter, addresses in self._ends:
            if end in content:
                for one, other in addresses:
                    content = content.replace(one, other)
                if end in content:
                    return None
            if parameter in content:
                return None
        return content


def _begins(beginning: str, vocabulary: str, names: Names) -> bool:
    return f'"{beginning}' in vocabulary or beginning == names.curie[0]


def _root(names: Names, prefix: str, space: str) -> tuple[str, str]:
    """Return the root of a namespace, shortened to the first word that is turned, and what it becomes."""
    turned = names.path(f"/{space}")[1:]
    at = len(space)
    while at and space[at - 1 :] == turned[len(turned) - (len(space) - at + 1) :]:
        at -= 1
    cut = re.match(r"[a-z]*", space[at:])
    assert cut is not None
    at += cut.end()
    # What is alike at the end need not be looked for: one search then finds every namespace that begins so.
    return f"/{prefix}/{space[:at]}", f"/{prefix}/{turned[: len(turned) - (len(space) - at)]}"


def _groups(names: Names, stem: str, marks: Iterable[str], root: str) -> Iterable[str]:
    """Yield the groups that follow a stem: what is sure after each mark, the root of addresses, what is not sure."""
    unsure = []
    for mark in marks:
        before = f'"{mark}{stem}'
        members = "|".join(f'(?<="{name}":{before})' for name in sorted(NAMES))
        sure = [f'(?<={before}){_REST}*(?=":)', f'(?<=:{before})(?:{members}){_REST}+(?=")']
        sure += [f'(?<="name":{before}){re.escape(token.decode())}' for token in _curie(mark + stem, names)]
        yield f"({'|'.join(sure)})"
        unsure += [f'(?<="{name}":{before})' for name in _UNSURE_MEMBERS] + [f"(?<=[\\[,]{before})"]
    if root:
        yield f"(?<={root})(.)"
    yield f'((?:{"|".join(unsure)}){_REST}+(?="))' if unsure else "((?!))"


def _addresses(
    names: Names, prefix: str, name: str, spaces: Iterable[str], places: Iterable[str]
) -> Iterable[tuple[bytes, bytes]]:
    """Yield the addresses that end in a name, or have it behind their namespace, and what becomes of them."""
    ends = [(f"{names.path(place)}", '"') for place in places]
    if name in names.pairs.path_segments:
        ends += [(names.path(f"/{space}/"), end) for space in spaces for end in ('"', "/", "?")]
    for before, end in ends:
        yield f"/{prefix}{before}{name}{end}".encode(), f"/{prefix}{before}{names.word(name)}{end}".encode()


def _curie(beginning: str, names: Names) -> dict[bytes, bytes]:
    """Return what follows the name of the relations' short form, and what all of it becomes."""
    (one, other), ((address, turned),) = names.curie, names.relation_addresses
    return {f'","href":"{address}'.encode(): f'{other}","href":"{turned}'.encode()} if beginning == one else {}


def _stems(names: Names) -> list[str]:
    """Return the first word of each neutral name that its counterpart has not; none begins with another."""
    found: set[str] = set()
    for name, other in (
        *((name, names.word(name)) for name in names.neutral),
        *names.pairs.prefixes.items(),
        names.curie,
    ):
        words = set(_WORD.findall(other))
        found.update([word for word in _WORD.findall(name) if word not in words][:1])
    return sorted(stem for stem in found if not any(stem != one and stem.startswith(one) for one in found))
