"""Wire of templates and of emails to many."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta

from kernel.core.schemas import In, Line, Out

TemplateType = Literal["signup", "broadcast", "marketing"]
BulkKind = Literal["broadcast", "marketing"]
MessageStream = Literal["outbound", "broadcast"]
CampaignState = Literal["sending", "paused", "done", "canceled"]
CampaignStep = Literal["pause", "resume", "cancel"]
RecipientState = Literal["pending", "sending", "sent", "failed", "skipped", "unknown"]

MAX_SUBJECT = 200
MAX_HTML = 200_000
MAX_TYPED_ADDRESS = 320
MAX_POSTAL = 300

Subject = Annotated[Line, Meta(max_length=MAX_SUBJECT)]
Html = Annotated[str, Meta(max_length=MAX_HTML)]
TypedAddress = Annotated[str, Meta(max_length=MAX_TYPED_ADDRESS)]


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
    """A text to be shown as it would go out."""

    template_type: TemplateType
    subject: Subject
    html_body: Html


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


class CampaignIn(In, frozen=True, kw_only=True):
    """An email to many. Subject and body must not be empty."""

    subject: Subject = ""
    html_body: Html = ""
    reply_to: TypedAddress = ""
    message_stream: MessageStream = "broadcast"


class CampaignOut(Out, frozen=True, kw_only=True):
    """Where an email to many stands. `pending` also counts what is being handed over just now.

    `reason` says why it waits (unavailable, rate_limited) or was paused. `unknown` may or may not have been delivered;
    it is not sent again. `createdBy` is an address, null when the account is gone.
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
    created_at: datetime
    finished_at: datetime | None
    created_by: str | None


class RecipientOut(Out, frozen=True, kw_only=True):
    """What became of one person's email; `code` says why it did not go out. A deleted account has no address."""

    id: int
    email: str
    state: RecipientState
    code: str | None
    updated_at: datetime


class UnsubscribeOut(Out, frozen=True, kw_only=True):
    """Whose emails a link ends, and which: `email` is masked, empty when the account is gone."""

    email: str
    kind: BulkKind
    unsubscribed: bool
