"""Rules for every kind of provider. Each kind adds its ordinary call."""

import asyncio
import contextlib
import json
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

import httpx
import msgspec
import pytest

from .. import (
    CONTRACT_VERSIONS,
    CheckReport,
    Provider,
    ProviderError,
    ProviderSpec,
    Settings,
    SettingsInvalid,
    component_faults,
    misfit,
    settings_fields,
)
from .fakes import FakeContext, nowhere
from .faults import Upstream
from .fields import holds_text, is_secret, misused_words, shown
from .probes import (
    NETWORK_EVENTS,
    PROCESS_EVENTS,
    Inventory,
    all_logs,
    loop_lag,
    only_loopback,
    watch,
)
from .running import RUNNING
from .waivers import WAIVED, waived
from .wire import WireRules

BUILD_LIMIT_S: Final = 0.05
CHECK_LIMIT_S: Final = 15.0
LAG_LIMIT_S: Final = 0.1
CANCEL_LIMIT_S: Final = 1.0
MEASURED_TIMES: Final = 10
"""It is enough to be in time once in so many: another program's load is not the plugin's fault."""

RULE: Final = re.compile(r"test_([A-Z]+_\d\d)_")
DESTINATION_NAME: Final = re.compile(r"(^|_)(url|uri|host|hostname|endpoint|server|address)($|_)")
SECRET_NAME: Final = re.compile(r"(^|_)(key|token|secret|password|passphrase|credential|credentials)($|_)")


@pytest.mark.anyio
class ProviderContract(WireRules):
    """Fixtures and rules that all kinds share."""

    capabilities_type: type[Any]
    waivers: ClassVar[Mapping[str, str]] = {}
    """Rules that cannot be applied to this provider or its stand-in for the vendor, as `STO_02`, each with the reason.

    They count as not applicable; rule and reason stand in the report.
    """

    # What authors override

    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        """Return the provider's spec."""
        raise NotImplementedError("override the fixture `spec`")

    @pytest.fixture
    def settings(self, spec: ProviderSpec[Any, Any]) -> Settings:
        """Return settings that work against `upstream`. The default is for a spec whose settings all have defaults."""
        empty: Settings = spec.settings()
        return empty

    @pytest.fixture
    def broken(self) -> Mapping[str, Settings]:
        """Return settings that must fail the check, by the name of the field at fault. Empty: nothing can be wrong."""
        raise NotImplementedError("override the fixture `broken`: settings that fail the check, by field")

    @pytest.fixture
    def upstream(self) -> Upstream | Iterator[Upstream]:
        """Return the vendor: an `httpx.MockTransport`, or a `Loopback` for a client of the plugin's own.

        The default is a network without hosts.
        """
        return httpx.MockTransport(nowhere)

    @pytest.fixture
    def old_settings(self) -> Mapping[int, dict[str, Any]]:
        """Return a stored example of each earlier version of the settings."""
        return {}

    async def exercise(self, provider: Any) -> Any:
        """Make one ordinary call and return its result. Defined by each kind."""
        raise NotImplementedError

    # What the rules use

    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"

    @pytest.fixture(autouse=True)
    def _rule(self, request: pytest.FixtureRequest, record_property: Callable[[str, object], None]) -> Iterator[None]:
        """Prevent connections to other machines unless `--live` was given, and report why the rule did not apply."""
        spec = request.getfixturevalue("spec")
        record_property("contract", f"{spec.kind} {spec.contract[0]}.{spec.contract[1]}")
        record_property("provider", spec.id)
        record_property("module", spec.settings.__module__)
        WAIVED.clear()
        rules = {found[1] for found in map(RULE.match, dir(self)) if found}
        unknown = sorted(rule for rule, why in self.waivers.items() if rule not in rules or not why.strip())
        assert unknown == [], "waivers are for rules of this contract, and each has a reason"
        found = RULE.match(request.node.name)
        if found is not None and (why := self.waivers.get(found[1])):
            record_property("waiver", why)
            pytest.skip(why)
        RUNNING[:] = [found[1]] if found is not None else []
        try:
            with contextlib.nullcontext() if request.config.getoption("--live", False) else only_loopback():
                yield
        finally:
            RUNNING.clear()
        for why in WAIVED:
            record_property("waived", why)

    @pytest.fixture
    async def context(self, tmp_path: Path, upstream: Upstream) -> AsyncIterator[FakeContext]:
        context = FakeContext(tmp_path, upstream)
        yield context
        await context.http.aclose()

    @pytest.fixture
    async def provider(
        self, spec: ProviderSpec[Any, Any], settings: Settings, context: FakeContext
    ) -> AsyncIterator[Any]:
        provider = spec.build(settings, context)
        yield provider
        await provider.aclose()

    # SET: settings

    async def test_SET_01_every_field_has_title_and_description(self, spec: ProviderSpec[Any, Any]) -> None:
        bare = [
            name
            for name, field in settings_fields(spec.settings).items()
            if not (field.get("title") and field.get("description"))
        ]
        assert bare == [], "fields without title or description"

    async def test_SET_02_secrets_have_no_default(self, spec: ProviderSpec[Any, Any]) -> None:
        given = [
            field.name
            for field in msgspec.structs.fields(spec.settings)
            if is_secret(spec.settings, field.name) and not field.required and field.default is not None
        ]
        assert given == [], "secrets with a default"

    async def test_SET_03_hosts_and_addresses_are_marked_as_destinations(self, spec: ProviderSpec[Any, Any]) -> None:
        unmarked = [
            name
            for name, field in settings_fields(spec.settings).items()
            if (DESTINATION_NAME.search(name) or str(field.get("default", "")).startswith(("http://", "https://")))
            and not field.get("x-destination")
        ]
        assert unmarked == [], "fields that say where requests go need x-destination"

    async def test_SET_04_the_form_can_show_every_field(self, spec: ProviderSpec[Any, Any]) -> None:
        fields = settings_fields(spec.settings)
        json.dumps(fields)
        odd = [name for name, field in fields.items() if not shown(field)]
        assert odd == [], "the form knows texts, numbers, truth values, choices, and lists of texts"

    async def test_SET_05_the_spec_is_complete(self, spec: ProviderSpec[Any, Any]) -> None:
        assert re.fullmatch(r"[a-z][a-z0-9-]{1,38}", spec.id)
        assert spec.label.strip() and spec.summary.strip()
        assert spec.contract[0] == CONTRACT_VERSIONS[spec.kind][0]

    async def test_SET_06_settings_of_every_earlier_version_can_be_taken_over(
        self, spec: ProviderSpec[Any, Any], old_settings: Mapping[int, dict[str, Any]]
    ) -> None:
        earlier = range(1, spec.settings_version)
        assert set(earlier) == set(old_settings), "give one example per earlier version in `old_settings`"
        for version, raw in old_settings.items():
            assert spec.migrate_settings is not None, "settings_version above 1 needs migrate_settings"
            migrated = spec.migrate_settings(version, dict(raw))
            msgspec.convert(migrated, spec.settings, dec_hook=lambda kind, value: kind(value))

    async def test_SET_07_the_form_knows_the_words_that_describe_the_fields(self, spec: ProviderSpec[Any, Any]) -> None:
        assert misused_words(spec.settings) == []

    async def test_SET_08_pages_and_settings_components_can_be_shown(self, spec: ProviderSpec[Any, Any]) -> None:
        assert component_faults(spec) == []

    # LIFE: life cycle

    async def test_LIFE_01_build_opens_nothing(
        self, spec: ProviderSpec[Any, Any], settings: Settings, context: FakeContext
    ) -> None:
        with watch(NETWORK_EVENTS | PROCESS_EVENTS) as opened:
            spec.build(settings, context)
        assert opened == [], "build() opens no socket and starts no process"

    async def test_LIFE_02_build_is_quick(
        self, spec: ProviderSpec[Any, Any], settings: Settings, context: FakeContext
    ) -> None:
        for _ in range(MEASURED_TIMES):
            if (took := _timed(lambda: spec.build(settings, context))) < BUILD_LIMIT_S:
                return
        pytest.fail(f"build() took {took * 1000:.0f} ms")

    async def test_LIFE_03_it_can_be_closed_twice(self, provider: Provider) -> None:
        await self.exercise(provider)
        await provider.aclose()
        await provider.aclose()

    async def test_LIFE_04_nothing_is_left_running(
        self, spec: ProviderSpec[Any, Any], settings: Settings, context: FakeContext
    ) -> None:
        before = Inventory()
        provider = spec.build(settings, context)
        await self.exercise(provider)
        await provider.aclose()
        assert await before.leftovers() == [], "tasks, threads or processes outlive aclose()"

    async def test_LIFE_05_calls_run_side_by_side(self, provider: Any) -> None:
        await asyncio.gather(*(self.exercise(provider) for _ in range(4)))

    async def test_LIFE_06_closing_one_instance_leaves_another_working(
        self, spec: ProviderSpec[Any, Any], settings: Settings, context: FakeContext
    ) -> None:
        one, two = spec.build(settings, context), spec.build(settings, context)
        try:
            await self.exercise(one)
            await one.aclose()
            await self.exercise(two)
        finally:
            await two.aclose()

    # CHK: check

    async def test_CHK_01_working_settings_pass(self, provider: Provider) -> None:
        async with asyncio.timeout(CHECK_LIMIT_S):
            report = await provider.check()
        assert misfit(report, CheckReport) is None
        assert report.steps, "a check without steps proves nothing"
        assert [step for step in report.steps if step.status == "fail"] == []
        assert all(step.name.strip() for step in report.steps)

    async def test_CHK_02_broken_settings_fail_at_their_field(
        self, spec: ProviderSpec[Any, Any], broken: Mapping[str, Settings], context: FakeContext
    ) -> None:
        for field, settings in broken.items():
            try:
                provider = spec.build(settings, context)
            except SettingsInvalid as error:
                assert error.field == field
                continue
            try:
                async with asyncio.timeout(CHECK_LIMIT_S):
                    report = await provider.check()
            finally:
                await provider.aclose()
            assert not report.ok, f"the check passed with a broken `{field}`"
            assert field in [step.field for step in report.steps if step.status == "fail"]

    async def test_CHK_03_steps_name_fields_that_exist(
        self, spec: ProviderSpec[Any, Any], broken: Mapping[str, Settings], provider: Provider
    ) -> None:
        known = {*spec.settings.__struct_fields__, None}
        report = await provider.check()
        assert {step.field for step in report.steps} <= known
        assert set(broken) <= known

    # SEC: secrecy

    async def test_SEC_01_secrets_never_show(
        self, spec: ProviderSpec[Any, Any], settings: Settings, context: FakeContext
    ) -> None:
        provider = spec.build(self.with_canaries(settings), context)
        shown: list[str] = []
        with all_logs() as lines:
            shown += [repr(provider), str(provider)]
            for call in (provider.check, lambda: self.exercise(provider)):
                try:
                    shown.append(repr(await call()))
                except ProviderError as error:
                    shown += [str(error), repr(error), error.detail]
            await provider.aclose()
        sung = self.sung(settings, [*shown, *lines])
        assert sung == [], "a secret was logged, printed, raised or returned"

    async def test_SEC_02_what_is_named_like_a_secret_is_one(self, spec: ProviderSpec[Any, Any]) -> None:
        open_ones = [
            name
            for name, field in settings_fields(spec.settings).items()
            if SECRET_NAME.search(name) and holds_text(field) and not is_secret(spec.settings, name)
        ]
        assert open_ones == [], "fields with such names must be of type Secret"

    async def test_SEC_03_an_offline_provider_contacts_nobody(
        self, spec: ProviderSpec[Any, Any], provider: Provider
    ) -> None:
        if not spec.offline:
            return waived("not offline")
        with watch(NETWORK_EVENTS) as opened:
            await provider.check()
            await self.exercise(provider)
        assert opened == [], "the spec says offline"

    # LOOP: the event loop

    async def test_LOOP_01_the_event_loop_keeps_running(self, provider: Any) -> None:
        for _ in range(MEASURED_TIMES):
            async with loop_lag() as lag:
                await self.exercise(provider)
            if lag[0] < LAG_LIMIT_S:
                return
        pytest.fail(f"the event loop stood still for {lag[0] * 1000:.0f} ms")

    async def test_LOOP_02_a_cancelled_call_ends_and_the_next_one_works(self, provider: Any) -> None:
        task = asyncio.create_task(self.exercise(provider))
        await asyncio.sleep(0.01)
        task.cancel()
        done, _ = await asyncio.wait({task}, timeout=CANCEL_LIMIT_S)
        assert done, f"still running {CANCEL_LIMIT_S:g} s after it was cancelled"
        await self.exercise(provider)

    # CAP: capabilities

    async def test_CAP_01_capabilities_are_of_their_type(self, provider: Any) -> None:
        assert misfit(provider.capabilities(), self.capabilities_type) is None

    async def test_CAP_02_capabilities_are_plain_data_that_do_not_change(
        self, spec: ProviderSpec[Any, Any], settings: Settings, context: FakeContext
    ) -> None:
        provider = spec.build(settings, context)
        with watch(NETWORK_EVENTS | PROCESS_EVENTS) as opened:
            first, second = provider.capabilities(), provider.capabilities()
            other = spec.build(settings, context).capabilities()
        assert opened == []
        assert first == second == other


def _timed(work: Any) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
