"""What a WebDAV server's answers and silences mean. Its own words are left out: they may quote a request."""

import ssl
from typing import Final

import httpx

from kernel.spi import (
    AuthFailed,
    DeadlineExceeded,
    Effect,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    SettingsInvalid,
    Unavailable,
    connection_failed,
    retry_after_s,
    web_address,
)

NO_WEBDAV: Final = "this address does not speak WebDAV; enter the one that the service shows for WebDAV"
NO_FOLDER: Final = "there is no folder at this address; make it, or correct the address"


def no_answer(error: httpx.RequestError) -> ProviderError:
    """Return the error for a failed request. For TLS it says what is wrong and what to do."""
    if (reason := _tls_reason(error)) is None:
        return connection_failed(error)
    return SettingsInvalid(reason, field="base_url")


def status_error(answer: httpx.Response) -> ProviderError:
    """Return the error that an answer other than the expected one means."""
    status = answer.status_code
    match status:
        case 401:
            return AuthFailed(_refused(answer), field="password", upstream_status=status)
        case 403:
            return AuthFailed(
                "403: this user may not do this here; give it the right to read, write and delete in this folder",
                field="username",
                upstream_status=status,
            )
        case 404 | 410:
            return SettingsInvalid(f"{status}: {NO_FOLDER}", field="base_url", upstream_status=status)
        case 405 | 501:
            detail = f"{status}: {NO_WEBDAV}; nginx needs its module dav-ext"
            return SettingsInvalid(detail, field="base_url", upstream_status=status)
        case 408 | 504:
            return DeadlineExceeded(f"{status}: no answer in time", effect=Effect.UNKNOWN, upstream_status=status)
        case 413:
            return QuotaExhausted(
                "413: the server takes no files of this size; raise its limit, in nginx client_max_body_size",
                upstream_status=status,
            )
        case 423:
            return Unavailable("423: the file is locked", upstream_status=status)
        case 429:
            return RateLimited("429", retry_after=retry_after_s(answer.headers), upstream_status=status)
        case 507:
            return QuotaExhausted(
                "507: the storage is full; make room, or raise the user's quota", upstream_status=status
            )
    if 300 <= status < 400:
        return SettingsInvalid(_redirected(answer), field="base_url", upstream_status=status)
    if status < 300:
        detail = f"{status} where WebDAV answers otherwise: {NO_WEBDAV}"
        return Unavailable(detail, field="base_url", effect=Effect.UNKNOWN, upstream_status=status)
    effect = Effect.UNKNOWN if status >= 500 else Effect.NONE
    return Unavailable(f"{status} from the server", effect=effect, upstream_status=status)


def _refused(answer: httpx.Response) -> str:
    asked = answer.headers.get("www-authenticate", "").lower()
    if asked and "basic" not in asked:
        return "the server does not offer to sign in with Basic, the only way that is supported; allow it over https"
    return "user name or password are not accepted; some services take only an app password"


def _redirected(answer: httpx.Response) -> str:
    """Name the address to enter instead, without what may be secret in it."""
    try:
        target = web_address(str(answer.url.join(answer.headers.get("location", ""))))
    except httpx.InvalidURL:
        target = None
    if target is None or "location" not in answer.headers:
        return "the address answers with a redirect, which is not followed"
    plain = target.copy_with(userinfo=b"", query=None, fragment=None)
    return f"the address redirects; enter the one it leads to: {str(plain)[:200]}"


def _tls_reason(error: BaseException) -> str | None:
    """Return what is wrong with the connection's encryption, or None when that is not the trouble."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return (
                f"the server's certificate is not trusted ({cause.verify_message}); it needs a valid one for this name"
            )
        if isinstance(cause, ssl.SSLError):
            return "no TLS at this address; check its port, and whether it begins with https:// or http://"
        cause = cause.__cause__ or cause.__context__
    return None
