"""What administrators changed of emails, to be shown and put back."""

from typing import Final

from kernel.core.data.stored_rows import RowHistory, name_behind_colon
from kernel.mail.models import EmailPostalAddress, EmailTemplate

TEMPLATE_HISTORY: Final = RowHistory(
    table=EmailTemplate,
    key="template_type",
    key_of=name_behind_colon,
    columns=("subject", "reply_to", "html_body", "message_stream", "is_active"),
)
ADDRESS_HISTORY: Final = RowHistory(table=EmailPostalAddress, key="id", key_of=lambda about: 1, columns=("lines",))
