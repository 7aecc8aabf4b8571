"""Calls of accounts: who am I, register, sign in and out, set-up, language."""

import logging
from typing import Final

from litestar import Response, get, post
from litestar.controller import Controller
from litestar.di import NamedDependency
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler

from kernel.accounts.account import AccountController, AuditController
from kernel.accounts.admin_routes import PeopleController
from kernel.accounts.desk import Desk
from kernel.accounts.facts import FactsSource
from kernel.accounts.navigation import CLEAR, NavigationController
from kernel.accounts.profile import ProfileService
from kernel.accounts.profile_routes import ProfileController
from kernel.accounts.provide import ACCOUNTS, OWN, RECOVERY, SETUP, AccountRequest
from kernel.accounts.recovery import RecoveryService
from kernel.accounts.redirect_routes import RedirectController
from kernel.accounts.schemas import (
    ConfirmBody,
    ForgotBody,
    LanguageBody,
    MethodOut,
    RegisterBody,
    ResetBody,
    SetupBody,
    SignInBody,
    UserOut,
    user_out,
)
from kernel.accounts.service import AccountService, Credentials, NewAccount, SignedIn
from kernel.accounts.sessions import (
    DEVICE_COOKIE,
    DEVICE_DAYS,
    Peer,
    language_cookies,
    make_cookie,
    peer_of,
    session_cookie,
    welcome_language,
)
from kernel.accounts.setup import SetupService
from kernel.core.access import PUBLIC, USER
from kernel.core.config import Config
from kernel.core.errors import SignedOut
from kernel.core.languages import is_language
from kernel.providers import Registry

log = logging.getLogger(__name__)


async def _admitted(
    signed_in: SignedIn, peer: Peer, config: Config, facts: FactsSource, status: int
) -> Response[UserOut]:
    """Answer with the user object and the cookies of the new session, the device and the user's language."""
    known = await facts.facts(signed_in.user)
    device = make_cookie(config, signed_in.device, max_age_s=DEVICE_DAYS * 86_400, base=DEVICE_COOKIE)
    cookies = [
        session_cookie(config, signed_in.token),
        device,
        *welcome_language(config, peer, signed_in.user.language),
    ]
    return Response(user_out(signed_in.user, known), status_code=status, cookies=cookies)


class AuthController(Controller):
    """Signing in with a form, and who is signed in."""

    path = "/api/auth"
    tags = ("Account",)
    dependencies = ACCOUNTS

    @get("/user", operation_id="getUser", opt=USER)
    async def user(self, request: AccountRequest, user_facts: NamedDependency[FactsSource]) -> UserOut:
        """The signed-in user."""
        if request.user is None:
            raise SignedOut
        return user_out(request.user, await user_facts.facts(request.user))

    @get("/methods", operation_id="listSignInMethods", opt=PUBLIC)
    async def methods(self, registry: NamedDependency[Registry], config: NamedDependency[Config]) -> list[MethodOut]:
        """The ways to sign in, in the administrator's order."""
        return [
            MethodOut(
                id=method.id,
                provider=method.provider,
                label=method.label,
                kind=method.kind,
                registration=method.registration and config.accounts.registration,
            )
            for method in Desk(registry).methods()
        ]

    @post("/register", operation_id="register", opt=PUBLIC)
    async def register(
        self,
        data: JSONBody[RegisterBody],
        request: AccountRequest,
        accounts: NamedDependency[AccountService],
        config: NamedDependency[Config],
        user_facts: NamedDependency[FactsSource],
    ) -> Response[UserOut]:
        """Make an account; it is signed in at once."""
        form = NewAccount(
            email=data.email, password=data.password, first_name=data.first_name, last_name=data.last_name
        )
        peer = peer_of(request, config)
        return await _admitted(await accounts.register(form, peer), peer, config, user_facts, 201)

    @post("/sign-in", operation_id="signIn", opt=PUBLIC, status_code=200)
    async def sign_in(
        self,
        data: JSONBody[SignInBody],
        request: AccountRequest,
        accounts: NamedDependency[AccountService],
        config: NamedDependency[Config],
        user_facts: NamedDependency[FactsSource],
    ) -> Response[UserOut]:
        """Sign in with e-mail and password. Each sign-in gets a new session; the one the browser showed ends."""
        form = Credentials(email=data.email, password=data.password)
        peer = peer_of(request, config)
        return await _admitted(await accounts.sign_in(form, peer), peer, config, user_facts, 200)

    @post("/sign-out", operation_id="signOut", opt=PUBLIC, status_code=204)
    async def sign_out(
        self, request: AccountRequest, accounts: NamedDependency[AccountService], config: NamedDependency[Config]
    ) -> Response[None]:
        """End this session. Signed out already is fine."""
        await accounts.sign_out(request.user, peer_of(request, config))
        return Response(None, status_code=204, cookies=[make_cookie(config, "", max_age_s=0)], headers=CLEAR)


class RecoveryController(Controller):
    """Mailed links. They work for who holds them, signed in or not."""

    path = "/api"
    tags = ("Account",)
    dependencies = OWN | RECOVERY

    @post("/auth/forgot", operation_id="forgotPassword", opt=PUBLIC, status_code=202)
    async def forgot(
        self,
        data: JSONBody[ForgotBody],
        request: AccountRequest,
        recovery: NamedDependency[RecoveryService],
        config: NamedDependency[Config],
    ) -> None:
        """Send a link to a forgotten password. The answer does not tell whether the address has an account."""
        await recovery.forgot(data.email, peer_of(request, config))

    @post("/auth/reset", operation_id="resetPassword", opt=PUBLIC, status_code=200)
    async def reset(
        self,
        data: JSONBody[ResetBody],
        request: AccountRequest,
        recovery: NamedDependency[RecoveryService],
        config: NamedDependency[Config],
        user_facts: NamedDependency[FactsSource],
    ) -> Response[UserOut]:
        """Choose a new password with a mailed link, and sign in. Every other session ends."""
        peer = peer_of(request, config)
        return await _admitted(await recovery.reset(data.token, data.password, peer), peer, config, user_facts, 200)

    @post("/account/email/confirm", operation_id="confirmEmail", opt=PUBLIC, status_code=204)
    async def confirm_email(
        self,
        data: JSONBody[ConfirmBody],
        request: AccountRequest,
        profile: NamedDependency[ProfileService],
        config: NamedDependency[Config],
    ) -> None:
        """Confirm an address with a mailed link. Nobody is signed in by it."""
        await profile.confirm_address(data.token, peer_of(request, config))


class SetupController(Controller):
    """The first administrator."""

    path = "/api/setup"
    tags = ("Account",)
    dependencies = SETUP

    @post(operation_id="claimSetup", opt=PUBLIC, status_code=200)
    async def claim(
        self,
        data: JSONBody[SetupBody],
        request: AccountRequest,
        setup: NamedDependency[SetupService],
        config: NamedDependency[Config],
        user_facts: NamedDependency[FactsSource],
    ) -> Response[UserOut]:
        """Claim the first administrator with the one-time token, and sign in."""
        peer = peer_of(request, config)
        signed_in = await setup.claim(data.token, data.email, data.password, peer)
        return await _admitted(signed_in, peer, config, user_facts, 200)


@post(
    "/api/set-language",
    operation_id="setLanguage",
    opt=PUBLIC,
    status_code=204,
    tags=("Account",),
    dependencies=ACCOUNTS,
)
async def set_language(
    data: JSONBody[LanguageBody],
    request: AccountRequest,
    accounts: NamedDependency[AccountService],
    config: NamedDependency[Config],
) -> Response[None]:
    """Remember the language in both cookies, and for the signed-in user. A code we do not speak is ignored."""
    if not is_language(data.language):
        log.info("Unsupported language: %r", data.language)
        return Response(None, status_code=204)
    if request.user is not None:
        await accounts.set_language(request.user, data.language)
    return Response(None, status_code=204, cookies=language_cookies(config, data.language))


ROUTES: Final[list[ControllerRouterHandler]] = [
    AuthController,
    RecoveryController,
    AccountController,
    ProfileController,
    AuditController,
    PeopleController,
    SetupController,
    NavigationController,
    RedirectController,
    set_language,
]
