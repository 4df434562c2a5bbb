"""What is wrong with a configuration, told as a validating parser tells it: level, code, place, sentence.

The codes are those of libxml2, which clients of this interface know. Not here: the vocabulary
(multilingual/xml_config/vocabulary.py). Rules: facts of the multilingual layer, "POST custom-xml-config/validate".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from vetrina.multilingual.translations.xpath_texts import InvalidXPath, check
from vetrina.multilingual.xml_config.parsing import Complaint, NotXml, parsed
from vetrina.multilingual.xml_config.vocabulary import ROOT, Attribute, Element, child, is_root

if TYPE_CHECKING:
    from lxml import etree

__all__ = ["complaints"]

_ERROR: Final = 2
_PATTERN, _ENUMERATION, _NO_TEXT = 1839, 1840, 1841
_ONLY_TEXT, _NO_ROOT, _FOREIGN, _MISSING, _UNEXPECTED, _EMPTY = 1842, 1845, 1866, 1868, 1871, 1872
_WORD = re.compile(r"\w")


def complaints(text: str) -> list[Complaint]:
    """Return everything that is wrong with a text, in its order; nothing for one without any word."""
    if not _WORD.search(text):
        return []
    try:
        root = parsed(text)
    except NotXml as error:
        return [*error.complaints, Complaint(_ERROR, _EMPTY, 0, "The document has no document element.\n", -1)]
    if not is_root(root.tag):
        told = f"Element '{root.tag}': No matching global declaration available for the validation root.\n"
        return [_complaint(_NO_ROOT, told, root)]
    return list(_checked(root, ROOT))


def _checked(root: etree._Element, element: Element) -> Iterator[Complaint]:
    """Yield what is wrong with an element and those inside it; depth is the text's choice, so there is no recursion."""
    pending: list[tuple[etree._Element, Element | None]] = [(root, element)]
    while pending:
        node, known = pending.pop()
        if known is None:
            yield _complaint(_UNEXPECTED, f"Element '{node.tag}': This element is not expected.\n", node)
            continue
        yield from _attributes(node, known)
        yield from _content(node, known)
        seen: Counter[str] = Counter()
        inner: list[tuple[etree._Element, Element | None]] = []
        for one in node:
            if not isinstance(one.tag, str):
                continue
            seen[one.tag] += 1
            again = one.tag in known.once and seen[one.tag] > 1
            inner.append((one, None if again else child(known, one.tag)))
        pending.extend(reversed(inner))


def _attributes(node: etree._Element, known: Element) -> Iterator[Complaint]:
    given = {str(name): str(value) for name, value in node.attrib.items()}
    for name, value in given.items():
        rule = known.attributes.get(name)
        if rule is None:
            told = f"Element '{node.tag}', attribute '{name}': The attribute '{name}' is not allowed.\n"
            yield _complaint(_FOREIGN, told, node)
        else:
            yield from _value(node, name, value, rule)
    for name, rule in known.attributes.items():
        if rule.required and name not in given:
            told = f"Element '{node.tag}': The attribute '{name}' is required but missing.\n"
            yield _complaint(_MISSING, told, node)


def _value(node: etree._Element, name: str, value: str, rule: Attribute) -> Iterator[Complaint]:
    where = f"Element '{node.tag}', attribute '{name}': "
    if rule.values and value not in rule.values:
        known = ", ".join(f"'{one}'" for one in rule.values)
        told = f"{where}[facet 'enumeration'] The value '{value}' is not an element of the set {{{known}}}.\n"
        yield _complaint(_ENUMERATION, told, node)
    if rule.pattern and not re.fullmatch(rule.pattern, value):
        told = f"{where}[facet 'pattern'] The value '{value}' is not accepted by the pattern '{rule.pattern}'.\n"
        yield _complaint(_PATTERN, told, node)


def _content(node: etree._Element, known: Element) -> Iterator[Complaint]:
    texts = [node.text or "", *(one.tail or "" for one in node)]
    if not known.text and any(text.strip() for text in texts):
        told = f"Element '{node.tag}': Character content is not allowed here; only elements are.\n"
        yield _complaint(_NO_TEXT, told, node)
    has_children = bool(known.children) or bool(known.nested)
    if not has_children and any(isinstance(one.tag, str) for one in node):
        told = f"Element '{node.tag}': Element content is not allowed, because this element holds text only.\n"
        yield _complaint(_ONLY_TEXT, told, node)
    if node.tag == "xpath" and node.text:
        try:
            check(node.text.strip())
        except InvalidXPath as error:
            told = f"Element 'xpath': '{node.text.strip()}' is not an XPath expression: {error}.\n"
            yield _complaint(_PATTERN, told, node)


def _complaint(code: int, message: str, node: etree._Element) -> Complaint:
    line: Any = node.sourceline
    return Complaint(_ERROR, code, 0, message, line or 1)
