"""An invoice is a readable PDF, in every script of users' names."""

import io
import unicodedata
from pathlib import Path

import pypdf
import pytest

from kernel.spi import NotFound, Unavailable
from plugins.sandbox_payments.document import money
from plugins.sandbox_payments.provider import SandboxPayments
from tests.sandbox.bank import MONTH, TRIAL, YEAR, YEN, customer, open_bank, start, subscribe

pytestmark = pytest.mark.anyio


def read(document: bytes) -> str:
    pages = pypdf.PdfReader(io.BytesIO(document)).pages
    assert len(pages) == 1
    return unicodedata.normalize("NFKC", pages[0].extract_text())  # letters, in whatever form they were drawn


async def latest(bank: SandboxPayments, who: str) -> str:
    return read(await bank.invoice_pdf((await bank.invoices(who))[0].id))


@pytest.mark.parametrize(("price", "total"), [(MONTH, "USD 19.00"), (YEAR, "USD 190.00"), (YEN, "JPY 500")])
async def test_a_paid_invoice_says_who_what_and_how_much(bank: SandboxPayments, price: str, total: str) -> None:
    truth = await subscribe(bank, price=price)
    text = await latest(bank, truth.customer)
    (invoice,) = await bank.invoices(truth.customer)
    for part in ("Coverwright", invoice.number, "Ada Reader", "@example.org", "Pro, one", "ending in 4242", "no money"):
        assert part in text
    assert f"Total {total}" in text.replace("\n", " ")
    assert text.count(total) == 2, "the line and the sum"


async def test_a_credit_is_shown_and_the_sum_is_right(bank: SandboxPayments) -> None:
    truth = await subscribe(bank, price=YEAR)
    await bank.change_price(truth.ref, price=MONTH, idempotency_key="k")
    text = (await latest(bank, truth.customer)).replace("\n", " ")
    assert "Pro, one month USD 19.00" in text and "USD -19.00" in text and "Total USD 0.00" in text
    assert "Nothing to pay" in text


async def test_a_trial_and_an_unpaid_invoice_say_so(bank: SandboxPayments) -> None:
    trial = await subscribe(bank, price=TRIAL)
    assert "14 days free" in await latest(bank, trial.customer)
    waiting = await start(bank)
    assert "Open" in await latest(bank, waiting.subscription.customer)
    await bank.cancel(waiting.subscription.ref, at_period_end=False, idempotency_key="k")
    assert "Void" in await latest(bank, waiting.subscription.customer)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Jürgen Größe", "Jürgen Größe"),
        ("François Lefèvre", "François Lefèvre"),
        ("José Ñandú", "José Ñandú"),
        ("Niccolò Zà", "Niccolò Zà"),
        ("João Gonçalves", "João Gonçalves"),
        ("Анна Иванова", "Анна Иванова"),
        ("김민수", "김민수"),
        ("山田 太郎", "山田 太郎"),
        ("王小明", "王小明"),
        ("مريم الكاتبة", "مريم"),
        ("अनिता शर्मा", "नता"),
        ("Ada " + "Reader-" * 20 + "Smith", "Reader-Reader-Reader"),
    ],
)
async def test_names_are_real_text(bank: SandboxPayments, name: str, shown: str) -> None:
    assert shown in await latest(bank, (await subscribe(bank, who=await customer(bank, name))).customer)


async def test_a_name_that_no_face_has_gives_way_to_the_address(bank: SandboxPayments) -> None:
    text = await latest(bank, (await subscribe(bank, who=await customer(bank, "דוד"))).customer)
    assert text.count("@example.org") == 1


async def test_it_says_where_the_seller_is_and_what_was_refunded(tmp_path: Path) -> None:
    bank = open_bank(tmp_path, letterhead="1 Long Lane\nLondon N1\nVAT GB 123")
    truth = await subscribe(bank)
    (invoice,) = await bank.invoices(truth.customer)
    before = await latest(bank, truth.customer)
    assert "1 Long Lane" in before and "VAT GB 123" in before and "Refunded" not in before
    await bank.refund(invoice.id, total=420)
    after = (await latest(bank, truth.customer)).replace("\n", " ")
    assert "Refunded on" in after and "USD -4.20" in after and "Total USD 19.00" in after
    await bank.aclose()


async def test_the_same_invoice_is_the_same_document(bank: SandboxPayments) -> None:
    truth = await subscribe(bank)
    (invoice,) = await bank.invoices(truth.customer)
    assert await bank.invoice_pdf(invoice.id) == await bank.invoice_pdf(invoice.id)


async def test_without_fonts_the_document_is_not_there_and_the_bank_is(
    bank: SandboxPayments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = await subscribe(bank)
    (invoice,) = await bank.invoices(truth.customer)
    monkeypatch.setenv("COVERWRIGHT_FONTS", str(tmp_path / "nowhere"))
    with pytest.raises(Unavailable):
        await bank.invoice_pdf(invoice.id)
    assert (await bank.subscription(truth.ref)).state == "active"


async def test_documents_of_a_deleted_customer_are_gone(bank: SandboxPayments) -> None:
    truth = await subscribe(bank)
    (invoice,) = await bank.invoices(truth.customer)
    await bank.delete_customer(truth.customer)
    with pytest.raises(NotFound):
        await bank.invoice_pdf(invoice.id)


@pytest.mark.parametrize(
    ("amount", "currency", "written"),
    [
        (1900, "usd", "USD 19.00"),
        (5, "eur", "EUR 0.05"),
        (-420, "usd", "USD -4.20"),
        (123_456_789, "eur", "EUR 1,234,567.89"),
        (500, "jpy", "JPY 500"),
        (2_900, "isk", "ISK 2,900"),
        (1_234, "kwd", "KWD 1.234"),
    ],
)
def test_amounts_have_the_places_of_their_currency(amount: int, currency: str, written: str) -> None:
    assert money(amount, currency) == written
