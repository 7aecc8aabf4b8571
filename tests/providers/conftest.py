"""A small world of providers: a configuration with stub instances, a registry, a caller and a database."""

import json
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kernel.core.config import Config, InstanceConfig, RoutesConfig, load_config
from kernel.core.database import Base, Database
from kernel.providers import Caller, Plugins, Registry, load_plugins
from kernel.spi import Brief, ImageRequest, Size
from tests.conftest import BACKENDS

TEST_ENV = {"COVERWRIGHT_ENV": "test", "COVERWRIGHT_PLUGINS": "stub_image,disk_storage"}
STUB_ENV = {**TEST_ENV, "COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_image"}

REQUEST = ImageRequest(prompt="a lighthouse", size=Size(48, 64), brief=Brief(description="a lighthouse"))


@pytest.fixture(scope="session")
def plugins() -> Plugins:
    return load_plugins(STUB_ENV)


class NoControl:
    """A job that listens to nothing."""

    async def checkpoint(self, remote_id: str) -> None:
        pass

    async def progress(self, phase: str, fraction: float | None = None) -> None:
        pass


class World:
    """Stub instances by name, each with its own control folder."""

    def __init__(self, folder: Path, plugins: Plugins) -> None:
        self.folder = folder
        self.plugins = plugins
        self.database: Database | None = None
        self.registries: list[Registry] = []

    def config(self, instances: Mapping[str, Mapping[str, Any]], route: tuple[str, ...] | None = None) -> Config:
        """Return a configuration with these stub instances, in a route in this order."""
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
        """Return what the stub instance was called with."""
        path = self.folder / name / "calls"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
async def world(tmp_path: Path, plugins: Plugins) -> AsyncIterator[World]:
    world = World(tmp_path, plugins)
    yield world
    for registry in world.registries:
        await registry.aclose()


@pytest.fixture(params=BACKENDS)
def database_url(request: pytest.FixtureRequest, new_database: Callable[[str], str], tmp_path: Path) -> str:
    """The address of an empty database, of every kind."""
    url = new_database(request.param)
    return url.replace("postgresql://", "postgresql+asyncpg://") or f"sqlite+aiosqlite:///{tmp_path / 'test.db'}"


@pytest.fixture
async def database(database_url: str, world: World) -> AsyncIterator[Database]:
    """A database that the world's callers write to."""
    database = Database(database_url)
    async with database.write() as session:
        await (await session.connection()).run_sync(Base.metadata.create_all)
    world.database = database
    yield database
    await database.aclose()


@pytest.fixture
def write_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], str]:
    """Write a module that can be imported as a plugin, and return its name."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(name: str, source: str) -> str:
        (tmp_path / f"{name}.py").write_text(source)
        sys.modules.pop(name, None)
        return name

    return write
