"""The route by which single texts are translated by the machine, while somebody translates; no job is made.

Our own addition. Not here: jobs that a machine fills (multilingual/services/dispatch.py).
Rules: docs/rules/translation_routes.md, 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure, Fault, InvalidParam
from vetrina.multilingual.glossary.term_matching import build_term_finder
from vetrina.multilingual.jobs.translators import may_manage_translation, may_translate
from vetrina.multilingual.permissions import TranslationForbidden, require_any_translator_permission
from vetrina.multilingual.services import machine
from vetrina.multilingual.services.remote import TranslationServiceFailed
from vetrina.multilingual.services.service import TranslationServiceError
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Object, String
from vetrina.rest.route import WRITE, Route

_PATH: Final = "/mlang/tm/v1/machine/texts"
_MAX_TEXTS: Final = 50
_MAX_CHARACTERS: Final = 20_000  # of all texts of a request
_ANSWER: Final = Object(properties={"texts": Array("The translations, in the order of the texts.", items=String())})


class NoTranslationMachine(ApiError):
    failure, code = Failure.CONFLICT, "mlang_no_machine"
    message = "The site has no translation machine. Its profile names one under [translation], as `machine`."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route of single texts."""
    languages = site.profile.languages
    args = {
        "source_language": String("Language of the texts.", enum=languages, required=True),
        "target_language": String("Language that they are wanted in.", enum=languages, required=True),
        "texts": Array(
            "Texts with their tags, which are kept.", items=String(), required=True, min_items=1, max_items=_MAX_TEXTS
        ),
    }
    return (
        Route(
            WRITE, _PATH, _translate_texts, args, _require_pair_permission, slow=True, read=True,
            prepare=_ask_machine, answers=_ANSWER, status=200,
            errors=(TranslationForbidden, NoTranslationMachine, TranslationServiceFailed),
        ),
    )  # fmt: skip


def _require_pair_permission(call: Call) -> None:
    """Those who manage translations, and translators of the two languages."""
    require_any_translator_permission(call)
    user = call.work.user
    # Also called to list what a request that was refused may do; then the languages may be what was wrong.
    source, target = call.args.get("source_language"), call.args.get("target_language")
    if source and target and not may_manage_translation(user) and not may_translate(user, source, target):
        raise TranslationForbidden(True)


@contextmanager
def _ask_machine(call: Call) -> Iterator[list[str]]:
    site, texts = call.work.site, call.args["texts"]
    source, target = call.args["source_language"], call.args["target_language"]
    if not site.profile.translation.machine:
        raise NoTranslationMachine
    if source == target:
        fault = Fault("rest_invalid_param", f"The texts are in {source} already; name another language.")
        raise InvalidParam({"target_language": fault})
    if sum(map(len, texts)) > _MAX_CHARACTERS:
        fault = Fault("rest_too_long", f"The texts have more than {_MAX_CHARACTERS} characters; send some of them.")
        raise InvalidParam({"texts": fault})
    assert call.open is not None
    with call.open(True) as work:
        find_terms = build_term_finder(work, source, target)
    try:
        made = machine.translate_texts(machine.load_machine_translator(site), texts, source, target, find_terms)
    except TranslationServiceError as error:
        raise TranslationServiceFailed(error) from error
    yield made


def _translate_texts(call: Call) -> Result:
    """Translate some texts by machine, without a job."""
    return Result({"texts": call.prepared})
