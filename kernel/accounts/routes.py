"""All calls about accounts."""

from typing import Final

from litestar.types import ControllerRouterHandler

from kernel.accounts.admin.audit_routes import AuditController
from kernel.accounts.admin.routes import UserAdminController
from kernel.accounts.admin.saved_filter_routes import SavedFilterController
from kernel.accounts.admin.setup_routes import SetupController
from kernel.accounts.auth.mailed_links.routes import EmailLinkController, PasswordResetController
from kernel.accounts.auth.oauth.browser_routes import BrowserSigninController
from kernel.accounts.auth.oauth.routes import IssuerLogoutController, OAuthController
from kernel.accounts.auth.routes import AuthController, set_language
from kernel.accounts.profile.routes import EmailConfirmationController, ProfileController
from kernel.accounts.profile.security_routes import AccountSecurityController
from kernel.accounts.second_factor.passkey_routes import PasskeySignInController
from kernel.accounts.second_factor.routes import (
    SecondFactorController,
    SecondStepController,
    SignInPolicyController,
)

ROUTES: Final[list[ControllerRouterHandler]] = [
    AuthController,
    PasswordResetController,
    EmailLinkController,
    EmailConfirmationController,
    AccountSecurityController,
    ProfileController,
    AuditController,
    UserAdminController,
    SavedFilterController,
    SetupController,
    SecondFactorController,
    SecondStepController,
    PasskeySignInController,
    SignInPolicyController,
    BrowserSigninController,
    OAuthController,
    IssuerLogoutController,
    set_language,
]
