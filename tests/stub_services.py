"""Products whose covers are drawn by stub services with settings of a test's own."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from tests.local_product import LocalProduct
from tests.product import Product
from tests.stub_image.control import Stub
from tests.support.databases import Databases

Services = Mapping[str, Mapping[str, Any]]

UNLETTERED: Final[Services] = {"painter": {"letters": False, "sizes": ["640x960"]}}
"""Draws no words."""
LETTERED: Final[Services] = {"artist": {"artwork": True}}
"""Draws title and author, and returns the picture without them, too."""
SAYING_HOW: Final[Services] = {"artist": {"artwork": True, "lettering": "cinzel"}}
"""Says how it has set them, too."""
SIZE: Final = {"dimensions": "custom", "customWidth": 4, "customHeight": 6}


@contextmanager
def drawn_by(services: Services, databases: Databases, stub: Stub, backend: str = "sqlite") -> Iterator[Product]:
    """Yield a product with these image services, in their order, all under the control of `stub`."""
    stub.does("ok")
    declared = (
        f'[[instances]]\nid = "{name}"\nkind = "image"\nprovider = "stub"\nlabel = "{name.title()}"\n'
        f"settings = {{ {_toml({'control': str(stub.folder), **settings})} }}\n"
        for name, settings in services.items()
    )
    product = LocalProduct(databases, backend, settings="\n".join(declared), route=tuple(services))
    product.start()
    try:
        yield product
    finally:
        product.close()


def _toml(settings: Mapping[str, Any]) -> str:
    """Return an inline table; of texts, numbers, booleans and lists TOML and JSON write the same."""
    return ", ".join(f"{name} = {json.dumps(value)}" for name, value in settings.items())
