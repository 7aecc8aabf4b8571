"""Shared options of the cover routes: rate limits, and responses that are already compressed."""

from kernel.core.web.access import USER

USER_FILE = {**USER, "compressed_already": True}


GENERATIONS_PER_MINUTE = 30


UPLOADS_PER_MINUTE = 20


DOWNLOADS_PER_MINUTE = 60
