"""Writes messages as fields of Mailgun's form; many that are alike become one call with recipient variables.

Limits: documentation.mailgun.com, Sending Messages and Batch Sending, read 2026-11.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from kernel.spi import Attachment, EmailMessage, InvalidRequest, SendResult, Stream, mime_message

MAX_BATCH: Final = 1000
MAX_BATCH_BYTES: Final = 24_000_000
"""Mailgun takes 25 MB; the rest is for the form around the messages."""
OPTIONS_BYTES: Final = 16_000
"""Of all fields that begin with `o:`, `h:` or `v:`."""

BATCH_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,100}")
VARIABLE: Final = re.compile(r"[A-Za-z0-9_-]{1,50}")
BATCH_KEY: Final = "batch_id"
DETAIL_CHARS: Final = 300
PLACEHOLDER: Final = "%recipient"
OPTIONS: Final = {"o:tracking": "no", "o:tracking-clicks": "no", "o:tracking-opens": "no"}
"""No links are rewritten and no pixels added."""

Field = tuple[str, tuple[str | None, bytes] | tuple[str, bytes, str]]


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A message in Mailgun's terms. `address` is that of `to`; `parts` are the fields that may differ in one call."""

    address: str
    to: str
    sender: str
    parts: Mapping[str, str]
    attachments: tuple[Attachment, ...] = ()


def write(message: EmailMessage, batch_id: str) -> Draft | SendResult:
    """Return a message in Mailgun's terms, or why it cannot be sent."""
    try:
        mime = mime_message(message)  # refuses content that would forge a header
    except InvalidRequest as error:
        return invalid(error.detail)
    if not mime["From"].addresses[0].addr_spec.isascii():
        return invalid("sender: Mailgun needs ASCII before the @")
    if not message.text and not message.html:
        return invalid("the message is empty")
    variables = {**message.metadata, BATCH_KEY: batch_id}
    if not all(VARIABLE.fullmatch(name) for name in variables):
        return invalid("metadata: names of at most 50 letters, digits, hyphens and underscores")
    headers = dict(message.headers)
    if message.reply_to:
        headers["Reply-To"] = str(mime["Reply-To"])
    options = {f"h:{name}": value for name, value in headers.items()}
    options |= {f"v:{name}": value for name, value in variables.items()}
    if sum(len(name) + len(value.encode(errors="replace")) for name, value in options.items()) > OPTIONS_BYTES:
        return invalid(f"headers and metadata are longer than {OPTIONS_BYTES} bytes")
    bodies = {"text": message.text, "html": message.html}
    return Draft(
        address=mime["To"].addresses[0].addr_spec,
        to=str(mime["To"]),
        sender=str(mime["From"]),
        parts={"subject": message.subject} | {name: body for name, body in bodies.items() if body} | options,
        attachments=tuple(message.attachments),
    )


def group(written: Sequence[Draft | SendResult]) -> list[tuple[int, ...]]:
    """Return which messages can be sent in one call, by their place: they differ in nothing but values.

    An address stands in a call once, because it is the key of its variables. What contains the sign of a variable goes
    alone: only a call without variables leaves it as it is.
    """
    calls: dict[object, list[int]] = defaultdict(list)
    times: Counter[str] = Counter()
    for place, draft in enumerate(written):
        if isinstance(draft, SendResult):
            continue
        alone = place if any(PLACEHOLDER in value for value in draft.parts.values()) else None
        alike = (draft.sender, frozenset(draft.parts), draft.attachments, times[draft.address], alone)
        calls[alike].append(place)
        times[draft.address] += 1
    return [tuple(places) for places in calls.values()]


def form(drafts: Sequence[Draft], message_id: str, stream: Stream) -> list[Field]:
    """Return the fields of one call. Every reader gets a message of their own and sees no other address."""
    first, parts = drafts[0], dict(drafts[0].parts)
    differing = [name for name in parts if any(draft.parts[name] != parts[name] for draft in drafts)]
    parts |= {name: f"{PLACEHOLDER}.{name}%" for name in differing}
    fields = {"from": first.sender, **parts, **OPTIONS, "o:tag": stream, "h:Message-Id": f"<{message_id}>"}
    if len(drafts) > 1:
        variables = {draft.address: {name: draft.parts[name] for name in differing} for draft in drafts}
        fields["recipient-variables"] = msgspec.json.encode(variables).decode()
    found: list[Field] = [("to", (None, draft.to.encode())) for draft in drafts]
    found += [(name, (None, value.encode())) for name, value in fields.items()]
    found += [("attachment", (file.name, file.content, file.media_type)) for file in first.attachments]
    return found


def size(message: EmailMessage) -> int:
    """Return the bytes of a message's content."""
    texts = (message.subject, message.text, message.html or "")
    files = sum(len(file.content) for file in message.attachments)
    return files + sum(len(text.encode(errors="replace")) for text in texts)


def invalid(detail: str) -> SendResult:
    """Return the result for a message that cannot be sent."""
    return SendResult(state="invalid", code=InvalidRequest.code, detail=detail[:DETAIL_CHARS])
