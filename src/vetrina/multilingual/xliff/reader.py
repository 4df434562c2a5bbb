"""Reads a filled XLIFF file as the translations of a job.

XLIFF 1.0, 1.1 and 1.2 are read alike. The file names its job; the digest next to the job's id proves that the file was
written here, for this item. Not here: what happens to the translations (multilingual/jobs/rules.py).
Rules: docs/rules/xliff.md, 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.multilingual.jobs import model as job_model
from vetrina.multilingual.jobs.model import TranslationJob
from vetrina.multilingual.jobs.translators import may_manage_translation, may_work_on_job
from vetrina.multilingual.untrusted_xml import NotXml, parse_xml
from vetrina.multilingual.xliff.inline_codes import extract_text
from vetrina.multilingual.xliff.writer import build_original

if TYPE_CHECKING:
    from lxml import etree


class NotXmlFile(ApiError):
    """The file is not XML."""

    code = "not_xml_file"
    message = "The file is not XML: {reason}"


class InvalidXliff(ApiError):
    """The file is XML, but not readable XLIFF."""

    code = "xliff_invalid"
    message = "The file is no XLIFF that can be used: {reason}."


class XliffDoesNotMatch(ApiError):
    """The file names no job, another job, or other languages than the job's."""

    code = "xliff_does_not_match"
    message = "The file does not belong to this job: it names {original!r}."


class NotYourJob(ApiError):
    """The job belongs to another translator."""

    failure, code = Failure.FORBIDDEN, "not_your_job"
    message = "Job {number} is translated by somebody else."


class XliffUnit(msgspec.Struct, frozen=True):
    """One unit of a file."""

    name: str
    source: str
    target: str


class FilledXliff(msgspec.Struct, frozen=True):
    """The translations of one job in a file. number: the job's id, 0 where the file names none."""

    number: int
    original: str
    source_language: str
    target_language: str
    units: list[XliffUnit]

    @property
    def texts(self) -> dict[str, str]:
        """The translations by field name."""
        return {unit.name: unit.target for unit in self.units}


_NAMESPACES: Final = ("urn:oasis:names:tc:xliff:document:1.2", "urn:oasis:names:tc:xliff:document:1.1", "")


def parse_xliff(text: str | bytes) -> list[FilledXliff]:
    """Return the contents of a file, one for each of its jobs. Raises NotXmlFile, InvalidXliff."""
    try:
        root = parse_xml(text)
    except NotXml as error:
        raise NotXmlFile(reason=str(error)) from None
    space, _, name = root.tag.rpartition("}")
    space = space.removeprefix("{")
    if name != "xliff" or space not in _NAMESPACES:
        raise InvalidXliff(reason=f"its root is {root.tag!r}; XLIFF 1.2 is expected")
    prefix = f"{{{space}}}" if space else ""
    files = root.findall(f"{prefix}file")
    if not files:
        raise InvalidXliff(reason="it has no <file>")
    return [_parse_file(file, prefix) for file in files]


def parse_job_file(
    work: UnitOfWork, text: str | bytes, job: TranslationJob | None = None
) -> tuple[TranslationJob, dict[str, str]]:
    """Return the job of a file, and its translations by field name.

    job: the job that the file must belong to, where it is known. Raises NotXmlFile, InvalidXliff, XliffDoesNotMatch.
    """
    found = parse_xliff(text)
    if job is not None:
        own_file = next((one for one in found if one.original == build_original(job)), None)
        if own_file is None:
            raise XliffDoesNotMatch(original=found[0].original)
        _require_languages(job, own_file)
        return job, own_file.texts
    first = found[0]
    named = job_model.find_job(work, first.number) if first.number else None
    if named is None or first.original != build_original(named):
        raise XliffDoesNotMatch(original=first.original)
    _require_languages(named, first)
    return named, first.texts


def require_job_right(work: UnitOfWork, job: TranslationJob) -> None:
    """Raise NotYourJob unless the caller manages translation, or the job is theirs or free."""
    may_work = may_work_on_job(work, work.user, job.element_type, job.target_language)
    if not may_work or (not may_manage_translation(work.user) and job.translator not in (0, work.user.id)):
        raise NotYourJob(number=job.number)


def _require_languages(job: TranslationJob, file: FilledXliff) -> None:
    """Raise XliffDoesNotMatch where a file names other languages than its job; it may name none."""
    for named, wanted in ((file.source_language, job.source_language), (file.target_language, job.target_language)):
        if named and not _is_same_language(named, wanted):
            raise XliffDoesNotMatch(original=named)


def _is_same_language(named: str, wanted: str) -> bool:
    """Say whether two codes are one language; tools add a country (`en-US`) or omit it."""
    one, other = (code.lower().replace("_", "-").split("-") for code in (named, wanted))
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _parse_file(file: etree._Element, prefix: str) -> FilledXliff:
    original = file.get("original", "")
    number = original.partition("-")[0]
    units = []
    for unit in file.iter(f"{prefix}trans-unit"):
        target, source, name = unit.find(f"{prefix}target"), unit.find(f"{prefix}source"), unit.get("id", "")
        if target is None:
            raise InvalidXliff(reason=f"unit {name!r} has no <target>")
        units.append(XliffUnit(name, extract_text(source) if source is not None else "", extract_text(target)))
    return FilledXliff(
        number=int(number) if number.isascii() and number.isdecimal() and len(number) < 16 else 0,
        original=original,
        source_language=file.get("source-language", ""),
        target_language=file.get("target-language", ""),
        units=units,
    )
