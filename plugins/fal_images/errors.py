"""Translates answers of fal's queue and of the models behind it."""

import re
from typing import Any, Final

import httpx

from kernel.spi import (
    ContentRefused,
    InvalidRequest,
    NotFound,
    ProviderError,
    QuotaExhausted,
    SettingsInvalid,
    Unavailable,
    Unsupported,
    error_detail,
    problem_of,
    status_error,
)

REFUSED: Final = "content_policy_violation"
"""The type of a problem that means that the content was declined; fal asks not to match on its text."""

LOCKED: Final = re.compile(r"user is locked|exhausted balance", re.IGNORECASE)
OUR_INPUT: Final = (400, 413, 422)


def judge(answer: httpx.Response) -> ProviderError | None:
    """Return the error for an answer; None for a success."""
    status = answer.status_code
    if status < 300:
        return None
    problems = _problems(answer.content)
    detail = error_detail(status, "; ".join(text for _, _, text in problems))
    if any(kind == REFUSED for kind, _, _ in problems):
        return ContentRefused(detail, upstream_status=status)
    if status == 403 and LOCKED.search(detail):
        return QuotaExhausted(detail, upstream_status=status)
    if status == 404:
        return _missing(answer.request, detail)
    if status in OUR_INPUT:  # only the prompt is the user's; all other input is ours or the model's
        kind = InvalidRequest if any("prompt" in place for _, place, _ in problems) else Unsupported
        return kind(detail, upstream_status=status)
    return status_error(answer, "; ".join(text for _, _, text in problems))


def failed(error: str, error_type: str) -> ProviderError:
    """Return the error for an order of which the queue itself says that it failed."""
    detail = f"{error_type}: {error}"[:300].strip(": ")
    return ContentRefused(detail) if error_type == REFUSED else Unavailable(f"the model failed: {detail}".rstrip(": "))


def _missing(request: httpx.Request, detail: str) -> ProviderError:
    if "/requests/" in request.url.path:
        return NotFound(detail, upstream_status=404)
    return SettingsInvalid(detail, field="model", upstream_status=404)


def _problems(body: bytes) -> list[tuple[str, str, str]]:
    """Return type, place and text of each problem: `detail` is a text, or a list of objects."""
    found = problem_of(body)
    detail = found.get("detail", found.get("error", ""))
    if isinstance(detail, str):
        return [(str(found.get("error_type", "")), "", detail)] if detail else []
    entries: list[Any] = detail if isinstance(detail, list) else [detail]
    return [_problem(entry) for entry in entries if isinstance(entry, dict)]


def _problem(entry: dict[str, Any]) -> tuple[str, str, str]:
    place = entry.get("loc")
    named = ".".join(str(step) for step in place) if isinstance(place, list) else ""
    text = entry.get("msg", entry.get("message", ""))
    return str(entry.get("type", "")), named, f"{named}: {text}".strip(": ")
