"""The gallery with FastAPI and SQLModel, asynchronous, in our own tables. Runs with the packages of `install.sh`."""

import hashlib
import os
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Cookie, Depends, FastAPI, HTTPException
from pydantic import ConfigDict
from pydantic.alias_generators import to_camel
from sqlalchemy.ext.asyncio import create_async_engine
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

PER_PAGE = 50

engine = create_async_engine(f"sqlite+aiosqlite:///{os.environ['PEER_DATABASE']}")
app = FastAPI()


class SignIn(SQLModel, table=True):
    """A session."""

    __tablename__ = "session"
    id: int | None = Field(default=None, primary_key=True)
    user_id: int
    token_hash: str
    expires_at: datetime


class Picture(SQLModel, table=True):
    """A stored picture."""

    id: int | None = Field(default=None, primary_key=True)
    sha256: str
    width: int
    height: int
    tint: str
    placeholder: str | None


class Cover(SQLModel, table=True):
    """A cover."""

    id: int | None = Field(default=None, primary_key=True)
    user_id: int
    picture_id: int
    theme_id: int | None
    title: str
    author: str
    genre: str
    subtitle: str
    series: str
    number: str
    tagline: str
    starred: bool
    created_at: datetime
    deleted_at: datetime | None


OF_COVER = "title author genre subtitle series number tagline id theme_id starred created_at deleted_at"
OF_PICTURE = "width height tint placeholder sha256"
COLUMNS = [getattr(Cover, name) for name in OF_COVER.split()] + [getattr(Picture, name) for name in OF_PICTURE.split()]


class CoverOut(SQLModel):
    """A cover as the client gets it."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)
    title: str
    author: str
    genre: str
    subtitle: str
    series: str
    number: str
    tagline: str
    id: int
    image_url: str
    preview_url: str
    thumbnail_url: str
    width: int
    height: int
    tint: str
    placeholder: str | None
    theme_id: int | None
    starred: bool
    created_at: datetime
    deleted_at: datetime | None


class Status(SQLModel):
    """A small answer."""

    status: str


async def database() -> AsyncIterator[AsyncSession]:
    """Open a session of the database for a request."""
    async with AsyncSession(engine) as session:
        yield session


Database = Annotated[AsyncSession, Depends(database)]


async def signed_in(session: Database, coverwright: Annotated[str, Cookie()] = "") -> int:
    """Return whose session the cookie names."""
    token_hash = hashlib.sha256(coverwright.encode()).hexdigest()
    query = select(SignIn.user_id).where(SignIn.token_hash == token_hash, SignIn.expires_at > datetime.now(UTC))
    user_id = (await session.exec(query)).one_or_none()
    if user_id is None:
        raise HTTPException(401)
    return user_id


async def gallery(session: AsyncSession, user_id: int) -> Sequence[CoverOut]:
    """Return a user's newest covers."""
    query = (
        select(*COLUMNS)
        .join(Picture, col(Picture.id) == Cover.picture_id)
        .where(Cover.user_id == user_id, col(Cover.deleted_at).is_(None))
        .order_by(col(Cover.created_at).desc(), col(Cover.id).desc())
        .limit(PER_PAGE)
    )
    return [
        CoverOut(
            **{name: value for name, value in row._mapping.items() if name != "sha256"},
            image_url=address(row, "original"),
            preview_url=address(row, "960"),
            thumbnail_url=address(row, "320"),
        )
        for row in await session.exec(query)
    ]


def address(row: Any, size: str) -> str:
    """Return the address of one form of a cover."""
    return f"/api/covers/{row.id}/image?size={size}&v={row.sha256[:16]}"


@app.get("/healthz", response_model=Status)
async def healthz() -> Status:
    """Answer."""
    return Status(status="ok")


@app.get("/of/{user_id}/covers", response_model=list[CoverOut])
async def covers_of(session: Database, user_id: int) -> Sequence[CoverOut]:
    """Return the covers of anybody."""
    return await gallery(session, user_id)


@app.get("/api/covers", response_model=list[CoverOut])
async def covers(session: Database, user_id: Annotated[int, Depends(signed_in)]) -> Sequence[CoverOut]:
    """Return the covers of who asks."""
    return await gallery(session, user_id)
