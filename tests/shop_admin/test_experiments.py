"""Experiments: a site is in the variation that its profile assigns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from conftest import Stand, standing
from vetrina.settings import load_profile

PATH = "/shop-admin/experiments/assignment"


@pytest.fixture
def trying(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    """A shop that takes part in an experiment."""
    told = {"shop_experiments": {"new_cart": "treatment", "odd": 7}}
    profile = load_profile("second")
    with standing(request, msgspec.structs.replace(profile, options={**profile.options, **told}), "_shop") as stand:
        yield stand


@pytest.mark.parametrize(("name", "variation"), [("new_cart", "treatment"), ("other", None), ("odd", None)])
def test_a_site_is_in_the_variation_that_its_profile_says(trying: Stand, name: str, variation: Any) -> None:
    answer = trying.client("shop_manager").get(PATH, query={"experiment_name": name})
    assert (answer.status, answer.json["variations"]) == (200, {name: variation})
