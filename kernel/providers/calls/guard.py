"""Isolates one call into a plugin: enforces a deadline and translates its errors."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from kernel.providers.instances.instance import Instance
from kernel.spi import (
    AuthFailed,
    ContentRefused,
    DeadlineExceeded,
    Effect,
    InvalidRequest,
    NotFound,
    PaymentDeclined,
    ProofTooWeak,
    ProviderBug,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    SettingsInvalid,
    Unavailable,
    Unsupported,
    WebhookRejected,
    misfit,
)

T = TypeVar("T")

VOCABULARY: Final = frozenset(
    (
        AuthFailed,
        ContentRefused,
        DeadlineExceeded,
        InvalidRequest,
        NotFound,
        PaymentDeclined,
        ProofTooWeak,
        QuotaExhausted,
        RateLimited,
        SettingsInvalid,
        Unavailable,
        Unsupported,
        WebhookRejected,
    )
)
"""What a plugin may raise: exactly these, because a subclass could match the wrong policy."""

LONGEST_RETRY_AFTER_S: Final = 3600.0


class CallAbandoned(BaseException):
    """Raised by the kernel's own code inside a call to abandon it: the job was canceled or its lease was lost.

    Not an `Exception`, so that a plugin's `except Exception` cannot catch it.
    """


async def guarded(
    instance: Instance[Any, Any], run: Callable[[], Awaitable[T]], *, result_type: Any, limit_s: float
) -> T:
    """Run one call of an instance that the caller has acquired; release the instance when the call has really ended.

    Returns or raises after `limit_s` seconds at the latest, even if the plugin swallows its cancellation; the instance
    then stays acquired until that call ends. Raises ProviderError or CallAbandoned.
    """
    task = asyncio.ensure_future(_without_exit(run))
    task.add_done_callback(lambda ended: _let_go(ended, instance))
    try:
        done, _ = await asyncio.wait({task}, timeout=limit_s)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if not done:
        task.cancel()
        raise DeadlineExceeded(f"no answer within {limit_s:.3g} s", effect=Effect.UNKNOWN)
    if task.cancelled():
        raise _bug(instance, asyncio.CancelledError("the call cancelled itself"))
    error = task.exception()
    if error is not None:
        if isinstance(error, CallAbandoned):
            raise error
        raise translate(instance, error) from error
    result = task.result()
    if wrong := misfit(result, result_type):
        raise _bug(instance, TypeError(wrong))
    return result


def translate(instance: Instance[Any, Any], error: BaseException) -> ProviderError:
    """Translate what a plugin raised, without its secrets; an unexpected exception becomes ProviderBug."""
    if type(error) not in VOCABULARY or not isinstance(error, ProviderError):
        return _bug(instance, error)
    error.detail = instance.redact(str(error.detail))
    error.args = (error.detail,)
    error.effect = Effect.NONE if error.effect is Effect.NONE else Effect.UNKNOWN
    error.retry_after = _finite_seconds(error.retry_after)
    return error


def _bug(instance: Instance[Any, Any], error: BaseException) -> ProviderBug:
    what = f"plugin {instance.plugin} {instance.plugin_version}".rstrip()
    bug = ProviderBug(f"{what}: {type(error).__name__}: {instance.redact(str(error))}", effect=Effect.UNKNOWN)
    bug.__cause__ = error
    return bug


def _finite_seconds(seconds: Any) -> float | None:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not math.isfinite(seconds):
        return None
    return min(max(float(seconds), 0.0), LONGEST_RETRY_AFTER_S)


async def _without_exit(run: Callable[[], Awaitable[T]]) -> T:
    """Run the call; a SystemExit in a task would end the whole process."""
    try:
        return await run()
    except SystemExit as error:
        raise RuntimeError(f"tried to exit the process ({error.code})") from error


def _let_go(task: "asyncio.Task[Any]", instance: Instance[Any, Any]) -> None:
    instance.release()
    if not task.cancelled():
        task.exception()  # retrieved, so that a late failure is not reported as never retrieved
