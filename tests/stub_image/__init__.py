"""An image provider for tests: instant, and as ill-behaved as its control folder says.

Loaded by `COVERWRIGHT_EXTRA_PLUGINS=tests.stub_image` where `COVERWRIGHT_ENV` is `test`. Its modes: `provider.py`.
"""

from collections.abc import Sequence

from kernel.spi import ProviderSpec, hookimpl
from tests.stub_image.provider import StubImage, StubSettings, build

STUB: ProviderSpec[StubSettings, StubImage] = ProviderSpec(
    kind="image",
    id="stub",
    label="Stub",
    summary="Makes plain pictures at once and fails on demand.",
    contract=(1, 0),
    settings=StubSettings,
    build=build,
    offline=True,
)


@hookimpl
def register_image_providers() -> Sequence[ProviderSpec[StubSettings, StubImage]]:
    """Return the stub."""
    return (STUB,)
