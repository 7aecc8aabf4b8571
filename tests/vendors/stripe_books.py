"""Stripe's data about our customers, in the shape of its API version 2026-10-28, and its changes over time."""

import itertools
import time
from typing import Any

from tests.vendors.stripe_promotions import Promotions
from tests.vendors.stripe_refunds import charge_of, payments_of, refund_of
from tests.vendors.stripe_taxes import country_of, taxed

VERSION = "2026-10-28.endive"
DAY = 86_400
LENGTHS = {"day": DAY, "week": 7 * DAY, "month": 30 * DAY, "year": 365 * DAY}

Thing = dict[str, Any]

METHOD = "default_payment_method"
VISA: Thing = {
    "id": "pm_visa",
    "object": "payment_method",
    "type": "card",
    "card": {"brand": "visa", "last4": "4242", "exp_month": 8, "exp_year": 2031, "funding": "credit"},
}
"""What everybody pays with."""


class Missing(Exception):
    """There is no such object; holds the parameter that named it."""

    def __init__(self, what: str, param: str) -> None:
        super().__init__(f"No such {what}")
        self.param = param


class Books:
    """Objects by id. `days` advances the time; `free_first` makes first invoices zero, as a coupon would."""

    def __init__(self) -> None:
        self.days = 0
        self.free_first = False
        self.portal_saved = True
        self.tax_status = "active"
        self.charges_enabled = True
        self.products: dict[str, Thing] = {}
        self.prices: dict[str, Thing] = {}
        self.customers: dict[str, Thing] = {}
        self.methods: dict[str, Thing] = {VISA["id"]: VISA}
        self.subscriptions: dict[str, Thing] = {}
        self.invoices: dict[str, Thing] = {}
        self.intents: dict[str, Thing] = {}
        self.endpoints: dict[str, Thing] = {}
        self.promotions = Promotions()
        self.events: list[Thing] = []
        self._numbers = itertools.count(1)
        self.sell("Pro", ("usd", 999, "month"), ("usd", 9900, "year"), ("jpy", 500, "month"), ("usd", 5000, None))

    def now(self) -> int:
        """Unix seconds at Stripe."""
        return int(time.time()) + self.days * DAY

    def new_id(self, prefix: str) -> str:
        """Return the next id."""
        return f"{prefix}_{next(self._numbers):08d}"

    def sell(self, name: str, *prices: tuple[str, int | None, str | None], active: bool = True) -> str:
        """Add a product with prices: currency, amount, interval."""
        product = self.new_id("prod")
        self.products[product] = {
            "id": product,
            "object": "product",
            "name": name,
            "description": None,
            "active": active,
        }
        for currency, amount, interval in prices:
            price = self.new_id("price")
            recurring = {"interval": interval, "interval_count": 1, "usage_type": "licensed"} if interval else None
            self.prices[price] = {
                "id": price,
                "object": "price",
                "product": product,
                "active": active,
                "currency": currency,
                "unit_amount": amount,
                "type": "recurring" if interval else "one_time",
                "recurring": recurring,
            }
        return product

    def find(self, things: dict[str, Thing], ref: str, param: str = "id") -> Thing:
        """Return an object. Raises Missing."""
        if ref not in things:
            raise Missing(f"object: '{ref}'", param)
        return things[ref]

    def customer(self, ref: str, param: str = "customer") -> Thing:
        """Return a customer that has not been deleted. Raises Missing."""
        found = self.find(self.customers, ref, param)
        if found.get("deleted"):
            raise Missing(f"customer: '{ref}'", param)
        return found

    def add_customer(self, fields: Thing) -> Thing:
        """Make a customer."""
        ref = self.new_id("cus")
        self.customers[ref] = {"id": ref, "object": "customer", "name": None, **fields}
        return self.customers[ref]

    def delete_customer(self, ref: str) -> Thing:
        """Delete a customer and end its subscriptions."""
        self.customer(ref, "id")
        for subscription in self.subscriptions.values():
            if subscription["customer"] == ref and subscription["status"] not in ("canceled", "incomplete_expired"):
                self.end(subscription["id"])
        self.customers[ref] = {"id": ref, "object": "customer", "deleted": True}
        self.tell("customer.deleted", {"id": ref, "object": "customer"})
        return self.customers[ref]

    def subscribe(
        self, customer: str, prices: list[str], metadata: Thing, discounts: Any = None, *, taxes: bool = False
    ) -> Thing:
        """Make a subscription with `default_incomplete`."""
        if taxes:
            country_of(self.customer(customer))
        self.customer(customer)
        form = {"customer": customer, "discounts": discounts}
        promotion = self.promotions.redeemable(form, list(self.invoices.values()))
        price = self.find(self.prices, prices[0], "items[0][price]")
        ref, free = self.new_id("sub"), self.free_first
        end = self.now() + LENGTHS[price["recurring"]["interval"]]
        self.subscriptions[ref] = subscription = {
            "id": ref,
            "object": "subscription",
            "customer": customer,
            "status": "active" if free else "incomplete",
            "cancel_at": None,
            "cancel_at_period_end": False,
            "canceled_at": None,
            "ended_at": None,
            "trial_end": None,
            "created": self.now(),
            "metadata": metadata,
            "livemode": False,
            "items": [{"id": self.new_id("si"), "price": entry, "current_period_end": end} for entry in prices],
            "default_payment_method": None,
            "latest_invoice": None,
            "pending_setup_intent": self._intent("seti", 0, customer) if free else None,
            "discounts": [],
            "billing_cycle_anchor": self.now(),
            "pause_collection": None,
            "promotion": promotion,
            "charges": 0,
            "automatic_tax": {"enabled": taxes},
        }
        self._bill(subscription, 0 if free else self._charge(subscription), "paid" if free else "open")
        if promotion:
            self.promotions.use(promotion)
            subscription["discounts"] = [self.new_id("di")]
        self.tell("customer.subscription.created", subscription)
        return subscription

    def pay(self, client_secret: str) -> None:
        """Confirm an intent, as the browser does: its invoice is paid, its subscription active."""
        intent = self.find(self.intents, client_secret.partition("_secret_")[0])
        intent["status"] = "succeeded"
        for invoice in self.invoices.values():
            if invoice["intent"] == intent["id"]:
                invoice |= {"status": "paid", "amount_paid": invoice["total"]}
                subscription = self.subscriptions[invoice["subscription"]]
                if subscription["status"] in ("incomplete", "past_due", "unpaid"):
                    subscription["status"] = "active"
                subscription["default_payment_method"] = VISA["id"]  # as `save_default_payment_method` asks
                self.tell("invoice.paid", invoice)
                self.tell("customer.subscription.updated", subscription)

    def renew(self, ref: str, *, paid: bool, asks: bool = False) -> Thing:
        """End the period: the next invoice is paid, or it is not and the subscription is past due.

        `asks`: the bank wants the payer to confirm it.
        """
        subscription = self.subscriptions[ref]
        price = self.prices[subscription["items"][0]["price"]]
        self.days += LENGTHS[price["recurring"]["interval"]] // DAY
        subscription["items"][0]["current_period_end"] += LENGTHS[price["recurring"]["interval"]]
        invoice = self._bill(subscription, self._charge(subscription), "paid" if paid else "open")
        subscription["status"] = "active" if paid else "past_due"
        if asks:
            self.intents[invoice["intent"]]["status"] = "requires_action"
        self.tell("invoice.paid" if paid else "invoice.payment_action_required", invoice)
        self.tell("customer.subscription.updated", subscription)
        return subscription

    def refund(self, invoice: str, amount: int) -> Thing:
        """Refund a part of an invoice, as in the dashboard; return the refund."""
        bill = self.invoices[invoice]
        made = refund_of(bill, self.new_id("re"), amount, self.now())
        bill["refunds"].append(made)
        self.tell("charge.refunded", charge_of(bill))
        self.tell("refund.created", made)
        return made

    def give_up(self, ref: str) -> None:
        """End the retries of a failed renewal: from now on invoices stay drafts."""
        subscription = self.subscriptions[ref]
        subscription["status"] = "unpaid"
        self._bill(subscription, self.prices[subscription["items"][0]["price"]]["unit_amount"], "draft")

    def cancel_in_portal(self, ref: str) -> None:
        """Cancel as Stripe's portal does in flexible billing mode: a date, and no flag."""
        subscription = self.subscriptions[ref]
        end = subscription["items"][0]["current_period_end"]
        subscription |= {"cancel_at": end, "canceled_at": self.now()}
        self.tell("customer.subscription.updated", subscription)

    def end(self, ref: str) -> Thing:
        """End a subscription now. Raises Missing for one that has ended."""
        subscription = self.find(self.subscriptions, ref)
        if subscription["status"] in ("canceled", "incomplete_expired"):
            raise Missing(f"subscription: '{ref}'", "id")
        status = "incomplete_expired" if subscription["status"] == "incomplete" else "canceled"
        subscription |= {"status": status, "canceled_at": self.now(), "ended_at": self.now()}
        self.tell("customer.subscription.deleted", subscription)
        return subscription

    def change(self, ref: str, fields: Thing) -> Thing:
        """Change a subscription. Raises Missing and ValueError for what Stripe refuses."""
        subscription = self.find(self.subscriptions, ref)
        if subscription["status"] in ("canceled", "incomplete_expired"):
            raise ValueError("A canceled subscription can only update its cancellation_details and metadata.")
        if "cancel_at" in fields and "cancel_at_period_end" in fields:
            raise ValueError("You may only specify one of these parameters: cancel_at, cancel_at_period_end.")
        if "cancel_at_period_end" in fields:
            flag = fields["cancel_at_period_end"] == "true"
            end = max(item["current_period_end"] for item in subscription["items"]) if flag else None
            when = self.now() if flag else None
            subscription |= {"cancel_at_period_end": flag, "cancel_at": end, "canceled_at": when}
        if fields.get("cancel_at") == "":
            subscription |= {"cancel_at": None, "canceled_at": None}
        if "metadata" in fields:
            subscription["metadata"] = subscription["metadata"] | fields["metadata"]
        if "pause_collection" in fields:
            pause = fields["pause_collection"]
            subscription["pause_collection"] = (pause and {**pause, "resumes_at": int(pause["resumes_at"])}) or None
        if fields.get("billing_cycle_anchor") == "now":
            price = self.prices[subscription["items"][0]["price"]]
            subscription["billing_cycle_anchor"] = self.now()
            subscription["items"][0]["current_period_end"] = self.now() + LENGTHS[price["recurring"]["interval"]]
            self._bill(subscription, self._charge(subscription), "paid")
        if fields.get("proration_behavior") == "always_invoice" and subscription["status"] != "trialing":
            bill = self.preview(ref, fields)
            self._bill(subscription, bill["total"], "paid", paid=bill["amount_due"], taxes=bill["total_taxes"])
            self.customers[subscription["customer"]]["balance"] = min(0, bill["total"] + bill["starting_balance"])
            subscription["items"][0]["current_period_end"] = bill["lines"]["data"][-1]["period"]["end"]
        for entry in fields.get("items", []):
            self._change_item(subscription, entry)
        self.tell("customer.subscription.updated", subscription)
        return subscription

    def _off(self, subscription: Thing) -> int:
        """Return what a discount takes off the next charge."""
        promotion, price = subscription["promotion"], self.prices[subscription["items"][0]["price"]]
        if promotion is None:
            return 0
        coupon = promotion["promotion"]["coupon"]
        months = LENGTHS[price["recurring"]["interval"]] // LENGTHS["month"]
        lasting = {"once": 1, "forever": 10**6, "repeating": -(-(coupon["duration_in_months"] or 0) // max(1, months))}
        left = subscription["charges"] < lasting[coupon["duration"]]
        return self.promotions.taken_off(promotion, price) if left else 0

    def _charge(self, subscription: Thing) -> int:
        """Return what the next charge is, and count it."""
        amount = self.prices[subscription["items"][0]["price"]]["unit_amount"] - self._off(subscription)
        subscription["charges"] += 1
        return int(amount)

    def preview_first(self, form: Thing) -> Thing:
        """Return the first invoice of a subscription that does not exist. Raises Missing and ValueError."""
        self.customer(form["customer"])
        price = self.find(self.prices, form["subscription_details"]["items"][0]["price"], "items[0][price]")
        # as seen 2026-11: previews do not look at who is new
        off = self.promotions.taken_off(self.promotions.redeemable(form, []), price)
        return self._foreseen(form["customer"], price, off, taxes="automatic_tax" in form)

    def preview_next(self, ref: str) -> Thing:
        """Return the next invoice of a subscription. Raises Missing and ValueError."""
        subscription = self.find(self.subscriptions, ref)
        if subscription["status"] == "canceled":
            raise ValueError("No upcoming invoices for customer")
        price = self.prices[subscription["items"][0]["price"]]
        taxes = subscription["automatic_tax"]["enabled"]
        return self._foreseen(subscription["customer"], price, self._off(subscription), taxes=taxes)

    def _foreseen(self, customer: str, price: Thing, off: int, *, taxes: bool) -> Thing:
        end = self.now() + LENGTHS[price["recurring"]["interval"]]
        total, balance = price["unit_amount"] - off, self.customers[customer].get("balance", 0)
        lines = [{"amount": price["unit_amount"], "period": {"start": self.now(), "end": end}}]
        total, told = taxed(self.customers[customer], total) if taxes else (total, [])
        return {
            "object": "invoice",
            "currency": price["currency"],
            "total": total,
            "total_taxes": told,
            "amount_due": max(0, total + balance),
            "starting_balance": balance,
            "total_discount_amounts": [{"amount": off, "discount": "di_kit"}] if off else [],
            "lines": {"object": "list", "data": lines, "has_more": False},
        }

    def preview(self, ref: str, fields: Thing) -> Thing:
        """Return the invoice that a change of price would make. Raises Missing."""
        subscription = self.find(self.subscriptions, ref)
        item, now = subscription["items"][0], self.now()
        old = self.find(self.prices, item["price"])
        new = self.find(self.prices, fields["items"][0]["price"], "subscription_details[items][0][price]")
        before, after = (LENGTHS[price["recurring"]["interval"]] for price in (old, new))
        end, at = item["current_period_end"], int(fields.get("proration_date", now))
        trial = subscription["status"] == "trialing"
        share = 0.0 if trial else max(0.0, (end - at) / before)
        fresh = 0 if trial else new["unit_amount"] if before != after else round(new["unit_amount"] * share)
        until = end if trial or before == after else now + after
        amounts = ((-round(old["unit_amount"] * share), end), (fresh, until))
        lines = [{"amount": amount, "period": {"start": at, "end": last}} for amount, last in amounts]
        total, told = self._taxed(subscription, sum(amount for amount, _ in amounts))
        balance = self.customers[subscription["customer"]].get("balance", 0)
        return {
            "object": "invoice",
            "currency": new["currency"],
            "total": total,
            "total_taxes": told,
            "amount_due": max(0, total + balance),
            "starting_balance": balance,
            "ending_balance": None,
            "lines": {"object": "list", "data": lines, "has_more": False},
        }

    def _change_item(self, subscription: Thing, entry: Thing) -> None:
        items = subscription["items"]
        known = next((item for item in items if item["id"] == entry.get("id")), None)
        if entry.get("deleted") == "true":
            items.remove(known)
        elif known is not None:
            known["price"] = self.find(self.prices, entry["price"], "items[0][price]")["id"]
        else:  # as Stripe does it: a second one
            items.append({**items[0], "id": self.new_id("si"), "price": entry["price"]})

    def tell(self, kind: str, thing: Thing) -> Thing:
        """Record an event; return the body of its webhook."""
        self.events.append(
            {
                "id": self.new_id("evt"),
                "object": "event",
                "api_version": VERSION,
                "type": kind,
                "livemode": False,
                "created": self.now(),
                "data": {"object": shown(thing, self)},
            }
        )
        return self.events[-1]

    def _intent(self, prefix: str, amount: int, customer: str) -> str:
        ref = self.new_id(prefix)
        self.intents[ref] = {
            "id": ref,
            "object": "payment_intent" if prefix == "pi" else "setup_intent",
            "status": "requires_payment_method",
            "client_secret": f"{ref}_secret_{next(self._numbers)}",
            "amount": amount,
            "customer": customer,
        }
        return ref

    def _taxed(self, subscription: Thing, net: int) -> tuple[int, list[Thing]]:
        """Return a total with its taxes, where the subscription has them computed."""
        if not subscription["automatic_tax"]["enabled"]:
            return net, []
        return taxed(self.customers[subscription["customer"]], net)

    def _bill(
        self,
        subscription: Thing,
        amount: int,
        status: str,
        paid: int | None = None,
        taxes: list[Thing] | None = None,
    ) -> Thing:
        """Make an invoice; `taxes` are those within its amount, if they are on it already."""
        if taxes is None:
            amount, taxes = self._taxed(subscription, amount)
        ref = self.new_id("in")
        currency = self.prices[subscription["items"][0]["price"]]["currency"]
        self.invoices[ref] = {
            "id": ref,
            "object": "invoice",
            "customer": subscription["customer"],
            "subscription": subscription["id"],
            "status": status,
            "number": None if status == "draft" else f"COVER-{next(self._numbers):04d}",
            "currency": currency,
            "total": amount,
            "amount_paid": 0 if status != "paid" else amount if paid is None else paid,
            "created": self.now(),
            "hosted_invoice_url": f"https://invoice.stripe.com/i/{ref}",
            "invoice_pdf": f"https://pay.stripe.com/invoice/{ref}/pdf",
            "intent": self._intent("pi", amount, subscription["customer"]) if status == "open" else None,
            "due_date": None,
            "total_taxes": taxes,
            "refunds": [],
        }
        subscription["latest_invoice"] = ref
        return self.invoices[ref]


def shown(thing: Thing, books: Books, expand: tuple[str, ...] = ()) -> Thing:
    """Return an object in Stripe's format: references as ids; expandable fields are absent unless expanded."""
    answer = dict(thing)
    if thing.get("object") == "subscription":
        rows = [
            {**item, "object": "subscription_item", "price": books.prices[item["price"]]} for item in thing["items"]
        ]
        answer["items"] = {"object": "list", "data": rows, "has_more": False}
        del answer["promotion"], answer["charges"]
        below = tuple(path.partition(".")[2] for path in expand if path.startswith("latest_invoice"))
        if below:
            answer["latest_invoice"] = shown(books.invoices[thing["latest_invoice"]], books, below)
        if METHOD in expand and thing[METHOD]:
            answer[METHOD] = books.methods[thing[METHOD]]
        if "pending_setup_intent" in expand and thing["pending_setup_intent"]:
            answer["pending_setup_intent"] = books.intents[thing["pending_setup_intent"]]
    elif thing.get("object") == "customer" and not thing.get("deleted"):
        chosen = thing.get("invoice_settings", {}).get(METHOD)
        inside = f"invoice_settings.{METHOD}" in expand
        owned = answer.pop("tax_ids", [])
        if "tax_ids" in expand:
            answer["tax_ids"] = {"object": "list", "data": owned, "has_more": False}
        answer["invoice_settings"] = {METHOD: books.methods[chosen] if chosen and inside else chosen}
    elif thing.get("object") == "invoice":
        intent = answer.pop("intent")
        del answer["refunds"]
        if "payments" in expand:
            answer["payments"] = payments_of(thing)
        details = {"subscription": answer.pop("subscription"), "metadata": {}}
        answer["parent"] = {"type": "subscription_details", "subscription_details": details}
        if "confirmation_secret" in expand:
            secret = books.intents[intent]["client_secret"] if intent else None
            answer["confirmation_secret"] = secret and {"client_secret": secret, "type": "payment_intent"}
    return answer
