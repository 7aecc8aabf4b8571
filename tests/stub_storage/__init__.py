"""A storage for tests, on disk, with the faults that its control folder sets.

Loaded by `COVERWRIGHT_EXTRA_PLUGINS=tests.stub_storage` where `COVERWRIGHT_ENV` is `test`.
"""

from collections.abc import Sequence

from kernel.spi import ProviderSpec, hookimpl
from tests.stub_storage.provider import StubStorage, StubStorageSettings, build

STUB: ProviderSpec[StubStorageSettings, StubStorage] = ProviderSpec(
    kind="storage",
    id="stub-disk",
    label="Stub storage",
    summary="Keeps files in a folder, and fails on demand.",
    contract=(1, 0),
    settings=StubStorageSettings,
    build=build,
    offline=True,
)


@hookimpl
def register_storage_providers() -> Sequence[ProviderSpec[StubStorageSettings, StubStorage]]:
    """Return the stub."""
    return (STUB,)
