"""Mailgun's API as its documentation describes it: one domain, its log, its webhooks, and what each reader gets."""

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable
from email import message_from_bytes
from email.utils import parseaddr
from typing import Any
from urllib.parse import parse_qs

import httpx

KEY = "key-5f0c1e-works"
SENDING_KEY = "key-77ab21-only-sends"
SIGNING_KEY = "signing-3c9f-of-the-account"
DOMAIN = "mg.example.com"
INVALID = "invalid@example.org"
MAX_RECIPIENTS = 1000
OPTIONS_BYTES = 16_000
EVENT_TYPES = frozenset(
    ["accepted", "clicked", "opened", "unsubscribed", "delivered", "permanent_fail", "temporary_fail", "complained"]
)
VARIABLE = re.compile(r"%recipient\.([^%]+)%")


def problem(status: int, message: str, **headers: str) -> httpx.Response:
    """Return an error in Mailgun's format."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json={"message": message}, headers=named)


def not_allowed(reason: str, status: int = 403) -> httpx.Response:
    """Return what Mailgun answers when a domain or an account may not send."""
    return problem(status, f"Domain {DOMAIN} is not allowed to send: {reason}")


SANDBOX = (
    "Sandbox subdomains are for test purposes only. Please add your own domain or add the address to authorized "
    "recipients in Account Settings."
)
UNVERIFIED = "The domain is unverified and requires DNS configuration. Log in to your control panel."


class FakeMailgun:
    """Takes messages for one domain. `answer` replaces every response, `lost` takes messages and does not answer.

    `delivered` are the fields of each reader's own message. `late` keeps the log empty, as it is for a while; its
    entries are as old as `logged_ago_s` says.
    `authorized` is None for a domain of one's own, and the only recipients of a sandbox.
    """

    def __init__(self) -> None:
        self.requests: list[httpx.Request] = []
        self.calls: list[dict[str, list[str]]] = []
        self.delivered: list[dict[str, str]] = []
        self.files: list[tuple[str, str, bytes]] = []
        self.log: list[dict[str, Any]] = []
        self.webhooks: dict[str, list[str]] = {}
        self.answer: Callable[[httpx.Request], httpx.Response | None] | None = None
        self.authorized: set[str] | None = None
        self.state = "active"
        self.lost = self.late = False
        self.page = 300
        self.logged_ago_s = 3600.0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.answer is not None and (answer := self.answer(request)) is not None:
            return answer
        scheme, _, coded = request.headers.get("authorization", "").partition(" ")
        user, _, key = base64.b64decode(coded).decode().partition(":") if scheme == "Basic" else ("", "", "")
        if user != "api" or key not in (KEY, SENDING_KEY):
            return httpx.Response(401, text="Forbidden")
        parts = request.url.path.strip("/").split("/")
        if key == SENDING_KEY and parts[2:] != ["messages"]:
            return problem(401, "Invalid private key")
        match request.method, parts:
            case "GET", ["v5", "accounts", "http_signing_key"]:
                return httpx.Response(200, json={"http_signing_key": SIGNING_KEY})
            case _, ["v3" | "v4", "domains", name, *_] | ["v3", name, *_] if name != DOMAIN:
                return problem(404, f"Domain not found: {name}")
            case "POST", ["v3", _, "messages"]:
                return self._take(*_form(request))
            case "GET", ["v3", _, "events", *cursor]:
                return self._events(request, int(cursor[0]) if cursor else 0)
            case "GET", ["v4", "domains", _]:
                kind = "custom" if self.authorized is None else "sandbox"
                return httpx.Response(200, json={"domain": {"name": DOMAIN, "state": self.state, "type": kind}})
            case "GET", ["v3", "domains", _, "webhooks"]:
                listed = {name: {"urls": urls} for name, urls in self.webhooks.items()}
                return httpx.Response(200, json={"webhooks": listed | {"opened": None}})
            case ("POST" | "PUT") as method, ["v4", "domains", _, "webhooks"]:
                return self._register(method, parse_qs(request.content.decode()))
        return httpx.Response(200, text="Mailgun Magnificent API")

    def _take(self, fields: dict[str, list[str]], files: list[tuple[str, str, bytes]]) -> httpx.Response:
        for name in ("from", "to"):
            if name not in fields:
                return problem(400, f"{name} parameter is missing")
        if not fields.get("text") and not fields.get("html"):
            return problem(400, "Need at least one of 'text' or 'html' parameters specified")
        options = sum(len(name) + len(value) for name, (value, *_) in fields.items() if name[1:2] == ":")
        if options > OPTIONS_BYTES:
            return problem(400, "Send options (parameters starting with o:, h:, or v:) are limited to 16 kB total")
        addresses = [parseaddr(to)[1] for to in fields["to"]]
        if len(addresses) > MAX_RECIPIENTS:
            return problem(400, "Too many recipients; max is 1000")
        if INVALID in addresses or any(address.count("@") != 1 for address in addresses):
            return problem(400, "'to' parameter is not a valid address. please check documentation")
        if self.state == "unverified":
            return not_allowed(UNVERIFIED)
        if self.authorized is not None and not self.authorized.issuperset(addresses):
            return not_allowed(SANDBOX)
        self._deliver(fields, addresses)
        self.files += files
        if self.lost:
            raise ConnectionError
        return httpx.Response(200, json={"id": fields["h:Message-Id"][0], "message": "Queued. Thank you."})

    def _deliver(self, fields: dict[str, list[str]], addresses: list[str]) -> None:
        self.calls.append(fields)
        variables = json.loads(fields["recipient-variables"][0]) if "recipient-variables" in fields else None
        message_id = fields["h:Message-Id"][0].strip("<>")
        for address, to in zip(addresses, fields["to"], strict=True):
            shown = to if variables is not None else ", ".join(fields["to"])  # else everybody sees everybody
            own = {"to": shown}
            for name, (value, *_) in fields.items():
                if name not in ("to", "recipient-variables"):
                    own[name] = value if variables is None else _filled(value, variables[address])
            self.delivered.append(own)
            self.log.append(
                {
                    "event": "accepted",
                    "timestamp": time.time() - self.logged_ago_s,
                    "recipient": address,
                    "message": {"headers": {"message-id": message_id}},
                    "user-variables": [],
                }
            )

    def _events(self, request: httpx.Request, start: int) -> httpx.Response:
        if not start:
            self.sought = request.url.params.get("message-id", "")
        found = [entry for entry in self.log if entry["message"]["headers"]["message-id"] == self.sought]
        page = [] if self.late else found[start : start + self.page]
        following = f"https://api.mailgun.net/v3/{DOMAIN}/events/{start + self.page}"
        return httpx.Response(200, json={"items": page, "paging": {"next": following, "previous": following}})

    def _register(self, method: str, data: dict[str, list[str]]) -> httpx.Response:
        (url,), events = data["url"], data["event_types"]
        if not set(events) <= EVENT_TYPES:
            return httpx.Response(400, json={"Reason": "unknown event type"})
        known = any(url in urls for urls in self.webhooks.values())
        if known != (method == "PUT"):
            return httpx.Response(400, json={"Reason": "the webhook exists" if known else "no such webhook"})
        if any(len(self.webhooks.get(event, [])) >= 3 and not known for event in events):
            return httpx.Response(400, json={"Reason": "at most 3 URLs for each event"})
        for event, urls in self.webhooks.items():
            self.webhooks[event] = [one for one in urls if one != url]
        for event in events:
            self.webhooks.setdefault(event, []).append(url)
        return httpx.Response(200, json={"webhooks": {name: {"urls": urls} for name, urls in self.webhooks.items()}})


def signed(event: dict[str, Any], *, token: str, at: float, key: str = SIGNING_KEY, name: str = "signature") -> bytes:
    """Return the body of a webhook as Mailgun sends it at this time; `name` is where the signature stands."""
    stamp = str(int(at))
    proof = hmac.new(key.encode(), f"{stamp}{token}".encode(), hashlib.sha256).hexdigest()
    signature = {"token": token, "timestamp": stamp, "signature": "0" * 64} | {name: proof}
    return json.dumps({"signature": signature, "event-data": event}).encode()


def _filled(text: str, variables: dict[str, str]) -> str:
    return VARIABLE.sub(lambda hit: variables[hit[1]], text)


def _form(request: httpx.Request) -> tuple[dict[str, list[str]], list[tuple[str, str, bytes]]]:
    """Read a form of type multipart/form-data: its fields, and its files with name and type."""
    head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
    fields: dict[str, list[str]] = {}
    files: list[tuple[str, str, bytes]] = []
    for part in message_from_bytes(head + request.content).walk():
        if part.is_multipart():
            continue
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        if (file_name := part.get_filename()) is not None:
            files.append((file_name, part.get_content_type(), content))
            continue
        name = str(part.get_param("name", header="content-disposition"))
        fields.setdefault(name, []).append(content.decode())
    return fields, files
