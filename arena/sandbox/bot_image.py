"""The image that bots run on in containers, made of the same copy of Python as everywhere else.

No registry, no base image: the copy is the whole root, so there is no shell and no setuid file.
"""

import io
import json
import tarfile
from collections.abc import Iterator

from arena.sandbox import runtime
from arena.sandbox.engine import LABEL, REPOSITORY, Engine
from arena.sandbox.runtime import Runtime

IMPORT_S = 300.0


def build() -> str:
    """Makes the image, tagged by version and by digest; gives its name. Raises BoxError."""
    copy = runtime.ready()
    version, digest = runtime.version(), copy.root.name
    with Engine(IMPORT_S) as engine:
        image = engine.import_image(_rootfs(copy), f"{version}-{digest}", list(_changes(copy)))
        engine.tag(image, version)
    return f"{REPOSITORY}:{version}-{digest}"


def _changes(copy: Runtime) -> Iterator[str]:
    labels = {
        "version": runtime.version(),
        "python": f"/{copy.python}",
        "readable": json.dumps([f"/{folder}" for folder in copy.folders]),
    }
    yield "USER 65534:65534"
    for name, value in labels.items():
        yield f"LABEL {LABEL}{name}={json.dumps(value)}"


def _rootfs(copy: Runtime) -> io.BytesIO:
    """The copy as a tar file, the same bytes each time; the engine wants it whole or as a file."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for folder in copy.folders:
            tar.add(copy.root / folder, folder, filter=_plain)
        for name, target in copy.links:
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, target
            tar.addfile(link)
    made.seek(0)
    return made


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Root's, dated 1970, without a bit that gives powers."""
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    entry.mode &= 0o755
    return entry
