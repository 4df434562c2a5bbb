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
    "declare/call.py": ("key == name",),
    "domain/analytics/filters.py": ("one.get('key') == key",),
    "domain/analytics/local_attributes.py": ("one.get('key') == slug",),
    "domain/content/duplicates.py": ("key != DUPLICATE_OF",),
    "domain/content/records.py": ("key != DUPLICATE_OF",),
    "domain/media/attachments.py": ("key != TWIN",),
    "domain/shop/cart_lines.py": ("term.taxonomy == one['key']", "line.key != key", "one.key == line.key"),
    "domain/shop/meta_data.py": ("one.key == key",),
    "domain/shop/order_writing.py": ("one.get('key') == _PAID",),
    "domain/shop/payment_disputes.py": ("one.key == _FIELD",),
    "domain/shop/product_attributes.py": ("term.taxonomy == one['key']",),
    "domain/shop/product_copies.py": ("one.taxonomy == key",),
    "domain/shop/recounting.py": ("key != part[id]", "one['key'] != taxonomy", "order.search_key(one) != part[id]"),
    "domain/shop/key_signatures.py": ("pair[0] != _SIGNATURE",),
    "domain/shop/transitions.py": ("meta.key == LINE_STOCK", "one.key == LINE_STOCK", "one.key == _PUT_BACK"),
    "namespaces/shop/order_view.py": ("one['key'] == key",),
    # Whether a password protects at all.
    "domain/content/discussion/comment_filters.py": ("record.c.password == word",),
    "domain/content/record_filters.py": ("record.c.password == word",),
    "domain/shop/variations.py": ("one.taxonomy == kept['key']",),
    "namespaces/store/product_view.py": ("term.taxonomy == kept['key']",),
    # Words to sort and search by.
    "domain/integrity/content.py": ("email.lower() != email_key", "sort_key(title) != key"),
    "domain/integrity/translation.py": ("key != strings.key(domain, name, context)",),
    # Lines and coupons of the visitor's own cart; the number of an account's cart, which a signed token names.
    "domain/shop/cart.py": ("key == _own(work)", "line.key == key"),
    "domain/shop/cart_coupons.py": ("one != key",),
    "domain/shop/cart_tokens.py": ("key != of_account(account)",),
    "namespaces/store/cart.py": ("line.line.key == key", "one['code'] == key"),
    "namespaces/store/visit.py": ("brought != self.key",),
    # Products that administrators bought.
    "domain/shop/marketplace.py": ("one != key", "one.get('product_key') == key"),
    # Which of the refunds that Stripe lists is the one that was asked for: nobody sends us this.
    "domain/shop/stripe_gateway.py": ("member(refund, 'metadata', REFUND_KEY) == repayment.key",),
    # Whether something changed.
    "backends/move.py": ("_digest(_rows(new, table)) != moved[table.name]", "there != _digest(_rows(old, table))"),
    "domain/mlang/editor_exchange.py": ("known.service_data.get(_APPLIED) == digest",),
    "domain/shop/checkout.py": ("old.cart_hash != mark", "old.cart_hash == mark"),
    # The first half of a token is its name; the second is compared in constant time.
    "peer/service.py": ("token.partition('.')[0] != key", "token.partition('.')[0] == key"),
}

# Comparisons in constant time whose wrong outcomes are counted by access/guessing.py: functions by file.
COUNTED: dict[str, tuple[str, ...]] = {
    "domain/access/guessing.py": ("opens", "opened_by"),
    "domain/access/app_passwords.py": ("matching",),
    "domain/access/sessions.py": ("of_request",),
    "domain/connector/remote_errors.py": ("is_known",),
    "domain/connector/secrets.py": ("verified",),
    "domain/connector/signatures.py": ("_examined", "_secret"),
    "domain/content/previews.py": ("right",),
    "domain/shop/cart_tokens.py": ("is_signed",),
    "domain/shop/downloads.py": ("is_right",),
    "domain/shop/key_signatures.py": ("proves",),
    # Called by payment_reports.take, which counts it as it counts those of packages.
    "domain/shop/trial_gateway.py": ("webhook",),
    "domain/shop/keys.py": ("sign_in",),
    "domain/shop/visitor_orders.py": ("_has_key", "_is_billed_to"),
}

# Those that count nothing: file and function → why nobody gains by guessing there.
UNCOUNTED: dict[tuple[str, str], str] = {
    ("kernel/ids.py", "same"): "the comparison itself",
    ("domain/content/record_passwords.py", "opens"): "of a record that no password protects",
    ("domain/access/sessions.py", "is_nonce"): "good only together with the cookie of its session; another site could "
    "make a browser send wrong ones, and so shut its owner out",
    ("domain/shop/cart_tokens.py", "is_nonce"): "that of strangers is in every answer; an account's needs the account",
    ("domain/connector/signed_bodies.py", "_form_fits"): "bodies of requests whose signature is counted",
    ("domain/connector/signed_bodies.py", "fits"): "bodies of requests whose signature is counted",
    ("domain/shop/key_signatures.py", "check_body"): "the hash of a body; the signature over it is counted",
    ("domain/design/widgets.py", "decoded"): "256 bits, for those who change widgets anyway",
    ("domain/mlang/locks.py", "take"): "whoever waits for a lock sends a key of his own; only translators may",
    ("pages/records.py", "shown"): "256 bits, made of the password and the site's secret; browsers send stale ones",
    (
        "namespaces/store/visit.py",
        "headers",
    ): "whether the cookie is what was sent before, whose token was counted already",
    ("edge/control.py", "_require_key"): "a throw-away site of tests",
    ("peer/service.py", "is_proof"): "a stand-in of the service",
    ("peer/service.py", "register"): "a stand-in of the service",
    ("peer/service.py", "signed"): "a stand-in of the service",
    ("peer/service.py", "token"): "a stand-in of the service",
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
    assert found - known == set(), "ask access/guessing.py, or say in UNCOUNTED why nobody gains by guessing"
    assert known - found == set(), "not there any more"


def test_what_looks_like_a_secret_is_found() -> None:
    for text in ("given != record.password", "kept['secret'] == word", "a.hexdigest() == b", "sent == order_key"):
        assert list(plain_comparisons("x.py", ast.parse(text))), text
