"""Blocking file work of the disk storage; it runs in threads.

<folder>/objects/<key>                    finished objects
<folder>/incoming/.coverwright-<random>   objects being written; what a crash leaves here is removed an hour later
"""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from kernel.spi import NotFound, ObjectInfo, ObjectPage, is_object_key

STALE_S: Final = 3600.0
INCOMING: Final = ".coverwright-"
"""Prefix of files being written: others may have a folder of this name at the place that an administrator chose."""
RENAME_TRIES: Final = 5
"""A concurrent delete may remove an object's new folder as empty before the object is in it."""


class Incoming:
    """An object while it is being written. Begins with `open`, ends with `keep` or `drop`."""

    def __init__(self, tree: "Tree") -> None:
        self._tree = tree
        self._path: Path
        self._file: BinaryIO | None = None
        self._hash = hashlib.sha256()
        self.size = 0

    def open(self) -> None:
        """Open a new file. Not done by the constructor: who is canceled meanwhile would not know of the file."""
        self._tree.incoming.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=INCOMING, dir=self._tree.incoming)
        self._path = Path(name)
        self._file = os.fdopen(handle, "wb", buffering=0)

    def write(self, data: bytes) -> None:
        """Append bytes."""
        assert self._file is not None
        view = memoryview(data)
        while view:  # an unbuffered write may be short
            view = view[self._file.write(view) :]
        self._hash.update(data)
        self.size += len(data)

    def keep(self, key: str, media_type: str) -> ObjectInfo:
        """Make it durable under its key, replacing an earlier object."""
        assert self._file is not None
        os.fsync(self._file.fileno())
        modified = os.fstat(self._file.fileno()).st_mtime
        self._file.close()
        target = self._tree.objects / key
        for tries_left in reversed(range(RENAME_TRIES)):
            _make_folders(target.parent)
            try:
                os.replace(self._path, target)
                break
            except FileNotFoundError:
                if not tries_left:
                    raise
        _sync_folder(target.parent)
        return ObjectInfo(
            key=key, size=self.size, sha256=self._hash.hexdigest(), media_type=media_type, modified_unix=modified
        )

    def drop(self) -> None:
        """Remove it; before `open` and after `keep`, do nothing."""
        if self._file is not None:
            self._file.close()
            self._path.unlink(missing_ok=True)


class Outgoing:
    """An object while it is being read. Begins with `open`, ends with `close`."""

    def __init__(self, tree: "Tree", key: str, start: int) -> None:
        self._key = key
        self._path = tree.objects / key
        self._start = start
        self._file: BinaryIO | None = None

    def open(self) -> None:
        """Open the object at its offset. Raises NotFound."""
        try:
            self._file = self._path.open("rb")
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
            raise NotFound(self._key) from error
        self._file.seek(self._start)

    def read(self, most: int) -> bytes:
        """Return the next bytes, none at the end."""
        assert self._file is not None
        return self._file.read(most)

    def close(self) -> None:
        """Close it; before `open`, do nothing."""
        if self._file is not None:
            self._file.close()


class Tree:
    """The folder with the objects."""

    def __init__(self, folder: Path) -> None:
        self.objects: Final = folder / "objects"
        self.incoming: Final = folder / "incoming"

    def info(self, key: str) -> ObjectInfo:
        """Return the data of an object. Raises NotFound."""
        path = self.objects / key
        try:
            found = path.stat()
        except (FileNotFoundError, NotADirectoryError) as error:
            raise NotFound(key) from error
        if not path.is_file():
            raise NotFound(key)
        return ObjectInfo(key=key, size=found.st_size, modified_unix=found.st_mtime)

    def delete(self, key: str) -> None:
        """Remove an object and the folders that become empty."""
        path = self.objects / key
        if path.is_symlink():  # no object of ours
            return
        try:
            path.unlink()
        except (FileNotFoundError, NotADirectoryError):
            return
        except (IsADirectoryError, PermissionError):
            if path.is_dir():  # other keys begin with this one; it is no object itself
                return
            raise
        with suppress(OSError):
            _sync_folder(path.parent)
            for folder in path.parents:
                if folder == self.objects:
                    break
                folder.rmdir()

    def page(self, prefix: str, cursor: str | None, limit: int) -> ObjectPage:
        """List objects after the cursor in the order of their keys."""
        found: list[ObjectInfo] = []
        for key in self._walk("", prefix, cursor or ""):
            if len(found) == limit:
                return ObjectPage(objects=tuple(found), cursor=found[-1].key)
            with suppress(NotFound):  # deleted meanwhile
                found.append(self.info(key))
        return ObjectPage(objects=tuple(found))

    def _walk(self, folder: str, prefix: str, after: str) -> Iterator[str]:
        """Yield keys with the prefix and greater than `after`, in order, without entering folders that have none."""
        try:
            with os.scandir(self.objects / folder) as entries:
                # a folder sorts like its keys: with the slash
                names = sorted(entry.name + "/" if entry.is_dir() else entry.name for entry in entries)
        except FileNotFoundError:
            return
        for name in names:
            path = folder + name
            if not name.endswith("/"):
                if path.startswith(prefix) and path > after and is_object_key(path):
                    yield path
            elif (path.startswith(prefix) or prefix.startswith(path)) and (path > after or after.startswith(path)):
                yield from self._walk(path, prefix, after)

    def remove_stale(self) -> None:
        """Remove what a crash left half-written."""
        with suppress(FileNotFoundError):
            for path in self.incoming.glob(f"{INCOMING}*"):
                with suppress(OSError):
                    if path.lstat().st_mtime < time.time() - STALE_S:
                        path.unlink()

    def probe(self) -> int:
        """Write, read and remove a file, and return how many bytes are free. Raises OSError."""
        self.objects.mkdir(parents=True, exist_ok=True)
        self.incoming.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self.incoming) as file:
            file.write(b"probe")
            file.flush()
            os.fsync(file.fileno())
            file.seek(0)
            if file.read() != b"probe":
                raise OSError("what was written cannot be read again")
        return shutil.disk_usage(self.objects).free


def _make_folders(folder: Path) -> None:
    """Make the folder and its parents, each durable in its parent."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in reversed(missing):
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
