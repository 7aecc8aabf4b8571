"""A worker is killed while it removes an account, or sends an email: the removal is completed, no email repeated."""

import pytest

from tests.faults.conftest import FaultHarness
from tests.product import PASSWORD
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault


@pytest.mark.parametrize("point", ["belongings_erased", "belonging_removed", "inside_leaving", "account_removed"])
def test_an_account_goes_although_its_remover_is_killed(harness: FaultHarness, point: str) -> None:
    product, reader = harness.product, harness.reader()
    generations = [reader.generate(title=f"{point} {number}") for number in range(2)]
    assert set(harness.ended(reader, generations).values()) == {"completed"}
    product.plant(point)
    body = {"confirm": reader.user["email"], "currentPassword": PASSWORD}
    assert reader.request("DELETE", "/api/account", json=body).status_code == 204
    product.struck(point)
    assert product.doctor() == ""
    known = {"id": reader.id}
    wait_until(lambda: not product.sql('SELECT id FROM "user" WHERE id = :id', **known), "end of the account", 30)
    assert [harness.files(generation_id) for generation_id in generations] == [[], []]


def test_an_email_claimed_by_a_dead_worker_is_not_sent_twice(small_harness: FaultHarness) -> None:
    product = small_harness.product
    product.advance(301)
    wait_until(lambda: not product.sql("SELECT id FROM letter"), "the emails of earlier tests", 30)
    product.plant("letter_claimed")
    reader = product.user()
    product.struck("letter_claimed")
    held = product.sql("SELECT id, lease_until FROM letter WHERE user_id = :id", id=reader.id)
    assert len(held) == 1 and held[0]["lease_until"] is not None
    other = product.user()
    wait_until(lambda: not product.sql("SELECT id FROM letter WHERE user_id = :id", id=other.id), "the next letter", 30)
    assert len(product.sql("SELECT id FROM letter WHERE user_id = :id", id=reader.id)) == 1
    product.advance(301)
    wait_until(lambda: not product.sql("SELECT id FROM letter WHERE user_id = :id", id=reader.id), "giving up", 30)
    messages = product.admin().get("/api/admin/instances/outbox/messages").json()
    assert [message["to"] for message in messages if message["to"] == reader.user["email"]] == []
