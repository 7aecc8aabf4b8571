"""`coverwright secrets rotate`: afterwards the present key alone opens everything."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from kernel.accounts.auth.oauth.state import place_of_sign_in
from kernel.accounts.models import PendingSignIn, Totp, User
from kernel.accounts.second_factor.totp import place_of_totp
from kernel.commands import secrets
from kernel.core import clock
from kernel.core.config import load_config
from kernel.core.data.database import Database
from kernel.core.vault import Vault
from kernel.providers.administration.instance_store import place_of
from kernel.providers.models import ProviderInstance, ProviderSecret, WebhookDelivery
from kernel.providers.webhooks.inbox import place_of_delivery
from tests.support.databases import BACKENDS, Databases

pytestmark = pytest.mark.anyio

OLD, NEW = "o" * 32, "n" * 32
SECRETS = 5


@pytest.fixture(params=BACKENDS)
def env(request: pytest.FixtureRequest, tmp_path: Path, databases: Databases) -> dict[str, str]:
    address = databases.migrated(request.param, tmp_path)
    return {
        "COVERWRIGHT_DATA": str(tmp_path),
        "COVERWRIGHT_DATABASE_URL": address,
        "COVERWRIGHT_SECRET_KEY": NEW,
        "COVERWRIGHT_OLD_SECRET_KEYS": OLD,
    }


async def test_everything_is_encrypted_with_the_present_key(
    env: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(secrets, "BATCH", 2)
    config, old, new = load_config(env), Vault(OLD.encode()), Vault(NEW.encode())
    database = Database(config.database_url)
    try:
        async with database.write() as session:
            row = {"kind": "image", "provider": "x", "label": "X", "revision": 1}
            await session.execute(insert(ProviderInstance).values(id="main", **row))
            for number in range(SECRETS):
                name = f"key-{number}"
                sealed = (old, new)[number == 0].seal(f"secret {number}", place=place_of("main", name))
                await session.execute(insert(ProviderSecret).values(instance_id="main", field=name, sealed=sealed))
            lost = Vault(b"l" * 32).seal("lost", place=place_of("main", "lost"))
            await session.execute(insert(ProviderSecret).values(instance_id="main", field="lost", sealed=lost))
            body = old.seal("body", place=place_of_delivery("main", "d1"))
            values = {"id": "d1", "instance_id": "main", "received_at": clock.now(), "body": body}
            await session.execute(insert(WebhookDelivery).values(**values))
            pending = old.seal("state", place=place_of_sign_in("k"))
            until = clock.now() + timedelta(minutes=5)
            await session.execute(insert(PendingSignIn).values(key_hash="k", sealed=pending, expires_at=until))
            user = User(email="a@example.org", email_norm="a@example.org")
            session.add(user)
            await session.flush()
            user_id = user.id
            app = old.seal("app", place=place_of_totp(user_id))
            await session.execute(insert(Totp).values(user_id=user_id, sealed=app))
        assert await secrets.rotate(config) == 1, "one cannot be decrypted"
        told = capsys.readouterr()
        assert told.out == f"{SECRETS + 2} secrets are encrypted with the present key now.\n"
        assert told.err.startswith("1 cannot be decrypted")
        async with database.read() as connection:
            stored = await connection.execute(select(ProviderSecret.field, ProviderSecret.sealed))
            found = dict(stored.tuples().all())
            assert found.pop("lost") == lost
            texts = {name: new.open(sealed, place=place_of("main", name)) for name, sealed in found.items()}
            assert texts == {f"key-{number}": f"secret {number}" for number in range(SECRETS)}
            body = (await connection.execute(select(WebhookDelivery.body))).scalar_one()
            assert new.open(body, place=place_of_delivery("main", "d1")) == "body"
            pending = (await connection.execute(select(PendingSignIn.sealed))).scalar_one()
            assert new.open(pending, place=place_of_sign_in("k")) == "state"
            app = (await connection.execute(select(Totp.sealed))).scalar_one()
            assert new.open(app, place=place_of_totp(user_id)) == "app"
        await secrets.rotate(config)
        assert capsys.readouterr().out.startswith("0 secrets")
    finally:
        await database.aclose()
