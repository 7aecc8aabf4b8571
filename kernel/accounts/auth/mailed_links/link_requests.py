"""Requests for a mailed link. All addresses are treated alike: the worker looks up whether one has an account."""

from kernel.accounts.auth.account_emails import LinkEmailKind
from kernel.accounts.auth.rate_limits import AccountRateLimits
from kernel.accounts.auth.sessions import Peer
from kernel.accounts.validation import email_fault, normal_email
from kernel.core.data.database import Database
from kernel.core.errors import InvalidFields, TooMany
from kernel.core.outbox import queue_email


async def request_link(
    database: Database, limits: AccountRateLimits, kind: LinkEmailKind, email: str, peer: Peer
) -> None:
    """Queue an email with a link to an address.

    Raises InvalidFields for an invalid address, and TooMany when one client asks too often. An address for which links
    are requested too often gets no further email, without an error.
    """
    if fault := email_fault(email):
        raise InvalidFields({"email": fault})
    await limits.links(peer)
    try:
        await limits.email_to_address(normal_email(email) or "")
    except TooMany:
        return
    async with database.write() as session:
        queue_email(session, kind, address=email.strip(), language=peer.spoken)
