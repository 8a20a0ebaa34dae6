"""From an uploaded file to a bot's files, without running or importing a line of it.

An upload is one `.py` file, or a `.zip` with `bot.py`. Every cap is checked before or while
reading, as what an archive says of itself may be a lie (FC066).
"""

import io
import stat
import unicodedata
import zipfile
import zlib

from django.conf import settings
from django.utils.translation import gettext as _

from arena.referee import BotFiles
from bots.errors import UploadRefused
from bots.source import check_sources

MAIN = "bot.py"
MAX_ENTRIES = 200
MAX_INFLATED = 20_000_000
"""Bytes of all files of an archive together."""
MAX_RATIO = 200
"""Bytes that one byte of an archive may inflate to, where it inflates to more than a megabyte."""
_CHUNK = 65_536
_RATIO_FROM = 1_000_000
_LONGEST_NAME = 200
_LONGEST_STEM = 80
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""What every packer writes; the others inflate without bounds of time and memory."""
_UTF8_FLAG = 0x800
_ENCRYPTED_FLAG = 0x1


def read_upload(file_name: str, data: bytes) -> BotFiles:
    """The files of a new upload by their relative POSIX names, `bot.py` among them.

    Raises `UploadRefused`, whose message says what is wrong, where, and what to do.
    """
    kind = _kind(file_name)
    if kind not in {"py", "zip"}:
        raise UploadRefused(
            _(
                "“%(name)s” is neither a .py file nor a .zip archive: upload one Python file, or "
                "a .zip that holds bot.py."
            )
            % {"name": plain_file_name(file_name)}
        )
    if not data:
        raise UploadRefused(_("The file is empty: choose the file with the bot's source."))
    cap_kb = settings.UPLOAD_MAX_PY_KB if kind == "py" else settings.UPLOAD_MAX_ZIP_KB
    if len(data) > cap_kb * 1000:
        raise UploadRefused(
            _(
                "The file has %(size)d bytes; a .%(kind)s may have %(most)d. Leave out what the "
                "bot does not need."
            )
            % {"size": len(data), "kind": kind, "most": cap_kb * 1000}
        )
    files = unpack(file_name, data)
    check_sources({name: content for name, content in files.items() if name.endswith(".py")})
    return files


def unpack(file_name: str, data: bytes) -> BotFiles:
    """The files of an upload that was taken in: no cap of the settings, no compiler.

    Raises `UploadRefused`.
    """
    return _read_zip(data) if _kind(file_name) == "zip" else {MAIN: data}


def plain_file_name(file_name: str) -> str:
    """The last part of a file name as the browser sent it, fit to be shown; its kind stays."""
    last = file_name.replace("\\", "/").rpartition("/")[2]
    shown = "".join(char if char.isprintable() else "�" for char in last)
    stem, dot, kind = unicodedata.normalize("NFC", shown).rpartition(".")
    return stem[:_LONGEST_STEM] + dot + kind[:_LONGEST_STEM]


def _kind(file_name: str) -> str:
    return file_name.lower().rpartition(".")[2]


def _read_zip(data: bytes) -> BotFiles:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = _read_entries(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        raise UploadRefused(
            _("The file is no zip archive, or a damaged one (%(why)s): pack it again as .zip.")
            % {"why": error}
        ) from error
    if MAIN not in files:
        raise UploadRefused(_no_main(files))
    return files


def _read_entries(archive: zipfile.ZipFile) -> dict[str, bytes]:
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise UploadRefused(
            _(
                "The archive has %(count)d entries; %(most)d are allowed. Leave out what the bot "
                "does not need."
            )
            % {"count": len(entries), "most": MAX_ENTRIES}
        )
    files: dict[str, bytes] = {}
    seen: dict[str, str] = {}
    left = MAX_INFLATED
    for entry in entries:
        name = _safe_name(entry)
        key = name.rstrip("/").casefold()
        if seen.setdefault(key, name) != name or (name in files):
            raise UploadRefused(
                _(
                    "The archive holds both “%(one)s” and “%(other)s”, which are one name on many "
                    "systems: rename one of them."
                )
                % {"one": seen[key], "other": name}
            )
        if entry.is_dir() or _is_clutter(name):
            continue
        files[name] = _inflate(archive, entry, name, left)
        left -= len(files[name])
    _refuse_files_as_folders(files)
    return files


def _safe_name(entry: zipfile.ZipInfo) -> str:
    raw = entry.orig_filename
    if not entry.flag_bits & _UTF8_FLAG:
        raw = _decode_old_name(raw)
    name = unicodedata.normalize("NFC", raw)
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise UploadRefused(
            _("“%(name)s” in the archive is a link or a device: pack plain files only.")
            % {"name": _shown(name)}
        )
    if entry.flag_bits & _ENCRYPTED_FLAG:
        raise UploadRefused(
            _("“%(name)s” is encrypted: pack the archive without a password.")
            % {"name": _shown(name)}
        )
    parts = name.rstrip("/").split("/")
    if (
        name.startswith("/")
        or "\\" in name
        or any(part in {"", ".", ".."} for part in parts)
        or any(ord(char) < 32 or ord(char) == 127 for char in name)
        or ":" in parts[0]
        or len(name) > _LONGEST_NAME
    ):
        raise UploadRefused(
            _(
                "“%(name)s” is no name for a file in the archive (it is absolute, leads outside, "
                "has a backslash or control characters, or is too long): pack the folder's "
                "contents with relative names."
            )
            % {"name": _shown(name)}
        )
    return name


def _decode_old_name(raw: str) -> str:
    """A name without the UTF-8 flag: zipfile read it as cp437; many packers wrote UTF-8 (FC071)."""
    try:
        return raw.encode("cp437").decode("utf-8")
    except UnicodeError:
        return raw


def _inflate(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str, left: int) -> bytes:
    if entry.compress_type not in _METHODS:
        raise UploadRefused(
            _("“%(name)s” is packed by a method other than deflate: pack it as an ordinary .zip.")
            % {"name": _shown(name)}
        )
    content = bytearray()
    try:
        with archive.open(entry) as source:
            while chunk := source.read(_CHUNK):
                content += chunk
                if len(content) > left:
                    raise UploadRefused(
                        _(
                            "The archive inflates to more than %(most)d MB (at “%(name)s”): leave "
                            "out what the bot does not need."
                        )
                        % {"most": MAX_INFLATED // 1_000_000, "name": _shown(name)}
                    )
                if len(content) > max(_RATIO_FROM, MAX_RATIO * entry.compress_size):
                    raise UploadRefused(
                        _(
                            "“%(name)s” inflates to more than %(most)d times its packed size: "
                            "pack real data, or leave it out."
                        )
                        % {"name": _shown(name), "most": MAX_RATIO}
                    )
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise UploadRefused(
            _("“%(name)s” in the archive cannot be unpacked (%(why)s): pack it again.")
            % {"name": _shown(name), "why": error}
        ) from error
    return bytes(content)


def _refuse_files_as_folders(files: dict[str, bytes]) -> None:
    keys = {name.casefold(): name for name in files}
    for name in files:
        parts = name.casefold().split("/")
        for depth in range(1, len(parts)):
            folder = "/".join(parts[:depth])
            if folder in keys:
                raise UploadRefused(
                    _("“%(name)s” is a file and a folder in the archive: rename one.")
                    % {"name": _shown(keys[folder])}
                )


def _is_clutter(name: str) -> bool:
    """What file managers and Python add by themselves."""
    parts = name.split("/")
    return parts[0] == "__MACOSX" or parts[-1] == ".DS_Store" or "__pycache__" in parts


def _no_main(files: BotFiles) -> str:
    inside = [name for name in files if name.endswith("/" + MAIN)]
    if inside:
        return _(
            "bot.py lies in a folder (“%(name)s”): pack the folder's contents, so that bot.py "
            "stands at the top of the archive."
        ) % {"name": _shown(inside[0])}
    return _("The archive holds no bot.py: name the file that is to be run bot.py.")


def _shown(name: str) -> str:
    return "".join(char if char.isprintable() else "�" for char in name)[:80]
