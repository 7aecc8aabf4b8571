"""Stopping and starting again: politely, impatiently, and by pulling the plug."""

import signal
from uuid import uuid4

import pytest

from tests.conftest import BACKENDS
from tests.faults.conftest import Launch
from tests.product import Product

pytestmark = pytest.mark.fault

STOP_S = 5.0
KILL_S = 2.0


@pytest.fixture(scope="module", params=BACKENDS)
def product(request: pytest.FixtureRequest, launch: Launch) -> Product:
    """A product that is stopped and started again."""
    return launch(request.param, lease_s=3)


def hold_four(product: Product) -> tuple[str, list[str]]:
    """Let four jobs run up to the image service, and hold them there; return the user's cookie and the ids."""
    ada = product.user()
    product.stub.holds()
    ids = []
    for _ in range(4):
        title = uuid4().hex
        ids.append(ada.generate(title=title))
        product.stub.called(title)
    return ada.headers.get("cookie", "") or "; ".join(f"{name}={value}" for name, value in ada.cookies.items()), ids


def test_a_polite_stop_puts_running_jobs_back_and_they_are_done_after_the_start(product: Product) -> None:
    cookie, ids = hold_four(product)
    assert product.terminate() < STOP_S
    assert product.left() == []
    rows = product.sql("SELECT state, attempts FROM generation WHERE state IN ('queued', 'running')")
    assert [row["state"] for row in rows] == ["queued"] * 4
    assert {row["attempts"] for row in rows} == {0}, "being stopped is not the job's fault"
    product.stub.releases()
    product.start()
    ada = product.visitor(cookie=cookie)
    assert [ada.finished(generation_id)["status"] for generation_id in ids] == ["completed"] * 4
    assert ada.used() == 4
    assert product.doctor() == ""


def test_an_impatient_stop_ends_at_once_and_loses_nothing(product: Product) -> None:
    cookie, ids = hold_four(product)
    assert product.terminate(times=2) < KILL_S
    product.kill_everything()
    product.stub.releases()
    product.start()
    ada = product.visitor(cookie=cookie)
    assert [ada.finished(generation_id)["status"] for generation_id in ids] == ["completed"] * 4
    assert product.doctor() == ""


def test_galleries_and_open_jobs_survive_pulling_the_plug(product: Product) -> None:
    ada = product.user()
    covers = [ada.cover(title=f"{number}") for number in range(3)]
    pictures = [ada.get(cover["imageUrl"]).content for cover in covers]
    cookie, ids = hold_four(product)
    product.kill_everything()
    product.stub.releases()
    product.start()
    assert ada.get("/api/covers").json() == covers[::-1]
    assert [ada.get(cover["imageUrl"]).content for cover in covers] == pictures
    other = product.visitor(cookie=cookie)
    assert [other.finished(generation_id)["status"] for generation_id in ids] == ["completed"] * 4
    assert product.doctor() == ""


def test_followers_of_a_job_are_let_go_by_a_stop(product: Product) -> None:
    ada = product.user()
    product.stub.holds()
    generation_id = ada.generate()
    ada.reaches(generation_id, phase="drawing")
    with ada.stream("GET", f"/api/generation-events/{generation_id}") as stream:
        lines = stream.iter_lines()
        next(lines)
        assert product.terminate() < STOP_S
    product.stub.releases()
    product.start()
    assert ada.finished(generation_id)["status"] == "completed"


def test_a_web_server_killed_is_back_by_itself(product: Product) -> None:
    before = product.pids()["web"]
    product.signal("web", signal.SIGKILL)
    product.restarted("web", before)
    assert product.answers("/readyz") == 200
