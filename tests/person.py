"""A user of the product's HTTP interface: a client with a cookie jar and the usual steps."""

import json
import re
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final
from uuid import uuid4

import httpx

from kernel.core.config import PROJECT_ROOT

TERMINAL: Final = ("completed", "failed", "canceled")
SMALL: Final = "1024x1792"
"""The smallest trim size: the fastest for tests that do not depend on it."""
PATIENCE_S: Final = 60.0
PACK_PATIENCE_S: Final = 420.0
"""All files of a book are half a minute of work for a whole core, and tests share theirs with others."""
GOOD_CARD: Final = "4000000000000001"


class Person(httpx.Client):
    """A visitor until `register` or `sign_in`; then `user` is the user object."""

    def __init__(
        self, url: str, headers: Mapping[str, str] | None = None, transport: httpx.BaseTransport | None = None
    ) -> None:
        way = transport or httpx.HTTPTransport(verify=False)
        super().__init__(base_url=url, headers=headers, timeout=30, transport=way)
        self.user: dict[str, Any] = {}

    @property
    def id(self) -> int:
        """The user's id."""
        return int(self.user["id"])

    def register(self, password: str) -> None:
        """Register with a new address and stay signed in."""
        email = f"reader-{uuid4().hex[:12]}@example.com"
        answer = self.post("/api/auth/register", json={"email": email, "password": password})
        assert answer.status_code == 201, answer.text
        self.user = answer.json()

    def sign_in(self, email: str, password: str) -> None:
        """Sign in."""
        answer = self.post("/api/auth/sign-in", json={"email": email, "password": password})
        assert answer.status_code == 200, answer.text
        self.user = answer.json()

    def reauthenticate(self, password: str) -> None:
        """Prove once more who this is."""
        answer = self.post("/api/auth/reauthenticate", json={"password": password})
        assert answer.status_code == 204, answer.text

    def start(self, *, key: str | None = None, **fields: Any) -> httpx.Response:
        """Request a cover; `fields` are those of the API."""
        body = {"prompt": "a lighthouse in a storm", "title": "The Light", "dimensions": SMALL} | fields
        return self.post("/api/generate-cover", json=body, headers={"idempotency-key": key} if key else {})

    def generate(self, **fields: Any) -> str:
        """Request a cover and return the generation's id."""
        answer = self.start(**fields)
        assert answer.status_code == 202, answer.text
        return str(answer.json()["generationId"])

    def status(self, generation_id: str) -> dict[str, Any]:
        """Return the status of a generation."""
        answer = self.get(f"/api/generation-status/{generation_id}")
        assert answer.status_code == 200, answer.text
        status: dict[str, Any] = answer.json()
        return status

    def events(self, generation_id: str) -> Iterator[dict[str, Any]]:
        """Follow a generation: return every status event, until the stream ends."""
        with self.stream("GET", f"/api/generation-events/{generation_id}", timeout=PATIENCE_S) as answer:
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/event-stream")
            for line in answer.iter_lines():
                if line.startswith("data:"):
                    yield json.loads(line.removeprefix("data:"))

    def finished(self, generation_id: str) -> dict[str, Any]:
        """Follow a generation to its end, through breaks of the connection, and return the last status."""
        give_up = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up:
            try:
                for status in self.events(generation_id):
                    if status["status"] in TERMINAL:
                        return status
            except (httpx.TransportError, AssertionError):
                time.sleep(0.05)
        raise TimeoutError(f"{generation_id} has not ended: {self.status(generation_id)}")

    def reaches(self, generation_id: str, **wanted: Any) -> dict[str, Any]:
        """Follow a generation until its status has these values."""
        seen = []
        for status in self.events(generation_id):
            if all(status[name] == value for name, value in wanted.items()):
                return status
            seen.append((status["status"], status["phase"], status["errorCode"]))
        raise AssertionError(f"{generation_id} never had {wanted}, but {seen}")

    def cover(self, **fields: Any) -> dict[str, Any]:
        """Make a cover and return it."""
        status = self.finished(self.generate(**fields))
        assert status["status"] == "completed", status
        result: dict[str, Any] = status["result"]
        return result

    def subscribe(self, card: str = GOOD_CARD) -> dict[str, Any]:
        """Buy Pro with a test card and return what the account page shows."""
        begun = self.post("/api/create-subscription", json={})
        assert begun.status_code == 200, begun.text
        body = {
            "clientSecret": begun.json()["clientSecret"],
            "card": {"number": card, "expiry": "12/40", "cvc": "123"},
        }
        paid = self.post("/api/subscription/pay", json=body)
        assert paid.json() == {"status": "succeeded"}, paid.text
        shown: dict[str, Any] = self.get("/api/subscription").json()
        return shown

    def packed(self, archive_id: str) -> dict[str, Any]:
        """Wait for the end of an archive and return its status."""
        give_up = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up:
            try:
                archive: dict[str, Any] = self.get(f"/api/archives/{archive_id}").json()
                if archive["status"] in TERMINAL:
                    return archive
            except httpx.TransportError:
                pass
            time.sleep(0.05)
        raise TimeoutError(f"archive {archive_id} has not ended")

    def book(self, **fields: Any) -> dict[str, Any]:
        """Make a cover with these fields and a book of it, and return the book."""
        answer = self.post("/api/books", json={"coverId": self.cover(**fields)["id"]})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    def pack_made(self, pack_id: str) -> dict[str, Any]:
        """Wait for the end of an edition pack and return its status."""
        give_up = time.monotonic() + PACK_PATIENCE_S
        while time.monotonic() < give_up:
            try:
                pack: dict[str, Any] = self.get(f"/api/packs/{pack_id}").json()
                if pack["status"] in TERMINAL:
                    return pack
            except httpx.TransportError:
                pass
            time.sleep(0.05)
        raise TimeoutError(f"pack {pack_id} has not ended")

    def used(self) -> int:
        """Return this month's count."""
        return int(self.get("/api/auth/user").json()["generationsThisMonth"])


def next_page(answer: httpx.Response) -> str | None:
    """Return the address of the next page that the `Link` header names."""
    match = re.fullmatch(r'<([^>]+)>; rel="next"', answer.headers.get("link", ""))
    return match.group(1) if match else None


def fault(answer: httpx.Response) -> dict[str, Any]:
    """Return the error in the envelope, and check the envelope itself."""
    body = answer.json()
    assert set(body) == {"error"}, body
    error: dict[str, Any] = body["error"]
    always, sometimes = {"code", "message", "requestId"}, {"fields", "fieldCodes"}
    assert always <= set(error) <= always | sometimes, error
    assert set(error.get("fieldCodes", {})) <= set(error.get("fields", {})), error
    assert error["requestId"] == answer.headers["x-request-id"]
    assert error["message"] and not re.search(r"Traceback|sqlalchemy|SELECT |\.py\b", answer.text)
    assert str(PROJECT_ROOT) not in answer.text
    return error
