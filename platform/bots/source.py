"""Whether a Python source can be compiled here: the syntax alone, nothing is run (FC058)."""

import platform
import warnings

from bots.errors import UploadRefused

_NESTED = "too deeply nested for Python to compile"


def check_source(name: str, data: bytes) -> None:
    """Raises `UploadRefused` with file, line and what to do where it is no valid Python."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UploadRefused(
            f"{name}, line {line}: the byte 0x{data[error.start]:02X} (byte {error.start + 1} of "
            "the file) is not UTF-8: save the file as UTF-8."
        ) from error
    if not text.strip():
        raise UploadRefused(f"{name} is empty: upload the file with the bot's source.")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UploadRefused(f"{name}, line {line}: a NUL byte: upload Python source as plain text.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, name, "exec", flags=0, dont_inherit=True)
    except SyntaxError as error:
        raise UploadRefused(_syntax_message(name, error)) from error
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise UploadRefused(f"{name}: {_NESTED} ({error}): simplify the source.") from error


def _syntax_message(name: str, error: SyntaxError) -> str:
    where = f"{name}, line {error.lineno}" if error.lineno else name
    return (
        f"{where}: {error.msg}. Bots run on Python {platform.python_version()}; newer syntax is "
        "not understood. Correct the line, or write it for this version."
    )
