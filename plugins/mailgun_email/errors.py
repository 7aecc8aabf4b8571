"""Translates Mailgun's errors: a status and a sentence. Statuses: documentation.mailgun.com, API Responses, 2026-11.

The sentences are no part of the documentation. Where one is not recognized, the status decides.
"""

import re
from typing import Any, Final

import httpx

from kernel.spi import (
    AuthFailed,
    InvalidRequest,
    ProviderError,
    RateLimited,
    SettingsInvalid,
    error_detail,
    problem_of,
    retry_after_s,
    status_error,
)

NOT_MAILGUN: Final = b"Mailgun Magnificent API"
"""What Mailgun says, with status 200, to a path that it does not know."""

BARRED: Final = re.compile(r"not allowed to send|test purposes|activate your mailgun account", re.IGNORECASE)
"""With status 400 or 403: the domain or the account may not send this, whatever the message is."""

ONLY_TESTS: Final = re.compile(r"test purposes|authorized recipients", re.IGNORECASE)
TOO_MANY: Final = re.compile(r"limit exceeded|too fast", re.IGNORECASE)
UNVERIFIED: Final = re.compile(r"unverified|dns", re.IGNORECASE)
WAIT: Final = re.compile(r"again (?:after|in) (\d{1,4}) (second|minute|hour)", re.IGNORECASE)
UNITS_S: Final = {"second": 1.0, "minute": 60.0, "hour": 3600.0}
ADDRESS: Final = re.compile(r"'?(to|from)'? parameter is not a valid address", re.IGNORECASE)


def judge(answer: httpx.Response) -> ProviderError | None:
    """Return the error for an answer; None for a success. An InvalidRequest concerns a message of the call."""
    status = answer.status_code
    if 300 <= status < 400:
        return SettingsInvalid("Mailgun's API does not redirect; its key goes nowhere else", field="base_url")
    if status < 300:
        if answer.content.startswith(NOT_MAILGUN):
            return SettingsInvalid("Mailgun has nothing at this address", field="base_url", upstream_status=status)
        return None
    problem = problem_of(answer.content)
    text = _words(problem)
    if status in (400, 403) and BARRED.search(text):
        return _barred(status, text)
    if status == 429:
        wait = _first(retry_after_s(answer.headers), _seconds(problem.get("retry-seconds")), _wait(text))
        return RateLimited(error_detail(status, text), retry_after=wait, upstream_status=status)
    if status == 404 and "domain" in text.lower():
        step = "Mailgun does not know this domain in this region: check its spelling and the region"
        return SettingsInvalid(step, field="domain", upstream_status=status)
    if status == 400 and (found := ADDRESS.search(text)) and found[1].lower() == "from":
        return SettingsInvalid(error_detail(status, text), field="sender", upstream_status=status)
    if status in (400, 413, 422):
        return InvalidRequest(error_detail(status, text), upstream_status=status)
    return status_error(answer, text)


def _barred(status: int, text: str) -> ProviderError:
    """Return the error for a domain or an account that may not send, with the next step."""
    reason = text.partition("allowed to send:")[2] or text  # what stands before is the domain's name
    if TOO_MANY.search(reason):
        return RateLimited(error_detail(status, text), retry_after=_wait(text), upstream_status=status)
    if ONLY_TESTS.search(reason):
        step = (
            "a sandbox domain or free plan delivers only to authorized recipients: add the address to them at Mailgun, "
            "or send from a domain of your own"
        )
        return SettingsInvalid(step, field="domain", upstream_status=status)
    if UNVERIFIED.search(reason):
        step = "the domain is not verified: enter its DNS records, then choose Verify at Mailgun"
        return SettingsInvalid(step, field="domain", upstream_status=status)
    return AuthFailed(f"{error_detail(status, text)[:250]}; see Mailgun's control panel", upstream_status=status)


def _words(problem: dict[str, Any]) -> str:
    """Return Mailgun's own words, which stand in one of these."""
    for name in ("message", "Message", "Error", "Reason"):
        if isinstance(text := problem.get(name), str):
            return text
    return ""


def _wait(text: str) -> float | None:
    found = WAIT.search(text)
    return int(found[1]) * UNITS_S[found[2].lower()] if found else None


def _seconds(value: Any) -> float | None:
    return float(value) if isinstance(value, int) and 0 <= value <= 86_400 else None


def _first(*values: float | None) -> float | None:
    return next((value for value in values if value is not None), None)
