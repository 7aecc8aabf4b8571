"""Monthly limits: who may make how many covers, and when a unit is given back."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from kernel.core import clock
from kernel.core.config import load_config
from kernel.core.data.database import Database
from kernel.core.data.ids import new_uuid
from kernel.plans.service import PlanService
from tests.conftest import Limits
from tests.person import Person, fault
from tests.product import Product


def test_a_free_user_at_the_limit_sees_the_pro_limit(ada: Person, limits: Limits) -> None:
    limits(free=1, pro=15)
    ada.cover()
    answer = ada.start()
    assert answer.status_code == 402
    error = fault(answer)
    assert (error["code"], error["message"]) == ("generation_limit_reached", "Upgrade to Pro for 15 generations.")
    assert ada.used() == 1


def test_a_free_user_at_the_limit_sees_that_pro_is_unlimited(ada: Person, limits: Limits) -> None:
    limits(free=0, pro=15, unlimited=True)
    answer = ada.start()
    assert answer.status_code == 402
    assert fault(answer)["message"] == "Upgrade to Pro for unlimited generations."


def test_a_pro_user_at_the_limit_sees_the_limit(product: Product, limits: Limits) -> None:
    limits(free=0, pro=1)
    pro = product.user(pro=True)
    pro.cover()
    answer = pro.start()
    assert answer.status_code == 402
    assert fault(answer)["message"] == "You've reached your monthly limit of 1 generations."


def test_unlimited_pro_passes_whatever_the_count(product: Product, limits: Limits) -> None:
    limits(free=0, pro=1, unlimited=True)
    pro = product.user(pro=True)
    pro.cover()
    pro.cover()
    assert pro.used() == 2


def test_the_user_object_says_whether_the_user_is_on_pro(product: Product, ada: Person) -> None:
    assert product.user(pro=True).get("/api/auth/user").json()["isPro"] is True
    assert ada.get("/api/auth/user").json()["isPro"] is False


@pytest.mark.parametrize("mode", ["refused", "invalid", "unsupported"])
def test_a_cover_that_failed_costs_nothing(unreliable: Product, ada: Person, limits: Limits, mode: str) -> None:
    limits(free=1)
    unreliable.stub.does(mode)
    unreliable.spare.does(mode)
    assert ada.finished(ada.generate())["status"] == "failed"
    assert ada.used() == 0
    unreliable.stub.does("ok")
    ada.cover()
    assert ada.used() == 1


def test_a_cancelled_cover_costs_nothing(unreliable: Product, ada: Person, limits: Limits) -> None:
    limits(free=1)
    unreliable.stub.holds()
    generation_id = ada.generate()
    assert ada.used() == 1, "a reserved unit counts"
    assert ada.start().status_code == 402
    assert ada.delete(f"/api/generations/{generation_id}").json()["status"] == "canceled"
    assert ada.used() == 0
    unreliable.stub.releases()
    ada.cover()


def test_of_many_starts_at_once_exactly_the_limit_is_accepted(product: Product, ada: Person, limits: Limits) -> None:
    limits(free=2)
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: ada.start(), range(20)))
    accepted = [answer for answer in answers if answer.status_code == 202]
    assert sorted({answer.status_code for answer in answers}) == [202, 402]
    assert len(accepted) == 2
    for answer in accepted:
        assert ada.finished(answer.json()["generationId"])["status"] == "completed"
    assert ada.used() == 2


def test_a_new_month_brings_new_units(product: Product, limits: Limits) -> None:
    limits(free=1)
    with product.later(days=1):
        reader = product.user()
        reader.cover()
        assert reader.start().status_code == 402
        this_month = product.now()
        first_of_next = (this_month.replace(day=1) + timedelta(days=32)).replace(day=1)
    with product.later(days=1, seconds=(first_of_next - this_month).total_seconds()):
        reader = _again(product, reader)
        assert reader.used() == 0
        reader.cover()
        assert reader.start().status_code == 402


def test_a_cover_counts_in_the_month_in_which_it_was_accepted(product: Product) -> None:
    now = product.now()
    end = (now.replace(day=1, hour=0, minute=0, second=0, microsecond=0) + timedelta(days=32)).replace(day=1)
    with product.later(seconds=(end - now).total_seconds() - 4):
        reader = product.user()
        product.stub.holds()
        generation_id = reader.generate(title=reader.user["email"])
        product.stub.called(reader.user["email"])
        assert product.now() < end
        product.advance(4)
        assert reader.used() == 0, "the new month starts at zero"
        product.stub.releases()
        assert reader.finished(generation_id)["status"] == "completed"
        assert reader.used() == 0
        entries = product.sql("SELECT period, reserved, used FROM quota WHERE user_id = :id", id=reader.id)
        assert entries == [{"period": now.strftime("%Y-%m"), "reserved": 0, "used": 1}]


def test_a_reset_sets_everybodys_count_to_zero(product: Product, admin: Person, ada: Person, bob: Person) -> None:
    ada.cover()
    product.stub.holds()
    running = bob.generate()
    answer = admin.post("/api/admin/reset-all-generations")
    assert answer.status_code == 200 and answer.json()["users"] >= 2
    assert ada.used() == bob.used() == 0
    product.stub.releases()
    assert bob.finished(running)["status"] == "completed"
    assert bob.used() == 0, "what was reserved before the reset does not count after it"
    ada.cover()
    assert ada.used() == 1
    (newest, *_) = admin.get("/api/admin/audit").json()
    assert (newest["action"], newest["object"], newest["actorId"]) == ("limits.reset", "limits", admin.id)


def test_a_cover_that_is_accepted_during_a_reset_is_counted_or_not_but_never_halfway(product: Product) -> None:
    reader = product.user()
    reader.cover()
    moment = clock.now()

    async def run() -> None:
        database = Database(product.sqlalchemy_url, pool_size=4)
        plans = PlanService(load_config({}).plans, database)
        accepting = asyncio.Event()

        async def accept() -> None:
            async with database.write() as session:
                values = {"user_id": reader.id, "plan": None, "generation_ids": [new_uuid()], "moment": moment}
                await plans.reserve(session, **values)
                accepting.set()
                await asyncio.wait({resetting}, timeout=0.5)  # as far as the reset gets before it has to wait

        async def reset() -> None:
            await accepting.wait()
            async with database.write() as session:
                await plans.reset_month_in(session)

        try:
            resetting = asyncio.create_task(reset())
            await asyncio.gather(accept(), resetting)
        finally:
            await database.aclose()

    asyncio.run(run())
    about = {"id": reader.id, "month": clock.month_of(moment)}
    counters = product.sql("SELECT reserved + used AS n FROM quota WHERE user_id = :id AND period = :month", **about)
    counted = "SELECT count(*) AS n FROM quota_entry WHERE user_id = :id AND period = :month AND counted"
    entries = product.sql(counted, **about)
    product.sql("DELETE FROM quota_entry WHERE user_id = :id AND state = 'reserved'", id=reader.id)
    assert sum(row["n"] for row in counters) == entries[0]["n"] == 0


def test_lower_limits_hold_from_the_next_cover_on(ada: Person, limits: Limits) -> None:
    ada.cover()
    ada.cover()
    limits(free=1)
    assert ada.start().status_code == 402
    assert ada.used() == 2
    limits(free=3)
    ada.cover()


def _again(product: Product, person: Person) -> Person:
    """Sign in again: the old session may have ended meanwhile."""
    fresh = product.visitor()
    fresh.sign_in(person.user["email"], "amber kettle 41 violin")
    return fresh


def test_nobody_is_exempt_from_the_limit(product: Product, limits: Limits) -> None:
    limits(free=1, pro=1)
    first = product.sql('SELECT email FROM "user" ORDER BY id LIMIT 1')[0]["email"]
    admin = product.admin()
    assert admin.user["email"] == first, "the very first account is the administrator's"
    for person in (product.user(), product.user(pro=True), product.user(admin=True), admin):
        if (answer := person.start()).status_code == 202:
            person.finished(answer.json()["generationId"])
            answer = person.start()
        assert answer.status_code == 402 and fault(answer)["code"] == "generation_limit_reached"


def give(admin: Person, person: Person, amount: int, reason: str = "The service was away") -> int:
    answer = admin.post(f"/api/admin/users/{person.id}/credits", json={"amount": amount, "reason": reason})
    assert answer.status_code == 200, answer.text
    return int(answer.json()["credits"])


def test_credits_are_used_when_the_month_is_used_up_and_come_back_from_a_failure(
    product: Product, ada: Person, limits: Limits
) -> None:
    admin = product.user(admin=True)
    limits(free=1)
    assert give(admin, ada, 2) == 2
    ada.cover()
    assert (ada.used(), ada.get("/api/auth/user").json()["credits"]) == (1, 2)
    ada.cover()
    assert (ada.used(), ada.get("/api/auth/user").json()["credits"]) == (1, 1)
    ada.cover()
    assert ada.start().status_code == 402
    assert ada.get("/api/auth/user").json()["credits"] == 0
    assert admin.get(f"/api/admin/users/{ada.id}").json()["credits"] == 0
    assert give(admin, ada, 1) == 1
    ada.cover()


def test_credits_are_in_the_history_and_what_is_left_of_them_can_be_taken_back(
    product: Product, ada: Person, limits: Limits
) -> None:
    admin = product.user(admin=True)
    limits(free=0)
    give(admin, ada, 3)
    ada.cover()
    trail = admin.get("/api/admin/audit", params={"object": f"user:{ada.id}", "action": "user.credit"}).json()
    detail = admin.get(f"/api/admin/audit/{trail[0]['id']}").json()
    assert (detail["before"], detail["after"]) == ({"creditsGiven": 0}, {"creditsGiven": 3})
    assert admin.post(f"/api/admin/audit/{trail[0]['id']}/restore").status_code == 200
    assert ada.get("/api/auth/user").json()["credits"] == 0
    assert ada.start().status_code == 402
    assert "credit" not in product.doctor()


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({"amount": 0, "reason": ""}, {"amount", "reason"}),
        ({"amount": 10_001, "reason": "a\nb"}, {"amount", "reason"}),
        ({"amount": "2"}, {"amount", "reason"}),
    ],
)
def test_credits_that_make_no_sense_are_refused(
    product: Product, ada: Person, body: dict[str, object], names: set[str]
) -> None:
    admin = product.user(admin=True)
    answer = admin.post(f"/api/admin/users/{ada.id}/credits", json=body)
    assert answer.status_code == 422
    assert set(fault(answer)["fields"]) == names
    assert admin.post("/api/admin/users/999999999/credits", json={"amount": 1, "reason": "x"}).status_code == 404
