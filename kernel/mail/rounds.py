"""What the loops that send have in common: one failure does not end them, and a stop does not cut a message in two."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, NoReturn

log = logging.getLogger(__name__)

LOOK_S: Final = 1.0
FAREWELL_S: Final = 1.0
"""So long a stop waits for what is in hand; the launcher allows three seconds in all."""


async def send_for_ever(what: str, send_due: Callable[[], Awaitable[bool]]) -> NoReturn:
    """Send what is due until cancelled, again at once while there may be more."""
    while True:
        try:
            while await send_due():
                continue
        except Exception as error:
            log.warning("%s: %s", what, type(error).__name__, exc_info=error)
        await asyncio.sleep(LOOK_S)


async def send_whole(sending: Coroutine[Any, Any, None]) -> None:
    """Send something; when told to stop meanwhile, let it go out first, for it could not be sent again."""
    task = asyncio.create_task(sending)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task], timeout=FAREWELL_S)
        raise
