"""The list of what an edition was made of, which also tells its folder from others."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE = ".edition.json"
COMMON = ("requirements.txt", "requirements-site.txt", "assets/data/**/*")
"""Inputs of every page, beside modules and content."""

Inputs = Mapping[str, str]
"""Files below the project's folder, and the digests of what they held."""


class FolderError(Exception):
    """A folder cannot hold an edition; a sentence says what to do."""


@dataclass
class Manifest:
    """The files of which a folder was made.

    Attributes
    ----------
    folder : Path
        The folder of the edition.
    pages : dict of str to Inputs
        By its slug, what each page was made of.
    """

    folder: Path
    pages: dict[str, Inputs] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: Path) -> Manifest:
        """Return the manifest of a folder, which is new, empty or an edition.

        Raises
        ------
        FolderError
            If it holds something else.
        """
        if folder.exists() and not folder.is_dir():
            raise FolderError(f"{folder} is a file: name a folder that is empty or new.")
        if not folder.exists() or not any(folder.iterdir()):
            return cls(folder)
        try:
            content = json.loads((folder / FILE).read_text("utf-8"))
            files, pages = content["files"], content["pages"].items()
            return cls(folder, {slug: dict(files[i] for i in inputs) for slug, inputs in pages})
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            raise FolderError(
                f"{folder} holds something else than an edition: name a folder that is empty or"
                " new. Nothing was changed."
            ) from None

    def is_current(self, slug: str) -> bool:
        """Return whether the data of a page are there, and of what they would be made of now."""
        inputs = self.pages.get(slug)
        if not inputs or not (self.folder / "data" / slug).is_dir():
            return False
        return all(digest(name) == before for name, before in inputs.items())

    def write(self) -> None:
        """Write it into its folder, each file once: all pages are made of nearly the same."""
        files = sorted({item for inputs in self.pages.values() for item in inputs.items()})
        numbers = {item: i for i, item in enumerate(files)}
        pages = {slug: [numbers[item] for item in self.pages[slug].items()] for slug in self.pages}
        text = json.dumps({"files": files, "pages": pages}, sort_keys=True)
        write_whole(self.folder / FILE, text.encode())


def write_whole(path: Path, content: bytes) -> None:
    """Write a file; where the disk is full, what the file was before stays."""
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_bytes(content)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


@lru_cache(maxsize=10_000)
def digest(name: str) -> str:
    """Return a digest of a file of the project; empty where it is missing."""
    path = ROOT / name
    return sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""


def inputs_of(modules: Iterable[str]) -> Inputs:
    """Return the files of the project that a process with such modules may have read.

    Parameters
    ----------
    modules : iterable of str
        The names of the modules that it has imported.
    """
    files = {Path(file) for name in modules if (file := getattr(sys.modules[name], "__file__", ""))}
    pages = {name.removeprefix("pages.") for name in modules if name.startswith("pages.")}
    content = {path for page in pages for path in (ROOT / "assets/pages" / page).glob("*.toml")}
    common = {path for pattern in COMMON for path in ROOT.glob(pattern) if path.is_file()}
    parts = (path.relative_to(ROOT) for path in files | content | common if ROOT in path.parents)
    names = (path.as_posix() for path in parts if not path.as_posix().startswith(".venv"))
    return {name: digest(name) for name in sorted(names)}
