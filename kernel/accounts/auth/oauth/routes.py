"""The two addresses around a provider's page: /api/auth/{instance}/start and …/return."""

from collections.abc import Iterable
from typing import Annotated, Final
from urllib.parse import parse_qsl, quote, urlencode

from litestar import get, post
from litestar.controller import Controller
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Redirect

from kernel.accounts.auth.oauth.browser_routes import SEE_OTHER, is_own_navigation
from kernel.accounts.auth.oauth.logout_service import IssuerLogoutService
from kernel.accounts.auth.oauth.safe_redirect import HOME, safe_path
from kernel.accounts.auth.oauth.service import OAuthService
from kernel.accounts.auth.oauth.state import MINUTES
from kernel.accounts.auth.sessions import (
    DEVICE_COOKIE,
    DEVICE_DAYS,
    TOKEN_CHARS,
    Peer,
    cookie_name,
    first_language_cookies,
    make_cookie,
    second_step_cookie,
    session_cookie,
)
from kernel.accounts.current_user import CurrentUser
from kernel.accounts.second_step import SecondStep
from kernel.core.audit import ip_of
from kernel.core.config import Config
from kernel.core.errors import AppError, Malformed, TooLarge, WrongType
from kernel.core.web.access import PUBLIC, AppRequest

TRIP_COOKIE: Final = "coverwright_tx"
MAX_RETURN: Final = 8192
"""Characters of what a provider sends back; it must fit into an address."""

MAX_LOGOUT: Final = 65_536
"""Bytes of a form with a logout token."""

MAX_FIELDS: Final = 20
FORM: Final = "application/x-www-form-urlencoded"


def _browser(request: AppRequest, config: Config) -> str | None:
    """Return the name under which this browser left, or None; what cannot be one of ours counts as none."""
    name = request.cookies.get(cookie_name(config, TRIP_COOKIE), "")
    return name if len(name) == TOKEN_CHARS and name.isascii() else None


def _once(items: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return parameters by name. One that comes twice is left out: nobody can say which of the two is meant."""
    listed = list(items)
    names = [name for name, _ in listed]
    return {name: value for name, value in listed if names.count(name) == 1}


async def _form(request: AppRequest, most: int) -> list[tuple[str, str]]:
    """Return the fields of a form of at most so many bytes. Raises WrongType, TooLarge and Malformed."""
    if request.content_type[0] != FORM:
        raise WrongType("Please send a form.")
    body = await request.body()
    if len(body) > most:
        raise TooLarge("The form is too large.")
    try:
        return parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS)
    except ValueError as error:
        raise Malformed("The form could not be read.") from error


def _refused(error: AppError, instance_id: str, target: str) -> Redirect:
    """Send the browser to the page that explains what went wrong, and from there on to where it wanted to go."""
    query = {"error": error.code, "method": instance_id}
    if target != HOME:
        query["redirect"] = target
    return Redirect(f"/sign-in?{urlencode(query)}", status_code=SEE_OTHER)


def _second_step(target: str) -> str:
    """Return the page that asks for the second factor, and goes on from there."""
    query = {"step": "second-factor"}
    if target != HOME:
        query["redirect"] = target
    return f"/sign-in?{urlencode(query)}"


class IssuerLogoutController(Controller):
    """The address that an issuer calls, from its server to ours."""

    path = "/api/auth/{instance_id:str}"
    tags = ("Account",)

    @post(
        "/backchannel-logout",
        operation_id="reportLogout",
        opt={**PUBLIC, "csrf_exempt": True, "no_session": True},
        status_code=200,
    )
    async def backchannel_logout(
        self,
        instance_id: FromPath[str],
        request: AppRequest,
        issuer_logout: NamedDependency[IssuerLogoutService],
    ) -> None:
        """End the sessions that an issuer's logout token names (OpenID Connect Back-Channel Logout 1.0)."""
        token = _once(await _form(request, MAX_LOGOUT)).get("logout_token")
        if not token:
            raise Malformed("The form holds no logout token.")
        await issuer_logout.end_sessions(instance_id, token, ip_of(request))


class OAuthController(Controller):
    """Browser navigations; they answer with redirects, whatever happens."""

    path = "/api/auth/{instance_id:str}"
    tags = ("Account",)

    @get("/start", operation_id="startRedirectSignIn", opt=PUBLIC, status_code=SEE_OTHER)
    async def start(
        self,
        instance_id: FromPath[str],
        request: AppRequest,
        visitor: NamedDependency[CurrentUser | None],
        peer: NamedDependency[Peer],
        oauth: NamedDependency[OAuthService],
        config: NamedDependency[Config],
        target: Annotated[
            str | None, QueryParameter(name="redirect", description="Path of a page to come back to")
        ] = None,
        connect: FromQuery[bool] = False,
    ) -> Redirect:
        """Send the browser to a provider's page.

        Signed in: to the path, unless `connect` asks for one more way into the account. Only our own pages may ask:
        another site could have signed the browser in at the provider as somebody else before.
        """
        path = safe_path(target)
        connecting = visitor if connect and is_own_navigation(request.headers) else None
        if visitor is not None and connecting is None:
            return Redirect(path, status_code=SEE_OTHER)
        try:
            departure = await oauth.start(instance_id, path, _browser(request, config), connecting, peer)
        except AppError as error:
            return _refused(error, instance_id, path)
        trip = make_cookie(config, departure.browser, max_age_s=MINUTES * 60, base=TRIP_COOKIE)
        return Redirect(departure.url, status_code=SEE_OTHER, cookies=[trip])

    @get("/return", operation_id="finishRedirectSignIn", opt=PUBLIC, status_code=SEE_OTHER)
    async def finish(
        self,
        instance_id: FromPath[str],
        request: AppRequest,
        visitor: NamedDependency[CurrentUser | None],
        peer: NamedDependency[Peer],
        oauth: NamedDependency[OAuthService],
        config: NamedDependency[Config],
    ) -> Redirect:
        """Take the browser back from a provider's page, sign it in and send it where it wanted to go."""
        target = HOME
        fields = _once(request.query_params.multi_items())
        try:
            pending = await oauth.resume(instance_id, fields.get("state"), _browser(request, config))
            target = pending.target
            arrival = await oauth.finish(pending, fields, visitor, peer)
        except AppError as error:
            return _refused(error, instance_id, target)
        cookies: list[Cookie] = [make_cookie(config, "", max_age_s=0, base=TRIP_COOKIE)]
        if isinstance(arrival, SecondStep):
            return Redirect(
                _second_step(target), status_code=SEE_OTHER, cookies=[*cookies, second_step_cookie(config, arrival)]
            )
        if arrival is not None:
            device = make_cookie(config, arrival.device, max_age_s=DEVICE_DAYS * 86_400, base=DEVICE_COOKIE)
            language = first_language_cookies(config, peer, arrival.language)
            cookies += [session_cookie(config, arrival.token), device, *language]
        return Redirect(target, status_code=SEE_OTHER, cookies=cookies)

    @post(
        "/return",
        operation_id="finishRedirectSignInByForm",
        opt={**PUBLIC, "csrf_exempt": True, "no_session": True},
        status_code=SEE_OTHER,
    )
    async def finish_by_form(self, instance_id: FromPath[str], request: AppRequest) -> Redirect:
        """Turn a form that a provider's page posts into the navigation above; nothing is decided here.

        Browsers send no Lax cookie with a form of another site, but they do with the navigation that follows.
        """
        items = await _form(request, MAX_RETURN)
        return Redirect(f"/api/auth/{quote(instance_id, safe='')}/return?{urlencode(items)}", status_code=SEE_OTHER)
