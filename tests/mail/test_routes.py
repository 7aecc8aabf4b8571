"""What administrators see of email instances."""

import email
import email.policy
from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any
from uuid import uuid4

import pytest

from tests.local_product import LocalProduct
from tests.person import Person, fault, next_page
from tests.product import Product
from tests.support.databases import Databases
from tests.support.processes import wait_until
from tests.vendors.mailgun_api import SIGNING_KEY, signed

TEST_MAIL = "/api/admin/instances/outbox/send-test"
MESSAGES = "/api/admin/instances/outbox/messages"
SECRET = "a-webhook-secret-of-ours"
VENDORS = f"""
[[instances]]
id = "postmark"
kind = "email"
provider = "postmark"
label = "Postmark"
settings = {{ api_token = "unused", webhook_secret = "{SECRET}" }}

[[instances]]
id = "mailgun"
kind = "email"
provider = "mailgun"
label = "Mailgun"
settings = {{ api_key = "unused", domain = "mg.example.com", webhook_signing_key = "{SIGNING_KEY}" }}
"""


def somebody() -> str:
    return f"reader-{uuid4().hex[:8]}@example.org"


@pytest.fixture
def boss(shared_product: Product) -> Person:
    """An administrator whose test emails nobody else counts."""
    return shared_product.user(admin=True)


def sent_test(person: Person, to: str) -> dict[str, Any]:
    answer = person.post(TEST_MAIL, json={"to": to})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def kept_for(person: Person, to: str) -> dict[str, Any]:
    """Return the listed message to somebody; mail to readers of other tests may have come after it."""
    found: list[dict[str, Any]] = []
    following: str | None = MESSAGES
    while following:
        answer = person.get(following)
        found += [entry for entry in answer.json() if entry["to"] == to]
        following = next_page(answer)
    (listed,) = found
    return listed


def test_a_test_mail_into_the_outbox_can_be_read_there(boss: Person, shared_product: Product) -> None:
    to = somebody()
    assert sent_test(boss, to) == {"state": "sent", "detail": ""}
    listed = kept_for(boss, to)
    assert set(listed) == {"id", "to", "sender", "subject", "stream", "sentAt"}
    assert (listed["to"], listed["sender"], listed["stream"]) == (to, "noreply@localhost", "transactional")
    whole = boss.get(f"{MESSAGES}/{listed['id']}").json()
    assert {name: whole[name] for name in listed} == listed
    assert "Email works." in whole["text"] and whole["html"] is None
    audited = shared_product.sql("SELECT outcome, actor_id FROM audit WHERE action = 'instance.send_test' ORDER BY id")
    assert audited[-1] == {"outcome": "sent", "actor_id": boss.id}


def test_who_reads_what_the_outbox_kept_is_kept_in_the_audit_trail(shared_product: Product) -> None:
    """A kept letter may hold a link that resets somebody's password."""
    boss, to = shared_product.user(admin=True), somebody()
    sent_test(boss, to)
    message = f"{MESSAGES}/{kept_for(boss, to)['id']}"
    assert boss.get(message).status_code == 200
    boss.get(f"{message}/page")
    read = shared_product.sql(
        "SELECT action, object, outcome, ip FROM audit WHERE actor_id = :id AND action LIKE 'email.%' ORDER BY id",
        id=boss.id,
    )
    short = message.removeprefix("/api/admin/")
    assert read == [
        {"action": action, "object": about, "outcome": "ok", "ip": "127.0.0.1"}
        for action, about in (
            ("email.list_kept", MESSAGES.removeprefix("/api/admin/")),
            ("email.read_kept", short),
            ("email.read_kept", f"{short}/page"),
        )
    ]


def test_the_page_of_a_message_may_have_colors_and_do_nothing_else(boss: Person, shared_product: Product) -> None:
    to = somebody()
    sent_test(boss, to)
    listed = kept_for(boss, to)
    page = f"{MESSAGES}/{listed['id']}/page"
    assert boss.get(page).status_code == 404, "it has no HTML"
    (file,) = shared_product.data.rglob(f"{listed['id']}.eml")
    message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    message.add_alternative('<p style="color: red">Hello</p><script>alert(1)</script>', subtype="html")
    file.write_bytes(message.as_bytes())
    answer = boss.get(page)
    assert answer.status_code == 200 and '<p style="color: red">Hello</p>' in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "sandbox" in policy and "frame-ancestors 'self'" in policy
    assert "script-src" not in policy and "allow-" not in policy
    assert answer.headers["x-frame-options"] == "SAMEORIGIN" and answer.headers["cache-control"] == "no-store"


def test_kept_messages_are_listed_newest_first_page_by_page(boss: Person) -> None:
    people = [somebody() for _ in range(3)]
    for person in people:
        sent_test(boss, person)
    seen: list[str] = []
    following: str | None = f"{MESSAGES}?limit=2"
    while following and len(seen) < 3:
        answer = boss.get(following)
        seen += [entry["to"] for entry in answer.json() if entry["to"] in people]
        following = next_page(answer)
    assert seen == people[::-1]


def test_a_bad_address_is_named(boss: Person) -> None:
    for to in ("", "nobody", "a@b\r\nBcc: c@d.example", "x" * 321):
        answer = boss.post(TEST_MAIL, json={"to": to})
        assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"to"}
    assert boss.post(TEST_MAIL, json={"to": somebody(), "bcc": "x"}).status_code == 422


@pytest.mark.parametrize("cursor", ["bm90LW91cnM", "%00", "x"])
def test_a_foreign_cursor_is_refused(boss: Person, cursor: str) -> None:
    answer = boss.get(f"{MESSAGES}?cursor={cursor}")
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"cursor"}


@pytest.mark.parametrize(
    "path",
    ["outbox/messages/nowhere", "outbox/messages/..%2F..%2Fetc", "disk/messages", "nobody/messages", "disk/messages/x"],
)
def test_what_is_not_there_is_absent(boss: Person, path: str) -> None:
    assert boss.get(f"/api/admin/instances/{path}").status_code == 404


def test_only_e_mail_instances_send(boss: Person) -> None:
    for instance in ("disk", "nobody"):
        assert boss.post(f"/api/admin/instances/{instance}/send-test", json={"to": somebody()}).status_code == 404


def test_test_mails_are_limited(boss: Person) -> None:
    statuses = [boss.post(TEST_MAIL, json={"to": somebody()}).status_code for _ in range(12)]
    assert statuses == [200] * 10 + [429] * 2


@pytest.fixture
def with_vendors(databases: Databases) -> Iterator[Product]:
    product = LocalProduct(databases, "sqlite", settings=VENDORS).start()
    yield product
    product.close()


def test_a_bounce_that_postmark_tells_ends_mail_to_that_address(with_vendors: Product) -> None:
    gone, boss = somebody(), with_vendors.admin()
    bounce = {"RecordType": "Bounce", "ID": 7, "Type": "HardBounce", "Inactive": True, "Email": gone.upper()}
    path = "/api/webhooks/email/postmark"
    nobody = with_vendors.visitor()
    assert nobody.post(path, json=bounce).status_code in (400, 401)
    assert sent_test(boss, gone)["state"] == "sent"
    assert nobody.post(path, json=bounce, headers={"x-webhook-secret": SECRET}).status_code == 200
    wait_until(lambda: with_vendors.sql("SELECT id FROM email_suppression"), "the bounce to be applied")
    assert sent_test(boss, gone)["state"] == "rejected"
    assert sent_test(boss, somebody())["state"] == "sent"


def test_what_mailgun_tells_ends_mail_to_an_address_and_its_proof_is_good_once(with_vendors: Product) -> None:
    gone, other, boss, nobody = somebody(), somebody(), with_vendors.admin(), with_vendors.visitor()
    proof: dict[str, Any] = {"token": "t" * 50, "at": with_vendors.now().timestamp()}

    def report(event: str, to: str, **changes: Any) -> int:
        told = {"event": event, "severity": "permanent", "reason": "bounce", "recipient": to}
        return nobody.post("/api/webhooks/email/mailgun", content=signed(told, **(proof | changes))).status_code

    assert report("failed", gone, key="of somebody else") == 400
    assert report("failed", gone, at=proof["at"] - 86_400) == 400
    assert sent_test(boss, gone)["state"] == "sent"
    assert [report("failed", gone) for _ in range(3)] == [200] * 3
    assert report("complained", other) == 400
    wait_until(lambda: with_vendors.sql("SELECT id FROM email_suppression"), "the bounce to be applied")
    rows = with_vendors.sql("SELECT address, scope, reason, source FROM email_suppression")
    assert rows == [{"address": gone, "scope": "all", "reason": "bounced", "source": "mailgun"}]
    assert [sent_test(boss, to)["state"] for to in (gone, other)] == ["rejected", "sent"]


def test_who_read_a_kept_message_is_in_the_audit_trail(shared_product: Product, boss: Person) -> None:
    boss.post(TEST_MAIL, json={"to": somebody()})
    first = boss.get(MESSAGES).json()[0]["id"]
    assert boss.get(f"{MESSAGES}/{first}").status_code == 200
    about = {
        ("email.list_kept", "instances/outbox/messages"),
        ("email.read_kept", f"instances/outbox/messages/{first}"),
    }
    entries = boss.get("/api/admin/audit", params={"limit": 100}).json()
    assert about <= {(entry["action"], entry["object"]) for entry in entries}
