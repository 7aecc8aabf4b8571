"""An image provider for tests: instant, with the faults that its control folder sets.

Loaded by `COVERWRIGHT_EXTRA_PLUGINS=tests.stub_image` where `COVERWRIGHT_ENV` is `test`. Its modes: `provider.py`.
"""

import os
from collections.abc import Sequence

from kernel.spi import ProviderSpec, hookimpl
from tests.stub_image.provider import StubImage, StubSettings, build
from tests.support.passwords import hash_cheaply
from tests.support.pictures import remember_pictures

if os.environ.get("COVERWRIGHT_TEST_SHORTCUTS"):  # set by tests, never by benchmarks
    hash_cheaply()  # tests with this stub have thousands of users, and covers of a few colors
    remember_pictures()

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
