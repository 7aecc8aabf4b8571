"""Everybody's calls about leaving the list."""

from typing import Annotated, Any, Final
from urllib.parse import quote

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import PathParameter
from litestar.response import Redirect

from kernel.accounts.auth.sessions import Peer
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import PUBLIC
from kernel.mail.schemas import (
    UnsubscribeOut,
)
from kernel.mail.suppression.unsubscribe import UnsubscribeService

Token = Annotated[str, PathParameter(max_length=100)]


LINKS_PER_MINUTE: Final = 60


OPEN_TO_MAIL_SERVICES: Final[dict[str, Any]] = {**PUBLIC, "no_session": True, "csrf_exempt": True}
"""Mailbox providers unsubscribe by themselves: no cookie, no page of ours (RFC 8058)."""


class UnsubscribeController(Controller):
    """Leaving the list. The token in the address is all that is asked for."""

    path = "/api/unsubscribe"
    tags = ("Account",)
    opt = OPEN_TO_MAIL_SERVICES

    @get("/{token:str}", operation_id="openUnsubscribe", status_code=303)
    async def open_page(self, token: Token) -> Redirect:
        """Send the browser to the page with the button: whoever only fetches this address must not end anything."""
        return Redirect(f"/unsubscribe?token={quote(token, safe='')}", status_code=303)

    @post("/{token:str}", operation_id="unsubscribe", status_code=200)
    async def unsubscribe(
        self, token: Token, unsubscribe_service: NamedDependency[UnsubscribeService]
    ) -> UnsubscribeOut:
        """End emails of this kind to this person, at once; whatever the body says."""
        return await unsubscribe_service.unsubscribe(token)

    @get("/{token:str}/about", operation_id="getUnsubscribe")
    async def about(
        self,
        peer: NamedDependency[Peer],
        token: Token,
        unsubscribe_service: NamedDependency[UnsubscribeService],
        throttle: NamedDependency[Throttle],
    ) -> UnsubscribeOut:
        """Say whose emails this link ends, and which."""
        await throttle.hit(f"unsubscribe:{peer.ip}", limit=LINKS_PER_MINUTE, window_s=60)
        return await unsubscribe_service.about(token)

    @post("/{token:str}/undo", operation_id="undoUnsubscribe", status_code=200)
    async def undo(self, token: Token, unsubscribe_service: NamedDependency[UnsubscribeService]) -> UnsubscribeOut:
        """Take it back."""
        return await unsubscribe_service.undo(token)
