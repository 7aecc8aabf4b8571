"""Prices of pictures that administrators set: over HTTP, in every process, and what calls and budgets make of them."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from kernel.core.data.database import Database
from kernel.core.errors import InvalidFields
from kernel.providers import IMAGE, Caller, Instance, NoProviderAvailable, estimate
from kernel.providers.administration.price_settings import price_of_plugin
from kernel.providers.administration.schemas import InstanceChange, ModelPriceIn, PricesIn
from kernel.providers.invariants import prices_are_of_pictures, spending_adds_up
from kernel.providers.spending.budgets import save_limits
from kernel.spi import ImageCapabilities, ImageProvider, ImageResult, Price, Size
from plugins.atelier import register_image_providers
from tests.person import Person, fault
from tests.product import Product
from tests.providers.administration_harness import ACTOR, AdministrationHarness
from tests.providers.conftest import REQUEST, NoControl, StubInstances
from tests.providers.instance_maker import InstanceMaker
from tests.support.processes import wait_until

TABLE = 40_000
MINE = 250_000

Stub = Instance[ImageProvider, ImageCapabilities]


def put(admin: Person, instance_id: str, **prices: int | None) -> Any:
    """Set prices of models, whose names have `_` for `-` here."""
    rows = [{"model": model.replace("_", "-"), "imageMicros": micros} for model, micros in prices.items()]
    return admin.put(f"/api/admin/instances/{instance_id}/prices", json={"prices": rows})


def shown(instance: dict[str, Any]) -> list[tuple[Any, ...]]:
    keys = ("model", "isOffered", "own", "ownMicros", "ownAsof", "setMicros", "micros")
    return [tuple(price[key] for key in keys) for price in instance["prices"]]


def test_a_price_goes_before_the_plugins_until_it_is_taken_back(maker: InstanceMaker) -> None:
    made = maker.made({"models": ["fine", "rough"], "price_micros": TABLE})
    table = ("known", TABLE, "2026-11-01")
    assert shown(made) == [("fine", True, *table, None, TABLE), ("rough", True, *table, None, TABLE)]
    answer = put(maker.admin, made["id"], rough=MINE)
    assert answer.status_code == 200, answer.text
    assert shown(answer.json()) == [("fine", True, *table, None, TABLE), ("rough", True, *table, MINE, MINE)]
    assert answer.json()["prices"][1]["setAt"] is not None
    assert answer.json()["revision"] == answer.json()["runningRevision"] == made["revision"], "it is not built anew"
    assert shown(put(maker.admin, made["id"], rough=None).json())[1] == ("rough", True, *table, None, TABLE)


def test_without_any_price_it_is_unknown_and_never_nothing(maker: InstanceMaker) -> None:
    made = maker.made({})
    assert shown(made) == [("stub-1", True, "unknown", None, None, None, None)]
    assert shown(put(maker.admin, made["id"], stub_1=0).json()) == [("stub-1", True, "unknown", None, None, 0, 0)]


def test_a_price_stays_with_its_model_when_another_one_is_used(maker: InstanceMaker) -> None:
    made = maker.made({"models": ["old"]})
    put(maker.admin, made["id"], old=MINE)
    changed = maker.change(made["id"], settings={"models": ["new"]}, force=True).json()
    unknown = ("unknown", None, None)
    assert shown(changed) == [("new", True, *unknown, None, None), ("old", False, *unknown, MINE, MINE)]
    assert shown(put(maker.admin, made["id"], old=None).json()) == [("new", True, *unknown, None, None)]


def test_everything_that_is_wrong_is_said_at_once_and_nothing_is_stored(maker: InstanceMaker) -> None:
    made = maker.made({"models": ["fine", "rough"]})
    rows = [
        {"model": "fine", "imageMicros": -1},
        {"model": "none", "imageMicros": 1_000_000_001},
        {"model": "rough", "imageMicros": 5},
        {"model": "rough", "imageMicros": 6},
    ]
    answer = maker.admin.put(f"/api/admin/instances/{made['id']}/prices", json={"prices": rows})
    error = fault(answer)
    assert (answer.status_code, error["code"]) == (422, "invalid_fields")
    assert set(error["fields"]) == {
        "prices.0.imageMicros",
        "prices.1.imageMicros",
        "prices.1.model",
        "prices.3.model",
    }
    assert error["fieldCodes"]["prices.0.imageMicros"] == {
        "code": "dollars_between",
        "values": {"least": 0, "most": 1000},
    }
    rows = [{"model": 7, "imageMicros": "much"}, {"model": "rough", "imageMicros": 0.5}]
    answer = maker.admin.put(f"/api/admin/instances/{made['id']}/prices", json={"prices": rows})
    assert (answer.status_code, set(fault(answer)["fields"])) == (422, {"prices"})
    assert shown(maker.get(made["id"])) == shown(made)


@pytest.mark.parametrize("wrong", [{}, {"prices": None}, {"prices": [{"model": "stub-1"}]}, {"prices": [], "x": 1}])
def test_other_bodies_are_refused(maker: InstanceMaker, wrong: dict[str, Any]) -> None:
    made = maker.made({})
    assert maker.admin.put(f"/api/admin/instances/{made['id']}/prices", json=wrong).status_code == 422


def test_an_instance_that_is_not_there_has_no_prices(maker: InstanceMaker) -> None:
    assert put(maker.admin, "gone", x=1).status_code == 404


def test_storage_has_no_pictures_to_price(maker: InstanceMaker) -> None:
    assert maker.get("disk")["prices"] == []
    assert set(fault(put(maker.admin, "disk", x=1))["fields"]) == {"prices.0.model"}


def test_prices_go_with_their_instance(maker: InstanceMaker) -> None:
    made = maker.made({}, id="short-lived")
    put(maker.admin, "short-lived", stub_1=MINE)
    assert maker.admin.delete(f"/api/admin/instances/{made['id']}").status_code == 204
    assert shown(maker.made({}, id="short-lived"))[0][-2:] == (None, None)


def test_the_trail_has_the_prices_before_and_after(maker: InstanceMaker) -> None:
    made = maker.made({"models": ["fine_art", "rough"]})
    about = f"instance:{made['id']}"
    path = f"/api/admin/instances/{made['id']}/prices"
    for micros in (MINE, TABLE):
        row = {"model": "fine_art", "imageMicros": micros}
        assert maker.admin.put(path, json={"prices": [row]}).status_code == 200
    [latest, first, *_] = maker.audit(about)
    detail = maker.admin.get(f"/api/admin/audit/{latest['id']}").json()
    assert (latest["action"], latest["keys"]) == ("instance.prices", ["fine_art"])
    assert detail["before"] == {"prices": {"fine_art": MINE}} and detail["after"] == {"prices": {"fine_art": TABLE}}
    assert maker.admin.get(f"/api/admin/audit/{first['id']}").json()["before"] == {}
    assert maker.admin.put(path, json={"prices": [row]}).status_code == 200
    assert maker.audit(about)[0]["id"] == latest["id"], "what changes nothing is not in it"
    assert maker.admin.post(f"/api/admin/audit/{latest['id']}/restore").status_code == 200

    def put_back() -> bool:
        return bool(maker.get(made["id"])["prices"][0]["micros"] == MINE)

    wait_until(put_back, "the price of before", 5)


def test_what_was_put_in_the_place_of_a_removed_instance_stays(maker: InstanceMaker) -> None:
    made = maker.made({})
    put(maker.admin, made["id"], stub_1=MINE)
    [entry, *_] = maker.audit(f"instance:{made['id']}")
    assert maker.admin.delete(f"/api/admin/instances/{made['id']}").status_code == 204
    assert maker.admin.post(f"/api/admin/audit/{entry['id']}/restore").status_code == 409


@pytest.fixture
def priced(product: Product, admin: Person) -> Iterator[Product]:
    """The product whose services have prices that an administrator has set."""
    for name in ("stub", "spare"):
        assert put(admin, name, stub_1=MINE).status_code == 200
    yield product
    assert admin.put("/api/admin/budgets", json={"instances": []}).status_code == 200
    for name in ("stub", "spare"):
        assert put(admin, name, stub_1=None).status_code == 200


def test_a_worker_books_the_price_that_was_set(priced: Product, admin: Person) -> None:
    ada = priced.user()

    def newest() -> dict[str, Any] | None:
        ada.cover()
        row: dict[str, Any] = admin.get("/api/admin/attempts?kind=image&instance=stub&outcome=ok&limit=1").json()[0]
        return row if row["costSource"] == "set" else None

    assert wait_until(newest, "an attempt at the new price", 20)["costMicros"] == MINE
    assert admin.get("/api/capabilities").json()["image"]["estimateMicros"] == MINE
    spent = {row["instanceId"]: row for row in admin.get("/api/admin/budgets").json()["spent"]["instances"]}
    assert spent["stub"]["monthMicros"] >= MINE


def test_a_budget_of_users_is_kept_by_the_price_that_was_set(priced: Product, admin: Person) -> None:
    assert admin.put("/api/admin/budgets", json={"instances": [], "userDayMicros": MINE - 1}).status_code == 200
    ada = priced.user()

    def refused() -> bool:
        return bool(ada.post("/api/generate-cover", json={"prompt": "a fox", "dimensions": "6x9"}).status_code == 402)

    wait_until(refused, "no cover for so little", 10)


async def draw(chosen: Stub) -> ImageResult:
    return await chosen.provider.generate(REQUEST, NoControl())


async def call(caller: Caller, operation: Any = draw) -> Any:
    return await caller.call(
        IMAGE,
        operation,
        name="generate",
        result_type=ImageResult,
        repeatable=True,
        estimate=lambda chosen: estimate(chosen.capabilities, REQUEST.size, prices=chosen.prices),
        user_id=7,
    )


async def set_price(harness: AdministrationHarness, instance_id: str, micros: int | None) -> None:
    wanted = PricesIn(prices=[ModelPriceIn(model="stub-1", image_micros=micros)])
    await harness.administration.set_prices(instance_id, wanted, ACTOR)


@pytest.mark.anyio
async def test_a_budget_stops_an_instance_by_the_price_that_was_set(stubs: StubInstances, database: Database) -> None:
    harness = AdministrationHarness(stubs, database, instances={"one": {}, "two": {}})
    caller = Caller(harness.registry, database)
    async with database.write() as session:
        await save_limits(session, {("instance_month", "one"): 2 * MINE + 1})
    assert (await call(caller)).instance_id == "one", "what costs nobody knows how much is not limited"
    await set_price(harness, "one", MINE)
    made = [await call(caller) for _ in range(3)]
    assert [outcome.instance_id for outcome in made] == ["one", "one", "two"]
    assert [made[0].attempts[-1].cost_micros, made[0].attempts[-1].cost_source] == [MINE, "set"]
    assert (made[2].attempts[0].outcome, made[2].attempts[0].detail) == ("skipped", "budget_reached")
    async with database.read() as connection:
        assert await spending_adds_up(connection) == []
        assert await prices_are_of_pictures(connection) == []
    await set_price(harness, "one", None)
    assert (await call(caller)).instance_id == "one"
    async with database.write() as session:
        await save_limits(session, {("site_month", ""): 0})
    await caller.budgets.refresh()
    await set_price(harness, "one", 1)
    with pytest.raises(NoProviderAvailable):
        await call(caller)


@pytest.mark.anyio
async def test_a_new_price_is_for_the_next_call_in_every_process(stubs: StubInstances, database: Database) -> None:
    here, there = AdministrationHarness(stubs, database), AdministrationHarness(stubs, database)
    await there.following.begin()
    caller, running, go = Caller(there.registry, database), asyncio.Event(), asyncio.Event()

    async def slowly(chosen: Stub) -> ImageResult:
        running.set()
        await go.wait()
        return await draw(chosen)

    await set_price(here, "one", TABLE)
    await there.following.now()
    provider = there.registry.find("one", IMAGE).provider
    first = asyncio.create_task(call(caller, slowly))
    await running.wait()
    await set_price(here, "one", MINE)
    await there.following.now()
    go.set()
    assert (await first).attempts[-1].cost_micros == TABLE, "it began at the old price"
    assert (await call(caller)).attempts[-1].cost_micros == MINE
    assert there.registry.find("one", IMAGE).provider is provider


@pytest.mark.anyio
async def test_a_process_follows_a_price_without_hearing_of_it(stubs: StubInstances, database: Database) -> None:
    here, there = AdministrationHarness(stubs, database), AdministrationHarness(stubs, database)
    following = asyncio.create_task(there.following.run())
    try:
        await set_price(here, "one", MINE)
        async with asyncio.timeout(2):  # the bound that the API names
            while there.registry.find("one", IMAGE).prices != {"stub-1": MINE}:
                await asyncio.sleep(0.02)
    finally:
        following.cancel()
        await asyncio.wait({following})


@pytest.mark.anyio
async def test_a_price_counts_while_newer_settings_cannot_be_used(stubs: StubInstances, database: Database) -> None:
    harness = AdministrationHarness(stubs, database)
    await harness.make("Second")
    await harness.administration.change("second", InstanceChange(settings={"references": 1}, force=True), ACTOR)
    await set_price(harness, "second", MINE)
    async with database.write() as session:
        await harness.store.next_revision(session)
        connection = await session.connection()
        await connection.exec_driver_sql('UPDATE provider_instance SET settings = \'{"sizes": ["x"]}\'')
    await harness.following.now()
    second = harness.registry.find("second", IMAGE)
    assert second.notice
    await set_price(harness, "second", TABLE)
    assert harness.registry.find("second", IMAGE) is second and second.prices == {"stub-1": TABLE}


@pytest.mark.anyio
async def test_models_are_known_only_of_an_instance_that_runs(stubs: StubInstances, database: Database) -> None:
    harness = AdministrationHarness(stubs, database)
    await set_price(harness, "one", MINE)
    await harness.administration.change("one", InstanceChange(enabled=False), ACTOR)
    [only] = (await harness.administration.instance("one")).prices
    assert (only.model, only.is_offered, only.set_micros) == ("stub-1", False, MINE)
    with pytest.raises(InvalidFields):
        await harness.administration.set_prices(
            "one", PricesIn(prices=[ModelPriceIn(model="other", image_micros=1)]), ACTOR
        )
    await set_price(harness, "one", None)
    assert (await harness.administration.instance("one")).prices == []


SIZE = Size(1000, 1500)
TOKENS = Price(per="1m_tokens", micros=5, asof="2026-10-02", unit="out")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("prices", "kind", "micros", "asof"),
    [
        ((), "unknown", None, None),
        ((Price(per="megapixel", micros=1000, asof="2026-10-02"),), "known", 1500, "2026-10-02"),
        ((Price(per="image", micros=0, asof="2026-10-02"),), "free", 0, "2026-10-02"),
        ((TOKENS,), "afterwards", None, "2026-10-02"),
        ((TOKENS, Price(per="image", micros=7, asof="2026-09-01")), "afterwards", None, "2026-09-01"),
        ((Price(per="image", micros=7, asof="some day"),), "known", 7, None),
        ((Price(per="image", micros=7, asof="2026-10-02", model="other"),), "unknown", None, None),
    ],
)
async def test_what_a_plugin_says_is_told_as_it_is(
    stubs: StubInstances, prices: tuple[Price, ...], kind: str, micros: int | None, asof: str | None
) -> None:
    instance = stubs.registry({"one": {}}).find("one", IMAGE)
    told = price_of_plugin(instance, ImageCapabilities(models=("stub-1",), prices=prices), SIZE, "stub-1")
    assert (told.kind, told.micros, told.asof and told.asof.isoformat()) == (kind, micros, asof)


@pytest.mark.anyio
async def test_the_offline_artist_is_free(stubs: StubInstances) -> None:
    [spec] = register_image_providers()
    instance = stubs.registry({"one": {}}).find("one", IMAGE)
    instance.spec = spec
    told = price_of_plugin(instance, ImageCapabilities(models=("atelier",)), SIZE, "atelier")
    assert (told.kind, told.micros) == ("free", 0)
