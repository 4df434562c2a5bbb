"""What a profile says of outside services: `[translation]`, `[connector]` and `[shop_services]` of its file."""

from __future__ import annotations

from typing import Literal

import msgspec


class TranslationService(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The outside translation service. It may be in a private network: only this exact URL is called."""

    service_url: str = ""  # scheme, host, port and folder of the service; empty: there is none
    ate_url: str = ""  # of its editor, where that is not `ate` beneath `service_url`; likewise the next two
    ams_url: str = ""  # of its accounts
    tp_url: str = ""  # of its agencies
    tp_key: str = ""  # key of the agency's project; empty: no agency is asked
    tp_service: int = 1  # id of the agency
    tp_name: str = "Agency"  # the agency as people read it
    seconds: float = 20.0  # seconds for a whole call to it
    answer_bytes: int = 20 << 20  # bytes of its response
    machine: str = ""  # what translates jobs sent to `machine`: `module:function`, or an HTTP URL; empty: nothing
    review: Literal["none", "after", "before"] = "after"  # whether people look at a machine's text, published or draft
    lock_seconds: int = 30  # seconds that one caller has exclusive use of the exchange of jobs


class ConnectorService(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The outside service that a site registers with. It may be in a private network; no other URL is called."""

    service_url: str = ""  # scheme, host, port and folder of the service; empty: the connector is offline
    seconds: float = 20.0  # seconds for a whole call to it
    answer_bytes: int = 4 << 20  # bytes of its response
    debugger_key: str = ""  # public RSA key, in PEM, by which its debugger may see the plugins; empty: it may not


class ShopServices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Outside services that a shop's administration calls; in a private network only these exact URLs."""

    marketplace_url: str = ""  # URL of the marketplace's service; empty: the local catalogue is the marketplace
    marketplace_key: str = ""  # key by which the marketplace knows this site
    marketplace_catalogue: str = ""  # path of a TOML file, the local catalogue; empty: the built-in one, which is bare
    connector_url: str = ""  # page that connects the site to the connector's service; empty: there is none
    account_url: str = ""  # page that connects the site to an account of the marketplace; empty: there is none
    texts: str = "plain"  # who writes texts for `ai/*`: `plain`, the built-in one, or `module:name`
    images: str = "plain"  # who finds images for `ai/*`: likewise
    test_gateway: bool = False  # whether the shop has a payment method that takes no money, for trials
    stripe: bool = False  # whether the shop takes cards by Stripe, whose library is the extra `stripe`
    stripe_url: str = "https://api.stripe.com"  # scheme, host and port of Stripe's API
