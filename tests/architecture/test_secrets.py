"""No secret is compared in a way that tells how near a guess came, and none without a limit on guesses.

Both lists are reviewed by hand: whoever adds a line says why nobody gains by guessing there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "vetrina"
_SECRET = re.compile(r"(?:^|_)(?:password|passwd|secret|token|signature|nonce|hash|digest|hmac|mac|key|credential)s?$")

# Comparisons with `==` of what only sounds like a secret, by file.
PLAIN: dict[str, tuple[str, ...]] = {
    # Names of members, taxonomies and parameters.
    "rest/call.py": ("key == name",),
    "analytics/reports/filters.py": ("one.get('key') == key",),
    "analytics/reports/local_attributes.py": ("one.get('key') == slug",),
    "content/translations/duplicates.py": ("key != DUPLICATE_OF",),
    "content/records/rules.py": ("key != DUPLICATE_OF",),
    "media/attachments/store.py": ("key != TWIN",),
    "shop/cart/lines.py": ("term.taxonomy == one['key']", "line.key != key", "one.key == line.key"),
    "shop/meta_data.py": ("one.key == key",),
    "shop/orders/rules.py": ("one.get('key') == _PAID",),
    "shop/payments/disputes.py": ("one.key == _FIELD",),
    "shop/products/attributes.py": ("term.taxonomy == one['key']",),
    "shop/products/copies.py": ("one.taxonomy == key",),
    "shop/system/recompute.py": ("key != part[id]", "one['key'] != taxonomy", "order.search_key(one) != part[id]"),
    "shop/keys/signatures.py": ("pair[0] != _SIGNATURE",),
    "shop/orders/transitions.py": ("meta.key == LINE_STOCK", "one.key == LINE_STOCK", "one.key == _PUT_BACK"),
    "shop/orders/views.py": ("one['key'] == key",),
    # Whether a password protects at all.
    "content/comments/filters.py": ("record.c.password == word",),
    "content/records/filters.py": ("record.c.password == word",),
    "shop/variations/rules.py": ("one.taxonomy == kept['key']",),
    "shop/storefront/product_views.py": ("term.taxonomy == kept['key']",),
    # Words to sort and search by.
    "content/records/checks.py": ("email.lower() != email_key", "sort_key(title) != key"),
    "multilingual/jobs/checks.py": ("key != strings.key(domain, name, context)",),
    # Lines and coupons of the visitor's own cart; the number of an account's cart, which a signed token names.
    "shop/cart/store.py": ("key == _own(work)", "line.key == key"),
    "shop/cart/coupons.py": ("one != key",),
    "shop/cart/tokens.py": ("key != of_account(account)",),
    "shop/storefront/cart_routes.py": ("line.line.key == key", "one['code'] == key"),
    "shop/storefront/visit_permissions.py": ("brought != self.key",),
    # Products that administrators bought.
    "shop/marketplace/rules.py": ("one != key", "one.get('product_key') == key"),
    # Which of the refunds that Stripe lists is the one that was asked for: nobody sends us this.
    "shop/payments/stripe/gateway.py": ("member(refund, 'metadata', REFUND_KEY) == repayment.key",),
    # Whether something changed.
    "backends/database_move.py": (
        "_digest(_rows(new, table)) != moved[table.name]",
        "there != _digest(_rows(old, table))",
    ),
    "multilingual/services/editor_exchange.py": ("known.service_data.get(_APPLIED) == digest",),
    "shop/checkout/rules.py": ("old.cart_hash != mark", "old.cart_hash == mark"),
    # The first half of a token is its name; the second is compared in constant time.
    "fake_service/service.py": ("token.partition('.')[0] != key", "token.partition('.')[0] == key"),
}

# Comparisons in constant time whose wrong outcomes are counted by access/sign_in/guess_limiter.py: functions by file.
COUNTED: dict[str, tuple[str, ...]] = {
    "access/sign_in/guess_limiter.py": ("opens", "opened_by"),
    "access/app_passwords/rules.py": ("matching",),
    "access/sessions/rules.py": ("of_request",),
    "connector/connection/remote_errors.py": ("is_known",),
    "connector/connection/secrets.py": ("verified",),
    "connector/connection/signatures.py": ("_examined", "_secret"),
    "content/records/preview_keys.py": ("right",),
    "shop/cart/tokens.py": ("is_signed",),
    "shop/downloads/rules.py": ("is_right",),
    "shop/keys/signatures.py": ("proves",),
    # Called by payment_reports.take, which counts it as it counts those of packages.
    "shop/payments/test_gateway.py": ("webhook",),
    "shop/keys/rules.py": ("sign_in",),
    "shop/orders/visitor_orders.py": ("_has_key", "_is_billed_to"),
}

# Those that count nothing: file and function → why nobody gains by guessing there.
UNCOUNTED: dict[tuple[str, str], str] = {
    ("kernel/keys.py", "same"): "the comparison itself",
    ("content/records/passwords.py", "opens"): "of a record that no password protects",
    ("access/sessions/rules.py", "is_nonce"): "good only together with the cookie of its session; another site could "
    "make a browser send wrong ones, and so shut its owner out",
    ("shop/cart/tokens.py", "is_nonce"): "that of strangers is in every answer; an account's needs the account",
    ("connector/connection/signed_bodies.py", "_form_fits"): "bodies of requests whose signature is counted",
    ("connector/connection/signed_bodies.py", "fits"): "bodies of requests whose signature is counted",
    ("shop/keys/signatures.py", "check_body"): "the hash of a body; the signature over it is counted",
    ("design/widgets/rules.py", "decoded"): "256 bits, for those who change widgets anyway",
    ("multilingual/services/locks.py", "take"): "whoever waits for a lock sends a key of his own; only translators may",
    (
        "pages/record_pages.py",
        "shown",
    ): "256 bits, made of the password and the site's secret; browsers send stale ones",
    (
        "shop/storefront/visit_permissions.py",
        "headers",
    ): "whether the cookie is what was sent before, whose token was counted already",
    ("http/test_control.py", "_require_key"): "a throw-away site of tests",
    ("fake_service/service.py", "is_proof"): "a stand-in of the service",
    ("fake_service/service.py", "register"): "a stand-in of the service",
    ("fake_service/service.py", "signed"): "a stand-in of the service",
    ("fake_service/service.py", "token"): "a stand-in of the service",
    ("site.py", "_proves"): "the token of the metrics, while the database that counts is away",
}


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        yield path.relative_to(SOURCE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def name_of(node: ast.expr) -> str:
    """Return the last name of an expression: of a variable, a member, an item or what a call returns."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(name)), *_]):
            return name
        case ast.Call(func=ast.Attribute(attr="hexdigest" | "digest")):
            return "digest"
        case ast.Call(func=inner) | ast.Await(value=inner):
            return name_of(inner)
    return ""


def plain_comparisons(file: str, tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare) or not any(isinstance(one, (ast.Eq, ast.NotEq)) for one in node.ops):
            continue
        sides = [node.left, *node.comparators]
        if any(isinstance(one, ast.Constant) for one in sides):
            # A secret is never written into the source.
            continue
        if any(name_of(one) in ("bindparam", "keys") for one in sides):
            # What the database finds, and the names that a mapping has.
            continue
        if any(_SECRET.search(name_of(one).lower()) for one in sides):
            yield file, ast.unparse(node)


def constant_comparisons(file: str, node: ast.AST, function: str = "") -> Iterator[tuple[str, str]]:
    """Yield file and innermost function of each comparison in constant time."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        function = node.name
    if isinstance(node, ast.Call) and name_of(node.func) in ("same", "compare_digest"):
        yield file, function
    for child in ast.iter_child_nodes(node):
        yield from constant_comparisons(file, child, function)


def test_secrets_are_compared_in_constant_time() -> None:
    found = {one for file, tree in trees() for one in plain_comparisons(file, tree)}
    known = {(file, text) for file, texts in PLAIN.items() for text in texts}
    assert found - known == set(), "compare it with kernel.ids.same, or say in PLAIN what it is"
    assert known - found == set(), "not there any more"


def test_guesses_at_secrets_are_counted() -> None:
    found = {one for file, tree in trees() for one in constant_comparisons(file, tree)}
    known = {(file, name) for file, names in COUNTED.items() for name in names} | UNCOUNTED.keys()
    assert found - known == set(), (
        "ask access/sign_in/guess_limiter.py, or say in UNCOUNTED why nobody gains by guessing"
    )
    assert known - found == set(), "not there any more"


def test_what_looks_like_a_secret_is_found() -> None:
    for text in ("given != record.password", "kept['secret'] == word", "a.hexdigest() == b", "sent == order_key"):
        assert list(plain_comparisons("x.py", ast.parse(text))), text
