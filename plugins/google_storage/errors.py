"""What the errors of Google Cloud Storage's XML API mean."""

from collections.abc import Mapping
from typing import Final

from kernel.spi import AuthFailed, BucketMeaning, QuotaExhausted, RateLimited, SettingsInvalid

KEY_FIELD: Final = "service_account_key"
NO_BILLING: Final = BucketMeaning(QuotaExhausted, cure="the project has no active billing; set it up")
SLOW: Final = BucketMeaning(RateLimited)

MEANINGS: Final[Mapping[str, BucketMeaning]] = {
    "401": BucketMeaning(
        AuthFailed,
        KEY_FIELD,
        "the key is not accepted; it may have been deleted, or the clock of this machine is wrong",
    ),
    "403": BucketMeaning(
        AuthFailed,
        KEY_FIELD,
        "the service account may not do this here; give it the role Storage Object User on the bucket",
    ),
    "NoSuchBucket": BucketMeaning(SettingsInvalid, "bucket", "there is no such bucket; make it, or correct its name"),
    "InvalidBucketName": BucketMeaning(SettingsInvalid, "bucket", "no bucket can have this name; correct it"),
    "UserProjectMissing": BucketMeaning(SettingsInvalid, "bucket", "whoever asks is to pay; switch that off"),
    "AccountProblem": NO_BILLING,
    "UserProjectAccountProblem": NO_BILLING,
    "SlowDown": SLOW,
    "TooManyRequests": SLOW,
}
"""As the page "HTTP status and error codes for XML" lists them (2026-11)."""
