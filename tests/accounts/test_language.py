"""Remembering the language."""

import httpx
import pytest

from kernel.core.text.languages import LANGUAGES
from tests.accounts.conftest import Site

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("code", LANGUAGES)
async def test_a_language_is_kept_in_both_cookies(client: httpx.AsyncClient, code: str) -> None:
    answer = await client.post("/api/set-language", json={"language": code})
    assert answer.status_code == 204
    lines = answer.headers.get_list("set-cookie")
    assert [line.split(";")[0] for line in lines] == [f"preferred-language={code}", f"i18next={code}"]
    for line in lines:
        attributes = {part.strip().lower() for part in line.split(";")[1:]}
        assert {"max-age=31536000", "path=/", "samesite=lax"} <= attributes
        assert "httponly" not in attributes


async def test_a_signed_in_user_keeps_the_language(site: Site) -> None:
    client = await site.register()
    await client.post("/api/set-language", json={"language": "ja"})
    assert (await client.get("/api/auth/user")).json()["language"] == "ja"


@pytest.mark.parametrize("code", ["xx", "", "EN", "en-US", "\n[CRITICAL] forged"])
async def test_an_unsupported_language_is_logged_and_ignored(
    site: Site, caplog: pytest.LogCaptureFixture, code: str
) -> None:
    client = await site.register()
    with caplog.at_level("INFO"):
        answer = await client.post("/api/set-language", json={"language": code})
    assert answer.status_code == 204
    assert "set-cookie" not in answer.headers
    assert (await client.get("/api/auth/user")).json()["language"] is None
    (line,) = [record.getMessage() for record in caplog.records if "Unsupported language" in record.getMessage()]
    assert "\n" not in line


async def test_a_language_that_is_no_text_is_named(client: httpx.AsyncClient) -> None:
    answer = await client.post("/api/set-language", json={"language": 7})
    assert (answer.status_code, set(answer.json()["error"]["fields"])) == (422, {"language"})
