"""The kit against a real vendor, or a recording of one: pytest collects this file, one class for each provider.

Requests go through the product's client with its address guard. What is to be done stands in LIVE_VARIABLE.
"""

import os
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
import pytest

from kernel.commands.checking.live_rules import why_left_out
from kernel.commands.checking.live_settings import (
    OWN_TABLE,
    LiveSettings,
    providers,
    read_file,
    recordable,
    settings_for,
)
from kernel.commands.checking.options import LIVE_VARIABLE, CheckOptions
from kernel.core.config import load_config
from kernel.core.http_client import open_client
from kernel.spi import EmailMessage, ProviderSpec, Secret, Settings
from kernel.spi.testing import CONTRACTS, FakeContext
from kernel.spi.testing.contract import RULE
from kernel.spi.testing.emails import MESSAGE
from kernel.spi.testing.recording import Cassette, Recorder, Replay, Secrets
from kernel.spi.testing.recording.cassettes import RecordedProvider

OPTIONS: Final = msgspec.json.decode(
    os.environ[LIVE_VARIABLE], type=CheckOptions, dec_hook=lambda kind, text: kind(text)
)
TIMEOUT: Final = httpx.Timeout(300, connect=10)
NOTHING_RECORDED: Final = "nothing was recorded: the plugin does not ask its vendor through context.http"


class _Tape:
    """All that is recorded in this run, by provider."""

    def __init__(self) -> None:
        self.recorders: dict[str, Recorder] = {}
        self.origins: dict[str, RecordedProvider] = {}
        self.secrets: dict[str, str] = {}

    def recorder(self, spec: ProviderSpec[Any, Any], given: LiveSettings) -> Recorder:
        """Return the recorder of a provider."""
        name = f"{spec.kind}:{spec.id}"
        if name not in self.recorders:
            self.recorders[name] = Recorder(Secrets(given.secrets))
            self.origins[name] = RecordedProvider(spec.kind, spec.id, recordable(given))
            self.secrets |= {f"{name}-{field}": value for field, value in given.secrets.items()}
        return self.recorders[name]

    def write(self, path: Path) -> None:
        """Write the file."""
        kept = tuple(one for recorder in self.recorders.values() for one in recorder.interactions)
        if not kept:
            pytest.fail(NOTHING_RECORDED)
        Cassette(kept, tuple(self.origins.values())).write(path, Secrets(self.secrets))


@pytest.fixture(scope="session")
def tape() -> Iterator[_Tape]:
    """Return what this run records, and write it at its end."""
    found = _Tape()
    yield found
    if OPTIONS.record is not None:
        found.write(OPTIONS.record)


def _class_for(given: ProviderSpec[Any, Any]) -> type[Any]:
    contract = CONTRACTS[given.kind]

    class Live(contract):  # type: ignore[misc, valid-type]  # chosen at run time
        @pytest.fixture
        def spec(self) -> ProviderSpec[Any, Any]:
            return given

        @pytest.fixture
        def found(self) -> LiveSettings:
            return settings_for(given, OPTIONS)

        @pytest.fixture(autouse=True)
        def _proves(self, _rule: None, request: pytest.FixtureRequest, found: LiveSettings) -> None:
            rule = RULE.match(request.node.name)
            if rule is not None and (why := why_left_out(rule[1], given.kind)):
                pytest.skip(why)

        @pytest.fixture
        def settings(self, found: LiveSettings) -> Settings:
            assert found.settings is not None
            return found.settings

        @pytest.fixture
        def broken(self, settings: Settings) -> Mapping[str, Settings]:
            needed = [field.name for field in msgspec.structs.fields(given.settings) if field.required]
            secrets = [name for name in needed if isinstance(getattr(settings, name), Secret)]
            return {name: msgspec.structs.replace(settings, **{name: Secret(self.canary(name))}) for name in secrets}

        @pytest.fixture
        async def upstream(self, found: LiveSettings, tape: _Tape) -> AsyncIterator[httpx.MockTransport]:
            if OPTIONS.replay is not None:
                replay = Replay(OPTIONS.replay, found.secrets)
                yield replay
                assert replay.unknown == [], replay.unknown[0]
                return
            async with open_client(load_config(), given.id, given.kind) as client:
                recorder = tape.recorder(given, found)
                yield recorder.transport(lambda request: client.send(request, stream=True, follow_redirects=False))

        @pytest.fixture
        async def context(self, tmp_path: Path, upstream: httpx.MockTransport) -> AsyncIterator[FakeContext]:
            context = FakeContext(tmp_path, upstream)
            context.http.timeout = TIMEOUT
            yield context
            await context.http.aclose()

        @pytest.fixture
        def faults(self) -> Mapping[str, Any]:
            return {}

    if given.kind == "storage":
        _own_place(Live)
    if given.kind == "email":
        _own_recipient(Live)
    Live.__name__ = Live.__qualname__ = f"Test_{given.kind}_{given.id.replace('-', '_')}"
    return Live


def _own_place(kind: type[Any]) -> None:
    """Let the rules work in an empty place only, and leave it empty."""

    @pytest.fixture
    async def provider(self: Any, spec: Any, settings: Settings, context: FakeContext) -> AsyncIterator[Any]:
        provider = spec.build(settings, context)
        try:
            if (await provider.page("", limit=1)).objects:
                pytest.fail("the place is not empty: name an empty one; nothing was changed")
            yield provider
            while objects := (await provider.page("")).objects:
                for entry in objects:
                    await provider.delete(entry.key)
        finally:
            await provider.aclose()

    @pytest.fixture
    def nested_keys(self: Any) -> bool:
        return False

    kind.provider, kind.nested_keys = provider, nested_keys


def _own_recipient(kind: type[Any]) -> None:
    """Let messages go to the address of the settings file."""

    @pytest.fixture
    def message(self: Any) -> EmailMessage:
        told = read_file(OPTIONS.settings).get(OWN_TABLE, {})
        if not (told.get("recipient") and told.get("sender")):
            pytest.skip("needs `recipient` and `sender` in the table [kit] of the settings file")
        return msgspec.structs.replace(MESSAGE, to=told["recipient"], sender=told["sender"], reply_to=None)

    @pytest.fixture
    def delivered(self: Any) -> None:
        return None

    kind.message, kind.delivered = message, delivered


def _classes() -> dict[str, type[Any]]:
    specs = providers(os.environ["COVERWRIGHT_PLUGINS"].split(","), OPTIONS)
    usable = [spec for spec in specs if settings_for(spec, OPTIONS).settings is not None]
    return {kind.__name__: kind for kind in map(_class_for, usable)}


globals().update(_classes())
