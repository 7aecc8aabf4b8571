"""What the site asks of the sign-in of administrators, and whether a mailed link signs people in."""

from typing import Final, Literal

import msgspec
from sqlalchemy import ColumnElement, delete, exists, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.signin_gateway import SigninGateway
from kernel.accounts.models import Session, SignInPolicy, User, UserIdentity
from kernel.accounts.second_step import has_second_factor
from kernel.core.audit import Actor, audit
from kernel.core.data.database import Database, insert_into
from kernel.core.errors import Conflict

ROW: Final = 1
KEYS: Final = {
    "admins_need_second_factor": "adminsNeedSecondFactor",
    "admins_only_issuer": "adminsOnlyIssuer",
    "email_links": "emailLinks",
}

Rule = Literal["admins_need_second_factor", "admins_only_issuer", "email_links"]


class SignInRules(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for administrators; `email_links`: for everybody."""

    admins_need_second_factor: bool = False
    admins_only_issuer: bool = False
    email_links: bool = False


async def _store(session: AsyncSession, changes: dict[Rule, bool]) -> None:
    """Store some of the rules; the others stay."""
    changed = {str(rule): on for rule, on in changes.items()}
    row = insert_into(session, SignInPolicy).values(id=ROW, **(msgspec.structs.asdict(SignInRules()) | changed))
    await session.execute(row.on_conflict_do_update(index_elements=["id"], set_=changed))


async def switch_off(database: Database, rule: Rule) -> None:
    """Switch one rule off: the way back from the command line."""
    async with database.write() as session:
        await _store(session, {rule: False})
        audit(session, "sign_in_policy.change", object="sign_in_policy", keys=(KEYS[rule],))


class SignInPolicyService:
    """Reads and changes the rules. Who switches one on must be able to keep it: nobody locks themselves out."""

    def __init__(self, database: Database, gateway: SigninGateway) -> None:
        self._database = database
        self._gateway = gateway

    async def rules(self) -> SignInRules:
        """Return what holds."""
        columns = select(
            SignInPolicy.admins_need_second_factor, SignInPolicy.admins_only_issuer, SignInPolicy.email_links
        )
        async with self._database.read() as connection:
            row = (await connection.execute(columns)).one_or_none()
        return SignInRules(**row._asdict()) if row is not None else SignInRules()

    async def change(self, changes: dict[Rule, bool], actor: Actor, *, session_id: int) -> None:
        """Store some of the rules.

        Administrators who need an issuer from now on lose the sessions that began elsewhere; who switches that on keeps
        the session in which they do so.

        Raises Conflict: `no_second_factor` for one who has none, and `no_issuer` for one without a sign-in at an issuer
        that works now, who would switch that rule on.
        """
        if not changes:
            return
        self_locked = select(User.id).where(User.id == actor.id).with_for_update()
        async with self._database.write() as session:
            await session.execute(self_locked)
            if changes.get("admins_need_second_factor") and not await self._is(session, actor, has_second_factor()):
                raise Conflict("Set up a second factor for yourself first.", code="no_second_factor")
            if changes.get("admins_only_issuer") and not await self._is(session, actor, self._linked()):
                raise Conflict("Connect your account with an issuer first.", code="no_issuer")
            await _store(session, changes)
            if changes.get("admins_only_issuer"):
                admins = select(User.id).where(User.is_admin.is_(True))
                elsewhere = Session.method.not_in(sorted(self._gateway.redirect_ids()))
                left = delete(Session).where(Session.user_id.in_(admins), elsewhere, Session.id != session_id)
                await session.execute(left)
            keys = [KEYS[rule] for rule in changes]
            about = "sign_in_policy"
            audit(session, "sign_in_policy.change", actor_id=actor.id, ip=actor.ip, object=about, keys=keys)

    def _linked(self) -> ColumnElement[bool]:
        """Match users with a sign-in at an issuer that works now."""
        working = UserIdentity.instance_id.in_(sorted(self._gateway.redirect_ids()))
        return exists().where(UserIdentity.user_id == User.id, working)

    async def _is(self, session: AsyncSession, actor: Actor, condition: ColumnElement[bool]) -> bool:
        return (await session.execute(select(User.id).where(User.id == actor.id, condition))).first() is not None
