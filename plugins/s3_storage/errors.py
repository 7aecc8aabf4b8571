"""What S3's errors mean."""

from collections.abc import Mapping
from typing import Final

from kernel.spi import AuthFailed, BucketMeaning, QuotaExhausted, RateLimited, SettingsInvalid

NO_KEY: Final = BucketMeaning(
    AuthFailed,
    "access_key_id",
    "the key may not do this here; let it list the bucket, and read, write and delete its objects",
)
WRONG_REGION: Final = BucketMeaning(SettingsInvalid, "region", "the bucket is in another region; enter that one")
FULL: Final = BucketMeaning(QuotaExhausted, cure="the storage is full; make room, or raise its quota")
SLOW: Final = BucketMeaning(RateLimited)

MEANINGS: Final[Mapping[str, BucketMeaning]] = {
    "NoSuchBucket": BucketMeaning(SettingsInvalid, "bucket", "there is no such bucket; make it, or correct its name"),
    "InvalidBucketName": BucketMeaning(SettingsInvalid, "bucket", "no bucket can have this name; correct it"),
    "PermanentRedirect": WRONG_REGION,
    "AuthorizationHeaderMalformed": WRONG_REGION,
    "IllegalLocationConstraintException": WRONG_REGION,
    "redirect": WRONG_REGION,
    "InvalidAccessKeyId": BucketMeaning(AuthFailed, "access_key_id", "there is no such key; copy it again"),
    "SignatureDoesNotMatch": BucketMeaning(
        AuthFailed, "secret_access_key", "it does not belong to the access key; copy it again"
    ),
    "401": NO_KEY,
    "403": NO_KEY,
    "QuotaExceeded": FULL,
    "XMinioStorageFull": FULL,
    "XMinioBucketQuotaExceeded": FULL,
    "SlowDown": SLOW,
    "TooManyRequests": SLOW,
    "RequestLimitExceeded": SLOW,
}
