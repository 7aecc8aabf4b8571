"""Pictures as base64 in JSON: decoding, and the errors for invalid ones."""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Final

from kernel.core.errors import AppError, InvalidFields, NoProvider, TooLarge, WrongType
from kernel.core.field_errors import FieldError, FieldFault
from kernel.pictures.decoding import sniff
from kernel.pictures.encoding import MEDIA_TYPES
from kernel.pictures.ingest import NOT_AN_IMAGE

NOT_BASE64: Final = FieldError("unreadable_image", "The picture is not valid base64.")
STORAGE_RETRY_S: Final = 30.0
_DATA_URL: Final = re.compile(r"data:(image/(?:png|jpeg|webp));base64,")


def decoded(text: str, limit: int) -> bytes:
    """Return the bytes of base64, plain or as a data URL; `limit` is in bytes.

    Raises TooLarge, WrongType and InvalidFields.
    """
    declared = None
    if text.startswith("data:"):
        match = _DATA_URL.match(text)
        if match is None:
            raise InvalidFields({"base64": NOT_AN_IMAGE})
        declared, text = match.group(1), text[match.end() :]
    if len(text) > 4 * -(-limit // 3):
        raise _too_large(limit)
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidFields({"base64": NOT_BASE64}) from error
    if len(data) > limit:
        raise _too_large(limit)
    kind = sniff(data)
    if kind is None or declared not in (None, MEDIA_TYPES[kind]):
        raise WrongType(NOT_AN_IMAGE)
    return data


def refuse(faults: Mapping[str, AppError], others: Mapping[str, FieldFault]) -> None:
    """Raise for what is wrong with uploads and other fields, all at once; return when nothing is.

    Uploads that are all too large, or all of a wrong type, are refused with the status for that.
    """
    fields: dict[str, FieldFault] = dict(others) | {field: fault.words for field, fault in faults.items()}
    if not fields:
        return
    kinds = {type(fault) for fault in faults.values()}
    if not others and len(kinds) == 1 and (kind := kinds.pop()) in (TooLarge, WrongType):
        raise kind(next(iter(fields.values())), fields=fields)
    raise InvalidFields(fields)


def storage_away() -> NoProvider:
    """Return the error for a picture that cannot be stored or read at the moment."""
    return NoProvider("Pictures cannot be kept at the moment. Please try again soon.", retry_after=STORAGE_RETRY_S)


def _too_large(limit: int) -> TooLarge:
    megabytes = limit // 1_048_576
    words = f"Please upload an image smaller than {megabytes}MB."
    return TooLarge(FieldError("large_image", words, {"megabytes": megabytes}))
