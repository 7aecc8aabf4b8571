"""Administrators change failover orders and budgets, and what must stay there stays, on every database."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest

from tests.person import fault
from tests.providers.instance_maker import DISK, ROUTE, InstanceMaker
from tests.support.processes import wait_until

SECRET = "sk-planted-0123456789abcdef"
OTHER = "sk-planted-fedcba9876543210"


def test_a_new_order_is_followed_by_the_workers(maker: InstanceMaker) -> None:
    (maker.product.folder / "third").mkdir(exist_ok=True)
    made = maker.made({"control": str(maker.product.folder / "third")})
    assert maker.route("image", made["id"], "stub").json()["instances"] == [made["id"], "stub"]
    title = f"Switched {uuid4().hex[:6]}"
    person = maker.product.user()

    def used_instance() -> str:
        person.cover(title=title)
        rows = maker.product.sql("SELECT instance_id FROM attempt ORDER BY id DESC LIMIT 1")
        return str(rows[0]["instance_id"])

    wait_until(lambda: used_instance() == made["id"], "the worker to follow", 10)
    assert maker.admin.get("/api/admin/instances").json()[0]["routePosition"] == 1


@pytest.mark.parametrize("ids", [["nobody"], ["stub", "stub"], ["disk"], ["stub", 7], "stub"])
def test_a_route_takes_instances_of_its_kind_once(maker: InstanceMaker, ids: Any) -> None:
    answer = maker.admin.put("/api/admin/routes/image", json={"instances": ids})
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"instances"}


def test_users_can_be_allowed_to_choose_a_provider(maker: InstanceMaker) -> None:
    assert maker.route("image", *ROUTE, userChoice=True).json()["userChoice"] is True
    assert maker.route("image", *ROUTE).json()["userChoice"] is True, "left out, it is kept"
    assert maker.route("image", *ROUTE, userChoice=False).json()["userChoice"] is False


def test_there_is_a_route_for_each_kind_and_no_other(maker: InstanceMaker) -> None:
    kinds = [route["kind"] for route in maker.admin.get("/api/admin/routes").json()]
    assert kinds == ["image", "payment", "email", "storage", "signin"]
    assert maker.admin.get("/api/admin/routes/video").status_code == 404
    assert maker.admin.put("/api/admin/routes/video", json={"instances": []}).status_code == 404


def test_a_storage_that_holds_pictures_is_not_removed(maker: InstanceMaker) -> None:
    made = maker.made({"folder": str(maker.product.folder / "more")}, **DISK)
    before = maker.admin.get("/api/admin/routes/storage").json()["instances"]
    try:
        maker.route("storage", made["id"], *before)
        person = maker.product.user()
        cover = 0
        while not maker.get(made["id"])["inUse"]:
            cover = person.cover()["id"]
        assert maker.get(made["id"])["inUseWhat"] == "pictures"
        refused = maker.admin.delete(f"/api/admin/instances/{made['id']}")
        assert refused.status_code == 409 and fault(refused)["code"] == "in_use"
        assert "(pictures: 1)" in fault(refused)["message"]
        drained = maker.change(made["id"], draining=True).json()
        assert drained["state"] == "draining"
        assert person.get(f"/api/covers/{cover}/image").status_code == 200
    finally:
        maker.route("storage", *before)


def test_the_last_way_in_for_administrators_stays_open(maker: InstanceMaker) -> None:
    for answer in (
        maker.change("password", enabled=False),
        maker.change("password", draining=True),
        maker.route("signin"),
    ):
        assert answer.status_code == 409 and fault(answer)["code"] == "last_sign_in"
    assert maker.get("password")["state"] == "ready"
    second = maker.made({}, kind="signin", provider="password", label="Second", addToRoute=True)
    assert maker.change("password", enabled=False).status_code == 200
    refused = maker.admin.delete(f"/api/admin/instances/{second['id']}")
    assert refused.status_code == 409 and fault(refused)["code"] == "last_sign_in"
    assert maker.change("password", enabled=True).status_code == 200
    assert maker.admin.delete(f"/api/admin/instances/{second['id']}").status_code == 204


def test_two_who_each_switch_off_another_way_in_leave_one_open(maker: InstanceMaker) -> None:
    second = maker.made({}, kind="signin", provider="password", label="Second", addToRoute=True)
    doors = ["password", second["id"]]
    try:
        for _ in range(3):
            with ThreadPoolExecutor(2) as at_once:
                answers = list(at_once.map(lambda door: maker.change(door, enabled=False), doors))
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            for door in doors:
                assert maker.change(door, enabled=True).status_code == 200
    finally:
        maker.change("password", enabled=True)


def test_a_budget_goes_with_its_instance(maker: InstanceMaker) -> None:
    made = maker.made({}, id="spendthrift")
    saved = maker.admin.put("/api/admin/budgets", json={"instances": [{"instanceId": made["id"], "monthMicros": 5}]})
    assert [entry["instanceId"] for entry in saved.json()["instances"]] == [made["id"]]
    maker.admin.delete(f"/api/admin/instances/{made['id']}")
    shown = maker.admin.get("/api/admin/budgets").json()
    shown.pop("spent")
    assert shown["instances"] == [] and maker.admin.put("/api/admin/budgets", json=shown).status_code == 200
    maker.made({}, id="spendthrift")
    assert maker.admin.get("/api/admin/budgets").json()["instances"] == []


def test_budgets_saved_at_once_are_those_of_one_of_them(maker: InstanceMaker) -> None:
    def save(number: int) -> int:
        body = {"siteMonthMicros": number, "instances": [{"instanceId": "stub", "monthMicros": number}]}
        return maker.admin.put("/api/admin/budgets", json=body).status_code

    try:
        with ThreadPoolExecutor(12) as at_once:
            assert set(at_once.map(save, range(10**9, 10**9 + 12))) == {200}
        shown = maker.admin.get("/api/admin/budgets").json()
        assert shown["instances"] == [{"instanceId": "stub", "monthMicros": shown["siteMonthMicros"]}]
    finally:
        assert maker.admin.put("/api/admin/budgets", json={"instances": []}).status_code == 200


def test_while_no_storage_is_there_nothing_is_made_or_paid(maker: InstanceMaker) -> None:
    person, title = maker.product.user(), uuid4().hex
    cover = person.cover()["id"]
    try:
        assert maker.change("disk", enabled=False).status_code == 200
        shown = person.get(f"/api/covers/{cover}/image")
        assert shown.status_code == 503 and fault(shown)["code"] == "unavailable" and shown.headers["retry-after"]
        assert person.get(f"/api/covers/{cover}/download?format=png").status_code == 503
        assert person.get("/api/capabilities").json()["image"]["available"] is False
        assert person.start(title=title).status_code == 503
    finally:
        assert maker.change("disk", enabled=True).status_code == 200
    assert person.get(f"/api/covers/{cover}/image").status_code == 200
    assert maker.product.stub.calls(title) == []
