"""Rules for sign-in providers."""

import statistics
import time
from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec
import pytest

from .. import (
    AuthFailed,
    Identity,
    InvalidRequest,
    SigninBegin,
    SigninCapabilities,
    SigninProvider,
    SigninReturn,
    Unsupported,
    misfit,
)
from .contract import ProviderContract
from .fakes import PUBLIC_URL
from .strategies import drawn, passwords, redirect_words, told
from .waivers import waived

PASSWORD: Final = "correct horse battery staple 🐎"
POOR_PASSWORDS: Final = ("", "short1!", "password123", "aaaaaaaaaaaa", "x" * 100_000)
TIMED_TIMES: Final = 5
PASSWORDS_TRIED: Final = 4
TIMED_ROUNDS: Final = 3
EQUAL_WITHIN: Final = 1.6
"""An unknown account and a wrong password may differ by this factor, including the noise of a shared machine."""


class SigninContract(ProviderContract):
    """Inherit it, override `spec` and `broken`. Rules of the other flow do not apply."""

    capabilities_type = SigninCapabilities
    faults_needed: ClassVar[tuple[str, ...]] = ("server_error", "garbage")
    repeatable: ClassVar[bool] = True

    def form_fields(self, password: str) -> Mapping[str, str]:
        """Return what the form sends. Override for other fields."""
        return {"email": "ada@example.org", "password": password}

    async def exercise(self, provider: Any) -> Any:
        """Enroll and sign in, or begin a redirect."""
        if provider.capabilities().flow == "redirect":
            return await provider.begin(_begin())
        stored = await provider.enroll(PASSWORD)
        return await provider.complete(SigninReturn(fields=self.form_fields(PASSWORD), stored=stored))

    async def test_SIGN_01_the_right_password_names_the_person(self, provider: SigninProvider) -> None:
        if provider.capabilities().flow != "form":
            return waived("a redirect")
        stored = await provider.enroll(PASSWORD)
        identity = await provider.complete(SigninReturn(fields=self.form_fields(PASSWORD), stored=stored))
        assert misfit(identity, Identity) is None
        assert identity.issuer and identity.subject
        if identity.credential is not None:
            renewed = SigninReturn(fields=self.form_fields(PASSWORD), stored=identity.credential)
            assert (await provider.complete(renewed)).subject == identity.subject

    async def test_SIGN_02_anything_else_is_refused(self, provider: SigninProvider) -> None:
        if provider.capabilities().flow != "form":
            return waived("a redirect")
        stored = await provider.enroll(PASSWORD)
        for password, kept in (
            (PASSWORD + " ", stored),
            (PASSWORD.upper(), stored),
            (PASSWORD[:-1], stored),
            (stored, stored),
            ("x" * 100_000, stored),
            (PASSWORD, None),
            (PASSWORD, ""),
            (PASSWORD, PASSWORD),
            (PASSWORD, stored[:-4]),
        ):
            with pytest.raises(AuthFailed):
                await provider.complete(SigninReturn(fields=self.form_fields(password), stored=kept))

    async def test_SIGN_03_an_unknown_account_takes_as_long_as_a_wrong_password(self, provider: SigninProvider) -> None:
        if provider.capabilities().flow != "form":
            return waived("a redirect")
        stored = await provider.enroll(PASSWORD)
        ratios: list[float] = []
        # other load may delay one of the two, but not every time
        while len(ratios) < TIMED_ROUNDS and not (ratios and 1 / EQUAL_WITHIN < ratios[-1] < EQUAL_WITHIN):
            unknown, wrong = [], []
            for _ in range(TIMED_TIMES):
                unknown.append(await self._refusal_s(provider, None))
                wrong.append(await self._refusal_s(provider, stored))
            ratios.append(statistics.median(unknown) / statistics.median(wrong))
        assert 1 / EQUAL_WITHIN < ratios[-1] < EQUAL_WITHIN, f"{min(ratios):.2f} to {max(ratios):.2f} times as long"

    async def _refusal_s(self, provider: SigninProvider, stored: str | None) -> float:
        started = time.perf_counter()
        with pytest.raises(AuthFailed):
            await provider.complete(SigninReturn(fields=self.form_fields("not the one"), stored=stored))
        return time.perf_counter() - started

    async def test_SIGN_04_what_is_kept_gives_no_password_away(self, provider: SigninProvider) -> None:
        if provider.capabilities().flow != "form":
            return waived("a redirect")
        first, second = await provider.enroll(PASSWORD), await provider.enroll(PASSWORD)
        assert PASSWORD not in first
        assert first != second, "the same password must be kept differently each time (salt)"

    async def test_SIGN_05_poor_passwords_are_refused_at_their_field(self, provider: SigninProvider) -> None:
        if provider.capabilities().flow != "form":
            return waived("a redirect")
        for password in POOR_PASSWORDS:
            with pytest.raises(InvalidRequest) as caught:
                await provider.enroll(password)
            assert caught.value.field == "password"

    async def test_SIGN_06_a_malformed_return_is_an_invalid_request(self, provider: SigninProvider) -> None:
        for fields in ({}, {"error": "access_denied"}, {"password": ""}, {"state": "x", "code": ""}):
            with pytest.raises(InvalidRequest):
                await provider.complete(SigninReturn(fields=fields))

    async def test_SIGN_07_each_flow_refuses_what_belongs_to_the_other(self, provider: SigninProvider) -> None:
        if provider.capabilities().flow == "form":
            with pytest.raises(Unsupported):
                await provider.begin(_begin())
        else:
            with pytest.raises(Unsupported):
                await provider.enroll(PASSWORD)

    async def test_SIGN_08_the_redirect_carries_state_and_nonce(self, provider: SigninProvider) -> None:
        if provider.capabilities().flow != "redirect":
            return waived("a form")
        redirect = await provider.begin(_begin())
        assert redirect.url.startswith(("https://", "http://127.0.0.1", "http://localhost"))
        assert "state-of-the-kit" in redirect.url and "nonce-of-the-kit" in redirect.url

    async def test_SIGN_09_any_password_and_any_state_go_through(self, provider: SigninProvider) -> None:
        if provider.capabilities().flow == "redirect":
            for state, nonce in drawn(redirect_words()):
                redirect = await provider.begin(msgspec.structs.replace(_begin(), state=state, nonce=nonce))
                assert state in redirect.url and nonce in redirect.url
            return
        for password in drawn(passwords(), PASSWORDS_TRIED):
            stored = await provider.enroll(password)
            identity = await provider.complete(SigninReturn(fields=self.form_fields(password), stored=stored))
            assert identity.subject, told(password)
            with pytest.raises(AuthFailed):
                await provider.complete(SigninReturn(fields=self.form_fields(password[:-1]), stored=stored))


def _begin() -> SigninBegin:
    address = f"{PUBLIC_URL}/api/auth/kit/return"
    return SigninBegin(return_url=address, state="state-of-the-kit", nonce="nonce-of-the-kit")
