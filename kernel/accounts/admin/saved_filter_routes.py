"""Administrators' calls about the filters that they have named."""

from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.accounts.admin.saved_filters import (
    FilterName,
    SavedFilterIn,
    SavedFilterOut,
    SavedFilters,
    SavedFilterService,
)
from kernel.accounts.current_user import CurrentUser
from kernel.core.web.access import ADMIN
from kernel.core.web.paging import PathId


class SavedFilterController(Controller):
    """Saved filters of the list of users; each administrator has their own."""

    path = "/api/admin/users/filters"
    tags = ("Administration",)
    opt = ADMIN

    @get(operation_id="listSavedFilters")
    async def listed(
        self, user: NamedDependency[CurrentUser], saved_filters: NamedDependency[SavedFilterService]
    ) -> SavedFilters:
        """Return your saved filters, by name."""
        return await saved_filters.listed(user.id)

    @post(operation_id="saveFilter")
    async def save(
        self,
        user: NamedDependency[CurrentUser],
        data: JSONBody[SavedFilterIn],
        saved_filters: NamedDependency[SavedFilterService],
    ) -> SavedFilterOut:
        """Save a filter under a name that none of yours has."""
        return await saved_filters.save(user.id, data)

    @patch("/{filter_id:int}", operation_id="renameFilter")
    async def rename(
        self,
        user: NamedDependency[CurrentUser],
        filter_id: PathId,
        data: JSONBody[FilterName],
        saved_filters: NamedDependency[SavedFilterService],
    ) -> SavedFilterOut:
        """Give a filter another name."""
        return await saved_filters.rename(user.id, filter_id, data)

    @delete("/{filter_id:int}", operation_id="deleteFilter")
    async def remove(
        self,
        user: NamedDependency[CurrentUser],
        filter_id: PathId,
        saved_filters: NamedDependency[SavedFilterService],
    ) -> None:
        """Delete a filter."""
        await saved_filters.remove(user.id, filter_id)
