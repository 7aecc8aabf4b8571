"""Fixtures for tests that speak to the whole product over HTTP, on every database."""

import signal
from collections.abc import Callable, Iterator

import pytest

from kernel import runtime as _runtime  # noqa: F401  (registers every table, for tests that make them by themselves)
from tests.person import Person
from tests.product import Product
from tests.shelf import clear
from tests.support.postgres import PostgresServer, is_available
from tests.support.standstill import freeze

Limits = Callable[..., None]

BACKENDS = ("sqlite", "postgresql") if is_available() else ("sqlite",)


LONGEST = ("tests/faults/", "tests/api/test_storage_move.py", "tests/kit/")
"""Files that take minutes: they begin first, so that no process is left with one at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of the longest files first."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


def pytest_report_header() -> str:
    """Say on which databases the tests of state run."""
    missing = "" if "postgresql" in BACKENDS else "; PostgreSQL is not installed on this machine"
    return f"databases: {', '.join(BACKENDS)}{missing}"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio only, as the product does."""
    return "asyncio"


@pytest.fixture(scope="session")
def new_database() -> Iterator[Callable[[str], str]]:
    """Return a maker of empty databases: name of the backend → address ('' is SQLite in the data folder)."""
    servers: list[PostgresServer] = []

    def make(backend: str) -> str:
        if backend == "sqlite":
            return ""
        if not servers:
            servers.append(PostgresServer())
        return servers[0].new_database()

    yield make
    for server in servers:
        server.stop()


@pytest.fixture(scope="session")
def products(new_database: Callable[[str], str]) -> Iterator[Callable[[str], Product]]:
    """Return the running product of a backend; each is started once, when the first test asks for it."""
    running: dict[str, Product] = {}

    def get(backend: str) -> Product:
        if backend not in running:
            running[backend] = Product(database_url=new_database(backend)).start()
        return running[backend]

    yield get
    for product in running.values():
        product.close()


@pytest.fixture(params=BACKENDS)
def product(request: pytest.FixtureRequest, products: Callable[[str], Product]) -> Iterator[Product]:
    """The running product, shared by all tests of one process; what a test changes for everybody it puts back."""
    shared = products(request.param)
    yield shared
    shared.calm()


@pytest.fixture
def shared_product(products: Callable[[str], Product]) -> Iterator[Product]:
    """The same on SQLite only, for tests in which no database plays a part."""
    shared = products("sqlite")
    yield shared
    shared.calm()


@pytest.fixture
def library(product: Product) -> Iterator[str]:
    """Address of a database in which covers without files may be put; they are gone afterwards."""
    yield product.sqlalchemy_url
    clear(product.sqlalchemy_url)


@pytest.fixture
def nobody(product: Product) -> Person:
    """Somebody signed out."""
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
    """Set the plan limits: `limits(free=2)`; they are generous again afterwards."""

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
    """Stop the worker where it stands; it goes on afterwards, or when the answer of `pause` is called."""
    pid = freeze(product, "worker-1")
    yield lambda: product.signal("worker-1", signal.SIGCONT) and None
    assert product.pids()["worker-1"] == pid
    product.signal("worker-1", signal.SIGCONT)
