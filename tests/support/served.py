"""The application alone, in the test's own event loop, whatever its database is like."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from kernel.app import create_app
from kernel.core.config import Config
from kernel.core.web.request_middleware import RequestMiddleware


@asynccontextmanager
async def served(config: Config) -> AsyncIterator[httpx.AsyncClient]:
    """Serve a site and yield a client for it."""
    app = create_app(config)
    transport = httpx.ASGITransport(RequestMiddleware(app, config))  # type: ignore[arg-type]
    async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url=config.public_url) as client:
        yield client
