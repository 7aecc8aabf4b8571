"""Daily figures are what the stored rows add up to, however they came about."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import Any

import msgspec
import pytest
from sqlalchemy import delete, func, insert, select, update

from kernel.accounts.models import User
from kernel.billing.models import BillingCustomer, PaymentInvoice, PaymentPrice
from kernel.core import clock
from kernel.core.audit import Actor
from kernel.core.config import load_config
from kernel.core.data.database import Database
from kernel.core.data.ids import new_uuid
from kernel.core.errors import InvalidFields
from kernel.core.queue import job_loop
from kernel.covers.models import Generation
from kernel.insight import rollup
from kernel.insight.invariants import figures_are_true
from kernel.insight.models import DailyFigure, FigureState
from kernel.insight.owned_data import FigureData
from kernel.insight.rollup import FigureKeeper
from kernel.insight.service import FigureService
from kernel.providers.models import Attempt

pytestmark = pytest.mark.anyio

GRACE = load_config({}).billing.past_due_grace_days


class Site:
    """A site whose rows are written as they are told, `days` ago."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.keeper = FigureKeeper(load_config({}), database)
        self.service = FigureService(database)

    async def person(self, name: str, days: int = 0) -> int:
        async with self.database.write() as session:
            address = f"{name}@example.com"
            new = insert(User).values(email=address, email_norm=address, created_at=moment(days))
            return int((await session.execute(new.returning(User.id))).scalar_one())

    async def cover(self, user_id: int, days: int, state: str = "completed", wait_s: float = 4, **more: Any) -> None:
        ended = moment(days)
        row = job(user_id) | {"state": state, "created_at": ended - timedelta(seconds=wait_s), "finished_at": ended}
        async with self.database.write() as session:
            await session.execute(insert(Generation).values(row | {"provider": "atelier"} | more))

    async def customer(self, user_id: int) -> int:
        async with self.database.write() as session:
            row = {"user_id": user_id, "instance_id": "bank", "customer": f"c{user_id}", "check_after": clock.now()}
            new = insert(BillingCustomer).values(row).returning(BillingCustomer.id)
            return int((await session.execute(new)).scalar_one())

    async def pay(self, customer: tuple[int, int], days: int, amount: int, currency: str = "usd", **more: Any) -> None:
        row = {
            "user_id": customer[0],
            "customer_id": customer[1],
            "instance_id": "bank",
            "number": "1",
            "state": "paid",
        }
        row |= {"ref": str(new_uuid()), "total": amount, "paid": amount, "currency": currency}
        async with self.database.write() as session:
            await session.execute(
                insert(PaymentInvoice).values(row | {"created": int(moment(days).timestamp())} | more)
            )

    async def price(self, name: str, amount: int, interval: str, currency: str = "usd") -> None:
        row = {"instance_id": "bank", "price": name, "product": "pro", "amount": amount, "currency": currency}
        row |= {"interval": interval, "interval_count": 1, "listed": True, "seen_at": clock.now()}
        async with self.database.write() as session:
            await session.execute(insert(PaymentPrice).values(row))

    async def of(self, metric: str, label: str = "", days: int = 120) -> dict[int, int]:
        """Return days ago → value, of the days on which it is not zero."""
        found = await self.service.read(today() - timedelta(days=days), today())
        values = next((one.values for one in found.series if (one.metric, one.label) == (metric, label)), [])
        return {days - index: value for index, value in enumerate(values) if value}

    async def rows(self) -> list[tuple[Any, ...]]:
        shown = (DailyFigure.day, DailyFigure.metric, DailyFigure.label, DailyFigure.value + DailyFigure.departed)
        async with self.database.scan() as connection:
            return sorted(tuple(row) for row in await connection.execute(select(*shown)) if row[3])

    async def faults(self) -> list[str]:
        async with self.database.snapshot() as connection:
            return await figures_are_true(connection)


@pytest.fixture
def site(database: Database) -> Site:
    return Site(database)


def today() -> date:
    """Return the day; the clock of all tests may have been set ahead since this file was read."""
    return clock.now().date()


def moment(days: int) -> datetime:
    """Return noon of a day, or now: a day that is not over has had no noon yet."""
    noon = datetime.combine(today() - timedelta(days=days), datetime.min.time(), UTC) + timedelta(hours=12)
    return min(noon, clock.now())


def job(user_id: int) -> dict[str, Any]:
    words = dict.fromkeys(("prompt", "title", "author", "genre", "composed_prompt", "request_hash", "language"), "-")
    sizes = {"dimensions": "6x9", "width": 1800, "height": 2700, "seed": 1, "attempts": 1, "fence": 1, "phase": "done"}
    return words | sizes | {"id": new_uuid(), "user_id": user_id, "run_after": clock.now(), "deadline": clock.now()}


async def test_people_covers_failures_and_waits_are_counted_on_the_day_they_ended(site: Site) -> None:
    ada, bob = await site.person("ada", 40), await site.person("bob", 3)
    await site.cover(ada, 5)
    await site.cover(ada, 5, wait_s=700)
    await site.cover(bob, 2, "failed", provider="oils", error_code="unavailable")
    await site.cover(ada, 2, "canceled", provider=None)
    await site.keeper.refresh()
    assert await site.of("signups") == {40: 1, 3: 1}
    assert await site.of("active") == {5: 1, 2: 2}
    assert await site.of("covers", "completed:atelier") == {5: 2}
    assert await site.of("covers", "failed:oils") == {2: 1}
    assert await site.of("covers", "canceled:") == {2: 1}
    assert await site.of("failures", "unavailable") == {2: 1}
    assert await site.of("wait", "5") == {5: 1}
    assert await site.of("wait", "") == {5: 1}
    assert await site.faults() == []


async def test_a_monthly_payer_comes_grows_shrinks_and_goes(site: Site) -> None:
    ada = await site.person("ada", 100)
    payer = (ada, await site.customer(ada))
    await site.price("small", 900, "month")
    await site.price("big", 2900, "month")
    for days, amount in ((100, 900), (70, 2900), (40, 900)):
        await site.pay(payer, days, amount)
    await site.keeper.refresh()
    assert await site.of("mrr_new", "usd") == {100: 900}
    assert await site.of("mrr_expansion", "usd") == {70: 2000}
    assert await site.of("mrr_contraction", "usd") == {40: -2000}
    (gone,) = await site.of("mrr_churn", "usd")
    assert gone in range(40 - 31 - GRACE, 40 - 28 - GRACE + 1)
    levels = await site.of("mrr", "usd")
    assert (levels[99], levels[69], levels[39], levels.get(gone)) == (900, 2900, 900, None)
    assert await site.of("first_payers") == {100: 1}
    assert set((await site.of("payers")).values()) == {1}
    assert sum((await site.of("revenue", "usd")).values()) == 4700
    assert await site.faults() == []


async def test_a_year_is_spread_over_its_months_and_what_a_person_pays_late_is_no_loss(site: Site) -> None:
    ada, bob = await site.person("ada", 100), await site.person("bob", 100)
    yearly, late = (ada, await site.customer(ada)), (bob, await site.customer(bob))
    await site.price("year", 9600, "year")
    await site.pay(yearly, 100, 9600)
    await site.pay(late, 80, 500)
    await site.pay(late, 80 - 31 - GRACE + 1, 500)
    await site.keeper.refresh()
    assert await site.of("mrr_new", "usd") == {100: 800, 80: 500}
    assert await site.of("mrr_churn", "usd") in ({}, {d: -500 for d in await site.of("mrr_churn", "usd") if d < 20})
    assert (await site.of("mrr", "usd"))[60] == 1300


async def test_currencies_are_never_added_up_and_what_is_not_paid_does_not_count(site: Site) -> None:
    ada = await site.person("ada", 10)
    payer = (ada, await site.customer(ada))
    await site.pay(payer, 9, 900, "eur")
    await site.pay(payer, 8, 1000, "jpy")
    await site.pay(payer, 7, 4000, "usd", state="open", paid=0)
    await site.keeper.refresh()
    assert (await site.of("mrr", "eur"))[1] == 900
    assert (await site.of("mrr", "jpy"))[1] == 1000
    assert await site.of("mrr", "usd") == {}
    assert (await site.of("payers"))[1] == 1


async def test_a_refund_is_taken_off_on_its_day_and_a_whole_one_ends_what_is_paid(site: Site) -> None:
    ada, bob = await site.person("ada", 60), await site.person("bob", 60)
    partly, wholly = (ada, await site.customer(ada)), (bob, await site.customer(bob))
    await site.price("small", 900, "month")
    back = {"refunded_at": int(moment(15).timestamp())}
    await site.pay(partly, 20, 900, refunded=300, **back)
    await site.pay(wholly, 20, 900)
    await site.keeper.refresh()
    assert await site.of("revenue", "usd") == {20: 1800, 15: -300}
    assert (await site.of("mrr", "usd"))[1] == 1800
    async with site.database.write() as session:
        await session.execute(update(PaymentInvoice).where(PaymentInvoice.user_id == bob).values(refunded=900, **back))
    await site.keeper.refresh()
    assert await site.of("revenue", "usd") == {20: 1800, 15: -1200}
    assert await site.of("mrr_churn", "usd") == {15: -900}
    levels = await site.of("mrr", "usd")
    assert (levels[16], levels[15], levels[1]) == (1800, 900, 900), "a part of it changes nothing that recurs"
    assert (await site.of("payers"))[1] == 1
    await site.pay(wholly, 5, 900)
    await site.keeper.refresh()
    assert (await site.of("mrr_new", "usd"))[5] == 900, "who pays again is new again"
    assert await site.faults() == []


async def test_taxes_are_no_revenue(site: Site) -> None:
    ada, bob = await site.person("ada", 60), await site.person("bob", 60)
    await site.price("year", 9600, "year")
    await site.pay((ada, await site.customer(ada)), 20, 11_424, tax=1824)  # beside the price
    await site.pay((bob, await site.customer(bob)), 20, 9600, tax=1533, refunded=4800, refunded_at=1)  # within it
    await site.keeper.refresh()
    assert await site.of("revenue", "usd") == {20: 9600 + 9600 - 1533 - round(4800 * 8067 / 9600)}
    assert (await site.of("mrr", "usd"))[1] == 800 + round(8067 / 12)


async def test_what_is_paid_once_is_revenue_and_does_not_recur(site: Site) -> None:
    ada = await site.person("ada", 10)
    await site.price("once", 5000, "month")
    async with site.database.write() as session:
        await session.execute(update(PaymentPrice).values(interval=None))
    await site.pay((ada, await site.customer(ada)), 9, 5000)
    await site.keeper.refresh()
    assert await site.of("revenue", "usd") == {9: 5000}
    assert await site.of("mrr", "usd") == {}
    assert await site.of("first_payers") == {}


async def test_an_invoice_that_becomes_known_later_changes_its_own_day(site: Site) -> None:
    ada = await site.person("ada", 60)
    payer = (ada, await site.customer(ada))
    await site.pay(payer, 20, 900)
    await site.keeper.refresh()
    assert await site.of("mrr_new", "usd") == {20: 900}
    await site.pay(payer, 50, 700)
    await site.keeper.refresh()
    assert await site.of("mrr_new", "usd") == {50: 700}
    assert await site.of("mrr_expansion", "usd") == {20: 200}


async def test_a_rebuild_changes_nothing_and_mends_what_was_broken(site: Site) -> None:
    ada = await site.person("ada", 60)
    await site.cover(ada, 30)
    await site.pay((ada, await site.customer(ada)), 20, 900)
    await spend(site, 30, 1500)
    await site.keeper.refresh()
    whole = await site.rows()
    async with site.database.write() as session:
        await session.execute(update(DailyFigure).where(DailyFigure.metric == "covers").values(value=7))
        await session.execute(delete(DailyFigure).where(DailyFigure.metric == "signups"))
    assert len(await site.faults()) == 2
    await again(site)
    assert await site.rows() == whole
    assert await site.faults() == []


async def test_a_rebuild_that_was_asked_for_is_begun_at_the_next_look(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_loop, "SAME_LOOK_S", 0)  # or a look right after another one asks nothing
    waiting = site.keeper.waiting()
    assert await waiting.worth_a_look()  # nobody has looked yet
    await site.keeper.refresh()
    assert not await waiting.worth_a_look()
    await site.keeper.rebuild(Actor(id=1, ip=""))
    assert await waiting.worth_a_look()
    await site.keeper.refresh()
    assert not await waiting.worth_a_look()


async def test_a_broken_level_is_found(site: Site) -> None:
    ada = await site.person("ada", 60)
    await site.pay((ada, await site.customer(ada)), 20, 900)
    await site.keeper.refresh()
    day = (today() - timedelta(days=10)).isoformat()
    async with site.database.write() as session:
        broken = update(DailyFigure).where(DailyFigure.metric == "mrr", DailyFigure.day == day)
        await session.execute(broken.values(value=1))
    assert await site.faults() == [f"{day} usd ends with 1, not 900"]


async def test_who_deletes_their_account_stays_in_the_past_and_stops_paying_today(site: Site) -> None:
    ada, bob = await site.person("ada", 60), await site.person("bob", 60)
    for owner in (ada, bob):
        await site.cover(owner, 30)
        await site.pay((owner, await site.customer(owner)), 20, 900)
    await site.keeper.refresh()
    before = await site.rows()
    leaving = FigureData(site.database, site.keeper)
    for _ in range(2):  # a crash repeats it
        await leaving.remove(ada)
    async with site.database.write() as session:
        for table, owner in ((PaymentInvoice, PaymentInvoice.user_id), (Generation, Generation.user_id)):
            await session.execute(delete(table).where(owner == ada))
        await session.execute(delete(User).where(User.id == ada))
    await site.keeper.refresh()
    after = await site.rows()
    last = today().isoformat()
    assert [row for row in after if row[0] != last] == [row for row in before if row[0] != last]
    assert (await site.of("mrr_churn", "usd")) == {0: -900}
    assert (await site.of("mrr", "usd"))[0] == 900
    assert (await site.of("payers"))[0] == 1
    await again(site)
    assert await site.rows() == after
    assert await site.faults() == []


async def test_costs_stay_when_their_calls_are_deleted(site: Site) -> None:
    await site.person("ada", 500)
    await spend(site, 300, 900)
    await spend(site, 1, 1500)
    await spend(site, 1, None)
    await site.keeper.refresh()
    async with site.database.write() as session:
        await session.execute(delete(Attempt).where(Attempt.started_at < moment(250)))
    config = load_config({})
    shorter = msgspec.structs.replace(config.providers, attempt_days=100)
    site.keeper = FigureKeeper(msgspec.structs.replace(config, providers=shorter), site.database)
    await again(site)
    assert await site.of("cost", "oils", 365) == {300: 900, 1: 1500}
    async with site.database.scan() as connection:
        kept = select(func.sum(DailyFigure.value)).where(DailyFigure.metric == "cost")
        assert (await connection.execute(kept)).scalar_one() == 2400
    assert await site.of("cost_unknown", "oils") == {1: 1}


async def test_gifts_are_counted_apart_from_payers(site: Site) -> None:
    ada = await site.person("ada", 3)
    async with site.database.write() as session:
        await session.execute(update(User).where(User.id == ada).values(pro_override=True))
    await site.keeper.refresh()
    assert await site.of("gifts") == {0: 1}
    assert await site.of("payers") == {}


async def test_figures_that_changed_while_others_were_counted_are_counted_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = await site.person("ada", 20), await site.person("bob", 20)
    await site.cover(ada, 1)
    await site.cover(bob, 1)
    await site.keeper.refresh()
    counted, real = 0, rollup.count_gifts

    async def meanwhile(*given: Any) -> Counter[tuple[str, str, str]]:
        nonlocal counted
        counted += 1
        if counted == 1:
            await FigureData(site.database, site.keeper).remove(ada)
        return await real(*given)

    monkeypatch.setattr(rollup, "count_gifts", meanwhile)
    await site.keeper.refresh()
    assert counted == 2
    assert await site.of("covers", "completed:atelier") == {1: 2}


async def test_a_range_stands_beside_the_one_before(site: Site) -> None:
    await site.person("ada", 3)
    await site.person("bob", 8)
    assert (await site.service.read(None, None)).refreshed_at is None
    await site.keeper.refresh()
    found = await site.service.read(today() - timedelta(days=4), today())
    (series,) = found.series
    assert (series.metric, series.values, series.previous) == ("signups", [0, 1, 0, 0, 0], [0, 1, 0, 0, 0])
    assert (found.previous_since, found.previous_until) == (today() - timedelta(days=9), today() - timedelta(days=5))
    usual = await site.service.read(None, None)
    assert (usual.since, usual.until) == (today() - timedelta(days=29), today())
    day = (today() - timedelta(days=3)).isoformat()
    table = await site.service.table(today() - timedelta(days=4), today())
    assert table.splitlines() == ["day,metric,label,value", f"{day},signups,,1"]


@pytest.mark.parametrize(
    ("since", "until", "field"),
    [
        (date(2026, 1, 2), date(2026, 1, 1), "to"),
        (date(2025, 1, 1), date(2026, 1, 2), "from"),
        (date(1999, 12, 31), date(2000, 1, 2), "from"),
    ],
)
async def test_impossible_ranges_are_refused(site: Site, since: date, until: date, field: str) -> None:
    with pytest.raises(InvalidFields) as refused:
        await site.service.read(since, until)
    assert list(refused.value.fields) == [field]


async def spend(site: Site, days: int, micros: int | None) -> None:
    """Store a call that cost something; None is not known."""
    words = dict.fromkeys(("provider", "plugin_version", "operation", "detail"), "-")
    row: dict[str, Any] = {"kind": "image", "instance_id": "oils", "n": 1, "outcome": "ok", "elapsed_ms": 1}
    row |= {"started_at": moment(days), "cost_micros": micros, "cost_source": "unknown" if micros is None else "table"}
    async with site.database.write() as session:
        await session.execute(insert(Attempt).values(words | row))


async def again(site: Site) -> None:
    """Have everything counted from the beginning."""
    async with site.database.write() as session:
        await session.execute(update(FigureState).values(refreshed_at=None, invoices=""))
    await site.keeper.refresh()
