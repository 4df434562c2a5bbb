"""Built-in texts of a shop's mails by language, English where a language has none.

Not here: texts that the shop wrote (settings), layout (the templates).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

__all__ = ["MailTranslator", "build_translator", "has_mail_text"]


class MailTranslator(Protocol):
    """Returns texts in a language, with the values of their {placeholders} filled in."""

    def __call__(self, name: str, /, **values: object) -> str: ...


_EN: Final = {
    "hello": "Hi {name},",
    "hello_nobody": "Hello,",
    "new_order.subject": "[{{site_title}}]: You have a new order: #{{order_number}}",
    "new_order.heading": "New order: #{{order_number}}",
    "new_order.intro": "You have received order #{number} from {name}:",
    "cancelled_order.subject": "[{{site_title}}]: Order #{{order_number}} has been cancelled",
    "cancelled_order.heading": "Order cancelled: #{{order_number}}",
    "cancelled_order.intro": "Order #{number} of {name} has been cancelled:",
    "customer_cancelled_order.subject": "Your {{site_title}} order #{{order_number}} has been cancelled",
    "customer_cancelled_order.heading": "Order cancelled: #{{order_number}}",
    "customer_cancelled_order.intro": "Your order #{number} has been cancelled. These are its details:",
    "failed_order.subject": "[{{site_title}}]: Order #{{order_number}} has failed",
    "failed_order.heading": "Order failed: #{{order_number}}",
    "failed_order.intro": "The payment of order #{number} from {name} has failed. The order was:",
    "customer_failed_order.subject": "Your order at {{site_title}} was unsuccessful",
    "customer_failed_order.heading": "Sorry, your order was unsuccessful",
    "customer_failed_order.intro": "Unfortunately your payment did not go through, so we could not complete your "
    "order.",
    "customer_on_hold_order.subject": "Your {{site_title}} order has been received!",
    "customer_on_hold_order.heading": "Thank you for your order",
    "customer_on_hold_order.intro": "We have received your order #{number}. It is on hold until we can confirm that "
    "it has been paid.",
    "customer_processing_order.subject": "Your {{site_title}} order has been received!",
    "customer_processing_order.heading": "Thank you for your order",
    "customer_processing_order.intro": "We have received your order #{number}, and it is now being processed:",
    "customer_completed_order.subject": "Your {{site_title}} order is now complete",
    "customer_completed_order.heading": "Thanks for shopping with us",
    "customer_completed_order.intro": "We have finished processing your order #{number}.",
    "customer_refunded_order.subject_full": "Your {{site_title}} order #{{order_number}} has been refunded",
    "customer_refunded_order.subject_partial": "Your {{site_title}} order #{{order_number}} has been partially "
    "refunded",
    "customer_refunded_order.heading_full": "Order refunded: {{order_number}}",
    "customer_refunded_order.heading_partial": "Partial refund: Order {{order_number}}",
    "customer_refunded_order.full": "Your order #{number} has been refunded: {amount} goes back to you.",
    "customer_refunded_order.partial": "Your order #{number} has been partially refunded: {amount} goes back to you.",
    "customer_invoice.subject": "Details for order #{{order_number}} on {{site_title}}",
    "customer_invoice.heading": "Details for order #{{order_number}}",
    "customer_invoice.subject_paid": "Invoice for order #{{order_number}} on {{site_title}}",
    "customer_invoice.heading_paid": "Invoice for order #{{order_number}}",
    "customer_invoice.intro": "These are the details of your order placed on {date}:",
    "customer_invoice.pay": "An order has been created for you on {site}. You can pay it here:",
    "customer_note.subject": "A note has been added to your order from {{site_title}}",
    "customer_note.heading": "A note has been added to your order",
    "customer_note.intro": "The following note has been added to your order:",
    "customer_note.reminder": "As a reminder, these are the details of your order:",
    "customer_reset_password.subject": "Password reset request for {{site_title}}",
    "customer_reset_password.heading": "Password reset request",
    "customer_reset_password.intro": "Somebody asked for a new password for the following account on {site}:",
    "customer_reset_password.ignore": "If it was not you, just ignore this mail. If you would like to go on:",
    "customer_reset_password.link": "Choose a new password",
    "customer_new_account.subject": "Your {{site_title}} account has been created!",
    "customer_new_account.heading": "Welcome to {{site_title}}",
    "customer_new_account.intro": "Thanks for creating an account on {site}. Your user name is {login}.",
    "customer_new_account.visit": "Here you can shop and look after your orders:",
    "customer_pos_completed_order.subject": "Your in-store purchase #{{order_number}} at {{site_title}}",
    "customer_pos_completed_order.heading": "Thank you for your in-store purchase",
    "customer_pos_completed_order.intro": "These are the details of your purchase #{number}:",
    "customer_pos_refunded_order.subject": "Your in-store order #{{order_number}} at {{site_title}} has been refunded",
    "customer_pos_refunded_order.heading": "Order refunded: {{order_number}}",
    "customer_pos_refunded_order.intro": "Your in-store order #{number} has been refunded:",
    "new_receipt.subject": "Your receipt for order #{{order_number}}",
    "new_receipt.heading": "Receipt for order #{{order_number}}",
    "new_receipt.intro": "This is the receipt of your order #{number}:",
    "low_stock.subject": "{site}: Little is left of {product}",
    "low_stock.intro": "{name}: {left} pieces are left.",
    "no_stock.subject": "{site}: Nothing is left of {product}",
    "no_stock.intro": "{name}: nothing is left to be sold.",
    "backorder.subject": "{site}: {product} is on backorder",
    "backorder.intro": "{name}: {pieces} pieces of order {order} are on backorder.",
    "user_name": "User name",
    "order": "Order #{number}",
    "product": "Product",
    "quantity": "Quantity",
    "price": "Price",
    "more_items": "… and {count} more lines",
    "subtotal": "Subtotal",
    "discount": "Discount",
    "shipping": "Shipping",
    "via": "{cost} via {way}",
    "fee": "Fee",
    "tax": "Tax",
    "payment_method": "Payment method",
    "total": "Total",
    "includes": "{total} (includes {taxes})",
    "refund": "Refund",
    "refund_because": "Refund: {reason}",
    "left": "Total after refunds",
    "note": "Note",
    "billing_address": "Billing address",
    "shipping_address": "Shipping address",
    "downloads": "Downloads",
    "until": "until {day}",
    "how_to_pay": "How to pay",
    "pay": "Pay for this order",
    "our_bank": "Our bank details",
    "bank_name": "Bank",
    "account_number": "Account number",
    "sort_code": "Sort code",
    "iban": "IBAN",
    "bic": "BIC",
    "reference": "Use {number} as the reference of your payment.",
    "cheque_to": "Make your cheque payable to {name} and send it to:",
}

_IT: Final = {
    "hello": "Ciao {name},",
    "hello_nobody": "Buongiorno,",
    "new_order.subject": "[{{site_title}}]: hai un nuovo ordine: n. {{order_number}}",
    "new_order.heading": "Nuovo ordine: n. {{order_number}}",
    "new_order.intro": "Hai ricevuto l’ordine n. {number} da {name}:",
    "cancelled_order.subject": "[{{site_title}}]: l’ordine n. {{order_number}} è stato annullato",
    "cancelled_order.heading": "Ordine annullato: n. {{order_number}}",
    "cancelled_order.intro": "L’ordine n. {number} di {name} è stato annullato:",
    "customer_cancelled_order.subject": "Il tuo ordine n. {{order_number}} su {{site_title}} è stato annullato",
    "customer_cancelled_order.heading": "Ordine annullato: n. {{order_number}}",
    "customer_cancelled_order.intro": "Il tuo ordine n. {number} è stato annullato. Ecco i dettagli:",
    "failed_order.subject": "[{{site_title}}]: l’ordine n. {{order_number}} non è riuscito",
    "failed_order.heading": "Ordine non riuscito: n. {{order_number}}",
    "failed_order.intro": "Il pagamento dell’ordine n. {number} di {name} non è riuscito. L’ordine era:",
    "customer_failed_order.subject": "Il tuo ordine su {{site_title}} non è riuscito",
    "customer_failed_order.heading": "Spiacenti, il tuo ordine non è riuscito",
    "customer_failed_order.intro": "Purtroppo il pagamento non è andato a buon fine e non abbiamo potuto completare "
    "l’ordine.",
    "customer_on_hold_order.subject": "Abbiamo ricevuto il tuo ordine su {{site_title}}!",
    "customer_on_hold_order.heading": "Grazie per il tuo ordine",
    "customer_on_hold_order.intro": "Abbiamo ricevuto il tuo ordine n. {number}. È in sospeso finché non potremo "
    "confermare il pagamento.",
    "customer_processing_order.subject": "Abbiamo ricevuto il tuo ordine su {{site_title}}!",
    "customer_processing_order.heading": "Grazie per il tuo ordine",
    "customer_processing_order.intro": "Abbiamo ricevuto il tuo ordine n. {number} e lo stiamo preparando:",
    "customer_completed_order.subject": "Il tuo ordine su {{site_title}} è completato",
    "customer_completed_order.heading": "Grazie per aver acquistato da noi",
    "customer_completed_order.intro": "Il tuo ordine n. {number} è stato completato.",
    "customer_refunded_order.subject_full": "Il tuo ordine n. {{order_number}} su {{site_title}} è stato rimborsato",
    "customer_refunded_order.subject_partial": "Il tuo ordine n. {{order_number}} su {{site_title}} è stato "
    "rimborsato in parte",
    "customer_refunded_order.heading_full": "Ordine rimborsato: {{order_number}}",
    "customer_refunded_order.heading_partial": "Rimborso parziale: ordine {{order_number}}",
    "customer_refunded_order.full": "Il tuo ordine n. {number} è stato rimborsato: ti restituiamo {amount}.",
    "customer_refunded_order.partial": "Il tuo ordine n. {number} è stato rimborsato in parte: ti restituiamo "
    "{amount}.",
    "customer_invoice.subject": "Dettagli dell’ordine n. {{order_number}} su {{site_title}}",
    "customer_invoice.heading": "Dettagli dell’ordine n. {{order_number}}",
    "customer_invoice.subject_paid": "Fattura dell’ordine n. {{order_number}} su {{site_title}}",
    "customer_invoice.heading_paid": "Fattura dell’ordine n. {{order_number}}",
    "customer_invoice.intro": "Ecco i dettagli del tuo ordine del {date}:",
    "customer_invoice.pay": "È stato creato un ordine per te su {site}. Puoi pagarlo qui:",
    "customer_note.subject": "È stata aggiunta una nota al tuo ordine su {{site_title}}",
    "customer_note.heading": "È stata aggiunta una nota al tuo ordine",
    "customer_note.intro": "Al tuo ordine è stata aggiunta questa nota:",
    "customer_note.reminder": "Ti ricordiamo i dettagli del tuo ordine:",
    "customer_reset_password.subject": "Richiesta di una nuova password per {{site_title}}",
    "customer_reset_password.heading": "Richiesta di una nuova password",
    "customer_reset_password.intro": "Qualcuno ha chiesto una nuova password per questo account su {site}:",
    "customer_reset_password.ignore": "Se non sei stato tu, ignora questo messaggio. Se vuoi continuare:",
    "customer_reset_password.link": "Scegli una nuova password",
    "customer_new_account.subject": "Il tuo account su {{site_title}} è stato creato!",
    "customer_new_account.heading": "Benvenuto su {{site_title}}",
    "customer_new_account.intro": "Grazie per aver creato un account su {site}. Il tuo nome utente è {login}.",
    "customer_new_account.visit": "Qui puoi fare acquisti e seguire i tuoi ordini:",
    "customer_pos_completed_order.subject": "Il tuo acquisto in negozio n. {{order_number}} da {{site_title}}",
    "customer_pos_completed_order.heading": "Grazie per il tuo acquisto in negozio",
    "customer_pos_completed_order.intro": "Ecco i dettagli del tuo acquisto n. {number}:",
    "customer_pos_refunded_order.subject": "Il tuo acquisto in negozio n. {{order_number}} da {{site_title}} è stato "
    "rimborsato",
    "customer_pos_refunded_order.heading": "Ordine rimborsato: {{order_number}}",
    "customer_pos_refunded_order.intro": "Il tuo acquisto in negozio n. {number} è stato rimborsato:",
    "new_receipt.subject": "La ricevuta dell’ordine n. {{order_number}}",
    "new_receipt.heading": "Ricevuta dell’ordine n. {{order_number}}",
    "new_receipt.intro": "Ecco la ricevuta del tuo ordine n. {number}:",
    "low_stock.subject": "{site}: resta poco di {product}",
    "low_stock.intro": "{name}: pezzi rimasti: {left}.",
    "no_stock.subject": "{site}: non resta nulla di {product}",
    "no_stock.intro": "{name}: non resta nulla da vendere.",
    "backorder.subject": "{site}: {product} è in arretrato",
    "backorder.intro": "{name}: pezzi in arretrato dell’ordine {order}: {pieces}.",
    "user_name": "Nome utente",
    "order": "Ordine n. {number}",
    "product": "Prodotto",
    "quantity": "Quantità",
    "price": "Prezzo",
    "more_items": "… e altre {count} righe",
    "subtotal": "Subtotale",
    "discount": "Sconto",
    "shipping": "Spedizione",
    "via": "{cost} con {way}",
    "fee": "Commissione",
    "tax": "Imposta",
    "payment_method": "Metodo di pagamento",
    "total": "Totale",
    "includes": "{total} (include {taxes})",
    "refund": "Rimborso",
    "refund_because": "Rimborso: {reason}",
    "left": "Totale dopo i rimborsi",
    "note": "Nota",
    "billing_address": "Indirizzo di fatturazione",
    "shipping_address": "Indirizzo di spedizione",
    "downloads": "Download",
    "until": "fino al {day}",
    "how_to_pay": "Come pagare",
    "pay": "Paga questo ordine",
    "our_bank": "Le nostre coordinate bancarie",
    "bank_name": "Banca",
    "account_number": "Numero di conto",
    "sort_code": "Codice della filiale",
    "iban": "IBAN",
    "bic": "BIC",
    "reference": "Indica {number} come causale del pagamento.",
    "cheque_to": "Intesta l’assegno a {name} e spediscilo a:",
}

_LANGUAGES: Final[Mapping[str, Mapping[str, str]]] = {"en": _EN, "it": _IT}
assert _EN.keys() == _IT.keys(), "every language has the same words"


def build_translator(language: str) -> MailTranslator:
    """Return the translator of a language."""
    known = _LANGUAGES.get(language.partition("-")[0].lower(), _EN)

    def say(name: str, /, **values: object) -> str:
        return known[name].format(**values)

    return say


def has_mail_text(name: str) -> bool:
    """Return whether there is a text with a name."""
    return name in _EN
