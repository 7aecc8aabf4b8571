"""What is injected into handlers of every package about a request: who makes it, and from where."""

from typing import Final

from litestar import Request
from litestar.datastructures import State
from litestar.di import NamedDependency

from kernel.accounts.auth.sessions import Peer, peer_of
from kernel.accounts.current_user import CurrentUser
from kernel.core.audit import Actor, ip_of
from kernel.core.config import Config
from kernel.core.errors import SignedOut
from kernel.core.wiring import HandlerDependency

AccountRequest = Request[CurrentUser | None, None, State]


def provide_visitor(request: AccountRequest) -> CurrentUser | None:
    """Return the signed-in user, None for an anonymous visitor."""
    return request.user


def provide_user(request: AccountRequest) -> CurrentUser:
    """Return the signed-in user. Raises SignedOut."""
    if request.user is None:
        raise SignedOut
    return request.user


def provide_actor(request: AccountRequest) -> Actor:
    """Return the signed-in user as the audit trail names them. Raises SignedOut."""
    return Actor(id=provide_user(request).id, ip=ip_of(request))


def provide_peer(request: AccountRequest, config: NamedDependency[Config]) -> Peer:
    """Return where the request comes from."""
    return peer_of(request, config)


REQUEST_DEPENDENCIES: Final = {
    "visitor": HandlerDependency(provide_visitor),
    "user": HandlerDependency(provide_user),
    "actor": HandlerDependency(provide_actor),
    "peer": HandlerDependency(provide_peer),
}
