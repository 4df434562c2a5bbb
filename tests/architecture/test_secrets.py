"""Secrets are compared in constant time, and guesses at them are limited.

Both lists are reviewed by hand: a new line needs the reason why nobody gains by guessing there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "vetrina"
_SECRET = re.compile(r"(?:^|_)(?:password|passwd|secret|token|signature|nonce|hash|digest|hmac|mac|key|credential)s?$")

# Comparisons with `==` of values that only sound like secrets, by file.
PLAIN: dict[str, tuple[str, ...]] = {
    # Names of members, taxonomies and parameters.
    "rest/call.py": ("key == name",),
    "backends/order_search_index.py": ("_key != shop_order.c.search_key",),
    "content/records/listing.py": ("filters.key == ('status',)",),
    "analytics/reports/filters.py": ("one.get('key') == key",),
    "analytics/reports/local_attributes.py": ("one.get('key') == slug",),
    # Which products are in which categories.
    "analytics/rollups/category_jobs.py": ("category_members.load_members(work).compute_digest() != checked",),
    "analytics/rollups/category_sums.py": ("members.compute_digest(sold) == digest",),
    "content/translations/duplicates.py": ("key != DUPLICATE_OF",),
    "content/records/rules.py": ("key != DUPLICATE_OF",),
    "media/attachments/rules.py": ("key != TWIN_META_KEY",),
    "shop/cart/lines.py": ("term.taxonomy == one['key']", "line.key != key", "one.key == line.key"),
    "shop/meta_data.py": ("one.key == key",),
    "shop/orders/rules.py": ("one.get('key') == _PAID",),
    "shop/customers/retention.py": ("shop_meta.c.name == erasure.ANONYMIZED_KEY",),
    "shop/payments/disputes.py": ("one.key == _DISPUTES_META_KEY",),
    "shop/products/attributes.py": ("term.taxonomy == one['key']",),
    "shop/products/catalogue_files.py": ("(one.fields, one.variation_fields, one.root) == key",),
    "shop/products/copies.py": ("one.taxonomy == key",),
    "shop/system/recompute.py": (
        "key != part[id]",
        "one['key'] != taxonomy",
        "order_model.build_search_key(one) != part[id]",
    ),
    "shop/keys/signatures.py": ("pair[0] != _SIGNATURE",),
    "shop/orders/stock.py": (
        "meta.key == LINE_STOCK_KEY",
        "one.key == LINE_STOCK_KEY",
        "one.key == _RESTOCKED_KEY",
    ),
    "shop/orders/views.py": ("one['key'] == key",),
    # Whether there is a password at all.
    "content/comments/visibility_filters.py": ("record.c.password == word",),
    "content/records/visibility_filters.py": ("_hidden.c.password != literal_column(\"'0'\")",),
    "content/records/search_conditions.py": ("record.c.password == word",),
    "shop/variations/rules.py": ("one.taxonomy == kept['key']",),
    "shop/storefront/product_views.py": ("term.taxonomy == attribute['key']",),
    # Keys to sort and search by.
    "access/personal_data/rules.py": (
        "holder.email.lower() == done.email_key",
        "holder.email.lower() == one.email_key",
    ),
    "access/registration/store.py": ("tx.value(_CONFIRMED, account=account) == email_key",),
    "content/records/integrity_rules.py": ("email.lower() != email_key", "build_sort_key(title) != key"),
    "multilingual/jobs/integrity_rules.py": ("key != strings.compute_string_key(domain, name, context)",),
    # Items and coupons of the visitor's own cart; the id of an account's cart, which a signed token contains.
    "shop/cart/store.py": ("key == _build_own_cart_key(work)", "line.key == key"),
    "shop/cart/coupons.py": ("one != key",),
    "shop/cart/tokens.py": ("key != build_account_cart_key(account)",),
    "shop/storefront/cart_part_routes.py": ("line.line.key == key", "one['code'] == key"),
    "shop/storefront/cart_session.py": ("brought != self.key",),
    # Products that administrators bought.
    "shop/marketplace/rules.py": ("one != key", "one.get('product_key') == key"),
    # Which of Stripe's refunds is the requested one: no client sends this.
    "shop/payments/stripe/gateway.py": ("find_member(refund, 'metadata', REFUND_KEY) == repayment.key",),
    # Whether something changed.
    "backends/database_move.py": (
        "_compute_digest(_iterate_batches(new, table)) != moved[table.name]",
        "there != _compute_digest(_iterate_batches(old, table))",
    ),
    "multilingual/services/editor_exchange.py": ("job.service_data.get(_APPLIED) == digest",),
    "shop/checkout/draft_orders.py": ("old.cart_hash != mark", "old.cart_hash == mark"),
    # The first half of a token is its name; the second is compared in constant time.
    "fake_service/service.py": ("token.partition('.')[0] != key", "token.partition('.')[0] == key"),
}

# Comparisons in constant time whose wrong outcomes are counted by access/sign_in/guess_limiter.py: functions by file.
COUNTED: dict[str, tuple[str, ...]] = {
    "access/sign_in/guess_limiter.py": ("matches_secret", "find_opened_targets"),
    "access/password_proofs/rules.py": ("is_still_right",),
    "access/second_factors/one_time_codes.py": ("_find_step",),
    "access/app_passwords/rules.py": ("find_matching_app_password",),
    "access/sessions/browser_sessions.py": ("find_browser_session",),
    "connector/connection/signature_errors.py": ("is_known",),
    "connector/connection/secrets.py": ("verify_secret_pair",),
    "connector/connection/signature_checks.py": ("_check_signature", "_find_token_secret"),
    "content/previews/store.py": ("find_link_by_digest",),
    "content/previews/preview_keys.py": ("right",),
    "shop/cart/tokens.py": ("is_signed",),
    "shop/downloads/rules.py": ("is_right",),
    "shop/keys/signatures.py": ("verify",),
    # Called by the payment reports, which count wrong guesses as for other gateways.
    "shop/payments/test_gateway.py": ("webhook",),
    "shop/keys/rules.py": ("authenticate_by_key",),
    "shop/orders/visitor_orders.py": ("_is_order_key", "_is_billed_to"),
}

# Uncounted ones: file and function → why nobody gains by guessing there.
UNCOUNTED: dict[tuple[str, str], str] = {
    ("kernel/keys.py", "is_equal_secret"): "the comparison itself",
    ("access/passkeys/challenges.py", "read_challenge"): "256 bits; what counts is the signature over the challenge",
    ("access/second_factors/pending_step.py", "find_pending_user"): "256 bits; the second factor is counted",
    ("shop/orders/visitor_orders.py", "has_order_proof"): "256 bits, beside the key of the order, which is counted",
    (
        "content/comments/waiting_comments.py",
        "find_waiting_comment",
    ): "256 bits; it shows a comment that waits, no more",
    ("content/records/passwords.py", "is_record_password"): "of a record that no password protects",
    (
        "access/sessions/nonces.py",
        "is_valid_nonce",
    ): "good only together with the cookie of its session; another site could "
    "make a browser send wrong ones, and so shut its owner out",
    ("access/single_sign_on/flow.py", "read_begun"): "256 bits, beside a sealed cookie of the same browser",
    (
        "access/single_sign_on/id_token.py",
        "read_id_token",
    ): "of a token that the provider signed",
    ("system/backups/download_links.py", "require_link"): "256 bits, for administrators; the password is counted",
    ("media/images/rendition_parameters.py", "parse_parameters"): "128 bits, for a picture that everybody may see",
    ("shop/cart/tokens.py", "is_valid_nonce"): "that of strangers is in every answer; an account's needs the account",
    ("connector/connection/signed_bodies.py", "_matches_form_hash"): "bodies of requests whose signature is counted",
    ("connector/connection/signed_bodies.py", "matches_body_hash"): "bodies of requests whose signature is counted",
    ("shop/keys/signatures.py", "check_body"): "the hash of a body; the signature over it is counted",
    ("design/widgets/rules.py", "decode_settings"): "256 bits, for those who change widgets anyway",
    (
        "multilingual/services/locks.py",
        "acquire_lock",
    ): "whoever waits for a lock sends a key of his own; only translators may",
    (
        "pages/record_unlocking.py",
        "is_record_unlocked",
    ): "256 bits, made of the password and the site's secret; browsers send stale ones",
    (
        "shop/storefront/cart_session.py",
        "build_headers",
    ): "whether the cookie is what was sent before, whose token was counted already",
    ("http/test_control.py", "_require_key"): "a throw-away site of tests",
    ("fake_service/service.py", "is_proof"): "a stand-in of the service",
    ("fake_service/service.py", "register"): "a stand-in of the service",
    ("fake_service/service.py", "verify_signature"): "a stand-in of the service",
    ("fake_service/service.py", "token"): "a stand-in of the service",
    ("site_observability.py", "_is_metrics_token"): "the token of the metrics, while the database that counts is away",
}


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        yield path.relative_to(SOURCE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def name_of(node: ast.expr) -> str:
    """Return the last name of an expression: of a variable, an attribute, an item or a called function."""
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
            # Secrets are never literals in the source.
            continue
        if any(name_of(one) in ("bindparam", "keys") for one in sides):
            # Database look-ups, and keys of mappings.
            continue
        if any(_SECRET.search(name_of(one).lower()) for one in sides):
            yield file, ast.unparse(node)


def constant_comparisons(file: str, node: ast.AST, function: str = "") -> Iterator[tuple[str, str]]:
    """Yield file and innermost function of each comparison in constant time."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        function = node.name
    if isinstance(node, ast.Call) and name_of(node.func) in ("is_equal_secret", "compare_digest"):
        yield file, function
    for child in ast.iter_child_nodes(node):
        yield from constant_comparisons(file, child, function)


def test_secrets_are_compared_in_constant_time() -> None:
    found = {one for file, tree in trees() for one in plain_comparisons(file, tree)}
    known = {(file, text) for file, texts in PLAIN.items() for text in texts}
    assert found - known == set(), "compare it with kernel.keys.is_equal_secret, or say in PLAIN what it is"
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
