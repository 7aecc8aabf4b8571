"""Sending campaigns: one email for each person on the list, whatever the service does."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from kernel.core import clock
from kernel.core.data.database import Database
from kernel.mail.models import EmailBatch, EmailRecipient
from tests.mail.audience import ADMIN, CROWD, begin, got, ledger, no_waiting, people, send_all
from tests.mail.conftest import OpenCampaigns
from tests.mail.stub_email import NEXT, POISON, SENT

pytestmark = pytest.mark.anyio

Advance = Callable[[float], None]


@pytest.fixture
def advance(monkeypatch: pytest.MonkeyPatch) -> Advance:
    """Advance the clock."""
    real, ahead = clock.now_unix, [0.0]
    monkeypatch.setattr(clock, "now_unix", lambda: real() + ahead[0])

    def move(seconds: float) -> None:
        ahead[0] += seconds

    return move


async def test_workers_that_send_at_the_same_time_write_to_nobody_twice(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harnesses = [open_campaigns(one="batches") for _ in range(3)]
    await people(database, *CROWD)
    campaign = await begin(harnesses[0], database)
    for _ in range(6):
        await asyncio.gather(*(harness.sender.send_due() for harness in harnesses))
        await no_waiting(database)
    assert got("one") == dict.fromkeys(CROWD, 1)
    assert (await harnesses[0].campaigns.get(campaign.id)).state == "done"


async def test_a_lost_response_is_not_retried_when_its_effect_is_unknown(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, *CROWD)
    campaign = await begin(harness, database)
    NEXT["one"] += ["lost_answer"]
    await send_all(harness, database)
    states = Counter(state for state, _ in (await ledger(database)).values())
    assert got("one") == dict.fromkeys(CROWD, 1) and states == {"unknown": 8, "sent": 12}
    ended = await harness.campaigns.get(campaign.id)
    assert (ended.state, ended.unknown, ended.sent) == ("done", 8, 12)


@pytest.mark.parametrize(
    ("fault", "states"),
    [
        ("lost_answer", {"sent": 20}),
        ("lost_answer_of_most", {"sent": 19, "failed": 1}),
        ("vanishes", {"sent": 20}),
    ],
)
async def test_a_service_that_can_be_asked_says_what_became_of_a_lost_batch(
    open_campaigns: OpenCampaigns, database: Database, advance: Advance, fault: str, states: dict[str, int]
) -> None:
    harness = open_campaigns(one="lists")
    await people(database, *CROWD)
    campaign = await begin(harness, database)
    NEXT["one"] += [fault]
    await send_all(harness, database)
    if fault == "vanishes":
        assert (await harness.campaigns.get(campaign.id)).pending == 8, "too early to say that nothing arrived"
        assert sum(got("one").values()) == 12
    advance(700)
    await send_all(harness, database)
    assert Counter(state for state, _ in (await ledger(database)).values()) == states
    assert got("one") == dict.fromkeys(CROWD, 1)
    assert (await harness.campaigns.get(campaign.id)).state == "done"


async def test_nothing_is_sent_again_because_a_services_record_is_late(
    open_campaigns: OpenCampaigns, database: Database, advance: Advance
) -> None:
    harness = open_campaigns(one="lists late")
    await people(database, *CROWD)
    campaign = await begin(harness, database)
    NEXT["one"] += ["lost_answer"]
    for _ in range(4):
        await send_all(harness, database)
        assert (await harness.campaigns.get(campaign.id)).pending == 8
        advance(700)
    advance(86_400)
    await send_all(harness, database)
    assert Counter(state for state, _ in (await ledger(database)).values()) == {"sent": 12, "unknown": 8}
    assert got("one") == dict.fromkeys(CROWD, 1)


async def test_what_a_dead_worker_held_is_settled_by_another_one(
    open_campaigns: OpenCampaigns, database: Database, advance: Advance
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, *CROWD[:8])
    campaign = await begin(harness, database)
    SENT["one"] = []

    async def dies(*_: Any) -> None:
        raise asyncio.CancelledError

    harness.sender._hand_over = dies  # type: ignore[method-assign]
    with pytest.raises(asyncio.CancelledError):
        await harness.sender.send_due()
    other = open_campaigns(two="batches")
    await send_all(other, database)
    assert (await harness.campaigns.get(campaign.id)).pending == 8
    advance(241)
    await send_all(other, database)
    ended = await harness.campaigns.get(campaign.id)
    assert (ended.state, ended.unknown, SENT["two"]) == ("done", 8, [])


async def test_a_worker_that_stood_still_does_not_send_what_another_may_have_taken_over(
    open_campaigns: OpenCampaigns, database: Database, advance: Advance
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada")
    campaign = await begin(harness, database)
    write = harness.sender._render

    def slow(*arguments: Any) -> Any:
        advance(140)
        return write(*arguments)

    harness.sender._render = slow  # type: ignore[method-assign]
    await harness.sender.send_due()
    assert SENT["one"] == [] and (await harness.campaigns.get(campaign.id)).pending == 1
    harness.sender._render = write  # type: ignore[method-assign]
    await send_all(harness, database)
    assert got("one") == {"ada": 1}


@pytest.mark.parametrize("fault", ["refused_connection", "rate_limited"])
async def test_a_service_that_is_away_is_waited_for(
    open_campaigns: OpenCampaigns, database: Database, advance: Advance, fault: str
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, *CROWD)
    campaign = await begin(harness, database)
    NEXT["one"] += [fault]
    await harness.sender.send_due()
    waiting = await harness.campaigns.get(campaign.id)
    assert (waiting.state, waiting.pending, waiting.reason) == (
        "sending",
        20,
        "rate_limited" if fault == "rate_limited" else "unavailable",
    )
    SENT["one"].clear()
    advance(60)
    await send_all(harness, database)
    assert got("one") == dict.fromkeys(CROWD, 1)
    ended = await harness.campaigns.get(campaign.id)
    assert (ended.state, ended.reason) == ("done", None)


async def test_another_service_takes_what_the_first_one_refuses(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches unsigned", two="batches")
    await people(database, "ada")
    await begin(harness, database)
    await send_all(harness, database)
    assert got("two") == {"ada": 1}


async def test_what_only_an_administrator_can_put_right_pauses_it(
    open_campaigns: OpenCampaigns, database: Database, advance: Advance
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada")
    campaign = await begin(harness, database)
    NEXT["one"] += ["unsigned"]
    await send_all(harness, database)
    paused = await harness.campaigns.get(campaign.id)
    assert (paused.state, paused.reason, paused.pending) == ("paused", "settings_invalid", 1)
    SENT["one"].clear()
    advance(61)
    await harness.campaigns.resume(campaign.id, ADMIN)
    await send_all(harness, database)
    assert got("one") == {"ada": 1}


async def test_a_campaign_waits_without_a_service(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns()
    await people(database, "ada")
    campaign = await begin(harness, database)
    await send_all(harness, database)
    assert (await harness.campaigns.get(campaign.id)).reason == "unavailable"
    assert (await harness.campaigns.audience()).reason == "unavailable"


async def test_one_message_that_a_service_chokes_on_does_not_hold_up_the_others(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, *CROWD[:5], "poison", *CROWD[5:])
    await begin(harness, database)
    NEXT["one"] += ["picky"] * 40
    await send_all(harness, database, rounds=30)
    rows = await ledger(database)
    assert rows.pop(POISON.partition("@")[0]) == ("failed", "invalid_request")
    assert set(rows.values()) == {("sent", None)}
    assert got("one") == dict.fromkeys(CROWD, 1)


async def test_what_a_service_says_can_be_kept_whatever_is_in_it(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches odd")
    await people(database, "ada", "eve")
    campaign = await begin(harness, database)
    await send_all(harness, database)
    assert await ledger(database) == {"ada": ("sent", None), "eve": ("failed", "no?")}
    assert (await harness.campaigns.get(campaign.id)).state == "done"


async def test_what_a_service_did_not_take_is_tried_five_times(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches not_now")
    await people(database, "ada")
    await begin(harness, database)
    await send_all(harness, database)
    assert got("one") == {"ada": 5}
    assert await ledger(database) == {"ada": ("failed", "busy")}


async def test_it_stops_by_itself_when_too_many_bounce(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="batches bounces")
    await people(database, *(f"reader{number}" for number in range(60)))
    campaign = await begin(harness, database)
    await send_all(harness, database)
    paused = await harness.campaigns.get(campaign.id)
    assert (paused.state, paused.reason, paused.failed) == ("paused", "too_many_failures", 24)
    await harness.campaigns.resume(campaign.id, ADMIN)
    await send_all(harness, database, rounds=1)
    assert (await harness.campaigns.get(campaign.id)).state == "sending", (
        "the failures that were seen do not count again"
    )


async def test_a_slow_pace_is_kept_over_all_workers(
    open_campaigns: OpenCampaigns, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = clock.now_unix()
    monkeypatch.setattr(clock, "now_unix", lambda: moment)  # or the machine may be slower than the rate
    harnesses = [open_campaigns(one="batches") for _ in range(2)]
    await people(database, *CROWD)
    await begin(harnesses[0], database)
    for harness in harnesses:
        await harness.sender.send_due()
    assert len(SENT["one"]) == 8, "the second batch waits for its time"
    async with database.read() as connection:
        assert (await connection.execute(select(EmailBatch.id))).all() == []
        batches = await connection.execute(select(EmailRecipient.batch_id).where(EmailRecipient.state == "sent"))
        assert len(set(batches.scalars())) == 1
