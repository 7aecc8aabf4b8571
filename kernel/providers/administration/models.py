"""Tables of stored instances and routes. Every write to one of them raises the revision in the same transaction."""

from datetime import datetime
from typing import Any

from advanced_alchemy.types import DateTimeUTC
from sqlalchemy import JSON, ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core import clock
from kernel.core.database import Base, BigInt

TimeUTC = DateTimeUTC(timezone=True)


class ProviderInstance(Base):
    """An instance as an administrator saved it. With the id of one from the configuration file it changes that one.

    `settings` holds what was written and is no secret, `settings_version` the version of the provider's settings it was
    written for, `revision` the revision it was last changed in.
    """

    __tablename__ = "provider_instance"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    provider: Mapped[str] = mapped_column(String(40))
    label: Mapped[str] = mapped_column(String(200))
    enabled: Mapped[bool] = mapped_column(default=True)
    draining: Mapped[bool] = mapped_column(default=False)
    settings: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    settings_version: Mapped[int] = mapped_column(default=1)
    revision: Mapped[int] = mapped_column(BigInt)
    created_at: Mapped[datetime] = mapped_column(TimeUTC, default=clock.now)
    updated_at: Mapped[datetime] = mapped_column(TimeUTC, default=clock.now)
    updated_by: Mapped[int | None] = mapped_column(BigInt, default=None)


class ProviderSecret(Base):
    """One sealed secret, bound to `provider_secret:<instance>:<field>`. `hint` is its end, where it is long enough."""

    __tablename__ = "provider_secret"

    instance_id: Mapped[str] = mapped_column(
        String(40), ForeignKey("provider_instance.id", ondelete="CASCADE"), primary_key=True
    )
    field: Mapped[str] = mapped_column(String(64), primary_key=True)
    sealed: Mapped[str] = mapped_column(Text)
    hint: Mapped[str | None] = mapped_column(String(8), default=None)
    updated_at: Mapped[datetime] = mapped_column(TimeUTC, default=clock.now)


class ProviderRoute(Base):
    """The instances of a kind in order of preference, in place of those of the configuration file."""

    __tablename__ = "provider_route"

    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    instances: Mapped[list[str]] = mapped_column(JSON)
    user_choice: Mapped[bool] = mapped_column(default=False)
    revision: Mapped[int] = mapped_column(BigInt)


class ProviderRevision(Base):
    """How often instances or routes were changed. One row, id 1."""

    __tablename__ = "provider_revision"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    revision: Mapped[int] = mapped_column(BigInt)


class ProviderCheck(Base):
    """How the last check of an instance's saved settings ended. No part of a revision: it changes nothing."""

    __tablename__ = "provider_check"

    instance_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    checked_at: Mapped[datetime] = mapped_column(TimeUTC)
    ok: Mapped[bool]
