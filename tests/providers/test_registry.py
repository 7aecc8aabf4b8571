"""Instances, failover order, leases and the exchange of snapshots."""

import asyncio
import threading

import pytest

from kernel.providers import IMAGE, SIGNIN, STORAGE, Declaration, NoProviderAvailable, Registry
from kernel.providers.instances import instance
from kernel.spi import ImageCapabilities
from tests.providers.conftest import StubInstances
from tests.stub_image.provider import StubImage

pytestmark = pytest.mark.anyio


def stub_of(registry: Registry, name: str) -> StubImage:
    instance = registry.instance(name)
    assert instance is not None
    assert isinstance(instance.provider, StubImage)
    return instance.provider


def declare(name: str, **settings: object) -> Declaration:
    return Declaration(id=name, kind="image", provider="stub", label=name, settings=settings)


async def test_declared_instances_are_ready_and_routed(stubs: StubInstances) -> None:
    registry = stubs.registry({"one": {}, "two": {}}, route=("two", "one"))
    assert [instance.id for instance in registry.failover_order(IMAGE)] == ["two", "one"]
    async with registry.lease(IMAGE) as chosen:
        assert chosen.id == "two"
        assert chosen.capabilities.models == ("stub-1",)
    async with registry.lease(STORAGE) as disk:
        assert disk.provider_id == "disk"


async def test_a_bad_instance_needs_attention_and_the_rest_work(stubs: StubInstances) -> None:
    registry = stubs.registry({"bad": {"references": -1, "color": 1}, "worse": {"sizes": ["big"]}, "fine": {}})
    bad, worse = registry.instance("bad"), registry.instance("worse")
    assert bad is not None and bad.state == "needs_attention" and set(bad.problems) == {"references", "color"}
    assert worse is not None and worse.problems == {"sizes": "Sizes look like 1024x1536."}
    async with registry.lease(IMAGE) as chosen:
        assert chosen.id == "fine"


async def test_an_instance_without_its_plugin_is_missing(stubs: StubInstances) -> None:
    registry = stubs.registry({"one": {}})
    gone = Declaration(id="gone", kind="image", provider="vanished", label="Gone", settings={"api_key": "kept"})
    registry.publish(registry.build_snapshot([gone], {"image": ("gone",)}))
    instance = registry.instance("gone")
    assert instance is not None and instance.state == "missing"
    assert "vanished" in instance.reason
    assert "kept" not in repr(instance.declaration)
    with pytest.raises(NoProviderAvailable, match="gone"):
        async with registry.lease(IMAGE):
            pass


async def test_a_disabled_instance_is_not_built(stubs: StubInstances) -> None:
    registry = stubs.registry({})
    off = Declaration(id="off", kind="image", provider="stub", label="Off", settings={}, enabled=False)
    registry.publish(registry.build_snapshot([off], {"image": ("off",)}))
    with pytest.raises(NoProviderAvailable, match="disabled"):
        async with registry.lease_instance("off", IMAGE):
            pass


async def test_a_kind_without_instances_says_so(stubs: StubInstances) -> None:
    with pytest.raises(NoProviderAvailable, match="none is set up"):
        async with stubs.registry({"one": {}}).lease(SIGNIN):
            pass


async def test_a_lease_by_id_needs_no_route_but_the_right_kind(stubs: StubInstances) -> None:
    registry = stubs.registry({"one": {}, "two": {}}, route=("one",))
    async with registry.lease_instance("two", IMAGE) as chosen:
        assert chosen.id == "two"
    with pytest.raises(NoProviderAvailable, match="no such storage instance"):
        async with registry.lease_instance("two", STORAGE):
            pass


async def test_a_call_in_flight_finishes_on_the_old_instance(stubs: StubInstances) -> None:
    registry = stubs.registry({"one": {}})
    old = stub_of(registry, "one")
    async with registry.lease(IMAGE) as chosen:
        registry.publish(registry.build_snapshot([declare("one", references=1)], {"image": ("one",)}))
        assert stub_of(registry, "one") is not old
        assert chosen.provider is old
        await asyncio.sleep(0)
        assert old.closed == 0
    await registry.aclose()
    assert old.closed == 1
    assert registry.snapshot.revision == 2


async def test_an_idle_instance_closes_when_it_is_replaced(stubs: StubInstances) -> None:
    registry = stubs.registry({"one": {}})
    instance = registry.instance("one")
    assert instance is not None
    registry.publish(registry.build_snapshot([], {}))
    await instance.aclose()
    assert instance.provider.closed == 1


async def test_an_unchanged_instance_is_taken_over(stubs: StubInstances) -> None:
    registry = stubs.registry({})
    registry.publish(registry.build_snapshot([declare("one"), declare("two")], {"image": ("one", "two")}))
    one, two = stub_of(registry, "one"), stub_of(registry, "two")
    registry.publish(registry.build_snapshot([declare("one"), declare("two", references=1)], {"image": ("one",)}))
    assert stub_of(registry, "one") is one
    assert stub_of(registry, "two") is not two
    assert one.closed == 0


async def test_settings_that_cannot_be_built_leave_the_old_ones_running(stubs: StubInstances) -> None:
    registry = stubs.registry({})
    registry.publish(registry.build_snapshot([declare("one")], {"image": ("one",)}))
    before = stub_of(registry, "one")
    registry.publish(registry.build_snapshot([declare("one", sizes=["big"])], {"image": ("one",)}))
    instance = registry.instance("one")
    assert instance is not None and instance.provider is before
    assert "Sizes look like" in instance.notice


async def test_the_environment_sets_fields_of_an_instance(stubs: StubInstances) -> None:
    registry = stubs.registry({"one": {}}, env={"COVERWRIGHT_INSTANCE_ONE_REFERENCES": "7"})
    async with registry.lease(IMAGE) as chosen:
        assert chosen.capabilities.reference_images == 7
        assert chosen.sources["references"] == "COVERWRIGHT_INSTANCE_ONE_REFERENCES"


async def test_a_provider_that_never_gets_built_keeps_nobody_waiting(
    stubs: StubInstances, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry, goes_on = stubs.registry({"fine": {}}), threading.Event()
    real = StubImage.capabilities

    def wait(self: StubImage) -> ImageCapabilities:
        goes_on.wait()
        return real(self)

    monkeypatch.setattr(instance, "BUILD_LIMIT_S", 0.05)
    monkeypatch.setattr(StubImage, "capabilities", wait)
    try:
        slow = registry.build(declare("slow", control=str(stubs.folder)), first=True)
        assert slow.state == "needs_attention" and "was not ready within 0.05 s" in slow.reason
    finally:
        goes_on.set()
