"""A site without an image service."""

from collections.abc import Iterator

import pytest

from tests.local_product import LocalProduct
from tests.product import Product
from tests.support.databases import Databases


@pytest.fixture
def paused(databases: Databases) -> Iterator[Product]:
    product = LocalProduct(databases, "sqlite", route=()).start()
    yield product
    product.close()


def test_generation_is_paused_and_nothing_is_counted(paused: Product) -> None:
    person = paused.user()
    assert person.get("/api/capabilities").json()["image"]["available"] is False
    refused = person.start()
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "unavailable")
    assert int(refused.headers["retry-after"]) > 0
    assert person.used() == 0
