"""Rate limits of accounts: per account and per address, and separately per known device."""

import hashlib
import hmac
import ipaddress
from typing import Final

from kernel.accounts.auth.sessions import DEVICE_DAYS, Peer
from kernel.core import clock
from kernel.core.config import Config
from kernel.core.data.ids import new_token
from kernel.core.queue.throttle import Throttle
from kernel.core.vault import Vault

SIGN_IN_WINDOW_S: Final = 15 * 60.0
REGISTRATION_WINDOW_S: Final = 3600.0
EMAILS_PER_HOUR: Final = 5
"""Emails to one address, or requested by one account: no mailbox is to be flooded through this site."""
EXPORTS_PER_HOUR: Final = 5
MAX_MARKS: Final = 5
"""Accounts that one browser remembers; more would make its cookie long."""
MARKS_APART: Final = "~"


def address_key(ip: str) -> str:
    """Return what counts as one address: an IPv4 address, or the /64 network that one IPv6 customer has."""
    try:
        address = ipaddress.ip_address(ip.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def account_key(email_norm: str) -> str:
    """Return the key of an account's counters, which hold no email addresses."""
    return hashlib.sha256(email_norm.encode()).hexdigest()[:32]


class KnownDevices:
    """Signed cookies of browsers in which a user has signed in before.

    Guessing at an account fills its counter and locks out unknown devices; its owner, on a known device, has a
    separate counter. A sign-in on an unknown device is reported to the owner. The cookie proves nothing else. It holds
    one mark for each of the last accounts that signed in there, because people share browsers.
    """

    def __init__(self, vault: Vault) -> None:
        self._keys = vault.derive_all("device cookie")

    def issue(self, user_id: int, cookie: str | None) -> str:
        """Return a cookie for a device on which the user has just signed in; `cookie` is what it had before."""
        expires = int(clock.now_unix()) + DEVICE_DAYS * 86_400
        payload = f"{user_id}.{expires}.{new_token()}"
        others = [mark for mark in _marks(cookie) if (owner := self._owner(mark)) and owner[0] != str(user_id)]
        return MARKS_APART.join([f"{payload}.{_sign(self._keys[0], payload)}", *others][:MAX_MARKS])

    def known(self, cookie: str | None, user_id: int) -> str | None:
        """Return the device's name when the cookie is valid, not expired, and of this user."""
        owners = filter(None, map(self._owner, _marks(cookie)))
        return next((name for owner, name in owners if owner == str(user_id)), None)

    def _owner(self, mark: str) -> tuple[str, str] | None:
        """Return the user's id and the device's name in a mark of ours that has not expired."""
        payload, _, signature = mark.rpartition(".")
        if not payload or not any(
            hmac.compare_digest(signature.encode(), _sign(key, payload).encode()) for key in self._keys
        ):
            return None
        owner, expires, name = payload.split(".")
        return (owner, name) if int(expires) > clock.now_unix() else None


def _marks(cookie: str | None) -> list[str]:
    return (cookie or "").split(MARKS_APART)[:MAX_MARKS]


def _sign(key: bytes, payload: str) -> str:
    return hmac.new(key, payload.encode(), hashlib.sha256).hexdigest()


class AccountRateLimits:
    """Counts attempts before they are made, so that simultaneous attempts cannot get past the limit together."""

    def __init__(self, throttle: Throttle, config: Config) -> None:
        self._throttle = throttle
        self._rules = config.accounts

    async def sign_in(self, email_norm: str, peer: Peer, device: str | None) -> tuple[str, ...]:
        """Count one attempt and return its counters. Raises TooMany."""
        per_account = self._rules.sign_in_failures_per_account
        if device is not None:
            names = {f"sign-in:device:{account_key(device)}": per_account}
        else:
            names = {
                f"sign-in:address:{address_key(peer.ip)}": self._rules.sign_in_failures_per_address,
                f"sign-in:account:{account_key(email_norm)}": per_account,
            }
        for name, limit in names.items():
            await self._throttle.hit(name, limit=limit, window_s=SIGN_IN_WINDOW_S)
        return tuple(names)

    async def second_factor(self, user_id: int, device: str | None) -> tuple[str, ...]:
        """Count one try at a user's second factor and return its counter. Raises TooMany.

        Whoever gets here knows the password, so the account alone counts, whatever addresses the tries come from. A
        device that has signed in before has its own counter: others cannot lock its owner out.
        """
        name = f"factor:device:{account_key(device)}" if device is not None else f"factor:account:{user_id}"
        await self._throttle.hit(name, limit=self._rules.sign_in_failures_per_account, window_s=SIGN_IN_WINDOW_S)
        return (name,)

    async def passkey(self, peer: Peer) -> tuple[str, ...]:
        """Count one sign-in with a passkey that begins and return its counter. Raises TooMany."""
        name = f"passkey:address:{address_key(peer.ip)}"
        await self._throttle.hit(name, limit=self._rules.sign_in_failures_per_address, window_s=SIGN_IN_WINDOW_S)
        return (name,)

    async def redirect(self, peer: Peer) -> tuple[str, ...]:
        """Count one departure to a provider's page and return the counter. Raises TooMany."""
        name = f"redirect:address:{address_key(peer.ip)}"
        await self._throttle.hit(name, limit=self._rules.sign_in_failures_per_address, window_s=SIGN_IN_WINDOW_S)
        return (name,)

    async def take_back(self, counters: tuple[str, ...]) -> None:
        """Undo the counts of an attempt that is not to be limited: a success, or a form with a mistake in it."""
        for name in counters:
            await self._throttle.take_back(name)

    async def registration(self, peer: Peer) -> tuple[str, ...]:
        """Count one registration and return the counter. Raises TooMany."""
        name = f"register:address:{address_key(peer.ip)}"
        await self._throttle.hit(name, limit=self._rules.registrations_per_address, window_s=REGISTRATION_WINDOW_S)
        return (name,)

    async def setup(self, peer: Peer) -> None:
        """Count one claim of the set-up token. Raises TooMany."""
        name = f"setup:address:{address_key(peer.ip)}"
        await self._throttle.hit(name, limit=self._rules.sign_in_failures_per_address, window_s=SIGN_IN_WINDOW_S)

    async def links(self, peer: Peer) -> None:
        """Count one request for a mailed link, or one use of one. Raises TooMany."""
        name = f"link:address:{address_key(peer.ip)}"
        await self._throttle.hit(name, limit=self._rules.sign_in_failures_per_address, window_s=SIGN_IN_WINDOW_S)

    async def email_to_address(self, email_norm: str) -> None:
        """Count one email to an address that may be somebody else's: whoever asks for it. Raises TooMany."""
        await self._throttle.hit(f"letter:to:{account_key(email_norm)}", limit=EMAILS_PER_HOUR, window_s=3600)

    async def email_by_user(self, user_id: int) -> None:
        """Count one email that a user requests. Raises TooMany."""
        await self._throttle.hit(f"letter:by:{user_id}", limit=EMAILS_PER_HOUR, window_s=3600)

    async def new_device_email(self, user_id: int) -> None:
        """Count one email about a sign-in on a new device. Raises TooMany."""
        await self._throttle.hit(f"letter:device:{user_id}", limit=EMAILS_PER_HOUR, window_s=3600)

    async def export(self, user_id: int) -> None:
        """Count one export. Raises TooMany."""
        await self._throttle.hit(f"export:{user_id}", limit=EXPORTS_PER_HOUR, window_s=3600)
