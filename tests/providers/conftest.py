"""Providers without a product: a configuration with stub instances, a registry, a caller and a database."""

import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kernel.core.config import Config, InstanceConfig, RoutesConfig, load_config
from kernel.core.data.database import Database
from kernel.providers import Caller, Plugins, Registry, load_plugins
from kernel.spi import Brief, ImageRequest, Size
from tests.product import Product
from tests.providers.instance_maker import InstanceMaker

TEST_ENV = {"COVERWRIGHT_ENV": "test", "COVERWRIGHT_PLUGINS": "stub_image,disk_storage"}
STUB_ENV = {**TEST_ENV, "COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_image"}

REQUEST = ImageRequest(prompt="a lighthouse", size=Size(48, 64), brief=Brief(description="a lighthouse"))


@pytest.fixture(scope="session")
def plugins() -> Plugins:
    return load_plugins(STUB_ENV)


class NoControl:
    """A job control that does nothing."""

    async def checkpoint(self, remote_id: str) -> None:
        pass

    async def progress(self, phase: str, fraction: float | None = None, *, position: int | None = None) -> None:
        pass


class StubInstances:
    """Stub instances by name, each with its own control folder."""

    def __init__(self, folder: Path, plugins: Plugins) -> None:
        self.folder = folder
        self.plugins = plugins
        self.database: Database | None = None
        self.registries: list[Registry] = []

    def config(self, instances: Mapping[str, Mapping[str, Any]], route: tuple[str, ...] | None = None) -> Config:
        """Return a configuration with these stub instances, in this failover order."""
        base = load_config({"COVERWRIGHT_ENV": "test", "COVERWRIGHT_DATA": str(self.folder / "data")})
        declared = []
        for name, settings in instances.items():
            (self.folder / name).mkdir(exist_ok=True)
            control = {"control": str(self.folder / name)}
            declared.append(
                InstanceConfig(id=name, kind="image", provider="stub", label=name, settings=control | dict(settings))
            )
        disk = InstanceConfig(id="disk", kind="storage", provider="disk", label="Disk", settings={})
        routes = RoutesConfig(
            image=route if route is not None else tuple(instances), storage=("disk",), signin=(), payment=(), email=()
        )
        return msgspec.structs.replace(base, instances=(*declared, disk), routes=routes)

    def registry(
        self,
        instances: Mapping[str, Mapping[str, Any]],
        route: tuple[str, ...] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Registry:
        """Return a registry of these stub instances."""
        registry = Registry.from_config(self.config(instances, route), self.plugins, env or {})
        self.registries.append(registry)
        return registry

    def caller(self, **modes: str) -> Caller:
        """Return a caller over one stub instance per keyword, each set to a mode, in this order."""
        registry = self.registry({name: {} for name in modes})
        for name, mode in modes.items():
            self.set_mode(name, mode)
        return Caller(registry, self.database)

    def set_mode(self, name: str, mode: str) -> None:
        (self.folder / name / "mode").write_text(mode)

    def calls(self, name: str) -> list[dict[str, Any]]:
        """Return the calls that the stub instance got."""
        path = self.folder / name / "calls"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
async def stubs(tmp_path: Path, plugins: Plugins) -> AsyncIterator[StubInstances]:
    stubs = StubInstances(tmp_path, plugins)
    yield stubs
    for registry in stubs.registries:
        await registry.aclose()


@pytest.fixture
def database(database: Database, stubs: StubInstances) -> Database:
    """A database for the callers' attempts."""
    stubs.database = database
    return database


@pytest.fixture
def write_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], str]:
    """Write a module that can be imported as a plugin, and return its name."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(name: str, source: str) -> str:
        (tmp_path / f"{name}.py").write_text(source)
        sys.modules.pop(name, None)
        return name

    return write


@pytest.fixture
def maker(product: Product) -> Iterator[InstanceMaker]:
    """An administrator whose instances are removed afterwards."""
    maker = InstanceMaker(product)
    yield maker
    maker.leave()
