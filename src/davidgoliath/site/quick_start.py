"""Lets Python start sooner in a browser, where each call out of it costs time. As `sitecustomize` it comes first.

The archive of all modules is read at once, and they are found and loaded in memory; so are the files beside them. What
dataclasses and named tuples would compile whenever their modules are imported was compiled when the site was built.
"""

import builtins
import collections
import marshal
import sys
import zipimport
from types import CodeType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

COMPILED: Final = "compiled.bin"
"""What was compiled besides modules, by its text."""
HEAD: Final = 16
"""Bytes of a compiled module before its code."""
LOCAL_HEAD: Final = 30
"""Bytes of a file in an archive before its name."""
EXTENSION: Final = ("msgspec._core", "/msgspec_core.so")
"""What else was compiled for the browser; `python.js` has loaded it."""


class Archive:
    """Finds and loads modules, and the files of their packages."""

    def __init__(self, place: str) -> None:
        self._place = place
        with open(place, "rb") as file:  # noqa: PTH123 - there is nothing else yet
            self._bytes = file.read()
        listed = vars(zipimport)["_zip_directory_cache"][place]  # Python has read it already
        self._files = {name: (entry[4], entry[3]) for name, entry in listed.items() if entry}

    def find_spec(
        self, name: str, path: "Sequence[str] | None" = None, target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        stem = name.replace(".", "/")
        package = f"{stem}/__init__.pyc"
        if name == EXTENSION[0]:
            from importlib.util import spec_from_file_location

            return spec_from_file_location(*EXTENSION)
        is_package = package in self._files
        file = package if is_package else f"{stem}.pyc"
        if file not in self._files:
            return None
        loader: Any = self
        spec: ModuleSpec = type(sys.__spec__)(name, loader, origin=f"{self._place}/{file}", is_package=is_package)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [f"{self._place}/{stem}"]
        return spec

    def create_module(self, spec: "ModuleSpec") -> None:
        return None

    def exec_module(self, module: "ModuleType") -> None:
        spec: Any = module.__spec__
        compiled = self.read(spec.origin.removeprefix(f"{self._place}/"))
        exec(marshal.loads(memoryview(compiled)[HEAD:]), vars(module))  # noqa: S102, S302 - as Python itself does it

    def get_resource_reader(self, name: str) -> "Reader":
        return Reader(File(self, name.replace(".", "/")))

    def read(self, name: str) -> bytes:
        start, size = self._files[name]
        head = self._bytes[start : start + LOCAL_HEAD]
        start += LOCAL_HEAD + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
        return self._bytes[start : start + size]

    def has(self, name: str) -> bool:
        return name in self._files

    def below(self, name: str) -> "set[str]":
        prefix = f"{name}/"
        return {file[len(prefix) :].partition("/")[0] for file in self._files if file.startswith(prefix)}


class File:
    """A file or folder of a package, as far as `importlib.resources` is asked for them here."""

    def __init__(self, archive: Archive, path: str) -> None:
        self._archive, self._path = archive, path
        self.name = path.rpartition("/")[2]

    def joinpath(self, *names: str) -> "File":
        return File(self._archive, "/".join((self._path, *names)))

    def iterdir(self) -> "Iterator[File]":
        return map(self.joinpath, sorted(self._archive.below(self._path)))

    def is_file(self) -> bool:
        return self._archive.has(self._path)

    def read_bytes(self) -> bytes:
        return self._archive.read(self._path)

    def read_text(self, encoding: str) -> str:
        return self.read_bytes().decode(encoding)


class Reader:
    """The files of a package."""

    def __init__(self, folder: File) -> None:
        self._folder = folder

    def files(self) -> File:
        return self._folder


class Compiled:
    """In the place of `exec` and `eval` of modules that make code from text: what is known needn't be compiled."""

    def __init__(self, known: "dict[str, CodeType]") -> None:
        self._known = known
        self.texts: dict[str, str] = {}
        """All that were asked for, and how: a build notes them."""

    def take_the_place(self, module: "ModuleType", kind: str) -> None:
        run: Any = getattr(builtins, kind)

        def run_known(text: str, *places: Any) -> Any:
            self.texts[text] = kind
            return run(self._known.get(text, text), *places)

        vars(module)[kind] = run_known


def begin(archive: Archive) -> Compiled:
    sys.meta_path.insert(0, archive)
    import dataclasses  # read from there

    known = marshal.loads(archive.read(COMPILED)) if archive.has(COMPILED) else {}  # noqa: S302
    compiled = Compiled(known)
    compiled.take_the_place(dataclasses, "exec")
    compiled.take_the_place(collections, "eval")
    return compiled


if __name__ == "sitecustomize":
    compiled: Final = begin(Archive(next(place for place in sys.path if place.endswith(".zip"))))
