"""Things that happen at the same moment: the limit is never passed, and a job ends in one way only."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.conftest import BACKENDS
from tests.faults.conftest import Launch
from tests.product import Product

pytestmark = pytest.mark.fault


@pytest.fixture(scope="module", params=BACKENDS)
def product(request: pytest.FixtureRequest, launch: Launch) -> Product:
    """A product on which one user may have many open jobs."""
    return launch(request.param, workers=2, in_flight=20, limit=10)


def test_of_sixty_starts_at_once_ten_are_accepted_at_a_limit_of_ten(product: Product) -> None:
    ada = product.user()
    with ThreadPoolExecutor(60) as pool:
        answers = list(pool.map(lambda _: ada.start(), range(60)))
    accepted = [answer.json()["generationId"] for answer in answers if answer.status_code == 202]
    assert len(accepted) == len(set(accepted)) == 10
    assert {answer.status_code for answer in answers} <= {202, 402, 429}
    assert {ada.finished(generation_id)["status"] for generation_id in accepted} == {"completed"}
    assert ada.used() == 10
    assert product.doctor() == ""


def test_a_cancellation_that_races_the_finish_has_one_winner(product: Product) -> None:
    ada = product.user()
    for turn in range(8):
        product.stub.holds()
        generation_id = ada.generate(title=f"{ada.id} {turn}")
        product.stub.called(f"{ada.id} {turn}")
        with ThreadPoolExecutor(2) as pool:
            pool.submit(product.stub.releases)
            canceled = pool.submit(ada.delete, f"/api/generations/{generation_id}").result()
        assert canceled.status_code == 200
        end = ada.finished(generation_id)
        assert end["status"] == canceled.json()["status"] and end["status"] in ("completed", "canceled")
        assert (end["result"] is not None) is (end["status"] == "completed")
    covers = ada.get("/api/covers").json()
    assert ada.used() == len(covers)
    assert product.doctor() == ""


def test_lower_limits_that_race_reservations_never_leave_more_than_allowed(product: Product) -> None:
    ada, admin = product.user(), product.admin()

    def save(free: int) -> int:
        body = {"proUnlimited": False, "proMonthlyLimit": 10, "freeMonthlyLimit": free}
        return admin.post("/api/admin/plan-limits", json=body).status_code

    with ThreadPoolExecutor(24) as pool:
        saves = [pool.submit(save, free) for free in (3, 10, 1, 7, 2)]
        starts = [pool.submit(ada.start) for _ in range(20)]
        assert {saved.result() for saved in saves} == {200}
        answers = [start.result() for start in starts]
    assert {answer.status_code for answer in answers} <= {202, 402}
    accepted = [answer.json()["generationId"] for answer in answers if answer.status_code == 202]
    assert len(accepted) <= 10
    assert save(2) == 200
    for generation_id in accepted:
        assert ada.finished(generation_id)["status"] == "completed"
    assert ada.used() == len(accepted)
    assert ada.start().status_code == (202 if len(accepted) < 2 else 402)
    assert save(10) == 200
    assert product.doctor() == ""


def test_the_same_cover_changed_deleted_and_restored_at_once_stays_whole(product: Product) -> None:
    ada = product.user()
    cover = ada.cover()
    path = f"/api/covers/{cover['id']}"
    calls = [
        lambda: ada.patch(path, json={"starred": True}),
        lambda: ada.delete(path),
        lambda: ada.post(f"{path}/restore"),
        lambda: ada.patch(path, json={"title": "New"}),
    ] * 6
    with ThreadPoolExecutor(12) as pool:
        statuses = {pool.submit(call).result().status_code for call in calls}
    assert statuses <= {200, 204, 404}
    assert ada.post(f"{path}/restore").status_code == 200
    assert ada.get(cover["imageUrl"]).status_code == 200
    assert product.doctor() == ""
