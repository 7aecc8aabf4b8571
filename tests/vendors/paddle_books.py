"""Paddle's books: catalogue, customers, transactions, subscriptions, adjustments and events, in memory.

After developer.paddle.com/api-reference, read 2026-11: there are no subscriptions before a payment, one customer for an
email address, and nobody is deleted.
"""

import itertools
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

Thing = dict[str, Any]

LENGTHS: Final = {"day": 1, "week": 7, "month": 30, "year": 365}
CARD: Final = {"type": "visa", "last4": "4242", "expiry_month": 12, "expiry_year": 2040}
OPENED: Final = ("draft", "ready")


class Refused(Exception):
    """An error of the API: a status, a code and a sentence."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail = status, code, detail


def stamp(moment: datetime) -> str:
    """Return a time as Paddle writes it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def moment(text: str) -> datetime:
    """Return the time that a text names."""
    return datetime.fromisoformat(text)


class Books:
    """What the vendor knows. `declines`: the bank declines what is charged without the payer."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self.products: dict[str, Thing] = {}
        self.prices: dict[str, Thing] = {}
        self.customers: dict[str, Thing] = {}
        self.transactions: dict[str, Thing] = {}
        self.subscriptions: dict[str, Thing] = {}
        self.destinations: dict[str, Thing] = {}
        self.events: list[Thing] = []
        self.declines = False
        product = self._add(self.products, "pro", name="Pro", description="Everything", status="active")
        self.product = product["id"]
        self.month = self.add_price("1900", "USD", "month")
        self.year = self.add_price("19000", "USD", "year")
        self.other_month = self.add_price("2100", "USD", "month")
        self.yen = self.add_price("500", "JPY", "month")
        self.trial = self.add_price("1900", "USD", "month", trial=14)

    def new_id(self, kind: str) -> str:
        """Return an id that is longer than all before: Paddle's sort by their time."""
        return f"{kind}_01{next(self._numbers):024d}"

    def _add(self, things: dict[str, Thing], kind: str, **fields: Any) -> Thing:
        thing = {"id": self.new_id(kind), "created_at": stamp(datetime.now(UTC)), **fields}
        things[thing["id"]] = thing
        return thing

    def add_price(self, amount: str, currency: str, interval: str | None, *, trial: int = 0) -> str:
        """Add a price and return its id."""
        price = self._add(
            self.prices,
            "pri",
            product_id=self.product,
            status="active",
            unit_price={"amount": amount, "currency_code": currency},
            billing_cycle={"interval": interval, "frequency": 1} if interval else None,
            trial_period={"interval": "day", "frequency": trial} if trial else None,
        )
        return str(price["id"])

    @staticmethod
    def find(things: Mapping[str, Thing], ref: str) -> Thing:
        """Return one thing. Raises Refused."""
        if ref not in things:
            raise Refused(404, "not_found", f"Entity {ref} not found")
        return things[ref]

    def tell(self, kind: str, data: Thing) -> Thing:
        """Note an event and return it."""
        event = {
            "event_id": self.new_id("evt"),
            "event_type": kind,
            "occurred_at": stamp(datetime.now(UTC)),
            "notification_id": self.new_id("ntf"),
            "data": dict(data),
        }
        self.events.append(event)
        return event

    # customers

    def add_customer(self, form: Thing) -> Thing:
        """Make a customer. Raises Refused for an address that another one has."""
        self._check_address(form["email"], None)
        fields = {"name": None, "custom_data": None, "status": "active", "locale": "en", **form}
        made = self._add(self.customers, "ctm", **fields)
        self.tell("customer.created", made)
        return made

    def change_customer(self, ref: str, form: Thing) -> Thing:
        """Change a customer. Raises Refused."""
        found = self.find(self.customers, ref)
        if "email" in form:
            self._check_address(form["email"], ref)
        found |= form
        self.tell("customer.updated", found)
        return found

    def _check_address(self, email: str, mine: str | None) -> None:
        for other in self.customers.values():
            if other["email"].lower() == email.lower() and other["id"] != mine:
                text = f"customer email conflicts with customer of id {other['id']}"
                raise Refused(409, "customer_already_exists", text)

    # transactions

    def begin(self, form: Thing) -> Thing:
        """Make a transaction for a checkout. Raises Refused."""
        customer = self.find(self.customers, form["customer_id"])
        if customer["status"] == "archived":
            raise Refused(400, "transaction_customer_not_active", "The customer is archived")
        prices = [self.find(self.prices, item["price_id"]) for item in form["items"]]
        return self._sale(customer["id"], prices[0], "api", "draft", custom_data=form.get("custom_data"))

    def _sale(
        self, customer: str, price: Thing, origin: str, status: str, *, amount: int | None = None, **more: Any
    ) -> Thing:
        whole = (0 if price["trial_period"] else int(price["unit_price"]["amount"])) if amount is None else amount
        totals = {"subtotal": str(whole), "tax": "0", "total": str(whole), "grand_total": str(whole)}
        fields = {
            "status": status,
            "customer_id": customer,
            "address_id": None,
            "origin": origin,
            "collection_mode": "automatic",
            "currency_code": price["unit_price"]["currency_code"],
            "subscription_id": None,
            "invoice_number": None,
            "custom_data": None,
            "billed_at": None,
            "items": [{"price": dict(price), "quantity": 1}],
            "details": {"totals": totals},
            "payments": [],
            "adjustments": [],
        }
        made = self._add(self.transactions, "txn", **(fields | more))
        self.tell("transaction.created", made)
        return made

    def change_sale(self, ref: str, form: Thing) -> Thing:
        """Change a transaction. Raises Refused."""
        found = self.find(self.transactions, ref)
        if found["status"] not in OPENED:
            raise Refused(400, "transaction_immutable", "Cannot update immutable transaction")
        if form.get("status") == "canceled" and found["status"] == "draft":
            text = "Invalid attempt to change status from 'draft' to 'canceled'"
            raise Refused(400, "transaction_invalid_status_change", text)
        if "status" in form and len(form) > 1:
            raise Refused(400, "transaction_cannot_be_modified_and_canceled", "One at a time")
        found |= form
        return found

    def give_address(self, ref: str) -> None:
        """Do what a payer does first in the checkout: say where they are."""
        self.transactions[ref] |= {"address_id": self.new_id("add"), "status": "ready"}

    def pay(self, ref: str, *, settled: bool = True) -> Thing:
        """Pay in the checkout. Not `settled`: it is paid, and Paddle has not made the subscription yet."""
        sale = self.transactions[ref]
        assert sale["status"] in (*OPENED, "past_due", "paid"), f"nothing to pay: {sale['status']}"
        if sale["status"] != "paid":
            self.give_address(ref)
            payment = {"status": "captured", "method_details": {"type": "card", "card": dict(CARD)}}
            sale |= {"status": "paid", "payments": [payment, *sale["payments"]]}
            self.tell("transaction.paid", sale)
        if not settled:
            return sale
        sale |= {"status": "completed", "billed_at": stamp(datetime.now(UTC)), "invoice_number": self.new_id("325")}
        if sale["subscription_id"] is None:
            sale["subscription_id"] = self._subscribe(sale)["id"]
        elif sale["origin"] == "subscription_recurring":
            found = self.subscriptions[sale["subscription_id"]]
            found["status"] = "active"
            self.tell("subscription.updated", found)
        self.tell("transaction.completed", sale)
        return sale

    def _subscribe(self, sale: Thing) -> Thing:
        price = sale["items"][0]["price"]
        now, trial = datetime.now(UTC), price["trial_period"]
        ends = now + timedelta(days=trial["frequency"] if trial else LENGTHS[price["billing_cycle"]["interval"]])
        period = {"starts_at": stamp(now), "ends_at": stamp(ends)}
        made = self._add(
            self.subscriptions,
            "sub",
            status="trialing" if trial else "active",
            customer_id=sale["customer_id"],
            custom_data=sale["custom_data"],
            collection_mode="automatic",
            canceled_at=None,
            scheduled_change=None,
            current_billing_period=period,
            next_billed_at=stamp(ends),
            items=[{"price": price, "quantity": 1, "trial_dates": period if trial else None}],
        )
        self.tell("subscription.created", made | {"transaction_id": sale["id"]})
        return made

    def refund(self, ref: str, amount: int) -> None:
        """Give back a part of a transaction, as administrators do at Paddle."""
        sale = self.transactions[ref]
        totals = {"total": str(amount), "tax": "0"}
        made = {"action": "refund", "status": "approved", "created_at": stamp(datetime.now(UTC)), "totals": totals}
        sale["adjustments"].append(made)
        self.tell("adjustment.created", {"id": self.new_id("adj"), "customer_id": sale["customer_id"], **made})

    # subscriptions

    def renew(self, ref: str, *, paid: bool) -> Thing:
        """Let a period end, and return the transaction of the next one."""
        found = self.subscriptions[ref]
        price = found["items"][0]["price"]
        status, begins = ("completed" if paid else "past_due"), moment(found["current_billing_period"]["ends_at"])
        ends = stamp(begins + timedelta(days=LENGTHS[price["billing_cycle"]["interval"]]))
        found |= {
            "status": "active" if paid else "past_due",
            "current_billing_period": {"starts_at": stamp(begins), "ends_at": ends},
        }
        more = {"subscription_id": ref, "billed_at": stamp(datetime.now(UTC)), "invoice_number": self.new_id("325")}
        sale = self._sale(found["customer_id"], price, "subscription_recurring", status, **more)
        self.tell("subscription.updated" if paid else "subscription.past_due", found)
        self.tell("transaction.completed" if paid else "transaction.payment_failed", sale)
        return sale

    def cancel(self, ref: str, form: Thing) -> Thing:
        """End a subscription, or let it end. Raises Refused."""
        found = self._changeable(ref)
        if form["effective_from"] == "immediately":
            gone = {"scheduled_change": None, "current_billing_period": None, "next_billed_at": None}
            found |= {"status": "canceled", "canceled_at": stamp(datetime.now(UTC)), **gone}
            self.tell("subscription.canceled", found)
            return found
        if found["scheduled_change"]:
            text = "Cannot change a subscription with scheduled changes"
            raise Refused(400, "subscription_locked_pending_changes", text)
        ends = found["current_billing_period"]["ends_at"]
        found["scheduled_change"] = {"action": "cancel", "effective_at": ends, "resume_at": None}
        self.tell("subscription.updated", found)
        return found

    def change(self, ref: str, form: Thing) -> Thing:
        """Change a subscription: take back what is scheduled, or another price. Raises Refused."""
        found = self._changeable(ref)
        if "scheduled_change" in form:
            found["scheduled_change"] = form["scheduled_change"]
        elif found["scheduled_change"]:
            text = "Cannot change a subscription with scheduled changes"
            raise Refused(400, "subscription_locked_pending_changes", text)
        if "items" in form:
            self._change_price(
                found, self.find(self.prices, form["items"][0]["price_id"]), form["proration_billing_mode"]
            )
        self.tell("subscription.updated", found)
        return found

    def _change_price(self, found: Thing, price: Thing, mode: str) -> None:
        before = found["items"][0]["price"]
        if found["status"] == "trialing" and mode != "do_not_bill":
            text = "Only do_not_bill is possible in a trial"
            raise Refused(400, "subscription_trialing_items_update_invalid_options", text)
        if mode == "prorated_immediately":
            if self.declines:
                raise Refused(400, "subscription_payment_declined", "Payment declined")
            period = found["current_billing_period"]
            begins, ends, now = moment(period["starts_at"]), moment(period["ends_at"]), datetime.now(UTC)
            unused = (ends - now) / (ends - begins)
            due = max(0, int(price["unit_price"]["amount"]) - round(int(before["unit_price"]["amount"]) * unused))
            more = {"subscription_id": found["id"], "billed_at": stamp(now), "invoice_number": self.new_id("325")}
            self._sale(found["customer_id"], price, "subscription_update", "completed", amount=due, **more)
            if price["billing_cycle"] != before["billing_cycle"]:
                ends = now + timedelta(days=LENGTHS[price["billing_cycle"]["interval"]])
                found["current_billing_period"] = {"starts_at": stamp(now), "ends_at": stamp(ends)}
        found["items"] = [{"price": dict(price), "quantity": 1, "trial_dates": found["items"][0]["trial_dates"]}]

    def _changeable(self, ref: str) -> Thing:
        found = self.find(self.subscriptions, ref)
        if found["status"] == "canceled":
            raise Refused(400, "subscription_update_when_canceled", "Cannot update a canceled subscription")
        return found

    def payment_change(self, ref: str) -> Thing:
        """Return what a payer opens to give another card: the renewal that failed, or a new transaction of nothing."""
        found = self._changeable(ref)
        if found["status"] == "past_due":
            sales = [sale for sale in self.transactions.values() if sale["subscription_id"] == ref]
            return next(sale for sale in reversed(sales) if sale["status"] == "past_due")
        price, origin = found["items"][0]["price"], "subscription_payment_method_change"
        return self._sale(found["customer_id"], price, origin, "ready", amount=0, subscription_id=ref)
