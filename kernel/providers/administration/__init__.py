"""Instances and their failover order: stored, checked, changed at run time, followed by every process."""

from kernel.providers.administration.application import Administration
from kernel.providers.administration.instance_store import InstanceStore
from kernel.providers.administration.model_prices import ModelPriceHistory
from kernel.providers.administration.provider_usage import ProviderUsage, UsageCounter
from kernel.providers.administration.revision_follower import RevisionFollower

__all__ = ["Administration", "InstanceStore", "ModelPriceHistory", "ProviderUsage", "RevisionFollower", "UsageCounter"]
