"""Rules for failures: whatever a vendor answers or fails to answer becomes one of the kernel's errors."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, ClassVar, Final

import httpx
import msgspec
import pytest

from .. import (
    AuthFailed,
    ContentRefused,
    DeadlineExceeded,
    Effect,
    InvalidRequest,
    NotFound,
    PaymentDeclined,
    Provider,
    ProviderBug,
    ProviderError,
    ProviderSpec,
    QuotaExhausted,
    RateLimited,
    Secret,
    Settings,
    SettingsInvalid,
    Unavailable,
    Unsupported,
)
from .fakes import FakeContext
from .loopback import Loopback
from .probes import all_logs
from .scripts import ANSWER_LOST, UNREACHABLE, echo, script
from .waivers import waived

Upstream = httpx.MockTransport | Loopback
"""The vendor of the tests; its `handler` answers every request."""
FailsWith = Callable[..., AbstractAsyncContextManager[Any]]
"""`fails_with(name, variant=0)`: a provider whose vendor fails that way for as long as the block lasts."""

MEANING: Final[Mapping[str, tuple[type[ProviderError], ...]]] = {
    "bad_key": (AuthFailed, SettingsInvalid),
    "rate_limit": (RateLimited,),
    "server_error": (Unavailable,),
    "garbage": (Unavailable,),
    "refused": (ContentRefused,),
    "no_funds": (QuotaExhausted,),
    "declined": (PaymentDeclined,),
    "not_found": (NotFound,),
    "invalid": (InvalidRequest, Unsupported, SettingsInvalid),
    "busy": (Unavailable, RateLimited),
}
"""Faults that authors declare, and the errors that are right for each."""

NO_ANSWER: Final = (Unavailable, DeadlineExceeded)
RETRY_AFTER_S: Final = 7.0
NOISE_SEEDS: Final = 20
CANARY: Final = "canary-7f3b9c51-do-not-sing"
PIECE: Final = re.compile(r"[A-Za-z0-9+/=_-]{20,}")
FAULT_LIMIT_S: Final = 15.0
"""A call to a failing vendor must have ended by then; read time-outs of the tests are shorter."""


class FaultRules:
    """The group ERR. Does not apply to an offline spec.

    Define in `faults` how the vendor reports each fault. Where the client is not `context.http`, make `upstream` a
    `Loopback` and point the settings at its `url`; where the vendor does not speak HTTP, override `fails_with`.
    """

    faults_needed: ClassVar[tuple[str, ...]] = ("bad_key", "rate_limit", "server_error", "garbage")
    repeatable: ClassVar[bool] = False
    """True where the call of `provoke` may be repeated without harm: then its effect is not checked."""

    # What authors override

    @pytest.fixture
    def faults(self, spec: ProviderSpec[Any, Any]) -> Mapping[str, Any]:
        """Return how the vendor reports each fault: an `httpx.Response`, or a callable that answers every request.

        None: the vendor never reports it. `rate_limit` must ask to retry after 7 seconds.
        """
        if spec.offline:
            return {}
        raise NotImplementedError("override the fixture `faults`: how the vendor says bad_key, rate_limit, …")

    @pytest.fixture
    def retry_after_s(self) -> float | None:
        """Return what a RateLimited must carry. None where the vendor never names a time."""
        return RETRY_AFTER_S

    @pytest.fixture
    def fails_with(
        self,
        spec: ProviderSpec[Any, Any],
        settings: Settings,
        context: FakeContext,
        upstream: Upstream,
        faults: Mapping[str, Any],
    ) -> FailsWith:
        """Return a function that opens a failing provider, over `upstream`. Beside the faults it must know three names.

        `unreachable`: no connection is possible. `answer_lost`: the request is received and no answer comes.
        `noise`: random bytes as an answer, different for each `variant`.
        """

        @asynccontextmanager
        async def fail(name: str, variant: int = 0) -> AsyncIterator[Any]:
            usual = upstream.handler
            if name == "unreachable" and isinstance(upstream, Loopback):
                upstream.close()
            else:
                upstream.handler = script(name, faults.get(name), variant)
            provider = spec.build(settings, context)
            try:
                yield provider
            finally:
                upstream.handler = usual
                await provider.aclose()

        return fail

    def canary(self, field: str) -> str:
        """Return a secret that nothing but this test knows, for a field of the settings.

        Override it where a secret has a structure, as a key in PEM or a JSON document: return one that is well-formed
        and made for this test. Each run of 20 letters and digits in it, or in the values of the JSON, must never show.
        """
        return CANARY

    def with_canaries(self, settings: Settings) -> Settings:
        """Return the settings with every secret replaced by its canary."""
        return msgspec.structs.replace(settings, **{name: Secret(self.canary(name)) for name in _secrets(settings)})

    def sung(self, settings: Settings, texts: Sequence[str]) -> list[str]:
        """Return the beginnings of those texts that show a canary, or a piece of one."""
        traces = {trace for name in _secrets(settings) for trace in _traces(self.canary(name))}
        return [text[:200] for text in texts if any(trace in text for trace in traces)]

    async def provoke(self, provider: Any, fault: str) -> Any:
        """Make the call in which the vendor reports the fault; by default the ordinary one."""
        return await self.exercise(provider)  # type: ignore[attr-defined]  # every contract has it

    # ERR: errors

    async def test_ERR_01_every_fault_is_declared(
        self, spec: ProviderSpec[Any, Any], faults: Mapping[str, Any]
    ) -> None:
        if spec.offline:
            return waived("offline")
        missing = set(self.faults_needed) - set(faults)
        assert not missing, f"declare how the vendor says {', '.join(sorted(missing))}"
        assert set(faults) <= set(MEANING), f"the kit knows {', '.join(MEANING)}"

    async def test_ERR_02_each_fault_becomes_its_error(
        self, spec: ProviderSpec[Any, Any], faults: Mapping[str, Any], fails_with: FailsWith
    ) -> None:
        if spec.offline:
            return waived("offline")
        for name, answer in faults.items():
            if answer is not None:
                async with fails_with(name) as provider:
                    error = await self._trouble(provider, name)
                assert isinstance(error, MEANING[name]), f"{name} became {_error_text(error)}"

    async def test_ERR_03_the_time_to_come_back_is_read(
        self, faults: Mapping[str, Any], fails_with: FailsWith, retry_after_s: float | None
    ) -> None:
        if faults.get("rate_limit") is None or retry_after_s is None:
            return waived("the vendor does not say when to come back")
        async with fails_with("rate_limit") as provider:
            error = await self._trouble(provider, "rate_limit")
        after = getattr(error, "retry_after", None)
        assert after is not None and abs(after - retry_after_s) <= 1, f"retry_after is {after}, not {retry_after_s:g}"

    async def test_ERR_04_without_a_connection_nothing_happened(
        self, spec: ProviderSpec[Any, Any], fails_with: FailsWith
    ) -> None:
        if spec.offline:
            return waived("offline")
        for variant in range(len(UNREACHABLE)):
            async with fails_with("unreachable", variant) as provider:
                error = await self._trouble(provider, "unreachable")
            assert isinstance(error, NO_ANSWER), f"no connection became {_error_text(error)}"
            assert self.repeatable or error.effect is Effect.NONE, "no connection: the effect is NONE"

    async def test_ERR_05_after_a_lost_answer_nobody_knows(
        self, spec: ProviderSpec[Any, Any], fails_with: FailsWith
    ) -> None:
        if spec.offline:
            return waived("offline")
        for variant in range(len(ANSWER_LOST)):
            async with fails_with("answer_lost", variant) as provider:
                error = await self._trouble(provider, "answer_lost")
            assert isinstance(error, NO_ANSWER), f"a lost answer became {_error_text(error)}"
            assert self.repeatable or error.effect is Effect.UNKNOWN, "a lost answer: the effect is UNKNOWN"

    async def test_ERR_06_noise_never_raises_anything_foreign(
        self, spec: ProviderSpec[Any, Any], fails_with: FailsWith
    ) -> None:
        if spec.offline:
            return waived("offline")
        for seed in range(NOISE_SEEDS):
            async with fails_with("noise", seed) as provider:
                for call in (lambda it: self.provoke(it, "noise"), _check):
                    error = await _raised(call, provider)
                    known = isinstance(error, ProviderError) and not isinstance(error, ProviderBug)
                    assert error is None or known, f"seed {seed} raised {_error_text(error)}"

    async def test_ERR_07_what_may_have_happened_is_not_asked_for_again(
        self, spec: ProviderSpec[Any, Any], upstream: Upstream, fails_with: FailsWith
    ) -> None:
        if spec.offline or self.repeatable:
            return waived("offline" if spec.offline else "may be repeated")
        sent: list[tuple[str, str, bytes]] = []
        async with fails_with("answer_lost") as provider:
            lost = upstream.handler

            def count(request: httpx.Request) -> httpx.Response:
                if request.method == "POST":
                    sent.append((request.method, str(request.url), request.content))
                answer: httpx.Response = lost(request)  # type: ignore[assignment]  # scripts are synchronous
                return answer

            upstream.handler = count
            await self._trouble(provider, "answer_lost")
        assert len(sent) == len(set(sent)), "the same request was sent twice; repeating is the kernel's decision"

    # SEC: secrecy

    async def test_SEC_04_a_vendor_that_repeats_our_secrets_is_not_logged(
        self, spec: ProviderSpec[Any, Any], settings: Settings, context: FakeContext, upstream: Upstream
    ) -> None:
        if spec.offline:
            return waived("offline")
        usual = upstream.handler
        provider = spec.build(self.with_canaries(settings), context)
        with all_logs() as lines:
            for status in (400, 401, 422, 500):
                upstream.handler = echo(status)
                await _raised(lambda it: self.provoke(it, "bad_key"), provider)
                await _raised(_check, provider)
        upstream.handler = usual
        await provider.aclose()
        assert self.sung(settings, lines) == [], "the vendor's answer was logged, with a secret"

    # CHK: check

    async def test_CHK_04_a_vendor_out_of_reach_fails_the_check(
        self, spec: ProviderSpec[Any, Any], fails_with: FailsWith
    ) -> None:
        if spec.offline:
            return waived("offline")
        async with fails_with("unreachable") as provider, asyncio.timeout(FAULT_LIMIT_S):
            report = await provider.check()
        assert not report.ok, "the check passed although the vendor did not answer"

    async def _trouble(self, provider: Any, name: str) -> ProviderError:
        """Make the call and return the error in which it must end."""
        error = await _raised(lambda it: self.provoke(it, name), provider)
        assert error is not None, f"the call succeeded in spite of {name}"
        assert isinstance(error, ProviderError), f"{name} raised {_error_text(error)}"
        return error


def _secrets(settings: Settings) -> list[str]:
    return [name for name in settings.__struct_fields__ if isinstance(getattr(settings, name), Secret)]


def _traces(secret: str) -> set[str]:
    """Return what of a secret would be recognized: the whole, and each long piece of a structured one."""
    try:
        parsed = json.loads(secret)
    except ValueError:
        parsed = secret
    values = [str(value) for value in parsed.values()] if isinstance(parsed, dict) else [secret]
    return {secret, *(piece for value in values for piece in PIECE.findall(value))}


async def _check(provider: Provider) -> Any:
    return await provider.check()


async def _raised(call: Callable[[Any], Awaitable[Any]], provider: Any) -> BaseException | None:
    """Return the exception that the call raises, or None."""
    waiting: asyncio.Future[Any] = asyncio.ensure_future(call(provider))
    done, _ = await asyncio.wait({waiting}, timeout=FAULT_LIMIT_S)
    if not done:
        waiting.cancel()
        await asyncio.wait({waiting}, timeout=1)
        pytest.fail(f"no end after {FAULT_LIMIT_S:g} s: give every request a time-out")
    return waiting.exception()


def _error_text(error: BaseException | None) -> str:
    return f"{type(error).__name__}: {error}"[:200]
