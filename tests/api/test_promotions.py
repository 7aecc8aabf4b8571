"""Promotion codes over HTTP: what a person is told, what is limited, and what their export says."""

import io
import json
import zipfile

from tests.person import Person, fault


def test_a_code_is_told_and_then_counts(ada: Person) -> None:
    told = ada.post("/api/subscription/promotion", json={"promotionCode": " save20"})
    assert told.status_code == 200, told.text
    assert told.json() == {
        "promotionCode": "SAVE20",
        "priceId": "price_pro",
        "currency": "usd",
        "interval": "month",
        "due": 1520,
        "reduced": 1520,
        "full": 1900,
        "lasts": "months",
        "months": 3,
    }
    assert ada.get("/api/subscription").json()["subscription"] is None
    begun = ada.post("/api/create-subscription", json={"promotionCode": "SAVE20"})
    assert begun.status_code == 200, begun.text
    card = {"number": "4000000000000001", "expiry": "12/40", "cvc": "123"}
    ada.post("/api/subscription/pay", json={"clientSecret": begun.json()["clientSecret"], "card": card})
    shown = ada.get("/api/subscription").json()["subscription"]
    assert (shown["promotion_code"], shown["next_amount"]) == ("SAVE20", 1520)
    export = ada.get("/api/account/export")
    with zipfile.ZipFile(io.BytesIO(export.content)) as archive:
        (kept,) = json.loads(archive.read("subscriptions.json"))
    assert kept["promotion_code"] == "SAVE20"


def test_a_wrong_code_is_said_at_its_field(ada: Person) -> None:
    for path in ("/api/subscription/promotion", "/api/create-subscription"):
        refused = ada.post(path, json={"promotionCode": "OLD"})
        assert refused.status_code == 422
        error = refused.json()["error"]
        assert set(error["fields"]) == {"promotionCode"}
        assert error["fieldCodes"] == {"promotionCode": {"code": "promotion_expired"}}
    for bad in ({}, {"promotionCode": "x" * 65}, {"promotionCode": 7}):
        assert ada.post("/api/subscription/promotion", json=bad).status_code == 422


def test_codes_cannot_be_guessed_and_right_ones_are_not_counted(ada: Person, bob: Person) -> None:
    for number in range(10):
        path = "/api/subscription/promotion" if number % 2 else "/api/create-subscription"
        assert ada.post(path, json={"promotionCode": f"GUESS{number}"}).status_code == 422
        assert bob.post("/api/subscription/promotion", json={"promotionCode": "SAVE20"}).status_code == 200
    refused = ada.post("/api/subscription/promotion", json={"promotionCode": "SAVE20"})
    assert refused.status_code == 429 and fault(refused)["code"] == "rate_limited"
    assert bob.post("/api/subscription/promotion", json={"promotionCode": "SAVE20"}).status_code == 200


def test_what_is_offered_is_known(ada: Person) -> None:
    assert ada.get("/api/capabilities").json()["payment"] == {
        "client": "sandbox",
        "promotionCodes": True,
        "taxes": False,
    }
