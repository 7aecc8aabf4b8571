"""What the errors of a bucket mean. obstore has few types for them: the rest must be read from its text."""

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from .errors import DeadlineExceeded, Effect, NotFound, ProviderError, QuotaExhausted, RateLimited, Unavailable

_STATUS: Final = re.compile(r"status code: (\d{3})|\(code: (\d{3})\)")
"""Of the answer, or of one part of an answer to several deletions."""
_CODE: Final = re.compile(r"<Code>(\w{1,80})</Code>")
_TRANSPORT: Final = re.compile(r"HttpError \{\s*kind: (\w+)")
"""Why no answer came: Connect, Timeout, Request, Interrupted, Decode, Unknown."""
_NO_LOCATION: Final = "without LOCATION"


class BucketMeaning(msgspec.Struct, frozen=True):
    """The error that a vendor's code or an HTTP status stands for; the setting at fault, and what to do about it."""

    error: type[ProviderError]
    field: str | None = None
    cure: str = ""


_USUAL: Final[Mapping[str, BucketMeaning]] = {
    "404": BucketMeaning(NotFound),
    "429": BucketMeaning(RateLimited),
    "507": BucketMeaning(QuotaExhausted),
}


def bucket_error(error: Exception, meanings: Mapping[str, BucketMeaning]) -> ProviderError:
    """Return the provider error for one of obstore's.

    `meanings` are the vendor's, by its code (`NoSuchBucket`), by status (`403`), or under `redirect` for a redirect
    that leads nowhere. Only these are kept of the text, which quotes the whole answer.
    """
    text = str(error)
    status = int(found[1] or found[2]) if (found := _STATUS.search(text)) else None
    code = found[1] if (found := _CODE.search(text)) else "redirect" if _NO_LOCATION in text else ""
    what = " ".join(part for part in (str(status or ""), code) if part)
    known = {**_USUAL, **meanings}
    if (meaning := known.get(code) or known.get(str(status))) is not None:
        detail = ": ".join(part for part in (what, meaning.cure) if part)
        effect = Effect.UNKNOWN if meaning.error in (Unavailable, DeadlineExceeded) else Effect.NONE
        return meaning.error(detail, field=meaning.field, effect=effect, upstream_status=status)
    if status is None and (found := _TRANSPORT.search(text)):
        return _no_answer(found[1])
    return Unavailable(what or "no sensible answer", effect=Effect.UNKNOWN, upstream_status=status)


def _no_answer(kind: str) -> ProviderError:
    match kind:
        case "Connect":
            return Unavailable("no connection", effect=Effect.NONE)
        case "Timeout":
            return DeadlineExceeded("no answer in time", effect=Effect.UNKNOWN)
    return Unavailable("the answer was lost", effect=Effect.UNKNOWN)
