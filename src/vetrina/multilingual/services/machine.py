"""Machine translation: what the profile names fills the texts of a file.

A function of an installed module gets the texts and both languages, an HTTP address gets them as JSON; either gives
the texts back in their order. Tags stand in the texts as they are and are to stay.
The form of the HTTP call: POST {"source_language", "target_language", "texts": […]} → {"texts": […]}.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import orjson

from vetrina.backends.http_client import OutboundError
from vetrina.core.unit_of_work import Frame
from vetrina.multilingual.services.service import ServiceError
from vetrina.multilingual.xliff.inline_codes import NAMESPACE, put_plain, text_of
from vetrina.multilingual.xml_config.parsing import NotXml, parsed

__all__ = ["Translate", "filled", "translator"]

Translate = Callable[[Sequence[str], str, str], Sequence[str]]
_MOST: Final = 100  # texts of one call


def translator(frame: Frame) -> Translate:
    """Return what the profile names to translate with. Raises ServiceError."""
    named = frame.profile.translation.machine
    if named.startswith(("http://", "https://")):
        return lambda texts, source, target: _asked(frame, named, texts, source, target)
    module, _, name = named.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ServiceError(f"translation.machine: {named!r} cannot be loaded: {error}") from error
    if not callable(found):
        raise ServiceError(f"translation.machine: {named!r} is no function")
    translate: Translate = found
    return translate


def filled(translate: Translate, xliff: str, source: str, target: str) -> str:
    """Return a file with its targets filled. Raises ServiceError."""
    from lxml import etree

    try:
        root = parsed(xliff)
    except NotXml as error:
        raise ServiceError(f"the file cannot be read: {error}") from error
    units = list(root.iter(f"{{{NAMESPACE}}}trans-unit"))
    sources = [element for unit in units if (element := unit.find(f"{{{NAMESPACE}}}source")) is not None]
    texts = [text_of(element) for element in sources]
    made: list[str] = []
    for at in range(0, len(texts), _MOST):
        part = texts[at : at + _MOST]
        answer = list(translate(part, source, target))
        if len(answer) != len(part) or not all(isinstance(one, str) for one in answer):
            raise ServiceError(f"the machine gave {len(answer)} texts back for {len(part)}")
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
        put_plain(place, text)
    whole: bytes = etree.tostring(root, encoding="utf-8", xml_declaration=True)
    return whole.decode()


def _asked(frame: Frame, url: str, texts: Sequence[str], source: str, target: str) -> Sequence[str]:
    told = frame.profile.translation
    body = orjson.dumps({"source_language": source, "target_language": target, "texts": list(texts)})
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    try:
        client = frame.outbound.allowing(url, seconds=told.seconds, most_bytes=told.answer_bytes)
        reply = client.ask("POST", url, body=body, headers=headers)
    except OutboundError as error:
        raise ServiceError(f"the machine cannot be asked: {error}") from error
    if not 200 <= reply.status < 300:
        raise ServiceError(f"the machine answered {reply.status}", reply.status)
    try:
        value: Any = orjson.loads(reply.body)
        found = value["texts"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        raise ServiceError("the machine answered no JSON with `texts`", reply.status) from None
    if not isinstance(found, list):
        raise ServiceError("the machine answered `texts` that are no list", reply.status)
    return found
