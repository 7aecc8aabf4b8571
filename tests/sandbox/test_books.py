"""The database survives restarts and crashes, and several processes write to it at the same time."""

import asyncio
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path

import pytest

from kernel.spi import CustomerRequest, InvalidRequest, SettingsInvalid, StartRequest, Unavailable
from kernel.spi.testing import FakeContext
from plugins.sandbox_payments import SANDBOX
from plugins.sandbox_payments.provider import SandboxPayments
from plugins.sandbox_payments.settings import SandboxSettings
from tests.sandbox.bank import MONTH, YEAR, customer, open_bank, secret_of, start, subscribe, typed

pytestmark = pytest.mark.anyio

PERSON = CustomerRequest(user_ref="user-1", email="ada@example.org", name="Ada", idempotency_key="person-1")


async def test_everything_is_there_after_a_restart(tmp_path: Path) -> None:
    first = open_bank(tmp_path)
    truth = await subscribe(first)
    waiting = await start(first)
    await first.advance(3)
    clock, bills = await first.now(), await first.invoices(truth.customer)
    await first.aclose()
    second = open_bank(tmp_path)
    assert await second.subscription(truth.ref) == truth
    assert await second.invoices(truth.customer) == bills
    assert 0 <= await second.now() - clock < 60, "the clock stays where it was moved to"
    assert (await second.subscription(waiting.subscription.ref)).state == "canceled"
    await second.aclose()


async def test_the_same_wish_has_the_same_ids_in_every_process(tmp_path: Path) -> None:
    told = []
    for _ in range(2):
        bank = open_bank(tmp_path)
        who = await bank.ensure_customer(PERSON)
        wish = StartRequest(customer=who, price=MONTH, user_ref="user-1", return_url="", idempotency_key="start-1")
        started = await bank.start_subscription(wish)
        told.append((who, started.subscription, started.client))
        await bank.aclose()
    assert told[0] == told[1]


async def test_another_bank_has_other_ids(bank: SandboxPayments, tmp_path: Path) -> None:
    other = open_bank(tmp_path / "other")
    assert await bank.ensure_customer(PERSON) != await other.ensure_customer(PERSON)
    assert secret_of(await start(bank)) != secret_of(await start(other))
    await other.aclose()


async def test_a_key_is_good_for_one_order(bank: SandboxPayments) -> None:
    who = await customer(bank)
    orders = [
        StartRequest(customer=who, price=price, user_ref="", return_url="", idempotency_key="once")
        for price in (MONTH, YEAR)
    ]
    await bank.start_subscription(orders[0])
    with pytest.raises(InvalidRequest):
        await bank.start_subscription(orders[1])
    assert [entry.price for entry in await bank.subscriptions(who)] == [MONTH]


async def test_a_deleted_user_can_register_as_a_new_one(bank: SandboxPayments) -> None:
    first = await bank.ensure_customer(PERSON)
    await bank.delete_customer(first)
    second = await bank.ensure_customer(PERSON)
    assert second != first and await bank.ensure_customer(PERSON) == second
    assert await bank.subscriptions(second) == ()


async def test_a_known_customer_gets_the_new_name_and_address(bank: SandboxPayments, tmp_path: Path) -> None:
    who = await bank.ensure_customer(PERSON)
    later = CustomerRequest(user_ref="user-1", email="new@example.org", name="Ada N.", idempotency_key="2", known=who)
    assert await bank.ensure_customer(later) == who
    with closing(sqlite3.connect(tmp_path / "instance" / "bank.db")) as books:
        assert books.execute("SELECT email, name FROM customer").fetchall() == [("new@example.org", "Ada N.")]


async def test_several_processes_make_one_subscription_and_one_payment(tmp_path: Path) -> None:
    script = """
        import asyncio, sys
        from pathlib import Path
        from kernel.spi import CustomerRequest, SandboxClient, StartRequest
        from tests.sandbox.bank import MONTH, open_bank, secret_of, subscribe, typed

        async def main():
            bank = open_bank(Path(sys.argv[1]))
            person = CustomerRequest(user_ref="u", email="a@b.example", name="Ada", idempotency_key="same")
            who = await bank.ensure_customer(person)
            wish = StartRequest(customer=who, price=MONTH, user_ref="u", return_url="", idempotency_key="same")
            started = await bank.start_subscription(wish)
            if isinstance(started.client, SandboxClient):  # nobody was quicker
                assert (await bank.pay(secret_of(started), typed("succeeds"))).status == "succeeded"
            for _ in range(10):
                await subscribe(bank, who=who)
            await bank.aclose()

        asyncio.run(main())
    """
    command = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path)]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    ends = [await asyncio.to_thread(process.communicate, timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, ends
    bank = open_bank(tmp_path)
    who = await bank.ensure_customer(CustomerRequest(user_ref="u", email="a@b.example", idempotency_key="same"))
    assert len(await bank.subscriptions(who)) == 1 + 4 * 10
    bills = await bank.invoices(who, limit=100)
    assert [bill.number for bill in bills] == [f"SBX-{number:06d}" for number in range(41, 0, -1)]
    assert {bill.state for bill in bills} == {"paid"}
    await bank.aclose()


async def test_a_time_that_comes_is_charged_once_whoever_looks_first(tmp_path: Path) -> None:
    banks = [open_bank(tmp_path) for _ in range(4)]
    truth = await subscribe(banks[0])
    with closing(sqlite3.connect(tmp_path / "instance" / "bank.db")) as books:
        books.execute("UPDATE meta SET value = ? WHERE name = 'offset'", (str(32 * 86_400),))
        books.commit()
    seen = await asyncio.gather(*(bank.subscription(truth.ref) for bank in banks for _ in range(4)))
    assert len(set(seen)) == 1
    assert len(await banks[0].invoices(truth.customer)) == 2
    for bank in banks:
        await bank.aclose()


async def test_subscribers_keep_the_price_they_subscribed_with(tmp_path: Path) -> None:
    cheap = open_bank(tmp_path)
    truth = await subscribe(cheap)
    await cheap.aclose()
    dear = open_bank(tmp_path, monthly=2500, trial_days=0)
    ids = [price.id for product in await dear.products() for price in product.prices]
    assert ids == ["price_month_2500_usd", "price_year_19000_usd", "price_month_500_jpy"]
    late = await subscribe(dear, price=MONTH)
    assert late.price == MONTH, "the price that an administrator chose goes on being sold"
    await dear.advance(32)
    assert [bill.paid.amount for bill in await dear.invoices(truth.customer)] == [1900, 1900]
    await dear.aclose()


@pytest.mark.parametrize("currency", ["usd", "jpy", "eur"])
async def test_prices_have_ids_of_their_own_in_every_currency(tmp_path: Path, currency: str) -> None:
    bank = open_bank(tmp_path, currency=currency, monthly=500)
    (product,) = await bank.products()
    assert len({price.id for price in product.prices}) == len(product.prices) >= 3
    await bank.aclose()


def test_a_public_site_is_refused_unless_it_is_wanted(tmp_path: Path) -> None:
    context = FakeContext(tmp_path)
    with pytest.raises(SettingsInvalid) as refused:
        SANDBOX.build(SandboxSettings(), context)
    assert refused.value.field == "allow_on_https"
    assert SANDBOX.build(SandboxSettings(allow_on_https=True), context).capabilities().live is False
    context.public_url = "http://covers.example"
    assert SANDBOX.build(SandboxSettings(), context).capabilities().live is False


async def test_it_says_that_no_money_moves(bank: SandboxPayments) -> None:
    report = await bank.check()
    assert report.ok and any("no money moves" in step.detail for step in report.steps)
    assert "no real money" in SANDBOX.label and "no real money" in SANDBOX.summary
    assert "no money moves" in (await bank.products())[0].description


async def test_an_invalid_ledger_fails_the_check_without_effect(tmp_path: Path) -> None:
    (tmp_path / "instance").mkdir()
    (tmp_path / "instance" / "bank.db").write_text("not the books " * 100)
    bank = open_bank(tmp_path)
    assert not (await bank.check()).ok
    with pytest.raises(SettingsInvalid):
        await customer(bank)
    assert (tmp_path / "instance" / "bank.db").read_text().startswith("not the books"), "left as it is"
    await bank.aclose()


async def test_a_path_that_is_not_a_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "instance").write_text("not a folder")
    bank = open_bank(tmp_path)
    with pytest.raises(SettingsInvalid, match="data folder"):
        await customer(bank)
    await bank.aclose()


async def test_others_on_this_machine_cannot_read_the_books(bank: SandboxPayments, tmp_path: Path) -> None:
    await subscribe(bank)
    files = [path for path in (tmp_path / "instance").iterdir() if path.name.startswith("bank.db")]
    assert files and all(path.stat().st_mode & 0o077 == 0 for path in files)


async def test_a_closed_bank_says_so(tmp_path: Path) -> None:
    bank = open_bank(tmp_path)
    started = await start(bank)
    await bank.aclose()
    with pytest.raises(Unavailable):
        await bank.pay(secret_of(started), typed("succeeds"))
