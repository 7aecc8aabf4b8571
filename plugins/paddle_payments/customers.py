"""Customers at Paddle, where there is one for each email address, and none is ever deleted: they are archived."""

import time
from typing import Any, Final

from kernel.spi import CustomerRequest, InvalidRequest, NotFound, Unavailable
from plugins.paddle_payments import wire
from plugins.paddle_payments.client import TRANSACTIONS_PAGE, Api, known_id
from plugins.paddle_payments.errors import TAKEN

USER: Final = "coverwright_user"
SINCE: Final = "coverwright_since"
"""Unix seconds from which on an archived customer is somebody else's, whose address it is now: see `belongs_since`."""
BOTH: Final = "active,archived"


class CustomerBook:
    """Finds and makes customers. Twice the same has the effect of once: an address has one customer."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def ensure(self, request: CustomerRequest) -> str:
        """Return the known customer, with the current address, or make one, or bring the one of before back."""
        if request.known and (found := await self._customer(request.known)) is not None:
            return await self._brought_up_to_date(found, request)
        made = await self._api.change(wire.Customer, "POST", "/customers", _described(request), tolerated=(TAKEN,))
        if made is not None:
            return made.id
        return await self._brought_up_to_date(await self._of_address(request), request)

    async def _customer(self, ref: str) -> wire.Customer | None:
        try:
            return await self._api.read(wire.Customer, f"/customers/{known_id(ref, 'ctm')}")
        except NotFound:  # of another account, or of the other environment
            return None

    async def _of_address(self, request: CustomerRequest) -> wire.Customer:
        """Return the customer that has the address of this person already, if it may be theirs.

        That is one which an earlier call made for them, one that was archived with its owner's account here, or one
        that nobody here has and that never bought anything. An address alone does not prove an identity, so
        nobody gets the purchases of another customer. Raises InvalidRequest.
        """
        found = await self._api.pages(wire.Customer, "/customers", {"email": request.email, "status": BOTH})
        if not found:
            raise Unavailable("Paddle has a customer with this address, and does not list it")
        customer: wire.Customer = found[0]
        owner = (customer.custom_data or {}).get(USER)
        if owner == request.user_ref or (owner and customer.status == "archived"):
            return customer
        if not owner:
            query = {"customer_id": customer.id}
            if not await self._api.pages(wire.Transaction, "/transactions", query, size=TRANSACTIONS_PAGE):
                return customer
        raise InvalidRequest(
            f"{customer.id} at Paddle has this email address and belongs to somebody else", field="email"
        )

    async def _brought_up_to_date(self, found: wire.Customer, request: CustomerRequest) -> str:
        """Update address, name and owner, and end the archiving. The address stays where another customer has it."""
        wanted = _described(request) | {"status": "active"}
        kept = found.custom_data or {}
        owner = kept.get(USER)
        if owner and owner != request.user_ref:
            wanted["custom_data"][SINCE] = int(time.time())
        elif SINCE in kept:
            wanted["custom_data"][SINCE] = kept[SINCE]
        if (found.email.lower(), found.name or "", found.status, owner) == (
            request.email.lower(),
            request.name,
            "active",
            request.user_ref,
        ):
            return found.id
        path = f"/customers/{found.id}"
        if await self._api.change(wire.Customer, "PATCH", path, wanted, tolerated=(TAKEN,)) is None:
            del wanted["email"]
            await self._api.change(wire.Customer, "PATCH", path, wanted)
        return found.id

    async def archive(self, ref: str) -> None:
        """Archive a customer. Raises NotFound."""
        await self._api.change(wire.Customer, "PATCH", f"/customers/{ref}", {"status": "archived"})


def _described(request: CustomerRequest) -> dict[str, Any]:
    return {
        "email": request.email,
        "name": request.name or None,
        "custom_data": {USER: request.user_ref},
    }


def belongs_since(customer: wire.Customer) -> int:
    """Return from when on a customer belongs to its present owner, in unix seconds; 0 where it had no other.

    What was bought before is an earlier owner's, whose account was deleted: an address proves no identity.
    """
    since = (customer.custom_data or {}).get(SINCE, 0)
    return since if isinstance(since, int) else 0
