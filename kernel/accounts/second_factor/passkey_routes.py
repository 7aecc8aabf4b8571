"""Calls of a visitor who signs in with a passkey."""

from litestar import Response, post
from litestar.controller import Controller
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.accounts.auth.routes import signed_in_response
from kernel.accounts.auth.sessions import PASSKEY_COOKIE, Peer, make_cookie, passkey_token
from kernel.accounts.schemas import UserOut
from kernel.accounts.second_factor.passkey_sign_in import PasskeySignInService
from kernel.accounts.second_factor.passkeys import MINUTES
from kernel.accounts.second_factor.schemas import PasskeyAnswerBody, PasskeyOptionsOut
from kernel.accounts.user_summary import UserSummarySource
from kernel.core.config import Config
from kernel.core.web.access import PUBLIC, AppRequest


class PasskeySignInController(Controller):
    """Signing in with a passkey alone, which the device unlocks for its user."""

    path = "/api/auth/passkey"
    tags = ("Account",)
    opt = PUBLIC

    @post("/options", operation_id="beginPasskeySignIn", status_code=200)
    async def begin(
        self,
        peer: NamedDependency[Peer],
        passkey_sign_in: NamedDependency[PasskeySignInService],
        config: NamedDependency[Config],
    ) -> Response[PasskeyOptionsOut]:
        """Options with which the browser offers its passkeys, within five minutes."""
        options, token = await passkey_sign_in.begin(peer)
        cookie = make_cookie(config, token, max_age_s=MINUTES * 60, base=PASSKEY_COOKIE)
        return Response(PasskeyOptionsOut(options=options), cookies=[cookie])

    @post(operation_id="signInWithPasskey", status_code=200)
    async def sign_in(
        self,
        request: AppRequest,
        data: JSONBody[PasskeyAnswerBody],
        peer: NamedDependency[Peer],
        passkey_sign_in: NamedDependency[PasskeySignInService],
        config: NamedDependency[Config],
        user_summaries: NamedDependency[UserSummarySource],
    ) -> Response[UserOut]:
        """Sign in with what the passkey has signed."""
        signed_in = await passkey_sign_in.finish(passkey_token(request, config), data.passkey, peer)
        answer = await signed_in_response(signed_in, peer, config, user_summaries, 200)
        answer.set_cookie(make_cookie(config, "", max_age_s=0, base=PASSKEY_COOKIE))
        return answer
