"""The lettering that an image service says it has set."""

from typing import Any

import msgspec

from kernel.core.errors import InvalidFields
from kernel.covers.lettering.service import check_lettering
from kernel.press.lettering.document import Lettering


class UnknownLettering(Exception):
    """A service's lettering is none that our press knows."""


def read_own_lettering(document: dict[str, Any]) -> Lettering:
    """Return it as a document of our press. Raises UnknownLettering."""
    try:
        lettering = msgspec.convert(document, Lettering)
        check_lettering(lettering)
    except (msgspec.ValidationError, InvalidFields) as error:
        raise UnknownLettering(str(error)) from error
    return lettering
