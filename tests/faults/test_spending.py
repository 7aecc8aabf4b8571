"""A worker dies during a paid call: what the call may have cost is counted all the same."""

from typing import Any

import pytest

from tests.faults.conftest import FaultHarness
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault

PRICE_MICROS = 40_000


def test_a_call_that_dies_with_its_worker_is_spent_when_its_time_is_over(harness: FaultHarness) -> None:
    product, admin = harness.product, harness.product.admin()

    def charge(micros: int | None) -> None:
        body = {"settings": {"price_micros": micros}, "force": True}
        revision = admin.patch("/api/admin/instances/stub", json=body).json()["revision"]
        wait_until(
            lambda: admin.get("/api/admin/instances/stub").json()["runningRevision"] >= revision, "the new price", 20
        )

    def reserved() -> int:
        return int(product.sql("SELECT count(*) AS n FROM spend_reservation")[0]["n"])

    def interrupted() -> bool:  # once the worker knows of the budget
        product.stub.does("crash", "ok")
        product.user().cover()
        return reserved() > 0

    def held() -> int:
        rows: list[dict[str, Any]] = admin.get("/api/admin/usage").json()["rows"]
        return sum(row["estimatedHeldMicros"] for row in rows)

    charge(PRICE_MICROS)
    assert admin.put("/api/admin/budgets", json={"siteMonthMicros": 10**9, "instances": []}).status_code == 200
    before = held()
    wait_until(interrupted, "a reservation without a call", 60)
    assert product.doctor() == ""
    with product.later(hours=1):
        wait_until(lambda: reserved() == 0, "the end of the reservation", 30)
    assert held() > before
    assert admin.put("/api/admin/budgets", json={"instances": []}).status_code == 200
    charge(None)
