"""The signed-in user of a request."""

from datetime import datetime

import msgspec


class CurrentUser(msgspec.Struct, frozen=True, kw_only=True):
    """The signed-in user as `scope["user"]` holds it, read anew for every request.

    `is_pro_override` is the administrator's setting for Pro, None where there is none; plans decide who is Pro.
    `lacks_required_factor`: an administrator without the second factor that the site requires of them.
    """

    id: int
    email: str
    email_verified: bool
    first_name: str | None
    last_name: str | None
    is_admin: bool
    is_pro_override: bool | None
    language: str | None
    email_marketing: bool | None
    payment_customer: str | None
    created_at: datetime
    has_password: bool
    session_id: int
    auth_at: datetime
    method: str
    has_second_factor: bool = False
    lacks_required_factor: bool = False
