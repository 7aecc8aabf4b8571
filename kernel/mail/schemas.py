"""Wire of templates and of emails to many."""

from datetime import date, datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from kernel.core.schemas import In, Line, Out
from kernel.core.text.languages import FALLBACK
from kernel.spi import SendState

TemplateType = Literal["signup", "broadcast", "marketing"]
BulkKind = Literal["broadcast", "marketing"]
MessageStream = Literal["outbound", "broadcast"]
BodyFormat = Literal["html", "markdown"]
CampaignState = Literal["scheduled", "sending", "paused", "done", "canceled"]
CampaignStep = Literal["send_now", "pause", "resume", "retry", "cancel"]
SuppressionReason = Literal["bounced", "complained", "unsubscribed"]
RecipientState = Literal["pending", "sending", "sent", "failed", "skipped", "unknown"]
MailboxReport = Literal["bounced", "complained"]
RecipientFilter = RecipientState | MailboxReport

MAX_SUBJECT = 200
MAX_HTML = 200_000
MAX_TYPED_ADDRESS = 320
MAX_POSTAL = 300

Subject = Annotated[Line, Meta(max_length=MAX_SUBJECT)]
Html = Annotated[str, Meta(max_length=MAX_HTML)]
Days = Annotated[int, Meta(ge=1, le=3650)]
TypedAddress = Annotated[str, Meta(max_length=MAX_TYPED_ADDRESS)]
LanguageCode = Annotated[str, Meta(max_length=8)]


class EmailTemplateOut(Out, frozen=True, kw_only=True):
    """A template as it is stored, or ours; `variables` may stand in it, written `{{name}}`."""

    template_type: TemplateType
    subject: str
    reply_to: str
    html_body: str
    message_stream: MessageStream
    is_active: bool
    variables: list[str]


class EmailTemplateIn(In, frozen=True, kw_only=True):
    """A new text for a template. An empty reply-to stands for the address that emails come from."""

    subject: Subject
    reply_to: TypedAddress
    html_body: Html
    message_stream: MessageStream
    is_active: bool


class EmailPreviewIn(In, frozen=True, kw_only=True):
    """A text to be shown as it would go out, to a reader of `language`; without one, of the administrator's own."""

    template_type: TemplateType
    subject: Subject
    html_body: Html
    body_format: BodyFormat = "html"
    language: LanguageCode = ""


class EmailPreviewOut(Out, frozen=True, kw_only=True):
    """What the asking administrator would get. The HTML is a whole page: show it in a sandbox only."""

    subject: str
    html: str
    text: str


class EmailTestIn(In, frozen=True, kw_only=True):
    """Which saved template to send whom."""

    template_type: TemplateType
    to_email: Annotated[str, Meta(min_length=1, max_length=MAX_TYPED_ADDRESS)]


class PostalAddressIn(In, frozen=True, kw_only=True):
    """The operator's postal address, in several lines."""

    postal_address: Annotated[str, Meta(max_length=MAX_POSTAL)]


class AudienceOut(Out, frozen=True, kw_only=True):
    """How many would get an email now. `reason` says why none can be sent: postal_address_missing, unavailable."""

    broadcast: int
    marketing: int
    postal_address: str
    can_send: bool
    reason: str | None


class Segment(In, frozen=True, kw_only=True):
    """A part of an audience: whoever meets all of these conditions; without any, everybody.

    No `languages` are all of them. `seenWithinDays` and `unseenForDays` count from now, and somebody who never came
    back was seen when they signed up; the two days of `signedUpFrom` and `signedUpTo` belong to the span, in UTC.
    `genre`: has a cover of this genre in the gallery; `covers`: has any at all, or none.
    """

    plan: Literal["any", "free", "pro"] = "any"
    languages: Annotated[list[LanguageCode], Meta(max_length=50)] = msgspec.field(default_factory=list)
    seen_within_days: Days | None = None
    unseen_for_days: Days | None = None
    signed_up_from: date | None = None
    signed_up_to: date | None = None
    genre: Annotated[Line, Meta(max_length=50)] = ""
    covers: Literal["any", "none", "some"] = "any"


class AudienceCountIn(In, frozen=True, kw_only=True):
    """Whose number is asked for."""

    kind: BulkKind
    segment: Segment


class AudienceCountOut(Out, frozen=True, kw_only=True):
    """How many would get an email now, and how many of them read which language."""

    people: int
    languages: dict[str, int]


class LetterVersion(In, frozen=True, kw_only=True):
    """What an email to many says in one language."""

    subject: Subject = ""
    html_body: Html = ""


class LetterIn(In, frozen=True, kw_only=True):
    """What an email to many says, to `segment` of them, at once or at the moment `sendAt`, which names its offset from
    UTC.

    `subject` and `htmlBody` are in `language`; who reads one of the languages in `versions` gets that version instead.
    `htmlBody` is Markdown, in all versions, where `bodyFormat` says so.
    """

    subject: Subject = ""
    html_body: Html = ""
    body_format: BodyFormat = "html"
    language: LanguageCode = FALLBACK
    versions: Annotated[dict[LanguageCode, LetterVersion], Meta(max_length=50)] = msgspec.field(default_factory=dict)
    reply_to: TypedAddress = ""
    segment: Segment = msgspec.field(default_factory=Segment)
    send_at: Annotated[datetime, Meta(tz=True)] | None = None


class EmailDraftRef(In, frozen=True, kw_only=True):
    """A draft as it was last read or saved."""

    id: UUID
    version: int


class CampaignIn(LetterIn, frozen=True, kw_only=True):
    """An email to many that is to go out; the draft it was written as ends with that."""

    message_stream: MessageStream = "broadcast"
    draft: EmailDraftRef | None = None


class EmailDraftIn(LetterIn, frozen=True, kw_only=True):
    """A new draft."""

    kind: BulkKind


class EmailDraftChange(LetterIn, frozen=True, kw_only=True):
    """A draft as it is now; `version` is the one that was changed."""

    version: int


class LetterTestIn(LetterIn, frozen=True, kw_only=True):
    """What is being written, to be sent to a few addresses: in the language `only`, or in all of them."""

    kind: BulkKind
    to: Annotated[list[TypedAddress], Meta(min_length=1, max_length=10)]
    only: LanguageCode = ""


class LetterTestOut(Out, frozen=True, kw_only=True):
    """What became of one test, in the provider's words."""

    to: str
    language: str
    state: SendState
    detail: str


class EmailDraftLine(Out, frozen=True, kw_only=True):
    """A draft in a list; `languages` are those it is written in, the fall-back first."""

    id: UUID
    kind: BulkKind
    subject: str
    languages: list[str]
    updated_at: datetime
    created_by: str | None


class EmailDraftOut(Out, frozen=True, kw_only=True):
    """A draft as it was last saved; `version` counts up with each save."""

    id: UUID
    kind: BulkKind
    version: int
    subject: str
    html_body: str
    body_format: BodyFormat
    language: str
    versions: dict[str, LetterVersion]
    reply_to: str
    segment: Segment
    send_at: datetime | None
    updated_at: datetime


class CampaignOut(Out, frozen=True, kw_only=True):
    """Where an email to many stands. `pending` also counts what is being handed over just now; of those that were sent,
    `bounced` came back and `complained` were called spam.

    `reason` says why it waits (unavailable, rate_limited), was paused, or reached nobody (no_recipients). `unknown` may
    or may not have been delivered; it is not sent again. `createdBy` is an address, null when the account is gone.
    One that is scheduled begins at `startsAt`, and has no recipients before. While it is being sent, `perSecond` is the
    number handled per second over the last minute, and `secondsLeft` what that means for the rest; null while unknown.
    """

    id: UUID
    kind: BulkKind
    subject: str
    state: CampaignState
    reason: str | None
    recipients: int
    sent: int
    failed: int
    skipped: int
    unknown: int
    pending: int
    bounced: int
    complained: int
    segment: Segment
    starts_at: datetime | None
    per_second: float | None
    seconds_left: int | None
    created_at: datetime
    finished_at: datetime | None
    created_by: str | None


class RecipientOut(Out, frozen=True, kw_only=True):
    """What became of one person's email; `code` says why it did not go out, `reported` what its mailbox said after it
    had. A deleted account has neither address nor `userId`.
    """

    id: int
    email: str
    user_id: int | None
    state: RecipientState
    code: str | None
    reported: MailboxReport | None
    reported_at: datetime | None
    updated_at: datetime


class SuppressionOut(Out, frozen=True, kw_only=True):
    """An address that gets no email: none at all (scope `all`), or none to many (`bulk`).

    `source` is the instance that reported it, or `link` for the link in an email; `eventId` is what that instance
    called its last report. `lastAt` is when it was last reported, `triedAt` when an email that its owner had asked for
    was sent there all the same. `userId` is null where nobody has this address.
    """

    id: int
    address: str
    scope: Literal["all", "bulk"]
    reason: SuppressionReason
    source: str
    event_id: str | None
    created_at: datetime
    last_at: datetime
    tried_at: datetime | None
    user_id: int | None


class UnsubscribeOut(Out, frozen=True, kw_only=True):
    """Whose emails a link ends, and which: `email` is masked, empty when the account is gone."""

    email: str
    kind: BulkKind
    unsubscribed: bool
