"""Validation of a configuration, with problems as a validating parser reports them: level, code, position, message.

The codes are those of libxml2, which clients of this interface know. Not here: the vocabulary
(multilingual/xml_config/vocabulary.py). Rules: docs/rules/xml_config.md, 2 and 3.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from vetrina.multilingual.translations.xpath_texts import InvalidXPath, check_xpath
from vetrina.multilingual.xml_config.parsing import NotXml, XmlProblem, parse_xml
from vetrina.multilingual.xml_config.vocabulary import ROOT, XmlAttributeRule, XmlElementRule, find_child, is_root_name

if TYPE_CHECKING:
    from lxml import etree

__all__ = ["list_xml_problems"]

_ERROR: Final = 2
_PATTERN, _ENUMERATION, _NO_TEXT = 1839, 1840, 1841
_ONLY_TEXT, _NO_ROOT, _FOREIGN, _MISSING, _UNEXPECTED, _EMPTY = 1842, 1845, 1866, 1868, 1871, 1872
_WORD = re.compile(r"\w")


def list_xml_problems(text: str) -> list[XmlProblem]:
    """Return all problems of a text in their order; none for a blank text."""
    if not _WORD.search(text):
        return []
    try:
        root = parse_xml(text)
    except NotXml as error:
        return [*error.complaints, XmlProblem(_ERROR, _EMPTY, 0, "The document has no document element.\n", -1)]
    if not is_root_name(root.tag):
        message = f"Element '{root.tag}': No matching global declaration available for the validation root.\n"
        return [_build_problem(_NO_ROOT, message, root)]
    return list(_iterate_element_problems(root, ROOT))


def _iterate_element_problems(root: etree._Element, element: XmlElementRule) -> Iterator[XmlProblem]:
    """Yield the problems of an element and its descendants, without recursion, since the text chooses the depth."""
    pending: list[tuple[etree._Element, XmlElementRule | None]] = [(root, element)]
    while pending:
        node, known = pending.pop()
        if known is None:
            yield _build_problem(_UNEXPECTED, f"Element '{node.tag}': This element is not expected.\n", node)
            continue
        yield from _iterate_attribute_problems(node, known)
        yield from _iterate_content_problems(node, known)
        seen: Counter[str] = Counter()
        inner: list[tuple[etree._Element, XmlElementRule | None]] = []
        for one in node:
            if not isinstance(one.tag, str):
                continue
            seen[one.tag] += 1
            again = one.tag in known.once and seen[one.tag] > 1
            inner.append((one, None if again else find_child(known, one.tag)))
        pending.extend(reversed(inner))


def _iterate_attribute_problems(node: etree._Element, known: XmlElementRule) -> Iterator[XmlProblem]:
    given = {str(name): str(value) for name, value in node.attrib.items()}
    for name, value in given.items():
        rule = known.attributes.get(name)
        if rule is None:
            message = f"Element '{node.tag}', attribute '{name}': The attribute '{name}' is not allowed.\n"
            yield _build_problem(_FOREIGN, message, node)
        else:
            yield from _iterate_value_problems(node, name, value, rule)
    for name, rule in known.attributes.items():
        if rule.required and name not in given:
            message = f"Element '{node.tag}': The attribute '{name}' is required but missing.\n"
            yield _build_problem(_MISSING, message, node)


def _iterate_value_problems(
    node: etree._Element, name: str, value: str, rule: XmlAttributeRule
) -> Iterator[XmlProblem]:
    where = f"Element '{node.tag}', attribute '{name}': "
    if rule.values and value not in rule.values:
        known = ", ".join(f"'{one}'" for one in rule.values)
        message = f"{where}[facet 'enumeration'] The value '{value}' is not an element of the set {{{known}}}.\n"
        yield _build_problem(_ENUMERATION, message, node)
    if rule.pattern and not re.fullmatch(rule.pattern, value):
        message = f"{where}[facet 'pattern'] The value '{value}' is not accepted by the pattern '{rule.pattern}'.\n"
        yield _build_problem(_PATTERN, message, node)


def _iterate_content_problems(node: etree._Element, rule: XmlElementRule) -> Iterator[XmlProblem]:
    texts = [node.text or "", *(one.tail or "" for one in node)]
    if not rule.text and any(text.strip() for text in texts):
        message = f"Element '{node.tag}': Character content is not allowed here; only elements are.\n"
        yield _build_problem(_NO_TEXT, message, node)
    has_children = bool(rule.children) or bool(rule.nested)
    if not has_children and any(isinstance(one.tag, str) for one in node):
        message = f"Element '{node.tag}': Element content is not allowed, because this element holds text only.\n"
        yield _build_problem(_ONLY_TEXT, message, node)
    if node.tag == "xpath" and node.text:
        try:
            check_xpath(node.text.strip())
        except InvalidXPath as error:
            message = f"Element 'xpath': '{node.text.strip()}' is not an XPath expression: {error}.\n"
            yield _build_problem(_PATTERN, message, node)


def _build_problem(code: int, message: str, node: etree._Element) -> XmlProblem:
    line: Any = node.sourceline
    return XmlProblem(_ERROR, code, 0, message, line or 1)
