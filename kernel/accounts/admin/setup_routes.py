"""The call that makes the first administrator."""

from litestar import Response, post
from litestar.controller import Controller
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.accounts.admin.setup import SetupService
from kernel.accounts.auth.routes import signed_in_response
from kernel.accounts.auth.sessions import Peer
from kernel.accounts.schemas import SetupBody, UserOut
from kernel.accounts.user_summary import UserSummarySource
from kernel.core.config import Config
from kernel.core.web.access import PUBLIC


class SetupController(Controller):
    """The first administrator."""

    path = "/api/setup"
    tags = ("Account",)

    @post(operation_id="claimSetup", opt=PUBLIC, status_code=200)
    async def claim(
        self,
        data: JSONBody[SetupBody],
        peer: NamedDependency[Peer],
        setup: NamedDependency[SetupService],
        config: NamedDependency[Config],
        user_summaries: NamedDependency[UserSummarySource],
    ) -> Response[UserOut]:
        """Claim the first administrator with the one-time token, and sign in."""
        signed_in = await setup.claim(data.token, data.email, data.password, peer)
        return await signed_in_response(signed_in, peer, config, user_summaries, 200)
