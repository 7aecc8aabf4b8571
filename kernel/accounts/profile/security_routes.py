"""Calls about one's own account, and the audit trail for administrators."""

from litestar import Response, delete, get, post
from litestar.controller import Controller
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.accounts.auth.sessions import Peer, session_cookie
from kernel.accounts.current_user import CurrentUser
from kernel.accounts.profile.security_service import AccountSecurityService
from kernel.accounts.schemas import PasswordBody, ReauthenticateBody, SessionOut, UserOut, user_out
from kernel.accounts.second_factor.schemas import PasskeyOptionsOut
from kernel.accounts.user_summary import UserSummarySource
from kernel.core.config import Config
from kernel.core.web.access import USER
from kernel.core.web.paging import PathId


class AccountSecurityController(Controller):
    """The signed-in user's password and sessions."""

    path = "/api"
    tags = ("Account",)
    opt = USER

    @post("/auth/password", operation_id="changePassword", status_code=200)
    async def change_password(
        self,
        data: JSONBody[PasswordBody],
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        account_security: NamedDependency[AccountSecurityService],
        config: NamedDependency[Config],
        user_summaries: NamedDependency[UserSummarySource],
    ) -> Response[UserOut]:
        """Change the password. All other sessions end; this one goes on under a new token."""
        token = await account_security.change_password(user, data.current_password, data.new_password, peer)
        user = await account_security.signed_in(token)
        known = await user_summaries.summary(user)
        return Response(user_out(user, known), cookies=[session_cookie(config, token)])

    @post("/auth/reauthenticate", operation_id="reauthenticate", status_code=204)
    async def reauthenticate(
        self,
        data: JSONBody[ReauthenticateBody],
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        account_security: NamedDependency[AccountSecurityService],
    ) -> None:
        """Prove once more who is there, for calls that need a recent sign-in; the session goes on.

        Who has a second factor shows that one, everybody else types the password.
        """
        await account_security.reauthenticate(user, data.password, data, peer)

    @post("/auth/reauthenticate/passkey-options", operation_id="beginReauthenticationPasskey", status_code=200)
    async def passkey_options(
        self, user: NamedDependency[CurrentUser], account_security: NamedDependency[AccountSecurityService]
    ) -> PasskeyOptionsOut:
        """Options with which the browser uses a passkey as that proof, within five minutes."""
        return PasskeyOptionsOut(options=await account_security.passkey_options(user))

    @get("/account/sessions", operation_id="listSessions")
    async def sessions(
        self, user: NamedDependency[CurrentUser], account_security: NamedDependency[AccountSecurityService]
    ) -> list[SessionOut]:
        """The user's sessions, the one used last first."""
        return [
            SessionOut(
                id=row.id,
                current=row.id == user.session_id,
                created_at=row.created_at,
                last_seen_at=row.last_seen_at,
                method=row.method,
                ip=row.ip,
                user_agent=row.user_agent,
            )
            for row in await account_security.sessions(user)
        ]

    @delete("/account/sessions", operation_id="endOtherSessions", status_code=204)
    async def end_other_sessions(
        self,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        account_security: NamedDependency[AccountSecurityService],
    ) -> None:
        """Sign every other device out."""
        await account_security.end_other_sessions(user, peer)

    @delete("/account/sessions/{session_id:int}", operation_id="endSession", status_code=204)
    async def end_session(
        self,
        session_id: PathId,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        account_security: NamedDependency[AccountSecurityService],
    ) -> None:
        """Sign one device out."""
        await account_security.end_session(user, session_id, peer)
