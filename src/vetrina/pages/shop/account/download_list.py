"""The files that a customer bought and may fetch. Rules: docs/rules/account_pages.md, 5; docs/rules/customers.md, 5."""

from __future__ import annotations

from vetrina.pages.markup import Html, render_element, render_link
from vetrina.pages.page_request import PageRequest, strip_markup
from vetrina.pages.shop.account.texts import translate
from vetrina.shop.downloads import rules as downloads
from vetrina.shop.downloads.rules import DownloadPermission
from vetrina.shop.mail.formatting import MailFormatter
from vetrina.shop.orders import model as order_model
from vetrina.shop.products import model as product_model


def render_downloads(page: PageRequest, value: str) -> Html:
    """Return the table of files; small windows show each as a card."""
    work = page.work
    granted = [one for one in downloads.list_customer_downloads(work, page.user.id) if _is_open(page, one)]
    goods = product_model.load_products_by_id(work, {one.product for one in granted})
    orders = order_model.load_orders_by_id(work, {one.order for one in granted})
    labels = [
        translate(page, "Product"), translate(page, "File"), translate(page, "Downloads left"),
        translate(page, "Until"),
    ]  # fmt: skip
    form, rows = MailFormatter(work, page.language, ""), []
    for one in granted:
        sold, of = goods.get(one.product), orders.get(one.order)
        file = next((file for file in sold.downloads if file["id"] == one.download), None) if sold else None
        if sold is None or of is None or file is None:
            continue
        name = strip_markup(sold.name)
        address = downloads.build_download_url(work, one, of.order_key)
        cells = [
            render_link(address, strip_markup(file.get("name", "")) or name),
            translate(page, "Unlimited") if one.left < 0 else str(one.left),
            translate(page, "Never expires") if one.expires is None else form.format_day(one.expires),
        ]
        head = render_element("th", name, scope="row", data_label=labels[0])
        rest = (render_element("td", cell, data_label=label) for label, cell in zip(labels[1:], cells, strict=True))
        rows.append(render_element("tr", head, *rest))
    if not rows:
        return render_element("p", translate(page, "There are no downloads here."))
    columns = render_element("tr", *(render_element("th", one, scope="col") for one in labels))
    return render_element(
        "table", render_element("thead", columns), render_element("tbody", *rows), class_="shop-account__table"
    )


def _is_open(page: PageRequest, one: DownloadPermission) -> bool:
    return one.left != 0 and (one.expires is None or one.expires >= page.work.now)
