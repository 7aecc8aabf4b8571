"""Translates errors of mail servers."""

import re
import ssl
from typing import Final

from aiosmtplib import (
    SMTPAuthenticationError,
    SMTPException,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPTimeoutError,
)

from kernel.spi import (
    AuthFailed,
    DeadlineExceeded,
    Effect,
    ProviderError,
    RateLimited,
    SendResult,
    SendState,
    SettingsInvalid,
    Unavailable,
)

DETAIL_CHARS: Final = 300
SIGN_IN_NEEDED: Final = frozenset({530, 534, 535, 538})
"""RFC 4954 §6."""
BAD_MAILBOX: Final = frozenset({501, 553})
NO_MAILBOX: Final = re.compile(r"\s*5\.1\.(?!8)\d")
"""Enhanced status of a recipient's address, RFC 3463 §3.2; 5.1.8 is about the sender's."""
TOO_OFTEN: Final = re.compile(r"4\.7\.\d|too (many|much|fast)|rate|limit|throttl", re.IGNORECASE)


def translate(error: Exception, effect: Effect = Effect.NONE) -> ProviderError:
    """Return the provider error for a session that cannot continue."""
    certificate = _cause(error, ssl.SSLCertVerificationError)
    if certificate is not None:
        why = getattr(certificate, "verify_message", "") or "not valid"
        return SettingsInvalid(f"the server's certificate is not trusted: {why}", field="host")
    if _cause(error, ssl.SSLError) is not None:
        return Unavailable("the server does not answer in TLS", field="security", effect=effect)
    if isinstance(error, SMTPResponseException):
        return _answered(error, effect)
    if isinstance(error, TimeoutError | SMTPTimeoutError):
        return DeadlineExceeded("the server did not answer in time", field="host", effect=effect)
    return Unavailable(f"the connection failed: {_short(error)}", field="host", effect=effect)


def verdict(error: SMTPResponseException) -> SendResult:
    """Return what a refusal of one message means for it: 4xx may succeed later, 5xx never will."""
    state: SendState = "rejected"
    if 400 <= error.code < 500:
        state = "failed"
    elif error.code in BAD_MAILBOX or NO_MAILBOX.match(error.message):
        state = "invalid"
    return SendResult(state=state, code=str(error.code), detail=_answer(error))


def unsupported(error: SMTPException, field: str) -> SettingsInvalid:
    """Return the error for something the server does not offer."""
    return SettingsInvalid(_short(error), field=field)


def _answered(error: SMTPResponseException, effect: Effect) -> ProviderError:
    status = error.code if error.code > 0 else None
    text = _answer(error)
    if 400 <= error.code < 500:
        kind = RateLimited if TOO_OFTEN.search(error.message) else Unavailable
        return kind(text, effect=effect, upstream_status=status)
    if isinstance(error, SMTPAuthenticationError):
        return AuthFailed(text, field="password", upstream_status=status)
    if error.code in SIGN_IN_NEEDED:
        return AuthFailed(text, field="username", upstream_status=status)
    if isinstance(error, SMTPSenderRefused):
        return SettingsInvalid(f"the sender is refused: {text}"[:DETAIL_CHARS], field="sender", upstream_status=status)
    return Unavailable(text, field="host", effect=effect, upstream_status=status)


def _answer(error: SMTPResponseException) -> str:
    return f"{error.code} {error.message}".replace("\r", "").replace("\n", " ")[:DETAIL_CHARS]


def _short(error: Exception) -> str:
    return (str(error) or type(error).__name__).replace("\n", " ")[:DETAIL_CHARS]


def _cause(error: BaseException | None, kind: type[BaseException]) -> BaseException | None:
    """Return the first error of a type in the chain of causes."""
    while error is not None and not isinstance(error, kind):
        error = error.__cause__ or error.__context__
    return error
