"""What providers say of themselves to administrators who choose: true of their default settings, and on the wire."""

from pathlib import Path
from typing import Any

import pytest

from kernel.providers import load_plugins
from kernel.providers.calls.pricing import estimate
from kernel.spi import ImageCapabilities, ProviderSpec, Secret, Size
from kernel.spi.testing import FakeContext

OFFERS = {f"{kind}:{name}": offer.spec for (kind, name), offer in load_plugins({}).offers.items()}
PRICED = [name for name, spec in OFFERS.items() if spec.comparison and spec.comparison.price_micros is not None]
IMAGES = [name for name in OFFERS if name.startswith("image:")]
OWN_HARDWARE = ("image:automatic1111", "image:comfyui")
"""What these are set up with depends on the server."""


def capabilities(spec: ProviderSpec[Any, Any], folder: Path) -> ImageCapabilities:
    """Return those of an instance with default settings."""
    required = {name: Secret("a-key") for name in ("api_key", "api_token") if name in spec.settings.__struct_fields__}
    said: ImageCapabilities = spec.build(spec.settings(**required), FakeContext(folder)).capabilities()
    return said


def cover_size(said: ImageCapabilities) -> Size:
    """Return the size for a book of 6 x 9 inches."""
    return min(said.sizes, key=lambda size: abs(size.width / size.height - 6 / 9))


def test_every_provider_of_ours_can_be_compared() -> None:
    assert [name for name, spec in OFFERS.items() if spec.comparison is None] == []
    for name, spec in OFFERS.items():
        assert spec.comparison is not None and spec.comparison.purposes, name
        assert (spec.comparison.reach == "vendor") == bool(spec.comparison.vendor), name
        assert spec.comparison.price_micros is None or spec.comparison.cost == "paid", name
        assert not spec.offline or spec.comparison.reach == "machine", name


@pytest.mark.parametrize("name", PRICED)
def test_the_price_is_that_of_a_cover_with_default_settings(name: str, tmp_path: Path) -> None:
    said, compared = capabilities(OFFERS[name], tmp_path), OFFERS[name].comparison
    assert compared is not None
    assert compared.price_micros == estimate(said, cover_size(said))
    assert {compared.price_asof} == {price.asof for price in said.prices}


@pytest.mark.parametrize("name", [name for name in IMAGES if name not in OWN_HARDWARE])
def test_the_seconds_are_those_of_default_settings(name: str, tmp_path: Path) -> None:
    compared = OFFERS[name].comparison
    assert compared is not None and compared.seconds == capabilities(OFFERS[name], tmp_path).expected_seconds
