"""The job desk: all jobs of all kinds, what can be done with them, pauses that hold, and workers that are drained."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, get_args
from uuid import uuid4

import pytest

from kernel.operation.schemas import JobKind
from kernel.providers import PAUSE_LOOK_S
from tests.person import Person, fault, next_page
from tests.product import Product
from tests.shelf import clear, shelve
from tests.support.processes import wait_until

pytestmark = pytest.mark.usefixtures("resumed")

NOWHERE = "00000000-0000-7000-8000-000000000000"


@pytest.fixture
def admin(product: Product) -> Person:
    return product.user(admin=True)


@pytest.fixture
def resumed(product: Product) -> Iterator[None]:
    """Leave nothing paused."""
    yield
    admin = product.user(admin=True)
    overview = admin.get("/api/admin/jobs/overview").json()
    for kind in overview["kinds"]:
        if kind["pausedAt"]:
            admin.post(f"/api/admin/job-kinds/{kind['kind']}/resume")
    for service in overview["instances"]:
        if service["pausedAt"]:
            admin.post(f"/api/admin/job-services/{service['instanceId']}/resume")
    product.resume_worker()
    clear(product.sqlalchemy_url)


@pytest.fixture
def stopped(product: Product) -> Iterator[None]:
    """No worker does anything until the end of the test."""
    product.pause_worker()
    yield
    product.resume_worker()


def jobs(admin: Person, **query: Any) -> list[dict[str, Any]]:
    answer = admin.get("/api/admin/jobs", params=query)
    assert answer.status_code == 200, answer.text
    return list(answer.json())


def kinds(admin: Person) -> dict[str, dict[str, Any]]:
    """Return what the overview tells of each kind."""
    return {one["kind"]: one for one in admin.get("/api/admin/jobs/overview").json()["kinds"]}


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row["id"] for row in rows]


def act(admin: Person, job_id: str, action: str) -> int:
    return admin.post(f"/api/admin/jobs/{job_id}/{action}").status_code


def stays(look: Callable[[], bool]) -> None:
    """Look for a few sweeps whether something stays true."""
    until = time.monotonic() + 1.2
    while time.monotonic() < until:
        assert look()
        time.sleep(0.1)


def trail(product: Product, about: str) -> list[str]:
    rows = product.sql("SELECT action FROM audit WHERE object = :about ORDER BY id", about=about)
    return [row["action"] for row in rows]


@pytest.mark.usefixtures("stopped")
def test_every_waiting_job_is_listed_with_its_owner(product: Product, admin: Person) -> None:
    ada = product.user()
    generation = f"generation-{ada.generate(title='Salt')}"
    rows = jobs(admin, owner=ada.user["email"].upper())
    assert generation in ids(rows)
    assert {row["owner"] for row in rows} == {ada.user["email"]}
    row = next(row for row in rows if row["id"] == generation)
    assert (row["kind"], row["state"], row["phase"], row["attempts"]) == ("generation", "waiting", "queued", 0)
    assert (row["ownerId"], row["canCancel"], row["canRetry"]) == (ada.id, True, True)
    assert admin.get(f"/api/admin/jobs/{generation}").json() == row
    counted = kinds(admin)
    assert set(counted) == set(get_args(JobKind))
    assert counted["generation"]["waiting"] >= 1
    assert datetime.fromisoformat(counted["generation"]["oldestAt"]) <= datetime.fromisoformat(row["createdAt"])


@pytest.mark.usefixtures("stopped")
def test_the_list_goes_on_page_by_page_over_all_kinds(product: Product, admin: Person) -> None:
    ada = product.user(pro=True)
    [cover] = shelve(product.sqlalchemy_url, ada.id, ["Salt"])
    for _ in range(2):
        assert ada.post("/api/archives", json={"coverIds": [cover], "format": "png"}).status_code == 202
    for _ in range(3):
        ada.generate()
    whole = ids(jobs(admin, owner=ada.user["email"]))
    assert {one.split("-")[0] for one in whole} >= {"generation", "archive"}
    walked: list[str] = []
    path: str | None = f"/api/admin/jobs?limit=2&owner={ada.user['email']}"
    while path is not None:
        answer = admin.get(path)
        walked += ids(answer.json())
        path = next_page(answer)
    assert walked == whole and len(set(whole)) == len(whole)
    assert {row["kind"] for row in jobs(admin, kind="archive", owner=ada.user["email"])} == {"archive"}
    assert jobs(admin, state="running", owner=ada.user["email"]) == []


@pytest.mark.parametrize(
    "query",
    ["kind=nowhere", "state=open", "cursor=eA", "cursor=MjAyNnh4eA", "limit=0", "limit=x", "order=up"],
)
def test_bad_parameters_are_refused(admin: Person, query: str) -> None:
    assert admin.get(f"/api/admin/jobs?{query}").status_code in (400, 422)


@pytest.mark.parametrize(
    "job_id",
    [
        "nowhere",
        "generation-7",
        f"generation-{NOWHERE}",
        "account_email-x",
        "account_email-99999999",
        f"webhook-{10**20}",
        f"user-{NOWHERE}",
    ],
)
def test_there_is_no_job_of_a_strange_id(admin: Person, job_id: str) -> None:
    assert admin.get(f"/api/admin/jobs/{job_id}").status_code == 404
    for action in ("retry", "cancel"):
        assert act(admin, job_id, action) == 404


def test_a_canceled_cover_gives_its_unit_back_once(product: Product, admin: Person) -> None:
    ada, title = product.user(), uuid4().hex
    product.stub.does("slow:30")
    generation = ada.generate(title=title)
    product.stub.called(title, 1)
    job_id = f"generation-{generation}"
    row = admin.get(f"/api/admin/jobs/{job_id}").json()
    workers = [one["name"] for one in admin.get("/api/admin/jobs/overview").json()["processes"] if one["running"]]
    assert (row["state"], row["worker"] in workers) == ("running", True)
    assert act(admin, job_id, "cancel") == act(admin, job_id, "cancel") == 204
    assert ada.finished(generation)["status"] == "canceled"
    assert ada.used() == 0
    assert trail(product, f"job:{job_id}") == ["job.cancel"]
    refused = admin.post(f"/api/admin/jobs/{job_id}/retry")
    assert (refused.status_code, fault(refused)["code"]) == (409, "job_ended")
    assert product.doctor() == ""


@pytest.mark.usefixtures("stopped")
def test_an_archive_is_canceled_and_one_that_failed_is_made_again(product: Product, admin: Person) -> None:
    ada = product.user(pro=True)
    [cover] = shelve(product.sqlalchemy_url, ada.id, ["Salt"])
    one, other = (ada.post("/api/archives", json={"coverIds": [cover], "format": "png"}).json()["id"] for _ in range(2))
    assert act(admin, f"archive-{one}", "cancel") == 204
    assert ada.get(f"/api/archives/{one}").json()["status"] == "canceled"
    failing = "UPDATE archive SET state = 'failed', finished_at = created_at, error_code = 'internal', attempts = 3"
    product.sql(f"{failing} WHERE user_id = {ada.id} AND state = 'queued'")
    failed = jobs(admin, state="failed", owner=ada.user["email"])
    assert [(row["id"], row["error"]) for row in failed] == [(f"archive-{other}", "internal")]
    assert act(admin, f"archive-{other}", "retry") == act(admin, f"archive-{other}", "retry") == 204
    product.resume_worker()
    assert ada.packed(other)["error"]  # that cover has no file: it was tried again, and says so
    assert trail(product, f"job:archive-{other}") == ["job.retry"]


@pytest.mark.usefixtures("stopped")
def test_an_email_that_waits_for_its_next_attempt_is_sent_at_once_or_never(product: Product, admin: Person) -> None:
    first, second = product.user(), product.user()
    product.sql("DELETE FROM letter")
    for person in (first, second):
        assert product.visitor().post("/api/auth/forgot", json={"email": person.user["email"]}).status_code == 202
    wanted, unwanted = (_letter(product, person) for person in (first, second))
    product.sql("UPDATE letter SET run_after = give_up_at")
    assert act(admin, wanted, "retry") == act(admin, wanted, "retry") == 204
    assert act(admin, unwanted, "cancel") == 204
    assert act(admin, unwanted, "cancel") == 404
    assert trail(product, f"job:{wanted}") == ["job.retry"]
    product.resume_worker()
    wait_until(lambda: admin.get(f"/api/admin/jobs/{wanted}").status_code == 404, "a sent email")


def test_an_email_that_is_scheduled_is_not_late_and_begun_early_reaches_its_readers(
    product: Product, admin: Person
) -> None:
    reader = product.user()
    product.sql('UPDATE "user" SET email_verified = :yes WHERE id = :id', yes=True, id=reader.id)
    assert admin.put("/api/admin/email/postal-address", json={"postalAddress": "1 Harbour Road"}).status_code == 200
    begins = product.now() + timedelta(days=1)
    body = {"subject": "Later", "htmlBody": "<p>Later</p>", "sendAt": begins.isoformat()}
    try:
        campaign = admin.post("/api/admin/email/broadcast", json=body).json()
        counted = kinds(admin)["campaign"]
        assert (counted["waiting"], datetime.fromisoformat(counted["oldestAt"])) == (1, begins)
        assert act(admin, f"campaign-{campaign['id']}", "retry") == 204
        one = f"/api/admin/email/campaigns/{campaign['id']}"
        wait_until(lambda: admin.get(one).json()["state"] == "done", "the end of the campaign", 30)
        ended = admin.get(one).json()
        assert ended["sent"] == ended["recipients"] >= 1
    finally:
        product.sql("DELETE FROM email_postal_address")


def _letter(product: Product, person: Person) -> str:
    """Return the job of the one email to somebody."""
    [row] = product.sql("SELECT id FROM letter WHERE address = :address", address=person.user["email"])
    return f"account_email-{row['id']}"


def test_a_paused_kind_waits_in_every_worker_and_says_so(product: Product, admin: Person) -> None:
    ada = product.user()
    assert admin.post("/api/admin/job-kinds/generation/pause").status_code == 204
    assert admin.post("/api/admin/job-kinds/generation/pause").status_code == 204
    assert trail(product, "job:generation")[-1] == "job.pause"
    assert kinds(admin)["generation"]["pausedAt"] is not None
    generation = ada.generate()
    assert ada.status(generation)["phase"] == "paused"
    with product.later(seconds=4000):  # far beyond its deadline
        stays(lambda: ada.status(generation)["status"] == "pending")
        assert admin.post("/api/admin/job-kinds/generation/resume").status_code == 204
        assert admin.post("/api/admin/job-kinds/generation/resume").status_code == 204
        assert ada.finished(generation)["status"] == "completed"
    attempts = product.sql(f"SELECT attempts FROM generation WHERE user_id = {ada.id}")
    assert [row["attempts"] for row in attempts] == [1]
    assert product.doctor() == ""


def test_who_waits_for_a_paused_archive_is_told(product: Product, admin: Person) -> None:
    ada = product.user(pro=True)
    cover = ada.cover()["id"]
    assert admin.post("/api/admin/job-kinds/archive/pause").status_code == 204
    archive = ada.post("/api/archives", json={"coverIds": [cover], "format": "png"}).json()
    assert (archive["status"], archive["paused"]) == ("pending", True)
    stays(lambda: ada.get(f"/api/archives/{archive['id']}").json()["paused"])
    assert admin.post("/api/admin/job-kinds/archive/resume").status_code == 204
    ended = ada.packed(archive["id"])
    assert (ended["status"], ended["paused"]) == ("completed", False)


def test_covers_wait_for_a_paused_service_without_losing_a_try(product: Product, admin: Person) -> None:
    ada = product.user()
    services = [one["instanceId"] for one in admin.get("/api/admin/jobs/overview").json()["instances"]]
    for service in services:
        assert admin.post(f"/api/admin/job-services/{service}/pause").status_code == 204
    assert admin.post("/api/admin/job-services/nowhere/pause").status_code == 404
    generation = ada.generate()
    wait_until(lambda: ada.status(generation)["phase"] == "paused", "a cover that waits")
    for _ in range(3):  # each time far beyond the deadline that it has when it looks again
        product.advance(PAUSE_LOOK_S)
        stays(lambda: ada.status(generation)["status"] in ("pending", "processing"))
    for service in services:
        assert admin.post(f"/api/admin/job-services/{service}/resume").status_code == 204
    assert ada.finished(generation)["status"] == "completed"
    attempts = product.sql(f"SELECT attempts FROM generation WHERE user_id = {ada.id}")
    assert [row["attempts"] for row in attempts] == [1]
    assert product.doctor() == ""


def test_a_drained_worker_begins_nothing_until_it_is_resumed(product: Product, admin: Person) -> None:
    ada = product.user()
    wait_until(lambda: _alive(admin, "web") and _alive(admin, "worker"), "beats after a test that moved the clock")
    workers = _alive(admin, "worker")
    for one in workers:
        assert one["version"] and one["host"] and one["cpus"] > 0
        path = f"/api/admin/workers/{one['name']}"
        assert admin.post(f"{path}/drain").status_code == admin.post(f"{path}/drain").status_code == 204
    try:
        wait_until(lambda: all(one["drained"] for one in _workers(admin, workers)), "drained workers")
        generation = ada.generate()
        stays(lambda: ada.status(generation)["status"] == "pending")
    finally:
        for one in workers:
            assert admin.post(f"/api/admin/workers/{one['name']}/resume").status_code == 204
    assert ada.finished(generation)["status"] == "completed"
    assert trail(product, f"worker:{workers[0]['name']}") == ["worker.drain", "worker.resume"]


def _alive(admin: Person, role: str) -> list[dict[str, Any]]:
    processes = admin.get("/api/admin/jobs/overview").json()["processes"]
    return [one for one in processes if one["role"] == role and not one["lost"]]


def _workers(admin: Person, among: list[dict[str, Any]]) -> list[dict[str, Any]]:
    names = {one["name"] for one in among}
    return [one for one in admin.get("/api/admin/jobs/overview").json()["processes"] if one["name"] in names]
