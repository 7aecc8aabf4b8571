"""Calls about one's own data: names, address, wishes, ways in, export, and the end of the account."""

from litestar import Response, delete, get, patch, post
from litestar.controller import Controller
from litestar.di import NamedDependency
from litestar.params import JSONBody
from litestar.response import Stream
from msgspec import UNSET

from kernel.accounts.belongings import Belongings
from kernel.accounts.export import exported
from kernel.accounts.facts import FactsSource
from kernel.accounts.leaving import LeavingService
from kernel.accounts.limits import Limits
from kernel.accounts.navigation import CLEAR
from kernel.accounts.profile import ProfileService
from kernel.accounts.provide import OWN, AccountRequest
from kernel.accounts.schemas import (
    EmailBody,
    EmailPreferencesBody,
    LeaveBody,
    NamesBody,
    SignInOut,
    UserOut,
    user_out,
)
from kernel.accounts.self_service import SelfService
from kernel.accounts.sessions import make_cookie, peer_of
from kernel.core import clock
from kernel.core.access import USER
from kernel.core.audit import audit, ip_of
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.errors import SignedOut
from kernel.core.paging import PathId
from kernel.providers import Registry

AS_IT_IS = {**USER, "compressed_already": True}


async def _current(request: AccountRequest, own: SelfService, facts: FactsSource, config: Config) -> UserOut:
    """Return the user object as it is now."""
    user = await own.signed_in(peer_of(request, config).token or "")
    return user_out(user, await facts.facts(user))


class ProfileController(Controller):
    """The signed-in user's own data: changing it, taking it along, and going."""

    path = "/api"
    tags = ("Account",)
    opt = USER
    dependencies = OWN

    @patch("/account", operation_id="updateAccount")
    async def rename(
        self,
        data: JSONBody[NamesBody],
        request: AccountRequest,
        own: NamedDependency[SelfService],
        profile: NamedDependency[ProfileService],
        config: NamedDependency[Config],
        user_facts: NamedDependency[FactsSource],
    ) -> UserOut:
        """Change the names."""
        if request.user is None:
            raise SignedOut
        given = {"firstName": data.first_name, "lastName": data.last_name}
        names = {field: name for field, name in given.items() if name is not UNSET}
        await profile.rename(request.user, names, peer_of(request, config))
        return await _current(request, own, user_facts, config)

    @patch("/users/email-preferences", operation_id="updateEmailPreferences")
    async def prefer(
        self,
        data: JSONBody[EmailPreferencesBody],
        request: AccountRequest,
        own: NamedDependency[SelfService],
        profile: NamedDependency[ProfileService],
        config: NamedDependency[Config],
        user_facts: NamedDependency[FactsSource],
    ) -> UserOut:
        """Say whether news may come by mail. What concerns the account comes in any case."""
        if request.user is None:
            raise SignedOut
        wanted = data.email_marketing_enabled
        await profile.prefer(request.user, marketing=wanted, peer=peer_of(request, config))
        return await _current(request, own, user_facts, config)

    @post("/account/email", operation_id="changeEmail", status_code=202)
    async def change_email(
        self,
        data: JSONBody[EmailBody],
        request: AccountRequest,
        profile: NamedDependency[ProfileService],
        config: NamedDependency[Config],
    ) -> None:
        """Send a link to a new address. The account keeps the old one until the link is used."""
        if request.user is None:
            raise SignedOut
        await profile.ask_address(request.user, data.email, data.current_password, peer_of(request, config))

    @post("/account/email/verify", operation_id="sendConfirmation", status_code=202)
    async def verify(
        self, request: AccountRequest, profile: NamedDependency[ProfileService], config: NamedDependency[Config]
    ) -> None:
        """Send the link that confirms the account's address once more."""
        if request.user is None:
            raise SignedOut
        await profile.ask_confirmation(request.user, peer_of(request, config))

    @get("/account/sign-ins", operation_id="listSignIns")
    async def ways(
        self,
        request: AccountRequest,
        profile: NamedDependency[ProfileService],
        registry: NamedDependency[Registry],
    ) -> list[SignInOut]:
        """The sign-ins elsewhere that are connected with the account."""
        if request.user is None:
            raise SignedOut
        shown = []
        for way in await profile.ways(request.user):
            instance = registry.instance(way.instance_id)
            label = instance.label if instance else None
            shown.append(SignInOut(id=way.id, instance_id=way.instance_id, label=label, created_at=way.created_at))
        return shown

    @delete("/account/sign-ins/{identity_id:int}", operation_id="disconnectSignIn", status_code=204)
    async def disconnect(
        self,
        identity_id: PathId,
        request: AccountRequest,
        profile: NamedDependency[ProfileService],
        config: NamedDependency[Config],
    ) -> None:
        """Disconnect one of them."""
        if request.user is None:
            raise SignedOut
        await profile.disconnect(request.user, identity_id, peer_of(request, config))

    @get("/account/export", operation_id="exportAccount", include_in_schema=False, opt=AS_IT_IS)
    async def export(
        self,
        request: AccountRequest,
        database: NamedDependency[Database],
        account_limits: NamedDependency[Limits],
        belongings: NamedDependency[Belongings],
    ) -> Stream:
        """Everything that belongs to the user, as one ZIP."""
        if request.user is None:
            raise SignedOut
        user_id = request.user.id
        await account_limits.export(user_id)
        async with database.write() as session:
            audit(session, "user.export", actor_id=user_id, ip=ip_of(request), object=f"user:{user_id}")
        name = f"export-{clock.now():%Y-%m-%d}.zip"
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Stream(exported(belongings, user_id), media_type="application/zip", headers=headers)

    @delete("/account", operation_id="deleteAccount", status_code=204)
    async def leave(
        self,
        data: JSONBody[LeaveBody],
        request: AccountRequest,
        leaving: NamedDependency[LeavingService],
        config: NamedDependency[Config],
    ) -> Response[None]:
        """Delete the account: signed out everywhere at once, and everything that belongs to it soon after."""
        if request.user is None:
            raise SignedOut
        await leaving.leave(request.user, data.current_password, data.confirm, peer_of(request, config))
        return Response(None, status_code=204, cookies=[make_cookie(config, "", max_age_s=0)], headers=CLEAR)
