"""The provider: argon2id in threads, with the same work for known and unknown accounts."""

import asyncio
import secrets
import time
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from argon2 import PasswordHasher, Type
from argon2.exceptions import VerificationError

from kernel.spi import (
    AuthFailed,
    CheckReport,
    CheckSteps,
    Identity,
    InvalidRequest,
    ProviderContext,
    Redirect,
    Settings,
    SigninBegin,
    SigninCapabilities,
    SigninReturn,
    Unavailable,
    Unsupported,
)
from plugins.password_signin.guessable import is_guessable, site_words

MIN_CHARS: Final = 8
MAX_CHARS: Final = 128

MEMORY_KIB: Final = 19 * 1024
PASSES: Final = 2
LANES: Final = 1
"""argon2id, m=19 MiB t=2 p=1: OWASP Password Storage Cheat Sheet, 2024."""

AT_ONCE: Final = 4
"""Concurrent hashes: 4 x 19 MiB. Further ones wait."""

ISSUER: Final = "password"

T = TypeVar("T")


class PasswordSettings(Settings, frozen=True, kw_only=True):
    """Nothing to set: the parameters of the hash are not a matter of taste."""


def normal(password: str) -> str:
    """Return the password as it is hashed: NFC, so that every keyboard gives the same text. Case and spaces count."""
    return unicodedata.normalize("NFC", password)


class PasswordSignin:
    """Checks passwords against hashes that the kernel stores."""

    def __init__(self, context: ProviderContext) -> None:
        self._words = site_words(context.public_url)
        self._hasher = PasswordHasher(
            time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=LANES, hash_len=32, salt_len=16, type=Type.ID
        )
        self._threads = ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="argon2")

    def capabilities(self) -> SigninCapabilities:
        """Return the capabilities: a form, and visitors may enroll."""
        return SigninCapabilities(flow="form", registration=True)

    async def begin(self, request: SigninBegin) -> Redirect:
        """Not supported: there is no redirect."""
        raise Unsupported("password sign-in has no redirect")

    async def complete(self, request: SigninReturn) -> Identity:
        """Verify `fields["password"]` against the stored hash; return a new hash when the parameters changed.

        Without a stored hash the password is hashed anyway: an unknown account takes as long as a wrong password.
        """
        email, password = request.fields.get("email"), request.fields.get("password")
        if not email or not password:
            raise InvalidRequest("email and password are needed", field="password" if email else "email")
        if len(password) > MAX_CHARS:
            password, stored = password[:MAX_CHARS], None
        else:
            stored = request.stored
        if not await self._run(self._verify, stored, normal(password)):
            raise AuthFailed("the password does not fit")
        fresh = await self._run(self._rehash, stored or "", normal(password))
        return Identity(issuer=ISSUER, subject=email, email=email, credential=fresh)

    async def enroll(self, secret: str) -> str:
        """Return the hash of a new password. Raises InvalidRequest for one that is too short, too long or guessable."""
        password = normal(secret)
        if not MIN_CHARS <= len(password) <= MAX_CHARS:
            raise InvalidRequest(f"a password has {MIN_CHARS} to {MAX_CHARS} characters", field="password")
        if is_guessable(password, self._words):
            raise InvalidRequest("the password is too easy to guess", field="password")
        return await self._run(self._hasher.hash, password)

    async def logout_url(self, identity: Identity) -> str | None:
        """Return None: there is no sign-out page."""
        return None

    async def check(self) -> CheckReport:
        """Hash a random password and check that only it matches the hash."""
        steps = CheckSteps()
        password = secrets.token_urlsafe(16)
        started = time.perf_counter()
        stored = await self._run(self._hasher.hash, password)
        elapsed_ms = round((time.perf_counter() - started) * 1000)
        steps.add("Hash a password", "ok", f"argon2id took {elapsed_ms} ms")
        right = await self._run(self._verify, stored, password)
        steps.add("The right password is accepted", "ok" if right else "fail")
        wrong = await self._run(self._verify, stored, password + "x")
        steps.add("A wrong password is refused", "fail" if wrong else "ok")
        return steps.report()

    async def aclose(self) -> None:
        """Release the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[..., T], *args: str | None) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)
        except RuntimeError as error:
            raise Unavailable("the instance is closed") from error

    def _verify(self, stored: str | None, password: str) -> bool:
        if stored is None:
            self._hasher.hash(password)
            return False
        try:
            return self._hasher.verify(stored, password)
        except (VerificationError, ValueError):  # ValueError: the stored text is no hash
            return False

    def _rehash(self, stored: str, password: str) -> str | None:
        return self._hasher.hash(password) if self._hasher.check_needs_rehash(stored) else None
