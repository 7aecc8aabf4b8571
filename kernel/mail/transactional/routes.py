"""Administrators' calls about email instances."""

from datetime import UTC, datetime
from typing import Any, Final

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from kernel.core.audit import Actor
from kernel.core.errors import Absent
from kernel.core.queue.throttle import Throttle
from kernel.core.text.storable import storable
from kernel.core.web.access import ADMIN, RECENT_SIGN_IN, AppRequest, audited
from kernel.core.web.paging import DEFAULT_LIMIT, Cursor, Limit, decode_cursor, encode_cursor, link_header
from kernel.mail.mailer import Mailer
from kernel.mail.rate_limits import count_test
from kernel.mail.transactional.schemas import KeptMessageOut, SendTestIn, SendTestOut, WholeMessageOut
from kernel.spi import KeptMessage

PAGE_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox"
    ),
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}
"""A stranger's page: it may have colors, but neither run, send, open nor fetch anything, nor reach ours around it."""


class EmailInstanceController(Controller):
    """What an email instance kept, and whether it works."""

    path = "/api/admin/instances"
    tags = ("Administration",)
    opt = ADMIN

    @get("/{instance_id:str}/messages", operation_id="listKeptMessages", opt=audited("email.list_kept"))
    async def messages(
        self,
        request: AppRequest,
        instance_id: FromPath[str],
        mailer: NamedDependency[Mailer],
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[KeptMessageOut]]:
        """Return what the instance kept instead of delivering it, newest first."""
        parts = decode_cursor(cursor, 1)
        page = await mailer.kept(instance_id, cursor=parts[0] if parts else None, limit=limit)
        following = encode_cursor(page.cursor) if page.cursor is not None else None
        listed = [KeptMessageOut(**_shown(message)) for message in page.messages]
        return Response(listed, headers=link_header(request, following))

    @get(
        "/{instance_id:str}/messages/{message_id:str}",
        operation_id="getKeptMessage",
        opt=audited("email.read_kept") | RECENT_SIGN_IN,
    )
    async def message(
        self, instance_id: FromPath[str], message_id: FromPath[str], mailer: NamedDependency[Mailer]
    ) -> WholeMessageOut:
        """Return one kept message with its bodies."""
        message = await mailer.kept_message(instance_id, message_id)
        html = None if message.html is None else storable(message.html)
        return WholeMessageOut(text=storable(message.text), html=html, **_shown(message))

    @get(
        "/{instance_id:str}/messages/{message_id:str}/page",
        operation_id="getKeptPage",
        include_in_schema=False,
        opt=audited("email.read_kept") | RECENT_SIGN_IN,
    )
    async def page(
        self, instance_id: FromPath[str], message_id: FromPath[str], mailer: NamedDependency[Mailer]
    ) -> Response[str]:
        """Return the HTML of one kept message as a page to be framed."""
        message = await mailer.kept_message(instance_id, message_id)
        if message.html is None:
            raise Absent("This message has no HTML.")
        return Response(storable(message.html), media_type="text/html; charset=utf-8", headers=PAGE_HEADERS)

    @post("/{instance_id:str}/send-test", operation_id="sendTestEmail", status_code=200)
    async def send_test(
        self,
        actor: NamedDependency[Actor],
        instance_id: FromPath[str],
        data: JSONBody[SendTestIn],
        mailer: NamedDependency[Mailer],
        throttle: NamedDependency[Throttle],
    ) -> SendTestOut:
        """Send a test email with this instance, whether it is in use or not."""
        await count_test(throttle, actor.id)
        result = await mailer.send_test(instance_id, data.to, actor)
        return SendTestOut(state=result.state, detail=result.detail)


def _shown(message: KeptMessage) -> dict[str, Any]:
    """Return what a list shows of a message, whose headers may hold bytes that are no text."""
    return {
        "id": message.id,
        "to": storable(message.to),
        "sender": storable(message.sender),
        "subject": storable(message.subject),
        "stream": message.stream,
        "sent_at": datetime.fromtimestamp(message.sent_unix, UTC),
    }
