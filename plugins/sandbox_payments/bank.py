"""The bank's operations for customers and the site. Blocking; runs in a thread."""

import hmac
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from kernel.spi import (
    BillingDetails,
    BillingRefusal,
    ChangePreview,
    CustomerRequest,
    FormResult,
    InvalidRequest,
    NotFound,
    PaymentCard,
    PromotionPreview,
    PromotionRefusal,
    StartRequest,
    TaxPreview,
)
from plugins.sandbox_payments import cards, changes, pauses, promotions, refunds, taxes
from plugins.sandbox_payments.books import BookFile, Books
from plugins.sandbox_payments.catalogue import prices
from plugins.sandbox_payments.dues import (
    CUSTOMER,
    SUBSCRIPTION,
    add_invoice,
    begin_period,
    bill,
    catch_up,
    end,
    pay,
)
from plugins.sandbox_payments.months import months_after
from plugins.sandbox_payments.rows import DAY_S, Customer, Event, Invoice, InvoiceLine, Subscription
from plugins.sandbox_payments.settings import SandboxSettings

MOST_DAYS: Final = 366
CARD_SECRET: Final = "sbx_card_"
FURTHEST_DAYS: Final = 20_000
"""How far the bank's clock may be ahead: a bit more than fifty years."""


def _card_secret(books: Books, ref: str) -> str:
    return f"{CARD_SECRET}{ref}_{books.digest('card', ref)}"


class Bank:
    """The bank. Every method is one transaction, which first processes everything that has become due."""

    def __init__(self, folder: Path, settings: SandboxSettings) -> None:
        self._settings = settings
        self._file = BookFile(folder, prices(settings))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def ensure_customer(self, request: CustomerRequest) -> str:
        """Return the known customer, or the one of this key, or a new one."""
        with self._changing() as books:
            row = self._find(books, request.known) or self._of_key(books, request)
            row.email, row.name = request.email, request.name
            books.save_customer(row)
            return row.id

    def _find(self, books: Books, customer: str | None) -> Customer | None:
        try:
            return books.customer(customer) if customer else None
        except NotFound:
            return None

    def _of_key(self, books: Books, request: CustomerRequest) -> Customer:
        """Return the customer of an idempotency key. A deleted one is not restored: the next one follows."""
        generation = 0
        while True:
            customer = f"cus_{books.digest('customer', request.user_ref, request.idempotency_key, str(generation))}"
            if (known := self._find(books, customer)) is not None:
                return known
            if books.execute("SELECT 1 FROM customer WHERE id = ?", customer).fetchone() is None:
                return Customer(id=customer, user_ref=request.user_ref, email=request.email, name=request.name)
            generation += 1

    def start(self, request: StartRequest) -> tuple[Subscription, Invoice | None]:
        """Return the subscription of this key and its open invoice. Raises NotFound and InvalidRequest."""
        with self._changing() as books:
            buyer = books.customer(request.customer)
            price, code = books.price(request.price), request.promotion_code
            ref = f"sub_{books.digest('subscription', request.idempotency_key)}"
            try:
                row = books.subscription(ref)
            except NotFound:
                pass
            else:
                if (row.customer, row.price, row.promotion) != (request.customer, request.price, code or ""):
                    raise InvalidRequest("this idempotency key was used for another order")
                return row, books.open_invoice(ref)
            promotions.check(books, request.customer, price, code)
            tax_rate, tax_name = taxes.tax_of(buyer) if self._settings.taxes else (None, "")
            now, trial = books.now, price.trial_days
            row = Subscription(
                ref=ref,
                customer=request.customer,
                price=price.id,
                amount=price.amount,
                currency=price.currency,
                months=price.months,
                trial_days=trial,
                created=now,
                anchor=now,
                period_start=now,
                period_end=now + trial * DAY_S if trial else months_after(now, price.months),
                promotion=code or "",
                tax_rate=tax_rate,
                tax_name=tax_name,
            )
            books.add_event(SUBSCRIPTION, row.customer, row.ref)
            free = [InvoiceLine(f"Pro, {trial} days free", 0)]
            invoice = add_invoice(books, row, free, now) if trial else bill(books, row, now)
            books.save_subscription(row)
            return row, invoice

    def preview_promotion(self, customer: str, price: str, code: str) -> PromotionPreview | PromotionRefusal:
        """Return what a start with a promotion code would charge. Raises NotFound."""
        with self._reading() as books:
            buyer = books.customer(customer)
            rate = taxes.tax_of(buyer)[0] if self._settings.taxes else None
            taxed = partial(taxes.with_tax, rate=rate)
            return promotions.preview(books, customer, books.price(price), code, taxed)

    def billing_details(self, customer: str) -> BillingDetails | None:
        """Return a customer's billing details. Raises NotFound."""
        with self._reading() as books:
            return taxes.details_of(books.customer(customer))

    def save_billing_details(self, customer: str, details: BillingDetails) -> BillingDetails | BillingRefusal:
        """Store billing details: they count from the next invoice on. Raises NotFound."""
        with self._changing() as books:
            row = books.customer(customer)
            if wrong := taxes.faults(details):
                return BillingRefusal(faults=wrong)
            row.billing = msgspec.json.encode(details).decode()
            books.save_customer(row)
            for subscription in books.subscriptions(customer):
                if subscription.tax_rate is not None:
                    subscription.tax_rate, subscription.tax_name = taxes.tax_of(row)
                    books.save_subscription(subscription)
            return details

    def preview_taxes(self, customer: str, price: str, code: str | None) -> TaxPreview:
        """Return what a start would charge, with taxes. Raises NotFound and InvalidRequest."""
        with self._reading() as books:
            return taxes.preview(books.customer(customer), books.price(price), code)

    def pay(self, secret: str, card: PaymentCard, *, confirmed: bool) -> FormResult:
        """Pay an open invoice, or put another card in place of the one of a subscription. Raises NotFound."""
        if secret.startswith(CARD_SECRET):
            return self._take_card(secret, card, confirmed=confirmed)
        with self._changing() as books:
            invoice = books.invoice_of(secret)
            if invoice.state == "paid":
                return cards.PAID
            if invoice.state != "open":
                raise NotFound("there is nothing to pay any more")
            if (refused := cards.refusal(card, books.now)) is not None:
                return refused
            outcome = cards.outcome(card) or "declined"
            last = cards.digits(card.number)[-4:]
            if cards.asks(outcome) and not (confirmed and invoice.challenge == last):
                invoice.challenge = last
                books.save_invoice(invoice)
                return cards.CONFIRM
            row = books.subscription(invoice.subscription)
            row.card, row.outcome, row.expiry = last, outcome, cards.expiry(card)
            self._begin_or_resume(row, invoice, books.now)
            books.save_subscription(row)
            pay(books, row, invoice, books.now)
            books.add_event(SUBSCRIPTION, row.customer, row.ref)
            return cards.PAID

    def card_secret(self, ref: str) -> tuple[str, int]:
        """Return what another card is given with, and when it is charged. Raises NotFound and InvalidRequest."""
        with self._reading() as books:
            row = books.subscription(ref)
            if row.state not in ("active", "trialing"):
                raise InvalidRequest("this subscription is not paid")
            return _card_secret(books, ref), row.period_end

    def _take_card(self, secret: str, card: PaymentCard, *, confirmed: bool) -> FormResult:
        ref = secret.removeprefix(CARD_SECRET).rpartition("_")[0]
        with self._changing() as books:
            row = books.subscription(ref)
            if not hmac.compare_digest(secret, _card_secret(books, ref)) or row.state not in ("active", "trialing"):
                raise NotFound("there is no such form any more")
            if (refused := cards.refusal(card, books.now)) is not None:
                return refused
            outcome = cards.outcome(card) or "declined"
            if cards.asks(outcome) and not confirmed:
                return cards.CONFIRM
            row.card, row.outcome, row.expiry = cards.digits(card.number)[-4:], outcome, cards.expiry(card)
            books.save_subscription(row)
            books.add_event(SUBSCRIPTION, row.customer, row.ref)
            return cards.PAID

    def _begin_or_resume(self, row: Subscription, invoice: Invoice, now: int) -> None:
        """Set the period that a payment by the customer begins: a first one, a free one, or one after a break."""
        if row.state == "incomplete" and row.trial_days:
            row.state, row.period_start = "trialing", now
            row.period_end = row.trial_end = now + row.trial_days * DAY_S
        elif row.state != "past_due":
            if row.state == "incomplete":
                promotions.begin(row, now)
            row.state = "active"
            begin_period(row, now)
        row.next_try, row.tries = None, 0
        if row.state == "past_due":
            row.state = "active"
        invoice.period_start, invoice.period_end = row.period_start, row.period_end

    def open_invoice(self, ref: str) -> Invoice | None:
        """Return what is to be paid for a subscription. Raises NotFound."""
        with self._reading() as books:
            books.subscription(ref)
            return books.open_invoice(ref)

    def subscription(self, ref: str) -> Subscription:
        """Return a subscription. Raises NotFound."""
        with self._reading() as books:
            return books.subscription(ref)

    def subscriptions(self, customer: str) -> list[Subscription]:
        """Return those that have not ended, newest first. Raises NotFound."""
        with self._reading() as books:
            books.customer(customer)
            return books.subscriptions(customer)

    def cancel(self, ref: str, *, at_period_end: bool) -> Subscription:
        """End a subscription, or let it end. Raises NotFound."""
        with self._changing() as books:
            row = books.subscription(ref)
            if row.state == "canceled":
                return row
            if at_period_end and row.live and row.period_end > books.now:
                if row.ends:
                    return row
                row.ends, row.canceled_at, row.paused_until = 1, books.now, None
                books.add_event(SUBSCRIPTION, row.customer, row.ref)
            else:
                end(books, row, books.now)
            books.save_subscription(row)
            return row

    def reactivate(self, ref: str) -> Subscription:
        """Take back a cancellation. Raises NotFound and InvalidRequest."""
        with self._changing() as books:
            row = books.subscription(ref)
            if row.state == "canceled":
                raise InvalidRequest("the subscription has ended")
            if row.ends:
                row.ends, row.canceled_at = 0, None
                books.save_subscription(row)
                books.add_event(SUBSCRIPTION, row.customer, row.ref)
            return row

    def pause(self, ref: str, months: int) -> Subscription:
        """Put off the next payments. Raises NotFound and InvalidRequest."""
        with self._changing() as books:
            return pauses.pause(books, books.subscription(ref), months)

    def resume(self, ref: str) -> Subscription:
        """End a pause. Raises NotFound, InvalidRequest, and PaymentDeclined without any change."""
        with self._changing() as books:
            return pauses.resume(books, books.subscription(ref))

    def preview_change(self, ref: str, price: str) -> ChangePreview:
        """Return what a change of price would charge. Raises NotFound and InvalidRequest."""
        with self._reading() as books:
            return changes.preview(books.subscription(ref), books.price(price), books.now)

    def change_price(self, ref: str, price: str, as_of: int | None = None) -> Subscription:
        """Change to another price. Raises NotFound, InvalidRequest, and PaymentDeclined without any change."""
        with self._changing() as books:
            return changes.change(books, books.subscription(ref), books.price(price), as_of)

    def change_at_renewal(self, ref: str, price: str) -> Subscription:
        """Change the price from the next renewal on. Raises NotFound and InvalidRequest."""
        with self._changing() as books:
            return changes.change_at_renewal(books, books.subscription(ref), books.price(price))

    def invoices(self, customer: str, limit: int) -> list[Invoice]:
        """Return the latest invoices, newest first. Raises NotFound."""
        with self._reading() as books:
            books.customer(customer)
            return books.invoices(customer, max(1, limit))

    def invoice(self, invoice: str) -> tuple[Invoice, Customer]:
        """Return an invoice and its customer. Raises NotFound."""
        with self._reading() as books:
            row = books.invoice(invoice)
            return row, books.customer(row.customer)

    def refund(self, invoice: str, total: int) -> None:
        """Refund an invoice until this much is refunded in all. Raises NotFound and InvalidRequest."""
        with self._changing() as books:
            refunds.refund(books, books.invoice(invoice), total)

    def delete_customer(self, customer: str) -> None:
        """End every subscription and delete the name; do nothing for an unknown customer."""
        with self._changing() as books:
            if (row := self._find(books, customer)) is None:
                return
            for subscription in books.subscriptions(customer):
                end(books, subscription, books.now)
                books.save_subscription(subscription)
            books.save_customer(msgspec.structs.replace(row, deleted=1, email="", name="", user_ref="", billing=""))
            books.execute("UPDATE invoice SET buyer = '' WHERE customer = ?", customer)
            books.add_event(CUSTOMER, customer)

    def now(self) -> int:
        """Return the bank's time."""
        with self._reading() as books:
            return books.now

    def advance(self, days: int) -> int:
        """Advance the time and return it. Raises InvalidRequest."""
        if not 1 <= days <= MOST_DAYS:
            raise InvalidRequest(f"the number of days must be from 1 to {MOST_DAYS}", field="days")
        with self._changing() as books:
            if books.moved + days * DAY_S > FURTHEST_DAYS * DAY_S:
                raise InvalidRequest("the clock is too far ahead already", field="days")
            books.move_clock(days * DAY_S)
            catch_up(books, self._settings.after_retries)
            return books.now

    def secret(self) -> bytes:
        """Return the secret that signs webhooks."""
        with self._file.open(change=False) as books:
            return books.secret

    def claim_event(self, wait_s: float, most_tries: int) -> Event | None:
        """Take the next event that is to be delivered."""
        with self._file.open(change=True) as books:
            return books.claim_event(wait_s, most_tries)

    def next_event_s(self) -> float | None:
        """Return in how many seconds an event is to be delivered; None when there is none."""
        with self._file.open(change=False) as books:
            return books.next_event_s()

    def event_delivered(self, event: str) -> None:
        """Record the delivery of an event."""
        with self._file.open(change=True) as books:
            books.event_delivered(event)

    @contextmanager
    def _changing(self) -> Iterator[Books]:
        with self._file.open(change=True) as books:
            catch_up(books, self._settings.after_retries)
            yield books

    @contextmanager
    def _reading(self) -> Iterator[Books]:
        with self._file.open(change=False) as books:
            due = books.next_due() is not None
            if not due:
                yield books
        if due:
            with self._changing() as books:
                yield books
