"""Recipients and the steps of a campaign, for tests of email."""

from collections import Counter
from typing import Any

from sqlalchemy import select, update

from kernel.accounts.current_user import CurrentUser
from kernel.accounts.models import User
from kernel.core import clock
from kernel.core.audit import Actor
from kernel.core.data.database import Database
from kernel.mail.models import EmailCampaign, EmailRecipient
from kernel.mail.schemas import CampaignIn, CampaignOut
from tests.mail.conftest import CampaignHarness
from tests.mail.stub_email import SENT

NEWS = CampaignIn(subject="News for {{firstName}}", html_body="<p>Hello {{firstName}}, <b>news</b>.</p>")
ADMIN = Actor(id=1, ip="")
CROWD = [f"reader{number}" for number in range(20)]


def boss() -> CurrentUser:
    """Return the administrator who writes."""
    return CurrentUser(
        id=1,
        email="ada@example.org",
        email_verified=True,
        first_name="Ada",
        last_name="Lovelace",
        is_admin=True,
        is_pro_override=None,
        language="de",
        email_marketing=None,
        payment_customer=None,
        created_at=clock.now(),
        has_password=True,
        session_id=1,
        auth_at=clock.now(),
        method="password",
    )


async def people(database: Database, *names: str, **fields: Any) -> None:
    """Make verified users, `ada` being ada@example.org."""
    async with database.write() as session:
        for name in names:
            email = f"{name}@example.org"
            session.add(User(email=email, email_norm=email, **{"email_verified": True, **fields}))


async def begin(
    harness: CampaignHarness, database: Database, kind: Any = "broadcast", given: CampaignIn = NEWS
) -> CampaignOut:
    """Begin an email to everybody there is."""
    await harness.templates.save_postal_address("Ink & Co\n1 Harbour Road", ADMIN)
    return (await harness.campaigns.start(kind, given, ADMIN, key=None)).campaign


async def send_all(harness: CampaignHarness, database: Database, *, rounds: int = 12) -> None:
    """Send as workers would over time."""
    for _ in range(rounds):
        await harness.sender.send_due()
        await no_waiting(database)


async def no_waiting(database: Database) -> None:
    """Make waiting campaigns due now."""
    async with database.write() as session:
        await session.execute(update(EmailCampaign).values(run_after=clock.now()))


def got(instance: str) -> Counter[str]:
    """Return how many emails each person got from a service."""
    return Counter(message.to.partition("@")[0] for message in SENT[instance])


async def ledger(database: Database) -> dict[str, tuple[str, str | None]]:
    """Return name → state and code of every row."""
    query = select(EmailRecipient.address, EmailRecipient.state, EmailRecipient.code).order_by(EmailRecipient.id)
    async with database.read() as connection:
        rows = await connection.execute(query)
        return {row.address.partition("@")[0]: (row.state, row.code) for row in rows}
