"""Categories, tags, brands and shipping classes of products, and the values of attributes, with what a shop adds."""

from __future__ import annotations

from vetrina.content.terms import rules as term_rules, store as term_store
from vetrina.content.terms.store import Term
from vetrina.content.translations.modes import build_element_name
from vetrina.content.types.model import Taxonomy
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.groupings import rules as groupings
from vetrina.transfer.target.incoming_record import IncomingRecord, RecordSkipped
from vetrina.transfer.target.journal import ATTRIBUTE, RECORD
from vetrina.transfer.target.member_values import read_number, read_text
from vetrina.transfer.target.outcome import Written
from vetrina.transfer.target.terms import write_term

from .languages import open_language


def write_product_term(one: IncomingRecord, taxonomy: Taxonomy) -> Written:
    """Write a term of products with its image, display and order; one of the name is found again.

    Raises EmptyTermName, DuplicateTermSlug, RecordSkipped.
    """
    open_language(one, build_element_name(taxonomy))
    try:
        written = write_term(one, taxonomy)
    except term_rules.TermExists as taken:
        # A source without slugs means it by its name.
        return Written(int(taken.data["term_id"]), adopted=True)
    term = term_store.find_term(one.work.tx, written.target)
    assert term is not None, "it was just written"
    if written.adopted:
        if not (one.keep_ids and _is_first_one(one, taxonomy, term)):
            return written
        # The one that an empty site began with stands for the source's, whichever number it has there.
        term = term_rules.update_term(
            one.work, taxonomy, term, name=one.get_text("name"), description=one.get_text("description")
        )
    groupings.save_term_details(one.work, term, _build_details(one))
    return Written(term.id)


def write_attribute_term(one: IncomingRecord) -> Written:
    """Write a value of an attribute. Raises ReferenceMissing, RecordSkipped, EmptyTermName."""
    id = one.require(ATTRIBUTE, one.record.parent, "attribute")
    attribute = attributes.load_attributes(one.work).get(id)
    if attribute is None:
        raise RecordSkipped(f"its attribute {id} is not here any more")
    return write_product_term(one, attributes.build_attribute_taxonomy(attribute))


def _is_first_one(one: IncomingRecord, taxonomy: Taxonomy, term: Term) -> bool:
    return bool(taxonomy.default_option) and one.work.option(taxonomy.default_option) == term.id


def _build_details(one: IncomingRecord) -> dict[str, object]:
    """Return what a term of a shop has beyond a term, as the rules take it."""
    values = one.values
    out: dict[str, object] = {}
    if values.get("menu_order") is not None:
        out["menu_order"] = read_number(values["menu_order"])
    if "display" in values:
        display = read_text(values["display"])
        out["display"] = display if display in groupings.DISPLAYS else groupings.DISPLAYS[0]
    if "image" in values:
        image = values["image"]
        out["image"] = {"id": one.resolve(RECORD, image.get("id"), "image") if isinstance(image, dict) else 0}
    return out
