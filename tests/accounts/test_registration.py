"""Making an account."""

import asyncio

import httpx
import pytest

from tests.accounts.conftest import GOOD_PASSWORD, OpenSite, Site, sign_in

pytestmark = pytest.mark.anyio


async def register(client: httpx.AsyncClient, **body: object) -> httpx.Response:
    return await client.post("/api/auth/register", json={"email": "ada@example.com", "password": GOOD_PASSWORD, **body})


async def test_a_new_account_is_signed_in_at_once(client: httpx.AsyncClient) -> None:
    made = await register(client, firstName="Ada", lastName="Lovelace")
    assert made.status_code == 201
    user = (await client.get("/api/auth/user")).json()
    assert user == made.json()
    assert (user["firstName"], user["lastName"], user["email"]) == ("Ada", "Lovelace", "ada@example.com")


async def test_the_user_object_has_every_specified_field(client: httpx.AsyncClient) -> None:
    user = (await register(client)).json()
    assert isinstance(user["id"], int)
    assert user["createdAt"].endswith("Z")
    expected = {
        "profileImageUrl": None,
        "isAdmin": False,
        "isPro": False,
        "paymentCustomerId": None,
        "generationsThisMonth": 0,
        "emailMarketingEnabled": True,
        "subscription": None,
        "invoices": [],
    }
    assert expected.items() <= user.items()
