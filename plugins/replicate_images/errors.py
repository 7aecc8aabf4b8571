"""Translates answers of Replicate's API and the ends of predictions."""

import re
from typing import Final

import httpx

from kernel.spi import (
    ContentRefused,
    InvalidRequest,
    NotFound,
    ProviderError,
    RateLimited,
    SettingsInvalid,
    Unavailable,
    Unsupported,
    error_detail,
    problem_of,
    status_error,
)

DETAIL_CHARS: Final = 300
RESETS: Final = re.compile(r"resets in ~?(\d{1,6})\s?s")
REFUSED: Final = re.compile(
    r"nsfw|safety|moderat|sensitive|content polic|prohibited|copyright|\(E005\)|flagged|inappropriate", re.IGNORECASE
)
"""Texts of models that declined: there is no code for it. E005 is Replicate's own."""
BROKEN: Final = re.compile(
    r"failed to (?:down)?load|connection|timed? ?out|weights|out of memory|\bCUDA\b|no space left", re.IGNORECASE
)
"""Texts of models that could not work, which may name their safety checker as well."""


def judge(answer: httpx.Response) -> ProviderError | None:
    """Return the error for an answer of the API; None for a success."""
    status = answer.status_code
    if status < 300:
        return None
    text = _text(answer.content)
    if status == 404:
        return _missing(answer.request, error_detail(status, text))
    if status in (400, 413, 422):  # only the prompt is the user's; all other input is ours or the model's
        kind = InvalidRequest if "prompt" in text.lower() else Unsupported
        return kind(error_detail(status, text), upstream_status=status)
    error = status_error(answer, text, key_field="api_token")
    if isinstance(error, RateLimited) and error.retry_after is None and (found := RESETS.search(text)):
        error.retry_after = float(found[1])
    return error


def ended(status: str, error: str | None) -> ProviderError:
    """Return the error for a prediction that ended without success."""
    text = (error or "")[:DETAIL_CHARS]
    if status == "failed" and REFUSED.search(text) and not BROKEN.search(text):
        return ContentRefused(text)
    if status == "failed":
        return Unavailable(f"the model failed: {text}".rstrip(": "))
    return Unavailable(f"the prediction was {status}")


def _missing(request: httpx.Request, detail: str) -> ProviderError:
    if "/predictions/" in request.url.path:
        return NotFound(detail, upstream_status=404)
    field = "model" if "/models/" in request.url.path or "/predictions" in request.url.path else "base_url"
    return SettingsInvalid(detail, field=field, upstream_status=404)


def _text(body: bytes) -> str:
    """Return the explanation of a problem, if the answer has one."""
    problem = problem_of(body)
    return ": ".join(problem[name] for name in ("title", "detail") if isinstance(problem.get(name), str))
