"""What the cover routes share: rate limits, responses that are already compressed, the language of a cover's words."""

from kernel.accounts.current_user import CurrentUser
from kernel.core.web.access import USER, AppRequest

USER_FILE = {**USER, "compressed_already": True}


GENERATIONS_PER_MINUTE = 30


UPLOADS_PER_MINUTE = 20


DOWNLOADS_PER_MINUTE = 60


def title_language(request: AppRequest, user: CurrentUser) -> str:
    """Return the user's language, else the one that was chosen in this browser."""
    return user.language or request.cookies.get("preferred-language", "")[:8]
