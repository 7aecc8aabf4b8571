"""A limit for code of plugins that is not asynchronous: it cannot be stopped, but nobody waits for it any longer."""

import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, TypeVar

BUILD_LIMIT_S: Final = 10.0

T = TypeVar("T")


class BuildTimeout(Exception):
    """The work had not ended within its limit."""


def within(limit_s: float, work: Callable[[], T], *, name: str) -> T:
    """Return what `work` returns, from a thread of its own, or raise what it raises.

    Raises BuildTimeout after the limit. The thread then goes on until `work` ends, without keeping the process alive.
    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(run,), name=name, daemon=True).start()
    try:
        return done.result(limit_s)
    except TimeoutError as error:
        if done.done():  # the work raised it
            raise
        raise BuildTimeout(f"it was not ready within {limit_s:g} s") from error
