"""The services of accounts, wired."""

from collections.abc import Mapping

from kernel.accounts.admin.audit_service import AuditService
from kernel.accounts.admin.rights_history import RightsHistory
from kernel.accounts.admin.saved_filters import SavedFilterService
from kernel.accounts.admin.setup import SetupService
from kernel.accounts.admin.users_service import UserAdminService
from kernel.accounts.auth.mailed_links.email_link import EmailLinkService
from kernel.accounts.auth.mailed_links.password_reset import PasswordResetService
from kernel.accounts.auth.new_devices import NewDevices
from kernel.accounts.auth.oauth.logout_service import IssuerLogoutService
from kernel.accounts.auth.oauth.service import OAuthService
from kernel.accounts.auth.oauth.state import OAuthStateStore
from kernel.accounts.auth.rate_limits import AccountRateLimits, KnownDevices
from kernel.accounts.auth.reauthentication import Reauthentication
from kernel.accounts.auth.service import AccountService
from kernel.accounts.auth.signin_gateway import SigninGateway
from kernel.accounts.owned_data import AllOwnedData
from kernel.accounts.profile.deletion import AccountDeletionService, AccountDeletionWorker
from kernel.accounts.profile.export import ExportService
from kernel.accounts.profile.security_service import AccountSecurityService
from kernel.accounts.profile.service import ProfileService
from kernel.accounts.second_factor.passkey_sign_in import PasskeySignInService
from kernel.accounts.second_factor.passkeys import Passkeys
from kernel.accounts.second_factor.policy import SignInPolicyService
from kernel.accounts.second_factor.service import SecondFactorService
from kernel.accounts.second_factor.sign_in import SecondStepService
from kernel.accounts.second_factor.totp import TotpCodes
from kernel.accounts.second_factor.verification import FactorVerification
from kernel.accounts.user_summary import UserSummarySource
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.data.stored_rows import History
from kernel.core.queue.throttle import Throttle
from kernel.core.vault import Vault
from kernel.core.wiring import Services
from kernel.providers import Registry


class Accounts(Services, frozen=True, kw_only=True):
    """Signing in, one's own account, and administrators' work on accounts."""

    signin_gateway: SigninGateway
    user_summaries: UserSummarySource
    account_service: AccountService
    password_reset: PasswordResetService
    email_link: EmailLinkService
    oauth: OAuthService
    issuer_logout: IssuerLogoutService
    account_security: AccountSecurityService
    profile: ProfileService
    export_service: ExportService
    account_deletion: AccountDeletionService
    account_deletion_worker: AccountDeletionWorker
    setup: SetupService
    user_admin: UserAdminService
    saved_filters: SavedFilterService
    audit_service: AuditService
    second_factors: SecondFactorService
    second_step: SecondStepService
    passkey_sign_in: PasskeySignInService
    sign_in_policy: SignInPolicyService


def open_accounts(
    config: Config,
    database: Database,
    registry: Registry,
    throttle: Throttle,
    vault: Vault,
    *,
    user_summaries: UserSummarySource,
    owned_data: AllOwnedData,
    histories: Mapping[str, History],
) -> Accounts:
    """Wire the services. `user_summaries` knows plans and payments, `owned_data` everything that people own,
    `histories` how what administrators change is put back, by action of the audit trail.
    """
    gateway, limits, devices = SigninGateway(registry), AccountRateLimits(throttle, config), KnownDevices(vault)
    new_devices = NewDevices(database, limits, devices)
    reauthentication = Reauthentication(database, gateway, limits, devices)
    totp_codes, passkeys = TotpCodes(vault), Passkeys(database, config)
    verification = FactorVerification(database, limits, devices, totp_codes, passkeys)
    return Accounts(
        signin_gateway=gateway,
        user_summaries=user_summaries,
        account_service=AccountService(database, config, gateway, limits, devices, new_devices),
        password_reset=PasswordResetService(database, config, gateway, limits, devices),
        email_link=EmailLinkService(database, config, limits, devices, new_devices),
        oauth=OAuthService(database, config, gateway, limits, devices, new_devices, OAuthStateStore(database, vault)),
        issuer_logout=IssuerLogoutService(database, gateway),
        account_security=AccountSecurityService(database, config, gateway, reauthentication, verification, passkeys),
        profile=ProfileService(database, limits, reauthentication),
        export_service=ExportService(database, limits, owned_data),
        account_deletion=AccountDeletionService(database, reauthentication),
        account_deletion_worker=AccountDeletionWorker(database, owned_data),
        setup=SetupService(database, config, gateway, limits, devices),
        user_admin=UserAdminService(database, user_summaries),
        saved_filters=SavedFilterService(database),
        audit_service=AuditService(config.accounts, database, {**histories, "user.change": RightsHistory()}),
        second_factors=SecondFactorService(database, config, totp_codes, passkeys, verification),
        second_step=SecondStepService(database, config, gateway, verification, passkeys, devices, new_devices),
        passkey_sign_in=PasskeySignInService(database, config, limits, devices, new_devices, verification, passkeys),
        sign_in_policy=SignInPolicyService(database, gateway),
    )
