"""Calls about signing in: who am I, register, sign in and out, reset a password, language."""

import logging

from litestar import Response, get, post
from litestar.controller import Controller
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.accounts.auth.service import EMAIL_LINK, AccountService, Credentials, NewAccount, SignedIn
from kernel.accounts.auth.sessions import (
    DEVICE_COOKIE,
    DEVICE_DAYS,
    Peer,
    first_language_cookies,
    language_cookies,
    make_cookie,
    second_step_cookie,
    session_cookie,
    signed_out_response,
)
from kernel.accounts.auth.signin_gateway import SigninGateway
from kernel.accounts.current_user import CurrentUser
from kernel.accounts.schemas import (
    LanguageBody,
    MethodOut,
    RegisterBody,
    SecondStepOut,
    SignInBody,
    UserOut,
    user_out,
)
from kernel.accounts.second_step import SecondStep
from kernel.accounts.user_summary import UserSummarySource
from kernel.core.config import Config
from kernel.core.text.languages import is_language
from kernel.core.web.access import PUBLIC, USER

log = logging.getLogger(__name__)


async def first_step_response(
    result: SignedIn | SecondStep, peer: Peer, config: Config, summaries: UserSummarySource
) -> Response[UserOut | SecondStepOut]:
    """Answer with the signed-in user, or with what is needed for the second step and the cookie that names it."""
    if isinstance(result, SecondStep):
        body = SecondStepOut(second_step=list(result.factors))
        return Response(body, status_code=200, cookies=[second_step_cookie(config, result)])
    return await signed_in_response(result, peer, config, summaries, 200)  # type: ignore[return-value]


async def signed_in_response(
    signed_in: SignedIn, peer: Peer, config: Config, summaries: UserSummarySource, status: int
) -> Response[UserOut]:
    """Answer with the user object and the cookies of the new session, the device and the user's language."""
    known = await summaries.summary(signed_in.user)
    device = make_cookie(config, signed_in.device, max_age_s=DEVICE_DAYS * 86_400, base=DEVICE_COOKIE)
    cookies = [
        session_cookie(config, signed_in.token),
        device,
        *first_language_cookies(config, peer, signed_in.user.language),
    ]
    return Response(user_out(signed_in.user, known), status_code=status, cookies=cookies)


class AuthController(Controller):
    """Signing in with a form, and who is signed in."""

    path = "/api/auth"
    tags = ("Account",)

    @get("/user", operation_id="getUser", opt=USER)
    async def user(
        self, user: NamedDependency[CurrentUser], user_summaries: NamedDependency[UserSummarySource]
    ) -> UserOut:
        """The signed-in user."""
        return user_out(user, await user_summaries.summary(user))

    @get("/methods", operation_id="listSignInMethods", opt=PUBLIC)
    async def methods(
        self,
        signin_gateway: NamedDependency[SigninGateway],
        account_service: NamedDependency[AccountService],
        config: NamedDependency[Config],
    ) -> list[MethodOut]:
        """The ways to sign in, in the administrator's order, and mailed links where they do."""
        methods = [
            MethodOut(
                id=method.id,
                provider=method.provider,
                label=method.label,
                kind=method.kind,
                registration=method.registration and config.accounts.registration,
            )
            for method in signin_gateway.methods()
        ]
        if await account_service.email_links_are_on():
            methods.append(
                MethodOut(id=EMAIL_LINK, provider=EMAIL_LINK, label="", kind="email_link", registration=False)
            )
        return methods

    @post("/register", operation_id="register", opt=PUBLIC)
    async def register(
        self,
        data: JSONBody[RegisterBody],
        peer: NamedDependency[Peer],
        account_service: NamedDependency[AccountService],
        config: NamedDependency[Config],
        user_summaries: NamedDependency[UserSummarySource],
    ) -> Response[UserOut]:
        """Make an account; it is signed in at once."""
        form = NewAccount(
            email=data.email, password=data.password, first_name=data.first_name, last_name=data.last_name
        )
        return await signed_in_response(await account_service.register(form, peer), peer, config, user_summaries, 201)

    @post("/sign-in", operation_id="signIn", opt=PUBLIC, status_code=200)
    async def sign_in(
        self,
        data: JSONBody[SignInBody],
        peer: NamedDependency[Peer],
        account_service: NamedDependency[AccountService],
        config: NamedDependency[Config],
        user_summaries: NamedDependency[UserSummarySource],
    ) -> Response[UserOut | SecondStepOut]:
        """Sign in with email and password. Each sign-in gets a new session; the one the browser showed ends.

        Who has a second factor gets no session yet: the answer names what to show at /api/auth/second-factor.
        """
        form = Credentials(email=data.email, password=data.password)
        return await first_step_response(await account_service.sign_in(form, peer), peer, config, user_summaries)

    @post("/sign-out", operation_id="signOut", opt=PUBLIC, status_code=204)
    async def sign_out(
        self,
        visitor: NamedDependency[CurrentUser | None],
        peer: NamedDependency[Peer],
        account_service: NamedDependency[AccountService],
        config: NamedDependency[Config],
    ) -> Response[None]:
        """End this session. Signed out already is fine."""
        await account_service.sign_out(visitor, peer)
        return signed_out_response(config, peer)


@post(
    "/api/set-language",
    operation_id="setLanguage",
    opt=PUBLIC,
    status_code=204,
    tags=("Account",),
)
async def set_language(
    data: JSONBody[LanguageBody],
    visitor: NamedDependency[CurrentUser | None],
    account_service: NamedDependency[AccountService],
    config: NamedDependency[Config],
) -> Response[None]:
    """Remember the language in both cookies, and for the signed-in user. A code we do not speak is ignored."""
    if not is_language(data.language):
        log.info("Unsupported language: %r", data.language)
        return Response(None, status_code=204)
    if visitor is not None:
        await account_service.set_language(visitor, data.language)
    return Response(None, status_code=204, cookies=language_cookies(config, data.language))
