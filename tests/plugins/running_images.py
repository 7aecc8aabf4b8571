"""An image provider with a vendor in place of the network, and what it raises."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx
import msgspec
import pytest

from kernel.spi import ImageProvider, ImageRequest, ProviderError, ProviderSpec, Settings
from kernel.spi.testing import FakeContext, FakeControl

P = TypeVar("P", bound=ImageProvider)


@asynccontextmanager
async def running(
    spec: ProviderSpec[Any, P], settings: Settings, vendor: Callable[..., Any], folder: Path, **changes: Any
) -> AsyncIterator[P]:
    """Build the provider with these settings, some of them changed; the vendor answers all requests."""
    context = FakeContext(folder, httpx.MockTransport(vendor))
    provider = spec.build(msgspec.structs.replace(settings, **changes), context)
    yield provider
    await provider.aclose()
    await context.http.aclose()


async def error_of(provider: ImageProvider, request: ImageRequest) -> ProviderError:
    """Return what a request for a picture raises."""
    with pytest.raises(ProviderError) as caught:
        await provider.generate(request, FakeControl())
    return caught.value
