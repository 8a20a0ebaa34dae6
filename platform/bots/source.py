"""Whether a Python source can be compiled here: the syntax alone, nothing is run (FC058)."""

import platform
import warnings

from django.utils.translation import gettext as _

from bots.errors import UploadRefused


def check_source(name: str, data: bytes) -> None:
    """Raises `UploadRefused` with file, line and what to do where it is no valid Python."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UploadRefused(
            _(
                "%(name)s, line %(line)d: the byte %(byte)s (byte %(place)d of the file) is not "
                "UTF-8: save the file as UTF-8."
            )
            % {
                "name": name,
                "line": line,
                "byte": f"0x{data[error.start]:02X}",
                "place": error.start + 1,
            }
        ) from error
    if not text.strip():
        raise UploadRefused(
            _("%(name)s is empty: upload the file with the bot's source.") % {"name": name}
        )
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UploadRefused(
            _("%(name)s, line %(line)d: a NUL byte: upload Python source as plain text.")
            % {"name": name, "line": line}
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, name, "exec", flags=0, dont_inherit=True)
    except SyntaxError as error:
        raise UploadRefused(_syntax_message(name, error)) from error
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise UploadRefused(
            _("%(name)s is too deeply nested for Python to compile (%(why)s): simplify the source.")
            % {"name": name, "why": error}
        ) from error


def _syntax_message(name: str, error: SyntaxError) -> str:
    return _(
        "%(name)s, line %(line)d: %(why)s. Bots run on Python %(version)s; newer syntax is not "
        "understood. Correct the line, or write it for this version."
    ) % {
        "name": name,
        "line": error.lineno or 1,
        "why": error.msg,
        "version": platform.python_version(),
    }
