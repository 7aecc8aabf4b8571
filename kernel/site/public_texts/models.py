"""Tables of the public texts and of the addresses in the footer."""

from datetime import datetime

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core import clock
from kernel.core.data.database import Base
from kernel.core.data.moments import Moment


class PublicText(Base):
    """An administrator's text in Markdown. `name` is page and language (`terms:de`); an empty text has no row."""

    __tablename__ = "public_text"

    name: Mapped[str] = mapped_column(String(16), primary_key=True)
    body: Mapped[str] = mapped_column(Text)
    updated_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)


class PublicAddress(Base):
    """An address that the footer leads to, such as that of a social network; one that is not given has no row."""

    __tablename__ = "public_address"

    name: Mapped[str] = mapped_column(String(16), primary_key=True)
    address: Mapped[str] = mapped_column(String(300))
    updated_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
