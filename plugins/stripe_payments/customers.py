"""Customers at Stripe: found by what is known of them, made once for each key."""

import uuid
from functools import partial
from typing import Any, Final

from kernel.spi import CustomerRequest, Effect, NotFound, ProviderError, Unavailable
from plugins.stripe_payments import wire
from plugins.stripe_payments.client import Api

MOST_DEAD: Final = 5
OPERATION: Final = "coverwright_operation"
USER: Final = "coverwright_user"


class CustomerBook:
    """Finds and makes customers."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def ensure(self, request: CustomerRequest) -> str:
        """Return the known customer, with the current address, or create one. A deleted customer's key is used up."""
        known, key = request.known, request.idempotency_key
        for _ in range(MOST_DEAD):
            if known:
                if (found := await self._customer(known)) is not None:
                    return await self._brought_up_to_date(found, request)
                key = f"{request.idempotency_key}-{known}"
            made, repeated = await self._create_customer(request, key)
            if not repeated:
                return made.id
            known = made.id
        raise Unavailable("every customer made for this person has been deleted")

    async def _create_customer(self, request: CustomerRequest, key: str) -> tuple[wire.Customer, bool]:
        """Create a customer; also return whether the answer is that of an earlier call.

        After a failure that Stripe reports, the kernel drops the key, and the next attempt would create another
        customer: so a lookup by the operation's mark finds out at once whether this one was created nevertheless.
        """
        params = _described(request) | {"metadata": {USER: request.user_ref, OPERATION: key}}
        create, lost = self._api.v1.customers.create_async, partial(self._lost, request.email, key)
        try:
            return await self._api.change(wire.Customer, partial(create, params), key=key, lost=lost)
        except ProviderError as error:
            if error.effect is Effect.NONE or error.upstream_status is None:  # nothing was made, or the key is kept
                raise
            try:
                found = await lost()
            except ProviderError:
                raise error from None
            if found is None:
                raise
            return found, False

    async def _lost(self, email: str, key: str) -> wire.Customer | None:
        """Return the customer that an operation has made; the address alone proves nothing."""
        found = await self._api.pages(wire.Customer, self._api.v1.customers.list_async, email=email)
        return next((entry for entry in found if entry.metadata.get(OPERATION) == key), None)

    async def _customer(self, ref: str) -> wire.Customer | None:
        """Return a customer that still exists."""
        try:
            found = await self._api.read(wire.Customer, self._api.v1.customers.retrieve_async(ref))
        except NotFound:  # deleted long ago, or made with another account's key
            return None
        return None if found.deleted else found

    async def _brought_up_to_date(self, found: wire.Customer, request: CustomerRequest) -> str:
        """Update the email address for future invoices, and the name unless billing details were given."""
        wanted = {"email": request.email} if found.placed else _described(request)
        if all((getattr(found, field) or "") == value for field, value in wanted.items()):
            return found.id
        change = partial(self._api.v1.customers.update_async, found.id, wanted)
        await self._api.change(wire.Customer, change, key=uuid.uuid4().hex)
        return found.id


def _described(request: CustomerRequest) -> dict[str, Any]:
    return {"email": request.email, "name": request.name}
