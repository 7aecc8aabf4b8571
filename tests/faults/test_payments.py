"""A web server is killed during a purchase: the retry finds what was done, and nothing is done twice."""

import httpx
import pytest

from kernel.billing.repricing.worker import AGAIN
from kernel.billing.subscriptions.vendor_events import LEASE_S
from kernel.billing.vendor import user_locks
from tests.faults.conftest import FaultHarness
from tests.person import Person
from tests.stub_payment.catalog import PRO
from tests.stub_payment.provider import KEY
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault
DAY_S = 86_400

STARTING = (
    "payment_customer_made",
    "payment_key_kept",
    "payment_started",
    "payment_before_commit",
    "payment_written",
)
CHANGING = ("payment_changed", "payment_read", "payment_before_commit")


def killed_at(harness: FaultHarness, point: str, reader: Person, path: str) -> httpx.Response:
    """Kill the web server at a point of a call, and return the response to the same call made again."""
    with harness.prober.outage():
        harness.product.plant(point)
        with pytest.raises(httpx.TransportError):
            reader.post(path, json={})
        harness.product.struck(point)
    harness.product.advance(user_locks.LEASE_S)  # the killed process held the user's lock

    def again() -> httpx.Response | None:
        try:
            answer = reader.post(path, json={})
        except httpx.TransportError:
            return None
        return answer if answer.status_code != 503 else None

    found = wait_until(again, "an answer", 40)
    assert found is not None
    return found


@pytest.mark.parametrize("point", STARTING)
def test_a_start_survives_the_web_server(harness: FaultHarness, point: str) -> None:
    reader, bank = harness.reader(), harness.product.bank
    answer = killed_at(harness, point, reader, "/api/create-subscription")
    assert answer.status_code == 200, answer.text
    assert len(bank.customers(reader.id)) == 1
    (entry,) = bank.subscriptions(reader.id, ended=True)
    assert answer.json()["clientSecret"] == f"{entry['ref']}_secret"
    assert harness.product.sql("SELECT key FROM payment_operation WHERE user_id = :id", id=reader.id) == []
    reader.subscribe()
    assert reader.get("/api/auth/user").json()["isPro"]


@pytest.mark.parametrize("point", CHANGING)
def test_a_cancellation_survives_the_web_server(harness: FaultHarness, point: str) -> None:
    reader, bank = harness.reader(), harness.product.bank
    reader.subscribe()
    answer = killed_at(harness, point, reader, "/api/subscription/cancel")
    assert answer.status_code == 200 and answer.json()["subscription"]["cancel_at"], answer.text
    assert bank.subscriptions(reader.id)[0]["cancel_at"]
    told = harness.product.sql("SELECT kind FROM payment_email WHERE user_id = :id ORDER BY kind", id=reader.id)
    assert [row["kind"] for row in told] == ["receipt", "subscription_canceled"]
    assert harness.product.sql("SELECT key FROM payment_operation WHERE user_id = :id", id=reader.id) == []


def test_an_event_survives_the_worker_that_reads_the_truth(harness: FaultHarness) -> None:
    reader, product = harness.reader(), harness.product
    reader.subscribe()
    (entry,) = product.bank.subscriptions(reader.id)
    product.bank.change(entry["ref"], state="unpaid")
    product.plant("payment_before_commit")
    with product.visitor(**{"x-stub-key": KEY}) as vendor:
        body = f'[["evt-{reader.id}", "subscription_changed", "{entry["ref"]}"]]'.encode()
        assert vendor.post("/api/webhooks/payment/bank", content=body).json() == {"received": 1}
    product.struck("payment_before_commit")
    product.advance(LEASE_S)  # until then another worker leaves it to the killed one
    wait_until(lambda: not reader.get("/api/auth/user").json()["isPro"], "the truth", 40)


@pytest.mark.parametrize("point", ["price_told", "price_moved"])
def test_a_move_to_a_new_price_survives_the_worker(harness: FaultHarness, point: str) -> None:
    reader, product = harness.reader(), harness.product
    reader.subscribe()
    (entry,) = product.bank.subscriptions(reader.id)
    ref, soon = entry["ref"], entry["period_end"] - 10 * DAY_S
    product.bank.change(ref, price="price_old", period_end=soon)
    with product.bank.open() as state:
        state["clock"] = 0
    admin, before = product.admin(), len(product.bank.calls("change_at_renewal"))
    admin.post("/api/admin/stub-pay/product", json={"productId": "prod_pro", "priceId": PRO})
    reader.post("/api/sync-subscription")

    def change() -> dict[str, object] | None:
        found: dict[str, object] | None = reader.get("/api/subscription").json()["subscription"]["price_change"]
        return found

    def struck() -> None:
        product.struck(point)
        product.advance(AGAIN.total_seconds() + user_locks.LEASE_S)  # the killed worker had claimed it

    if point == "price_told":
        product.plant(point)
    begun = admin.post("/api/admin/payments/price-moves", json={"priceId": "price_old", "newPriceId": PRO})
    assert begun.status_code == 201, begun.text
    if point == "price_told":
        struck()
    wait_until(change, "the news", 60)
    product.bank.renew(ref)
    with product.bank.open() as state:
        state["clock"] = 48 * DAY_S
    reader.post("/api/sync-subscription")
    if point == "price_moved":
        product.plant(point)
    product.advance(60)
    if point == "price_moved":
        struck()
    wait_until(lambda: (change() or {}).get("is_next"), "the move", 60)
    told = product.sql("SELECT kind FROM payment_email WHERE user_id = :id AND kind = 'price_changing'", id=reader.id)
    assert len(told) == 1, "one letter"
    assert len(product.bank.calls("change_at_renewal")) - before == 1, "one change"
    assert product.sql("SELECT key FROM payment_operation WHERE user_id = :id", id=reader.id) == []
