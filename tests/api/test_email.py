"""Email templates and campaigns over HTTP, with a mail service that keeps its messages."""

import re
from typing import Any
from uuid import uuid4

import pytest

from tests.person import Person, fault, next_page
from tests.product import Product
from tests.shelf import shelve
from tests.support.processes import wait_until

TEMPLATES = "/api/admin/email-templates"
EMAIL = "/api/admin/email"
GOOD = {
    "subject": "News",
    "replyTo": "desk@example.org",
    "htmlBody": "<p>Hello {{firstName}}</p>",
    "messageStream": "broadcast",
    "isActive": True,
}


@pytest.fixture
def boss(product: Product) -> Person:
    return product.user(admin=True)


def messages_to(product: Product, address: str, subject: str, count: int = 1) -> list[dict[str, Any]]:
    """Wait for emails in the outbox and return them complete."""
    admin = product.admin()
    kept = "/api/admin/instances/outbox/messages"

    def look() -> list[dict[str, Any]]:
        listed = admin.get(kept).json()
        found = [entry for entry in listed if (entry["to"], entry["subject"]) == (address, subject)]
        return found if len(found) >= count else []

    found = wait_until(look, f"{subject} to {address}", 30)
    return [admin.get(f"{kept}/{entry['id']}").json() for entry in found]


def confirm(product: Product, person: Person) -> None:
    """Mark an address as confirmed."""
    product.sql('UPDATE "user" SET email_verified = :yes WHERE id = :id', yes=True, id=person.id)


def test_a_template_is_saved_and_read_back(product: Product, boss: Person) -> None:
    try:
        saved = boss.put(f"{TEMPLATES}/marketing", json=GOOD)
        assert saved.status_code == 200, saved.text
        variables = ["email", "firstName", "lastName", "unsubscribeUrl"]
        assert saved.json() == {"templateType": "marketing", **GOOD, "variables": variables}
        assert boss.get(f"{TEMPLATES}/marketing").json() == saved.json()
        listed = boss.get(TEMPLATES).json()
        assert [entry["templateType"] for entry in listed] == ["signup", "broadcast", "marketing"]
        trail = product.sql(
            "SELECT keys FROM audit WHERE action = 'email.save_template' AND actor_id = :id", id=boss.id
        )
        assert len(trail) == 1 and "htmlBody" in str(trail[0]["keys"])
    finally:
        product.sql("DELETE FROM email_template")


def test_a_bad_template_is_refused_with_all_its_faults(boss: Person) -> None:
    bad = {"subject": "{{nobody}}", "htmlBody": "", "replyTo": "x", "messageStream": "outbound", "isActive": True}
    answer = boss.put(f"{TEMPLATES}/broadcast", json=bad)
    error = fault(answer)
    assert answer.status_code == 422
    codes = {name: code["code"] for name, code in error["fieldCodes"].items()}
    assert codes == {
        "subject": "unknown_variable",
        "htmlBody": "empty",
        "replyTo": "bad_email",
        "messageStream": "stream_broadcast",
    }
    assert "{{nobody}}" in error["fields"]["subject"]
    assert boss.put(f"{TEMPLATES}/invoice", json=GOOD).status_code == 404


def test_a_preview_shows_the_whole_e_mail(boss: Person) -> None:
    asked = {"templateType": "broadcast", "subject": "Hi {{email}}", "htmlBody": "<p>{{email}}</p><script>1</script>"}
    shown = boss.post(f"{TEMPLATES}/preview", json=asked).json()
    email = boss.user["email"]
    assert shown["subject"] == f"Hi {email}" and f"<p>{email}</p>" in shown["html"] and "script" not in shown["html"]
    assert "Unsubscribe: http" in shown["text"]


def test_a_test_needs_an_address_and_a_template(product: Product, boss: Person) -> None:
    for body in ({}, {"templateType": "", "toEmail": ""}):
        answer = boss.post(f"{EMAIL}/test", json=body)
        assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"templateType", "toEmail"}
    product.sql("DELETE FROM email_template")
    to = f"tester-{uuid4().hex[:8]}@example.org"
    answer = boss.post(f"{EMAIL}/test", json={"templateType": "marketing", "toEmail": to})
    assert answer.json() == {"state": "sent", "detail": ""}
    (message,) = messages_to(product, to, "New for your next cover")
    assert message["stream"] == "bulk"


def test_a_broadcast_goes_to_confirmed_users_who_can_unsubscribe(
    product: Product, boss: Person, ada: Person, bob: Person, visitor: Person
) -> None:
    for person in (ada, bob):
        confirm(product, person)
    assert bob.patch("/api/users/email-preferences", json={"emailMarketingEnabled": False}).status_code == 200
    body = {"subject": f"News {uuid4().hex}", "htmlBody": "<p>Hello {{firstName}}</p>", "replyTo": "desk@example.org"}
    try:
        assert boss.put(f"{EMAIL}/postal-address", json={"postalAddress": ""}).json()["canSend"] is False
        refused = boss.post(f"{EMAIL}/marketing", json=body)
        assert (refused.status_code, fault(refused)["code"]) == (409, "postal_address_missing")
        audience = boss.put(f"{EMAIL}/postal-address", json={"postalAddress": "Ink & Co\n1 Harbour Road"}).json()
        assert audience["canSend"] and audience["reason"] is None and audience["broadcast"] > audience["marketing"]
        assert boss.get(f"{EMAIL}/audience").json() == audience
        answer = boss.post(f"{EMAIL}/marketing", json=body, headers={"idempotency-key": body["subject"]})
        begun = answer.json()
        assert (answer.status_code, begun["recipients"]) == (202, audience["marketing"])
        assert begun["createdBy"] == boss.user["email"]
        again = boss.post(f"{EMAIL}/marketing", json=body, headers={"idempotency-key": body["subject"]})
        assert again.json()["id"] == begun["id"] and again.headers["idempotent-replayed"] == "true"
        one = f"{EMAIL}/campaigns/{begun['id']}"
        wait_until(lambda: boss.get(one).json()["state"] == "done", "the end", 30)
        end = boss.get(one).json()
        assert (end["sent"], end["pending"]) == (end["recipients"], 0)
        (message,) = messages_to(product, ada.user["email"], body["subject"])
        rows = boss.get(f"{one}/recipients?state=sent&limit=1")
        assert len(rows.json()) == 1 and (next_page(rows) is None) == (end["sent"] == 1)
        assert boss.get(f"{one}/recipients?state=failed").json() == []
        assert bob.user["email"] not in boss.get(f"{one}/recipients").text
        assert boss.get(f"{EMAIL}/campaigns?limit=1").json()[0]["id"] == begun["id"]
        assert [boss.post(f"{one}/{step}").status_code for step in ("cancel", "stop", "recipients")] == [409, 404, 405]
        _leave(product, ada, visitor, message)
    finally:
        product.sql("DELETE FROM email_postal_address")


def _leave(product: Product, ada: Person, visitor: Person, message: dict[str, Any]) -> None:
    """Unsubscribe by the link in an email, as a mailbox provider and as a person do, and undo it."""
    found = re.search(r"/unsubscribe\?token=([\w-]+)", message["text"])
    assert found
    link = f"/api/unsubscribe/{found[1]}"
    opened = visitor.get(link, follow_redirects=False)
    assert (opened.status_code, opened.headers["location"]) == (303, f"/unsubscribe?token={found[1]}")
    about = visitor.get(f"{link}/about").json()
    assert about["kind"] == "marketing" and about["unsubscribed"] is False and ada.user["email"] not in str(about)
    for _ in range(2):
        answer = visitor.post(
            link,
            content="List-Unsubscribe=One-Click",
            headers={"content-type": "application/x-www-form-urlencoded", "origin": "https://mail.example"},
        )
        assert (answer.status_code, answer.json()["unsubscribed"]) == (200, True)
    assert ada.get("/api/auth/user").json()["emailMarketingEnabled"] is False
    back = ada.post(f"{link}/undo", headers={"sec-fetch-site": "cross-site", "origin": "https://mail.example"})
    assert back.json()["unsubscribed"] is False
    assert ada.get("/api/auth/user").json()["emailMarketingEnabled"] is True


def test_a_part_of_the_audience_is_chosen_by_plan_language_and_covers(product: Product, boss: Person) -> None:
    pro, free = product.user(pro=True), product.user()
    for person in (pro, free):
        confirm(product, person)
        product.sql("UPDATE \"user\" SET language = 'ko' WHERE id = :id", id=person.id)
    shelve(product.sqlalchemy_url, pro.id, ["A title"])
    korean = {"languages": ["ko"]}

    def count(**more: Any) -> int:
        answer = boss.post(f"{EMAIL}/audience", json={"kind": "broadcast", "segment": korean | more})
        assert answer.status_code == 200, answer.text
        return int(answer.json()["people"])

    everybody = count()
    assert count(plan="pro") + count(plan="free") == everybody
    assert count(covers="some") + count(covers="none") == everybody
    genre = product.sql("SELECT genre FROM cover WHERE user_id = :id", id=pro.id)[0]["genre"]
    assert count(genre=genre, plan="pro") >= 1 and count(genre="no such genre") == 0
    bad = boss.post(f"{EMAIL}/audience", json={"kind": "x", "segment": {"plan": "gold", "seenWithinDays": 0}})
    assert set(fault(bad)["fields"]) == {"kind", "segment.plan", "segment.seenWithinDays"}
    naive = {"subject": "a", "htmlBody": "a", "sendAt": "2030-01-01T10:00:00"}
    assert set(fault(boss.post(f"{EMAIL}/broadcast", json=naive))["fields"]) == {"sendAt"}


def test_what_an_e_mail_to_many_must_have_is_asked_for_in_the_words_of_the_form(boss: Person) -> None:
    for kind in ("broadcast", "marketing"):
        answer = boss.post(f"{EMAIL}/{kind}", json={})
        error = fault(answer)
        assert (answer.status_code, error["message"]) == (422, "Please fill in all required fields")
        assert set(error["fields"]) == {"subject", "htmlBody"}
        bad = boss.post(f"{EMAIL}/{kind}", json={"subject": 1, "extra": True})
        assert set(fault(bad)["fields"]) == {"subject", "extra"}


def test_a_foreign_cursor_is_refused(boss: Person) -> None:
    for cursor in ("x", "eA", "%00"):
        assert boss.get(f"{EMAIL}/campaigns?cursor={cursor}").status_code == 422


def test_who_confirms_an_address_is_greeted_once(product: Product, ada: Person, visitor: Person) -> None:
    (letter,) = messages_to(product, ada.user["email"], "Confirm your email address")
    found = re.search(r"#token=([\w-]{43})", letter["text"])
    assert found
    assert visitor.post("/api/account/email/confirm", json={"token": found[1]}).status_code == 204
    (greeting,) = messages_to(product, ada.user["email"], "Welcome")
    assert greeting["stream"] == "transactional" and ada.user["email"] in greeting["text"]
    reset = visitor.post("/api/auth/forgot", json={"email": ada.user["email"]})
    assert reset.status_code == 202
    messages_to(product, ada.user["email"], "Choose a new password")
    assert len(messages_to(product, ada.user["email"], "Welcome")) == 1


def test_a_draft_is_written_tried_out_sent_and_used_again(product: Product, boss: Person) -> None:
    confirm(product, boss)
    assert boss.put(f"{EMAIL}/postal-address", json={"postalAddress": "1 Harbour Road"}).status_code == 200
    letter = {
        "subject": f"Draft {uuid4()}",
        "htmlBody": "**News** for {{email}}",
        "bodyFormat": "markdown",
        "versions": {"de": {"subject": "Neues", "htmlBody": "- Neues"}},
    }
    try:
        made = boss.post(f"{EMAIL}/drafts", json={"kind": "broadcast", **letter})
        assert made.status_code == 201, made.text
        draft = made.json()
        path = f"{EMAIL}/drafts/{draft['id']}"
        assert boss.get(path).json() == draft and draft["version"] == 1
        assert boss.get(f"{EMAIL}/drafts").json()[0]["languages"] == ["en", "de"]
        tests = {"kind": "broadcast", **letter, "to": ["one@example.org", "two@example.org"], "only": "en"}
        tried = boss.post(f"{EMAIL}/drafts/test", json=tests)
        assert [(one["to"], one["state"]) for one in tried.json()] == [(to, "sent") for to in tests["to"]]
        bad = boss.post(f"{EMAIL}/drafts/test", json=tests | {"to": ["x", "y@example.org", "z"]})
        assert set(fault(bad)["fields"]) == {"to.0", "to.2"}
        assert boss.post(f"{EMAIL}/drafts/test", json=tests | {"to": ["a@example.org"] * 11}).status_code == 422
        assert boss.post(f"{EMAIL}/drafts/test", json=tests | {"to": ["a@example.org"] * 10}).status_code == 429
        saved = boss.put(path, json={**letter, "version": 1})
        assert (saved.status_code, saved.json()["version"]) == (200, 2)
        late = boss.put(path, json={**letter, "version": 1})
        assert (late.status_code, fault(late)["code"]) == (409, "draft_moved_on")
        going = {**letter, "draft": {"id": draft["id"], "version": 2}}
        sent = boss.post(f"{EMAIL}/broadcast", json=going)
        assert sent.status_code == 202, sent.text
        again = boss.post(f"{EMAIL}/broadcast", json=going)
        assert (again.status_code, fault(again)["code"]) == (409, "draft_gone")
        assert boss.get(path).status_code == 404
        campaign = f"{EMAIL}/campaigns/{sent.json()['id']}"
        (message,) = messages_to(product, boss.user["email"], letter["subject"])
        assert f"<strong>News</strong> for {boss.user['email']}" in message["html"]
        copy = boss.post(f"{campaign}/draft").json()
        assert {name: copy[name] for name in letter} == letter
        assert boss.delete(f"{EMAIL}/drafts/{copy['id']}").status_code == 204
        lines = boss.get(f"{campaign}/recipients/file?state=sent").text.splitlines()
        assert any(boss.user["email"] in line for line in lines[1:])
        assert boss.get(f"{campaign}/recipients?state=bounced").json() == []
    finally:
        product.sql("DELETE FROM email_draft")
        boss.put(f"{EMAIL}/postal-address", json={"postalAddress": ""})
