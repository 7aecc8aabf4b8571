"""Table of the certificate."""

from datetime import datetime
from typing import Final

from sqlalchemy import Boolean, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core import clock
from kernel.core.data.database import Base
from kernel.core.data.moments import Moment

ONLY_ROW: Final = 1


class SigningCertificate(Base):
    """What signs the files that people download: one row at most. `sealed` is the private key, encrypted for it.

    `chain` and the key are PEM; `alg` is the algorithm as C2PA calls it. `ends_at` is when the first certificate of the
    chain ends.
    """

    __tablename__ = "signing_certificate"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    is_on: Mapped[bool] = mapped_column(Boolean, default=True)
    is_self_made: Mapped[bool] = mapped_column(Boolean)
    alg: Mapped[str] = mapped_column(Text)
    chain: Mapped[str] = mapped_column(Text)
    sealed: Mapped[str] = mapped_column(Text)
    ends_at: Mapped[datetime] = mapped_column(Moment)
    created_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
