"""The options that the administration may read and write by name.

Not here: reading and writing them (shop/admin/options.py). Rules: docs/rules/shop_admin.md, 6; the names are those that
clients know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vetrina.shop.customers.retention import RETENTION_OPTIONS

# Names for which the site's own options have another name.
SITE_OPTIONS: Final[Mapping[str, str]] = {
    "blogname": "title",
    "date_format": "date_format",
    "time_format": "time_format",
}

# Options that are the settings of a payment method, by its name.
GATEWAY_OPTIONS: Final[Mapping[str, str]] = {"shop_bacs_settings": "bacs", "shop_cod_settings": "cod",
                                      "shop_cheque_settings": "cheque"}  # fmt: skip

_SHOP: Final = """
    admin_created_default_shipping_zones admin_customize_store_completed admin_customize_store_survey_completed
    admin_dismissed_mobile_app_modal admin_install_timestamp admin_launch_your_store_survey_completed
    admin_reviewed_default_shipping_zones admin_reviewed_store_location_settings admin_transient_notices_queue
    allow_tracking bacs_accounts block_product_tour_shown blocks_allow_ai_connection calc_taxes
    ces_product_feedback_shown ces_shown_for_actions ces_tracks_queue clear_ces_tracks_queue_for_page coming_soon
    customize_store_ai_suggestions customize_store_onboarding_tour_hidden date_type default_country
    default_homepage_layout demo_store demo_store_notice dimension_unit email_header_image extended_task_list_hidden
    gateway_order
    manage_stock marketing_overview_multichannel_banner_dismissed navigation_favorites_tooltip_hidden
    navigation_intro_modal_dismissed no_sales_tax onboarding_profile orders_report_date_tour_shown private_link
    product_editor_show_feedback_bar product_tour_modal_hidden remote_variant_assignment
    revenue_report_date_tour_shown setting_payments_recommendations_hidden settings_shipping_recommendations_hidden
    setup_connector_opted_in share_key shipping_dismissed_timestamp show_lys_tour show_marketplace_suggestions
    show_prepublish_checks_enabled single_variation_notice_dismissed store_pages_only stripe_settings
    task_list_complete task_list_dismissed_tasks task_list_hidden task_list_hidden_lists task_list_keep_completed
    task_list_reminder_bar_hidden task_list_tracked_completed_tasks task_list_welcome_modal_dismissed
    weight_unit welcome_from_hosting_modal_dismissed
"""
_PAYMENTS: Final = (
    "shoppay_welcome_page_incentives_dismissed", "shoppay_welcome_page_viewed_timestamp",
    "shoppay_welcome_page_exit_survey_more_info_needed_timestamp",
)  # fmt: skip

ALLOWED_OPTIONS: Final = frozenset(
    (*(f"shop_{name}" for name in _SHOP.split()), *_PAYMENTS, *SITE_OPTIONS, *GATEWAY_OPTIONS, *RETENTION_OPTIONS)
)
