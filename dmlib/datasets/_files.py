"""Folder of the bundled data: beside the package in a checkout, inside it when installed."""

from pathlib import Path

_PACKAGE = Path(__file__).parent.parent


def data_path(name: str) -> Path:
    """Return the path of a bundled data file.

    Raises
    ------
    FileNotFoundError
        If the installation lacks it.
    """
    for folder in (_PACKAGE / "_assets" / "data", _PACKAGE.parent / "assets" / "data"):
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(f"The data file {name} is missing. Install the package again.")
