"""Validation of a configuration, with problems as a validating parser reports them: level, code, position, message.

The vocabulary is configuration.xsd beside this file; libxml2 checks it, whose codes and messages clients of this
interface know. Here is what a schema cannot say: roots of other prefixes, which attributes an element of any name
needs, whether a text is an XPath. Rules: docs/rules/xml_config.md, 2, 3, 5, 6, 8 and 9.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from vetrina.multilingual.translations.xpath_texts import InvalidXPath, check_xpath
from vetrina.multilingual.untrusted_xml import NotXml, XmlProblem, parse_xml

if TYPE_CHECKING:
    from lxml import etree


_SCHEMA: Final = Path(__file__).parent / "configuration.xsd"
_ROOT: Final = "mlang-config"
# Files written for other systems have their own prefix.
_ROOT_NAME = re.compile(r"[a-z]+-config", re.ASCII)
_MAX_LOCATED: Final = 200  # problems of a text up to which each has its line
_ERROR: Final = 2
_PATTERN, _FOREIGN, _MISSING, _EMPTY = 1839, 1866, 1868, 1872
_JOB_FIELD_ATTRIBUTES: Final = ("type", "value")
_WORD = re.compile(r"\w")


def is_root_name(name: object) -> bool:
    """Say whether an element name is that of a configuration: `mlang-config`, or the same in another dialect."""
    return isinstance(name, str) and _ROOT_NAME.fullmatch(name) is not None


def list_xml_problems(text: str) -> list[XmlProblem]:
    """Return all problems of a text in their order; none for a blank text."""
    if not _WORD.search(text):
        return []
    try:
        root = parse_xml(text)
    except NotXml as error:
        return [*error.complaints, XmlProblem(_ERROR, _EMPTY, 0, "The document has no document element.\n", -1)]
    problems = _list_schema_problems(text, root)
    if is_root_name(root.tag):
        problems += [*_iterate_job_field_problems(root), *_iterate_xpath_problems(root)]
    return sorted(problems, key=lambda problem: problem.line)


def _list_schema_problems(text: str, root: etree._Element) -> list[XmlProblem]:
    """Return what the schema does not allow; without lines (0) where there is more than anybody reads."""
    schema = _build_schema(root)
    try:
        parse_xml(text, schema)
    except NotXml as error:
        if len(error.complaints) > _MAX_LOCATED:
            return error.complaints
    else:
        return []
    # Only a tree knows its lines, and it counts all elements before each problem.
    schema.validate(root)
    log: Any = schema.error_log
    return [XmlProblem(one.level, one.type, one.column, f"{one.message}\n", one.line or 1) for one in log]


def _build_schema(root: etree._Element) -> etree.XMLSchema:
    """Return the schema, compiled for one text (in less than a millisecond), since it keeps the problems of its last.

    root: the root of that text, whose prefix the schema takes.
    """
    from lxml import etree

    schema = _SCHEMA.read_bytes()
    if is_root_name(root.tag):
        schema = schema.replace(f'name="{_ROOT}"'.encode(), f'name="{root.tag!s}"'.encode())
    return etree.XMLSchema(etree.XML(schema))


def _iterate_job_field_problems(root: etree._Element) -> Iterator[XmlProblem]:
    for field in root.iterfind("allow-translatable-job-fields/*"):
        for name in field.attrib:
            if name not in _JOB_FIELD_ATTRIBUTES:
                message = f"Element '{field.tag}', attribute '{name!s}': The attribute '{name!s}' is not allowed.\n"
                yield _build_problem(_FOREIGN, message, field)
        for name in _JOB_FIELD_ATTRIBUTES:
            if name not in field.attrib:
                message = f"Element '{field.tag}': The attribute '{name}' is required but missing.\n"
                yield _build_problem(_MISSING, message, field)


def _iterate_xpath_problems(root: etree._Element) -> Iterator[XmlProblem]:
    for node in root.iterfind("gutenberg-blocks/gutenberg-block/xpath"):
        path = (node.text or "").strip()
        if not node.text:
            continue
        try:
            check_xpath(path)
        except InvalidXPath as error:
            message = f"Element 'xpath': '{path}' is not an XPath expression: {error}.\n"
            yield _build_problem(_PATTERN, message, node)


def _build_problem(code: int, message: str, node: etree._Element) -> XmlProblem:
    line: Any = node.sourceline
    return XmlProblem(_ERROR, code, 0, message, line or 1)
