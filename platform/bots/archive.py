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

from arena.sandbox import BotFiles
from bots.errors import UploadRefused
from bots.source import check_source

MAIN = "bot.py"
MAX_ENTRIES = 200
MAX_INFLATED = 20_000_000
"""Bytes of all files of an archive together."""
MAX_RATIO = 200
"""Bytes that one byte of an archive may inflate to, where it inflates to more than a megabyte."""
_CHUNK = 65_536
_RATIO_FROM = 1_000_000
_LONGEST_NAME = 200
_UTF8_FLAG = 0x800
_ENCRYPTED_FLAG = 0x1


def read_upload(file_name: str, data: bytes) -> BotFiles:
    """The files of a bot by their relative POSIX names, `bot.py` among them.

    Raises `UploadRefused`, whose message says what is wrong, where, and what to do.
    """
    kind = file_name.lower().rpartition(".")[2]
    if kind not in {"py", "zip"}:
        raise UploadRefused(
            f"“{plain_file_name(file_name)}” is neither a .py file nor a .zip archive: upload one "
            f"Python file, or a .zip that holds {MAIN}."
        )
    if not data:
        raise UploadRefused("The file is empty: choose the file with the bot's source.")
    cap_kb = settings.UPLOAD_MAX_PY_KB if kind == "py" else settings.UPLOAD_MAX_ZIP_KB
    if len(data) > cap_kb * 1000:
        raise UploadRefused(
            f"The file has {len(data):,} bytes; a .{kind} may have {cap_kb * 1000:,}. "
            "Leave out what the bot does not need."
        )
    if kind == "py":
        check_source(MAIN, data)
        return {MAIN: data}
    return _read_zip(data)


def plain_file_name(file_name: str) -> str:
    """The last part of a file name as the browser sent it, fit to be shown."""
    last = file_name.replace("\\", "/").rpartition("/")[2]
    shown = "".join(char if char.isprintable() else "�" for char in last)
    return unicodedata.normalize("NFC", shown)[:100]


def _read_zip(data: bytes) -> BotFiles:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = _read_entries(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        raise UploadRefused(
            f"The file is no zip archive, or a damaged one ({error}): pack it again as .zip."
        ) from error
    if MAIN not in files:
        raise UploadRefused(_no_main(files))
    for name, content in files.items():
        if name.endswith(".py"):
            check_source(name, content)
    return files


def _read_entries(archive: zipfile.ZipFile) -> dict[str, bytes]:
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise UploadRefused(
            f"The archive has {len(entries):,} entries; {MAX_ENTRIES} are allowed. Leave out what "
            "the bot does not need."
        )
    files: dict[str, bytes] = {}
    seen: dict[str, str] = {}
    left = MAX_INFLATED
    for entry in entries:
        name = _safe_name(entry)
        key = name.rstrip("/").casefold()
        if seen.setdefault(key, name) != name or (name in files):
            raise UploadRefused(
                f"The archive holds both “{seen[key]}” and “{name}”, which are one name on many "
                "systems: rename one of them."
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
            f"“{_shown(name)}” in the archive is a link or a device: pack plain files only."
        )
    if entry.flag_bits & _ENCRYPTED_FLAG:
        raise UploadRefused(f"“{_shown(name)}” is encrypted: pack the archive without a password.")
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
            f"“{_shown(name)}” is no name for a file of an archive (it is absolute, leads outside, "
            "has a backslash or control characters, or is too long): pack the folder's contents "
            "with relative names."
        )
    return name


def _decode_old_name(raw: str) -> str:
    """A name without the UTF-8 flag: zipfile read it as cp437; many packers wrote UTF-8 (FC071)."""
    try:
        return raw.encode("cp437").decode("utf-8")
    except UnicodeError:
        return raw


def _inflate(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str, left: int) -> bytes:
    content = bytearray()
    try:
        with archive.open(entry) as source:
            while chunk := source.read(_CHUNK):
                content += chunk
                if len(content) > left:
                    raise UploadRefused(
                        f"The archive inflates to more than {MAX_INFLATED // 1_000_000} MB (at "
                        f"“{_shown(name)}”): leave out what the bot does not need."
                    )
                if len(content) > max(_RATIO_FROM, MAX_RATIO * entry.compress_size):
                    raise UploadRefused(
                        f"“{_shown(name)}” inflates to more than {MAX_RATIO} times its packed "
                        "size: pack real data, or leave it out."
                    )
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise UploadRefused(
            f"“{_shown(name)}” in the archive cannot be unpacked ({error}): pack it again."
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
                    f"“{_shown(keys[folder])}” is a file and a folder in the archive: rename one."
                )


def _is_clutter(name: str) -> bool:
    """What file managers and Python add by themselves."""
    parts = name.split("/")
    return parts[0] == "__MACOSX" or parts[-1] == ".DS_Store" or "__pycache__" in parts


def _no_main(files: BotFiles) -> str:
    inside = [name for name in files if name.endswith("/" + MAIN)]
    if inside:
        return (
            f"{MAIN} lies in a folder (“{_shown(inside[0])}”): pack the folder's contents, so that "
            f"{MAIN} stands at the top of the archive."
        )
    return f"The archive holds no {MAIN}: name the file that is to be run {MAIN}."


def _shown(name: str) -> str:
    return "".join(char if char.isprintable() else "�" for char in name)[:80]
