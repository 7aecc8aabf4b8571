"""Wire of the mail room."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from kernel.core.schemas import In, Out
from kernel.spi import SendState, Stream


class KeptMessageOut(Out, frozen=True, kw_only=True):
    """A message in the list of what an instance kept."""

    id: str
    to: str
    sender: str
    subject: str
    stream: Stream
    sent_at: datetime


class WholeMessageOut(KeptMessageOut, frozen=True, kw_only=True):
    """A kept message with its bodies. The HTML is as it was sent: show it in a sandbox only."""

    text: str
    html: str | None


class SendTestIn(In, frozen=True, kw_only=True):
    """Whom to send a test email."""

    to: Annotated[str, Meta(max_length=320)]


class SendTestOut(Out, frozen=True, kw_only=True):
    """What became of the test email, in the provider's words."""

    state: SendState
    detail: str
