"""Writes a job as an XLIFF 1.2 file.

One unit per text, the title first. Block texts have their tags as inline codes; whole markup is written unchanged, as
other systems do. Not here: reading (multilingual/xliff/reader.py), inline codes (multilingual/xliff/inline_codes.py).
Rules: docs/rules/xliff.md, 1, 2, 3, 4 and 5; files validate against the strict schema of the OASIS standard.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from vetrina.kernel.xml_characters import FORBIDDEN_IN_XML
from vetrina.multilingual.jobs.model import TranslationJob, TranslationJobField
from vetrina.multilingual.translations.word_count import has_words
from vetrina.multilingual.xliff.inline_codes import NAMESPACE, write_inline_codes, write_plain_text, write_sentences

if TYPE_CHECKING:
    from lxml import etree


MEDIA_TYPE: Final = "application/x-xliff+xml"
TOOL: Final = "https://cdn.mlang.org/xliff/custom-attributes.xsd"
_XML: Final = "{http://www.w3.org/XML/1998/namespace}"
_DECLARATION: Final = b'<?xml version="1.0" encoding="utf-8" standalone="no"?>\n'
_SHORTCODE = re.compile(r"\[([A-Za-z][\w-]*)(?:\s[^\]\[]*)?/?\]")


class XliffSender(msgspec.Struct, frozen=True):
    """The sender of a file, and the public URL of the item; an empty URL is omitted."""

    id: int = 0
    login: str = ""
    email: str = ""
    name: str = ""
    address: str = ""


def build_original(job: TranslationJob) -> str:
    """Return the identifier of a job in its file: its id, and a digest of that and of the item."""
    if job.type == "st-batch_strings":
        return f"{job.number}-{_compute_digest(f'{job.number}string-{job.element}')}"
    return f"{job.number}-{_compute_digest(f'{job.number}{job.element}')}"


def render_xliff(
    job: TranslationJob,
    texts: Sequence[TranslationJobField],
    sender: XliffSender,
    *,
    memory: bool = False,
    for_editor: bool = False,
    segmented: bool = False,
    shortcodes: frozenset[str] = frozenset(),
) -> str:
    """Return the XLIFF file of a job.

    memory: whether targets are prefilled from earlier translations. for_editor: whether to add the groups that a remote
    editor displays. segmented: whether each unit also has its sentences marked.
    shortcodes: the names of those that tools should protect.
    """
    from lxml import etree

    spaces: Any = {None: NAMESPACE, "tool": TOOL}
    root = etree.Element(_qualify_name("xliff"), nsmap=spaces)
    root.set("version", "1.2")
    file = etree.SubElement(root, _qualify_name("file"))
    for name, value in _build_file_attributes(job, sender):
        file.set(name, FORBIDDEN_IN_XML.sub("", value))
    wanted = [one for one in texts if one.wanted and has_words(one.source)]
    # A stable sort: the title first, all others in the order of the job.
    wanted.sort(key=lambda one: one.name != "title")
    _add_header(file, job, sender, wanted)
    body = etree.SubElement(file, _qualify_name("body"))
    for one in wanted:
        _add_unit(body, one, memory, for_editor, segmented, shortcodes)
    written: bytes = etree.tostring(root, encoding="utf-8")
    return (_DECLARATION + written).decode()


def _build_file_attributes(job: TranslationJob, sender: XliffSender) -> list[tuple[str, str]]:
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
        ("original", build_original(job)),
        ("source-language", job.source_language),
        ("target-language", job.target_language),
        *((f"{{{TOOL}}}{name}", value) for name, value in tool),
        ("datatype", "plaintext"),
    ]


def _add_header(
    file: etree._Element, job: TranslationJob, sender: XliffSender, texts: Sequence[TranslationJobField]
) -> None:
    from lxml import etree

    header = etree.SubElement(file, _qualify_name("header"))
    names = dict.fromkeys(name for one in texts for name in _SHORTCODE.findall(one.source))
    kind = job.element_type.partition("_")[2] if job.type == "post" else ""
    phases = [
        ("shortcodes", "Shortcodes identification", ",".join(names)),
        ("notes", "Notes", job.note),
        ("post_type", "Post type", kind),
    ]
    if any(note for _, _, note in phases):
        group = etree.SubElement(header, _qualify_name("phase-group"))
        for name, process, note in phases:
            if note:
                phase = etree.SubElement(group, _qualify_name("phase"))
                phase.set("phase-name", name)
                phase.set("process-name", process)
                write_note_text(etree.SubElement(phase, _qualify_name("note")), note)
    if sender.address:
        reference = etree.SubElement(header, _qualify_name("reference"))
        address = FORBIDDEN_IN_XML.sub("", sender.address)
        etree.SubElement(reference, _qualify_name("external-file")).set("href", address)


def write_note_text(element: etree._Element, text: str) -> None:
    """Write text beside the translations; characters that XML cannot represent are dropped."""
    element.text = FORBIDDEN_IN_XML.sub("", text)


def _add_unit(
    body: etree._Element,
    field: TranslationJobField,
    memory: bool,
    for_editor: bool,
    segmented: bool,
    shortcodes: frozenset[str],
) -> None:
    from lxml import etree

    unit = etree.SubElement(body, _qualify_name("trans-unit"))
    unit.set("resname", FORBIDDEN_IN_XML.sub("", field.label or field.name))
    unit.set("restype", "string")
    unit.set("datatype", "html")
    unit.set("id", field.name)
    unit.set(f"{_XML}space", "preserve")
    # Whole markup is written unchanged, as readers of such files expect; a sentence has its tags protected.
    put = (
        partial(write_inline_codes, shortcodes=shortcodes)
        if field.name.startswith("package-string-")
        else write_plain_text
    )
    put(etree.SubElement(unit, _qualify_name("source")), field.source)
    if segmented:
        write_sentences(etree.SubElement(unit, _qualify_name("seg-source")), field.source, shortcodes)
    target = etree.SubElement(unit, _qualify_name("target"))
    if (field.reused and memory) or (field.target and not field.reused):
        if field.reused:
            target.set("state", "needs-review-translation")
            target.set("state-qualifier", field.reused)
        put(target, field.target)
    else:
        write_plain_text(target, "")
    if field.wrap_tag:
        etree.SubElement(unit, _qualify_name("note")).text = f"wrap_tag:{field.wrap_tag}"
    if for_editor:
        _add_extra_data(unit, field)


def _add_extra_data(unit: etree._Element, field: TranslationJobField) -> None:
    from lxml import etree

    group = "Main Content"
    if field.name.startswith(("t_", "tdesc_", "tfield-")):
        group = "Main Content/Taxonomies"
    elif field.name.startswith("field-"):
        group = "Custom Fields"
    extra = etree.SubElement(unit, f"{{{TOOL}}}extradata")
    extra.set("unit", field.label or field.name.capitalize())
    extra.set("type", "custom_field" if group == "Custom Fields" else "text")
    extra.set("group", group)
    extra.set("group_id", group.replace(" ", "_").replace("/", "-") + "-0")


def _qualify_name(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def _compute_digest(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
