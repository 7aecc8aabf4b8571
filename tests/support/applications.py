"""Applications for tests: to build one takes longer than most tests, so each is used again when its site has closed."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

from litestar import Litestar

from kernel.app import WebParts, build_app
from kernel.core.config import Config, load_config

_free: Final[list[tuple[Litestar, WebParts]]] = []


@contextmanager
def application(config: Config) -> Iterator[Litestar]:
    """Lend an application with this configuration."""
    app, parts = _free.pop() if _free else build_app()
    parts.configure(config)
    yield app
    _free.append((app, parts))


@cache
def described() -> Litestar:
    """Return an application that is only looked at: its routes, its document."""
    with application(load_config({"COVERWRIGHT_DATA": "/nonexistent/unused"})) as app:
        return app
