"""Translates answers of the Gemini API, and models that decline."""

import re
from collections.abc import Callable
from typing import Any, Final

import httpx

from kernel.spi import (
    AuthFailed,
    ContentRefused,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    SettingsInvalid,
    error_detail,
    problem_of,
    status_error,
)

DELAY: Final = re.compile(r"(\d{1,6}(?:\.\d+)?)s")
PER_DAY: Final = "PerDay"
NO_ALLOWANCE: Final = re.compile(r"\blimit: 0\b")
"""In the text of a 429: the plan of this project makes no pictures at all."""

REFUSALS: Final = {
    "SAFETY": "the request was declined for safety",
    "IMAGE_SAFETY": "the picture was held back for safety",
    "PROHIBITED_CONTENT": "what was asked for is prohibited",
    "IMAGE_PROHIBITED_CONTENT": "the picture was held back as prohibited",
    "BLOCKLIST": "the request has a word that is blocked",
    "RECITATION": "the answer was too close to a source",
    "IMAGE_RECITATION": "the picture was too close to a source",
    "SPII": "the request has personal data",
    "ESCALATION": "the request was declined by a filter",
    "JAILBREAK": "the request was declined as an attack",
    "MODEL_ARMOR": "the request was declined by Model Armor",
    "OTHER": "the request was declined",
}
"""Ends, and reasons of a block, that mean that the content was declined, in plain words."""


def judge_for(key: str) -> Callable[[httpx.Response], ProviderError | None]:
    """Return how to judge answers. Google's texts may quote the key: it is cut out of them."""

    def judge(answer: httpx.Response) -> ProviderError | None:
        if answer.status_code < 300:
            return None
        error = problem_of(answer.content).get("error")
        return _error(answer, error if isinstance(error, dict) else {}, key)

    return judge


def refusal(reason: str, message: str) -> ContentRefused | None:
    """Return the refusal that the end of an answer means, or None."""
    words = REFUSALS.get(reason)
    return None if words is None else ContentRefused(f"{words} ({reason}) {message}".strip()[:300])


def _error(answer: httpx.Response, error: dict[str, Any], key: str) -> ProviderError | None:
    status = answer.status_code
    name, text = str(error.get("status", "")), str(error.get("message", "")).replace(key, "***")
    told = f"{name}: {text}".strip(": ")
    detail = error_detail(status, told)
    details = [entry for entry in error.get("details") or () if isinstance(entry, dict)]
    if any(entry.get("reason") == "API_KEY_INVALID" for entry in details):
        return AuthFailed("the key is not accepted", field="api_key", upstream_status=status)
    if status == 429:
        if NO_ALLOWANCE.search(text) or PER_DAY in str(details):
            return QuotaExhausted(detail, upstream_status=status)
        found = status_error(answer, told)
        delays = [DELAY.fullmatch(str(entry.get("retryDelay", ""))) for entry in details]
        if isinstance(found, RateLimited) and found.retry_after is None:
            found.retry_after = next((float(delay[1]) for delay in delays if delay), None)
        return found
    if status == 400 and name == "FAILED_PRECONDITION":  # no billing, or not from this country
        return QuotaExhausted(detail, upstream_status=status)
    if status == 404:
        return SettingsInvalid(detail, field="model" if "/models/" in answer.request.url.path else "base_url")
    return status_error(answer, told)
