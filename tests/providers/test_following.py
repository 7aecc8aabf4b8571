"""Every process uses what is stored, and no stored data can stop one."""

import asyncio
import gc
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any
from weakref import WeakSet

import msgspec
import pytest
from msgspec import Meta
from sqlalchemy import text

from kernel.core.config import load_config
from kernel.core.data.database import Database
from kernel.core.vault import Vault
from kernel.providers import IMAGE, Instance, NoProviderAvailable, Plugins
from kernel.providers.administration.schemas import InstanceChange
from kernel.runtime import open_runtime
from kernel.spi import ImageProvider, ProviderSpec, Secret
from tests.providers.administration_harness import ACTOR, AdministrationHarness, make_tables
from tests.providers.conftest import StubInstances
from tests.stub_image.provider import StubImage, StubSettings

pytestmark = pytest.mark.anyio

SECRET = "sk-planted-0123456789"


@pytest.fixture
async def stored(database: Database) -> AsyncIterator[Database]:
    await make_tables(database)
    yield database


def stub(harness: AdministrationHarness, name: str) -> Any:
    instance = harness.registry.instance(name)
    assert instance is not None
    return instance.provider


async def test_what_one_process_saves_another_uses(stubs: StubInstances, stored: Database) -> None:
    here, there = AdministrationHarness(stubs, stored), AdministrationHarness(stubs, stored)
    await there.following.begin()
    made = await here.make("Second", references=2, api_key=SECRET)
    await there.following.now()
    assert [instance.id for instance in there.registry.failover_order(IMAGE)] == ["one", made.id]
    assert stub(there, made.id).capabilities().reference_images == 2


async def test_a_process_follows_without_hearing_of_it(stubs: StubInstances, stored: Database) -> None:
    here, there = AdministrationHarness(stubs, stored), AdministrationHarness(stubs, stored)
    following = asyncio.create_task(there.following.run())
    try:
        await here.make("Second")
        async with asyncio.timeout(10):
            while there.registry.instance("second") is None:
                await asyncio.sleep(0.02)
    finally:
        following.cancel()
        await asyncio.wait({following})


async def test_a_lease_keeps_the_instance_it_began_with(stubs: StubInstances, stored: Database) -> None:
    harness = AdministrationHarness(stubs, stored)
    await harness.make("Second")
    async with harness.registry.lease_instance("second", IMAGE) as held:
        await harness.set("second", references=1)
        assert stub(harness, "second") is not held.provider
        assert isinstance(held.provider, StubImage) and held.provider.closed == 0


async def test_a_new_label_builds_nothing_anew(stubs: StubInstances, stored: Database) -> None:
    harness = AdministrationHarness(stubs, stored)
    await harness.make("Second")
    before = stub(harness, "second")
    named = await harness.administration.change("second", InstanceChange(label="Other"), ACTOR)
    assert (named.label, named.running_revision) == ("Other", named.revision)
    assert stub(harness, "second") is before
    instance = harness.registry.instance("second")
    assert instance is not None and instance.label == "Other"


async def test_settings_that_cannot_be_built_leave_the_last_good_ones_running(
    stubs: StubInstances, stored: Database
) -> None:
    harness = AdministrationHarness(stubs, stored)
    good = await harness.make("Second")
    before = stub(harness, "second")
    shown = await harness.set("second", sizes=["big"])
    assert stub(harness, "second") is before
    assert shown.state == "ready"
    assert "Sizes look like" in shown.notice
    assert shown.problems == {"sizes": "Sizes look like 1024x1536."}
    assert (shown.running_revision, tuple(shown.settings["sizes"])) == (good.revision, ("big",))
    assert shown.revision > good.revision
    mended = await harness.set("second", sizes=["64x96"])
    assert (mended.notice, mended.problems, mended.running_revision) == ("", {}, mended.revision)


async def test_a_draining_instance_is_used_by_name_only(stubs: StubInstances, stored: Database) -> None:
    harness = AdministrationHarness(stubs, stored)
    await harness.administration.change("one", InstanceChange(draining=True), ACTOR)
    with pytest.raises(NoProviderAvailable, match="draining"):
        async with harness.registry.lease(IMAGE):
            pass
    async with harness.registry.lease_instance("one", IMAGE) as held:
        assert held.state == "draining"
    back = await harness.administration.change("one", InstanceChange(draining=False), ACTOR)
    assert back.state == "ready"


async def test_a_disabled_instance_is_not_used_at_all(stubs: StubInstances, stored: Database) -> None:
    harness = AdministrationHarness(stubs, stored)
    off = await harness.administration.change("one", InstanceChange(enabled=False), ACTOR)
    assert (off.state, off.origin, off.capabilities) == ("disabled", "file", None)
    with pytest.raises(NoProviderAvailable, match="disabled"):
        async with harness.registry.lease_instance("one", IMAGE):
            pass


async def test_a_secret_sealed_with_another_key_stops_its_instance_only(stubs: StubInstances, stored: Database) -> None:
    await AdministrationHarness(stubs, stored).make("Second", api_key=SECRET)
    other = AdministrationHarness(stubs, stored, vault=Vault(b"another key of thirty-two bytes."))
    await other.following.begin()
    shown = await other.administration.instance("second")
    assert shown.state == "needs_attention"
    assert "cannot be opened (sealed with another key)" in shown.problems["api_key"]
    assert (shown.secrets["api_key"].set, shown.secrets["api_key"].hint) == (True, "…6789")
    async with other.registry.lease(IMAGE) as held:
        assert held.id == "one"
    entered = await other.set("second", api_key=SECRET)
    assert (entered.state, entered.problems) == ("ready", {})


async def test_a_secret_moved_to_another_row_does_not_open(stubs: StubInstances, stored: Database) -> None:
    harness = AdministrationHarness(stubs, stored)
    await harness.make("Second", api_key=SECRET)
    await harness.make("Third", api_key="sk-of-the-third-one")
    async with stored.write() as session:
        move = "SELECT sealed FROM provider_secret WHERE instance_id = 'second'"
        await session.execute(text(f"UPDATE provider_secret SET sealed = ({move}) WHERE instance_id = 'third'"))
    fresh = AdministrationHarness(stubs, stored)
    shown = await fresh.administration.instance("third")
    assert "sealed for another place" in shown.problems["api_key"]


class Renamed(StubSettings, frozen=True, kw_only=True):
    """The next version of the stub's settings: `api_key` is now `token`."""

    token: Annotated[Secret | None, Meta(title="Token", description="The key by its new name.")] = None


def rename(version: int, raw: dict[str, Any]) -> dict[str, Any]:
    raw["token"] = raw.pop("api_key", None)
    raw["references"] = raw.get("references", 4) + 1
    return raw


def fail(version: int, raw: dict[str, Any]) -> dict[str, Any]:
    raw.clear()
    raise RuntimeError(f"fell over {SECRET}")


def with_spec(plugins: Plugins, **changes: Any) -> Plugins:
    """Return the plugins with another version of the stub."""
    offer = plugins.offers["image", "stub"]
    spec: ProviderSpec[Any, ImageProvider] = ProviderSpec(
        **{name: getattr(offer.spec, name) for name in offer.spec.__struct_fields__} | changes
    )
    other = Plugins(plugins.records, plugins.offers, plugins._manager)
    fields = {name: getattr(offer, name) for name in offer.__struct_fields__} | {"spec": spec}
    other.offers = {**plugins.offers, ("image", "stub"): type(offer)(**fields)}  # type: ignore[misc, assignment]
    return other


async def test_older_settings_are_brought_to_the_plugins_version_and_saved(
    stubs: StubInstances, stored: Database
) -> None:
    await AdministrationHarness(stubs, stored).make("Second", references=2, api_key=SECRET)
    newer = with_spec(stubs.plugins, settings=Renamed, settings_version=2, migrate_settings=rename)
    for _ in range(2):  # the second process finds them saved: they are not migrated twice
        harness = AdministrationHarness(stubs, stored, plugins=newer)
        shown = await harness.administration.instance("second")
        assert shown.settings["references"] == 3
        assert (shown.secrets["token"].set, shown.secrets["api_key"].set) == (True, False)
        assert shown.state == "ready"
    async with stored.read() as connection:
        rows = (await connection.execute(text("SELECT field FROM provider_secret"))).scalars().all()
        version = (await connection.execute(text("SELECT settings_version FROM provider_instance"))).scalar_one()
    assert (list(rows), version) == (["token"], 2)


async def test_settings_that_cannot_be_upgraded_are_kept_as_they_are(stubs: StubInstances, stored: Database) -> None:
    await AdministrationHarness(stubs, stored).make("Second", references=2, api_key=SECRET)
    broken = with_spec(stubs.plugins, settings_version=2, migrate_settings=fail)
    shown = await AdministrationHarness(stubs, stored, plugins=broken).administration.instance("second")
    assert shown.state == "needs_attention"
    assert "version 1 to 2 (RuntimeError)" in shown.reason and SECRET not in shown.reason
    back = await AdministrationHarness(stubs, stored).administration.instance("second")
    assert (back.state, back.settings["references"], back.secrets["api_key"].hint) == ("ready", 2, "…6789")


async def test_settings_of_a_newer_plugin_are_used_as_far_as_they_are_known(
    stubs: StubInstances, stored: Database
) -> None:
    newer = with_spec(stubs.plugins, settings=Renamed, settings_version=2)
    await AdministrationHarness(stubs, stored, plugins=newer).make("Second", references=2, token=SECRET)
    shown = await AdministrationHarness(stubs, stored).administration.instance("second")
    assert (shown.state, shown.settings["references"]) == ("ready", 2)
    assert "saved by a newer version of the plugin; not in use: token" in shown.notice
    again = await AdministrationHarness(stubs, stored, plugins=newer).administration.instance("second")
    assert again.secrets["token"].set


async def test_a_plugin_that_breaks_while_building_stops_its_instance_only(
    stubs: StubInstances, stored: Database
) -> None:
    def explode(settings: Any, context: Any) -> StubImage:
        raise SystemExit(f"no {settings.api_key.reveal()}" if settings.api_key else "no")

    harness = AdministrationHarness(stubs, stored)
    await harness.make("Second", api_key=SECRET)
    broken = AdministrationHarness(stubs, stored, plugins=with_spec(stubs.plugins, build=explode))
    shown = await broken.administration.instance("second")
    assert shown.state == "needs_attention"
    assert "SystemExit: no ***" in shown.reason


async def test_memory_stays_flat_over_a_thousand_changes(stubs: StubInstances, stored: Database) -> None:
    harness = AdministrationHarness(stubs, stored)
    await harness.make("Second")
    declared = (await harness.following.now()).instances["second"].declaration
    alive: WeakSet[Instance[Any, Any]] = WeakSet()
    for number in range(1000):
        changed = msgspec.structs.replace(declared, settings={"references": number % 7})
        harness.registry.publish(harness.registry.build_snapshot([changed], {"image": ("second",)}))
        instance = harness.registry.instance("second")
        assert instance is not None
        alive.add(instance)
        del instance
        await asyncio.sleep(0)
    async with asyncio.timeout(10):
        while len(alive) > 2:  # the one in use, and one that is still closing
            await asyncio.sleep(0.01)
            harness.registry.publish(harness.registry.snapshot)
            gc.collect()


async def test_a_database_without_tables_stops_nothing(tmp_path: Path) -> None:
    config = load_config({"COVERWRIGHT_DATA": str(tmp_path)})
    async with open_runtime(config) as runtime:
        assert [instance.id for instance in runtime.providers.registry.failover_order(IMAGE)] == ["atelier"]


def offered_by(plugins: Plugins, distribution: str) -> Plugins:
    """Return the same plugins as if another distribution brought them."""
    offers = {key: msgspec.structs.replace(one, distribution=distribution) for key, one in plugins.offers.items()}
    return Plugins(plugins.records, offers, plugins._manager)


async def test_an_instance_stays_with_the_distribution_that_it_was_set_up_with(
    stubs: StubInstances, stored: Database
) -> None:
    ours, theirs = (offered_by(stubs.plugins, name) for name in ("coverwright", "evil-things"))
    here = AdministrationHarness(stubs, stored, plugins=ours)
    await here.following.begin()
    made = await here.make("Second", api_key=SECRET)
    later = AdministrationHarness(stubs, stored, plugins=theirs)
    await later.following.begin()
    for name in ("one", made.id):
        instance = later.registry.instance(name)
        assert instance is not None and instance.state == "needs_attention", name
        assert "`evil-things`" in instance.reason and "`coverwright`" in instance.reason
    with pytest.raises(NoProviderAvailable):
        later.registry.first(IMAGE)
    await later.set(made.id, references=1)
    accepted, other = later.registry.instance(made.id), later.registry.instance("one")
    assert accepted is not None and accepted.state == "ready", "an administrator has set it up anew"
    assert other is not None and other.state == "needs_attention"
    back = AdministrationHarness(stubs, stored, plugins=ours)
    await back.following.begin()
    returned = back.registry.instance(made.id)
    assert returned is not None and returned.state == "needs_attention"
