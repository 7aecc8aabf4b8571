"""What users change about themselves: names, address, email preferences, sign-in methods."""

import httpx
import pytest

from kernel.accounts.models import UserIdentity
from tests.accounts.conftest import GOOD_PASSWORD, Clock, Site, sign_in

pytestmark = pytest.mark.anyio

ADA, NEW = "ada@example.com", "ada@lovelace.example"


async def confirm(client: httpx.AsyncClient, token: str) -> httpx.Response:
    return await client.post("/api/account/email/confirm", json={"token": token})


async def change_address(client: httpx.AsyncClient, email: str = NEW, **body: str) -> httpx.Response:
    given = {"email": email, "currentPassword": GOOD_PASSWORD} | body
    return await client.post("/api/account/email", json=given)


async def test_names_are_kept_tidy_and_can_be_taken_away(site: Site) -> None:
    ada = await site.register()
    answer = await ada.patch("/api/account", json={"firstName": "  Ada  King ", "lastName": "Lovelace"})
    assert (answer.status_code, answer.json()["firstName"], answer.json()["lastName"]) == (200, "Ada King", "Lovelace")
    answer = await ada.patch("/api/account", json={"lastName": None})
    assert (answer.json()["firstName"], answer.json()["lastName"]) == ("Ada King", None)


async def test_bad_names_are_named_together_and_nothing_else_can_be_changed(site: Site) -> None:
    ada = await site.register()
    answer = await ada.patch("/api/account", json={"firstName": "x" * 101, "lastName": "a\u202eb"})
    assert set(answer.json()["error"]["fields"]) == {"firstName", "lastName"}
    for field in ("isAdmin", "email", "emailVerified", "id", "isPro"):
        assert (await ada.patch("/api/account", json={field: True})).status_code == 422
    assert (await ada.get("/api/auth/user")).json()["isAdmin"] is False


async def test_news_by_mail_are_on_until_somebody_says_otherwise(site: Site) -> None:
    ada = await site.register()
    assert (await ada.get("/api/auth/user")).json()["emailMarketingEnabled"] is True
    for wanted in (False, True):
        answer = await ada.patch("/api/users/email-preferences", json={"emailMarketingEnabled": wanted})
        assert (answer.status_code, answer.json()["emailMarketingEnabled"]) == (200, wanted)
    for bad in ({}, {"emailMarketingEnabled": "no"}, {"emailMarketingEnabled": None}):
        answer = await ada.patch("/api/users/email-preferences", json=bad)
        assert (answer.status_code, set(answer.json()["error"]["fields"])) == (422, {"emailMarketingEnabled"})


async def test_a_new_account_confirms_its_address(site: Site) -> None:
    ada = await site.register()
    assert (await ada.get("/api/auth/user")).json()["emailVerified"] is False
    token = await site.link()
    stranger = await site.new_client()
    assert (await confirm(stranger, token)).status_code == 204
    assert (await stranger.get("/api/auth/user")).status_code == 401
    assert (await ada.get("/api/auth/user")).json()["emailVerified"] is True
    assert (await confirm(ada, token)).json()["error"]["code"] == "link_expired"
    assert (await ada.post("/api/account/email/verify")).status_code == 202
    assert await site.letters() == []


async def test_the_link_can_be_had_again_but_not_for_ever(site: Site, time: Clock) -> None:
    ada = await site.register()
    first = await site.link()
    assert (await ada.post("/api/account/email/verify")).status_code == 202
    second = await site.link()
    assert (await confirm(ada, first)).status_code == 403
    time.advance(hours=24)
    assert (await confirm(ada, second)).status_code == 403
    answers = [await ada.post("/api/account/email/verify") for _ in range(6)]
    assert answers[-1].status_code == 429


async def test_a_new_email_address_applies_once_confirmed_and_the_old_one_is_notified(site: Site) -> None:
    ada = await site.register()
    await site.letters()
    assert (await change_address(ada)).status_code == 202
    assert (await ada.get("/api/auth/user")).json()["email"] == ADA
    (letter,) = await site.letters()
    assert letter.to == NEW
    token = letter.text.split("#token=")[1].split()[0]
    assert (await confirm(ada, token)).status_code == 204
    user = (await ada.get("/api/auth/user")).json()
    assert (user["email"], user["emailVerified"]) == (NEW, True)
    assert [(told.to, told.subject) for told in await site.letters()] == [(ADA, "Your email address was changed")]
    assert (await sign_in(await site.new_client(), ADA)).status_code == 401
    assert (await sign_in(await site.new_client(), NEW)).status_code == 200


async def test_the_wrong_password_and_a_bad_address_are_named_together(site: Site) -> None:
    ada = await site.register()
    await site.letters()
    answer = await change_address(ada, "nonsense", currentPassword="not it")
    assert set(answer.json()["error"]["fields"]) == {"email", "currentPassword"}
    assert set((await change_address(ada, ADA.upper())).json()["error"]["fields"]) == {"email"}
    assert await site.letters() == []


async def test_without_a_password_only_a_fresh_sign_in_changes_the_address(site: Site, time: Clock) -> None:
    ada = await site.register()
    await site.letters()
    await site.change_user(ADA, password_hash=None)
    time.advance(minutes=16)
    answer = await ada.post("/api/account/email", json={"email": NEW})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "reauthentication_required")
    time.advance(minutes=-16)
    assert (await ada.post("/api/account/email", json={"email": NEW})).status_code == 202


async def test_an_existing_account_is_revealed_by_email_only(site: Site) -> None:
    ada = await site.register()
    await site.register("bob@example.com")
    await site.letters()
    free, taken = await change_address(ada), await change_address(ada, "bob@example.com")
    assert (free.status_code, free.content) == (taken.status_code, taken.content)
    (letter,) = await site.letters()
    assert (letter.to, "#token=" in letter.text) == ("bob@example.com", False)


async def test_an_email_address_taken_in_the_meantime_is_not_moved(site: Site) -> None:
    ada = await site.register()
    await site.letters()
    await change_address(ada)
    token = await site.link()
    await site.register(NEW)
    answer = await confirm(ada, token)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "email_taken")
    assert (await ada.get("/api/auth/user")).json()["email"] == ADA


async def test_one_call_ends_every_other_session(site: Site) -> None:
    ada, phone = await site.register(), await site.new_client()
    await sign_in(phone, ADA)
    bob = await site.register("bob@example.com")
    assert (await ada.delete("/api/account/sessions")).status_code == 204
    assert [(await one.get("/api/auth/user")).status_code for one in (ada, phone, bob)] == [200, 401, 200]


async def test_the_only_way_in_is_not_disconnected(site: Site) -> None:
    ada, bob = await site.register(), await site.register("bob@example.com")
    async with site.database.write() as session:
        session.add_all(
            [UserIdentity(user_id=1, issuer="i", subject=name, instance_id="oidc") for name in ("one", "two")]
        )
    ways = (await ada.get("/api/account/sign-ins")).json()
    assert [(way["instanceId"], way["label"]) for way in ways] == [("oidc", None)] * 2
    assert (await bob.get("/api/account/sign-ins")).json() == []
    first, second = (f"/api/account/sign-ins/{way['id']}" for way in ways)
    assert (await bob.delete(first)).status_code == 404
    await site.change_user(ADA, password_hash=None)
    assert (await ada.delete(first)).status_code == 204
    answer = await ada.delete(second)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "last_way_in")
    await site.change_user(ADA, password_hash="x")
    assert (await ada.delete(second)).status_code == 204


async def test_a_language_comes_along_to_a_new_device_but_not_against_a_choice_there(site: Site) -> None:
    ada = await site.register()
    await ada.post("/api/set-language", json={"language": "ja"})
    fresh = await site.new_client()
    answer = await sign_in(fresh, ADA)
    assert {"preferred-language=ja", "i18next=ja"} <= {
        line.split(";")[0] for line in answer.headers.get_list("set-cookie")
    }
    chosen = await site.new_client(cookie="preferred-language=fr")
    answer = await sign_in(chosen, ADA)
    assert not any("preferred-language" in line for line in answer.headers.get_list("set-cookie"))
    assert answer.json()["language"] == "ja"


async def test_a_language_chosen_before_registering_or_signing_in_is_the_users(site: Site) -> None:
    client = await site.new_client(cookie="preferred-language=fr")
    body = {"email": "bob@example.com", "password": GOOD_PASSWORD}
    assert (await client.post("/api/auth/register", json=body)).json()["language"] == "fr"
    await site.register()
    again = await site.new_client(cookie="preferred-language=ko")
    assert (await sign_in(again, ADA)).json()["language"] == "ko"
    assert {(letter.to, letter.subject) for letter in await site.letters()} == {
        (ADA, "이메일 주소 확인"),
        (ADA, "계정에 새로운 로그인이 있었어요"),
        ("bob@example.com", "Confirmez votre adresse e-mail"),
    }
