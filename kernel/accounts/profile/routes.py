"""Calls about one's own data: names, address, wishes, ways in, export, and the end of the account."""

from litestar import Response, delete, get, patch, post
from litestar.controller import Controller
from litestar.di import NamedDependency
from litestar.params import JSONBody
from litestar.response import Stream
from msgspec import UNSET

from kernel.accounts.auth.sessions import Peer, signed_out_response
from kernel.accounts.current_user import CurrentUser
from kernel.accounts.profile.deletion import AccountDeletionService
from kernel.accounts.profile.export import ExportService
from kernel.accounts.profile.security_service import AccountSecurityService
from kernel.accounts.profile.service import ProfileService
from kernel.accounts.schemas import (
    ConfirmBody,
    EmailBody,
    EmailPreferencesBody,
    LeaveBody,
    NamesBody,
    SignInOut,
    UserOut,
    user_out,
)
from kernel.accounts.user_summary import UserSummarySource
from kernel.core import clock
from kernel.core.config import Config
from kernel.core.web.access import PUBLIC, USER
from kernel.core.web.paging import PathId
from kernel.providers import Registry

AS_IT_IS = {**USER, "compressed_already": True}


async def _current(peer: Peer, security: AccountSecurityService, summaries: UserSummarySource) -> UserOut:
    """Return the user object as it is now."""
    user = await security.signed_in(peer.token or "")
    return user_out(user, await summaries.summary(user))


class ProfileController(Controller):
    """The signed-in user's own data: changing it, taking it along, and going."""

    path = "/api"
    tags = ("Account",)
    opt = USER

    @patch("/account", operation_id="updateAccount")
    async def rename(
        self,
        data: JSONBody[NamesBody],
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        account_security: NamedDependency[AccountSecurityService],
        profile: NamedDependency[ProfileService],
        user_summaries: NamedDependency[UserSummarySource],
    ) -> UserOut:
        """Change the names."""
        given = {"firstName": data.first_name, "lastName": data.last_name}
        names = {field: name for field, name in given.items() if name is not UNSET}
        await profile.rename(user, names, peer)
        return await _current(peer, account_security, user_summaries)

    @patch("/users/email-preferences", operation_id="updateEmailPreferences")
    async def prefer(
        self,
        data: JSONBody[EmailPreferencesBody],
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        account_security: NamedDependency[AccountSecurityService],
        profile: NamedDependency[ProfileService],
        user_summaries: NamedDependency[UserSummarySource],
    ) -> UserOut:
        """Say whether news may come by mail. What concerns the account comes in any case."""
        wanted = data.email_marketing_enabled
        await profile.prefer(user, marketing=wanted, peer=peer)
        return await _current(peer, account_security, user_summaries)

    @post("/account/email", operation_id="changeEmail", status_code=202)
    async def change_email(
        self,
        data: JSONBody[EmailBody],
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        profile: NamedDependency[ProfileService],
    ) -> None:
        """Send a link to a new address. The account keeps the old one until the link is used."""
        await profile.ask_address(user, data.email, data.current_password, peer)

    @post("/account/email/verify", operation_id="sendConfirmation", status_code=202)
    async def verify(
        self, user: NamedDependency[CurrentUser], peer: NamedDependency[Peer], profile: NamedDependency[ProfileService]
    ) -> None:
        """Send the link that confirms the account's address once more."""
        await profile.ask_confirmation(user, peer)

    @get("/account/sign-ins", operation_id="listSignIns")
    async def ways(
        self,
        user: NamedDependency[CurrentUser],
        profile: NamedDependency[ProfileService],
        registry: NamedDependency[Registry],
    ) -> list[SignInOut]:
        """The sign-ins elsewhere that are connected with the account."""
        shown = []
        for way in await profile.ways(user):
            instance = registry.instance(way.instance_id)
            label = instance.label if instance else None
            shown.append(SignInOut(id=way.id, instance_id=way.instance_id, label=label, created_at=way.created_at))
        return shown

    @delete("/account/sign-ins/{identity_id:int}", operation_id="disconnectSignIn", status_code=204)
    async def disconnect(
        self,
        identity_id: PathId,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        profile: NamedDependency[ProfileService],
    ) -> None:
        """Disconnect one of them."""
        await profile.disconnect(user, identity_id, peer)

    @get("/account/export", operation_id="exportAccount", include_in_schema=False, opt=AS_IT_IS)
    async def export(
        self,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        export_service: NamedDependency[ExportService],
    ) -> Stream:
        """Everything that belongs to the user, as one ZIP."""
        archive = await export_service.begin(user.id, peer)
        name = f"export-{clock.now():%Y-%m-%d}.zip"
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Stream(archive, media_type="application/zip", headers=headers)

    @delete("/account", operation_id="deleteAccount", status_code=204)
    async def leave(
        self,
        data: JSONBody[LeaveBody],
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        account_deletion: NamedDependency[AccountDeletionService],
        config: NamedDependency[Config],
    ) -> Response[None]:
        """Delete the account: signed out everywhere at once, and everything that belongs to it soon after."""
        await account_deletion.delete_own(user, data.current_password, data.confirm, peer)
        return signed_out_response(config, peer)


class EmailConfirmationController(Controller):
    """Confirming an email address. A mailed link works for who holds it, signed in or not."""

    path = "/api"
    tags = ("Account",)

    @post("/account/email/confirm", operation_id="confirmEmail", opt=PUBLIC, status_code=204)
    async def confirm_email(
        self, data: JSONBody[ConfirmBody], peer: NamedDependency[Peer], profile: NamedDependency[ProfileService]
    ) -> None:
        """Confirm an address with a mailed link. Nobody is signed in by it."""
        await profile.confirm_address(data.token, peer)
