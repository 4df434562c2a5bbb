"""Products as records of the content interface, and their categories, tags and brands as its terms.

They are the same that the shop's own routes show: one store, and a write goes through the shop's rules (variations
follow their product, prices and stock stay what they are, webhooks are told). Not here: prices, stock and everything
else that only a shop knows (shop/products/routes.py).
Rules: issue 21, "The original's own pages"; interface.md, "Content routes".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vetrina.content.records.lifecycle import AlreadyTrashed
from vetrina.content.records.model import Record
from vetrina.content.records.precondition_arguments import check as check_preconditions
from vetrina.content.records.routes import RecordRoutes
from vetrina.content.records.views import View, record_shape
from vetrina.content.terms.routes import TermRoutes
from vetrina.content.terms.store import Term
from vetrina.content.text.class_list import class_list
from vetrina.core.unit_of_work import Frame, Work
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Field
from vetrina.rest.route import Route
from vetrina.rest.serializer import Choice, Getter, Shape
from vetrina.shop.groupings import counts as category_counts
from vetrina.shop.products import class_names, product_types
from vetrina.shop.products import model as product
from vetrina.shop.products import rules as product_writing
from vetrina.shop.products.model import Product

__all__ = ["routes", "terms"]


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of products as records."""
    return ProductRoutes(frame, product_types.AS_RECORD).all()


def terms(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the terms that products are grouped by."""
    own = [one for one in product_types.GROUPINGS if one.described]
    return tuple(route for one in own for route in ProductTermRoutes(frame, one).routes())


@dataclass(slots=True)
class ProductView(View):
    """What showing products needs to know beside their records. products: by number, None until one is asked for."""

    products: dict[int, Product] | None = None

    def product(self, of: Record) -> Product | None:
        """Return the product of a record; the first time it is asked for those of all that are shown."""
        if self.products is None or of.id not in self.products:
            self.products = product.by_ids(self.work, [of.id, *(one.id for one in self.records)])
        return self.products.get(of.id)


class ProductRoutes(RecordRoutes):
    """The routes of products as records."""

    def shaped(self) -> Shape:
        usual = record_shape(self.frame, self.type)
        return Shape(usual.fields, {**usual.getters, "class_list": _class_names})

    def view_of(self, work: Work, rows: Sequence[Record], context: str) -> View:
        usual = super().view_of(work, rows, context)
        return ProductView(work, self.type, context, usual.terms, records=rows)

    def created(self, call: Call) -> Result:
        new = product_writing.create_record(call.work, self.given(call)).record
        result = self.shown(call, new)
        result.status = 201
        result.headers["Location"] = call.work.api(f"{self.type.path}/{new.id}")
        return result

    def changed(self, call: Call) -> Result:
        record = self.record_of(call)
        check_preconditions(call, record)
        changed = product_writing.change_record(call.work, product.existing(call.work, record.id), self.given(call))
        call.kept[self] = changed.record
        return self.shown(call, changed.record)

    def removed(self, call: Call) -> Result:
        record, work = self.record_of(call), call.work
        check_preconditions(call, record)
        old = product.existing(work, record.id)
        if call.args["force"]:
            previous = self.shown(call, record).body
            product_writing.remove(work, old)
            call.kept.pop(self)
            return Result({"deleted": True, "previous": previous})
        if record.status == "trash":
            raise AlreadyTrashed
        record = product_writing.trash(work, old)
        call.kept[self] = record
        return self.shown(call, record)


def _class_names(record: Record, view: ProductView) -> list[str]:
    usual = class_list(view.work.frame, view.type, record, view.terms.get(record.id, ()))
    # Style sheets take what says `hentry` for an article.
    usual.remove("hentry")
    one = view.product(record)
    return [*usual, *(class_names.class_names(view.work, one) if one is not None else ())]


class ProductTermRoutes(TermRoutes):
    """The routes of the terms of one taxonomy of products."""

    def _fields(self) -> dict[str, Field]:
        usual = super()._fields()
        return {**usual, "meta": usual["meta"].but(extra={"properties": {}})}

    def getters(self) -> Mapping[str, Getter]:
        # What the shop keeps of a group beside its words (its image, its place) is no registered field of terms.
        return {**super().getters(), "meta": lambda term, view: {}}

    def _presented(self, work: Work, found: list[Term], context: str, wanted: Choice | None) -> list[dict[str, Any]]:
        body = super()._presented(work, found, context, wanted)
        counts = category_counts.count_products(work, found)
        for term, members in zip(found, body, strict=True):
            if "count" in members:
                members["count"] = counts[term.id]
        return body
