"""Calls about mailed links: to a new password, and to a session."""

from litestar import Response, post
from litestar.controller import Controller
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.accounts.auth.mailed_links.email_link import EmailLinkService
from kernel.accounts.auth.mailed_links.password_reset import PasswordResetService
from kernel.accounts.auth.routes import first_step_response
from kernel.accounts.auth.sessions import Peer
from kernel.accounts.schemas import ConfirmBody, ForgotBody, ResetBody, SecondStepOut, UserOut
from kernel.accounts.user_summary import UserSummarySource
from kernel.core.config import Config
from kernel.core.web.access import PUBLIC


class PasswordResetController(Controller):
    """Mailed links to a new password. They work for who holds them, signed in or not."""

    path = "/api"
    tags = ("Account",)

    @post("/auth/forgot", operation_id="forgotPassword", opt=PUBLIC, status_code=202)
    async def forgot(
        self,
        data: JSONBody[ForgotBody],
        peer: NamedDependency[Peer],
        password_reset: NamedDependency[PasswordResetService],
    ) -> None:
        """Send a link to a forgotten password. The answer does not tell whether the address has an account."""
        await password_reset.forgot(data.email, peer)

    @post("/auth/reset", operation_id="resetPassword", opt=PUBLIC, status_code=200)
    async def reset(
        self,
        data: JSONBody[ResetBody],
        peer: NamedDependency[Peer],
        password_reset: NamedDependency[PasswordResetService],
        config: NamedDependency[Config],
        user_summaries: NamedDependency[UserSummarySource],
    ) -> Response[UserOut | SecondStepOut]:
        """Choose a new password with a mailed link, and sign in as with a password. Every other session ends."""
        result = await password_reset.reset(data.token, data.password, peer)
        return await first_step_response(result, peer, config, user_summaries)


class EmailLinkController(Controller):
    """Mailed links to a session, where an administrator lets them sign people in."""

    path = "/api/auth/email-link"
    tags = ("Account",)

    @post(operation_id="requestEmailLink", opt=PUBLIC, status_code=202)
    async def request_link(
        self, data: JSONBody[ForgotBody], peer: NamedDependency[Peer], email_link: NamedDependency[EmailLinkService]
    ) -> None:
        """Send a link that signs in. The answer does not tell whether the address has an account."""
        await email_link.request(data.email, peer)

    @post("/sign-in", operation_id="signInWithEmailLink", opt=PUBLIC, status_code=200)
    async def sign_in(
        self,
        data: JSONBody[ConfirmBody],
        peer: NamedDependency[Peer],
        email_link: NamedDependency[EmailLinkService],
        config: NamedDependency[Config],
        user_summaries: NamedDependency[UserSummarySource],
    ) -> Response[UserOut | SecondStepOut]:
        """Sign in with a mailed link, as with a password. It works once."""
        return await first_step_response(await email_link.sign_in(data.token, peer), peer, config, user_summaries)
