"""Large collections from neutral names into a dialect's, in the bytes of their JSON.

Walking a list of ten posts costs half of what building it costs; searching for the few prefixes that names have, each
after a quote or the root, costs a fifteenth. Where the bytes do not tell for sure (a name in a list of names, or under
a member whose meaning varies), rest/dialects/name_translation.py does it instead. Tests compare the results of both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from vetrina.rest.dialects.name_positions import NAME_MEMBERS, PLUGIN_MEMBERS, URL_MEMBERS
from vetrina.rest.dialects.names import DialectNames

_MAX_TOKENS = 4096
_WORD = re.compile(r"[A-Za-z]+")
_UNSURE_MEMBERS = ("code", "slug", *sorted(PLUGIN_MEMBERS))
_REST = r'[^"\\]'


class _StemTokens(dict[bytes | None, bytes]):
    """What follows a stem in JSON text, translated together with the stem; the mark before the stem stays."""

    def __init__(self, names: DialectNames, mark: str, stem: str, known: dict[bytes, bytes]) -> None:
        super().__init__()
        self._names, self._mark, self._stem = names, mark, stem
        self._first: dict[bytes | None, bytes] = {None: b"", **known}  # type: ignore[dict-item]
        self.update(self._first)

    def __missing__(self, token: bytes | None) -> bytes:
        assert token is not None
        if len(self) >= _MAX_TOKENS:
            # One by one: other threads look up here too, and the first ones must never be missing.
            for known in [*self]:
                if known not in self._first:
                    self.pop(known, None)
        turned = self._names.word(self._mark + self._stem + token.decode())
        if not turned.startswith(self._mark):
            raise _AmbiguousName
        self[token] = turned[len(self._mark) :].encode()
        return self[token]


class _AmbiguousName(Exception):
    """The bytes do not tell how a name is translated."""


class _ReplacementPass:
    """One pass through a text, for all names that begin with one stem.

    marks: what may stand between a quote and the stem. root: the start of URLs that ends in the stem, and its
    translation; two empty texts for none.
    """

    def __init__(self, names: DialectNames, stem: str, marks: Iterable[str], root: tuple[str, str]) -> None:
        marks, (one, other) = list(marks), root
        # The stem stands before the groups, so that it is found as fast as by a plain search.
        self._pattern = re.compile(f"{stem}(?:{'|'.join(_iterate_groups(names, stem, marks, one))})".encode())
        turned = other[len(one) - len(stem) :].encode()
        self._tokens: list[dict[bytes | None, bytes]] = [
            _StemTokens(names, mark, stem, _build_curie_tokens(mark + stem, names)) for mark in marks
        ]
        if one:
            self._tokens.append({None: b"", **{bytes((byte,)): turned + bytes((byte,)) for byte in range(256)}})
        self._step = len(self._tokens) + 2

    def __call__(self, content: bytes) -> bytes:
        """Return JSON text with the names of this stem translated. Raises _AmbiguousName."""
        parts: list[bytes | None] = self._pattern.split(content)
        step = self._step
        if len(parts) > 1:
            if any(parts[step - 1 :: step]):
                raise _AmbiguousName
            for at, tokens in enumerate(self._tokens, 1):
                parts[at::step] = map(tokens.__getitem__, parts[at::step])
            parts[step - 1 :: step] = [b""] * len(parts[step - 1 :: step])
            content = b"".join(parts)  # type: ignore[arg-type]
        return content


class EncodedTranslator:
    """Translates the encoded responses of one route.

    prefix: the segment of the dialect's API root. vocabulary: the route's description of its records, as text; stems
    that it does not contain are not searched for. spaces: namespaces that URLs in the response may lead into.
    places: paths whose last segment is a name, up to that segment.
    """

    def __init__(
        self, names: DialectNames, prefix: str, vocabulary: str, spaces: Iterable[str], places: Iterable[str]
    ) -> None:
        known = tuple(_list_stems(names))
        stems = [stem for stem in known if stem in vocabulary or stem == names.curie[0]]
        spaces = list(dict.fromkeys(spaces))
        roots = {pair for space in spaces if len(set(pair := _build_root(names, prefix, space))) > 1}
        self._passes = []
        for stem in stems:
            marks = [mark for mark in ("", "_") if _is_used(mark + stem, vocabulary, names)]
            root = next((pair for pair in roots if pair[0].endswith(f"/{stem}")), ("", ""))
            roots.discard(root)
            if marks or root[0]:
                self._passes.append(_ReplacementPass(names, stem, marks, root))
        self._names = names
        members = sorted(name for name in URL_MEMBERS if f'"{name}"' in vocabulary)
        self._urls = re.compile(f'"(?:{"|".join(members)})":"{_REST}*'.encode()) if members else None
        # A stem is found where a name begins with it; capabilities have one inside, as `manage_…`.
        inner = [name for name in sorted(names.neutral) if not name.lstrip("_").startswith(known)]
        self._inner = re.compile(f'"(?:{"|".join(inner)})":'.encode()) if '"capabilities"' in vocabulary else None
        self._relations = names.relation_addresses[0][0].encode()
        self._replaced = [(one.encode(), other.encode()) for one, other in sorted(roots)]
        prefixes = tuple(names.pairs.prefixes)
        prefixed = [name for name in sorted(names.neutral) if name.startswith(prefixes) and name in vocabulary]
        places = list(places)
        self._ends = [
            (f"/{name}".encode(), f"?{name}".encode(), list(_iterate_urls(names, prefix, name, spaces, places)))
            for name in prefixed
        ]

    def __call__(self, content: bytes) -> bytes | None:
        """Return JSON text translated; None where the result is not certain."""
        if self._inner is not None and self._inner.search(content):
            return None
        try:
            for turn in self._passes:
                content = turn(content)
        except _AmbiguousName:
            return None
        if self._relations in content:
            # Authored text contains the URL of the relations where a name may stand.
            return None
        for one, other in self._replaced:
            content = content.replace(one, other)
        if self._urls is not None:
            content = self._urls.sub(self._translate_url, content)
        for end, parameter, addresses in self._ends:
            if end in content:
                for one, other in addresses:
                    content = content.replace(one, other)
                if end in content:
                    return None
            if parameter in content:
                return None
        return content

    def _translate_url(self, found: re.Match[bytes]) -> bytes:
        """Return a member with a URL, the made keys in it translated."""
        return self._names.translate_made_keys(found[0].decode()).encode()


def _is_used(beginning: str, vocabulary: str, names: DialectNames) -> bool:
    return f'"{beginning}' in vocabulary or beginning == names.curie[0]


def _build_root(names: DialectNames, prefix: str, space: str) -> tuple[str, str]:
    """Return the root of a namespace, shortened to the first word that is translated, and its translation."""
    turned = names.path(f"/{space}")[1:]
    at = len(space)
    while at and space[at - 1 :] == turned[len(turned) - (len(space) - at + 1) :]:
        at -= 1
    cut = re.match(r"[a-z]*", space[at:])
    assert cut is not None
    at += cut.end()
    # An equal ending need not be searched for: one search then finds every namespace that begins so.
    return f"/{prefix}/{space[:at]}", f"/{prefix}/{turned[: len(turned) - (len(space) - at)]}"


def _iterate_groups(names: DialectNames, stem: str, marks: Iterable[str], root: str) -> Iterable[str]:
    """Yield the groups that follow a stem: what is certain after each mark, the root of URLs, what is uncertain."""
    unsure = []
    for mark in marks:
        before = f'"{mark}{stem}'
        members = "|".join(f'(?<="{name}":{before})' for name in sorted(NAME_MEMBERS))
        sure = [f'(?<={before}){_REST}*(?=":)', f'(?<=:{before})(?:{members}){_REST}+(?=")']
        sure += [
            f'(?<="name":{before}){re.escape(token.decode())}' for token in _build_curie_tokens(mark + stem, names)
        ]
        yield f"({'|'.join(sure)})"
        unsure += [f'(?<="{name}":{before})' for name in _UNSURE_MEMBERS] + [f"(?<=[\\[,]{before})"]
    if root:
        yield f"(?<={root})(.)"
    yield f'((?:{"|".join(unsure)}){_REST}+(?="))' if unsure else "((?!))"


def _iterate_urls(
    names: DialectNames, prefix: str, name: str, spaces: Iterable[str], places: Iterable[str]
) -> Iterable[tuple[bytes, bytes]]:
    """Yield the URLs that end in a name, or have it behind their namespace, and their translations."""
    ends = [(f"{names.path(place)}", '"') for place in places]
    if name in names.pairs.path_segments:
        ends += [(names.path(f"/{space}/"), end) for space in spaces for end in ('"', "/", "?")]
    for before, end in ends:
        yield f"/{prefix}{before}{name}{end}".encode(), f"/{prefix}{before}{names.word(name)}{end}".encode()


def _build_curie_tokens(beginning: str, names: DialectNames) -> dict[bytes, bytes]:
    """Return what follows the prefix of link relations, and the translation of all of it."""
    (one, other), ((address, turned),) = names.curie, names.relation_addresses
    return {f'","href":"{address}'.encode(): f'{other}","href":"{turned}'.encode()} if beginning == one else {}


def _list_stems(names: DialectNames) -> list[str]:
    """Return the first word of each neutral name that its counterpart does not have; none begins with another."""
    found: set[str] = set()
    for name, other in (
        *((name, names.word(name)) for name in names.neutral),
        *names.pairs.prefixes.items(),
        names.curie,
    ):
        words = set(_WORD.findall(other))
        found.update([word for word in _WORD.findall(name) if word not in words][:1])
    return sorted(stem for stem in found if not any(stem != one and stem.startswith(one) for one in found))
