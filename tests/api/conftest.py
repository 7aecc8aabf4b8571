"""Products of these tests beside the shared one: whose image service sets no words, and whose covers are drawn here."""

from collections.abc import Iterator

import pytest

from tests.local_product import LocalProduct
from tests.product import Product
from tests.stub_image.control import Stub
from tests.stub_services import UNLETTERED, drawn_by
from tests.support.databases import BACKENDS, Databases

ATELIER = """
[[instances]]
id = "artist"
kind = "image"
provider = "atelier"
label = "Artist"
settings = {}
"""


@pytest.fixture(scope="module", params=BACKENDS)
def painted(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Product]:
    """A product whose image service sets no words."""
    with drawn_by(
        UNLETTERED, databases, Stub(tmp_path_factory.mktemp("painter") / "control"), request.param
    ) as product:
        yield product


@pytest.fixture
def drawn_here(databases: Databases) -> Iterator[Product]:
    """A product whose covers the built-in artist draws."""
    product = LocalProduct(databases, "sqlite", settings=ATELIER, route=("artist",))
    product.start()
    yield product
    product.close()
