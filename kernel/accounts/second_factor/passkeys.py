"""Passkeys (WebAuthn Level 3): what a browser is asked to sign, and the check of what it signed."""

import ipaddress
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

import webauthn
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, parse_registration_credential_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    AuthenticatorTransport,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from kernel.accounts.auth.csrf import origin_of
from kernel.accounts.models import Passkey, PasskeyChallenge
from kernel.core import clock
from kernel.core.config import Config
from kernel.core.data.database import Database, ReadConnection, changed_rows
from kernel.core.data.ids import new_token

MINUTES: Final = 5
"""How long a challenge can be answered."""

MAX_PASSKEYS: Final = 20
"""For each account; browsers get the list of all of them."""


class PasskeyRefused(Exception):
    """What came from the browser is not what was asked for, or not signed by the passkey."""


def site_for_passkeys(config: Config) -> str | None:
    """Return the host to which passkeys are bound, None where browsers have none: plain http, or a numeric address."""
    host = urlsplit(config.public_url).hostname or ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host if config.https or host == "localhost" or host.endswith(".localhost") else None
    return None


class Passkeys:
    """Asks browsers for signatures and checks them. A challenge is stored for one purpose and used once."""

    def __init__(self, database: Database, config: Config) -> None:
        self._database = database
        self._site = site_for_passkeys(config)
        self._site_name = config.site.name
        self._origin = origin_of(config.public_url)

    @property
    def possible(self) -> bool:
        """Whether browsers can use passkeys at the site's address."""
        return self._site is not None

    async def registration_options(self, user_id: int, email: str, purpose: str) -> str:
        """Return what a browser needs to make a passkey, as JSON. Raises PasskeyRefused where it could not."""
        if self._site is None:
            raise PasskeyRefused("this address of the site cannot have passkeys")
        async with self._database.read() as connection:
            present = await _descriptors(connection, user_id)
        if len(present) >= MAX_PASSKEYS:
            raise PasskeyRefused("there are too many passkeys")
        options = webauthn.generate_registration_options(
            rp_id=self._site,
            rp_name=self._site_name,
            user_id=_handle(user_id),
            user_name=email,
            user_display_name=email,
            challenge=await self._new_challenge(user_id, purpose),
            timeout=MINUTES * 60_000,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.PREFERRED,
                user_verification=UserVerificationRequirement.PREFERRED,
            ),
            exclude_credentials=present,
        )
        return webauthn.options_to_json(options)

    async def authentication_options(self, user_id: int, purpose: str) -> str:
        """Return what a browser needs to use one of a user's passkeys, as JSON. Raises PasskeyRefused without any."""
        async with self._database.read() as connection:
            present = await _descriptors(connection, user_id)
        if self._site is None or not present:
            raise PasskeyRefused("there is no passkey")
        options = webauthn.generate_authentication_options(
            rp_id=self._site,
            challenge=await self._new_challenge(user_id, purpose),
            timeout=MINUTES * 60_000,
            allow_credentials=present,
            user_verification=UserVerificationRequirement.PREFERRED,
        )
        return webauthn.options_to_json(options)

    async def sign_in_options(self, purpose: str) -> str:
        """Return what a browser needs to offer its passkeys for this site to somebody whom nobody knows yet, as JSON.

        The passkey is then the only factor, so the device has to verify who uses it. Raises PasskeyRefused.
        """
        if self._site is None:
            raise PasskeyRefused("this address of the site cannot have passkeys")
        options = webauthn.generate_authentication_options(
            rp_id=self._site,
            challenge=await self._new_challenge(None, purpose),
            timeout=MINUTES * 60_000,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return webauthn.options_to_json(options)

    async def owner(self, answer: str) -> int | None:
        """Return whose passkey an answer names, which proves nothing yet; None where the two names do not agree."""
        try:
            credential = webauthn.helpers.parse_authentication_credential_json(answer)
        except (WebAuthnException, ValueError, KeyError, TypeError):
            return None
        this = select(Passkey.user_id).where(Passkey.credential_id == bytes_to_base64url(credential.raw_id))
        async with self._database.read() as connection:
            user_id: int | None = await connection.scalar(this)
        return user_id if credential.response.user_handle == _handle(user_id) else None

    async def take_challenge(self, user_id: int | None, purpose: str) -> bytes | None:
        """Return the challenge of a purpose and delete it, whatever becomes of the answer; None where there is none."""
        this = delete(PasskeyChallenge).where(
            PasskeyChallenge.purpose == purpose,
            PasskeyChallenge.user_id == user_id,
        )
        async with self._database.write() as session:
            row = (
                await session.execute(this.returning(PasskeyChallenge.challenge, PasskeyChallenge.expires_at))
            ).one_or_none()
        if row is None or row.expires_at <= clock.now():
            return None
        return base64url_to_bytes(row.challenge)

    def registered(self, user_id: int, name: str, answer: str, challenge: bytes | None) -> Passkey:
        """Return the new passkey that a browser has made. Raises PasskeyRefused."""
        if challenge is None or self._site is None:
            raise PasskeyRefused("the challenge is no longer valid")
        try:
            made = webauthn.verify_registration_response(
                credential=answer,
                expected_challenge=challenge,
                expected_rp_id=self._site,
                expected_origin=self._origin,
                require_user_verification=False,
            )
            transports = parse_registration_credential_json(answer).response.transports or []
        except (WebAuthnException, ValueError, KeyError, TypeError) as error:
            raise PasskeyRefused(type(error).__name__) from error
        return Passkey(
            user_id=user_id,
            credential_id=bytes_to_base64url(made.credential_id),
            public_key=bytes_to_base64url(made.credential_public_key),
            sign_count=made.sign_count,
            transports=[transport.value for transport in transports],
            name=name,
        )

    async def use_in(
        self, session: AsyncSession, user_id: int, answer: str, challenge: bytes | None, *, alone: bool = False
    ) -> bool:
        """Check the signature of one of a user's passkeys and store its count; False for any other answer.

        `alone`: it is the only factor, so the device must have verified its user.

        A count that does not grow belongs to a copy of the passkey (WebAuthn §6.1.1); those that count at all.
        """
        if challenge is None or self._site is None:
            return False
        try:
            credential = webauthn.helpers.parse_authentication_credential_json(answer)
            row = (
                await session.execute(
                    select(Passkey.id, Passkey.public_key, Passkey.sign_count).where(
                        Passkey.user_id == user_id,
                        Passkey.credential_id == bytes_to_base64url(credential.raw_id),
                    )
                )
            ).one_or_none()
            if row is None:
                return False
            used = webauthn.verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=self._site,
                expected_origin=self._origin,
                credential_public_key=base64url_to_bytes(row.public_key),
                credential_current_sign_count=row.sign_count,
                require_user_verification=alone,
            )
        except (WebAuthnException, ValueError, KeyError, TypeError):
            return False
        this = update(Passkey).where(Passkey.id == row.id, Passkey.sign_count == row.sign_count)
        return await changed_rows(session, this.values(sign_count=used.new_sign_count, last_used_at=clock.now())) == 1

    async def _new_challenge(self, user_id: int | None, purpose: str) -> bytes:
        """Store a new challenge in place of an earlier one of the purpose; expired ones of all users go."""
        challenge, now = new_token(), clock.now()
        async with self._database.write() as session:
            stale = (PasskeyChallenge.expires_at <= now) | (PasskeyChallenge.purpose == purpose)
            await session.execute(delete(PasskeyChallenge).where(stale))
            session.add(
                PasskeyChallenge(
                    user_id=user_id, purpose=purpose, challenge=challenge, expires_at=now + timedelta(minutes=MINUTES)
                )
            )
        return base64url_to_bytes(challenge)


def _handle(user_id: int | None) -> bytes:
    """Return the user handle: it names nobody, and is the same for all passkeys of an account."""
    return str(user_id).encode()


async def _descriptors(connection: ReadConnection, user_id: int) -> list[PublicKeyCredentialDescriptor]:
    columns = select(Passkey.credential_id, Passkey.transports).where(Passkey.user_id == user_id).order_by(Passkey.id)
    return [
        PublicKeyCredentialDescriptor(
            id=base64url_to_bytes(row.credential_id),
            transports=[AuthenticatorTransport(name) for name in row.transports],
        )
        for row in await connection.execute(columns)
    ]
