"""Calls about second factors: one's own, the second step of a sign-in, and what administrators need."""

from typing import Any, Final

from litestar import Response, delete, get, patch, post, put
from litestar.controller import Controller
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import UNSET

from kernel.accounts.auth.routes import signed_in_response
from kernel.accounts.auth.sessions import SECOND_STEP_COOKIE, Peer, make_cookie, second_step_token
from kernel.accounts.current_user import CurrentUser
from kernel.accounts.schemas import FactorProof, SecondStepOut, UserOut
from kernel.accounts.second_factor.policy import Rule, SignInPolicyService, SignInRules
from kernel.accounts.second_factor.schemas import (
    AuthenticatorAppOut,
    CodeBody,
    PasskeyBody,
    PasskeyNameBody,
    PasskeyOptionsOut,
    PasskeyOut,
    RecoveryCodesOut,
    SecondFactorsOut,
    SignInPolicyBody,
    SignInPolicyOut,
    TotpSetupOut,
)
from kernel.accounts.second_factor.service import SecondFactorService
from kernel.accounts.second_factor.sign_in import SecondStepService
from kernel.accounts.user_summary import UserSummarySource
from kernel.core.audit import Actor
from kernel.core.config import Config
from kernel.core.web.access import ADMIN, PUBLIC, RECENT_SIGN_IN, USER, AppRequest
from kernel.core.web.paging import PathId

RECENT_USER: Final[dict[str, Any]] = {**USER, **RECENT_SIGN_IN}


class SecondFactorController(Controller):
    """The signed-in user's own second factors. What changes them needs a recent sign-in."""

    path = "/api/account/second-factor"
    tags = ("Account",)
    opt = RECENT_USER

    @get(operation_id="getSecondFactors", opt={"recent_sign_in": False})
    async def present(
        self, user: NamedDependency[CurrentUser], second_factors: NamedDependency[SecondFactorService]
    ) -> SecondFactorsOut:
        """The app, the passkeys, and how many recovery codes are left."""
        found = await second_factors.all(user)
        app = None
        if found.app is not None:
            app = AuthenticatorAppOut(confirmed_at=found.app.confirmed_at, last_used_at=found.app.last_used_at)
        return SecondFactorsOut(
            app=app,
            passkeys=[
                PasskeyOut(id=one.id, name=one.name, created_at=one.created_at, last_used_at=one.last_used_at)
                for one in found.passkeys
            ],
            passkeys_possible=second_factors.passkeys_possible,
            recovery_codes_left=found.recovery_codes_left,
        )

    @post("/app", operation_id="beginAuthenticatorApp", status_code=200)
    async def begin_app(
        self, user: NamedDependency[CurrentUser], second_factors: NamedDependency[SecondFactorService]
    ) -> TotpSetupOut:
        """Begin to set up an authenticator app: a new secret, which counts when a code of it was confirmed."""
        setup = await second_factors.begin_app(user)
        return TotpSetupOut(secret=setup.secret, qr_code=setup.qr_code)

    @post("/app/confirm", operation_id="confirmAuthenticatorApp", status_code=200)
    async def confirm_app(
        self,
        data: JSONBody[CodeBody],
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        second_factors: NamedDependency[SecondFactorService],
    ) -> RecoveryCodesOut:
        """Confirm the app with a code. An account without recovery codes gets ten."""
        return RecoveryCodesOut(recovery_codes=await second_factors.confirm_app(user, data.code, peer))

    @delete("/app", operation_id="removeAuthenticatorApp", status_code=204)
    async def remove_app(
        self,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        second_factors: NamedDependency[SecondFactorService],
    ) -> None:
        """Remove the app."""
        await second_factors.remove_app(user, peer)

    @post("/passkeys/options", operation_id="beginPasskey", status_code=200)
    async def begin_passkey(
        self, user: NamedDependency[CurrentUser], second_factors: NamedDependency[SecondFactorService]
    ) -> PasskeyOptionsOut:
        """Options from which the browser makes a passkey, within five minutes."""
        return PasskeyOptionsOut(options=await second_factors.begin_passkey(user))

    @post("/passkeys", operation_id="addPasskey", status_code=201)
    async def add_passkey(
        self,
        data: JSONBody[PasskeyBody],
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        second_factors: NamedDependency[SecondFactorService],
    ) -> RecoveryCodesOut:
        """Add the passkey that the browser has made. An account without recovery codes gets ten."""
        codes = await second_factors.add_passkey(user, data.name, data.passkey, peer)
        return RecoveryCodesOut(recovery_codes=codes)

    @patch("/passkeys/{passkey_id:int}", operation_id="renamePasskey", opt={"recent_sign_in": False}, status_code=204)
    async def rename_passkey(
        self,
        passkey_id: PathId,
        data: JSONBody[PasskeyNameBody],
        user: NamedDependency[CurrentUser],
        second_factors: NamedDependency[SecondFactorService],
    ) -> None:
        """Give a passkey another name."""
        await second_factors.rename_passkey(user, passkey_id, data.name)

    @delete("/passkeys/{passkey_id:int}", operation_id="removePasskey", status_code=204)
    async def remove_passkey(
        self,
        passkey_id: PathId,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        second_factors: NamedDependency[SecondFactorService],
    ) -> None:
        """Remove a passkey."""
        await second_factors.remove_passkey(user, passkey_id, peer)

    @post("/recovery-codes", operation_id="renewRecoveryCodes", status_code=200)
    async def renew_recovery_codes(
        self,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        second_factors: NamedDependency[SecondFactorService],
    ) -> RecoveryCodesOut:
        """Ten new recovery codes; the old ones no longer work."""
        return RecoveryCodesOut(recovery_codes=await second_factors.renew_recovery_codes(user, peer))


class SecondStepController(Controller):
    """The second step of a sign-in. The browser that did the first step has a cookie for it."""

    path = "/api/auth/second-factor"
    tags = ("Account",)
    opt = PUBLIC

    @get(operation_id="getSecondStep")
    async def waiting(
        self,
        request: AppRequest,
        second_step: NamedDependency[SecondStepService],
        config: NamedDependency[Config],
    ) -> SecondStepOut:
        """What can be shown to complete the sign-in that this browser has begun."""
        factors = await second_step.factors(second_step_token(request, config))
        return SecondStepOut(second_step=list(factors))

    @post("/passkey-options", operation_id="beginSecondStepPasskey", status_code=200)
    async def passkey_options(
        self,
        request: AppRequest,
        second_step: NamedDependency[SecondStepService],
        config: NamedDependency[Config],
    ) -> PasskeyOptionsOut:
        """Options with which the browser uses a passkey, within five minutes."""
        return PasskeyOptionsOut(options=await second_step.passkey_options(second_step_token(request, config)))

    @post(operation_id="completeSignIn", status_code=200)
    async def complete(
        self,
        request: AppRequest,
        data: JSONBody[FactorProof],
        peer: NamedDependency[Peer],
        second_step: NamedDependency[SecondStepService],
        config: NamedDependency[Config],
        user_summaries: NamedDependency[UserSummarySource],
    ) -> Response[UserOut]:
        """Complete the sign-in with a code, a passkey or a recovery code."""
        signed_in = await second_step.finish(second_step_token(request, config), data, peer)
        answer = await signed_in_response(signed_in, peer, config, user_summaries, 200)
        answer.set_cookie(make_cookie(config, "", max_age_s=0, base=SECOND_STEP_COOKIE))
        return answer


class SignInPolicyController(Controller):
    """What holds for signing in, for administrators."""

    path = "/api/admin/sign-in-policy"
    tags = ("Administration",)
    opt = ADMIN

    @get(operation_id="getSignInPolicy")
    async def policy(self, sign_in_policy: NamedDependency[SignInPolicyService]) -> SignInPolicyOut:
        """Whether administrators need a second factor or an issuer, and whether a mailed link signs people in."""
        return _shown(await sign_in_policy.rules())

    @put(operation_id="saveSignInPolicy", opt=RECENT_SIGN_IN)
    async def change(
        self,
        data: JSONBody[SignInPolicyBody],
        actor: NamedDependency[Actor],
        user: NamedDependency[CurrentUser],
        sign_in_policy: NamedDependency[SignInPolicyService],
    ) -> SignInPolicyOut:
        """Change what holds for signing in. Only one who has what administrators need can switch that on.

        Sessions of administrators that did not begin at an issuer end when only those are good enough.
        """
        changes: dict[Rule, bool] = {}
        if data.admins_need_second_factor is not UNSET:
            changes["admins_need_second_factor"] = data.admins_need_second_factor
        if data.admins_only_issuer is not UNSET:
            changes["admins_only_issuer"] = data.admins_only_issuer
        if data.email_links is not UNSET:
            changes["email_links"] = data.email_links
        await sign_in_policy.change(changes, actor, session_id=user.session_id)
        return _shown(await sign_in_policy.rules())


def _shown(rules: SignInRules) -> SignInPolicyOut:
    return SignInPolicyOut(
        admins_need_second_factor=rules.admins_need_second_factor,
        admins_only_issuer=rules.admins_only_issuer,
        email_links=rules.email_links,
    )
