"""Machine translation: the function or URL that the profile names fills the texts of a file.

A function of an installed module gets the texts and both languages, a URL gets them as JSON; either returns the texts
in their order. Texts contain their tags, which must be kept.
The HTTP call: POST {"source_language", "target_language", "texts": […]} → {"texts": […]}.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import orjson

from vetrina.backends.http_client_urls import OutboundError
from vetrina.core.unit_of_work import SiteContext
from vetrina.multilingual.services.service import TranslationServiceError
from vetrina.multilingual.xliff.inline_codes import NAMESPACE, extract_text, write_plain_text
from vetrina.multilingual.xml_config.parsing import NotXml, parse_xml

TranslateTexts = Callable[[Sequence[str], str, str], Sequence[str]]
_MOST: Final = 100  # texts in one call


def load_machine_translator(site: SiteContext) -> TranslateTexts:
    """Return the translator that the profile names. Raises TranslationServiceError."""
    named = site.profile.translation.machine
    if named.startswith(("http://", "https://")):
        return lambda texts, source, target: _request_translation(site, named, texts, source, target)
    module, _, name = named.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise TranslationServiceError(f"translation.machine: {named!r} cannot be loaded: {error}") from error
    if not callable(found):
        raise TranslationServiceError(f"translation.machine: {named!r} is no function")
    translate: TranslateTexts = found
    return translate


def fill_xliff(translate: TranslateTexts, xliff: str, source: str, target: str) -> str:
    """Return a file with its targets filled. Raises TranslationServiceError."""
    from lxml import etree

    try:
        root = parse_xml(xliff)
    except NotXml as error:
        raise TranslationServiceError(f"the file cannot be read: {error}") from error
    units = list(root.iter(f"{{{NAMESPACE}}}trans-unit"))
    sources = [element for unit in units if (element := unit.find(f"{{{NAMESPACE}}}source")) is not None]
    texts = [extract_text(element) for element in sources]
    made: list[str] = []
    for at in range(0, len(texts), _MOST):
        part = texts[at : at + _MOST]
        answer = list(translate(part, source, target))
        if len(answer) != len(part) or not all(isinstance(one, str) for one in answer):
            raise TranslationServiceError(f"the machine gave {len(answer)} texts back for {len(part)}")
        made += answer
    for element, text in zip(sources, made, strict=True):
        unit = element.getparent()
        assert unit is not None, "a source stands in its unit"
        place = unit.find(f"{{{NAMESPACE}}}target")
        if place is None:
            place = etree.Element(f"{{{NAMESPACE}}}target")
            element.addnext(place)
        for child in list(place):
            place.remove(child)
        write_plain_text(place, text)
    whole: bytes = etree.tostring(root, encoding="utf-8", xml_declaration=True)
    return whole.decode()


def _request_translation(site: SiteContext, url: str, texts: Sequence[str], source: str, target: str) -> Sequence[str]:
    config = site.profile.translation
    body = orjson.dumps({"source_language": source, "target_language": target, "texts": list(texts)})
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    try:
        client = site.outbound.with_allowed_servers(url, seconds=config.seconds, most_bytes=config.answer_bytes)
        reply = client.ask("POST", url, body=body, headers=headers)
    except OutboundError as error:
        raise TranslationServiceError(f"the machine cannot be asked: {error}") from error
    if not 200 <= reply.status < 300:
        raise TranslationServiceError(f"the machine answered {reply.status}", reply.status)
    try:
        value: Any = orjson.loads(reply.body)
        found = value["texts"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        raise TranslationServiceError("the machine answered no JSON with `texts`", reply.status) from None
    if not isinstance(found, list):
        raise TranslationServiceError("the machine answered `texts` that are no list", reply.status)
    return found
