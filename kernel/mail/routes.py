"""Administrators' calls about e-mail instances."""

from datetime import UTC, datetime
from typing import Any, Final

from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from kernel.core.access import ADMIN
from kernel.core.audit import audit, ip_of
from kernel.core.database import Database
from kernel.core.errors import Absent
from kernel.core.paging import DEFAULT_LIMIT, Cursor, Limit, decode_cursor, encode_cursor, link_header
from kernel.core.throttle import Throttle
from kernel.mail.schemas import KeptMessageOut, SendTestIn, SendTestOut, WholeMessageOut
from kernel.mail.service import Mailer
from kernel.spi import KeptMessage

TESTS_PER_MINUTE: Final = 10
PAGE_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox"
    ),
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}
"""A stranger's page: it may have colours, but neither run, send, open nor fetch anything, nor reach ours around it."""


class EmailInstanceController(Controller):
    """What an e-mail instance kept, and whether it works."""

    path = "/api/admin/instances"
    tags = ("Administration",)
    opt = ADMIN

    @get("/{instance_id:str}/messages", operation_id="listKeptMessages")
    async def messages(
        self,
        request: Request[Any, Any, Any],
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

    @get("/{instance_id:str}/messages/{message_id:str}", operation_id="getKeptMessage")
    async def message(
        self, instance_id: FromPath[str], message_id: FromPath[str], mailer: NamedDependency[Mailer]
    ) -> WholeMessageOut:
        """Return one kept message with its bodies."""
        message = await mailer.kept_message(instance_id, message_id)
        return WholeMessageOut(text=message.text, html=message.html, **_shown(message))

    @get("/{instance_id:str}/messages/{message_id:str}/page", operation_id="getKeptPage", include_in_schema=False)
    async def page(
        self, instance_id: FromPath[str], message_id: FromPath[str], mailer: NamedDependency[Mailer]
    ) -> Response[str]:
        """Return the HTML of one kept message as a page to be framed."""
        message = await mailer.kept_message(instance_id, message_id)
        if message.html is None:
            raise Absent("This message has no HTML.")
        return Response(message.html, media_type="text/html; charset=utf-8", headers=PAGE_HEADERS)

    @post("/{instance_id:str}/send-test", operation_id="sendTestEmail", status_code=200)
    async def send_test(
        self,
        request: Request[Any, Any, Any],
        instance_id: FromPath[str],
        data: JSONBody[SendTestIn],
        database: NamedDependency[Database],
        mailer: NamedDependency[Mailer],
        throttle: NamedDependency[Throttle],
    ) -> SendTestOut:
        """Send a test e-mail with this instance, whether it is in use or not."""
        await count_test(throttle, request.user.id)
        result = await mailer.send_test(instance_id, data.to)
        about = {"actor_id": request.user.id, "ip": ip_of(request), "object": f"instance:{instance_id}"}
        async with database.write() as session:
            audit(session, "instance.send_test", outcome=result.state, **about)
        return SendTestOut(state=result.state, detail=result.detail)


async def count_test(throttle: Throttle, user_id: int) -> None:
    """Count one test e-mail that an administrator sends, by whatever way. Raises TooMany."""
    await throttle.hit(f"send-test:{user_id}", limit=TESTS_PER_MINUTE, window_s=60)


def _shown(message: KeptMessage) -> dict[str, Any]:
    return {
        "id": message.id,
        "to": message.to,
        "sender": message.sender,
        "subject": message.subject,
        "stream": message.stream,
        "sent_at": datetime.fromtimestamp(message.sent_unix, UTC),
    }
