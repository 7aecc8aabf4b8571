"""How many test emails an administrator may send."""

from typing import Final

from kernel.core.queue.throttle import Throttle

TESTS_PER_MINUTE: Final = 10


async def count_test(throttle: Throttle, user_id: int) -> None:
    """Count one test email that an administrator sends, of any type. Raises TooMany."""
    await throttle.hit(f"send-test:{user_id}", limit=TESTS_PER_MINUTE, window_s=60)
