"""What a visitor is told when a provider fails while it is asked on the way to an answer."""

import logging
from typing import Any, Final

from litestar import Request, Response

from kernel.core.errors import ErrorEnvelope, NoProvider, error_response

log = logging.getLogger(__name__)

PAUSE_S: Final = 30.0
"""When to come back, where nobody says."""


def provider_response(request: Request[Any, Any, Any], error: Exception) -> Response[ErrorEnvelope]:
    """Answer a ProviderError or NoProviderAvailable that nobody has caught: 503, the reason only in the log."""
    log.warning("%s: %s: %s", request.url.path, type(error).__name__, error)
    after = getattr(error, "retry_after", None)
    return error_response(
        request, NoProvider("This cannot be had just now. Please try again.", retry_after=after or PAUSE_S)
    )
