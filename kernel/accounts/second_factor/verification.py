"""The check of a second factor, wherever one is shown: counted, used up, and written to the audit trail."""

from typing import Final, Literal

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.account_emails import RECOVERY_CODE_USED
from kernel.accounts.auth.rate_limits import AccountRateLimits, KnownDevices
from kernel.accounts.auth.sessions import Peer
from kernel.accounts.models import User
from kernel.accounts.schemas import FactorProof
from kernel.accounts.second_factor.passkeys import Passkeys
from kernel.accounts.second_factor.recovery_codes import use_code
from kernel.accounts.second_factor.totp import TotpCodes
from kernel.core.audit import audit
from kernel.core.data.database import Database
from kernel.core.errors import InvalidFields
from kernel.core.field_errors import FieldError
from kernel.core.outbox import queue_email

WRONG_CODE: Final = FieldError("wrong_code", "This code is not right, or was used already.")
NO_CODE: Final = FieldError("no_code", "Please enter the code.")
PASSKEY_REFUSED: Final = FieldError("passkey_refused", "This passkey was not accepted. Please try again.")

WRONG: Final = "wrong_second_factor"
"""The outcome of a wrong proof in the audit trail."""

Shown = Literal["code", "recoveryCode", "passkey"]


class CheckedProof:
    """A proof that was counted as a try, and can now be used up in a transaction."""

    def __init__(self, field: Shown, text: str, challenge: bytes | None, counters: tuple[str, ...]) -> None:
        self.field: Final = field
        self.text: Final = text
        self.challenge: Final = challenge
        self.counters: Final = counters

    @property
    def refusal(self) -> InvalidFields:
        """The error for a proof that is wrong."""
        return InvalidFields({self.field: PASSKEY_REFUSED if self.field == "passkey" else WRONG_CODE})


class FactorVerification:
    """Checks codes, recovery codes and passkeys."""

    def __init__(
        self,
        database: Database,
        limits: AccountRateLimits,
        devices: KnownDevices,
        totp_codes: TotpCodes,
        passkeys: Passkeys,
    ) -> None:
        self._database = database
        self._limits = limits
        self._devices = devices
        self._totp_codes = totp_codes
        self._passkeys = passkeys

    async def count(self, user_id: int, proof: FactorProof, purpose: str, peer: Peer) -> CheckedProof:
        """Count a try at a user's second factor; a passkey's challenge is used up by it.

        Raises InvalidFields unless exactly one proof is given, and TooMany.
        """
        given: list[tuple[Shown, str]] = []
        if proof.code and proof.code.strip():
            given.append(("code", proof.code))
        if proof.recovery_code and proof.recovery_code.strip():
            given.append(("recoveryCode", proof.recovery_code))
        if proof.passkey:
            given.append(("passkey", proof.passkey))
        if len(given) != 1:
            raise InvalidFields({"recoveryCode" if proof.recovery_code is not None else "code": NO_CODE})
        ((field, text),) = given
        counters = await self._limits.second_factor(user_id, self._devices.known(peer.device, user_id))
        challenge = await self._passkeys.take_challenge(user_id, purpose) if field == "passkey" else None
        return CheckedProof(field, text, challenge, counters)

    async def use_in(self, session: AsyncSession, user_id: int, proof: CheckedProof, peer: Peer) -> None:
        """Use a proof up in the transaction of what it permits. Raises InvalidFields for a wrong one."""
        match proof.field:
            case "code":
                right = await self._totp_codes.use_in(session, user_id, proof.text)
            case "recoveryCode":
                right = await use_code(session, user_id, proof.text)
                if right:
                    await _report_recovery(session, user_id, peer)
            case "passkey":
                right = await self._passkeys.use_in(session, user_id, proof.text, proof.challenge)
        if not right:
            raise proof.refusal

    async def forget(self, proof: CheckedProof) -> None:
        """Take back the count of a proof that was right."""
        await self._limits.take_back(proof.counters)

    async def record_failure(
        self, action: str, user_id: int, peer: Peer, *, actor_id: int | None = None, outcome: str = WRONG
    ) -> None:
        """Write to the audit trail that a proof was wrong, or did not help."""
        async with self._database.write() as session:
            audit(session, action, actor_id=actor_id, ip=peer.ip, object=f"user:{user_id}", outcome=outcome)


async def _report_recovery(session: AsyncSession, user_id: int, peer: Peer) -> None:
    """Tell the owner and the audit trail that a recovery code was used."""
    row = (await session.execute(select(User.email, User.language).where(User.id == user_id))).one()
    language = row.language or peer.spoken
    queue_email(session, RECOVERY_CODE_USED, address=row.email, language=language, user_id=user_id)
    audit(session, "user.use_recovery_code", actor_id=user_id, ip=peer.ip, object=f"user:{user_id}")
