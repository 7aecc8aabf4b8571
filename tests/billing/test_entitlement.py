"""The one rule of who is Pro, for every state."""

import pytest

from kernel.billing.entitlement import DAY_S, entitled

NOW = 1_800_000_000
GRACE_S = 7 * DAY_S


def pro(state: str, **known: int | None) -> bool:
    given = {"period_end": NOW + DAY_S, "cancel_at": None, "past_due_since": None} | known
    return entitled(state, now=NOW, grace_s=GRACE_S, **given)


@pytest.mark.parametrize("state", ["active", "trialing"])
def test_what_is_paid_or_tried_is_pro(state: str) -> None:
    assert pro(state)
    assert pro(state, period_end=None)


@pytest.mark.parametrize("state", ["incomplete", "unpaid", "paused", "canceled", "incomplete_expired", "", "ACTIVE"])
def test_what_is_not_paid_is_not_pro(state: str) -> None:
    assert not pro(state)
    assert not pro(state, past_due_since=NOW)


@pytest.mark.parametrize("state", ["active", "trialing"])
def test_a_cancellation_counts_from_its_day_on(state: str) -> None:
    assert pro(state, cancel_at=NOW + 1)
    assert not pro(state, cancel_at=NOW)
    assert not pro(state, cancel_at=NOW - 1)


@pytest.mark.parametrize("state", ["active", "trialing"])
def test_a_renewal_not_yet_reported_keeps_pro(state: str) -> None:
    assert pro(state, period_end=NOW - DAY_S)
    assert not pro(state, period_end=NOW - GRACE_S)


def test_a_failed_renewal_leaves_seven_days() -> None:
    assert pro("past_due", past_due_since=NOW)
    assert pro("past_due", past_due_since=NOW - GRACE_S + 1)
    assert not pro("past_due", past_due_since=NOW - GRACE_S)
    assert not pro("past_due", past_due_since=None)
    assert not pro("past_due", past_due_since=NOW, cancel_at=NOW - 1)
