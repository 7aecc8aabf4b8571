"""The one address for vendors' webhooks."""

from typing import Any, Final, Literal

from litestar import Controller, Response, head, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from kernel.core import clock
from kernel.core.web.access import PUBLIC, AppRequest
from kernel.providers.webhooks.inbox import WebhookInbox
from kernel.spi import WebhookRequest

MOST_WEBHOOK_BYTES: Final = 1024 * 1024


FROM_VENDORS: Final[dict[str, Any]] = {**PUBLIC, "no_session": True, "csrf_exempt": True}


class WebhookController(Controller):
    """Where vendors call. They have no session, so nobody's cookie can be abused; the provider proves who calls."""

    path = "/api/webhooks"
    tags = ("Webhooks",)
    opt = FROM_VENDORS

    @head("/{kind:str}/{instance_id:str}", operation_id="probeWebhook", sync_to_thread=False)
    def probe(
        self, kind: FromPath[str], instance_id: FromPath[str], webhook_inbox: NamedDependency[WebhookInbox]
    ) -> Response[None]:
        """Say that there is somebody at this address."""
        webhook_inbox.receiver(kind, instance_id)
        return Response(None, status_code=200)

    @post(
        "/{kind:str}/{instance_id:str}",
        operation_id="receiveWebhook",
        status_code=200,
        request_max_body_size=MOST_WEBHOOK_BYTES,
    )
    async def receive(
        self,
        kind: FromPath[str],
        instance_id: FromPath[str],
        request: AppRequest,
        webhook_inbox: NamedDependency[WebhookInbox],
    ) -> dict[Literal["received"], int]:
        """Take in one call. 400: it is not authentic. 503: it could not be read or kept, and should be sent again."""
        webhook_inbox.receiver(kind, instance_id)
        call = WebhookRequest(
            body=await request.body(),
            headers=dict(request.headers.items()),
            query=dict(request.query_params.multi_items()),
            received_unix=clock.now_unix(),
        )
        return {"received": await webhook_inbox.receive(kind, instance_id, call)}
