"""The two addresses that people's browsers are sent to: /api/login and /api/logout."""

from typing import Annotated, Final
from urllib.parse import quote, urlsplit

from litestar import Response, get, post
from litestar.controller import Controller
from litestar.datastructures import Headers
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from litestar.response import Redirect

from kernel.accounts.auth.oauth.safe_redirect import HOME, safe_path
from kernel.accounts.auth.oauth.service import OAuthService
from kernel.accounts.auth.service import AccountService
from kernel.accounts.auth.sessions import CLEAR_SITE_DATA, Peer, gone_cookies, signed_out_response
from kernel.accounts.auth.signin_gateway import SigninGateway
from kernel.accounts.current_user import CurrentUser
from kernel.core.config import Config
from kernel.core.web.access import PUBLIC, AppRequest

SEE_OTHER: Final = 303


def is_own_navigation(headers: Headers) -> bool:
    """Say whether the person themselves opened this address, from one of our pages or by typing it.

    A picture, frame or prefetch, or a link on another site, must not sign anybody out. Browsers too old to say so are
    judged by the page they come from.
    """
    if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return False
    if headers.get("sec-fetch-dest", "document") != "document" or "prefetch" in headers.get("sec-purpose", ""):
        return False
    referrer = headers.get("referer")
    if "sec-fetch-site" in headers or not referrer:
        return True
    try:
        return urlsplit(referrer).netloc == headers.get("host")
    except ValueError:
        return False


class BrowserSigninController(Controller):
    """Browser navigations; they answer with redirects."""

    path = "/api"
    tags = ("Account",)

    @get("/login", operation_id="login", opt=PUBLIC, status_code=SEE_OTHER)
    async def login(
        self,
        visitor: NamedDependency[CurrentUser | None],
        signin_gateway: NamedDependency[SigninGateway],
        target: Annotated[
            str | None, QueryParameter(name="redirect", description="Path of a page to come back to")
        ] = None,
    ) -> Redirect:
        """Send the browser where it can sign in; this never signs anybody in by itself.

        Signed in: to the path. A single method that is a redirect: to its start. Otherwise to the page /sign-in.
        """
        path = safe_path(target)
        if visitor is not None:
            return Redirect(path, status_code=SEE_OTHER)
        methods = signin_gateway.methods()
        back = "" if path == HOME else f"?redirect={quote(path, safe='')}"
        if len(methods) == 1 and methods[0].kind == "redirect":
            return Redirect(f"/api/auth/{methods[0].id}/start{back}", status_code=SEE_OTHER)
        return Redirect(f"/sign-in{back}", status_code=SEE_OTHER)

    @get("/logout", operation_id="logoutByNavigation", opt=PUBLIC, status_code=SEE_OTHER)
    async def logout_by_navigation(
        self,
        request: AppRequest,
        visitor: NamedDependency[CurrentUser | None],
        peer: NamedDependency[Peer],
        account_service: NamedDependency[AccountService],
        oauth: NamedDependency[OAuthService],
        config: NamedDependency[Config],
    ) -> Redirect:
        """Sign out when the person opened this address from our own pages; otherwise just go to the home page.

        Somebody who came from a provider that wants to sign them out, too, goes on to its page.
        """
        if not is_own_navigation(request.headers):
            return Redirect(HOME, status_code=SEE_OTHER)
        await account_service.sign_out(visitor, peer)
        onward = await oauth.logout_url(visitor) or HOME
        return Redirect(onward, status_code=SEE_OTHER, cookies=gone_cookies(config, peer), headers=CLEAR_SITE_DATA)

    @post("/logout", operation_id="logout", opt=PUBLIC, status_code=204)
    async def logout(
        self,
        visitor: NamedDependency[CurrentUser | None],
        peer: NamedDependency[Peer],
        account_service: NamedDependency[AccountService],
        config: NamedDependency[Config],
    ) -> Response[None]:
        """Sign out."""
        await account_service.sign_out(visitor, peer)
        return signed_out_response(config, peer)
