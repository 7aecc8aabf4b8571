"""Processes killed at the worst moments: every accepted job ends once, with one cover and one unit."""

from collections.abc import Callable
from uuid import uuid4

import httpx
import pytest

from tests.conftest import BACKENDS
from tests.faults.conftest import Launch, files_of
from tests.person import Person
from tests.product import Product
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault

POINTS = ("claimed", "before_provider", "after_provider", "half_stored", "stored", "inside_settle", "settled")
CALLS = {"claimed": 1, "before_provider": 1, "settled": 1}
"""How often the image service is called when the worker dies there; twice where it had answered already."""


@pytest.fixture(scope="module", params=BACKENDS)
def product(request: pytest.FixtureRequest, launch: Launch) -> Product:
    """A product with two workers, in which a silent one loses its job soon."""
    return launch(request.param, workers=2, lease_s=1.5)


@pytest.mark.parametrize("point", POINTS)
def test_a_worker_killed_on_the_way_leaves_its_job_to_another(product: Product, point: str) -> None:
    title, ada = uuid4().hex, product.user()
    product.plant(point)
    status = ada.finished(ada.generate(title=title))
    product.struck(point)
    assert status["status"] == "completed", status
    assert ada.get("/api/covers").json() == [status["result"]]
    assert ada.get(status["result"]["imageUrl"]).status_code == 200
    assert ada.used() == 1
    assert len(product.stub.calls(title)) == CALLS.get(point, 2)
    assert product.doctor() == ""


def test_what_a_killed_worker_left_behind_is_cleared_away(product: Product) -> None:
    ada = product.user()
    product.plant("half_stored")
    cover = ada.cover()
    product.struck("half_stored")
    assert len(files_of(product, cover["id"])) > 3, "the killed worker has left a file"
    product.advance(2 * 3600)
    wait_until(lambda: len(files_of(product, cover["id"])) == 3, "removal of the stray file", 30)
    assert ada.get(cover["imageUrl"]).status_code == 200
    assert product.doctor() == ""


@pytest.mark.parametrize(("point", "stored"), [("before_accept_commit", False), ("accepted", True)])
def test_a_start_cut_off_by_a_crash_can_be_sent_again(product: Product, point: str, stored: bool) -> None:
    title, key, ada = uuid4().hex, uuid4().hex, product.user()
    product.plant(point)
    with pytest.raises(httpx.TransportError):
        ada.start(title=title, key=key)
    product.struck(point)
    answer = persistent(lambda: ada.start(title=title, key=key))
    assert answer.status_code == 202
    assert ("idempotent-replayed" in answer.headers) is stored
    status = ada.finished(answer.json()["generationId"])
    assert status["status"] == "completed"
    assert len(ada.get("/api/covers").json()) == 1 and ada.used() == 1
    assert product.doctor() == ""


def persistent(send: Callable[[], httpx.Response]) -> httpx.Response:
    """Send until there is an answer."""

    def attempt() -> httpx.Response | None:
        try:
            return send()
        except httpx.TransportError:
            return None

    answer = wait_until(attempt, "an answer", 20)
    assert answer is not None
    return answer


def test_an_image_service_that_takes_the_worker_down_with_it_is_given_up(product: Product) -> None:
    ada: Person = product.user()
    product.stub.does("crash")
    status = ada.finished(ada.generate())
    assert (status["status"], status["errorCode"]) == ("failed", "attempts_exhausted")
    assert status["error"] == "The cover could not be made. Nothing was counted against your plan."
    assert ada.used() == 0
    product.stub.does("ok")
    ada.cover()
    assert product.doctor() == ""
