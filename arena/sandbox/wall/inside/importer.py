"""A bot's files in memory: its modules, packages and data, for a process without a file system.

The finder stands behind the standard library's, so a bot's `random.py` shadows nothing. Data files
are read by `pkgutil.get_data` and `importlib.resources`.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from io import BytesIO, StringIO

TYPE_CHECKING = False  # importing typing would cost every start 5 ms
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import CodeType, ModuleType
    from typing import IO, Any

FOLDER = "/bot"
"""Where a bot's files seem to be: the head of every `__file__`; there is no such folder."""


class BotLoader:
    """Finds and loads what the bot brought; one object is finder, loader and resource reader."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files
        self.modules: list[ModuleType] = []  # those that were made of them
        self.folders = {
            name[:at] for name in files for at, letter in enumerate(name) if letter == "/"
        }

    def _name_of(self, module: str) -> str | None:
        """The file of a module, "" for a package without `__init__.py`, None for no module."""
        if module == "__main__":
            return "bot.py"
        path = module.replace(".", "/")
        for name in (f"{path}/__init__.py", f"{path}.py"):
            if name in self.files:
                return name
        return "" if path in self.folders else None

    def find_spec(
        self, module: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The finder's door."""
        name = self._name_of(module)
        if name is None:
            return None
        package = not name or name.endswith("/__init__.py")
        origin = f"{FOLDER}/{name}" if name else None
        # By its methods a loader, as the import system wants it; importlib.abc would cost 5 ms.
        spec = ModuleSpec(module, self, origin=origin, is_package=package)  # type: ignore[arg-type]  # no subclass of Loader
        spec.has_location = origin is not None
        if package:
            spec.submodule_search_locations = [f"{FOLDER}/{module.replace('.', '/')}"]
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """The usual kind of module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Runs the module's source in its namespace."""
        self.modules.append(module)
        exec(self.get_code(module.__name__), module.__dict__)

    def get_code(self, module: str) -> CodeType:
        """The compiled source of a module; SyntaxError is the bot's."""
        name = self._name_of(module)
        if not name:
            return compile("", f"<package {module}>", "exec", dont_inherit=True)
        return compile(self.files[name], f"{FOLDER}/{name}", "exec", dont_inherit=True)

    def get_source(self, module: str) -> str:
        """The text of a module, for tracebacks."""
        from importlib.util import decode_source

        name = self._name_of(module)
        return decode_source(self.files[name]) if name else ""

    def is_package(self, module: str) -> bool:
        """Whether the module is a folder."""
        name = self._name_of(module)
        return name is not None and (not name or name.endswith("/__init__.py"))

    def get_data(self, path: str) -> bytes:
        """`pkgutil.get_data`: the bytes of a file by its path below `FOLDER`."""
        try:
            return self.files[path.removeprefix(f"{FOLDER}/")]
        except KeyError:
            raise FileNotFoundError(2, "No such file in this bot", path) from None

    def get_resource_reader(self, module: str) -> _Resources:
        """`importlib.resources`: the files of a package."""
        return _Resources(BotPath(self, module.replace(".", "/")))


class _Resources:
    """What `importlib.resources` asks for the root of a package."""

    def __init__(self, root: BotPath) -> None:
        self._root = root

    def files(self) -> BotPath:
        """The package's folder."""
        return self._root


class BotPath:
    """A file or folder of the bot, as `importlib.resources.abc.Traversable` wants it."""

    def __init__(self, loader: BotLoader, path: str) -> None:
        self._loader = loader
        self._path = path
        self.name = path.rpartition("/")[2]

    def __repr__(self) -> str:
        return f"BotPath({FOLDER}/{self._path})"

    def is_file(self) -> bool:
        """Whether it is a file of the bot."""
        return self._path in self._loader.files

    def is_dir(self) -> bool:
        """Whether it is a folder of the bot."""
        return self._path in self._loader.folders

    def iterdir(self) -> Iterator[BotPath]:
        """What stands in this folder."""
        head = f"{self._path}/"
        below = {
            name.removeprefix(head).partition("/")[0]
            for name in self._loader.files
            if name.startswith(head)
        }
        return (BotPath(self._loader, head + name) for name in sorted(below))

    def joinpath(self, *parts: str) -> BotPath:
        """A place below this folder."""
        return BotPath(self._loader, "/".join([self._path, *parts]))

    __truediv__ = joinpath

    def read_bytes(self) -> bytes:
        """The file's bytes."""
        return self._loader.get_data(f"{FOLDER}/{self._path}")

    def read_text(self, encoding: str | None = None, errors: str | None = None) -> str:
        """The file's text, UTF-8 unless said otherwise."""
        return self.read_bytes().decode(encoding or "utf-8", errors or "strict")

    def open(self, mode: str = "r", *args: Any, **kwargs: Any) -> IO[Any]:
        """The file, opened for reading."""
        if "b" in mode:
            return BytesIO(self.read_bytes())
        return StringIO(self.read_text(kwargs.get("encoding"), kwargs.get("errors")))


def install(files: Mapping[str, bytes]) -> BotLoader:
    """Makes the bot's modules importable, behind everything else."""
    loader = BotLoader(files)
    sys.meta_path.append(loader)
    return loader
