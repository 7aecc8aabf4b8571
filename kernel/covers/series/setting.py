"""Sets the words of one cover in the look of its series."""

from typing import Final

from kernel.core.data.database import Database
from kernel.covers.lettering.press import LetteringPress
from kernel.covers.series.volumes import Volume
from kernel.pictures.store import PictureStore
from kernel.press.lettering.document import Lettering
from kernel.press.lettering.orders import Continue

MEASURED_ON: Final = "960"
"""The form of the artwork: large enough to tell whether type can be read on it."""


class LookSetter:
    """Asks the press; stores nothing."""

    def __init__(self, database: Database, pictures: PictureStore, press: LetteringPress) -> None:
        self._database = database
        self._pictures = pictures
        self._press = press

    async def set(self, volume: Volume, look: Lettering) -> Lettering:
        """Return the lettering of a cover in a look; the same for the same cover and look.

        Raises Absent for a picture that is gone, PressBusy and PressUnable.
        """
        async with self._database.read() as connection:
            ground = await self._pictures.file(connection, volume.ground_id, MEASURED_ON)
        order = Continue(
            picture=await self._pictures.read(ground),
            look=look,
            words=volume.words if volume.lettering is None else None,
            own=volume.lettering,
            language=volume.language if volume.lettering is None else volume.lettering.language,
        )
        return await self._press.choose(order)
