"""Fixtures for tests that use the whole product over HTTP, on every database."""

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kernel.core.data.database import Database
from tests.local_product import LocalProduct
from tests.person import Person
from tests.product import Product
from tests.shelf import clear
from tests.support.databases import BACKENDS, Databases, opened, sqlalchemy_url
from tests.support.passwords import hash_cheaply, real_hashes
from tests.support.pictures import remember_pictures
from tests.support.scheduling import Scheduling, shares

Limits = Callable[..., None]

DATABASES = pytest.StashKey[Databases]()

LONGEST = ("tests/faults/", "tests/api/test_storage_move.py", "tests/api/test_schema.py", "tests/kit/")
"""Files that take minutes: they begin first, so that no process is left with one at the end."""


def pytest_configure(config: pytest.Config) -> None:
    """Prepare this process for the product's test environment; make what all processes of the run share."""
    clock = Path(tempfile.mkdtemp(prefix="cw-clock-")) / "clock"
    clock.write_text("0")
    os.environ |= {"COVERWRIGHT_ENV": "test", "COVERWRIGHT_CLOCK_FILE": str(clock)}
    hash_cheaply()
    remember_pictures()
    if getattr(config.option, "numprocesses", None):  # this process starts the others
        config.stash[DATABASES] = Databases()
        config.stash[DATABASES].publish()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove it again."""
    if databases := config.stash.get(DATABASES, None):
        databases.close()
    shutil.rmtree(Path(os.environ["COVERWRIGHT_CLOCK_FILE"]).parent, ignore_errors=True)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse tests of one id: of them, pytest-xdist would run a single one."""
    ids = Counter(item.nodeid for item in session.items)
    if double := [nodeid for nodeid, count in ids.items() if count > 1]:
        raise pytest.UsageError(f"Several tests have the same id: {', '.join(double)}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first, then those whose tests stay together; single tests fill the gaps at the end.

    Faults in products that files share come before those in products of a file's own, which end the shared ones.
    """

    def place(item: pytest.Item) -> tuple[bool, bool, bool]:
        own_product = "alone" in getattr(item, "fixturenames", ())
        return not item.nodeid.startswith(LONGEST), own_product, not shares(item.nodeid.partition("::")[0])

    items.sort(key=place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling:
    """Choose which process runs what, in the order of `pytest_collection_modifyitems`."""
    config.option.loadscopereorder = False
    return Scheduling(config, log)


def pytest_report_header() -> str:
    """Say on which databases the tests of state run."""
    missing = "" if "postgresql" in BACKENDS else "; PostgreSQL is not installed on this machine"
    return f"databases: {', '.join(BACKENDS)}{missing}"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio only, as the product does."""
    return "asyncio"


@pytest.fixture(scope="session")
def databases() -> Iterator[Databases]:
    """Maker of databases with the newest schema."""
    with opened() as databases:
        yield databases


@pytest.fixture(scope="session")
def new_database(databases: Databases) -> Callable[[str], str]:
    """Return a maker of databases for products: name of the backend → address ('' is SQLite in the data folder)."""
    return databases.for_product


@pytest.fixture(params=BACKENDS)
def database_url(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> str:
    """The address, as SQLAlchemy takes it, of a database with the newest schema and nothing in it, of every kind."""
    return sqlalchemy_url(databases.migrated(request.param, tmp_path), tmp_path)


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A database with every table, of every kind."""
    database = Database(database_url)
    yield database
    await database.aclose()


@pytest.fixture
async def small_database(databases: Databases, tmp_path: Path) -> AsyncIterator[Database]:
    """The same on SQLite only, for tests that do not depend on the database."""
    database = Database(sqlalchemy_url(databases.migrated("sqlite", tmp_path), tmp_path))
    yield database
    await database.aclose()


@pytest.fixture(scope="session")
def products(databases: Databases) -> Iterator[Callable[[str], Product]]:
    """Return the product of a backend; each is started once, when the first test asks for it."""
    started: dict[str, Product] = {}

    def get(backend: str) -> Product:
        if backend not in started:
            started[backend] = LocalProduct(databases, backend).start()
        return started[backend]

    yield get
    for product in started.values():
        product.close()


@pytest.fixture(params=BACKENDS)
def product(request: pytest.FixtureRequest, products: Callable[[str], Product]) -> Iterator[Product]:
    """The product, shared by all tests of one process; tests restore what they change for everybody."""
    shared = products(request.param)
    yield shared
    shared.calm()


@pytest.fixture
def shared_product(products: Callable[[str], Product]) -> Iterator[Product]:
    """The same on SQLite only, for tests that do not depend on the database."""
    shared = products("sqlite")
    yield shared
    shared.calm()


@pytest.fixture
def library(product: Product) -> Iterator[str]:
    """Return the address of a database for covers without files; they are removed afterwards."""
    yield product.sqlalchemy_url
    clear(product.sqlalchemy_url)


@pytest.fixture
def real_argon2() -> Iterator[None]:
    """Hash passwords as the product does: for tests about signing in."""
    with real_hashes():
        yield


@pytest.fixture
def visitor(product: Product) -> Person:
    """A client without a session."""
    return product.visitor()


@pytest.fixture
def ada(product: Product) -> Person:
    """A new user."""
    return product.user()


@pytest.fixture
def bob(product: Product) -> Person:
    """Another new user."""
    return product.user()


@pytest.fixture
def admin(product: Product) -> Person:
    """The administrator."""
    return product.admin()


@pytest.fixture
def limits(product: Product) -> Iterator[Limits]:
    """Set the plan limits: `limits(free=2)`; they are reset afterwards."""

    def save(*, free: int = 100_000, pro: int = 100_000, unlimited: bool = False) -> None:
        body = {"proUnlimited": unlimited, "proMonthlyLimit": pro, "freeMonthlyLimit": free}
        assert product.admin().post("/api/admin/plan-limits", json=body).status_code == 200

    yield save
    save()


@pytest.fixture
def unreliable(product: Product) -> Iterator[Product]:
    """The product, for tests in which image services fail; they are healthy again afterwards."""
    yield product
    product.heal()


@pytest.fixture
def pause(product: Product) -> Iterator[Callable[[], None]]:
    """Stop the worker; it continues afterwards, or when the result of `pause` is called."""
    product.pause_worker()
    yield product.resume_worker
    product.resume_worker()
