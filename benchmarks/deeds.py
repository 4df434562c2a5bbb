"""Mixed writes of many clients, and a ledger of what the server acknowledged.

Each deed has a key of its own, which stands in what it makes: afterwards it must be there once, as it was acknowledged.
What was sent and not acknowledged may be there or not, but whole. Not here: who kills the server meanwhile (kills.py).
"""

from __future__ import annotations

import http.client
import random
import struct
import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from deployment import COUPON, Deployment, Line

__all__ = ["Deed", "Writer", "picture"]

_BACK = 0.2  # seconds before a client that lost its connection tries again
_SOON = (1, 4)  # seconds until a post that is to be published later


@dataclass
class Deed:
    """Something that a client did. kind: post, upload, order or later; id: as acknowledged, 0 before.

    known: members that were acknowledged; open: values of members of which the last change was not acknowledged.
    is_refused: whether the server said that it did not do it. is_over: whether nothing more is done about it.
    """

    key: str
    kind: str
    id: int = 0
    known: dict[str, Any] = field(default_factory=dict)
    open: dict[str, Any] = field(default_factory=dict)
    is_refused: bool = False
    is_over: bool = False


class _Refused(ConnectionError):
    """The server says that it changed nothing."""


def picture(key: str) -> bytes:
    """Return a picture of one pixel that is no other key's, as PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    text = chunk(b"tEXt", b"Comment\0" + key.encode())
    pixel = b"\0" + zlib.crc32(key.encode()).to_bytes(4, "big")[:3]
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + text + chunk(b"IDAT", zlib.compress(pixel)) + chunk(b"IEND", b"")
    )


class Writer(threading.Thread):
    """A client that does one deed after the other, whatever becomes of the server.

    pause: the longest pause between two deeds, in seconds. deeds: what it did. refused: answers that nothing explains.
    last: when the last answer came that acknowledged something. waits: how long each answer of any kind took.
    """

    def __init__(self, deployment: Deployment, name: str, seed: str, pause: float) -> None:
        super().__init__(daemon=True)
        self._deployment, self._name, self._random, self._pause = deployment, name, random.Random(seed), pause
        self._line = Line(deployment.port)
        self._ended = threading.Event()
        self.deeds: list[Deed] = []
        self.refused: list[str] = []
        self.acknowledged = 0  # answers, so that others see that it goes on
        self.last = 0.0
        self.waits: list[tuple[int, float]] = []  # status, 0 for none; seconds

    def stop(self) -> None:
        """End after the deed at hand."""
        self._ended.set()

    def run(self) -> None:
        kinds: tuple[Callable[[Deed], None], ...] = (self._post, self._upload, self._order, self._later)
        while not self._ended.is_set():
            # All is drawn before anything is sent, so that the order does not depend on what is answered.
            do = self._random.choices(kinds, (5, 2, 4, 1))[0]
            deed = Deed(f"{self._name}-{len(self.deeds)}", do.__name__.strip("_"))
            self.deeds.append(deed)
            try:
                do(deed)
            except (OSError, http.client.HTTPException) as error:
                deed.is_refused = isinstance(error, _Refused)
                self._ended.wait(_BACK)
            deed.is_over = True
            self._ended.wait(self._random.uniform(0, self._pause))
        self._line.close()

    def _ask(self, method: str, path: str, members: Any = None, **words: Any) -> Any:
        """Return the body of a good answer. Raises ConnectionError for one that says that it could not be done now."""
        begun, status = time.monotonic(), 0
        try:
            status, told = self._line.ask(method, path, members, **words)
        finally:
            self.waits.append((status, time.monotonic() - begun))
        if status == 503:
            raise _Refused
        if status not in (200, 201):
            self.refused.append(f"{method} {path}: {status} {str(told)[:300]}")
            raise ConnectionError
        self.acknowledged += 1
        self.last = time.monotonic()
        return told

    def _post(self, deed: Deed) -> None:
        chance, text = self._random.random(), f"Text of {deed.key}"
        tag = self._ask("POST", "/cms/v2/tags", {"name": f"Tag {deed.key}"})["id"]
        members = {"title": deed.key, "content": text, "status": "publish", "tags": [tag]}
        deed.id = self._ask("POST", "/cms/v2/posts", members)["id"]
        deed.known = {"content": text, "tags": [tag], "removed": False}
        if chance < 0.7:
            deed.open = {"content": f"Changed text of {deed.key}"}
            self._ask("POST", f"/cms/v2/posts/{deed.id}", deed.open)
            deed.known |= deed.open
            deed.open = {}
        if chance < 0.2:
            deed.open = {"removed": True}
            self._ask("DELETE", f"/cms/v2/posts/{deed.id}?force=true")
            deed.known["removed"], deed.open = True, {}

    def _upload(self, deed: Deed) -> None:
        chance = self._random.random()
        told = self._ask(
            "POST", "/cms/v2/media", content=picture(deed.key), Content_Type="image/png",
            Content_Disposition=f'attachment; filename="{deed.key}.png"',
        )  # fmt: skip
        deed.id, deed.known = told["id"], {"source_url": told["source_url"], "removed": False}
        if chance < 0.2:
            deed.open = {"removed": True}
            self._ask("DELETE", f"/cms/v2/media/{deed.id}?force=true")
            deed.known["removed"], deed.open = True, {}

    def _order(self, deed: Deed) -> None:
        chance = self._random.random()
        goods = self._random.sample(self._deployment.products, self._random.randint(1, 3))
        lines = [{"product_id": one, "quantity": self._random.randint(1, 3)} for one in goods]
        coupons = [{"code": COUPON}] if self._random.random() < 0.4 else []
        billing = {"first_name": "Ada", "email": f"{deed.key}@example.org", "country": "IT"}
        told = self._ask("POST", "/shop/v3/orders", {
            "transaction_id": deed.key, "set_paid": True, "payment_method": "bacs", "billing": billing,
            "line_items": lines, "coupon_lines": coupons,
        })  # fmt: skip
        deed.id = told["id"]
        deed.known = {
            "lines": {one["product_id"]: one["quantity"] for one in told["line_items"]}, "total": told["total"],
            "status": "processing", "refunds": 0,
        }  # fmt: skip
        if deed.known["lines"] != {one["product_id"]: one["quantity"] for one in lines}:
            self.refused.append(f"order {deed.id} has other lines than were sent: {deed.known['lines']}")
        if chance < 0.2:
            deed.open = {"status": "cancelled"}
            self._ask("PUT", f"/shop/v3/orders/{deed.id}", deed.open)
            deed.known |= deed.open
            deed.open = {}
        elif chance < 0.4:
            deed.open = {"refunds": 1}
            self._ask("POST", f"/shop/v3/orders/{deed.id}/refunds", {"amount": "0.50", "api_refund": False})
            deed.known |= deed.open
            deed.open = {}

    def _later(self, deed: Deed) -> None:
        at = datetime.fromtimestamp(time.time() + self._random.randint(*_SOON), UTC)
        members = {"title": deed.key, "status": "future", "date_gmt": at.strftime("%Y-%m-%dT%H:%M:%S")}
        deed.id = self._ask("POST", "/cms/v2/posts", members)["id"]
        deed.known = {"removed": False}
