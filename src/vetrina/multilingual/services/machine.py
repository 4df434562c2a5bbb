"""Machine translation: the function or URL that the profile names fills the texts of a file.

A function of an installed module gets the texts and both languages, a URL gets them as JSON; either returns the texts
in their order. Texts contain their tags, which must be kept.
The HTTP call: POST {"source_language", "target_language", "texts": […]} → {"texts": […]}; where terms of the glossary
stand in the texts, with "glossary": [{"source", "target"}]. A function that has a parameter `glossary` gets the same.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import orjson

from vetrina.backends.http_client_urls import OutboundError
from vetrina.core.site_context import SiteContext
from vetrina.multilingual.services.service import TranslationServiceError
from vetrina.multilingual.untrusted_xml import NotXml, parse_xml
from vetrina.multilingual.xliff.inline_codes import NAMESPACE, extract_text, write_plain_text

TranslateTexts = Callable[[Sequence[str], str, str, Mapping[str, str]], Sequence[str]]
FindTerms = Callable[[Sequence[str]], Mapping[str, str]]
_MOST: Final = 100  # texts in one call


def load_machine_translator(site: SiteContext) -> TranslateTexts:
    """Return the translator that the profile names. Raises TranslationServiceError."""
    named = site.profile.translation.machine
    if named.startswith(("http://", "https://")):
        return partial(_request_translation, site, named)
    module, _, name = named.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise TranslationServiceError(f"translation.machine: {named!r} cannot be loaded: {error}") from error
    if not callable(found):
        raise TranslationServiceError(f"translation.machine: {named!r} is no function")
    if _takes_glossary(found):
        return lambda texts, source, target, terms: found(texts, source, target, glossary=terms)
    return lambda texts, source, target, terms: found(texts, source, target)


def translate_texts(
    translate: TranslateTexts, texts: Sequence[str], source: str, target: str, find_terms: FindTerms
) -> list[str]:
    """Return the translations of some texts, in their order. Raises TranslationServiceError.

    find_terms: (texts) -> the terms of the glossary in them, with their translations.
    """
    made: list[str] = []
    for at in range(0, len(texts), _MOST):
        part = texts[at : at + _MOST]
        try:
            answer = list(translate(part, source, target, find_terms(part)))
        except TranslationServiceError:
            raise
        except Exception as error:  # The machine is code of others.
            raise TranslationServiceError(f"the machine failed: {error}") from error
        if len(answer) != len(part) or not all(isinstance(one, str) for one in answer):
            raise TranslationServiceError(f"the machine gave {len(answer)} texts back for {len(part)}")
        made += answer
    return made


def fill_xliff(translate: TranslateTexts, xliff: str, source: str, target: str, find_terms: FindTerms) -> str:
    """Return a file with its targets filled. Raises TranslationServiceError. find_terms: as in `translate_texts`."""
    from lxml import etree

    try:
        root = parse_xml(xliff)
    except NotXml as error:
        raise TranslationServiceError(f"the file cannot be read: {error}") from error
    units = list(root.iter(f"{{{NAMESPACE}}}trans-unit"))
    sources = [element for unit in units if (element := unit.find(f"{{{NAMESPACE}}}source")) is not None]
    texts = [extract_text(element) for element in sources]
    made = translate_texts(translate, texts, source, target, find_terms)
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


def _takes_glossary(function: Callable[..., Any]) -> bool:
    try:
        return "glossary" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        # A function of C may not tell its parameters.
        return False


def _request_translation(
    site: SiteContext, url: str, texts: Sequence[str], source: str, target: str, terms: Mapping[str, str]
) -> Sequence[str]:
    config = site.profile.translation
    told: dict[str, Any] = {"source_language": source, "target_language": target, "texts": list(texts)}
    if terms:
        told["glossary"] = [{"source": term, "target": translation} for term, translation in terms.items()]
    body = orjson.dumps(told)
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
