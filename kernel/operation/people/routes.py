"""Administrators' calls for many users at once."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.accounts.auth.sessions import Peer
from kernel.accounts.current_user import CurrentUser
from kernel.core.web.access import ADMIN, RECENT_SIGN_IN, audited
from kernel.operation.people.schemas import PeopleChange, PeopleChanged, PeopleCheck
from kernel.operation.people.service import PeopleActions


class PeopleController(Controller):
    """One action for many users."""

    path = "/api/admin/users/bulk"
    tags = ("Administration",)
    opt = ADMIN

    @post("/check", operation_id="checkPeopleChange", opt=audited("user.list"), status_code=200)
    async def check(
        self,
        user: NamedDependency[CurrentUser],
        data: JSONBody[PeopleChange],
        people_actions: NamedDependency[PeopleActions],
    ) -> PeopleCheck:
        """Say with how many users it would be done, and whom it would leave out and why. Changes nothing."""
        return await people_actions.check(user, data)

    @post(operation_id="changePeople", opt=RECENT_SIGN_IN, status_code=200)
    async def change(
        self,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        data: JSONBody[PeopleChange],
        people_actions: NamedDependency[PeopleActions],
    ) -> PeopleChanged:
        """Do it with the next hundred users, newest first, each as it is done with one; `cursor` goes on."""
        return await people_actions.change(user, data, peer)
