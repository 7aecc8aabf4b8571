"""What the errors of Azure Blob Storage mean."""

from collections.abc import Mapping

from kernel.spi import AuthFailed, BucketMeaning, DeadlineExceeded, RateLimited, SettingsInvalid


def meanings(key_field: str) -> Mapping[str, BucketMeaning]:
    """Return what codes and statuses mean for an instance that signs in with this setting.

    As the pages "Common REST API error codes" and "Blob Storage error codes" list them (2026-11).
    """
    refused = BucketMeaning(
        AuthFailed,
        key_field,
        "it is not accepted; copy it again (a key may have been renewed, a signature have ended), and look at the "
        "clock of this machine",
    )
    forbidden = BucketMeaning(
        AuthFailed,
        key_field,
        "it does not allow this; a signature needs read, add, create, write, delete and list on the container",
    )
    gone = BucketMeaning(SettingsInvalid, "container", "there is no such container; make it, or correct its name")
    busy = BucketMeaning(RateLimited)
    return {
        "401": refused,
        "403": forbidden,
        "AuthenticationFailed": refused,
        "InvalidAuthenticationInfo": refused,
        "AuthorizationFailure": BucketMeaning(
            AuthFailed, key_field, "it does not allow this, or the account's network rules refuse this machine"
        ),
        "KeyBasedAuthenticationNotPermitted": BucketMeaning(
            AuthFailed, key_field, "the storage account allows no access by key; allow it, or enter a signature"
        ),
        "AccountIsDisabled": BucketMeaning(
            SettingsInvalid, "account_name", "the storage account is switched off; look at its subscription"
        ),
        "ContainerNotFound": gone,
        "ContainerBeingDeleted": gone,
        "ContainerDisabled": gone,
        "InvalidResourceName": gone,
        "BlobImmutableDueToPolicy": BucketMeaning(
            SettingsInvalid, "container", "a policy forbids to change or delete its blobs; take another container"
        ),
        "ServerBusy": busy,
        "OperationTimedOut": BucketMeaning(DeadlineExceeded),
    }
