"""Applying a configuration: it is stored, and the modes and texts that it names replace those of the one before.

A configuration is stored as given, valid or not; its valid parts take effect at once, and what an earlier one had set
is undone. Not here: what a configuration says (multilingual/xml_config/parsing.py), what the parts mean to content
(content/translations/modes.py), to jobs (multilingual/translations/block_rules.py) and to strings
(multilingual/strings/site_texts.py). Rules: docs/rules/xml_config.md, 1, 4 and 10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.translations import block_rules
from vetrina.multilingual.xml_config.parsing import (
    parse_field_references,
    parse_fields,
    parse_modes,
    parse_root,
    parse_rules,
)

if TYPE_CHECKING:
    pass


CONFIGURATION: Final = "translation_configuration"  # the option that stores the XML
_MODES: Final = "translation_modes"
_FIELDS: Final = "translation_fields"
_REFERENCES: Final = "translation_references"
_SETTLED: Final = "settled"  # in the rules: the modes of types and fields that this configuration set


def apply_configuration(work: UnitOfWork, text: str | None) -> None:
    """Store a configuration and apply it."""
    before = work.option(block_rules.OPTION).get(_SETTLED, {})
    work.set_option(CONFIGURATION, text)
    root = parse_root(text or "")
    modes, fields, rules = parse_modes(root), parse_fields(work, root), parse_rules(root)
    named = parse_field_references(work, root)
    new: dict[str, Any]
    for option, new in ((_MODES, modes), (_FIELDS, fields), (_REFERENCES, named)):
        remaining = {name: value for name, value in work.option(option).items() if name not in before.get(option, ())}
        if (now := {**remaining, **new}) != work.option(option):
            work.set_option(option, now)
    settled = {_MODES: sorted(modes), _FIELDS: sorted(fields), _REFERENCES: sorted(named)}
    work.set_option(block_rules.OPTION, {**rules, _SETTLED: settled})
    work.note("mlang_configuration", "xml", "changed")
