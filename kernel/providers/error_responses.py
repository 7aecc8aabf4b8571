"""The response when a provider fails during a visitor's request."""

import logging
from typing import Final

from litestar import Response

from kernel.core.errors import ErrorEnvelope, NoProvider, error_response
from kernel.core.web.access import AppRequest

log = logging.getLogger(__name__)

PAUSE_S: Final = 30.0
"""Seconds until a retry, where the error names none."""


def provider_response(request: AppRequest, error: Exception) -> Response[ErrorEnvelope]:
    """Answer a ProviderError or NoProviderAvailable that nobody has caught: 503, the reason only in the log."""
    log.warning("%s: %s: %s", request.url.path, type(error).__name__, error)
    after = getattr(error, "retry_after", None)
    return error_response(
        request, NoProvider("This cannot be had just now. Please try again.", retry_after=after or PAUSE_S)
    )
