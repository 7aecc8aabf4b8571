"""The application alone, in the test's own event loop, whatever its database is like."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from kernel.core.config import Config
from kernel.core.web.request_middleware import RequestMiddleware
from tests.support.applications import application


@asynccontextmanager
async def served(config: Config) -> AsyncIterator[httpx.AsyncClient]:
    """Serve a site and yield a client for it."""
    with application(config) as app:
        transport = httpx.ASGITransport(RequestMiddleware(app, config))  # type: ignore[arg-type]
        async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url=config.public_url) as client:
            yield client
