"""A job as an XLIFF 1.2 file.

One unit a text, the title first. Block texts carry their tags as inline codes; whole markup, as other systems write it,
is told as it stands. Not here: reading such files (multilingual/xliff/reader.py), inline codes
(multilingual/xliff/inline_codes.py). Rules: facts of the multilingual layer, "XLIFF 1.2 as written"; the OASIS
standard, whose strict schema it fits.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from vetrina.multilingual.jobs.model import Job, JobField
from vetrina.multilingual.translations.word_count import has_words
from vetrina.multilingual.xliff.inline_codes import NAMESPACE, put_codes, put_plain, put_sentences

if TYPE_CHECKING:
    from lxml import etree

__all__ = ["MEDIA_TYPE", "TOOL", "Sender", "original_of", "write"]

MEDIA_TYPE: Final = "application/x-xliff+xml"
TOOL: Final = "https://cdn.mlang.org/xliff/custom-attributes.xsd"
_XML: Final = "{http://www.w3.org/XML/1998/namespace}"
_DECLARATION: Final = b'<?xml version="1.0" encoding="utf-8" standalone="no"?>\n'
# What no XML document may hold; beside the texts it is left out.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SHORTCODE = re.compile(r"\[([A-Za-z][\w-]*)(?:\s[^\]\[]*)?/?\]")


class Sender(msgspec.Struct, frozen=True):
    """Who sends a file, and where readers find what it translates; an empty address leaves that out."""

    id: int = 0
    login: str = ""
    email: str = ""
    name: str = ""
    address: str = ""


def original_of(job: Job) -> str:
    """Return what names a job in its file: its number, and a digest of that and of what it translates."""
    if job.type == "st-batch_strings":
        return f"{job.number}-{_digest(f'{job.number}string-{job.element}')}"
    return f"{job.number}-{_digest(f'{job.number}{job.element}')}"


def write(
    job: Job,
    texts: Sequence[JobField],
    sender: Sender,
    *,
    memory: bool = False,
    for_editor: bool = False,
    segmented: bool = False,
    shortcodes: frozenset[str] = frozenset(),
) -> str:
    """Return the file of a job.

    memory: whether targets hold what earlier translations lend. for_editor: with the groups that a remote editor shows.
    segmented: whether units tell their sentences apart too.
    shortcodes: the names of those that tools should protect.
    """
    from lxml import etree

    spaces: Any = {None: NAMESPACE, "tool": TOOL}
    root = etree.Element(_in("xliff"), nsmap=spaces)
    root.set("version", "1.2")
    file = etree.SubElement(root, _in("file"))
    for name, value in _file_attributes(job, sender):
        file.set(name, _NO_XML.sub("", value))
    wanted = [one for one in texts if one.wanted and has_words(one.source)]
    # A stable sort: the title first, all else as the job has it.
    wanted.sort(key=lambda one: one.name != "title")
    _header(file, job, sender, wanted)
    body = etree.SubElement(file, _in("body"))
    for one in wanted:
        _unit(body, one, memory, for_editor, segmented, shortcodes)
    written: bytes = etree.tostring(root, encoding="utf-8")
    return (_DECLARATION + written).decode()


def _file_attributes(job: Job, sender: Sender) -> list[tuple[str, str]]:
    tool = [
        ("source-language-domain", ""),
        ("target-language-domain", ""),
        ("sender-id", str(sender.id or "")),
        ("sender-username", sender.login),
        ("sender-email", sender.email),
        ("sender-display-name", sender.name),
        ("mlang-words-to-translate-count", str(job.words)),
        ("mlang-automatic-translation-costs", str(job.costs)),
    ]
    return [
        ("original", original_of(job)),
        ("source-language", job.source_language),
        ("target-language", job.target_language),
        *((f"{{{TOOL}}}{name}", value) for name, value in tool),
        ("datatype", "plaintext"),
    ]


def _header(file: etree._Element, job: Job, sender: Sender, texts: Sequence[JobField]) -> None:
    from lxml import etree

    header = etree.SubElement(file, _in("header"))
    names = dict.fromkeys(name for one in texts for name in _SHORTCODE.findall(one.source))
    kind = job.element_type.partition("_")[2] if job.type == "post" else ""
    phases = [
        ("shortcodes", "Shortcodes identification", ",".join(names)),
        ("notes", "Notes", job.note),
        ("post_type", "Post type", kind),
    ]
    if any(note for _, _, note in phases):
        group = etree.SubElement(header, _in("phase-group"))
        for name, process, note in phases:
            if note:
                phase = etree.SubElement(group, _in("phase"))
                phase.set("phase-name", name)
                phase.set("process-name", process)
                put_text(etree.SubElement(phase, _in("note")), note)
    if sender.address:
        reference = etree.SubElement(header, _in("reference"))
        etree.SubElement(reference, _in("external-file")).set("href", _NO_XML.sub("", sender.address))


def put_text(element: etree._Element, text: str) -> None:
    """Write what people read beside the texts; what XML cannot say is left out."""
    element.text = _NO_XML.sub("", text)


def _unit(
    body: etree._Element, one: JobField, memory: bool, for_editor: bool, segmented: bool, shortcodes: frozenset[str]
) -> None:
    from lxml import etree

    unit = etree.SubElement(body, _in("trans-unit"))
    unit.set("resname", _NO_XML.sub("", one.label or one.name))
    unit.set("restype", "string")
    unit.set("datatype", "html")
    unit.set("id", one.name)
    unit.set(f"{_XML}space", "preserve")
    # Whole markup is told as it stands, as the readers of such files expect; a sentence has its tags protected.
    put = partial(put_codes, shortcodes=shortcodes) if one.name.startswith("package-string-") else put_plain
    put(etree.SubElement(unit, _in("source")), one.source)
    if segmented:
        put_sentences(etree.SubElement(unit, _in("seg-source")), one.source, shortcodes)
    target = etree.SubElement(unit, _in("target"))
    if (one.reused and memory) or (one.target and not one.reused):
        if one.reused:
            target.set("state", "needs-review-translation")
            target.set("state-qualifier", one.reused)
        put(target, one.target)
    else:
        put_plain(target, "")
    if one.wrap_tag:
        etree.SubElement(unit, _in("note")).text = f"wrap_tag:{one.wrap_tag}"
    if for_editor:
        _extra(unit, one)


def _extra(unit: etree._Element, one: JobField) -> None:
    from lxml import etree

    group = "Main Content"
    if one.name.startswith(("t_", "tdesc_", "tfield-")):
        group = "Main Content/Taxonomies"
    elif one.name.startswith("field-"):
        group = "Custom Fields"
    extra = etree.SubElement(unit, f"{{{TOOL}}}extradata")
    extra.set("unit", one.label or one.name.capitalize())
    extra.set("type", "custom_field" if group == "Custom Fields" else "text")
    extra.set("group", group)
    extra.set("group_id", group.replace(" ", "_").replace("/", "-") + "-0")


def _in(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def _digest(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
