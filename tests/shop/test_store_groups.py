"""Groups of products in the storefront interface."""

from __future__ import annotations

import pytest

from conftest import Client, Stand


@pytest.mark.every_database
def test_a_category_counts_the_approved_reviews_of_its_products(site: Stand, manager: Client) -> None:
    category = manager.post("/shop/v3/products/categories", {"name": "Lamps"}).json["id"]
    members = {"name": "Lamp", "regular_price": "10", "categories": [{"id": category}]}
    product = manager.post("/shop/v3/products", members).json["id"]
    path = f"/shop/store/v1/products/categories/{category}"
    assert site.client().get(path).json["review_count"] == 0
    for at, status in enumerate(("approved", "approved", "hold")):
        review = {
            "product_id": product, "review": f"Bright {at}", "reviewer": "Ann", "reviewer_email": "ann@example.org",
            "rating": 4, "status": status,
        }  # fmt: skip
        assert manager.post("/shop/v3/products/reviews", review).status == 201
    assert site.client().get(path).json["review_count"] == 2
    manager.put(f"/shop/v3/products/{product}", {"status": "draft"})
    assert site.client().get(path).json["review_count"] == 0
