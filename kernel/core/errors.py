"""All errors of the API, and the one envelope in which they are returned.

AppError                status
├── Malformed           400   the request cannot be read
├── SignedOut           401
├── LimitReached        402   the plan's limit
├── Forbidden           403
├── Absent              404   does not exist, or belongs to another user
├── Conflict            409
├── TooSlow             408
├── TooLarge            413
├── WrongType           415
├── InvalidFields       422   `fields` names all bad ones
├── Refused             422   a provider declined the content
├── TooMany             429   with Retry-After
└── NoProvider          503   with Retry-After
"""

import logging
import math
from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import (
    HTTPException,
    MethodNotAllowedException,
    NotAuthorizedException,
    NotFoundException,
    PermissionDeniedException,
    SerializationException,
    ValidationException,
)

from kernel.core.data.trouble import is_database_trouble, is_disk_full
from kernel.core.field_errors import FieldError, FieldFault
from kernel.core.schemas import Out, sentence

log = logging.getLogger(__name__)

DISK_RETRY_S = 60.0
DISK_FULL_MESSAGE = "The server has no room left to store anything. Please try again later."
DATABASE_RETRY_S = 5.0


class AppError(Exception):
    """A failure with a sentence for the user. Raised where the rule is, answered by `error_response`.

    `words` is the sentence as it was given: a FieldError where it may be attached to a field.
    """

    status: ClassVar[int] = 400
    code: str = "bad_request"

    def __init__(
        self,
        message: FieldFault,
        *,
        code: str | None = None,
        fields: Mapping[str, FieldFault] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(str(message))
        self.words = message
        self.message = str(message)
        self.code = code or type(self).code
        self.fields = dict(fields or {})
        self.retry_after = retry_after


class Malformed(AppError):
    """The request cannot be read at all."""

    code = "malformed"


class SignedOut(AppError):
    """No user is signed in."""

    status, code = 401, "unauthorized"

    def __init__(self, message: str = "Please sign in.", **more: Any) -> None:
        super().__init__(message, **more)


class LimitReached(AppError):
    """The plan's limit."""

    status, code = 402, "generation_limit_reached"


class Forbidden(AppError):
    """Signed in, but not allowed."""

    status, code = 403, "forbidden"

    def __init__(self, message: str = "You are not allowed to do this.", **more: Any) -> None:
        super().__init__(message, **more)


class Absent(AppError):
    """Does not exist, or belongs to another user: the two look alike."""

    status, code = 404, "not_found"

    def __init__(self, message: str = "There is nothing here.", **more: Any) -> None:
        super().__init__(message, **more)


class Conflict(AppError):
    """The request contradicts what is stored."""

    status, code = 409, "conflict"


class TooSlow(AppError):
    """A request that does not arrive."""

    status, code = 408, "request_timeout"


class TooLarge(AppError):
    """More bytes or pixels than allowed."""

    status, code = 413, "too_large"


class WrongType(AppError):
    """A body or file of a type that is not accepted."""

    status, code = 415, "wrong_type"


class InvalidFields(AppError):
    """Fields that break a rule; `fields` maps each to a sentence."""

    status, code = 422, "invalid_fields"

    def __init__(self, fields: Mapping[str, FieldFault], message: str | None = None) -> None:
        super().__init__(message or next(iter(fields.values()), "Some fields are not right."), fields=fields)


class TooMany(AppError):
    """Too many attempts; `retry_after` in seconds."""

    status, code = 429, "rate_limited"


class NoProvider(AppError):
    """No provider is available at the moment; `retry_after` in seconds."""

    status, code = 503, "unavailable"


class FieldCode(Out, frozen=True, kw_only=True):
    """What the sentence about a field says, for those who speak another language: a code and the numbers in it."""

    code: str
    values: dict[str, float] | msgspec.UnsetType = msgspec.UNSET


class ErrorBody(Out, frozen=True, kw_only=True):
    """What went wrong. `fields` maps a bad field to a sentence; it is there only when fields are to blame.

    `fieldCodes` says the same of those fields whose sentence has a code.
    """

    code: str
    message: str
    request_id: str
    fields: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    field_codes: dict[str, FieldCode] | msgspec.UnsetType = msgspec.UNSET


class ErrorEnvelope(Out, frozen=True, kw_only=True):
    """Body of every error."""

    error: ErrorBody


def envelope(
    request_id: str,
    status: int,
    code: str,
    message: str,
    *,
    fields: Mapping[str, FieldFault] | None = None,
    retry_after: float | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response[ErrorEnvelope]:
    """Build the response body for one error."""
    named = fields or {}
    shown = {name: str(words) for name, words in named.items()}
    codes = {
        name: FieldCode(code=words.code, values=words.params or msgspec.UNSET)
        for name, words in named.items()
        if isinstance(words, FieldError)
    }
    body = ErrorBody(
        code=code,
        message=message,
        request_id=request_id,
        fields=shown or msgspec.UNSET,
        field_codes=codes or msgspec.UNSET,
    )
    extra = dict(headers or {})
    if retry_after is not None:
        extra["retry-after"] = str(max(1, math.ceil(retry_after)))
    extra["cache-control"] = "no-store"
    return Response(ErrorEnvelope(error=body), status_code=status, media_type=MediaType.JSON, headers=extra)


def request_id(request: Request[Any, Any, Any]) -> str:
    """Return the request id that telemetry assigned."""
    return str(request.scope.get("state", {}).get("request_id", "-"))


_HTTP_CODES = {
    400: ("malformed", "The request could not be read."),
    401: ("unauthorized", "Please sign in."),
    403: ("forbidden", "You are not allowed to do this."),
    404: ("not_found", "There is nothing here."),
    405: ("method_not_allowed", "This address does not take that method."),
    413: ("too_large", "The request is too large."),
    415: ("wrong_type", "The body is of a type this address does not take."),
    429: ("rate_limited", "Too many requests. Please wait a moment."),
}


SENT_AS: Final = "sent_as"
"""Where a route's metadata has the names under which its parameters are sent, by those that they have in Python."""


def _sent_as(request: Request[Any, Any, Any]) -> Mapping[str, str]:
    handler = request.scope.get("route_handler")
    names: Mapping[str, str] = handler.opt.get(SENT_AS, {}) if handler else {}
    return names


def _from_validation(error: ValidationException, sent_as: Mapping[str, str]) -> tuple[int, dict[str, FieldFault]]:
    """Return status and fields of a parameter that Litestar refused: a bad path is 404, anything else 422."""
    fields: dict[str, FieldFault] = {}
    for item in error.extra if isinstance(error.extra, list) else []:
        if not isinstance(item, dict):
            continue
        if item.get("source") == "path":
            return 404, {}
        key = str(item.get("key") or "body")
        fields[sent_as.get(key, key)] = sentence(Exception(str(item.get("message", ""))))
    return 422, fields


def error_response(request: Request[Any, Any, Any], error: Exception) -> Response[ErrorEnvelope]:
    """Answer any exception with the envelope; an unexpected one is a 500 without detail, logged with its trace."""
    rid = request_id(request)
    match error:
        case AppError():
            return envelope(
                rid, error.status, error.code, error.message, fields=error.fields, retry_after=error.retry_after
            )
        case ValidationException():
            status, fields = _from_validation(error, _sent_as(request))
            if status == 404:
                return envelope(rid, 404, *_HTTP_CODES[404])
            message = str(next(iter(fields.values()), "Some fields are not right."))
            return envelope(rid, 422, "invalid_fields", message, fields=fields)
        case SerializationException() | RecursionError():
            return envelope(rid, 400, *_HTTP_CODES[400])
        case NotAuthorizedException():
            return envelope(rid, 401, *_HTTP_CODES[401])
        case PermissionDeniedException():
            return envelope(rid, 403, *_HTTP_CODES[403])
        case NotFoundException():
            return envelope(rid, 404, *_HTTP_CODES[404])
        case MethodNotAllowedException():
            return envelope(rid, 405, *_HTTP_CODES[405], headers=error.headers)
        case HTTPException() if error.status_code < 500:
            code, message = _HTTP_CODES.get(error.status_code, ("bad_request", "The request could not be handled."))
            return envelope(rid, error.status_code, code, message)
    if is_disk_full(error):
        log.warning("a disk is full: %s: %s", type(error).__name__, getattr(error, "orig", error))
        return envelope(rid, 503, "storage_full", DISK_FULL_MESSAGE, retry_after=DISK_RETRY_S)
    if is_database_trouble(error):
        log.warning("the database is away: %s: %s", type(error).__name__, getattr(error, "orig", error))
        words = "This is not available right now. Please try again in a moment."
        return envelope(rid, 503, NoProvider.code, words, retry_after=DATABASE_RETRY_S)
    log.error("unhandled error", exc_info=error, extra={"path": request.url.path})
    return envelope(rid, 500, "internal", "Something went wrong on our side. Please try again.")
