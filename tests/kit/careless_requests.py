"""Providers that fail for requests which nobody has thought of."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from kernel.spi import (
    CustomerRequest,
    EmailMessage,
    ImageRequest,
    ImageResult,
    InvalidRequest,
    JobControl,
    ObjectInfo,
    SendResult,
    SigninReturn,
    Stream,
)
from kernel.spi.testing import SigninContract, StorageContract
from tests.kit import careless_emails, careless_faults, careless_payments
from tests.kit.careless import careless, spoilt
from tests.kit.careless_basics import Nothing
from tests.kit.careless_objects import Disk
from tests.kit.signins import FormSignin


@spoilt("IMG_13", *careless_faults.given)
class NeedsColors(careless_faults.Careful):  # type: ignore[misc, name-defined]
    """Fails for a theme with a single color."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        if len(request.brief.colors) == 1:
            raise InvalidRequest("one color is none")
        result: ImageResult = await super().generate(request, control)
        return result


@spoilt("MAIL_10", *careless_emails.given)
class OnlyLatin(careless_emails.Careful):  # type: ignore[misc, name-defined]
    """Refuses names beyond the first letters of Unicode."""

    async def send(self, messages: Sequence[EmailMessage], *, stream: Stream, batch_id: str) -> Sequence[SendResult]:
        if any(not message.to_name.isascii() for message in messages):
            raise InvalidRequest("a strange name")
        results: Sequence[SendResult] = await super().send(messages, stream=stream, batch_id=batch_id)
        return results


@careless("STO_14", StorageContract, Nothing)
class NoUnderscores(Disk):
    """Takes underscores for hyphens."""

    async def put(self, key: str, chunks: AsyncIterator[bytes], *, size: int, media_type: str) -> ObjectInfo:
        return await super().put(key.replace("_", "-"), chunks, size=size, media_type=media_type)


@careless("SIGN_09", SigninContract, Nothing)
class ShortMemory(FormSignin):
    """Looks at the beginning of a password only."""

    async def enroll(self, secret: str) -> str:
        return await super().enroll(secret[:16])

    async def complete(self, request: SigninReturn) -> Any:
        fields = {name: text[:16] if name == "password" else text for name, text in request.fields.items()}
        return await super().complete(SigninReturn(fields=fields, stored=request.stored))


@spoilt("PAY_35", *careless_payments.given)
class NamesInLatin(careless_payments.Careful):  # type: ignore[misc, name-defined]
    """Refuses customers whose names are not in Latin letters."""

    async def ensure_customer(self, request: CustomerRequest) -> str:
        if not request.name.isascii():
            raise InvalidRequest("a strange name", field="name")
        customer: str = await super().ensure_customer(request)
        return customer
