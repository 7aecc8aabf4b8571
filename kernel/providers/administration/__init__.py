"""Instances and routes as administrators keep them: stored, checked, changed at run time, followed by every process."""

from kernel.providers.administration.following import Following
from kernel.providers.administration.office import Administration
from kernel.providers.administration.store import Store
from kernel.providers.administration.uses import Use, Uses

__all__ = ["Administration", "Following", "Store", "Use", "Uses"]
