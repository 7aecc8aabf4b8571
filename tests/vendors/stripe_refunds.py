"""Stripe's charges and refunds: one charge for each paid invoice (docs.stripe.com/api/charges, /api/refunds)."""

from typing import Any

Thing = dict[str, Any]

GIVEN_BACK = ("succeeded", "pending")


def intent_of(invoice: Thing) -> str:
    """Return the payment intent that paid an invoice."""
    return str(invoice["intent"] or f"pi_{invoice['id']}")


def payments_of(invoice: Thing) -> Thing:
    """Return the field `payments` of an invoice, as it is expanded."""
    payment = {"type": "payment_intent", "payment_intent": intent_of(invoice)}
    paid = [{"id": f"inpay_{invoice['id']}", "object": "invoice_payment", "payment": payment}]
    return {"object": "list", "data": paid if invoice["amount_paid"] else [], "has_more": False}


def charge_of(invoice: Thing, expand: tuple[str, ...] = ()) -> Thing:
    """Return the charge of a paid invoice; its refunds are absent unless expanded."""
    refunds = invoice["refunds"]
    given = sum(refund["amount"] for refund in refunds if refund["status"] in GIVEN_BACK)
    charge = {
        "id": f"ch_{invoice['id']}",
        "object": "charge",
        "amount": invoice["amount_paid"],
        "amount_refunded": given,
        "refunded": given == invoice["amount_paid"],
        "currency": invoice["currency"],
        "customer": invoice["customer"],
        "payment_intent": intent_of(invoice),
    }
    return charge | ({"refunds": {"object": "list", "data": refunds, "has_more": False}} if "refunds" in expand else {})


def refund_of(invoice: Thing, ref: str, amount: int, created: int) -> Thing:
    """Return a refund. Raises ValueError for more than is left."""
    left = invoice["amount_paid"] - charge_of(invoice)["amount_refunded"]
    if amount > left:
        raise ValueError(f"Refund amount ({amount}) is greater than unrefunded amount on charge ({left})")
    return {
        "id": ref,
        "object": "refund",
        "amount": amount,
        "charge": f"ch_{invoice['id']}",
        "created": created,
        "currency": invoice["currency"],
        "customer": invoice["customer"],
        "payment_intent": intent_of(invoice),
        "status": "succeeded",
    }
