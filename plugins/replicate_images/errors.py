"""Translates answers of Replicate's API and the ends of predictions."""

import re
from typing import Final

import httpx
import msgspec

from kernel.spi import (
    AuthFailed,
    ContentRefused,
    DeadlineExceeded,
    Effect,
    InvalidRequest,
    NotFound,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    SettingsInvalid,
    Unavailable,
    Unsupported,
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

EXPIRED: Final = frozenset({403, 404, 410})
"""Statuses of an address whose picture is not there any more: results are deleted after an hour."""


def judge(answer: httpx.Response) -> ProviderError | None:
    """Return the error for an answer of the API; None for a success."""
    status = answer.status_code
    if status < 300:
        return None
    detail = f"{status} {_text(answer.content)}"[:DETAIL_CHARS].strip()
    if status == 401:
        return AuthFailed("the token is not accepted", field="api_token", upstream_status=status)
    if status == 402:
        return QuotaExhausted(detail, upstream_status=status)
    if status == 403:
        return AuthFailed(detail, field="api_token", upstream_status=status)
    if status == 429:
        return RateLimited(detail, retry_after=_retry_after_s(answer, detail), upstream_status=status)
    if status == 404:
        return _missing(answer.request, detail)
    if status in (400, 413, 422):  # only the prompt is the user's; all other input is ours or the model's
        kind = InvalidRequest if "prompt" in detail.lower() else Unsupported
        return kind(detail, upstream_status=status)
    if status in (408, 504):
        return DeadlineExceeded(detail, effect=Effect.UNKNOWN, upstream_status=status)
    if status < 400:
        return Unavailable("the address answers with a redirect, which is not followed", upstream_status=status)
    return Unavailable(detail, effect=Effect.UNKNOWN, upstream_status=status)


def judge_download(answer: httpx.Response) -> ProviderError | None:
    """Return the error for a picture that cannot be fetched."""
    if answer.status_code == 200:
        return None
    detail = f"the picture cannot be fetched ({answer.status_code})"
    if answer.status_code in EXPIRED:
        return NotFound(detail, upstream_status=answer.status_code)
    return Unavailable(detail, effect=Effect.UNKNOWN, upstream_status=answer.status_code)


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


def _retry_after_s(answer: httpx.Response, detail: str) -> float | None:
    try:
        return max(0.0, float(answer.headers.get("retry-after", "")))
    except ValueError:
        found = RESETS.search(detail)
        return float(found[1]) if found else None


def _text(body: bytes) -> str:
    """Return the explanation of a problem, if the answer has one."""
    try:
        problem = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return ""
    if not isinstance(problem, dict):
        return ""
    return ": ".join(problem[name] for name in ("title", "detail") if isinstance(problem.get(name), str))
