"""A user's account on the whole product: emails, an export with pictures, and a deletion that leaves nothing."""

import io
import json
import re
import zipfile

from tests.person import Person
from tests.product import PASSWORD, Product
from tests.support.files import files_below
from tests.support.processes import wait_until

NEW_PASSWORD = "marble otter 17 spoons"


def letter_to(product: Product, address: str, subject: str) -> str:
    """Wait for an email in the outbox and return its text."""
    admin = product.admin()

    def look() -> str:
        for message in admin.get("/api/admin/instances/outbox/messages").json():
            if (message["to"], message["subject"]) == (address, subject):
                whole = admin.get(f"/api/admin/instances/outbox/messages/{message['id']}").json()
                return str(whole["text"])
        return ""

    return wait_until(look, f"{subject} to {address}", 30)


def token_in(text: str) -> str:
    found = re.search(r"#token=([\w-]{43})", text)
    assert found, text
    return found.group(1)


def email_of(person: Person) -> str:
    return str(person.user["email"])


def test_a_forgotten_password_is_replaced_by_mail(product: Product, ada: Person, visitor: Person) -> None:
    assert visitor.post("/api/auth/forgot", json={"email": email_of(ada)}).status_code == 202
    text = letter_to(product, email_of(ada), "Choose a new password")
    body = {"token": token_in(text), "password": NEW_PASSWORD}
    answer = visitor.post("/api/auth/reset", json=body)
    assert (answer.status_code, answer.json()["id"]) == (200, ada.id)
    assert visitor.get("/api/auth/user").json()["email"] == email_of(ada)
    assert ada.get("/api/auth/user").status_code == 401
    assert visitor.post("/api/auth/reset", json=body).status_code == 403


def test_an_address_is_confirmed_by_mail(product: Product, ada: Person, visitor: Person) -> None:
    token = token_in(letter_to(product, email_of(ada), "Confirm your email address"))
    assert ada.get("/api/auth/user").json()["emailVerified"] is False
    assert visitor.post("/api/account/email/confirm", json={"token": token}).status_code == 204
    assert ada.get("/api/auth/user").json()["emailVerified"] is True


def test_an_export_holds_everything_that_is_ones_own(product: Product, ada: Person, bob: Person) -> None:
    theme = ada.post("/api/themes", json={"name": "Harbours", "stylePrompt": "linocut"}).json()
    kept, binned = ada.cover(title="Saltmarsh"), ada.cover(title="Ebb")
    assert ada.delete(f"/api/covers/{binned['id']}").status_code == 204
    bob.cover(title="Not hers")
    answer = ada.get("/api/account/export")
    assert answer.headers["content-type"] == "application/zip"
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.testzip() is None
    told = {name: json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(".json")}
    own = (
        "profile",
        "sessions",
        "subscriptions",
        "cancellations",
        "invoices",
        "payment_emails",
        "price_changes",
        "credits",
        "emails",
        "themes",
        "books",
        "generations",
    )
    assert set(told) == {f"{name}.json" for name in (*own, "covers")}
    assert [entry["name"] for entry in told["themes.json"]] == [theme["name"]]
    assert sorted(entry["title"] for entry in told["generations.json"]) == ["Ebb", "Saltmarsh"]
    covers = {entry["title"]: entry for entry in told["covers.json"]}
    assert set(covers) == {"Ebb", "Saltmarsh"} and covers["Ebb"]["deleted_at"] is not None
    for cover in (kept, binned):
        stored = ada.get(f"/api/covers/{cover['id']}/image").content
        assert archive.read(covers[cover["title"]]["file"]) == stored


def test_a_deleted_account_leaves_nothing_behind(product: Product, ada: Person, visitor: Person) -> None:
    ada.post("/api/themes", json={"name": "Harbours", "stylePrompt": "linocut"})
    cover = ada.cover()
    product.stub.holds()
    running = ada.generate(title="Still being made")
    product.stub.called("Still being made")
    body = {"confirm": email_of(ada), "currentPassword": PASSWORD}
    assert ada.request("DELETE", "/api/account", json=body).status_code == 204
    assert ada.get("/api/auth/user").status_code == 401
    user = {"id": ada.id}
    wait_until(lambda: not product.sql('SELECT id FROM "user" WHERE id = :id', **user), "end of the account", 30)
    product.stub.releases()
    for table in ("cover", "generation", "theme", "quota", "quota_entry", "session"):
        assert product.sql(f"SELECT 1 FROM {table} WHERE user_id = :id", **user) == [], table
    assert files_below(product.data, f"/{running}/") == []
    assert visitor.post("/api/auth/sign-in", json={"email": email_of(ada), "password": PASSWORD}).status_code == 401
    assert visitor.get(f"/api/covers/{cover['id']}/image").status_code == 401
    letter_to(product, email_of(ada), "Your account was deleted")
    assert product.doctor() == ""
