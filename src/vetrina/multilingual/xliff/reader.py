"""A filled XLIFF file as the translations of a job.

Files of XLIFF 1.0, 1.1 and 1.2 are read alike. The job is the one that the file names; the digest beside its number
shows that the file was written here, for this thing. Not here: what becomes of the translations
(multilingual/jobs/rules.py). Rules: facts of the multilingual layer, "XLIFF 1.2 as written", reading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.multilingual.jobs import model as job_model
from vetrina.multilingual.jobs.model import Job
from vetrina.multilingual.jobs.translators import manages
from vetrina.multilingual.xliff.inline_codes import text_of
from vetrina.multilingual.xliff.writer import original_of
from vetrina.multilingual.xml_config.parsing import NotXml, parsed

if TYPE_CHECKING:
    from lxml import etree

__all__ = ["DoesNotMatch", "Filled", "Invalid", "NotXmlFile", "NotYours", "Unit", "of_job", "read", "require_right"]


class NotXmlFile(ApiError):
    """The file is no XML."""

    code = "not_xml_file"
    message = "The file is not XML: {reason}"


class Invalid(ApiError):
    """The file is XML, and no XLIFF that could be read."""

    code = "xliff_invalid"
    message = "The file is no XLIFF that can be used: {reason}."


class DoesNotMatch(ApiError):
    """The file names no job, or another one, or other languages than the job's."""

    code = "xliff_does_not_match"
    message = "The file does not belong to this job: it names {original!r}."


class NotYours(ApiError):
    """The job is somebody else's."""

    status, code = 403, "not_your_job"
    message = "Job {number} is translated by somebody else."


class Unit(msgspec.Struct, frozen=True):
    """One unit of a file."""

    name: str
    source: str
    target: str


class Filled(msgspec.Struct, frozen=True):
    """What a file says of one job. number: the job's, 0 where the file names none."""

    number: int
    original: str
    source_language: str
    target_language: str
    units: list[Unit]

    @property
    def texts(self) -> dict[str, str]:
        """The translations by the names of the job's fields."""
        return {unit.name: unit.target for unit in self.units}


_NAMESPACES: Final = ("urn:oasis:names:tc:xliff:document:1.2", "urn:oasis:names:tc:xliff:document:1.1", "")


def read(text: str | bytes) -> list[Filled]:
    """Return what a file says, for each job that it is of. Raises NotXmlFile, Invalid."""
    try:
        root = parsed(text)
    except NotXml as error:
        raise NotXmlFile(reason=str(error)) from None
    space, _, name = root.tag.rpartition("}")
    space = space.removeprefix("{")
    if name != "xliff" or space not in _NAMESPACES:
        raise Invalid(reason=f"its root is {root.tag!r}; XLIFF 1.2 is expected")
    prefix = f"{{{space}}}" if space else ""
    files = root.findall(f"{prefix}file")
    if not files:
        raise Invalid(reason="it has no <file>")
    return [_filled(file, prefix) for file in files]


def of_job(work: Work, text: str | bytes, job: Job | None = None) -> tuple[Job, dict[str, str]]:
    """Return the job that a file is of, and its translations by name.

    job: the one that it must be of, where that is known. Raises NotXmlFile, Invalid, DoesNotMatch.
    """
    found = read(text)
    if job is not None:
        mine = next((one for one in found if one.original == original_of(job)), None)
        if mine is None:
            raise DoesNotMatch(original=found[0].original)
        _require_languages(job, mine)
        return job, mine.texts
    first = found[0]
    named = job_model.by_number(work, first.number) if first.number else None
    if named is None or first.original != original_of(named):
        raise DoesNotMatch(original=first.original)
    _require_languages(named, first)
    return named, first.texts


def require_right(work: Work, job: Job) -> None:
    """Raise NotYours unless the caller manages translation, or the job is his or nobody's."""
    if not manages(work.user) and job.translator not in (0, work.user.id):
        raise NotYours(number=job.number)


def _require_languages(job: Job, file: Filled) -> None:
    """Raise DoesNotMatch where a file tells other languages than its job has; one that tells none is taken."""
    for told, wanted in (
        (file.source_language, job.source_language),
        (file.target_language, job.target_language),
    ):
        if told and not _is_same_language(told, wanted):
            raise DoesNotMatch(original=told)


def _is_same_language(told: str, wanted: str) -> bool:
    """Say whether two codes name one language; tools add a country (`en-US`) or leave it out."""
    one, other = (code.lower().replace("_", "-").split("-") for code in (told, wanted))
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _filled(file: etree._Element, prefix: str) -> Filled:
    original = file.get("original", "")
    number = original.partition("-")[0]
    units = []
    for unit in file.iter(f"{prefix}trans-unit"):
        target, source, name = unit.find(f"{prefix}target"), unit.find(f"{prefix}source"), unit.get("id", "")
        if target is None:
            raise Invalid(reason=f"unit {name!r} has no <target>")
        units.append(Unit(name, text_of(source) if source is not None else "", text_of(target)))
    return Filled(
        number=int(number) if number.isascii() and number.isdecimal() and len(number) < 16 else 0,
        original=original,
        source_language=file.get("source-language", ""),
        target_language=file.get("target-language", ""),
        units=units,
    )
