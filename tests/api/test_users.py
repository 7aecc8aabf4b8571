"""Users as administrators list, change and delete them."""

import csv
import io
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest

from kernel.billing.entitlement import DAY_S, LIVE_STATES
from tests.person import Person, fault, next_page
from tests.product import PASSWORD, Product
from tests.shelf import shelve
from tests.support.processes import wait_until

FIELDS = {
    "id",
    "email",
    "emailVerified",
    "firstName",
    "lastName",
    "profileImageUrl",
    "isAdmin",
    "disabled",
    "isPro",
    "proOverride",
    "paymentCustomerId",
    "subscription",
    "createdAt",
    "lastSeenAt",
    "generationsThisMonth",
    "covers",
    "emailMarketingEnabled",
    "suppression",
    "proUntil",
    "credits",
    "hasSecondFactor",
}


def listed(admin: Person, **query: Any) -> list[dict[str, Any]]:
    answer = admin.get("/api/admin/users", params=query)
    assert answer.status_code == 200, answer.text
    people: list[dict[str, Any]] = answer.json()
    return people


def row(admin: Person, person: Person) -> dict[str, Any]:
    (found,) = listed(admin, search=person.user["email"])
    return found


def named(product: Product, first: str, last: str = "") -> Person:
    person = product.user()
    assert person.patch("/api/account", json={"firstName": first, "lastName": last}).status_code == 200
    return person


def change(admin: Person, person: Person, **body: Any) -> Any:
    return admin.patch(f"/api/admin/users/{person.id}", json=body)


def dismissed(admin: Person, email: str) -> Any:
    return admin.delete(f"/api/admin/users/by-email/{quote(email, safe='')}")


def test_a_row_tells_all_there_is_to_know(admin: Person, ada: Person, library: str) -> None:
    assert set(row(admin, ada)) == FIELDS
    shelve(library, ada.id, ["Dune", "Emma"])
    known = row(admin, ada)
    assert {name: known[name] for name in ("id", "email", "isAdmin", "isPro", "proOverride", "subscription")} == {
        "id": ada.id,
        "email": ada.user["email"],
        "isAdmin": False,
        "isPro": False,
        "proOverride": None,
        "subscription": None,
    }
    assert (known["covers"], known["emailMarketingEnabled"], known["profileImageUrl"]) == (2, True, None)
    assert known["lastSeenAt"] and known["createdAt"]
    assert ada.patch("/api/users/email-preferences", json={"emailMarketingEnabled": False}).status_code == 200
    ada.cover()
    known = row(admin, ada)
    assert (known["covers"], known["generationsThisMonth"], known["emailMarketingEnabled"]) == (3, 1, False)


def test_users_come_newest_first_in_pages(product: Product, admin: Person) -> None:
    mark = uuid4().hex[:10]
    ids = [named(product, mark).id for _ in range(5)]
    pages: list[list[int]] = []
    following: str | None = f"/api/admin/users?search={mark}&limit=2"
    while following is not None:
        answer = admin.get(following)
        pages.append([person["id"] for person in answer.json()])
        following = next_page(answer)
    assert pages == [[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]]
    assert next_page(admin.get(f"/api/admin/users?search={mark}")) is None
    assert fault(admin.get("/api/admin/users?cursor=x"))["fields"].keys() == {"cursor"}
    assert admin.get("/api/admin/users?role=king").status_code in (400, 422)


@pytest.mark.parametrize(
    ("first", "last", "search"),
    [
        ("Ada", "Lovelace", "aDA"),
        ("Ada", "Lovelace", "LOVE"),
        ("Ada", "Lovelace", "  ada  lovelace "),
        ("Émile", "Zola", "éMILE"),
        ("Élise", "Łódź", "elise lodz"),
        ("Elise", "Lodz", "élise"),
        ("Ольга", "Чехова", "чЕХОВ"),
        ("Σοφία", "", "σΟΦΊΑ"),
        ("Jürgen", "Straße", "STRASSE"),
        ("名前", "太郎", "太郎"),
        ("50%", "a_b", "50%"),
        ("50%", "a_b", "A_B"),
        ("back\\slash", "", "K\\S"),
    ],
)
def test_names_are_found_whatever_the_case(product: Product, admin: Person, first: str, last: str, search: str) -> None:
    person = named(product, first, last)
    assert person.id in [found["id"] for found in listed(admin, search=search)]


def test_wildcards_are_letters(product: Product, admin: Person) -> None:
    person = named(product, "plain", "name")
    for search in ("%", "_", "pl%n", "pl_in", "nobody is called so", "\0nobody"):
        assert person.id not in [found["id"] for found in listed(admin, search=search)], search


def test_who_needs_a_look_can_be_listed(product: Product, admin: Person) -> None:
    mark = uuid4().hex[:10]
    confirmed, unconfirmed, gone, suspended = (named(product, mark) for _ in range(4))
    for person, change_ in (
        (confirmed, "email_verified = true"),
        (gone, "email_verified = true, last_seen_at = '2026-01-01 00:00:00.000000'"),
        (suspended, "email_verified = true, payment_customer = 'cus_1'"),
    ):
        product.sql(f'UPDATE "user" SET {change_} WHERE id = :id', id=person.id)
    change(admin, suspended, disabled=True)
    roles = ("all", "customer", "unconfirmed", "inactive", "suspended")
    assert {role: [person["id"] for person in listed(admin, search=mark, role=role)] for role in roles} == {
        "all": [suspended.id, gone.id, unconfirmed.id, confirmed.id],
        "customer": [suspended.id],
        "unconfirmed": [unconfirmed.id],
        "inactive": [gone.id],
        "suspended": [suspended.id],
    }


def test_a_parameter_that_there_is_not_is_refused(product: Product, admin: Person, ada: Person) -> None:
    answer = admin.get("/api/admin/users?role=pro&plan=yearly&order=email")
    assert answer.status_code == 422 and fault(answer)["fields"].keys() == {"plan", "order"}
    assert admin.get("/api/admin/audit?who=me").status_code == 422
    assert ada.get("/api/admin/users?plan=yearly").status_code == 403, "who may not know is not told"
    assert ada.get("/api/covers?ref=newsletter").status_code == 200


def test_who_signed_up_on_some_days_can_be_listed(product: Product, admin: Person) -> None:
    mark = uuid4().hex[:10]
    early, noon, late = (named(product, mark) for _ in range(3))
    for person, moment in ((early, "02 23:59:59"), (noon, "03 12:00:00"), (late, "04 00:00:00")):
        product.sql(f"UPDATE \"user\" SET created_at = '2026-02-{moment}.000000' WHERE id = :id", id=person.id)
    admin.post("/api/admin/figures/rebuild")  # they know nothing of days that change
    days = {"from": "2026-02-03", "to": "2026-02-03"}
    assert [person["id"] for person in listed(admin, search=mark, **days)] == [noon.id]
    assert [person["id"] for person in listed(admin, search=mark, to="2026-02-03")] == [noon.id, early.id]
    assert admin.get("/api/admin/users?from=yesterday").status_code == 422


def test_administrators_and_pro_can_be_listed_by_themselves(product: Product, admin: Person) -> None:
    mark = uuid4().hex[:10]
    plain, given, paying, denied, chief = (named(product, mark) for _ in range(5))
    for buyer in (paying, denied):
        buyer.subscribe()
    change(admin, given, isPro=True)
    change(admin, denied, isPro=False)
    change(admin, chief, isAdmin=True)
    ids = {
        role: [person["id"] for person in listed(admin, search=mark, role=role)]
        for role in ("all", "pro", "paying", "gift", "admin")
    }
    assert ids == {
        "all": [chief.id, denied.id, paying.id, given.id, plain.id],
        "pro": [paying.id, given.id],
        "paying": [denied.id, paying.id],
        "gift": [given.id],
        "admin": [chief.id],
    }
    known = {person["id"]: person for person in listed(admin, search=mark)}
    assert {one.id: known[one.id]["isPro"] for one in (plain, given, paying, denied)} == {
        plain.id: False,
        given.id: True,
        paying.id: True,
        denied.id: False,
    }
    assert (known[paying.id]["subscription"], known[plain.id]["subscription"]) == ("active", None)
    assert known[paying.id]["paymentCustomerId"] and known[plain.id]["paymentCustomerId"] is None
    assert change(admin, chief, isAdmin=False).status_code == 200


@pytest.mark.parametrize(
    ("state", "period_end", "cancel_at", "past_due_since"),
    [
        ("active", 10, None, None),
        ("active", -10, None, None),
        ("active", -8 * DAY_S, None, None),
        ("trialing", None, None, None),
        ("active", DAY_S, -10, None),
        ("active", DAY_S, DAY_S, None),
        ("past_due", DAY_S, None, -DAY_S),
        ("past_due", DAY_S, None, -8 * DAY_S),
        ("past_due", DAY_S, None, None),
        ("unpaid", DAY_S, None, None),
        ("canceled", DAY_S, None, None),
    ],
)
def test_the_list_and_the_user_agree_on_who_is_pro(
    product: Product,
    admin: Person,
    ada: Person,
    state: str,
    period_end: int | None,
    cancel_at: int | None,
    past_due_since: int | None,
) -> None:
    ada.subscribe()
    now = int(product.now().timestamp())
    times = {"period_end": period_end, "cancel_at": cancel_at, "past_due_since": past_due_since}
    product.sql(
        "UPDATE subscription SET state = :state, is_current = :current, period_end = :period_end, "
        "cancel_at = :cancel_at, past_due_since = :past_due_since WHERE user_id = :id",
        state=state,
        current=state in LIVE_STATES,
        id=ada.id,
        **{name: None if value is None else now + value for name, value in times.items()},
    )
    assert row(admin, ada)["isPro"] == ada.get("/api/auth/user").json()["isPro"]


def test_who_is_made_an_administrator_is_one_at_once_and_who_is_not_any_more_is_none(
    product: Product, admin: Person, ada: Person
) -> None:
    assert ada.get("/api/admin/users").status_code == 403
    answer = change(admin, ada, isAdmin=True)
    assert (answer.status_code, answer.json()["isAdmin"], set(answer.json())) == (200, True, FIELDS)
    assert ada.get("/api/admin/users").status_code == 200
    assert change(admin, ada, isAdmin=False).json()["isAdmin"] is False
    assert [ada.get("/api/admin/users").status_code for _ in range(6)] == [403] * 6
    trail = admin.get("/api/admin/audit", params={"action": "user.change", "actorId": admin.id}).json()
    mine = [(entry["object"], entry["keys"]) for entry in trail if entry["object"] == f"user:{ada.id}"]
    assert mine == [(f"user:{ada.id}", ["isAdmin"])] * 2


def test_the_word_of_an_administrator_goes_before_the_subscription(admin: Person, ada: Person) -> None:
    def pro() -> bool:
        return bool(ada.get("/api/auth/user").json()["isPro"])

    assert change(admin, ada, isPro=True).json()["isPro"] is True and pro()
    ada.post("/api/create-subscription", json={})
    answer = change(admin, ada, isPro=None).json()
    assert (answer["proOverride"], answer["isPro"], pro()) == (None, False, False)
    ada.subscribe()
    assert pro()
    assert change(admin, ada, isPro=False).json()["proOverride"] is False and not pro()
    assert change(admin, ada, isPro=None).json()["isPro"] is True and pro()


def test_bad_changes_are_named_and_change_nothing(admin: Person, ada: Person) -> None:
    answer = change(admin, ada, isAdmin="yes", isPro=1, name="x")
    assert (answer.status_code, set(fault(answer)["fields"])) == (422, {"isAdmin", "isPro", "name"})
    assert fault(change(admin, ada, isAdmin=None))["fields"].keys() == {"isAdmin"}
    assert change(admin, ada).json() == row(admin, ada)
    for nowhere in ("/api/admin/users/999999999", "/api/admin/users/0", "/api/admin/users/ada"):
        assert admin.patch(nowhere, json={"isPro": True}).status_code == 404


def test_deleting_a_user_ends_the_subscription_too_even_if_the_provider_is_away(product: Product) -> None:
    admin, reader = product.admin(), product.user()
    email, cover = reader.user["email"], reader.cover()
    reader.post("/api/themes", json={"name": "Harbours", "stylePrompt": "linocut"})
    reader.subscribe()
    product.bank.does("delete_customer=down")
    answer = dismissed(admin, email.upper())
    assert (answer.status_code, answer.json()) == (200, {"deletedUser": {"email": email}})
    assert reader.get("/api/auth/user").status_code == 401
    assert listed(admin, search=email) == []
    assert dismissed(admin, email).status_code == 404
    assert change(admin, reader, isPro=True).status_code == 404
    again = product.visitor()
    body = {"email": email, "password": PASSWORD}
    assert again.post("/api/auth/register", json=body).status_code == 201
    assert again.get(cover["imageUrl"]).status_code == 404

    def removed() -> bool:
        product.advance(10)  # the time until the next try
        return not product.bank.customers(reader.id)

    wait_until(removed, "the end of the customer", 40)
    wait_until(lambda: not product.sql('SELECT id FROM "user" WHERE id = :id', id=reader.id), "the end", 40)
    for table in ("cover", "theme", "generation", "subscription"):
        assert product.sql(f"SELECT user_id FROM {table} WHERE user_id = :id", id=reader.id) == []
    trail = admin.get("/api/admin/audit", params={"action": "user.delete", "actorId": admin.id}).json()
    (entry,) = [entry for entry in trail if entry["object"] == f"user:{reader.id}"]
    assert entry["ip"]


@pytest.mark.parametrize("address", ["nobody@example.org", "no address", "%", "a/b", "gone:1", ""])
def test_an_address_without_an_account_is_not_there(admin: Person, address: str) -> None:
    assert dismissed(admin, address).status_code in (404, 405)


@pytest.mark.parametrize("local", ["a/b", "a+b", "a%2Fb", "a?b", "a#b", "ü"])
def test_every_address_can_be_deleted(product: Product, admin: Person, local: str) -> None:
    email = f"{local}-{uuid4().hex[:8]}@example.com"
    made = product.visitor().post("/api/auth/register", json={"email": email, "password": PASSWORD})
    assert made.status_code == 201, made.text
    assert dismissed(admin, email).json() == {"deletedUser": {"email": email}}


def test_an_administrator_who_deletes_the_own_account_is_signed_out(product: Product, admin: Person) -> None:
    chief = product.user(admin=True)
    answer = dismissed(chief, chief.user["email"])
    assert answer.status_code == 200 and "Max-Age=0" in answer.headers["set-cookie"]
    assert chief.get("/api/auth/user").status_code == 401
    assert admin.get("/api/admin/users").status_code == 200


@pytest.fixture
def before(product: Product) -> Iterator[dict[str, int]]:
    yield product.admin().get("/api/admin/overview").json()


def test_the_figures_of_the_dashboard(product: Product, admin: Person, before: dict[str, int]) -> None:
    given, paying, chief, _plain = (product.user() for _ in range(4))
    change(admin, given, isPro=True)
    paying.subscribe()
    change(admin, chief, isAdmin=True)
    after = admin.get("/api/admin/overview").json()
    assert {name: after[name] - count for name, count in before.items()} == {
        "users": 4,
        "pro": 2,
        "administrators": 1,
        "paymentCustomers": 1,
    }
    assert dismissed(admin, chief.user["email"]).status_code == 200
    now = admin.get("/api/admin/overview").json()
    assert (now["users"], now["administrators"]) == (after["users"] - 1, after["administrators"] - 1)
    assert change(admin, given, isPro=None).status_code == 200


def test_users_are_sorted_page_by_page(product: Product, admin: Person) -> None:
    mark = uuid4().hex[:10]
    people = [named(product, mark) for _ in range(5)]
    for day, person in zip((3, 1, 5, 2, 4), people, strict=True):
        product.sql(f"UPDATE \"user\" SET last_seen_at = '2026-02-0{day} 10:00:00.000000' WHERE id = :id", id=person.id)

    def walked(sort: str) -> list[int]:
        answer = admin.get("/api/admin/users", params={"search": mark, "sort": sort, "limit": 2})
        found = [row["id"] for row in answer.json()]
        while address := next_page(answer):
            answer = admin.get(address)
            found += [row["id"] for row in answer.json()]
        return found

    by_address = sorted(people, key=lambda person: str(person.user["email"]))
    assert walked("email") == [person.id for person in by_address]
    assert walked("seen") == [people[index].id for index in (2, 4, 0, 3, 1)]
    assert walked("newest") == [person.id for person in reversed(people)]
    assert admin.get("/api/admin/users?sort=seen&cursor=eA").status_code == 422
    assert admin.get("/api/admin/users?sort=king").status_code in (400, 422)


def test_who_owes_and_who_gets_no_email_can_be_listed(product: Product, admin: Person) -> None:
    mark = uuid4().hex[:10]
    plain, owing, bounced, unsubscribed = (named(product, mark) for _ in range(4))
    owing.subscribe()
    product.sql("UPDATE subscription SET state = 'past_due' WHERE user_id = :id", id=owing.id)
    for person, scope in ((bounced, "all"), (unsubscribed, "bulk")):
        product.sql(
            "INSERT INTO email_suppression (address, scope, reason, source, created_at) "
            "VALUES (:address, :scope, 'bounced', 'outbox', '2026-02-01 00:00:00.000000')",
            address=person.user["email"],
            scope=scope,
        )
    assert [row["id"] for row in listed(admin, search=mark, role="past_due")] == [owing.id]
    assert [row["id"] for row in listed(admin, search=mark, role="suppressed")] == [bounced.id]
    assert plain.id in [row["id"] for row in listed(admin, search=mark)]


def test_the_file_of_users_holds_what_the_list_shows(product: Product, admin: Person) -> None:
    mark = uuid4().hex[:10]
    people = [named(product, f"=cmd {mark}") for _ in range(3)]
    answer = admin.get("/api/admin/users/file", params={"search": mark, "sort": "newest"})
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [int(row["id"]) for row in rows] == [person.id for person in reversed(people)]
    assert {row["first_name"] for row in rows} == {f"'=cmd {mark}"}
    assert {row["is_pro"] for row in rows} == {"False"}


def test_an_administrator_has_a_password_link_sent_to_the_user_only(product: Product, admin: Person) -> None:
    person = named(product, "Élise")
    address = f"/api/admin/users/{person.id}/reset-link"
    assert admin.post(address).status_code == 204
    (entry,) = admin.get(f"/api/admin/audit?action=user.send_reset_link&object=user:{person.id}").json()
    assert entry["actorId"] == admin.id

    def links() -> list[Any]:
        query = "SELECT id FROM account_token WHERE purpose = 'reset' AND user_id = :id"
        return product.sql(query, id=person.id)

    assert wait_until(links, "link", 20)
    change(admin, person, disabled=True)
    refused = admin.post(address)
    assert (refused.status_code, fault(refused)["code"]) == (409, "suspended")
    assert admin.post("/api/admin/users/999999999/reset-link").status_code == 404
